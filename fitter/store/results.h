/* fitter/store/results.h -- of the profile database, the results of `search`: a row a run, with all
 * that was counted, as the texts that the caller makes and reads again.
 *
 *   result   PROFILE_INPUT, n, perturbation, counted: what depends on the input alone; seconds:
 *            what depends on the host too */
#ifndef MDP_FITTER_STORE_RESULTS_H
#define MDP_FITTER_STORE_RESULTS_H

#include "fitter/store/profile.h"

struct profile_result {
    char *counted, *seconds;
};

/* Both texts NULL: it is not recorded. Else the caller frees them. */
bool profile_get_result(struct profile *p, const struct profile_input *in, struct profile_run run,
                        struct profile_result *out, struct err *e);
/* Replaces what is there. */
bool profile_add_result(struct profile *p, const struct profile_input *in, struct profile_run run,
                        const struct profile_result *result, struct err *e);

#endif
