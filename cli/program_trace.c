/* program_trace.c -- `mdpredict trace -- PROGRAM`: the program's process records what its kernels
 * do, this one gives the file its name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/out_path.h"
#include "base/wrap.h"
#include "cli/output.h"
#include "cli/program.h"
#include "program/host.h"

static bool make_plan(struct program_plan *p, const struct options *o, const struct gpu_cfg *cfg,
                      const struct out_path *to, struct err *e)
{
    char *path = out_path_temporary(to); /* absolute: the program may go to another folder */
    *p = (struct program_plan){.magic = PROGRAM_MAGIC,
                               .bytes = sizeof *p,
                               .cfg = *cfg,
                               .functional = true,
                               .lenient = o->lenient,
                               .devices = o->devices,
                               .memory = o->memory,
                               .max_cycles = o->max_cycles,
                               .only_launch = o->launch};
    snprintf(p->kernel, sizeof p->kernel, "%s", o->kernel ? o->kernel : "");
    if (!sampling_load(&p->rules, e))
        return false;
    const bool ok = snprintf(p->trace, sizeof p->trace, "%s", path) < (int)sizeof p->trace ||
                    err_set(e, "%s: %s", path, strerror(ENAMETOOLONG));
    free(path);
    return ok;
}

/* What processes left that did not come to their end: trace_writer_new() named it. */
static void remove_rests(const struct program_plan *p, const struct outcome *f)
{
    for (int i = 0; i < f->kernels; i++) {
        char *rest = xasprintf("%s.tmp%d", p->trace, f->kernel[i].process);
        unlink(rest);
        free(rest);
    }
    unlink(p->trace);
}

static bool check_trace(const struct outcome *f, const char *name, struct err *e)
{
    if (f->traces > 1)
        return err_set(e, "%s: %d of its processes launch kernels; a trace holds those of one",
                       name, f->traces);
    if (!f->traces && f->ends)
        return err_set(e, "%s launches nothing that is to be recorded", name);
    if (!f->traces)
        return err_set(e,
                       "%s ended without leaving main() or calling exit(), so that its trace "
                       "is not whole",
                       name);
    return !*f->trace.why || err_set(e, "%s", f->trace.why);
}

static bool deliver(const struct options *o, const struct program_plan *p,
                    const struct out_path *to, const struct outcome *f, struct err *e)
{
    if (!out_path_deliver(to, p->trace, e))
        return false;
    fflush(stdout);
    wrap_line(output_beside(o->output), "%s: %llu launch%s, %llu CTAs, %llu warp instructions",
              o->output, (unsigned long long)f->trace.launches, f->trace.launches == 1 ? "" : "es",
              (unsigned long long)f->trace.ctas, (unsigned long long)f->trace.warp_insts);
    return f->faults == 0 ||
           err_set(e, "%s: not all of its launches are in the trace: %s", o->arg[0], f->fault);
}

static bool record(struct options *o, const struct gpu_cfg *cfg, const struct out_path *to,
                   struct err *e)
{
    struct program_plan plan;
    struct program_end end = {0};
    struct outcome found = {0};
    if (!make_plan(&plan, o, cfg, to, e))
        return false;
    bool ok = program_run(o->arg, &plan, false, &end, e) &&
              outcome_read(end.records, end.bytes, &found, e) &&
              program_check_end(&end, o->arg[0], e) &&
              program_check_found(&found, &end, o->arg[0], e) &&
              check_trace(&found, o->arg[0], e) && deliver(o, &plan, to, &found, e);
    if (ok && end.code != 0)
        ok = err_set(e, "%s ended with exit code %d", o->arg[0], end.code);
    remove_rests(&plan, &found);
    outcome_release(&found);
    program_end_release(&end);
    return ok;
}

bool program_trace(struct options *o, const struct gpu_cfg *cfg, struct err *e)
{
    struct out_path to;
    const bool ok = out_path_find(&to, o->output, e) && record(o, cfg, &to, e);
    out_path_fini(&to);
    return ok;
}
