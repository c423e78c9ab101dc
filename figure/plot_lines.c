/* Lines: n of the combination "n=K" along x, a line for each target of each setting. Plain tables:
 * their columns, as bars or lines. */
#include "figure/panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

#define PLACES_MOST 34 /* names below a panel: more overlap */

static int degree_of(const char *by)
{
    const char *n = strstr(by, "n=");
    return n ? atoi(n + 2) : 0;
}

/* A block a line, with an empty pair of lines between them. */
static void line_rows(const struct plot *p, const struct panel *m)
{
    const struct figure_cells *c = p->c;
    const struct figure_column *column = &c->of->shown[m->column];
    for (int s = 0; s < c->setting.n; s++)
        for (int t = 0; t < c->target.n; t++) {
            if (!figure_has(c, c->setting.key[s], c->target.key[t]))
                continue;
            for (int k = 0; k < c->by.n; k++) {
                const char *setting = c->setting.key[s], *target = c->target.key[t];
                if (degree_of(c->by.key[k]) == 0)
                    continue;
                fprintf(p->out, "%d", degree_of(c->by.key[k]));
                panel_number(p->out, figure_value(c, setting, target, c->by.key[k], column));
                panel_number(p->out,
                             panel_paper(figure_paper(c, setting, target, c->by.key[k], column)));
                fputc('\n', p->out);
            }
            fputs("\n\n", p->out);
        }
}

static void line_title(const struct plot *p, int s, int t)
{
    const struct figure_cells *c = p->c;
    const char *target = figure_name(c->of, c->target.key[t]);
    char *title =
        xasprintf("%.*s%s%s", (int)strcspn(target, ":"), target, c->setting.n > 1 ? ", " : "",
                  c->setting.n > 1 ? c->setting.key[s] : "");
    panel_quoted_all(p->out, title);
    free(title);
}

static void draw_lines(const struct plot *p, int i)
{
    const struct figure_cells *c = p->c;
    int line = 0;
    fputs("set xtics 1\nset xlabel 'CTAs at once on a core'\nplot", p->out);
    for (int s = 0; s < c->setting.n; s++)
        for (int t = 0; t < c->target.n; t++) {
            if (!figure_has(c, c->setting.key[s], c->target.key[t]))
                continue;
            fprintf(p->out, "%s $p%d index %d using 1:2 with linespoints pt 7 ps 0.6 lc %d title ",
                    line ? ", \\\n" : "", i, line, line + 1);
            line_title(p, s, t);
            fprintf(p->out,
                    ", \\\n $p%d index %d using 1:3 with points pt 6 ps 1.2 lw 2 lc %d notitle", i,
                    line, line + 1);
            line++;
        }
    fputs(panel_has_paper(c, p->panel[i].column, NULL)
              ? ", \\\n NaN with points pt 6 lw 2 lc rgb 'black' title 'the paper'\n"
              : "\n",
          p->out);
}

static void plan_lines(struct plot *p)
{
    for (int k = 0; k < p->c->of->shows; k++)
        panel_add(p, (struct panel){.title = xstrdup(""), .y = panel_axis(p->c, k), .column = k});
}

const struct panel_ops panel_lines = {.plan = plan_lines, .rows = line_rows, .draw = draw_lines};

/* ---- a table without runs: its columns ---- */

static bool is_shown(const struct figure_cells *c, int column)
{
    double v;
    for (int i = 0; i < c->of->shows; i++)
        if (strcmp(c->of->shown[i].name, csv_column(c->csv, column)) == 0)
            return true;
    return c->of->shows == 0 && column > 0 && csv_rows(c->csv) > 0 &&
           num_real(csv_text(c->csv, 0, column), &v);
}

/* Of a column "SERIES: WHAT", WHAT: a panel has the columns of one. "": it is no such column. */
static const char *plain_what(const struct figure_cells *c, int column)
{
    const char *colon = strstr(csv_column(c->csv, column), ": ");
    return colon ? colon + 2 : "";
}

static bool is_in(const struct figure_cells *c, const struct panel *m, int column)
{
    return is_shown(c, column) && strcmp(figure_label(c->of, plain_what(c, column)), m->y) == 0;
}

/* The column along x: the kernel, if there is one, else the first. */
static int plain_along(const struct figure_cells *c)
{
    const int kernel = csv_find(c->csv, "kernel");
    return kernel > 0 && c->of->plot != FIGURE_LINES ? kernel : 0;
}

static void plain_rows(const struct plot *p, const struct panel *m)
{
    const struct figure_cells *c = p->c;
    for (int i = m->from; i < m->to; i++) {
        const char *at = csv_text(c->csv, i, plain_along(c));
        if (c->of->plot == FIGURE_LINES)
            fputs(at, p->out);
        else
            panel_quoted_all(p->out, at);
        for (int k = 0; k < csv_columns(c->csv); k++)
            if (is_in(c, m, k))
                panel_number(p->out, panel_paper(csv_text(c->csv, i, k)));
        fputc('\n', p->out);
    }
}

static void draw_plain(const struct plot *p, int i)
{
    const bool lines = p->c->of->plot == FIGURE_LINES;
    int series = 0;
    fprintf(p->out, "%sset style data %s\nset style histogram clustered gap 1\nset xlabel ",
            lines || csv_rows(p->c->csv) < 5 ? "" : "set xtics rotate by 30 right\n",
            lines ? "linespoints" : "histograms");
    panel_quoted_all(p->out, csv_column(p->c->csv, plain_along(p->c)));
    fputs("\nplot", p->out);
    for (int k = 0; k < csv_columns(p->c->csv); k++)
        if (is_in(p->c, &p->panel[i], k)) {
            fprintf(p->out, "%s $p%d using %s%d%s title ", series ? ", \\\n" : "", i,
                    lines ? "1:" : "", series + 2, lines ? "" : ":xtic(1)");
            const char *name = csv_column(p->c->csv, k);
            panel_quoted(p->out, name, *plain_what(p->c, k) ? strcspn(name, ":") : strlen(name));
            series++;
        }
    fputc('\n', p->out);
}

/* The highest value of a panel's columns. */
static double plain_top(const struct figure_cells *c, const struct panel *m)
{
    double top = 0;
    for (int k = 0; k < csv_columns(c->csv); k++)
        for (int i = 0; i < csv_rows(c->csv) && is_in(c, m, k); i++)
            top = fmax(top, panel_paper(csv_text(c->csv, i, k)));
    return top;
}

/* A panel, or several where the names of bars would overlap. */
static void add_plain(struct plot *p, const char *what)
{
    const int rows = csv_rows(p->c->csv);
    const int parts = p->c->of->plot == FIGURE_LINES ? 1 : (rows + PLACES_MOST - 1) / PLACES_MOST;
    for (int i = 0; i < parts; i++) {
        struct panel m = {.title = xstrdup(""),
                          .y = xstrdup(what),
                          .from = rows * i / parts,
                          .to = rows * (i + 1) / parts};
        m.top = parts == 1 ? 0 : 1.05 * plain_top(p->c, &m);
        panel_add(p, m);
    }
}

/* In the order in which they appear. */
static void plan_plain(struct plot *p)
{
    for (int k = 0; k < csv_columns(p->c->csv); k++) {
        const char *what = figure_label(p->c->of, plain_what(p->c, k));
        bool has = !is_shown(p->c, k);
        for (int i = 0; i < p->panels; i++)
            has |= strcmp(p->panel[i].y, what) == 0;
        if (!has)
            add_plain(p, what);
    }
}

const struct panel_ops panel_plain = {.plan = plan_plain, .rows = plain_rows, .draw = draw_plain};
