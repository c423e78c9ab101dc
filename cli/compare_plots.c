/* compare_plots.c -- Yen's Figures 13 to 22: performance and degrees of his two suites, a figure an
 * L1D size. His bars are the default and the prediction; here every predictor has one, and the best
 * of all degrees, which his text states. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/file.h"
#include "cli/compare_all.h"
#include "figure/gnuplot.h"

static const struct suite {
    const char *name;
    int first_figure; /* of 8 KB; 16, 32, 64, 128 KB follow */
    const char *workload[10];
} suites[] = {
    {"in-lab benchmarks",
     13,
     {"bfs", "euler", "gsim", "irreg", "moldyn", "nbf", "sta", "unstructured", NULL}},
    {"Rodinia", 18, {"rodbfs", "gaussian", "hotspot", "nw", "pathfinder", "srad_v2", NULL}},
};

#define NSUITES (sizeof suites / sizeof *suites)
#define SIZES   5

struct figure {
    const struct cross_validation *c;
    const struct suite *suite;
    int number, kb;
};

static bool shows(const struct figure *f, const struct app_case *a, const char *workload)
{
    return a->m.n_max > 0 && strcmp(a->gpu, "yen2014") == 0 &&
           strcmp(a->size, f->c->main_size) == 0 && a->l1d_bytes == f->kb * 1024 &&
           strcmp(a->workload, workload) == 0;
}

static void csv_heading(struct csv *out, const struct cross_validation *c)
{
    csv_str(out, "application");
    for (int k = 0; k < c->predictors; k++) {
        char *n = xasprintf("n %s", c->predictor[k].name);
        csv_str(out, c->predictor[k].name);
        csv_str(out, n);
        free(n);
    }
    csv_end_row(out);
}

/* Performance beside the default's, and n, of every predictor; then their geometric means. */
static int write_data(const struct figure *f, FILE *to)
{
    struct csv out;
    const struct cross_validation *c = f->c;
    double *sum = xcalloc((size_t)c->predictors, sizeof *sum);
    int rows = 0;
    csv_start(&out, to);
    csv_heading(&out, c);
    for (const char *const *w = f->suite->workload; *w; w++)
        for (int i = 0; i < c->cases.count; i++) {
            if (!shows(f, &c->cases.one[i], *w))
                continue;
            csv_str(&out, *w);
            for (int k = 0; k < c->predictors; k++) {
                const struct choice *choice = cv_choice(c, i, k);
                csv_real(&out, 1 + choice->mean.gain);
                csv_int(&out, choice->n);
                sum[k] += log1p(choice->mean.gain);
            }
            csv_end_row(&out);
            rows++;
        }
    csv_str(&out, "geometric mean");
    for (int k = 0; k < c->predictors; k++) {
        csv_real(&out, exp(sum[k] / (rows ? rows : 1)));
        csv_str(&out, "");
    }
    csv_end_row(&out);
    free(sum);
    return rows;
}

/* The means, in the row after the applications', have no n: of an empty field at the end of a line
 * gnuplot would make a label. */
static void write_script(const struct figure *f, int rows, FILE *out)
{
    const int bars = f->c->predictors;
    fprintf(out,
            "# Made by mdpredict compare --all --plots: gnuplot figure-%d.gp\n"
            "set terminal svg size 1000,400 dynamic font 'sans,11'\n"
            "set output 'figure-%d.svg'\n"
            "set title 'Yen (2014), Figure %d: %s, %d KB L1D'\n"
            "set ylabel 'IPC / IPC at the default n (n above the bars)'\n",
            f->number, f->number, f->number, f->suite->name, f->kb);
    fputs("set datafile separator ','\n"
          "set style data histograms\n"
          "set style histogram clustered gap 1\n"
          "set style fill solid 0.8 border -1\n"
          "set key autotitle columnhead\nset key outside top horizontal noenhanced\n"
          "set xtics rotate by -20 noenhanced\n"
          "set yrange [0:*]\nset offsets 0, 0, graph 0.1, 0\nset grid ytics\nplot",
          out);
    for (int k = 0; k < bars; k++)
        fprintf(out, "%s 'figure-%d.csv' using %d:xtic(1)", k ? ", \\\n    " : "", f->number,
                2 * k + 2);
    for (int k = 0; k < bars; k++) /* a bar is 1 / (bars + gap) wide */
        fprintf(out,
                ", \\\n     '' using ($0 %+.4f):%d:($0 < %d ? strcol(%d) : '') with labels offset "
                "0,0.6 notitle",
                (k - (bars - 1) / 2.0) / (bars + 1), 2 * k + 2, rows, 2 * k + 3);
    fputc('\n', out);
}

static bool save(const char *folder, int number, const char *suffix, char *text, struct err *e)
{
    char *path = xasprintf("%s/figure-%d.%s", folder, number, suffix);
    bool ok = file_write(path, text, strlen(text), e);
    free(path);
    free(text);
    return ok;
}

static bool gnuplot(const char *folder, const char *arg, struct err *e)
{
    return gnuplot_run(folder, arg, e) || err_prefix(e, "--plots");
}

/* *drawn: false if none of its applications was run. */
static bool draw(const struct figure *f, const char *folder, bool *drawn, struct err *e)
{
    char *data = NULL, *script = NULL;
    size_t len;
    FILE *to = open_memstream(&data, &len);
    int rows = write_data(f, to);
    fclose(to);
    *drawn = rows > 0;
    if (rows == 0) {
        free(data);
        return true;
    }
    to = open_memstream(&script, &len);
    write_script(f, rows, to);
    fclose(to);
    char *name = xasprintf("figure-%d.gp", f->number);
    bool ok = save(folder, f->number, "csv", data, e);
    ok &= save(folder, f->number, "gp", script, e);
    ok = ok && gnuplot(folder, name, e);
    free(name);
    return ok;
}

bool compare_plots_ready(const char *folder, bool *made, struct err *e)
{
    struct stat st;
    *made = mkdir(folder, 0777) == 0;
    if (!*made && (errno != EEXIST || stat(folder, &st) || !S_ISDIR(st.st_mode)))
        return err_set(e, "%s: %s", folder, strerror(errno));
    return gnuplot(folder, "--version", e);
}

/* "bfs, euler ...": one of these would have been enough. */
static void print_workloads(const struct suite *s, FILE *out)
{
    for (const char *const *w = s->workload; *w; w++)
        fprintf(out, "%s%s", w == s->workload ? "" : ", ", *w);
}

static void tell_not_drawn(const struct cross_validation *c, const struct suite *s,
                           const bool *drawn)
{
    char *text = NULL;
    size_t len;
    FILE *kb = open_memstream(&text, &len);
    for (int size = 0; size < SIZES; size++)
        if (!drawn[size])
            fprintf(kb, "%s%d KB (Figure %d)", ftell(kb) > 0 ? ", " : "", 8 << size,
                    s->first_figure + size);
    fclose(kb);
    if (*text) {
        fprintf(stderr, "mdpredict: not drawn: %s: the profile has no run of ", text);
        print_workloads(s, stderr);
        fprintf(stderr, " there, on yen2014 at size %s\n", c->main_size);
    }
    free(text);
}

bool compare_plot(const struct cross_validation *c, const char *folder, struct err *e)
{
    bool ok = true, drawn[NSUITES][SIZES] = {0};
    int figures = 0;
    for (size_t s = 0; s < NSUITES; s++)
        for (int size = 0; ok && size < SIZES; size++) {
            struct figure f = {c, &suites[s], suites[s].first_figure + size, 8 << size};
            ok = draw(&f, folder, &drawn[s][size], e);
            figures += drawn[s][size];
        }
    if (ok && figures == 0)
        return err_set(
            e,
            "--plots: no figure can be drawn; they show Yen's two suites (`mdpredict list "
            "workloads`) on yen2014 with 8, 16, 32, 64 or 128 KB of L1D, and the profile "
            "has no run of them at size %s",
            c->main_size);
    for (size_t s = 0; ok && s < NSUITES; s++)
        tell_not_drawn(c, &suites[s], drawn[s]);
    return ok;
}
