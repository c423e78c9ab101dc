#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "cli/commands.h"
#include "cli/program.h"
#include "cli/runner.h"

static bool on_progress(void *user, double fraction)
{
    progress_at(user, fraction, NULL);
    return true;
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

static bool simulate(struct options *o, struct run_plan *plan, struct output *out, struct err *e)
{
    struct run_result r = {0};
    struct progress *p = progress_new("run");
    plan->user = p;
    const bool ok = runner_run(plan, &r, e);
    progress_free(p);
    if (ok) {
        if (!o->functional)
            note_clamps(&r, o->n);
        output_object(out, NULL);
        runner_output(out, o->gpu, plan, &r);
        output_up(out);
    }
    run_result_release(&r);
    return ok;
}

static bool run_target(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                       struct err *e)
{
    struct output out;
    struct intervals iv = {0};
    struct run_plan plan = {.target = t,
                            .cfg = cfg,
                            .n = o->n,
                            .functional = o->functional,
                            .max_cycles = o->max_cycles,
                            .kernel_output = stderr,
                            .progress = on_progress,
                            .per_core = o->per_core,
                            .intervals = o->interval_out ? &iv : NULL};
    bool ok = output_open(&out, o, e);
    ok = ok && (!o->interval_out || intervals_open(&iv, o->interval_out, o->interval, e));
    ok = ok && simulate(o, &plan, &out, e);
    ok = intervals_close(&iv, ok, e);
    return output_close(&out, ok, e);
}

static bool check(struct options *o, struct err *e)
{
    o->bad_usage = true;
    if (o->given & OPT(INTERVAL) && !o->interval_out)
        return err_set(e, "--interval wants --interval-out FILE");
    if (o->interval_out && strcmp(o->interval_out, "-") == 0)
        return err_set(e, "--interval-out wants a file");
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
    bool ok = t && run_target(o, &cfg, t, e);
    target_free(t);
    return ok;
}

const struct command command_run = {
    .id = COMMAND_run,
    .name = "run",
    .args = "TARGET",
    .help = "Simulate all of TARGET at one degree and verify its results",
    .text = "Prints every statistic, summed over launches; --json has each launch as well.\n"
            "A failed check of the results is an error (exit code 1). What kernels print goes to\n"
            "stderr.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
