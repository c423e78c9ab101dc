/* Bars: a place for each target and mean, or of means for each setting; a bar for each combination
 * but the one that the others are divided by, which is the line at 1. Where they would be too thin
 * the places stand in several panels. */
#include "figure/panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BARS_MOST 150 /* in a panel, with the gaps: more are hard to tell apart */
#define HEADROOM  1.05

#define ROTATED "set style data histograms\nset xtics rotate by 30 right noenhanced\n"

static const char geometric[] = "geometric mean", arithmetic[] = "arithmetic mean";

static bool is_mean(const char *target)
{
    return target == geometric || target == arithmetic;
}

/* "bfs" of "bfs:medium". */
static void label(FILE *out, const char *target)
{
    panel_quoted(out, target, strcspn(target, ":"));
}

/* Combination k has a bar. */
static bool has_bar(const struct figure_cells *c, int column, int k)
{
    return !c->of->shown[column].over_base || strcmp(c->by.key[k], c->of->base) != 0;
}

static int bars(const struct figure_cells *c, int column)
{
    int n = 0;
    for (int k = 0; k < c->by.n; k++)
        n += has_bar(c, column, k);
    return n;
}

/* The paper states arithmetic means of this column. */
static bool has_arithmetic(const struct figure_cells *c, int column)
{
    for (int i = 0; i < csv_rows(c->paper); i++)
        if (strcmp(figure_field(c->paper, i, "table"), c->of->name) == 0 &&
            strcmp(figure_field(c->paper, i, "column"), c->of->shown[column].name) == 0 &&
            strcmp(figure_field(c->paper, i, "target"), arithmetic) == 0)
            return true;
    return false;
}

/* What stands along x, in order; "": a gap. */
static struct figure_keys places(const struct figure_cells *c, int column, const char *setting)
{
    struct figure_keys at = {.n = 0};
    const bool ratio = c->of->shown[column].over_base;
    for (int t = 0; t < c->target.n && at.n < FIGURE_KEYS - 3; t++)
        if (figure_has(c, setting, c->target.key[t]))
            at.key[at.n++] = c->target.key[t];
    at.key[at.n++] = "";
    if (ratio)
        at.key[at.n++] = geometric;
    if (!ratio || has_arithmetic(c, column))
        at.key[at.n++] = arithmetic;
    return at;
}

static double value(const struct figure_cells *c, const char *setting, const char *target, int k,
                    int column)
{
    const struct figure_column *of = &c->of->shown[column];
    return !*target          ? (double)NAN
           : is_mean(target) ? figure_mean(c, setting, c->by.key[k], of, target == geometric)
                             : figure_value(c, setting, target, c->by.key[k], of);
}

static double paper(const struct figure_cells *c, const char *setting, const char *target, int k,
                    int column)
{
    return panel_paper(figure_paper(c, setting, target, c->by.key[k], &c->of->shown[column]));
}

static void bar_row(const struct plot *p, const struct panel *m, const char *setting,
                    const char *target)
{
    const struct figure_cells *c = p->c;
    if (c->of->means)
        panel_quoted_all(p->out, setting);
    else
        label(p->out, target);
    for (int k = 0; k < c->by.n; k++)
        if (has_bar(c, m->column, k))
            panel_number(p->out, value(c, setting, target, k, m->column));
    for (int k = 0; k < c->by.n; k++)
        if (has_bar(c, m->column, k))
            panel_number(p->out, paper(c, setting, target, k, m->column));
    fputc('\n', p->out);
}

static void bar_rows(const struct plot *p, const struct panel *m)
{
    const struct figure_cells *c = p->c;
    const char *mean = c->of->shown[m->column].over_base ? geometric : arithmetic;
    for (int i = 0; c->of->means && i < c->setting.n; i++)
        bar_row(p, m, c->setting.key[i], mean);
    if (c->of->means)
        return;
    const struct figure_keys at = places(c, m->column, m->setting);
    for (int t = m->from; t < m->to; t++)
        bar_row(p, m, m->setting, at.key[t]);
}

/* The bars of K combinations and a gap of one bar share a place. */
static void draw_bars(const struct plot *p, int i)
{
    const struct figure_cells *c = p->c;
    const struct panel *m = &p->panel[i];
    const int n = bars(c, m->column);
    fputs(ROTATED "set style histogram clustered gap 1\nplot", p->out);
    for (int k = 0, bar = 0; k < c->by.n; k++) {
        if (!has_bar(c, m->column, k))
            continue;
        /* gnuplot refuses a histogram without any number: nothing is a bar of no height */
        fprintf(p->out, "%s $p%d using (valid(%d) ? $%d : 0):xtic(1) lt %d title ",
                bar ? ", \\\n" : "", i, bar + 2, bar + 2, k + 1);
        panel_quoted_all(p->out, figure_name(c->of, c->by.key[k]));
        bar++;
    }
    if (c->of->shown[m->column].over_base) {
        fputs(", \\\n 1 with lines lw 1 dt 2 lc rgb 'black' title ", p->out);
        panel_quoted_all(p->out, figure_name(c->of, c->of->base));
    }
    for (int k = 0; k < n && panel_has_paper(c, m->column, c->of->means ? NULL : m->setting); k++)
        fprintf(p->out,
                ", \\\n $p%d using ($0 %+.4f):%d with points pt 6 ps 0.8 lw 2 lc rgb 'black' %s", i,
                (k - (n - 1) / 2.0) / (n + 1), n + k + 2, k ? "notitle" : "title 'the paper'");
    fputc('\n', p->out);
}

/* Of all places of a panel's column. */
static double highest(const struct figure_cells *c, const struct figure_keys *at,
                      const char *setting, int column)
{
    double top = 0;
    for (int t = 0; t < at->n; t++)
        for (int k = 0; k < c->by.n; k++) {
            top = fmax(top, value(c, setting, at->key[t], k, column));
            top = fmax(top, paper(c, setting, at->key[t], k, column));
        }
    return top;
}

/* All that a setting shows of a column, in as many panels as that takes. */
static void plan_setting(struct plot *p, int column, const char *setting)
{
    const struct figure_cells *c = p->c;
    const struct figure_keys at = places(c, column, setting);
    const int wide = at.n * (bars(c, column) + 1), parts = (wide + BARS_MOST - 1) / BARS_MOST;
    for (int i = 0; i < parts; i++)
        panel_add(
            p, (struct panel){.title = xstrdup(figure_name(c->of, setting)),
                              .y = panel_axis(c, column),
                              .setting = setting,
                              .column = column,
                              .from = at.n * i / parts,
                              .to = at.n * (i + 1) / parts,
                              .top = parts == 1 ? 0 : HEADROOM * highest(c, &at, setting, column)});
}

static void plan_bars(struct plot *p)
{
    const struct figure_cells *c = p->c;
    for (int k = 0; k < c->of->shows; k++)
        if (c->of->means)
            panel_add(p,
                      (struct panel){
                          .title = xstrdup(""), .y = panel_axis(c, k), .setting = "", .column = k});
        else
            for (int s = 0; s < c->setting.n; s++)
                plan_setting(p, k, c->setting.key[s]);
}

const struct panel_ops panel_bars = {.plan = plan_bars, .rows = bar_rows, .draw = draw_bars};

/* ---- a stack: a place for each target, the columns above each other. The paper's number is a mark
 * where that column ends, if it states those below it too. ---- */

static void stack_row(const struct plot *p, const struct panel *m, const char *target)
{
    const struct figure_cells *c = p->c;
    double sum = 0;
    label(p->out, target);
    for (int k = 0; k < c->of->shows; k++)
        panel_number(p->out, is_mean(target)
                                 ? figure_mean(c, m->setting, m->by, &c->of->shown[k], false)
                                 : figure_value(c, m->setting, target, m->by, &c->of->shown[k]));
    for (int k = 0; k < c->of->shows; k++) {
        sum += panel_paper(figure_paper(c, m->setting, target, m->by, &c->of->shown[k]));
        panel_number(p->out, sum);
    }
    fputc('\n', p->out);
}

static void stack_rows(const struct plot *p, const struct panel *m)
{
    const struct figure_cells *c = p->c;
    for (int t = 0; t < c->target.n; t++)
        if (figure_has(c, m->setting, c->target.key[t]))
            stack_row(p, m, c->target.key[t]);
    stack_row(p, m, arithmetic);
}

static void draw_stack(const struct plot *p, int i)
{
    const struct figure_cells *c = p->c;
    fputs(ROTATED "set style histogram rowstacked\nset boxwidth 0.7\nplot", p->out);
    for (int k = 0; k < c->of->shows; k++) {
        fprintf(p->out, "%s $p%d using %d:xtic(1) title ", k ? ", \\\n" : "", i, k + 2);
        panel_quoted_all(p->out, figure_label(c->of, c->of->shown[k].column));
    }
    bool titled = false;
    for (int k = 0; k < c->of->shows; k++)
        if (panel_has_paper(c, k, p->panel[i].setting)) {
            fprintf(p->out, ", \\\n $p%d using 0:%d with points pt 6 ps 0.8 lw 2 lc rgb 'black' %s",
                    i, c->of->shows + k + 2,
                    titled ? "notitle" : "title 'the paper: where that part ends'");
            titled = true;
        }
    fputc('\n', p->out);
}

static void plan_stack(struct plot *p)
{
    const struct figure_cells *c = p->c;
    for (int s = 0; s < c->setting.n; s++)
        for (int k = 0; k < c->by.n; k++)
            panel_add(p, (struct panel){.title = xasprintf("%s%s%s", c->setting.key[s],
                                                           *c->setting.key[s] ? ", " : "",
                                                           figure_name(c->of, c->by.key[k])),
                                        .y = xstrdup("share"),
                                        .setting = c->setting.key[s],
                                        .by = c->by.key[k],
                                        .column = -1});
}

const struct panel_ops panel_stack = {.plan = plan_stack, .rows = stack_rows, .draw = draw_stack};
