/* cli/result_store.h -- the runs of a search of one workload, in a profile database: what is there
 * is not run again, and a search may be run in parts. */
#ifndef MDP_CLI_RESULT_STORE_H
#define MDP_CLI_RESULT_STORE_H

#include <pthread.h>

#include "cli/options.h"
#include "cli/runner.h"
#include "fitter/store/profile.h"

struct result_store {
    struct profile *db; /* owned */
    struct profile_input in;
    char hash[17], *target; /* owned; in points here */
    int perturbation;       /* of the runs that are looked for and added */
    const bool *mine;       /* borrowed; [n - 1]: to be run, if it is not there; NULL: all */
    int added;
    pthread_mutex_t lock; /* of db and added */
};

/* False and e: t is no workload, or the database can't be opened. Not to be moved while it is
 * open. */
bool result_store_open(struct result_store *s, const struct options *o, const struct gpu_cfg *cfg,
                       const struct target *t, struct err *e);
void result_store_close(struct result_store *s); /* zeroed is fine */

/* *found: degree n is there, in *out, which the caller releases. */
bool result_store_get(struct result_store *s, int n, struct run_result *out, bool *found,
                      struct err *e);
bool result_store_add(struct result_store *s, int n, const struct run_result *r, struct err *e);
/* Degree n is to be run. NULL: it is. */
bool result_store_wants(const struct result_store *s, int n);

#endif
