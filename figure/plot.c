#include "figure/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

#define PANELS     64
#define PANEL_HIGH 330
#define PANEL_WIDE 1000
#define TITLE_HIGH 40

/* What one panel shows: rows are places on the x axis, columns series. */
struct panel {
    char *title;         /* owned */
    const char *y;       /* of the axis; borrowed */
    const char *setting; /* of bars; borrowed */
    const char *by;      /* of a stack; borrowed */
    int column;          /* of the figure's shown ones; -1: all, stacked */
};

struct plot {
    const struct figure_cells *c;
    FILE *out;
    struct panel panel[PANELS];
    int panels;
};

/* In double quotes, as gnuplot reads it. */
static void quoted(FILE *out, const char *text, size_t len)
{
    fputc('"', out);
    for (size_t i = 0; i < len; i++)
        if (text[i] == '"' || text[i] == '\\')
            fprintf(out, "\\%c", text[i]);
        else
            fputc(isprint((unsigned char)text[i]) || (text[i] & 0x80) ? text[i] : ' ', out);
    fputc('"', out);
}

static void quoted_all(FILE *out, const char *text)
{
    quoted(out, text, strlen(text));
}

/* "bfs" of "bfs:medium". */
static void label(FILE *out, const char *target)
{
    const char *mean = strstr(target, " mean");
    if (mean)
        quoted_all(out, "mean");
    else
        quoted(out, target, strcspn(target, ":"));
}

static void number(FILE *out, double v)
{
    if (isfinite(v))
        fprintf(out, " %.9g", v);
    else
        fputs(" NaN", out);
}

static double paper_number(const char *text)
{
    double v;
    return num_real(text, &v) ? v : (double)NAN;
}

/* The paper's text states a number of this column. */
static bool has_paper(const struct figure_cells *c, int column)
{
    for (int i = 0; i < csv_rows(c->paper); i++)
        if (strcmp(figure_field(c->paper, i, "table"), c->of->name) == 0 &&
            strcmp(figure_field(c->paper, i, "column"), c->of->shown[column].name) == 0 &&
            isfinite(paper_number(figure_field(c->paper, i, "value"))))
            return true;
    return false;
}

static void add_panel(struct plot *p, struct panel panel)
{
    if (p->panels < PANELS)
        p->panel[p->panels++] = panel;
    else
        free(panel.title);
}

/* ---- bars: a place for each target, or of means for each setting; a bar for each combination ----
 */

static void bar_row(const struct plot *p, const struct panel *m, const char *setting,
                    const char *target)
{
    const struct figure_cells *c = p->c;
    const struct figure_column *column = &c->of->shown[m->column];
    const bool mean = strstr(target, " mean") != NULL;
    if (c->of->means)
        quoted_all(p->out, setting);
    else
        label(p->out, target);
    for (int k = 0; k < c->by.n; k++)
        number(p->out, mean ? figure_mean(c, setting, c->by.key[k], column, column->over_base)
                            : figure_value(c, setting, target, c->by.key[k], column));
    for (int k = 0; k < c->by.n; k++)
        number(p->out, paper_number(figure_paper(c, setting, target, c->by.key[k], column)));
    fputc('\n', p->out);
}

static void bar_rows(const struct plot *p, const struct panel *m)
{
    const struct figure_cells *c = p->c;
    const char *mean = c->of->shown[m->column].over_base ? "geometric mean" : "arithmetic mean";
    for (int i = 0; c->of->means && i < c->setting.n; i++)
        bar_row(p, m, c->setting.key[i], mean);
    if (c->of->means)
        return;
    for (int t = 0; t < c->target.n; t++)
        if (figure_has(c, m->setting, c->target.key[t]))
            bar_row(p, m, m->setting, c->target.key[t]);
    bar_row(p, m, m->setting, mean);
}

/* The bars of K combinations and a gap of one bar share a place. */
static void plot_bars(const struct plot *p, int i)
{
    const int bars = p->c->by.n;
    fputs("set style data histograms\nset style histogram clustered gap 1\nset xtics rotate by -25 "
          "noenhanced\nunset xlabel\nplot",
          p->out);
    for (int k = 0; k < bars; k++) {
        fprintf(p->out, "%s $p%d using %d:xtic(1) title ", k ? ", \\\n" : "", i, k + 2);
        quoted_all(p->out, p->c->by.key[k]);
    }
    for (int k = 0; k < bars && has_paper(p->c, p->panel[i].column); k++)
        fprintf(p->out,
                ", \\\n $p%d using ($0 %+.4f):%d with points pt 6 ps 0.8 lw 2 lc rgb 'black' %s", i,
                (k - (bars - 1) / 2.0) / (bars + 1), bars + k + 2,
                k ? "notitle" : "title 'the paper'");
    fputc('\n', p->out);
}

/* ---- a stack: a place for each target, the columns above each other ---- */

static void stack_rows(const struct plot *p, const struct panel *m)
{
    const struct figure_cells *c = p->c;
    for (int t = 0; t <= c->target.n; t++) {
        const bool mean = t == c->target.n;
        if (!mean && !figure_has(c, m->setting, c->target.key[t]))
            continue;
        label(p->out, mean ? "arithmetic mean" : c->target.key[t]);
        for (int k = 0; k < c->of->shows; k++)
            number(p->out,
                   mean ? figure_mean(c, m->setting, m->by, &c->of->shown[k], false)
                        : figure_value(c, m->setting, c->target.key[t], m->by, &c->of->shown[k]));
        fputc('\n', p->out);
    }
}

static void plot_stack(const struct plot *p, int i)
{
    fputs("set style data histograms\nset style histogram rowstacked\nset boxwidth 0.7\nset xtics "
          "rotate by -25 noenhanced\nunset xlabel\nplot",
          p->out);
    for (int k = 0; k < p->c->of->shows; k++) {
        fprintf(p->out, "%s $p%d using %d:xtic(1) title ", k ? ", \\\n" : "", i, k + 2);
        quoted_all(p->out, p->c->of->shown[k].name);
    }
    fputc('\n', p->out);
}

/* ---- lines: n of the combination "n=K" along x, a line for each target of each setting ---- */

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
                number(p->out, figure_value(c, setting, target, c->by.key[k], column));
                number(p->out,
                       paper_number(figure_paper(c, setting, target, c->by.key[k], column)));
                fputc('\n', p->out);
            }
            fputs("\n\n", p->out);
        }
}

static void line_title(const struct plot *p, int s, int t)
{
    const struct figure_cells *c = p->c;
    char *title =
        xasprintf("%.*s%s%s", (int)strcspn(c->target.key[t], ":"), c->target.key[t],
                  c->setting.n > 1 ? ", " : "", c->setting.n > 1 ? c->setting.key[s] : "");
    quoted_all(p->out, title);
    free(title);
}

static void plot_lines(const struct plot *p, int i)
{
    const struct figure_cells *c = p->c;
    int line = 0;
    fputs("set xtics norotate\nset xlabel 'CTAs at once on a core'\nplot", p->out);
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
    fputs(has_paper(c, p->panel[i].column)
              ? ", \\\n NaN with points pt 6 lw 2 lc rgb 'black' title 'the paper'\n"
              : "\n",
          p->out);
}

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
    return is_shown(c, column) && strcmp(plain_what(c, column), m->y) == 0;
}

static void plain_rows(const struct plot *p, const struct panel *m)
{
    const struct figure_cells *c = p->c;
    const bool lines = c->of->plot == FIGURE_LINES;
    for (int i = 0; i < csv_rows(c->csv); i++) {
        if (lines)
            fputs(csv_text(c->csv, i, 0), p->out);
        else
            quoted_all(p->out,
                       csv_text(c->csv, i,
                                csv_find(c->csv, "kernel") > 0 ? csv_find(c->csv, "kernel") : 0));
        for (int k = 0; k < csv_columns(c->csv); k++)
            if (is_in(c, m, k))
                number(p->out, paper_number(csv_text(c->csv, i, k)));
        fputc('\n', p->out);
    }
}

static void plot_plain(const struct plot *p, int i)
{
    const bool lines = p->c->of->plot == FIGURE_LINES;
    int series = 0;
    fprintf(p->out,
            "set xtics %s noenhanced\nset style data %s\nset style histogram clustered gap 1\n",
            lines ? "norotate" : "rotate by -25", lines ? "linespoints" : "histograms");
    if (lines) {
        fputs("set xlabel ", p->out);
        quoted_all(p->out, csv_column(p->c->csv, 0));
    }
    fputs("\nplot", p->out);
    for (int k = 0; k < csv_columns(p->c->csv); k++)
        if (is_in(p->c, &p->panel[i], k)) {
            fprintf(p->out, "%s $p%d using %s%d%s title ", series ? ", \\\n" : "", i,
                    lines ? "1:" : "", series + 2, lines ? "" : ":xtic(1)");
            const char *name = csv_column(p->c->csv, k);
            quoted(p->out, name, *plain_what(p->c, k) ? strcspn(name, ":") : strlen(name));
            series++;
        }
    fputc('\n', p->out);
}

/* ---- all of it ---- */

static const char *axis(const struct figure_column *c)
{
    if (strcmp(c->name, "normalised") == 0)
        return "IPC over the baseline's";
    return c->name;
}

static void plan_bars(struct plot *p)
{
    const struct figure_cells *c = p->c;
    for (int k = 0; k < c->of->shows; k++)
        for (int s = 0; s < (c->of->means ? 1 : c->setting.n); s++)
            add_panel(p, (struct panel){.title = xstrdup(c->of->means ? "" : c->setting.key[s]),
                                        .y = axis(&c->of->shown[k]),
                                        .setting = c->setting.key[s],
                                        .column = k});
}

static void plan_stack(struct plot *p)
{
    const struct figure_cells *c = p->c;
    for (int s = 0; s < c->setting.n; s++)
        for (int k = 0; k < c->by.n; k++)
            add_panel(
                p, (struct panel){.title = xasprintf("%s%s%s", c->setting.key[s],
                                                     *c->setting.key[s] ? ", " : "", c->by.key[k]),
                                  .y = "share",
                                  .setting = c->setting.key[s],
                                  .by = c->by.key[k],
                                  .column = -1});
}

/* In the order in which they appear. */
static void plan_plain(struct plot *p)
{
    for (int k = 0; k < csv_columns(p->c->csv); k++) {
        const char *what = plain_what(p->c, k);
        bool has = !is_shown(p->c, k);
        for (int i = 0; i < p->panels; i++)
            has |= strcmp(p->panel[i].y, what) == 0;
        if (!has)
            add_panel(p, (struct panel){.title = xstrdup(""), .y = what});
    }
}

static void plan(struct plot *p)
{
    const struct figure_cells *c = p->c;
    if (c->of->plain)
        plan_plain(p);
    else if (c->of->plot == FIGURE_STACK)
        plan_stack(p);
    else if (c->of->plot == FIGURE_BARS)
        plan_bars(p);
    else
        for (int k = 0; k < c->of->shows; k++)
            add_panel(
                p, (struct panel){.title = xstrdup(""), .y = axis(&c->of->shown[k]), .column = k});
}

static void data(const struct plot *p, int i)
{
    const struct panel *m = &p->panel[i];
    fprintf(p->out, "$p%d << EOD\n", i);
    if (p->c->of->plain)
        plain_rows(p, m);
    else if (p->c->of->plot == FIGURE_STACK)
        stack_rows(p, m);
    else if (p->c->of->plot == FIGURE_BARS)
        bar_rows(p, m);
    else
        line_rows(p, m);
    fputs("EOD\n", p->out);
}

static void draw(const struct plot *p, int i)
{
    const struct panel *m = &p->panel[i];
    fputs("set title ", p->out);
    quoted_all(p->out, m->title);
    fputs(" noenhanced\nset ylabel ", p->out);
    quoted_all(p->out, m->y);
    fputs(" noenhanced\n", p->out);
    if (p->c->of->plain)
        plot_plain(p, i);
    else if (p->c->of->plot == FIGURE_STACK)
        plot_stack(p, i);
    else if (p->c->of->plot == FIGURE_BARS)
        plot_bars(p, i);
    else
        plot_lines(p, i);
}

static void terminal(FILE *out, enum figure_format format, int high)
{
    if (format == FIGURE_SVG)
        fprintf(out, "set terminal svg size %d,%d dynamic font 'sans,12' background rgb 'white'\n",
                PANEL_WIDE, high);
    else if (format == FIGURE_PNG)
        fprintf(out, "set terminal pngcairo size %d,%d font 'sans,11'\n", PANEL_WIDE, high);
    else
        fprintf(out, "set terminal pdfcairo size %.2f,%.2f font 'sans,9'\n", PANEL_WIDE / 100.0,
                high / 100.0);
}

void figure_script(FILE *out, const struct figure_cells *c, enum figure_format format)
{
    struct plot p = {.c = c, .out = out};
    plan(&p);
    terminal(out, format, TITLE_HIGH + PANEL_HIGH * p.panels);
    fputs(
        "set output 'figure'\nset style fill solid 0.85 border -1\nset key outside top horizontal "
        "noenhanced\nset grid ytics\nset yrange [0:*]\n",
        out);
    for (int i = 0; i < p.panels; i++)
        data(&p, i);
    fprintf(out, "set multiplot layout %d,1 title ", p.panels);
    quoted_all(out, c->of->title);
    fputs(" noenhanced\n", out);
    for (int i = 0; i < p.panels; i++)
        draw(&p, i);
    fputs("unset multiplot\nunset output\n", out);
    for (int i = 0; i < p.panels; i++)
        free(p.panel[i].title);
}
