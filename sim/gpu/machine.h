/* sim/gpu/machine.h -- the parts of a GPU and the step of its clock, for the files of this room. */
#ifndef MDP_SIM_GPU_MACHINE_H
#define MDP_SIM_GPU_MACHINE_H

#include "sim/cta/dispatch.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/uncore.h"
#include "sim/sm/sm.h"

struct gpu {
    struct gpu_cfg cfg;
    struct uncore uncore;
    struct sm_env env;
    struct sm **sm; /* owned, cfg.top.cores of them */
    struct dispatch dispatch;
    struct sm_code code; /* owned: of the kernel launched last */
    /* Most cores sleep in most cycles; what follows tells without asking each of them. */
    uint64_t buffered[ICNT_WORDS];          /* cores that have replies in front of them */
    cycle_t *wake;                          /* owned, by core: sm_wake_at */
    struct cta_clusters *clusters;          /* borrowed: those of the launch; NULL: none */
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
bool gpu_replies(void *gpu, cycle_t now);  /* for uncore_init() */
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
