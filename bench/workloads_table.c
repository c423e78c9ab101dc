/* workloads_table.c -- the tables of data/workloads/README.md, from what `mdpredict export`
 * printed, and from what `mdpredict run --csv` printed of as many CTAs as fit, behind a first
 * column l1d_bytes: workloads_table RUNS.csv MOST.csv PAPERS_DIR [REMARKS.csv] */
#include "base/csv_table.h"
#include "base/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES_MAX 64

struct row { /* of a table */
    const struct csv_table *table;
    int row;
};

static const char *cell(struct row r, const char *column) /* "": there is no such column */
{
    int c = csv_find(r.table, column);
    return c < 0 ? "" : csv_text(r.table, r.row, c);
}

static int whole(struct row r, const char *column)
{
    return atoi(cell(r, column));
}

/* ---- runs, summed over kernels ---- */

struct curve { /* one workload in one setting, at every n */
    char target[64], gpu[64];
    int l1d_kb, n_max;
    double ract, idle;                    /* with as many CTAs as fit */
    double lines;                         /* that a CTA touches */
    struct run_stats at[DEGREES_MAX + 1]; /* by n as asked for */
};

struct curves {
    struct curve *c; /* owned */
    int count;
    char revisions[512]; /* of the simulator, that the runs came from */
};

static struct curve *curve_find(struct curves *all, const char *target, const char *gpu, int l1d_kb)
{
    for (int i = 0; i < all->count; i++)
        if (all->c[i].l1d_kb == l1d_kb && !strcmp(all->c[i].target, target) &&
            !strcmp(all->c[i].gpu, gpu))
            return &all->c[i];
    all->c = xrealloc(all->c, (size_t)(all->count + 1) * sizeof *all->c);
    struct curve *c = memset(&all->c[all->count++], 0, sizeof *c);
    snprintf(c->target, sizeof c->target, "%s", target);
    snprintf(c->gpu, sizeof c->gpu, "%s", gpu);
    c->l1d_kb = l1d_kb;
    return c;
}

static void add_run(struct curves *all, struct row run)
{
    struct curve *c =
        curve_find(all, cell(run, "target"), cell(run, "gpu"), whole(run, "l1d_bytes") / 1024);
    int n = whole(run, "n"), n_max = whole(run, "n_max");
    struct run_stats stats = {0};
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        uint64_t v = strtoull(cell(run, r->name), NULL, 10);
        memcpy((char *)&stats + r->off, &v, sizeof v);
    }
    const char *revision = cell(run, "revision");
    const size_t used = strlen(all->revisions);
    if (!strstr(all->revisions, revision))
        snprintf(all->revisions + used, sizeof all->revisions - used, "%s%s", used ? ", " : "",
                 revision);
    if (n >= 1 && n <= DEGREES_MAX)
        stats_add(&c->at[n], &stats);
    c->n_max = n_max > c->n_max ? n_max : c->n_max;
}

static double real(struct row r, const char *column)
{
    return strtod(cell(r, column), NULL);
}

static void add_most(struct curves *all, struct row run)
{
    struct curve *c =
        curve_find(all, cell(run, "target"), cell(run, "gpu"), whole(run, "l1d_bytes") / 1024);
    c->ract = real(run, "RACT");
    c->idle = real(run, "C_idle");
    c->lines = real(run, "working_set_lines");
}

static double ipc(const struct curve *c, int n)
{
    return stats_rate(&c->at[n], RATE_ipc);
}

static int optimum(const struct curve *c)
{
    int best = 1;
    for (int n = 2; n <= c->n_max; n++)
        if (ipc(c, n) > ipc(c, best))
            best = n;
    return best;
}

/* Kayiran et al., III-A: much idle time, else by the active time. */
static const char *kayiran_class(const struct curve *c)
{
    if (c->idle > 0.20)
        return "X";
    return c->ract > 0.66 ? "C" : "M";
}

/* ---- tables ---- */

/* All that a table with a column `workload` says about one, joined by "; ". */
static void print_about(const struct csv_table *t, const char *workload)
{
    bool any = false;
    for (int i = 0; i < csv_rows(t); i++) {
        const struct row r = {t, i};
        if (strcmp(cell(r, "workload"), workload) != 0)
            continue;
        printf("%s%s%s%s", any ? "; " : "", cell(r, "paper"), *cell(r, "paper") ? ": " : "",
               cell(r, "report"));
        any = true;
    }
}

static void print_curve(const struct curve *c)
{
    const int best = optimum(c);
    const struct run_stats *most = &c->at[c->n_max];
    printf("| `%s` | %d KB | %d | %.1f | %d | %.1f | %+.0f %% | %.2f | %.2f | %s |", c->gpu,
           c->l1d_kb, c->n_max, ipc(c, c->n_max), best, ipc(c, best),
           100 * (ipc(c, best) / ipc(c, c->n_max) - 1), c->ract,
           stats_rate(most, RATE_l1d_miss_rate), kayiran_class(c));
}

static void print_applications(const struct curves *all, const struct csv_table *papers,
                               const struct csv_table *remarks)
{
    printf("Simulated at revision %s.\n\n", all->revisions);
    puts("| workload | GPU | L1D | max. n | IPC there | optimum n | IPC there | gain | RACT | L1D "
         "miss rate | class | the papers; remarks |\n"
         "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |");
    const char *last = "";
    for (int i = 0; i < all->count; i++) {
        const struct curve *c = &all->c[i];
        bool first = strcmp(c->target, last) != 0;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(c->target, ":"), c->target);
        printf("| %s%s%s ", first ? "`" : "", first ? c->target : "", first ? "`" : "");
        print_curve(c);
        putchar(' ');
        if (first) {
            print_about(papers, name);
            if (remarks) {
                printf(". ");
                print_about(remarks, name);
            }
        }
        puts(" |");
        last = c->target;
    }
}

/* How many applications that Kayiran et al. class are of that type here, on their GPU. */
static void print_types(const struct curves *all, const struct csv_table *papers)
{
    int classed = 0, same = 0;
    for (int i = 0; i < csv_rows(papers); i++) {
        const struct row r = {papers, i};
        const char *type = cell(r, "report"), *w = cell(r, "workload");
        if (strcmp(cell(r, "paper"), "Kayiran") != 0 || strncmp(type, "Type-", 5) != 0)
            continue;
        for (int k = 0; k < all->count; k++) {
            const struct curve *c = &all->c[k];
            if (strcmp(c->gpu, "kayiran2013") != 0 || strcspn(c->target, ":") != strlen(w) ||
                strncmp(c->target, w, strlen(w)) != 0)
                continue;
            classed++;
            same += *kayiran_class(c) == type[5];
        }
    }
    printf("Of %d applications that Kayiran et al. class, %d are of the paper's type on "
           "`kayiran2013`.\n",
           classed, same);
}

/* The growth of DRAM reads a CTA with n, beside Yen's Table 5. */
static void print_growth(const struct curves *all, const struct csv_table *table5)
{
    puts("| workload | n | miss rate: paper | here | DRAM reads a CTA: paper | here | lines a CTA "
         "touches |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (int k = 0; k < csv_rows(table5); k++) {
        const struct row paper = {table5, k};
        const char *w = cell(paper, "workload");
        int n = whole(paper, "ctas");
        for (int i = 0; i < all->count; i++) {
            const struct curve *c = &all->c[i];
            if (c->l1d_kb != 8 || strcspn(c->target, ":") != strlen(w) ||
                strncmp(c->target, w, strlen(w)) != 0 || n > c->n_max)
                continue;
            printf("| `%s` | %d | %s | %.2f | %s | %.1f | %.0f |\n", c->target, n,
                   cell(paper, "miss_rate"), stats_rate(&c->at[n], RATE_miss_rate),
                   cell(paper, "dram_reads_per_cta"),
                   stats_rate(&c->at[n], RATE_dram_reads_per_cta), c->lines);
        }
    }
}

static int by_target(const void *a, const void *b)
{
    const struct curve *x = a, *y = b;
    int d = strcmp(x->target, y->target);
    d = d ? d : -strcmp(x->gpu, y->gpu); /* yen2014 first */
    return d ? d : x->l1d_kb - y->l1d_kb;
}

enum { RUNS, MOST, PAPERS, TABLE5, REMARKS, TABLES };

/* Those whose path is not NULL. */
static bool load(struct csv_table **t, char *const *path, struct err *e)
{
    for (int i = 0; i < TABLES; i++)
        if (path[i] && !(t[i] = csv_load(path[i], e)))
            return false;
    return true;
}

static void print(struct csv_table *const *t)
{
    struct curves all = {0};
    for (int i = 0; i < csv_rows(t[RUNS]); i++)
        add_run(&all, (struct row){t[RUNS], i});
    for (int i = 0; i < csv_rows(t[MOST]); i++)
        add_most(&all, (struct row){t[MOST], i});
    qsort(all.c, (size_t)all.count, sizeof *all.c, by_target);
    print_applications(&all, t[PAPERS], t[REMARKS]);
    putchar('\n');
    print_types(&all, t[PAPERS]);
    putchar('\n');
    print_growth(&all, t[TABLE5]);
    free(all.c);
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: %s RUNS.csv MOST.csv PAPERS_DIR [REMARKS.csv]\n", argv[0]);
        return 2;
    }
    struct err e;
    struct csv_table *t[TABLES] = {0};
    char *path[TABLES] = {argv[1], argv[2], xasprintf("%s/applications.csv", argv[3]),
                          xasprintf("%s/yen2014-table5.csv", argv[3]), argv[4]};
    bool ok = load(t, path, &e);
    if (ok)
        print(t);
    else
        fprintf(stderr, "%s: %s\n", argv[0], e.msg);
    for (int i = 0; i < TABLES; i++)
        csv_table_free(t[i]);
    free(path[PAPERS]);
    free(path[TABLE5]);
    return ok ? 0 : 1;
}
