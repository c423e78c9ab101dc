/* cli/degree_report.h -- what JSON says of degrees beside their IPC: how many CTAs fit and what
 * sets that, the lines of code that set a degree, every statistic by n. */
#ifndef MDP_CLI_DEGREE_REPORT_H
#define MDP_CLI_DEGREE_REPORT_H

#include "base/stats.h"
#include "cli/output.h"
#include "cli/set_degree.h"

/* An object "occupancy": of a CTA, of a core, and how many would fit by each alone. */
void occupancy_output(struct output *out, const struct sm_cfg *c, const struct cta_resources *k);
/* "paste", an array of lines with which n CTAs of `kernel` (a mangled name, or none) run at once on
 * a core, empty where nothing is to be set or nothing can be; "carveout", what a GPU wants beside
 * that where shared memory and L1 are one; "one_more", lines for a CTA more than fit, where
 * registers set the limit. */
void paste_output(struct output *out, const struct sm_cfg *c, const struct cta_resources *k, int n,
                  const char *kernel);
/* An object "degrees": arrays by n of every counter and rate. at: of n = 1 .. n_max, at[0] n = 1.
 */
void degrees_output(struct output *out, const struct run_stats *const *at, int n_max);

enum { DEGREE_OCCUPANCY, DEGREE_PASTE, DEGREE_CARVEOUT, DEGREE_ONE_MORE, DEGREE_ALL };
/* occ_limit_name(), for rows. */
const char *degree_limit_text(const void *field);

#endif
