#include "cli/scheduler_table.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "cli/keys.h"
#include "cli/runner.h"

struct scheduler_means scheduler_means(const double *v, int count)
{
    double *logs = xcalloc((size_t)count, sizeof *logs);
    for (int i = 0; i < count; i++)
        logs[i] = log(v[i]);
    const struct scheduler_means m = {exp(gsl_stats_mean(logs, 1, (size_t)count)),
                                      gsl_stats_mean(v, 1, (size_t)count)};
    free(logs);
    return m;
}

static double ipc_of(const struct scheduler_runs *r, int target, int combination)
{
    return stats_rate(&scheduler_run(r, target, combination)->stats, RATE_ipc);
}

/* IPC over the baseline's, for as many instructions: who waits for others executes more the longer
 * it waits. */
double scheduler_normalised(const struct scheduler_runs *r, int target, int combination)
{
    return (double)scheduler_run(r, target, r->by->baseline)->stats.cycles /
           (double)scheduler_run(r, target, combination)->stats.cycles;
}

struct scheduler_means scheduler_mean_of(const struct scheduler_runs *r, int combination)
{
    double *v = xcalloc((size_t)r->targets, sizeof *v);
    for (int i = 0; i < r->targets; i++)
        v[i] = scheduler_normalised(r, i, combination);
    const struct scheduler_means m = scheduler_means(v, r->targets);
    free(v);
    return m;
}

/* A line of the table: its name, the baseline's own IPC, then a value a combination. */
static void mean_line(struct table *t, const struct scheduler_runs *r, const char *name,
                      bool geometric)
{
    table_cell(t, "%s", name);
    table_cell(t, "%s", "");
    for (int c = 0; c < r->by->count; c++) {
        const struct scheduler_means m = scheduler_mean_of(r, c);
        table_cell(t, "%.3f", geometric ? m.geometric : m.arithmetic);
    }
}

static void target_line(struct table *t, const struct scheduler_runs *r, int target)
{
    table_cell(t, "%s", r->name[target]);
    table_cell(t, "%.2f", ipc_of(r, target, r->by->baseline));
    for (int c = 0; c < r->by->count; c++) {
        const struct scheduler_choice *cta = r->by->one[c].cta;
        const double v = scheduler_normalised(r, target, c);
        if (cta && cta->optimum)
            table_cell(t, "%.3f (%d)", v, scheduler_run(r, target, c)->n);
        else
            table_cell(t, "%.3f", v);
    }
}

static bool has_optimum(const struct combinations *by)
{
    for (int i = 0; i < by->count; i++)
        if (by->one[i].cta && by->one[i].cta->optimum)
            return true;
    return false;
}

static void print_table(FILE *out, const struct scheduler_runs *r)
{
    const char *base = r->by->one[r->by->baseline].name;
    char *align = xcalloc((size_t)r->by->count + 3, 1);
    memset(align, 'r', (size_t)r->by->count + 2);
    align[0] = 'l';
    struct table *t = table_new(align);
    table_cell(t, "target");
    table_cell(t, "IPC of %s", base);
    for (int c = 0; c < r->by->count; c++)
        table_cell(t, "%s", r->by->one[c].name);
    for (int i = 0; i < r->targets; i++)
        target_line(t, r, i);
    mean_line(t, r, "geometric mean", true);
    mean_line(t, r, "arithmetic mean", false);
    wrap_line(out, "IPC over that of %s%s", base,
              has_optimum(r->by) ? "; in brackets: CTAs a core at the optimum" : "");
    table_print(t, out);
    table_free(t);
    free(align);
}

/* What a row of the output is of: a run, or a mean. */
struct table_row {
    const char *target; /* NULL: the means in JSON, which are of all */
    const char *gpu, *combination, *warp, *cta;
    double normalised;
    const struct stored_run *run; /* NULL: a mean */
};

#define ROW(field) OUTPUT_FIELD(struct table_row, field)
const struct output_row combination_rows[] = {
    {.name = "target", ROW(target), .from = 1},
    {.name = "gpu", ROW(gpu)},
    {"command", "combination", "", "... of a warp and a CTA scheduler", ROW(combination)},
    {"command", "warp_scheduler", "", "... its one part", ROW(warp)},
    {"command", "cta_scheduler", "", "... its other", ROW(cta)},
    {.name = NULL}};
const struct output_row normalised_rows[] = {
    {"command", "normalised", "ratio", "... IPC over the baseline's, for as many instructions",
     ROW(normalised)},
    {.name = "n", OUTPUT_VIA(struct table_row, run, n)},
    {.name = "n_max", OUTPUT_VIA(struct table_row, run, n_max)},
    {.name = NULL}};
static const struct output_row short_rows[] = {
    {.name = "cycles", OUTPUT_FIELD(struct run_stats, cycles)},
    {.name = "thread_insts", OUTPUT_FIELD(struct run_stats, thread_insts)},
    {.name = NULL}};
const struct output_row mean_rows[] = {
    {"command", "geometric_mean", "ratio", "... over the targets",
     OUTPUT_FIELD(struct scheduler_means, geometric)},
    {"command", "arithmetic_mean", "ratio", "", OUTPUT_FIELD(struct scheduler_means, arithmetic)},
    {.name = NULL}};
enum { BASELINE, RUNS, MEANS };
const struct output_row scheduler_rows[] = {
    [BASELINE] = {"command", "baseline", "", "`compare --warp-schedulers`: what IPC is divided by",
                  OUTPUT_FIELD(struct combination, name)},
    [RUNS] = {"command", "runs", "", "... an object a target and combination",
              .type = OUTPUT_COMPUTED},
    [MEANS] = {"command", "means", "", "... an object a combination", .type = OUTPUT_COMPUTED},
    {.name = NULL}};

static struct table_row table_row_of(const struct options *o, const struct scheduler_runs *r,
                                     int combination)
{
    const struct combination *c = &r->by->one[combination];
    return (struct table_row){.gpu = o->gpu,
                              .combination = c->name,
                              .warp = combination_warp(c),
                              .cta = combination_cta(c)};
}

static void output_run(struct output *out, const struct options *o, const struct scheduler_runs *r,
                       int target, int combination)
{
    const struct stored_run *run = scheduler_run(r, target, combination);
    struct table_row of = table_row_of(o, r, combination);
    of.target = r->name[target];
    of.normalised = scheduler_normalised(r, target, combination);
    of.run = run;
    output_object(out, NULL);
    output_rows(out, combination_rows, &of);
    output_rows(out, normalised_rows, &of);
    if (o->counters)
        runner_output_stats(out, &run->stats);
    else {
        output_rows(out, short_rows, &run->stats);
        output_real(out, run_rate_rows[RATE_ipc].name, ipc_of(r, target, combination), NULL);
    }
    output_up(out);
}

/* A row that ends after `normalised`. */
static void output_mean(struct output *out, struct table_row of, const char *name, double mean)
{
    of.target = name;
    of.normalised = mean;
    output_object(out, NULL);
    output_rows(out, combination_rows, &of);
    output_rows(out, normalised_rows, &of);
    output_up(out);
}

static void output_runs(struct output *out, const struct options *o, const struct scheduler_runs *r)
{
    for (int i = 0; i < r->targets; i++)
        for (int c = 0; c < r->by->count; c++)
            output_run(out, o, r, i, c);
}

static void output_csv(struct output *out, const struct options *o, const struct scheduler_runs *r)
{
    output_array(out, NULL);
    output_runs(out, o, r);
    for (int c = 0; c < r->by->count; c++) {
        const struct scheduler_means m = scheduler_mean_of(r, c);
        output_mean(out, table_row_of(o, r, c), "geometric mean", m.geometric);
        output_mean(out, table_row_of(o, r, c), "arithmetic mean", m.arithmetic);
    }
    output_up(out);
}

static void output_json(struct output *out, const struct options *o, const struct scheduler_runs *r)
{
    output_object(out, NULL);
    output_row(out, &scheduler_rows[BASELINE], &r->by->one[r->by->baseline]);
    output_array(out, scheduler_rows[RUNS].name);
    output_runs(out, o, r);
    output_up(out);
    output_array(out, scheduler_rows[MEANS].name);
    for (int c = 0; c < r->by->count; c++) {
        const struct scheduler_means m = scheduler_mean_of(r, c);
        const struct table_row of = table_row_of(o, r, c);
        output_object(out, NULL);
        output_rows(out, combination_rows, &of);
        output_rows(out, mean_rows, &m);
        output_up(out);
    }
    output_up(out);
    output_up(out);
}

void scheduler_table(struct output *out, const struct options *o, const struct scheduler_runs *r)
{
    if (out->format == FORMAT_TEXT)
        print_table(out->text, r);
    else if (out->format == FORMAT_CSV)
        output_csv(out, o, r);
    else
        output_json(out, o, r);
}
