#include "figure/markdown.h"

#include <math.h>
#include <string.h>

static void print_value(FILE *out, double v, bool whole)
{
    if (!isfinite(v))
        fputs(" -", out);
    else if (whole || fabs(v) >= 1000)
        fprintf(out, " %.0f", v);
    else
        fprintf(out, " %.*f", fabs(v) >= 100 ? 1 : 3, v);
}

/* What the paper prints of it, behind ours. */
static void print_paper(FILE *out, const struct figure_cells *s, const char *setting,
                        const char *target, const char *by, const struct figure_column *c)
{
    const char *value = figure_paper(s, setting, target, by, c);
    if (*value)
        fprintf(out, " (paper: %s)", value);
}

static void print_heading(FILE *out, const struct figure_cells *s)
{
    const bool settings = s->setting.n > 1;
    fprintf(out, "|%s%s", settings ? " setting |" : "", s->of->means ? "" : " application |");
    for (int c = 0; c < s->of->shows; c++)
        for (int k = 0; k < s->by.n; k++)
            fprintf(out, " %s%s%s |", s->by.key[k], s->of->shows > 1 ? ": " : "",
                    s->of->shows > 1 ? s->of->shown[c].name : "");
    fprintf(out, "\n|%s%s", settings ? " --- |" : "", s->of->means ? "" : " --- |");
    for (int c = 0; c < s->of->shows * s->by.n; c++)
        fputs(" ---: |", out);
    fputc('\n', out);
}

static void print_start(FILE *out, const struct figure_cells *s, const char *setting,
                        const char *target)
{
    fputc('|', out);
    if (s->setting.n > 1)
        fprintf(out, " %s |", setting);
    if (!s->of->means)
        fprintf(out, " %s |", target);
}

static void print_target(FILE *out, const struct figure_cells *s, const char *setting,
                         const char *target)
{
    print_start(out, s, setting, target);
    for (int c = 0; c < s->of->shows; c++)
        for (int k = 0; k < s->by.n; k++) {
            const struct figure_column *show = &s->of->shown[c];
            print_value(out, figure_value(s, setting, target, s->by.key[k], show),
                        strcmp(show->name, "n") == 0);
            print_paper(out, s, setting, target, s->by.key[k], show);
            fputs(" |", out);
        }
    fputc('\n', out);
}

static void print_mean(FILE *out, const struct figure_cells *s, const char *setting, bool geometric)
{
    const char *name = geometric ? "geometric mean" : "arithmetic mean";
    print_start(out, s, setting, name);
    for (int c = 0; c < s->of->shows; c++)
        for (int k = 0; k < s->by.n; k++) {
            const struct figure_column *show = &s->of->shown[c];
            if (!geometric || show->over_base)
                print_value(out, figure_mean(s, setting, s->by.key[k], show, geometric), false);
            print_paper(out, s, setting, name, s->by.key[k], show);
            fputs(" |", out);
        }
    fputc('\n', out);
}

static void print_rows(FILE *out, const struct figure_cells *s)
{
    const bool ratio = figure_has_ratio(s->of);
    print_heading(out, s);
    for (int i = 0; i < s->setting.n; i++) {
        const char *setting = s->setting.key[i];
        for (int t = 0; t < s->target.n && !s->of->means; t++)
            if (figure_has(s, setting, s->target.key[t]))
                print_target(out, s, setting, s->target.key[t]);
        if (s->of->plot == FIGURE_LINES) /* targets against n: no mean of them is of interest */
            continue;
        if (ratio)
            print_mean(out, s, setting, true);
        if (!s->of->means || !ratio)
            print_mean(out, s, setting, false);
    }
}

static void print_plain(FILE *out, const struct csv_table *csv)
{
    for (int row = -2; row < csv_rows(csv); row++) {
        fputc('|', out);
        for (int c = 0; c < csv_columns(csv); c++)
            fprintf(out, " %s |",
                    row == -2   ? csv_column(csv, c)
                    : row == -1 ? "---"
                                : csv_text(csv, row, c));
        fputc('\n', out);
    }
}

void figure_lines(FILE *out, const struct figure_cells *s)
{
    for (int i = 0; i < csv_rows(s->paper); i++)
        if (strcmp(figure_field(s->paper, i, "table"), s->of->name) == 0 &&
            !*figure_field(s->paper, i, "target"))
            fprintf(out, "* The paper: %s (%s)\n", figure_field(s->paper, i, "value"),
                    figure_field(s->paper, i, "where"));
    for (int i = 0; i < csv_rows(s->remarks); i++)
        if (strcmp(figure_field(s->remarks, i, "table"), s->of->name) == 0) {
            const char *target = figure_field(s->remarks, i, "target");
            fprintf(out, "* %s%s%s\n", target, *target ? ": " : "",
                    figure_field(s->remarks, i, "remark"));
        }
}

void figure_markdown(FILE *out, const struct figure_cells *s)
{
    if (s->of->plain)
        print_plain(out, s->csv);
    else
        print_rows(out, s);
}

void figure_section(FILE *out, const struct figure_cells *s)
{
    const struct figure_spec *of = s->of;
    fprintf(out, "## %s\n\n", of->title);
    if (*of->note)
        fprintf(out, "%s%s", of->note, figure_has_ratio(of) ? " " : "\n\n");
    if (figure_has_ratio(of))
        fprintf(out, "Divided by `%s`.\n\n", of->base);
    figure_markdown(out, s);
    fputc('\n', out);
    figure_lines(out, s);
    if (*of->says)
        fprintf(out, "* %s\n", of->says);
}
