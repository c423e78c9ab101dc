#include "fitter/eval/limits.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"

struct line { /* an application of one size, over all settings */
    const char *target;
    int cases, worst; /* the case in which it keeps least */
    double kept, error, bias;
};

/* Mean of |predicted / simulated - 1|, or, signed, of its logarithm, over every n. */
static double off(const struct app_case *a, const struct prediction *p, bool is_signed)
{
    double sum = 0;
    int n = 0;
    for (int i = 1; i <= a->m.n_max && i <= p->n_max; i++)
        if (p->ipc[i] > 0 && a->m.ipc[i] > 0) {
            const double ratio = p->ipc[i] / a->m.ipc[i];
            sum += is_signed ? log(ratio) : fabs(ratio - 1);
            n++;
        }
    return n ? sum / n : NAN;
}

static struct line line_of(const struct cross_validation *c, int predictor, int first)
{
    struct line l = {.target = c->cases.one[first].target, .worst = first};
    for (int i = first; i < c->cases.count; i++) {
        const struct app_case *a = &c->cases.one[i];
        const struct choice *x = cv_choice(c, i, predictor);
        if (strcmp(a->target, l.target) != 0 || a->m.n_max == 0 || !x->predicts)
            continue;
        l.cases++;
        l.kept += log(x->mean.kept);
        l.error += off(a, &x->predicted, false);
        l.bias += off(a, &x->predicted, true);
        if (x->mean.kept < cv_choice(c, l.worst, predictor)->mean.kept)
            l.worst = i;
    }
    l.kept = exp(l.kept / l.cases);
    l.error /= l.cases;
    l.bias = exp(l.bias / l.cases) - 1;
    return l;
}

static bool is_first(const struct cross_validation *c, int predictor, int i)
{
    const struct app_case *a = &c->cases.one[i];
    if (a->m.n_max == 0 || !cv_choice(c, i, predictor)->predicts)
        return false;
    for (int k = 0; k < i; k++)
        if (strcmp(c->cases.one[k].target, a->target) == 0 && c->cases.one[k].m.n_max > 0 &&
            cv_choice(c, k, predictor)->predicts)
            return false;
    return true;
}

static void print_line(struct table *t, const struct cross_validation *c, int predictor,
                       const struct line *l)
{
    const struct app_case *a = &c->cases.one[l->worst];
    const struct choice *x = cv_choice(c, l->worst, predictor);
    const struct prediction *p = &x->predicted;
    const int at[2] = {x->n, measured_optimum(&a->m)};
    table_cell(t, "%s", l->target);
    table_cell(t, "%.1f %%", 100 * l->kept);
    table_cell(t, "%.0f %%", 100 * l->error);
    table_cell(t, "%+.0f %%", 100 * l->bias);
    table_cell(t, "%s, %lld KB", a->gpu, (long long)a->l1d_bytes / 1024);
    table_cell(t, "%.1f %%", 100 * x->mean.kept);
    for (int k = 0; k < 2; k++) {
        table_cell(t, "%d", at[k]);
        table_cell(t, "%+.0f %%", 100 * (p->ipc[at[k]] / a->m.ipc[at[k]] - 1));
        table_cell(t, "%s", p->bound[at[k]] ? p->bound[at[k]] : bound_name(BOUND_UNKNOWN));
    }
}

static void print_predictor(FILE *out, const struct cross_validation *c, int predictor)
{
    static const char *const head[] = {"",         "kept", "error", "bias",   "least in", "kept",
                                       "chosen n", "IPC",  "bound", "best n", "IPC",      "bound"};
    struct line *line = xcalloc((size_t)c->cases.count + 1, sizeof *line);
    double *kept = xcalloc((size_t)c->cases.count + 1, sizeof *kept);
    size_t *order = xcalloc((size_t)c->cases.count + 1, sizeof *order), lines = 0;
    for (int i = 0; i < c->cases.count; i++)
        if (is_first(c, predictor, i)) {
            line[lines] = line_of(c, predictor, i);
            kept[lines] = line[lines].kept;
            lines++;
        }
    gsl_sort_index(order, kept, 1, lines);
    struct table *t = table_new("lrrrlrrrlrrl");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    for (size_t i = 0; i < lines; i++)
        print_line(t, c, predictor, &line[order[i]]);
    if (lines) {
        fprintf(out, "\n%s\n", c->predictor[predictor].name);
        table_print(t, out);
    }
    table_free(t);
    free(order);
    free(kept);
    free(line);
}

void limits_print(FILE *out, const struct cross_validation *c)
{
    fputc('\n', out);
    wrap_paragraph(out,
                   "What limits each, by application over all settings, least kept first. error: "
                   "mean |predicted / simulated - 1| of IPC over every n; bias: the same with its "
                   "sign (geometric mean). Then the setting in which it keeps least: predicted / "
                   "simulated - 1 at the chosen and at the best n, and what is said to bound the "
                   "kernels there.");
    for (int k = 0; k < c->predictors; k++)
        print_predictor(out, c, k);
}
