/* sampler/profile/launch_watch.h -- what a launch does, seen while it is executed without timing:
 * how many warp instructions each CTA executes, and how some of them use memory. */
#ifndef MDP_SAMPLER_LAUNCH_WATCH_H
#define MDP_SAMPLER_LAUNCH_WATCH_H

#include "sampler/profile/memory_use.h"
#include "sim/func/run.h"

struct launch_watch {
    struct memory_watch *memory; /* owned */
    uint64_t *cta_insts;         /* owned; by CTA; NULL: they were not counted */
};

/* For a launch of so many CTAs, whose instructions are counted if there are several and no more
 * than `most`: sets the hooks of o, which look at it while func_run() executes it. */
void launch_watch_begin(struct launch_watch *k, const struct gpu_cfg *cfg, uint64_t ctas,
                        uint64_t most, struct func_opts *o);
/* A glance: memory_watch_few_mean() is all that it tells. */
void launch_watch_begin_few(struct launch_watch *k, const struct gpu_cfg *cfg, uint64_t ctas,
                            struct func_opts *o);
void launch_watch_end(struct launch_watch *k);

#endif
