/* program/clusters.h -- the launches of one kernel in clusters of those that are alike
 * (sampler/profile/launch_cluster.h), each with a launch that stands for it, if one could be
 * measured. What a launch that is only executed takes is told from those of its cluster that were
 * simulated. */
#ifndef MDP_PROGRAM_CLUSTERS_H
#define MDP_PROGRAM_CLUSTERS_H

#include "sampler/profile/launch_cluster.h"

struct simulated {        /* launches that were, together: */
    double insts, cycles; /* thread instructions; core cycles */
};

struct clusters { /* of a kernel; all 0: it has none yet */
    struct launch_clusters like;
    struct cluster_state {
        bool tried, measured; /* one of its launches; and it could be */
        struct simulated seen;
        double insts;     /* warp instructions of all its launches */
    } * state;            /* owned, [like.count] */
    struct simulated all; /* of any cluster, or of none */
};

void clusters_fini(struct clusters *c);

/* When it has run: which cluster it belongs to; a new one if it is unlike all so far. */
int clusters_of(struct clusters *c, const struct launch_was *x);

/* Below i may be no cluster at all, as that of a launch nobody has looked at (-1): of such a one
 * nothing is known, and nothing is kept. */

/* A launch of cluster i was to be measured, and was (ok), or could not be. */
void clusters_try(struct clusters *c, int i, bool ok);
bool clusters_tried(const struct clusters *c, int i);
bool clusters_measured(const struct clusters *c, int i); /* at least once */

/* A launch of cluster i executed so many warp instructions; those of all together. */
void clusters_count(struct clusters *c, int i, uint64_t warp_insts);
double clusters_insts(const struct clusters *c, int i);

/* A launch of cluster i was simulated. */
void clusters_learn(struct clusters *c, int i, uint64_t thread_insts, uint64_t cycles);
/* Core cycles that so many thread instructions take, at the mean of what was simulated of cluster
 * i, or else of any. False: nothing was. */
bool clusters_cycles(const struct clusters *c, int i, uint64_t thread_insts, double *cycles);

#endif
