/* cli/result_text.h -- a run's result as texts for the profile database (JSON), and back. */
#ifndef MDP_CLI_RESULT_TEXT_H
#define MDP_CLI_RESULT_TEXT_H

#include "cli/runner.h"
#include "fitter/store/results.h"

/* The caller frees both texts. Without the statistics by core. */
struct profile_result result_text(const struct run_result *r);
/* False: it is no result of this version of mdpredict; *out is empty then. Else run_result_release
 * it. */
bool result_of_text(const struct profile_result *text, struct run_result *out);

#endif
