#include "cli/commands.h"
#include "cli/output.h"
#include "fitter/store/profile.h"

static bool run(struct options *o, struct err *e)
{
    enum profile_table table;
    struct output out;
    o->format = FORMAT_TEXT; /* which is CSV here */
    o->bad_usage = !profile_table_find(o->nargs ? o->arg[0] : "runs", &table, e);
    struct profile *db = o->bad_usage ? NULL : profile_open(o->db, false, e);
    if (!db)
        return false;
    bool ok = output_open(&out, o, e);
    ok = ok && profile_export(db, table, out.text, e);
    ok = output_close(&out, ok, e);
    profile_close(db);
    return ok;
}

const struct command command_export = {
    .id = COMMAND_export,
    .name = "export",
    .args = "[runs|samples|prices]",
    .help = "Print what `mdpredict profile` recorded, as CSV",
    .text =
        "runs: a row a kernel and run, every counter summed over the kernel's launches (default).\n"
        "samples: a row a kernel, what `mdpredict sample --json` prints. prices: a row a "
        "workload,\n"
        "CPU seconds of its sample and of one simulation, on the host that measured them. The\n"
        "rows are sorted, so that equal databases give equal files.",
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
