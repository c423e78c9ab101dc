#include "cli/commands.h"
#include "fitter/store/merge.h"

static bool run(struct options *o, struct err *e)
{
    return profile_merge(o->arg, o->nargs, o->db, e);
}

const struct command command_merge = {
    .id = COMMAND_merge,
    .name = "merge",
    .args = "FILE...",
    .help = "Put the profile databases of a sweep's parts together",
    .text =
        "All rows of every FILE go into the database of --db, or after an error none. A row that "
        "is\n"
        "in several of them is there once. Refused are a FILE that another revision of mdpredict\n"
        "made, one that means another configuration by the name of a GPU, and one that has "
        "another\n"
        "result of the same run. `profile` and `search` make such parts: --shard.",
    .min_args = 1,
    .max_args = INT16_MAX,
    .run = run,
};
