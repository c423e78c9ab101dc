/* cli/scheduler_table.h -- what `compare` says of schedulers: the IPC of every target under every
 * combination over that under the baseline, and what of that the means are. */
#ifndef MDP_CLI_SCHEDULER_TABLE_H
#define MDP_CLI_SCHEDULER_TABLE_H

#include "cli/output.h"
#include "cli/scheduler_runs.h"

struct scheduler_means {
    double geometric, arithmetic;
};
/* Of count > 0 positive numbers. */
struct scheduler_means scheduler_means(const double *v, int count);

/* IPC over the baseline's on the same target. */
double scheduler_normalised(const struct scheduler_runs *r, int target, int combination);
/* Over all targets. */
struct scheduler_means scheduler_mean_of(const struct scheduler_runs *r, int combination);

/* The table in text; in CSV a row a run, then two a combination with its means; in JSON an object
 * with both as arrays. o->counters: every counter of each run as well. */
void scheduler_table(struct output *out, const struct options *o, const struct scheduler_runs *r);

#endif
