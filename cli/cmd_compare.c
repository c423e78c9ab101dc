#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/compare_all.h"
#include "cli/compare_schedulers.h"
#include "cli/degree_report.h"
#include "cli/forecast.h"
#include "cli/keys.h"
#include "cli/page.h"
#include "cli/program.h"
#include "cli/sample_report.h"
#include "cli/search.h"
#include "cli/target_names.h"
#include "fitter/eval/metrics.h"

struct comparison { /* of one target */
    struct target *target;
    const struct gpu_cfg *cfg; /* borrowed */
    struct forecast forecast;
    struct search search;
    int chosen, deflt, optimum; /* n */
    double ipc_chosen, ipc_default, ipc_optimum;
    double kept, gain; /* IPC(chosen) / IPC(optimum); IPC(chosen) / IPC(default) - 1 */
    double ipc_error;  /* mean |predicted / simulated - 1| over all n that are only predicted */
    uint64_t search_warp_insts, full_warp_insts; /* full: one simulation, at the default n */
    uint64_t answer_warp_insts;                  /* in detail, the memory's measure among them */
    double to_full, to_search;                   /* ... of those of one simulation, of all */
    struct price price;
};

static double over(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void judge(struct comparison *c)
{
    const struct search *s = &c->search;
    c->chosen = c->forecast.all.chosen_n;
    c->deflt = s->n_max;
    c->optimum = s->best + 1;
    c->ipc_chosen = search_ipc(s, c->chosen);
    c->ipc_default = search_ipc(s, c->deflt);
    c->ipc_optimum = search_ipc(s, c->optimum);
    struct measured m = {.n_max = s->n_max};
    struct evaluation j;
    for (int n = 1; n <= s->n_max; n++)
        m.ipc[n] = search_ipc(s, n);
    metrics_evaluate(&m, c->chosen, c->ipc_chosen, &c->forecast.all, &j);
    c->kept = j.kept;
    c->gain = j.gain;
    c->ipc_error = over(j.ipc_error, j.ipc_points);
    for (int i = 0; i < s->n_max; i++)
        c->search_warp_insts += s->all[i].total.warp_insts;
    c->full_warp_insts = s->all[s->n_max - 1].total.warp_insts;
    c->answer_warp_insts = (uint64_t)c->forecast.price.warp_insts;
    c->to_full = ratio(c->answer_warp_insts, c->full_warp_insts);
    c->to_search = ratio(c->answer_warp_insts, c->search_warp_insts);
}

/* What sampling was estimated to be worth has been measured now. */
static void take_price(struct comparison *c)
{
    const struct search *s = &c->search;
    c->price = c->forecast.price;
    c->price.simulation = s->all[s->n_max - 1].seconds;
    c->price.search = s->seconds;
    c->price.estimated = c->price.search_estimated = false;
}

static bool compare_one(struct options *o, const struct gpu_cfg *cfg, struct comparison *c,
                        struct err *e)
{
    const double start = price_clock();
    c->cfg = cfg;
    bool ok = forecast_run(o, c->target, cfg, &c->forecast, e);
    if (ok) {
        price_end(&c->forecast.price, start);
        ok = search_run(o, cfg, c->target, c->forecast.all.n_max, c->forecast.total_ctas,
                        &c->search, e);
    }
    if (ok) {
        judge(c);
        take_price(c);
    }
    return ok || err_prefix(e, "%s", target_name(c->target));
}

static void write_ipc(struct output *out, const char *name, const void *comparison)
{
    const struct search *s = &((const struct comparison *)comparison)->search;
    double *ipc = xcalloc((size_t)s->n_max + 1, sizeof *ipc);
    for (int n = 1; n <= s->n_max; n++)
        ipc[n] = search_ipc(s, n);
    output_reals(out, name, ipc, s->n_max);
    free(ipc);
}

static void write_bound(struct output *out, const char *name, const void *comparison)
{
    const struct prediction *p = &((const struct comparison *)comparison)->forecast.all;
    bounds_output(out, name, p, p->n_max);
}

static void output_prediction(struct output *out, const struct comparison *c)
{
    const struct prediction *p = &c->forecast.all;
    const struct model_kernels k = forecast_kernels(&c->forecast, -1);
    output_reals(out, prediction_rows[PREDICTED_IPC].name, p->ipc, p->n_max);
    sample_interval_output(out, &k, p);
    answer_output_undecided(out, p);
    output_rows(out, comparison_bound_rows, c);
}

static void output_degrees(struct output *out, const struct search *s)
{
    const struct run_stats **at = xcalloc((size_t)s->n_max, sizeof *at);
    for (int i = 0; i < s->n_max; i++)
        at[i] = &s->all[i].total;
    degrees_output(out, at, s->n_max);
    free(at);
}

static bool was_told(const struct launch_result *l, int i)
{
    for (int k = 0; k < i; k++)
        if (set_degree_is_same(l[k].kernel, &l[k].uses, l[i].kernel, &l[i].uses))
            return true;
    return false;
}

static const struct output_row kernel_rows[] = {
    {.name = "kernel", OUTPUT_FIELD(struct launch_result, kernel)},
    {.name = "n_max", OUTPUT_FIELD(struct launch_result, uses.n_max)},
    {.name = "limit", OUTPUT_AS(struct launch_result, uses.limit, degree_limit_text)},
    {.name = NULL}};

/* Each once, although it may have been launched often; JSON only. */
static void write_kernels(struct output *out, const char *name, const void *comparison)
{
    const struct comparison *c = comparison;
    const struct run_result *r = &c->search.all[0];
    output_array(out, name);
    for (int i = 0; i < r->launches && out->format == FORMAT_JSON; i++) {
        const struct launch_result *l = &r->launch[i];
        if (was_told(r->launch, i))
            continue;
        output_object(out, NULL);
        output_rows(out, kernel_rows, l);
        occupancy_output(out, &c->cfg->sm, &l->uses);
        paste_output(out, &c->cfg->sm, &l->uses, c->chosen, l->kernel);
        output_up(out);
    }
    output_up(out);
}

#define OF(field) OUTPUT_FIELD(struct comparison, field)
const struct output_row comparison_rows[] = {
    {.name = "chosen_n", OF(chosen)},
    {.name = "least_n", OF(search.least), .from = 2},
    {.name = "default_n", OF(deflt)},
    {"command", "optimum_n", "CTAs", "`compare`, `search` of a program: the best n", OF(optimum)},
    {"command", "ipc_chosen", "", "`compare`: simulated, at chosen_n", OF(ipc_chosen)},
    {"command", "ipc_default", "", "... at n_max", OF(ipc_default)},
    {"command", "ipc_optimum", "", "... at optimum_n", OF(ipc_optimum)},
    {"command", "kept", "ratio", "`compare`: IPC at chosen_n over that at optimum_n", OF(kept)},
    {.name = "gain", OF(gain)},
    {"command", "ipc_error", "ratio", "`compare`: mean error of the predicted IPC over every n",
     OF(ipc_error)},
    {.name = "ipc", .write = write_ipc},
    {.name = NULL}};
const struct output_row comparison_bound_rows[] =
    OUTPUT_ONE("other", "bound", "", "`compare`: as in `explain`", .write = write_bound);
const struct output_row comparison_work_rows[] = {
    {"command", "sample_warp_insts", "insts", "`compare`: what the answer simulated in detail",
     OF(answer_warp_insts)},
    {.name = "full_warp_insts", OF(full_warp_insts)},
    {"command", "search_warp_insts", "insts", "... what the search did", OF(search_warp_insts)},
    {.name = NULL}};
const struct output_row comparison_price_rows[] = {
    {"command", "sample_to_full", "ratio", "sample_warp_insts over those of one simulation",
     OF(to_full)},
    {"command", "sample_to_search", "ratio", "... of the search", OF(to_search)},
    {.name = NULL}};
const struct output_row comparison_kernel_rows[] =
    OUTPUT_ONE("other", "kernels", "",
               "`compare`: an object a kernel, its n_max, limit, occupancy, paste, carveout",
               .write = write_kernels);

static void output_comparison(struct output *out, const struct options *o,
                              const struct comparison *c)
{
    const struct query of = {target_name(c->target), o->gpu, c->forecast.model->name, o->effort};
    output_object(out, NULL);
    output_rows(out, query_rows, &of);
    output_rows(out, comparison_rows, c);
    output_prediction(out, c);
    output_rows(out, comparison_work_rows, c);
    price_output(out, &c->price);
    price_output_search(out, &c->price);
    output_rows(out, comparison_price_rows, c);
    output_degrees(out, &c->search);
    output_rows(out, comparison_kernel_rows, c);
    output_up(out);
}

static void heading(struct table *t, const char *const *head, size_t n)
{
    for (size_t i = 0; i < n; i++)
        table_cell(t, "%s", head[i]);
}

static void print_degrees(FILE *out, const struct comparison *c, int count)
{
    static const char *const head[] = {"target",     "chosen n", "default n", "optimum n",
                                       "IPC chosen", "default",  "optimum",   "kept",
                                       "gain",       "IPC error"};
    struct table *t = table_new("lrrrrrrrrr");
    heading(t, head, sizeof head / sizeof *head);
    for (int i = 0; i < count; i++, c++) {
        table_cell(t, "%s", target_name(c->target));
        table_cell(t, "%d", c->chosen);
        table_cell(t, "%d", c->deflt);
        table_cell(t, "%d", c->optimum);
        table_cell(t, "%.2f", c->ipc_chosen);
        table_cell(t, "%.2f", c->ipc_default);
        table_cell(t, "%.2f", c->ipc_optimum);
        table_cell(t, "%.1f %%", 100 * c->kept);
        table_cell(t, "%+.1f %%", 100 * c->gain);
        table_cell(t, "%.1f %%", 100 * c->ipc_error);
    }
    table_print(t, out);
    table_free(t);
}

/* In CPU time first; then by warp instructions simulated in detail. */
static void print_costs(FILE *out, const struct comparison *c, int count)
{
    static const char *const head[] = {
        "target",          "answer",   "one simulation", "search", "answer / simulation",
        "answer / search", "in detail"};
    struct table *t = table_new("lrrrrrr");
    heading(t, head, sizeof head / sizeof *head);
    for (int i = 0; i < count; i++, c++) {
        const struct price *p = &c->price;
        table_cell(t, "%s", target_name(c->target));
        table_cell(t, "%.3g s", p->answer);
        table_cell(t, "%.3g s", p->simulation);
        table_cell(t, "%.3g s", p->search);
        table_cell(t, "%.3g", over(p->answer, p->simulation));
        table_cell(t, "%.3g", over(p->answer, p->search));
        table_cell(t, "%.3g %%", 100 * c->to_full);
    }
    fputc('\n', out);
    wrap_line(out, "Price: CPU time, all of it; in detail: warp instructions, of one simulation's");
    table_print(t, out);
    table_free(t);
}

static void print_text(FILE *out, const struct comparison *all, int count)
{
    print_degrees(out, all, count);
    print_costs(out, all, count);
    for (int i = 0; i < count; i++) {
        const struct comparison *c = &all[i];
        char *title = xasprintf("\n%s: n = %d keeps %.1f %% of the optimum (n = %d), %+.1f %% over "
                                "the default (n = %d)",
                                target_name(c->target), c->chosen, 100 * c->kept, c->optimum,
                                100 * c->gain, c->deflt);
        search_chart(out, title, &c->search, c->forecast.all.ipc, c->chosen);
        free(title);
    }
}

static void describe(struct output *out, const struct options *o, const struct comparison *c,
                     int count)
{
    output_array(out, NULL);
    for (int i = 0; i < count; i++)
        output_comparison(out, o, &c[i]);
    output_up(out);
}

static bool compare_each(struct options *o, const struct gpu_cfg *cfg, struct comparison *c,
                         int count, struct err *e)
{
    struct output out;
    struct page page = {0};
    bool ok = output_open(&out, o, e) && page_open(&page, o, e);
    for (int i = 0; ok && i < count; i++)
        ok = compare_one(o, cfg, &c[i], e);
    if (ok && o->format == FORMAT_TEXT)
        print_text(out.text, c, count);
    else if (ok)
        describe(&out, o, c, count);
    if (ok && page_output(&page))
        describe(page_output(&page), o, c, count);
    ok = page_close(&page, ok, e);
    return output_close(&out, ok, e);
}

#define OF_ALL (OPT(PROFILE) | OPT(PLOTS) | OPT(LIMITS) | OPT(FIT_GPUS))

static bool check_usage(struct options *o, struct err *e)
{
    o->bad_usage = true;
    if (o->baseline || o->counters || o->runs)
        return err_set(
            e, "--baseline, --counters and --runs go with --warp-schedulers, --cta-schedulers");
    if (o->all &&
        (o->nargs || o->given & ~(OPT(ALL) | OF_ALL | OPT(MODELS) | OPT(JOBS) | OPTS_OUTPUT)))
        return err_set(
            e, "--all goes with --db, --plots, --explain, --fit-gpus, --model, -j and the output's "
               "options; everything else is as the profile has it");
    if (o->explain && o->format != FORMAT_TEXT)
        return err_set(e, "--explain prints a table, and goes with neither --json nor --csv");
    if (!o->all && o->given & OF_ALL)
        return err_set(e, "--db, --plots, --explain and --fit-gpus go with --all");
    o->bad_usage = false;
    return true;
}

static bool compare_targets(struct options *o, const struct target_names *names, struct err *e)
{
    struct gpu_cfg cfg;
    bool ok = options_gpu(o, &cfg, e);
    struct comparison *c = xcalloc((size_t)names->n, sizeof *c);
    for (int i = 0; ok && i < names->n; i++) /* every name is checked before any long work */
        ok = (c[i].target = target_open(names->name[i], &o->input, e)) != NULL;
    ok = ok && compare_each(o, &cfg, c, names->n, e);
    for (int i = 0; i < names->n; i++) {
        forecast_release(&c[i].forecast);
        search_release(&c[i].search);
        target_free(c[i].target);
    }
    free(c);
    return ok;
}

static bool run(struct options *o, struct err *e)
{
    if (!page_check(o, e))
        return false;
    if (o->given & OPTS_SCHEDULERS)
        return compare_schedulers(o, e);
    if (!check_usage(o, e))
        return false;
    if (o->program)
        return program_command(o, PROGRAM_COMPARE, e);
    if (o->all)
        return compare_all(o, e);
    struct target_names names;
    bool ok = target_names(o, &names, e);
    o->bad_usage = !ok;
    ok = ok && compare_targets(o, &names, e);
    target_names_free(&names);
    return ok;
}

const struct command command_compare = {
    .id = COMMAND_compare,
    .name = "compare",
    .args = "TARGET...|--suite NAME|--all",
    .help = "Put the chosen degree to the test against all others; or schedulers to each other",
    .text =
        "Default: as many CTAs as fit. Optimum: the best of all degrees, each simulated; with\n"
        "--perturbed K, by the mean of K + 1 runs, without what chance makes of one.\n"
        "kept = IPC(chosen) / IPC(optimum); IPC error: mean |predicted / simulated - 1| over "
        "all n.\n"
        "--all simulates nothing: all comes from a profile. Each model's coefficients are\n"
        "fitted anew for each application, to all the others on the same GPU, or as --fit-gpus\n"
        "says; a single bundled TARGET has coefficients that were fitted to it, too.\n"
        "--warp-schedulers gto,lrr --cta-schedulers static,n=1,optimum compares schedulers: IPC\n"
        "of every target under each combination over that under the baseline, with geometric and\n"
        "arithmetic means. NAME:PARAMETER=VALUE sets a parameter for that entry alone. n=K and\n"
        "optimum are static with at most K CTAs a core, and with the best of all degrees. With\n"
        "--runs FILE runs are recorded, and not run again. A program is run once for each of them.",
    .min_args = 0,
    .max_args = INT_MAX,
    .run = run,
};
