/* sampler/profile/launch_group.h -- launches of a kernel that one sample can stand for. */
#ifndef MDP_SAMPLER_LAUNCH_GROUP_H
#define MDP_SAMPLER_LAUNCH_GROUP_H

#include "sampler/profile/memory_use.h"
#include "sim/func/run.h"

/* Launches of one kernel with the same block and resources, whose grids and warp instructions a CTA
 * differ by less than a fifth, and that use memory alike (memory_use.h). */
struct launch_group {
    char *kernel; /* owned */
    int block[3], regs;
    uint32_t shared;
    int grid_class, work_class; /* logarithms, rounded */
    struct memory_use use;      /* of the first of them */
    int part;                   /* which group of its kernel */
    uint64_t launches, ctas, warp_insts, thread_insts;
    int pick; /* the launch that stands for the group: the middle one; of a program's: the first */
};

/* What a launch was, once it has run. */
struct launch_was {
    const struct launch *l;
    const struct func_counts *n;
    const struct memory_use *use;
};

/* A group that begins with this launch, which is not counted yet. */
struct launch_group launch_group_begin(const struct launch_was *x);
void launch_group_fini(struct launch_group *g);
/* Before it has run: false if its grid alone tells that it belongs to another group. */
bool launch_group_may_hold(const struct launch_group *g, const struct launch *l);
bool launch_group_holds(const struct launch_group *g, const struct launch_was *x);
void launch_group_count(struct launch_group *g, const struct func_counts *n);

#endif
