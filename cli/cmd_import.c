#include "base/csv_table.h"
#include "cli/commands.h"
#include "fitter/store/profile.h"

static bool run(struct options *o, struct err *e)
{
    enum profile_table table;
    o->bad_usage = !profile_table_find(o->arg[0], &table, e);
    struct csv_table *csv = o->bad_usage ? NULL : csv_load(o->arg[1], e);
    /* Into memory first: a file that can't be imported leaves no empty database behind. */
    const char *const into[] = {NULL, o->db};
    bool ok = csv != NULL;
    for (size_t i = 0; ok && i < sizeof into / sizeof *into; i++) {
        struct profile *p = profile_open(into[i], true, e);
        ok = p && profile_import_table(p, table, csv, e);
        profile_close(p);
    }
    csv_table_free(csv);
    return ok;
}

const struct command command_import = {
    .id = COMMAND_import,
    .name = "import",
    .args = "runs|samples|prices FILE",
    .help = "Put what `mdpredict export` printed into a profile database",
    .text =
        "All rows of FILE or, after an error, none. A row that the database has is replaced. What\n"
        "can't have been recorded (a negative number, a run without a cycle) is an error.",
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
