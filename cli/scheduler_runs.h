/* cli/scheduler_runs.h -- every target under every combination of schedulers. Each simulation is
 * recorded as soon as it is done, and what is recorded is not run again: a
 * comparison that was cut off goes on where it was. */
#ifndef MDP_CLI_SCHEDULER_RUNS_H
#define MDP_CLI_SCHEDULER_RUNS_H

#include "cli/options.h"
#include "cli/run_store.h"
#include "cli/scheduler_list.h"

struct scheduler_runs {
    const struct combinations *by; /* borrowed */
    const char *const *name;       /* borrowed: of each target */
    int targets;
    const char *path;       /* borrowed: the file of a run_store; NULL: none */
    struct stored_run *one; /* owned: [target * by->count + combination]; of `optimum` the best */
};

/* o->jobs simulations at a time, recorded in r->path. The figures are the same
 * whatever was recorded before and whatever o->jobs is. scheduler_runs_free in any case. */
bool scheduler_runs_make(const struct options *o, struct target *const *target,
                         struct scheduler_runs *r, struct err *e);
void scheduler_runs_free(struct scheduler_runs *r);

static inline const struct stored_run *scheduler_run(const struct scheduler_runs *r, int target,
                                                     int combination)
{
    return &r->one[target * r->by->count + combination];
}

#endif
