#include <stdlib.h>
#include <string.h>

#include "base/out_path.h"
#include "base/progress.h"
#include "base/stop.h"
#include "cli/commands.h"
#include "cli/program.h"
#include "cli/runner.h"

static bool on_progress(void *user, double fraction)
{
    progress_at(user, fraction, NULL);
    return !stop_asked();
}

/* Says once for each kernel that it cannot have the n that was asked for. */
static void note_clamps(const struct run_result *r, int wanted)
{
    for (int i = 0; i < r->launches; i++) {
        const struct launch_result *l = &r->launch[i];
        bool said = wanted <= l->n_max;
        for (int k = 0; k < i && !said; k++)
            said = r->launch[k].n_max == l->n_max && strcmp(r->launch[k].kernel, l->kernel) == 0;
        if (!said)
            fprintf(stderr, "mdpredict: %s: n = %d is clamped to %d, the occupancy limit (%s)\n",
                    l->kernel, wanted, l->n_max, occ_limit_name(l->limit));
    }
}

/* By a signal, or by --max-cycles; anything was measured until then. */
static bool was_stopped(const struct run_plan *p, const struct run_result *r)
{
    if (!r->launches || !r->total.warp_insts)
        return false;
    return stop_asked() ||
           (p->max_cycles && r->launch[r->launches - 1].stats.cycles >= p->max_cycles);
}

/* *measured: there is something to print, also of a run that failed. */
static bool simulate(struct options *o, struct run_plan *plan, struct output *out, bool *measured,
                     struct err *e)
{
    struct run_result r = {0};
    struct progress *p = progress_new("run");
    plan->user = p;
    const bool ok = runner_run(plan, &r, e);
    progress_free(p);
    if (!ok && stop_asked())
        err_set(e, "%s: stopped by %s", target_name(plan->target), stop_name());
    if (ok || was_stopped(plan, &r)) {
        if (!o->functional)
            note_clamps(&r, o->n);
        runner_notes(&r);
        output_object(out, NULL);
        if (!ok)
            output_str(out, "stopped", e->msg, "what follows was measured until then");
        runner_output(out, o->gpu, plan, &r);
        output_up(out);
        *measured = true;
    }
    run_result_release(&r);
    return ok;
}

static bool run_target(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                       struct err *e)
{
    struct output out;
    struct intervals iv = {0};
    bool measured = false;
    struct err first, late = {""};
    struct run_plan plan = {.target = t,
                            .cfg = cfg,
                            .n = o->n,
                            .functional = o->functional,
                            .max_cycles = o->max_cycles,
                            .kernel_output = stderr,
                            .progress = on_progress,
                            .per_core = o->per_core,
                            .partial = true,
                            .intervals = o->interval_out ? &iv : NULL};
    bool ok = output_open(&out, o, e);
    ok = ok && (!o->interval_out || intervals_open(&iv, o->interval_out, o->interval, e));
    stop_listen();
    ok = ok && simulate(o, &plan, &out, &measured, e);
    first = *e;
    const bool written =
        intervals_close(&iv, measured, &late) & output_close(&out, measured, &late);
    if (ok || !measured)
        *e = measured ? late : first;
    return ok && written;
}

static bool same_file(const char *a, const char *b)
{
    struct err none;
    struct out_path x, y;
    const bool found = out_path_find(&x, a, &none) & out_path_find(&y, b, &none);
    const bool same = found && x.fd < 0 && y.fd < 0 && strcmp(x.file, y.file) == 0;
    out_path_fini(&x);
    out_path_fini(&y);
    return same;
}

static bool check(struct options *o, struct err *e)
{
    o->bad_usage = true;
    if (o->given & OPT(INTERVAL) && !o->interval_out)
        return err_set(e, "--interval wants --interval-out FILE");
    if (o->interval_out && strcmp(o->interval_out, "-") == 0)
        return err_set(e, "--interval-out wants a file");
    if (o->interval_out && same_file(o->interval_out, o->output))
        return err_set(e, "--interval-out and -o are the same file");
    if (o->functional && (o->interval_out || o->per_core))
        return err_set(e, "--functional has no timing: no --interval-out, no --per-core");
    if (o->per_core && o->format != FORMAT_JSON)
        return err_set(e, "--per-core wants --json");
    o->bad_usage = false;
    return true;
}

static bool run(struct options *o, struct err *e)
{
    if (o->program)
        return program_command(o, PROGRAM_RUN, e);
    struct gpu_cfg cfg;
    struct target *t =
        check(o, e) && options_gpu(o, &cfg, e) ? target_open(o->arg[0], &o->input, e) : NULL;
    bool ok = t && (!o->functional || target_has_values(t, "run --functional", e)) &&
              run_target(o, &cfg, t, e);
    target_free(t);
    return ok;
}

const struct command command_run = {
    .id = COMMAND_run,
    .name = "run",
    .args = "TARGET",
    .help = "Simulate all of TARGET at one degree and verify its results",
    .text =
        "Prints every statistic, summed over launches; --json has each launch as well.\n"
        "A failed check of the results is an error (exit code 1); a trace has none. What\n"
        "kernels print goes to stderr. A run that --max-cycles or a signal ends prints what it\n"
        "measured until then, with the reason as `stopped`; the exit code is 1.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
