/* cli/list.h -- where the entries of `list` go. */
#ifndef MDP_CLI_LIST_H
#define MDP_CLI_LIST_H

#include "base/table.h"
#include "cli/output.h"

struct list { /* entries go to output in JSON and CSV, to a table in text */
    struct output *out;
    struct table *table; /* of 3 columns: name, value, help */
    struct options *options;
    const char *topic;
    const char *of; /* the last key's; NULL: none yet */
    bool alone;     /* the only topic: more than three columns are fine */
};

/* An entry's name, value and help, in the object that is open; not in text. */
void list_fields(struct list *l, const char *name, const char *value, const char *help);

/* The workload is in the suite of --suite, if that was given. */
struct workload;
bool list_shows(const struct list *l, const struct workload *w);
/* What each workload is made of: its kernels with registers, shared memory, occupancy limit on the
 * GPU of -g. JSON: an object a workload; CSV: a row a kernel; text: a table of its own. */
bool list_workloads_in_full(struct list *l, struct err *e);

/* Topic i of `list`; NULL past the last. */
const char *list_topic_name(int i);

#endif
