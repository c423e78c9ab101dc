/* sampler/whole_runs.h -- whole simulations, as a thorough answer has them: of the degrees that may
 * be the best, one after the other, until none is left that may be better. */
#ifndef MDP_SAMPLER_WHOLE_RUNS_H
#define MDP_SAMPLER_WHOLE_RUNS_H

#include "model/estimate.h"
#include "sampler/sample_launch.h"

struct whole_run { /* at one degree */
    double ipc;    /* thread instructions a cycle */
    uint64_t warp_insts;
    double seconds; /* CPU time */
};

struct whole_runs {
    const struct pilot_coeff *pilots; /* borrowed; how many there may be, what they may cost, and
                                         when one is worth it */
    double budget;                    /* CPU seconds of the process in which they are expected to
                                         end; 0: no limit */
    double insts;                     /* warp instructions of one of them */
    struct posterior *known;          /* borrowed; with *all put right by each of them */
    struct prediction *all;
    /* Simulates with n at once. False and e: it failed; what that took is there all the same. */
    bool (*run)(void *user, int n, struct whole_run *out, struct err *e);
    void *user;
    struct sample_cost *cost; /* borrowed; what was simulated before counts, but for launches that
                                 are simulated at every degree; added to */
};

/* False and e: one failed, which ends them. */
bool whole_runs(const struct whole_runs *w, struct err *e);

#endif
