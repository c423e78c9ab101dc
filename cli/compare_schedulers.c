#include "cli/compare_schedulers.h"

#include <stdlib.h>

#include "cli/page.h"
#include "cli/program.h"
#include "cli/scheduler_table.h"
#include "cli/target_names.h"

/* Options of an answer that is not asked for. */
#define OF_ANSWER                                                                              \
    (OPT(EFFORT) | OPT(BUDGET) | OPT(MODELS) | OPT(COEFFICIENTS) | OPT(CTA) | OPT(PERTURBED) | \
     OPT(LIMITS))

static bool check(struct options *o, struct err *e)
{
    o->bad_usage = true;
    if (o->given & OF_ANSWER)
        return err_set(e, "--warp-schedulers and --cta-schedulers compare schedulers, not degrees: "
                          "no --effort, --budget, --model, --coefficients, --cta, --perturbed, "
                          "--explain");
    if ((o->warp_scheduler && o->warp_schedulers) || (o->cta_scheduler && o->cta_schedulers))
        return err_set(e, "name a scheduler or a list of them, not both");
    if (o->program && (o->runs || o->counters))
        return err_set(e, "--runs and --counters are for targets, not for programs");
    o->bad_usage = false;
    return true;
}

static bool name_targets(struct options *o, struct target_names *names, struct err *e)
{
    const bool ok = target_names(o, names, e);
    o->bad_usage = !ok;
    return ok;
}

static bool open_targets(const struct options *o, const struct target_names *names,
                         struct target **target, struct err *e)
{
    struct target_input in;
    for (int i = 0; i < names->n; i++) {
        target[i] = target_open(names->name[i], &o->input, e);
        if (!target[i])
            return false;
        if (o->runs && !target_input_of(target[i], &in))
            return err_set(e, "%s: runs of bundled workloads alone are recorded; leave out --runs",
                           names->name[i]);
    }
    return true;
}

/* Where the table goes. */
struct places {
    struct output out;
    struct page page;
};

static void deliver(struct places *to, const struct options *o, const struct scheduler_runs *r)
{
    scheduler_table(&to->out, o, r);
    if (page_output(&to->page))
        scheduler_table(page_output(&to->page), o, r);
}

static bool run_targets(const struct options *o, const struct combinations *by,
                        const struct target_names *names, struct places *to, struct err *e)
{
    struct target **target = xcalloc((size_t)names->n, sizeof(struct target *));
    bool ok = open_targets(o, names, target, e);
    const char **name = xcalloc((size_t)names->n, sizeof *name);
    for (int i = 0; ok && i < names->n; i++)
        name[i] = target_name(target[i]);
    struct scheduler_runs r = {.by = by, .name = name, .targets = names->n, .path = o->runs};
    if (ok && (ok = scheduler_runs_make(o, target, &r, e)))
        deliver(to, o, &r);
    scheduler_runs_free(&r);
    for (int i = 0; i < names->n; i++)
        target_free(target[i]);
    free(name);
    free(target);
    return ok;
}

/* Combinations with one warp scheduler are neighbours: the first tells what it says of kernels. */
static bool is_first_of_warp(const struct combinations *by, int i)
{
    return i == 0 || by->one[i].warp != by->one[i - 1].warp;
}

static bool run_program(struct options *o, const struct combinations *by, struct places *to,
                        struct err *e)
{
    char *command = program_joined(o->arg);
    const char *name = command;
    struct scheduler_runs r = {.by = by, .name = &name, .targets = 1};
    r.one = xcalloc((size_t)by->count, sizeof *r.one);
    bool ok = true;
    for (int i = 0; ok && i < by->count; i++)
        ok = program_schedule(o, &by->one[i], is_first_of_warp(by, i), &r.one[i], e) ||
             err_prefix(e, "%s", by->one[i].name);
    if (ok)
        deliver(to, o, &r);
    scheduler_runs_free(&r);
    free(command);
    return ok;
}

/* One scheduler alone has been checked; these are those of the lists. */
static bool check_parts(const struct options *o, const struct combinations *by, struct err *e)
{
    bool ok = true;
    for (int k = 0; ok && k < by->count; k++)
        ok = options_check_parts(o, &by->one[k].cfg, e);
    return ok;
}

bool compare_schedulers(struct options *o, struct err *e)
{
    struct gpu_cfg cfg;
    struct combinations by = {0};
    struct target_names names = {0};
    struct places to = {0};
    bool ok = check(o, e) && (o->program ? program_options(o, e) : name_targets(o, &names, e)) &&
              options_gpu(o, &cfg, e);
    if (ok) {
        ok = combinations_make(&by, o->warp_schedulers, o->cta_schedulers, o->baseline, &cfg, e) &&
             check_parts(o, &by, e);
        o->bad_usage = !ok;
    }
    if (ok) {
        ok = output_open(&to.out, o, e) && page_open(&to.page, o, e) &&
             (o->program ? run_program(o, &by, &to, e) : run_targets(o, &by, &names, &to, e));
        ok = page_close(&to.page, ok, e);
        ok = output_close(&to.out, ok, e);
    }
    combinations_free(&by);
    target_names_free(&names);
    return ok;
}
