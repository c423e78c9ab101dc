#include <inttypes.h>
#include <string.h>

#include "base/progress.h"
#include "base/wrap.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/program.h"
#include "sim/gpu/gpu.h"
#include "sim/sm/trace_write.h"

struct recording {
    const struct gpu_cfg *cfg;
    uint64_t max_cycles;
    struct trace_writer *to;
    struct progress *progress;
};

static bool on_progress(void *user, uint64_t done, uint64_t all)
{
    const struct recording *r = user;
    progress_at(r->progress, all ? (double)done / (double)all : 1, NULL);
    return true;
}

static bool on_launch(void *self, struct launch *l, struct err *e)
{
    struct recording *r = self;
    l->printf_file = stderr;
    if (!launch_init(l, e))
        return false;
    const struct trace_record_opts o = {.resident = gpu_resident_ctas(r->cfg, l),
                                        .max_warp_insts =
                                            gpu_cfg_issue_bound(r->cfg, r->max_cycles),
                                        .progress = on_progress,
                                        .progress_user = r};
    return trace_writer_launch(r->to, l, &o, NULL, e);
}

static bool record(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                   struct err *e)
{
    struct trace_totals totals = {0};
    struct recording r = {.cfg = cfg, .max_cycles = o->max_cycles};
    const struct executor x = {.launch = on_launch, .self = &r};
    r.to = trace_writer_new(o->output, e);
    if (!r.to)
        return false;
    r.progress = progress_new("trace");
    bool ok = target_run(t, &x, true, e);
    progress_free(r.progress);
    trace_writer_totals(r.to, &totals);
    if (ok && !totals.launches)
        ok = err_set(e, "%s launches no kernel", target_name(t));
    ok = trace_writer_close(r.to, ok, e);
    if (ok)
        wrap_line(output_beside(o->output),
                  "%s: %" PRIu64 " launch%s, %" PRIu64 " CTAs, %" PRIu64 " warp instructions",
                  o->output, totals.launches, totals.launches == 1 ? "" : "es", totals.ctas,
                  totals.warp_insts);
    return ok;
}

static bool run(struct options *o, struct err *e)
{
    struct gpu_cfg cfg;
    o->bad_usage = true;
    if (!(o->given & OPT(OUTPUT)) || strcmp(o->output, "-") == 0)
        return err_set(e, "trace wants -o FILE");
    o->bad_usage = false;
    if (!options_gpu(o, &cfg, e))
        return false;
    if (o->program)
        return program_trace(o, &cfg, e);
    struct target *t = target_open(o->arg[0], &o->input, e);
    const bool ok = t && target_has_values(t, "trace", e) && record(o, &cfg, t, e);
    target_free(t);
    return ok;
}

const struct command command_trace = {
    .id = COMMAND_trace,
    .name = "trace",
    .args = "-o FILE TARGET",
    .help = "Record what TARGET's warps execute: FILE is a TARGET",
    .text =
        "TARGET is executed without timing and its results are verified; recorded are\n"
        "instructions, active lanes and addresses, for every GPU. A run of the trace has the\n"
        "cycles and counters of a run of TARGET, unless its threads race with each other, or\n"
        "read clocks or the number of their core. -g and --max-cycles only limit how many\n"
        "CTAs take turns, and how long. Of a program every launch is executed and recorded, or\n"
        "those that --kernel and --launch choose.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
