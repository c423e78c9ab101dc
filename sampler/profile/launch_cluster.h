/* sampler/profile/launch_cluster.h -- which launches are alike: those that one sample can stand
 * for. */
#ifndef MDP_SAMPLER_LAUNCH_CLUSTER_H
#define MDP_SAMPLER_LAUNCH_CLUSTER_H

#include "sampler/profile/kernel_key.h"
#include "sampler/profile/memory_use.h"
#include "sim/func/run.h"

/* Launches whose grids differ little, and what a CTA executes: logarithms, rounded. */
struct launch_size {
    int grid, work;
};
/* work: warp instructions of all its CTAs. */
struct launch_size launch_size_of(const struct similarity_params *by, uint64_t ctas, uint64_t work);
bool launch_size_same(const struct launch_size *a, const struct launch_size *b);

/* Launches of one kernel, of one size, that use memory alike (memory_use.h). */
struct launch_cluster {
    struct kernel_key kernel; /* owned */
    int cluster_ctas; /* CTAs of a thread block cluster of its launches; 1: they have none */
    struct launch_size size;
    struct memory_use use; /* of the first of them */
    int part;              /* which cluster of its kernel */
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

struct launch_clusters {       /* all 0: none yet */
    const struct sampling *by; /* borrowed; NULL: the table's defaults */
    struct launch_cluster *at; /* owned; in order of their first launches */
    int count;
};

/* Which one it belongs to; a new one, without launches, if it is unlike all so far. */
int launch_clusters_of(struct launch_clusters *c, const struct launch_was *x);
/* Before it has run: false if its grid alone tells that it is unlike all so far. */
bool launch_clusters_may_hold(const struct launch_clusters *c, const struct launch *l);
/* Another one of the same kernel and kind as cluster i, without launches; returns its number. */
int launch_clusters_split(struct launch_clusters *c, int i);
void launch_cluster_count(struct launch_cluster *g, const struct func_counts *n);
void launch_clusters_fini(struct launch_clusters *c);

#endif
