#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "fitter/profile.h"

static bool pick_table(struct options *o, enum profile_table *out, struct err *e)
{
    const char *name = o->nargs ? o->arg[0] : "runs";
    if (strcmp(name, "runs") == 0 || strcmp(name, "samples") == 0) {
        *out = *name == 'r' ? PROFILE_RUNS : PROFILE_SAMPLES;
        return true;
    }
    o->bad_usage = true;
    return err_set(e, "no table \"%s\"; there are runs, samples", name);
}

static bool run(struct options *o, struct err *e)
{
    enum profile_table table = PROFILE_RUNS;
    struct output out;
    o->format = FORMAT_TEXT; /* which is CSV here */
    struct profile *db = pick_table(o, &table, e) ? profile_open(o->db, false, e) : NULL;
    if (!db)
        return false;
    bool ok = output_open(&out, o, e);
    ok = ok && profile_export(db, table, out.text, e);
    ok = output_close(&out, ok, e);
    profile_close(db);
    return ok;
}

const struct command command_export = {
    .name = "export",
    .args = "[runs|samples]",
    .help = "Print what `mdpredict profile` recorded, as CSV",
    .text =
        "runs: a row a kernel and run, every counter summed over the kernel's launches (default).\n"
        "samples: a row a kernel, what `mdpredict sample --json` prints. The rows are sorted, so\n"
        "that equal databases give equal files.",
    .options = OPT(DB) | OPT(OUTPUT),
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
