#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/out_path.h"
#include "base/progress.h"
#include "base/stop.h"
#include "cli/commands.h"
#include "cli/output_rows.h"
#include "cli/page.h"
#include "cli/program.h"
#include "cli/race_report.h"
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
        bool said = wanted <= l->uses.n_max;
        for (int k = 0; k < i && !said; k++)
            said = r->launch[k].uses.n_max == l->uses.n_max &&
                   strcmp(r->launch[k].kernel, l->kernel) == 0;
        if (!said)
            fprintf(stderr, "mdpredict: %s: n = %d is clamped to %d, the occupancy limit (%s)\n",
                    l->kernel, wanted, l->uses.n_max, occ_limit_name(l->uses.limit));
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

/* What there is to say of a run, and to whom. */
struct report {
    const struct options *o;
    struct run_plan plan;
    struct run_result result;
    struct intervals iv;
    struct hot_spots hot;
    struct output out;
    struct page page;
    bool measured; /* there is something to print, also of a run that failed */
};

/* The object is a text. */
static const struct output_row stopped_rows[] =
    OUTPUT_ONE(.name = "stopped", .help = "what follows was measured until then",
               .type = OUTPUT_TEXT, .from = 1);

/* stopped: why it ended before its end; NULL: it did not. */
static void describe(struct output *out, const struct report *r, const char *stopped)
{
    output_object(out, NULL);
    output_rows(out, stopped_rows, &stopped);
    runner_output(out, r->o->gpu, &r->plan, &r->result);
    intervals_output(out, &r->iv);
    if (r->plan.hot)
        hot_spots_output(out, &r->hot);
    if (r->plan.races)
        races_output(out, races_all(r->plan.races), races_count(r->plan.races));
    output_up(out);
}

/* Behind the statistics. A file that can't be listed costs no result. */
static bool print_rest(struct report *r, struct err *e)
{
    const struct options *o = r->o;
    const struct races *races = r->plan.races;
    if (!r->measured || r->out.format != FORMAT_TEXT)
        return true;
    if (o->hot)
        hot_spots_print(r->out.text, &r->hot, o->hot_lines);
    if (races)
        races_print(r->out.text, races_all(races), races_count(races));
    if (o->listing)
        fputc('\n', r->out.text);
    return !o->listing || hot_spots_listing(r->out.text, &r->hot, o->listing, e);
}

static bool simulate(struct report *rep, struct err *e)
{
    const struct options *o = rep->o;
    struct run_plan *plan = &rep->plan;
    struct run_result *r = &rep->result;
    struct progress *p = progress_new("run");
    plan->user = p;
    const bool ok = runner_run(plan, r, e);
    progress_free(p);
    if (!ok && stop_asked())
        err_set(e, "%s: stopped by %s", target_name(plan->target), stop_name());
    if (ok || was_stopped(plan, r)) {
        if (!o->functional)
            note_clamps(r, o->n);
        runner_notes(r);
        describe(&rep->out, rep, ok ? NULL : e->msg);
        if (page_output(&rep->page))
            describe(page_output(&rep->page), rep, ok ? NULL : e->msg);
        rep->measured = true;
    }
    run_result_release(r);
    const struct races *races = plan->races;
    if (!print_rest(rep, e) || !ok)
        return false;
    return !races || races_none(target_name(plan->target), races_count(races), e);
}

static bool wants_intervals(const struct options *o)
{
    return o->interval_out || o->given & OPT(INTERVAL);
}

static bool open_outputs(struct report *r, struct err *e)
{
    const struct options *o = r->o;
    const bool keep = wants_intervals(o) && (o->html || o->format == FORMAT_JSON);
    return output_open(&r->out, o, e) && page_open(&r->page, o, e) &&
           intervals_open(&r->iv, o->interval_out, o->interval, keep, e);
}

/* What is printed comes last, and not at all where something before it failed. */
static bool close_outputs(struct report *r, struct err *e)
{
    bool ok = intervals_close(&r->iv, r->measured, e);
    ok = page_close(&r->page, ok, e);
    return output_close(&r->out, ok, e);
}

/* Better known before a long run than after it. */
static bool can_list(const char *path, struct err *e)
{
    return !path || access(path, R_OK) == 0 || err_set(e, "%s: %s", path, strerror(errno));
}

static bool run_target(struct options *o, const struct gpu_cfg *cfg, const struct target *t,
                       struct err *e)
{
    struct err first, late = {""};
    struct report r = {.o = o,
                       .plan = {.target = t,
                                .cfg = cfg,
                                .n = o->n,
                                .functional = o->functional,
                                .max_cycles = o->max_cycles,
                                .kernel_output = stderr,
                                .progress = on_progress,
                                .per_core = o->per_core,
                                .partial = true}};
    if (wants_intervals(o))
        r.plan.intervals = &r.iv;
    if (o->hot || o->listing)
        r.plan.hot = &r.hot;
    if (o->race)
        r.plan.races = races_new();
    bool ok = can_list(o->listing, e) && open_outputs(&r, e);
    stop_listen();
    ok = ok && simulate(&r, e);
    first = *e;
    const bool measured = r.measured, written = close_outputs(&r, &late);
    hot_spots_release(&r.hot);
    races_free(r.plan.races);
    if (ok || !measured)
        *e = measured ? late : first;
    return ok && written;
}

static bool check_hot(const struct options *o, struct err *e)
{
    if (o->functional && (o->hot || o->listing))
        return err_set(e, "--functional has no timing: no --hot, no --source");
    if (o->listing && o->format != FORMAT_TEXT)
        return err_set(e, "--source lists a file as text; --hot has the same as JSON");
    if (o->given & OPT(HOT_LINES) && !o->hot)
        return err_set(e, "--hot-lines wants --hot");
    if ((o->hot || o->race) && o->format == FORMAT_CSV)
        return err_set(e, "--%s has no CSV: --json has it", o->hot ? "hot" : "race");
    return true;
}

static bool check(struct options *o, struct err *e)
{
    o->bad_usage = true;
    if (o->given & OPT(INTERVAL) && !o->interval_out && !o->html && o->format != FORMAT_JSON)
        return err_set(e, "--interval wants --interval-out FILE, --html FILE or --json");
    if (o->interval_out && strcmp(o->interval_out, "-") == 0)
        return err_set(e, "--interval-out wants a file");
    if (o->interval_out && out_path_same(o->interval_out, o->output))
        return err_set(e, "--interval-out and -o are the same file");
    if (o->functional && (wants_intervals(o) || o->per_core))
        return err_set(e, "--functional has no timing: no intervals, no --per-core");
    if (!check_hot(o, e))
        return false;
    if (o->per_core && o->format != FORMAT_JSON && !o->html)
        return err_set(e, "--per-core wants --json or --html");
    return page_check(o, e);
}

static bool run(struct options *o, struct err *e)
{
    if (o->program) {
        o->bad_usage = true;
        return check_hot(o, e) && page_check(o, e) && can_list(o->listing, e) &&
               program_command(o, PROGRAM_RUN, e);
    }
    struct gpu_cfg cfg;
    struct target *t =
        check(o, e) && options_gpu(o, &cfg, e) ? target_open(o->arg[0], &o->input, e) : NULL;
    bool ok = t && (!o->functional || target_has_values(t, "run --functional", e)) &&
              (!o->race || target_has_values(t, "run --race", e)) && run_target(o, &cfg, t, e);
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
        "measured until then, with the reason as `stopped`; the exit code is 1. So it is where\n"
        "--race finds a race.",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
