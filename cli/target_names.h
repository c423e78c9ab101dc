/* cli/target_names.h -- what a command line names: TARGET..., or the workloads of --suite, each at
 * --size unless it says its own. */
#ifndef MDP_CLI_TARGET_NAMES_H
#define MDP_CLI_TARGET_NAMES_H

#include "cli/options.h"

struct target_names {
    char **name; /* owned, as are the names */
    int n;
};

/* False and e: an unknown suite, a suite beside names, a size that a target cannot have, no target
 * at all. target_names_free in any case. */
bool target_names(const struct options *o, struct target_names *out, struct err *e);
void target_names_free(struct target_names *t);

#endif
