#include "figure/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *figure_field(const struct csv_table *t, int row, const char *column)
{
    const int at = csv_find(t, column);
    return at < 0 ? "" : csv_text(t, row, at);
}

static bool is(const struct csv_table *t, int row, const char *column, const char *value)
{
    return strcmp(figure_field(t, row, column), value) == 0;
}

static bool is_cell(const struct csv_table *t, int row, const char *setting, const char *target,
                    const char *by)
{
    return is(t, row, "setting", setting) && is(t, row, "target", target) &&
           is(t, row, "combination", by);
}

static void note_key(struct figure_keys *k, const char *key)
{
    for (int i = 0; i < k->n; i++)
        if (strcmp(k->key[i], key) == 0)
            return;
    if (k->n < FIGURE_KEYS)
        k->key[k->n++] = key;
}

bool figure_cells_open(struct figure_cells *c, const struct figure_spec *of, const char *csv,
                       const struct csv_table *paper, const struct csv_table *remarks,
                       struct err *e)
{
    *c = (struct figure_cells){.of = of, .paper = paper, .remarks = remarks};
    c->csv = csv_load(csv, e);
    if (!c->csv)
        return false;
    for (int i = 0; i < csv_rows(c->csv) && !of->plain; i++) {
        note_key(&c->setting, figure_field(c->csv, i, "setting"));
        note_key(&c->target, figure_field(c->csv, i, "target"));
        note_key(&c->by, figure_field(c->csv, i, "combination"));
    }
    return true;
}

void figure_cells_close(struct figure_cells *c)
{
    csv_table_free(c->csv);
    *c = (struct figure_cells){0};
}

static double measured(const struct figure_cells *c, const char *setting, const char *target,
                       const char *by, const char *column)
{
    double v;
    struct err e;
    const int at = csv_find(c->csv, column);
    for (int i = 0; at >= 0 && i < csv_rows(c->csv); i++)
        if (is_cell(c->csv, i, setting, target, by))
            return csv_number(c->csv, i, at, &v, &e) ? v : (double)NAN;
    return NAN;
}

double figure_value(const struct figure_cells *c, const char *setting, const char *target,
                    const char *by, const struct figure_column *column)
{
    const double v = measured(c, setting, target, by, column->column);
    return column->over_base ? v / measured(c, setting, target, c->of->base, column->column) : v;
}

double figure_mean(const struct figure_cells *c, const char *setting, const char *by,
                   const struct figure_column *column, bool geometric)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < c->target.n; i++) {
        const double v = figure_value(c, setting, c->target.key[i], by, column);
        if (!isfinite(v) || (geometric && v <= 0))
            continue;
        sum += geometric ? log(v) : v;
        n++;
    }
    return n == 0 ? (double)NAN : geometric ? exp(sum / n) : sum / n;
}

const char *figure_paper(const struct figure_cells *c, const char *setting, const char *target,
                         const char *by, const struct figure_column *column)
{
    for (int i = 0; i < csv_rows(c->paper); i++)
        if (is(c->paper, i, "table", c->of->name) && is_cell(c->paper, i, setting, target, by) &&
            is(c->paper, i, "column", column->name))
            return figure_field(c->paper, i, "value");
    return "";
}

bool figure_has(const struct figure_cells *c, const char *setting, const char *target)
{
    for (int i = 0; i < csv_rows(c->csv); i++)
        if (is(c->csv, i, "setting", setting) && is(c->csv, i, "target", target))
            return true;
    return false;
}

bool figure_has_ratio(const struct figure_spec *s)
{
    for (int i = 0; i < s->shows; i++)
        if (s->shown[i].over_base)
            return true;
    return false;
}
