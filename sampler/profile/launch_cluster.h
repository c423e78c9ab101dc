/* sampler/profile/launch_cluster.h -- launches of a kernel that one sample can stand for. */
#ifndef MDP_SAMPLER_LAUNCH_CLUSTER_H
#define MDP_SAMPLER_LAUNCH_CLUSTER_H

#include "sampler/profile/memory_use.h"
#include "sim/func/run.h"

/* Launches of one kernel with the same block and resources, whose grids and warp instructions a CTA
 * differ by less than a fifth, and that use memory alike (memory_use.h). */
struct launch_cluster {
    char *kernel; /* owned */
    int block[3], regs;
    uint32_t shared;
    int grid_class, work_class; /* logarithms, rounded */
    struct memory_use use;      /* of the first of them */
    int part;                   /* which cluster of its kernel */
    uint64_t launches, ctas, warp_insts, thread_insts;
    int representative; /* the launch that stands for the cluster: the middle one; of a program's:
                           the first */
};

/* What a launch was, once it has run. */
struct launch_was {
    const struct launch *l;
    const struct func_counts *n;
    const struct memory_use *use;
};

/* A cluster that begins with this launch, which is not counted yet. */
struct launch_cluster launch_cluster_begin(const struct launch_was *x);
void launch_cluster_fini(struct launch_cluster *g);
/* Before it has run: false if its grid alone tells that it belongs to another cluster. */
bool launch_cluster_may_hold(const struct launch_cluster *g, const struct launch *l);
bool launch_cluster_holds(const struct launch_cluster *g, const struct launch_was *x);
void launch_cluster_count(struct launch_cluster *g, const struct func_counts *n);

#endif
