#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/datadir.h"
#include "base/file.h"
#include "base/out_path.h"
#include "base/table.h"
#include "base/wrap.h"
#include "cli/commands.h"
#include "cli/figure_make.h"
#include "cli/figure_page.h"
#include "cli/figure_text.h"
#include "cli/keys.h"
#include "figure/gnuplot.h"
#include "figure/markdown.h"
#include "figure/needs.h"
#include "figure/plot.h"

struct figures {
    struct options *o;
    struct figure_list list;
    char *folder;                      /* data/results; owned */
    struct csv_table *paper, *remarks; /* owned */
};

static struct csv_table *load(const char *folder, const char *name, struct err *e)
{
    char *path = xasprintf("%s/%s", folder, name);
    struct csv_table *t = csv_load(path, e);
    free(path);
    return t;
}

static bool open_figures(struct figures *f, struct err *e)
{
    char *data = datadir(e);
    if (!data)
        return false;
    f->folder = xasprintf("%s/results", data);
    char *tables = xasprintf("%s/tables.cfg", f->folder);
    bool ok = figure_list_open(&f->list, tables, e);
    f->paper = ok ? load(data, "papers/schedulers.csv", e) : NULL;
    f->remarks = f->paper ? load(f->folder, "remarks.csv", e) : NULL;
    free(tables);
    free(data);
    return f->remarks;
}

static void close_figures(struct figures *f)
{
    figure_list_close(&f->list);
    csv_table_free(f->paper);
    csv_table_free(f->remarks);
    free(f->folder);
}

/* ---- the list ---- */

static bool is_made(const struct figures *f, const struct figure_spec *s)
{
    char *path = xasprintf("%s/%s.csv", f->folder, s->name);
    const bool made = access(path, R_OK) == 0;
    free(path);
    return made;
}

/* What a figure needs: GPU and targets of its first comparison. */
static const char *needs(const struct figure_spec *s)
{
    struct figure_run r = {.args = NULL};
    struct err e;
    if (s->plain || !figure_run_read(s, 0, &r, &e))
        return "";
    return r.args ? r.args : r.run;
}

/* CPU time of 10^9 thread instructions: 0.55 minutes in k-systems, 0.39 in k-parameters, 0.64 in
 * y-online. */
#define MINUTES_A_BILLION 0.5

/* Of its simulations, from the table that is there: its best static n stands for runs of every n.
 * 0: there is none. */
static double estimate(const struct figures *f, const struct figure_spec *s)
{
    struct figure_cells c = {0};
    struct err e;
    double insts = 0;
    char *path = xasprintf("%s/%s.csv", f->folder, s->name);
    if (!s->plain && figure_cells_open(&c, s, path, f->paper, f->remarks, &e))
        for (int i = 0; i < csv_rows(c.csv); i++) {
            const bool all = strstr(figure_field(c.csv, i, "combination"), "optimum");
            insts += atof(figure_field(c.csv, i, "thread_insts")) *
                     (all ? atof(figure_field(c.csv, i, "n_max")) : 1);
        }
    figure_cells_close(&c);
    free(path);
    return insts / 1e9 * MINUTES_A_BILLION;
}

static void minutes_cell(struct table *t, double measured, double estimated)
{
    const double minutes = measured > 0 ? measured : estimated;
    const char *about = measured > 0 ? "" : "about ";
    if (minutes >= 10)
        table_cell(t, "%s%.0f", about, minutes);
    else if (minutes >= 0.1)
        table_cell(t, "%s%.1f", about, minutes);
    else
        table_cell(t, minutes > 0 ? "below 0.1" : "-");
}

/* In a few words; what JSON and CSV have is the whole of the first comparison. */
static void needs_cell(struct table *t, const struct figure_spec *s)
{
    char *text;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    figure_needs(to, s);
    fclose(to);
    table_cell(t, "%s", text);
    free(text);
}

static void foot(FILE *out)
{
    char *gnuplot = xasprintf("A picture needs gnuplot (Debian: gnuplot-nox), which is %s.",
                              gnuplot_there() ? "installed" : "not installed here");
    wrap_print(
        out,
        "table: there: it comes with mdpredict, and nothing is run; to be made: its runs are "
        "made first. minutes: CPU time of its simulations at size medium, measured or, "
        "about, by their instructions. Its runs in full: --json, --csv.",
        0, 4, WRAP_SCREEN);
    wrap_print(out, gnuplot, 0, 4, WRAP_SCREEN);
    free(gnuplot);
}

struct listed { /* a figure */
    const struct figure_spec *of;
    const char *table, *needs;
    int comparisons;
    double estimated;
};
const struct output_row figure_rows[] = {
    {.name = "name", OUTPUT_VIA(struct listed, of, name)},
    {"command", "table", "", "`figure --list`: whether its table is there",
     OUTPUT_FIELD(struct listed, table)},
    {"command", "comparisons", "", "... that it takes", OUTPUT_FIELD(struct listed, comparisons)},
    {"command", "minutes", "min", "... that they take, measured; 0: not measured",
     OUTPUT_VIA(struct listed, of, minutes)},
    {"command", "minutes_estimated", "min", "... by their instructions; 0: no table is there",
     OUTPUT_FIELD(struct listed, estimated)},
    {"command", "title", "", "... what it shows", OUTPUT_VIA(struct listed, of, title)},
    {"command", "needs", "", "... GPU and targets of its first comparison",
     OUTPUT_FIELD(struct listed, needs)},
    {.name = NULL}};

static bool list(const struct figures *f, struct err *e)
{
    struct output out;
    if (!output_open(&out, f->o, e))
        return false;
    struct table *t = table_new("llrll");
    static const char *const head[] = {"name", "table", "minutes", "figure", "its runs"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        table_cell(t, "%s", head[i]);
    output_array(&out, NULL);
    for (const struct figure_spec *s = f->list.one; s < f->list.one + f->list.count; s++) {
        const char *made = is_made(f, s) ? "there" : "to be made";
        const double estimated = estimate(f, s);
        output_object(&out, NULL);
        output_rows(&out, figure_rows,
                    &(struct listed){s, made, needs(s), figure_runs(s), estimated});
        output_up(&out);
        table_cell(t, "%s", s->name);
        table_cell(t, "%s", made);
        minutes_cell(t, s->minutes, estimated);
        table_cell(t, "%s", s->title);
        needs_cell(t, s);
    }
    output_up(&out);
    if (f->o->format == FORMAT_TEXT) {
        table_print(t, out.text);
        fputc('\n', out.text);
        foot(out.text);
    }
    table_free(t);
    return output_close(&out, true, e);
}

/* ---- one figure ---- */

static const char *extension(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

/* Text, SVG, PNG, PDF or HTML of a figure; NULL and e: it can't be drawn. Caller frees. */
static char *render(const struct figure_cells *c, const char *as, size_t *len, struct err *e)
{
    char *out = NULL, *script = NULL;
    size_t script_len;
    static const struct {
        const char *name;
        enum figure_format format;
    } drawn[] = {
        {"svg", FIGURE_SVG}, {"png", FIGURE_PNG}, {"pdf", FIGURE_PDF}, {"html", FIGURE_SVG}};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        if (strcmp(as, drawn[i].name) != 0)
            continue;
        FILE *to = open_memstream(&script, &script_len);
        figure_script(to, c, drawn[i].format);
        fclose(to);
        out = gnuplot_draw(script, len, e);
        free(script);
        if (out && strcmp(as, "html") == 0) {
            char *page = figure_page(c, out, len);
            free(out);
            out = page;
        }
        return out;
    }
    FILE *to = open_memstream(&out, len);
    if (strcmp(as, "") == 0 && table_columns())
        figure_text(to, c);
    else
        figure_section(to, c);
    fclose(to);
    return out;
}

static bool write_figure(const struct figure_cells *c, const char *path, const char *as,
                         struct err *e)
{
    struct out_path to = {0};
    size_t len;
    char *text = out_path_find(&to, path, e) ? render(c, as, &len, e) : NULL;
    const bool ok = text && out_path_write(&to, text, len, e);
    out_path_fini(&to);
    free(text);
    return ok;
}

static bool check_format(struct options *o, struct err *e)
{
    static const char *const known[] = {"svg", "png", "pdf", "html", "csv", "md", "txt"};
    if (strcmp(o->output, "-") == 0)
        return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(extension(o->output), known[i]) == 0)
            return true;
    o->bad_usage = true;
    return err_set(e, "-o %s: a figure is written as .svg, .png, .pdf, .html, .csv, .md or .txt",
                   o->output);
}

/* The table that is there or, if it is missing or --runs names where runs are kept, one that is
 * made and *made. The path; caller frees. */
static char *table_of(const struct figures *f, const struct figure_spec *s, bool *made,
                      struct err *e)
{
    *made = f->o->runs || !is_made(f, s);
    if (!*made)
        return xasprintf("%s/%s.csv", f->folder, s->name);
    struct options o = *f->o;
    if (!o.runs) {
        o.runs = "figure-runs.csv";
        fprintf(stderr, "mdpredict: %s: its runs are kept in %s; start again to go on\n", s->name,
                o.runs);
    }
    char *path = xasprintf("%s.%s", o.runs, s->name);
    if (figure_make(&o, s, path, e))
        return path;
    free(path);
    return NULL;
}

static bool copy_table(const char *from, const char *to, struct err *e)
{
    size_t len;
    char *text = file_read(from, SIZE_MAX, &len, e);
    const bool ok = text && file_write(to, text, len, e);
    free(text);
    return ok;
}

static bool show(const struct figures *f, const struct figure_spec *s, const char *table,
                 struct err *e)
{
    struct figure_cells c = {0};
    const char *as = extension(f->o->output);
    if (strcmp(as, "csv") == 0)
        return copy_table(table, f->o->output, e);
    const bool ok = figure_cells_open(&c, s, table, f->paper, f->remarks, e) &&
                    write_figure(&c, f->o->output, as, e);
    figure_cells_close(&c);
    return ok;
}

static bool one(const struct figures *f, const char *name, struct err *e)
{
    bool made = false;
    const struct figure_spec *s = figure_find(&f->list, name, e);
    f->o->bad_usage = !s;
    if (!s || !check_format(f->o, e))
        return false;
    char *table = table_of(f, s, &made, e);
    const bool ok = table && show(f, s, table, e);
    if (table && made)
        unlink(table);
    free(table);
    return ok;
}

/* ---- the gallery ---- */

/* Its picture, in FOLDER/figures/. */
static bool picture(const struct figures *f, const struct figure_cells *c, struct err *e)
{
    char *path = xasprintf("%s/figures/%s.svg", f->o->gallery, c->of->name);
    const bool ok = write_figure(c, path, "svg", e);
    free(path);
    return ok;
}

static bool gallery_entry(const struct figures *f, const struct figure_spec *s, FILE *page,
                          struct err *e)
{
    struct figure_cells c = {0};
    fprintf(page, "\n## %s\n\n", s->title);
    if (!is_made(f, s)) {
        fprintf(page, "Not made yet: `mdpredict figure %s`.\n", s->name);
        return true;
    }
    char *csv = xasprintf("%s/%s.csv", f->folder, s->name);
    const bool ok = figure_cells_open(&c, s, csv, f->paper, f->remarks, e) && picture(f, &c, e);
    if (ok) {
        fprintf(page, "![%s](figures/%s.svg)\n\n", s->title, s->name);
        if (*s->says)
            fprintf(page, "%s\n", s->says);
        fprintf(page,
                "\n`mdpredict figure %s`; its table: [data/results/](../data/results/README.md).\n",
                s->name);
    }
    figure_cells_close(&c);
    free(csv);
    return ok;
}

static bool gallery(const struct figures *f, struct err *e)
{
    char *text, *folder = xasprintf("%s/figures", f->o->gallery);
    char *path = xasprintf("%s/figures.md", f->o->gallery);
    size_t len;
    FILE *page = open_memstream(&text, &len);
    mkdir(folder, 0777); /* what is wrong with it, writing into it tells */
    fputs("# Figures\n\n"
          "The figures and tables of results in the four papers, from our own runs. A circle is "
          "what a "
          "paper's text states.\nMade by `mdpredict figure --gallery docs`; `mdpredict figure "
          "--list` "
          "names them.\n",
          page);
    bool ok = true;
    for (int i = 0; ok && i < f->list.count; i++)
        ok = gallery_entry(f, &f->list.one[i], page, e);
    fclose(page);
    ok = ok && file_write(path, text, len, e);
    free(text);
    free(path);
    free(folder);
    return ok;
}

static bool run(struct options *o, struct err *e)
{
    struct figures f = {.o = o};
    o->bad_usage = o->list + !!o->gallery + o->nargs != 1;
    if (o->bad_usage)
        return err_set(e, "name a figure, or --list, or --gallery FOLDER");
    const bool ok = open_figures(&f, e) && (o->list      ? list(&f, e)
                                            : o->gallery ? gallery(&f, e)
                                                         : one(&f, o->arg[0], e));
    close_figures(&f);
    return ok;
}

const struct command command_figure = {
    .id = COMMAND_figure,
    .name = "figure",
    .args = "[NAME]",
    .help = "Draw a figure or table of the papers from our own runs",
    .text =
        "Prints the table; with -o FILE draws it as .svg, .png, .pdf, or .html with its table.\n"
        "What the paper's text states stands beside. The tables of runs come with mdpredict\n"
        "(data/results); one that is missing is made, which can take long: what was simulated is\n"
        "kept, start the same command again to go on. --runs FILE makes it anew, from the runs\n"
        "that FILE keeps. gnuplot draws (Debian: gnuplot-nox).",
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
