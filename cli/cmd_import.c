#include "cli/commands.h"
#include "fitter/profile.h"

static bool run(struct options *o, struct err *e)
{
    enum profile_table table;
    o->bad_usage = !profile_table_find(o->arg[0], &table, e);
    /* Into memory first: a file that can't be imported leaves no empty database behind. */
    struct profile *trial = o->bad_usage ? NULL : profile_open(":memory:", true, e);
    bool ok = trial && profile_import(trial, table, o->arg[1], e);
    profile_close(trial);
    struct profile *db = ok ? profile_open(o->db, true, e) : NULL;
    ok = db && profile_import(db, table, o->arg[1], e);
    profile_close(db);
    return ok;
}

const struct command command_import = {
    .name = "import",
    .args = "runs|samples FILE",
    .help = "Put what `mdpredict export` printed into a profile database",
    .text = "All rows of FILE or, after an error, none. A row that the database has is replaced.",
    .options = OPT(DB),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
