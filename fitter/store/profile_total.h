/* fitter/store/profile_total.h -- one recorded run, summed over its kernels. */
#ifndef MDP_FITTER_STORE_PROFILE_TOTAL_H
#define MDP_FITTER_STORE_PROFILE_TOTAL_H

#include "fitter/store/profile.h"

struct profile_total {
    int n,
        n_max; /* CTAs a core at once: of this run, and as many as fit (of its kernels' the most) */
    struct run_stats stats;
};

/* The run at degree n, not perturbed; 0, or more than fit: at as many as fit. *found: it is
 * recorded; else *out tells n_max if any run of that input is recorded (0: none). */
bool profile_run_total(struct profile *p, const struct profile_input *in, int n,
                       struct profile_total *out, bool *found, struct err *e);

#endif
