/* sampler/profile/launch_watch.h -- what a launch does, seen while it is executed without timing:
 * how many warp instructions each CTA executes, how some of them use memory, and whether some that
 * run side by side ask the same partitions at once. */
#ifndef MDP_SAMPLER_LAUNCH_WATCH_H
#define MDP_SAMPLER_LAUNCH_WATCH_H

#include "sampler/profile/memory_use.h"
#include "sampler/profile/partition_use.h"
#include "sim/func/run.h"

struct launch_watch {
    struct memory_watch *memory;        /* owned; NULL: not watched */
    struct partition_watch *partitions; /* owned: of all that run at once; NULL: not watched */
    /* Owned: of those that do with one on each core; NULL: these are all. */
    struct partition_watch *neighbours;
    uint64_t *cta_insts; /* owned; by CTA; NULL: they were not counted */
};

/* For a launch, whose CTAs' instructions are counted if there are several CTAs and no more than
 * by->counted, as the counts of more would take too much memory: sets the hooks of o, which look at
 * it while func_run() executes it. */
void launch_watch_begin(struct launch_watch *k, const struct gpu_cfg *cfg, const struct launch *l,
                        const struct watch_params *by, struct func_opts *o);
/* A glance: memory_watch_few_mean() is all that it tells. */
void launch_watch_begin_few(struct launch_watch *k, const struct gpu_cfg *cfg,
                            const struct launch *l, const struct watch_params *by,
                            struct func_opts *o);
void launch_watch_end(struct launch_watch *k);

#endif
