#include "cli/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/table.h"
#include "base/wrap.h"
#include "cli/degree_report.h"
#include "cli/keys.h"
#include "cli/sample_report.h"

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

/* How many columns from `first` on fit beside n. */
static int columns_that_fit(const struct model_column *first)
{
    int n = 0, wide = 2;
    for (const struct model_column *c = first; c->name; c++, n++) {
        const int least = 8, own = (int)strlen(c->name);
        wide += 2 + (own > least ? own : least);
        if (wide > wrap_width(WRAP_TABLE) && n > 0)
            break;
    }
    return n;
}

/* In each of as few tables as hold all. */
static int columns_a_table(const struct model_ops *m)
{
    int all = 0, tables = 0;
    for (const struct model_column *c = m->columns; c && c->name; tables++) {
        const int n = columns_that_fit(c);
        all += n;
        c += n;
    }
    return tables ? (all + tables - 1) / tables : 0;
}

static void print_columns(FILE *out, const struct explanation *x, const struct model_column *first,
                          int columns)
{
    char *align = xcalloc((size_t)columns + 2, 1);
    memset(align, 'r', (size_t)columns + 1);
    struct table *t = table_new(align);
    free(align);
    table_cell(t, "n");
    for (int i = 0; i < columns; i++)
        table_cell(t, "%s", first[i].name);
    for (int n = 1; n <= x->all->n_max; n++) {
        table_cell(t, "%d", n);
        for (int i = 0; i < columns; i++)
            cell(t, value(x, &first[i], n));
    }
    table_print(t, out);
    table_free(t);
}

void explain_meanings(FILE *out, const struct model_ops *m)
{
    char *title = xasprintf("Model %s, %s:", m->name, m->help);
    fputc('\n', out);
    wrap_print(out, title, 0, 4, WRAP_TABLE);
    free(title);
    for (const struct model_column *c = m->columns; c && c->name; c++) {
        char *left = xasprintf("  %-16s  %s", c->name, c->unit);
        wrap_beside(out, left, c->help, 32, WRAP_TABLE);
        free(left);
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
    char *name = demangle_said(x->title);
    fputc('\n', out);
    if (x->kernels.kernels > 1)
        wrap_line(out, "%s, means over its %s, weighted by their time:", name,
                  is_one_kernel(&x->kernels) ? "groups of launches" : "kernels");
    else if (x->part > 0)
        wrap_line(out, "%s, launches of group %d:", name, x->part + 1);
    else
        wrap_line(out, "%s:", name);
    free(name);
    sample_print_degrees(out, &x->kernels, x->all);
    const int columns = columns_a_table(x->model);
    const bool sampled = !samples_searched(x->kernels.sample, x->kernels.kernels);
    for (const struct model_column *c = x->model->columns; sampled && c && c->name;) {
        int n = 0;
        while (n < columns && c[n].name)
            n++;
        fputc('\n', out);
        print_columns(out, x, c, n);
        c += n;
    }
}

void bounds_output(struct output *out, const char *name, const struct prediction *p, int n_max)
{
    output_array(out, name);
    for (int n = 1; n <= n_max; n++)
        output_str(out, NULL, p->bound[n], NULL);
    output_up(out);
}

static void write_bounds(struct output *out, const char *name, const void *explanation)
{
    const struct explanation *x = explanation;
    bounds_output(out, name, x->all, x->all->n_max);
}

static void write_shared(struct output *out, const char *name, const void *explanation)
{
    const struct explanation *x = explanation;
    double bytes[MODEL_N_MAX + 1];
    for (int n = 1; n <= x->all->n_max; n++) {
        const int b = set_degree_shared(x->sm, x->uses, n);
        bytes[n] = b < 0 ? NAN : b;
    }
    output_reals(out, name, bytes, x->all->n_max);
}

static void write_how(struct output *out, const char *name, const void *explanation)
{
    const struct explanation *x = explanation;
    char how[SET_DEGREE_ROOM];
    output_str(out, name, set_degree_text(x->sm, x->uses, x->all->chosen_n, how), NULL);
}

const struct output_row explain_rows[] = OUTPUT_ONE(
    "answer", "explain", "", "with --explain: an object, of the application and of each kernel",
    .type = OUTPUT_COMPUTED);
const struct output_row bound_rows[] = OUTPUT_ONE(
    "explain", "bound", "", "by n: what bounds it (docs/words.md)", .write = write_bounds);
const struct output_row how_rows[] = {
    {"explain", "dynamic_shared_bytes", "bytes",
     "by n: of a CTA, with which exactly n fit on a core; null: no number does it",
     .write = write_shared},
    {"explain", "how", "", "how to get chosen_n on a GPU", .write = write_how},
    {.name = NULL}};

/* How a degree is set. */
static void output_set(struct output *out, const struct explanation *x)
{
    output_rows(out, how_rows, x);
    occupancy_output(out, x->sm, x->uses);
    paste_output(out, x->sm, x->uses, x->all->chosen_n, x->kernels.sample[0].kernel);
}

void explain_output(struct output *out, const struct explanation *x)
{
    double v[MODEL_N_MAX + 1];
    if (out->format != FORMAT_JSON)
        return;
    output_object(out, explain_rows[0].name);
    output_rows(out, bound_rows, x);
    for (const struct model_column *c = x->model->columns; c && c->name; c++) {
        for (int n = 1; n <= x->all->n_max; n++)
            v[n] = value(x, c, n);
        output_reals(out, c->name, v, x->all->n_max);
    }
    if (x->kernels.kernels == 1)
        output_set(out, x);
    output_up(out);
}
