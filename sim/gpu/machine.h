/* sim/gpu/machine.h -- the parts of a GPU and the step of its clock, for the files of this room. */
#ifndef MDP_SIM_GPU_MACHINE_H
#define MDP_SIM_GPU_MACHINE_H

#include "sim/cta/dispatch.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/gpu.h"
#include "sim/icnt/concentrator.h"
#include "sim/mem/partition.h"
#include "sim/sm/sm.h"

struct gpu {
    struct gpu_cfg cfg;
    struct clock clock;
    struct addrmap map;
    struct sm_env env;
    const struct icnt_ops *icnt;
    void *req_net, *reply_net;                    /* owned */
    struct concentrator *req_ports, *reply_ports; /* the same two; NULL: a port for each core */
    struct req_pool *pool;                        /* owned */
    struct sm **sm;                               /* owned, cfg.top.cores of them */
    struct partition **part;                      /* owned, cfg.mem.partition.count of them */
    struct dispatch dispatch;
    struct inst_meta *meta; /* owned: of the kernel launched last */
    /* Most parts sleep in most steps; what follows tells without asking each of them. */
    const uint64_t *req_ready, *reply_ready; /* borrowed: outputs of the networks with packets */
    uint64_t buffered[ICNT_WORDS];           /* cores that have replies in front of them */
    cycle_t *wake;                           /* owned, by core: sm_wake_at */
    bool replies_wait;                       /* a partition may have a reply for the network */
    bool dispatch_due;                       /* a CTA may start */
    cycle_t l2_quiet;                        /* no partition's l2_tick does anything before */
    /* DRAM: ticks left out since the last one; as many may be, before this core cycle. */
    uint64_t dram_left_out, dram_quiet;
    cycle_t delay_quiet;
    uint64_t completed;                     /* CTAs */
    cycle_t now;                            /* core cycles since gpu_new */
    struct icnt_stats req_seen, reply_seen; /* network counters already reported */
    bool reverse;                           /* gpu_opts.reverse_ticks */
};

/* step.c */
/* One step of the clock; *core_edge tells whether it held a core cycle. True: something moved. */
bool gpu_step(struct gpu *g, bool *core_edge);
/* The next core cycle at which anything can happen, given that this step moved nothing. */
cycle_t gpu_next_event(const struct gpu *g);
void gpu_jump(struct gpu *g, cycle_t target);
void gpu_core_wakes(struct gpu *g, int i); /* the core was told something */
void gpu_dram_catch_up(struct gpu *g);     /* DRAM ticks that were left out */
bool gpu_drained(const struct gpu *g);

/* observe.c */
struct observer { /* gathers the statistics of a launch, interval by interval */
    const struct gpu_opts *opts;
    struct run_stats *out;
    cycle_t start, since; /* of the launch, of the present interval */
    cycle_t at;           /* its end; CYCLE_NEVER: the launch's */
};
void observer_start(struct observer *ob, const struct gpu *g, const struct gpu_opts *o,
                    struct run_stats *out);
void observer_row(struct observer *ob, struct gpu *g); /* ends the interval here */

#endif
