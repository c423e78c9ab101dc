/* cli/run_store.h -- runs that were simulated, with all that was counted: in memory, and in a CSV
 * file, a row each, appended as soon as it is there. A process that is killed loses what was under
 * way; several may fill one file. The revision is no part of it: after a change of the simulator
 * begin a new file. Calls for one store come from one thread at a time. */
#ifndef MDP_CLI_RUN_STORE_H
#define MDP_CLI_RUN_STORE_H

#include "base/err.h"
#include "base/stats.h"

struct stored_run {
    int n,
        n_max; /* CTAs a core at once: of this run, and as many as fit (of its kernels the most) */
    struct run_stats stats; /* over all launches */
};

struct run_store;
/* path NULL: in memory alone; else the file is made if it is not there. NULL and e: it can't be
 * read or written, or its columns are another version's. */
struct run_store *run_store_open(const char *path, struct err *e);
void run_store_close(struct run_store *s); /* NULL is fine */

/* Of what was run (any text without line ends) the run at degree n; 0, or more than fit: at as many
 * as fit. False: it is not there; out->n_max is known (else 0) if any run of it is. */
bool run_store_find(const struct run_store *s, const char *what, int n, struct stored_run *out);
bool run_store_add(struct run_store *s, const char *what, const struct stored_run *run,
                   struct err *e);

#endif
