/* sim/func/cta_cluster.h -- clusters of CTAs (PTX ISA, thread block clusters): neighbours in the
 * grid that are on the GPU at once, have a barrier of their own, and reach each other's shared
 * memory.
 *
 * An address in .shared::cluster is an offset in the shared window: below CTA_SHARED_STRIDE it is
 * the executing CTA's own; that of the CTA of rank r begins at (r + 1) * CTA_SHARED_STRIDE, for
 * every CTA of the cluster. To reach a CTA that has ended is a fault.
 *
 * The barrier completes when all threads that have not exited have arrived, but not before
 * cta_clusters_settle() is called: the simulator does so at the end of a cycle, so that the order
 * in which cores take their turns makes no difference. */
#ifndef MDP_SIM_FUNC_CTA_CLUSTER_H
#define MDP_SIM_FUNC_CTA_CLUSTER_H

#include "sim/func/warp.h"

#define CTA_CLUSTER_MOST     16 /* CTAs: the most that any GPU takes */
#define CTA_CLUSTER_PORTABLE 8  /* ... that every GPU with clusters takes */
#define CTA_SHARED_STRIDE    (UINT64_C(1) << 19)

/* The size of the launch's clusters: what it asks for, or the kernel; else 1 x 1 x 1. So it is of
 * what was recorded: its CTAs wait for none any more. */
void launch_cluster(const struct launch *l, int size[3]);
int launch_cluster_ctas(const struct launch *l);
/* Its CTAs wait for others of their cluster, or may: no CTA runs alone. */
bool launch_has_clusters(const struct launch *l);
/* The i-th CTA in an order in which those of a cluster, by rank, follow each other: its linear id.
 */
uint64_t launch_cta_in_order(const struct launch *l, uint64_t i);
/* False: the grid or the kernel does not go with clusters of this size. */
bool launch_check_cluster(const struct launch *l, struct err *e);

/* Clusters of a launch that run; NULL: it has none. Whoever runs the launch makes them
 * (launch.clusters) and begins CTAs in the order above, whole clusters at a time. */
struct cta_clusters *cta_clusters_new(const struct launch *l);
void cta_clusters_free(struct cta_clusters *all); /* NULL is fine */
/* Completes the barriers at which all have arrived. True: warps wait no longer. */
bool cta_clusters_settle(struct cta_clusters *all);

void cta_cluster_begin(struct cta *c); /* part of cta_init() */
void cta_cluster_end(struct cta *c);   /* its last thread has exited */
void cta_cluster_exit(struct cta *c);  /* threads of it have exited */
/* For warps that wait at the cluster's barrier: how many threads have arrived, of how many. */
void cta_cluster_count(const struct cta *c, int *arrived, int *threads);

/* Whose memory an offset in the shared window is of, by rank in the cluster; the CTA with that
 * rank, NULL: it has ended, or there is none. */
static inline int cta_shared_rank(const struct cta *c, addr_t offset)
{
    return offset < CTA_SHARED_STRIDE ? c->rank : (int)(offset / CTA_SHARED_STRIDE) - 1;
}
struct cta *cta_of_rank(struct cta *c, int rank);

#endif
