#include "cli/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/table.h"

/* A kernel's own n where all are to have n. */
static int own_n(const struct explanation *x, int i, int n)
{
    const int most = x->kernels.prediction[i].n_max;
    return n < most ? n : most;
}

static double value(const struct explanation *x, const struct model_column *c, int n)
{
    return model_column(c, x->coeff, &x->kernels, n);
}

/* Whole numbers of cycles and requests, four digits of the rest. */
static void cell(struct table *t, double v)
{
    if (fabs(v) >= 1000)
        table_cell(t, "%.0f", v);
    else
        table_cell(t, "%.4g", v);
}

static int columns_of(const struct model_ops *m)
{
    int n = 0;
    while (m->columns && m->columns[n].name)
        n++;
    return n;
}

static struct table *table_of(const struct explanation *x)
{
    const int columns = columns_of(x->model);
    char *align = xmalloc((size_t)columns + 4);
    memset(align, 'r', (size_t)columns + 2);
    strcpy(align + columns + 2, "l");
    struct table *t = table_new(align);
    free(align);
    table_cell(t, "n");
    table_cell(t, "predicted_ipc");
    for (int i = 0; i < columns; i++)
        table_cell(t, "%s", x->model->columns[i].name);
    table_cell(t, "bound");
    for (int n = 1; n <= x->all->n_max; n++) {
        table_cell(t, "%d", n);
        table_cell(t, "%.2f", x->all->ipc[n]);
        for (int i = 0; i < columns; i++)
            cell(t, value(x, &x->model->columns[i], n));
        table_cell(t, "%s%s", x->all->bound[n], n == x->all->chosen_n ? "  <- chosen" : "");
    }
    return t;
}

void explain_meanings(FILE *out, const struct model_ops *m)
{
    struct table *t = table_new("lll");
    fprintf(out, "\nModel %s, %s:\n", m->name, m->help);
    for (const struct model_column *c = m->columns; c && c->name; c++) {
        table_cell(t, "  %s", c->name);
        table_cell(t, "%s", c->unit);
        table_cell(t, "%s", c->help);
    }
    table_print(t, out);
    table_free(t);
}

/* Groups of a kernel's launches with like CTAs are told once. */
static bool was_told(const struct explanation *x, int i)
{
    const struct sample *s = x->kernels.sample;
    for (int k = 0; k < i; k++)
        if (strcmp(s[k].kernel, s[i].kernel) == 0 &&
            memcmp(&x->uses[k], &x->uses[i], sizeof x->uses[i]) == 0)
            return true;
    return false;
}

static void print_how(FILE *out, const struct explanation *x)
{
    char how[SET_DEGREE_ROOM];
    for (int i = 0; i < x->kernels.kernels; i++) {
        if (was_told(x, i))
            continue;
        const int n = own_n(x, i, x->all->chosen_n);
        char *name = demangle_short(x->kernels.sample[i].kernel);
        const bool known = x->uses[i].threads > 0;
        fprintf(out, "How to get n = %d of %s: %s.\n", n, name,
                known ? set_degree_text(x->sm, &x->uses[i], n, how) : "not known");
        free(name);
    }
}

static bool is_one_kernel(const struct model_kernels *k)
{
    bool one = true;
    for (int i = 1; i < k->kernels; i++)
        one &= strcmp(k->sample[i].kernel, k->sample[0].kernel) == 0;
    return one;
}

void explain_print(FILE *out, const struct explanation *x)
{
    char *name = demangle_short(x->title);
    fprintf(out, "\n%s", name);
    free(name);
    if (x->kernels.kernels > 1)
        fprintf(out, ", means over its %s, weighted by their time",
                is_one_kernel(&x->kernels) ? "groups of launches" : "kernels");
    else if (x->part > 0)
        fprintf(out, ", launches of group %d", x->part + 1);
    fprintf(out, ":\n");
    struct table *t = table_of(x);
    table_print(t, out);
    table_free(t);
    print_how(out, x);
}

static void output_bounds(struct output *out, const struct prediction *p)
{
    output_array(out, "bound");
    for (int n = 1; n <= p->n_max; n++)
        output_str(out, NULL, p->bound[n], NULL);
    output_up(out);
}

/* By n; null: no number of bytes gives that n. */
static void output_shared(struct output *out, const struct explanation *x)
{
    double bytes[MODEL_N_MAX + 1];
    char how[SET_DEGREE_ROOM];
    for (int n = 1; n <= x->all->n_max; n++) {
        const int b = set_degree_shared(x->sm, x->uses, n);
        bytes[n] = b < 0 ? NAN : b;
    }
    output_reals(out, "dynamic_shared_bytes", bytes, x->all->n_max);
    output_str(out, "how", set_degree_text(x->sm, x->uses, x->all->chosen_n, how), NULL);
}

void explain_output(struct output *out, const struct explanation *x)
{
    double v[MODEL_N_MAX + 1];
    if (out->format != FORMAT_JSON)
        return;
    output_object(out, "explain");
    output_bounds(out, x->all);
    for (const struct model_column *c = x->model->columns; c && c->name; c++) {
        for (int n = 1; n <= x->all->n_max; n++)
            v[n] = value(x, c, n);
        output_reals(out, c->name, v, x->all->n_max);
    }
    if (x->kernels.kernels == 1 && x->uses->threads > 0)
        output_shared(out, x);
    output_up(out);
}
