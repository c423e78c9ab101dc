#include "cli/perturbed_report.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"

#define RUNS_SHOWN 7 /* beside the means, on a screen */

void perturbed_deviations(struct perturbed_runs *p)
{
    const size_t stride = sizeof *p->ipc / sizeof **p->ipc;
    for (int n = 1; n <= p->n_max; n++)
        p->deviation[n] =
            p->runs > 1 ? gsl_stats_sd(&p->ipc[0][n], stride, (size_t)p->runs) : (double)NAN;
}

static void head(struct table *t, const struct perturbed_runs *p, int runs)
{
    table_cell(t, "n");
    for (int i = 0; i < runs; i++)
        table_cell(t, i ? "%+d" : "%d", p->by[i]);
    table_cell(t, "mean");
    table_cell(t, "deviation");
    table_cell(t, "kept");
}

static void degree(struct table *t, const struct perturbed_runs *p, int runs, int n, double best)
{
    table_cell(t, "%d", n);
    for (int i = 0; i < runs; i++)
        table_cell(t, "%.2f", p->ipc[i][n]);
    table_cell(t, "%.2f", p->mean[n]);
    table_cell(t, "%.1f %%", 100 * p->deviation[n] / p->mean[n]);
    table_cell(t, "%.1f %%", 100 * p->mean[n] / best);
}

void perturbed_print(FILE *out, const struct perturbed_runs *p, bool all)
{
    const int runs = all || p->runs <= RUNS_SHOWN ? p->runs : RUNS_SHOWN;
    char align[GPU_CFG_PERTURBATIONS + 6] = "";
    double best = 0;
    memset(align, 'r', (size_t)runs + 4);
    struct table *t = table_new(align);
    head(t, p, runs);
    for (int n = 1; n <= p->n_max; n++)
        best = fmax(best, p->mean[n]);
    for (int n = 1; n <= p->n_max; n++)
        degree(t, p, runs, n, best);
    wrap_paragraph(
        out,
        "IPC of each run, by how many cycles it was perturbed; what those of one degree differ\n"
        "by is chance");
    if (runs < p->runs)
        fprintf(out, "%d more runs: --counters\n", p->runs - runs);
    table_print(t, out);
    table_free(t);
}
