/* program/groups.h -- the launches of one kernel in groups of those that are alike
 * (sampler/profile/launch_cluster.h), each with a launch that stands for it, if one could be
 * measured. What a launch that is only executed takes is told from those of its group that were
 * simulated. */
#ifndef MDP_PROGRAM_GROUPS_H
#define MDP_PROGRAM_GROUPS_H

#include "sampler/profile/launch_cluster.h"

struct simulated {        /* launches that were, together: */
    double insts, cycles; /* thread instructions; core cycles */
};

struct groups { /* of a kernel; all 0: it has none yet */
    struct group {
        struct launch_cluster like;
        bool tried, measured; /* one of its launches; and it could be */
        struct simulated seen;
    } * group; /* owned; numbered in order of their first launches */
    int count;
    struct simulated all; /* of any group, or of none */
};

void groups_fini(struct groups *g);

/* Before it has run: false if its grid alone tells that it is unlike all so far. */
bool groups_may_hold(const struct groups *g, const struct launch *l);
/* When it has run: which group it belongs to; a new one if it is unlike all so far. */
int groups_of(struct groups *g, const struct launch_was *x);

/* Below i may be no group at all, as that of a launch nobody has looked at (-1): of such a one
 * nothing is known, and nothing is kept. */

/* A launch of group i was to be measured, and was (ok), or could not be. */
void groups_try(struct groups *g, int i, bool ok);
bool groups_tried(const struct groups *g, int i);
bool groups_measured(const struct groups *g, int i); /* at least once */

/* A launch of group i was simulated. */
void groups_learn(struct groups *g, int i, uint64_t thread_insts, uint64_t cycles);
/* Core cycles that so many thread instructions take, at the mean of what was simulated of group i,
 * or else of any. False: nothing was. */
bool groups_cycles(const struct groups *g, int i, uint64_t thread_insts, double *cycles);

#endif
