#include "figure/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "figure/panel.h"

#define PANEL_HIGH 330
#define PANEL_WIDE 1000
#define TITLE_HIGH 40

void panel_quoted(FILE *out, const char *text, size_t len)
{
    fputc('"', out);
    for (size_t i = 0; i < len; i++)
        if (text[i] == '"' || text[i] == '\\')
            fprintf(out, "\\%c", text[i]);
        else
            fputc(isprint((unsigned char)text[i]) || (text[i] & 0x80) ? text[i] : ' ', out);
    fputc('"', out);
}

void panel_quoted_all(FILE *out, const char *text)
{
    panel_quoted(out, text, strlen(text));
}

void panel_number(FILE *out, double v)
{
    if (isfinite(v))
        fprintf(out, " %.9g", v);
    else
        fputs(" NaN", out);
}

double panel_paper(const char *text)
{
    double v;
    return num_real(text, &v) ? v : (double)NAN;
}

bool panel_has_paper(const struct figure_cells *c, int column, const char *setting)
{
    for (int i = 0; i < csv_rows(c->paper); i++)
        if (strcmp(figure_field(c->paper, i, "table"), c->of->name) == 0 &&
            strcmp(figure_field(c->paper, i, "column"), c->of->shown[column].name) == 0 &&
            (!setting || strcmp(figure_field(c->paper, i, "setting"), setting) == 0) &&
            isfinite(panel_paper(figure_field(c->paper, i, "value"))))
            return true;
    return false;
}

char *panel_axis(const struct figure_cells *c, int column)
{
    const struct figure_column *of = &c->of->shown[column];
    const char *label = figure_label(c->of, of->column);
    const char *unit = strstr(label, " ("); /* a ratio has none */
    return of->over_base
               ? xasprintf("%.*s (%s: 1)", (int)(unit ? unit - label : (long)strlen(label)), label,
                           figure_name(c->of, c->of->base))
               : xstrdup(label);
}

void panel_add(struct plot *p, struct panel panel)
{
    if (p->panels < PANELS) {
        p->panel[p->panels++] = panel;
        return;
    }
    free(panel.title);
    free(panel.y);
}

static void axes(const struct plot *p, const struct panel *m)
{
    fputs("set title ", p->out);
    panel_quoted_all(p->out, m->title);
    fputs(" noenhanced\nset ylabel ", p->out);
    panel_quoted_all(p->out, m->y);
    fputs(" noenhanced\nunset xlabel\nset xtics autofreq norotate noenhanced\n", p->out);
    if (m->top > 0)
        fprintf(p->out, "set yrange [0:%.9g]\n", m->top);
    else
        fputs("set yrange [0:*]\n", p->out);
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

/* Ten colours that can be told apart, by the colour-blind too. */
static void colours(FILE *out)
{
    static const char *const rgb[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
                                      "#d55e00", "#8c6bb1", "#f0e442", "#7f7f7f", "#6b4423"};
    for (size_t i = 0; i < sizeof rgb / sizeof *rgb; i++)
        fprintf(out, "set linetype %zu lc rgb '%s' lw 1.5 pt 7\n", i + 1, rgb[i]);
}

void figure_script(FILE *out, const struct figure_cells *c, enum figure_format format)
{
    static const struct panel_ops *const kinds[] = {
        [FIGURE_BARS] = &panel_bars, [FIGURE_STACK] = &panel_stack, [FIGURE_LINES] = &panel_lines};
    const struct panel_ops *kind = c->of->plain ? &panel_plain : kinds[c->of->plot];
    struct plot p = {.c = c, .out = out};
    kind->plan(&p);
    terminal(out, format, TITLE_HIGH + PANEL_HIGH * p.panels);
    colours(out);
    fputs(
        "set output 'figure'\nset style fill solid 0.9 noborder\nset boxwidth 0.9 relative\n"
        "set key outside top horizontal noenhanced width 1\nset grid ytics\nset tics nomirror out "
        "scale 0.5\nset border 3\nset lmargin 13\nset rmargin 4\nset offsets 0, 0, graph 0.05, 0\n",
        out);
    for (int i = 0; i < p.panels; i++) {
        fprintf(out, "$p%d << EOD\n", i);
        kind->rows(&p, &p.panel[i]);
        fputs("EOD\n", out);
    }
    fprintf(out, "set multiplot layout %d,1 title ", p.panels);
    panel_quoted_all(out, c->of->title);
    fputs(" noenhanced\n", out);
    for (int i = 0; i < p.panels; i++) {
        axes(&p, &p.panel[i]);
        kind->draw(&p, i);
    }
    fputs("unset multiplot\nunset output\n", out);
    for (int i = 0; i < p.panels; i++) {
        free(p.panel[i].title);
        free(p.panel[i].y);
    }
}
