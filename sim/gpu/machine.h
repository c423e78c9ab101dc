/* sim/gpu/machine.h -- the parts of a GPU and the step of its clock, for the files of this room. */
#ifndef MDP_SIM_GPU_MACHINE_H
#define MDP_SIM_GPU_MACHINE_H

#include "sim/cta/dispatch.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/gpu.h"
#include "sim/icnt/concentrator.h"
#include "sim/mem/partition.h"
#include "sim/sm/sm.h"

/* Before these a partition's ticks do nothing and are left out. */
struct part_wake {
    cycle_t l2;    /* L2 ticks: core cycle */
    uint64_t dram; /* DRAM ticks: DRAM cycle, or, should it come first, ... */
    cycle_t delay; /* ... core cycle */
    uint64_t seen; /* DRAM cycles that the partition knows of */
};

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
    struct part_wake *part_wake;                  /* owned, by partition */
    struct dispatch dispatch;
    struct inst_meta *meta; /* owned: of the kernel launched last */
    /* Most parts sleep in most steps; what follows tells without asking each of them. */
    const uint64_t *req_ready, *reply_ready; /* borrowed: outputs of the networks with packets */
    const int *req_busy, *reply_busy;        /* borrowed: 0: a network's tick has nothing to do */
    uint64_t buffered[ICNT_WORDS];           /* cores that have replies in front of them */
    cycle_t *wake;                           /* owned, by core: sm_wake_at */
    uint64_t replies;                        /* partitions that may have one for the network */
    bool dispatch_due;                       /* a CTA may start */
    uint64_t dram_cycle;
    struct part_wake first;                 /* the earliest of part_wake; no later than it */
    uint64_t completed;                     /* CTAs */
    cycle_t now;                            /* core cycles since gpu_new */
    struct icnt_stats req_seen, reply_seen; /* network counters already reported */
    bool reverse;                           /* gpu_opts.reverse_ticks */
};

/* step.c */
/* Steps of the clock up to the core's next edge, that one included. True: something moved. */
bool gpu_cycle(struct gpu *g);
/* The next core cycle at which anything can happen, given that this one moved nothing. */
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
    uint64_t counted;     /* warp instructions of the intervals before */
};
void observer_start(struct observer *ob, const struct gpu *g, const struct gpu_opts *o,
                    struct run_stats *out);
void observer_row(struct observer *ob, struct gpu *g); /* ends the interval here */

#endif
