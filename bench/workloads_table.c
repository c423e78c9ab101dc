/* workloads_table.c -- the tables of data/workloads/README.md, from what `mdpredict export`
 * printed: workloads_table RUNS.csv PAPERS_DIR [REMARKS.csv] */
#include "base/file.h"
#include "base/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 160
#define DEGREES_MAX 64
#define FILE_MAX    (64 << 20)

/* ---- CSV: a line's fields, quoted or not, in place ---- */

static char *next_field(char **at)
{
    char *start = *at, *out = start, *in = start;
    bool quoted = *in == '"';
    in += quoted;
    while (*in && (quoted || *in != ',')) {
        if (quoted && *in == '"' && in[1] != '"') {
            quoted = false;
            in++;
            continue;
        }
        in += quoted && *in == '"'; /* the first of two */
        *out++ = *in++;
    }
    *at = *in ? in + 1 : NULL;
    *out = '\0';
    return start;
}

static int split(char *line, char **field)
{
    int n = 0;
    for (char *at = line; at && n < COLUMNS_MAX;)
        field[n++] = next_field(&at);
    return n;
}

struct sheet {         /* a CSV file, row by row */
    char *text, *rest; /* text: owned */
    char *name[COLUMNS_MAX], *field[COLUMNS_MAX];
    int columns;
};

static bool sheet_row(struct sheet *s)
{
    char *line = strsep(&s->rest, "\n");
    return line && *line && split(line, s->field) == s->columns;
}

static bool sheet_open(struct sheet *s, const char *path, struct err *e)
{
    *s = (struct sheet){.text = file_read(path, FILE_MAX, NULL, e)};
    if (!s->text)
        return false;
    s->rest = s->text;
    s->columns = split(strsep(&s->rest, "\n"), s->name);
    return true;
}

static const char *sheet_get(const struct sheet *s, const char *name)
{
    for (int i = 0; i < s->columns; i++)
        if (strcmp(s->name[i], name) == 0)
            return s->field[i];
    return "";
}

/* ---- runs, summed over kernels ---- */

struct curve { /* one workload in one setting, at every n */
    char target[64], gpu[64];
    int l1d_kb, n_max;
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

static void add_run(struct curves *all, const struct sheet *s)
{
    struct curve *c = curve_find(all, sheet_get(s, "target"), sheet_get(s, "gpu"),
                                 atoi(sheet_get(s, "l1d_bytes")) / 1024);
    int n = atoi(sheet_get(s, "n")), n_max = atoi(sheet_get(s, "n_max"));
    struct run_stats stats = {0};
    for (const struct stat_row *r = run_counter_rows; r->name; r++) {
        uint64_t v = strtoull(sheet_get(s, r->name), NULL, 10);
        memcpy((char *)&stats + r->off, &v, sizeof v);
    }
    const char *revision = sheet_get(s, "revision");
    const size_t used = strlen(all->revisions);
    if (!strstr(all->revisions, revision))
        snprintf(all->revisions + used, sizeof all->revisions - used, "%s%s", used ? ", " : "",
                 revision);
    if (n >= 1 && n <= DEGREES_MAX)
        stats_add(&c->at[n], &stats);
    c->n_max = n_max > c->n_max ? n_max : c->n_max;
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
static const char *kayiran_class(const struct run_stats *s)
{
    if (stats_rate(s, RATE_C_idle) > 0.20)
        return "X";
    return stats_rate(s, RATE_RACT) > 0.66 ? "C" : "M";
}

/* ---- tables ---- */

/* All that a CSV with a column `workload` says about one, joined by "; ". */
static void print_about(const char *path, const char *workload, const char *format_where)
{
    struct sheet s;
    struct err e;
    bool any = false;
    if (!sheet_open(&s, path, &e))
        return;
    while (sheet_row(&s)) {
        if (strcmp(sheet_get(&s, "workload"), workload) != 0)
            continue;
        printf("%s%s%s%s", any ? "; " : "", sheet_get(&s, "paper"),
               *sheet_get(&s, "paper") ? ": " : "", sheet_get(&s, "report"));
        if (*format_where)
            printf(format_where, sheet_get(&s, "where"));
        any = true;
    }
    free(s.text);
}

static void print_curve(const struct curve *c)
{
    const int best = optimum(c);
    const struct run_stats *most = &c->at[c->n_max];
    printf("| `%s` | %d KB | %d | %.1f | %d | %.1f | %+.0f %% | %.2f | %.2f | %s |", c->gpu,
           c->l1d_kb, c->n_max, ipc(c, c->n_max), best, ipc(c, best),
           100 * (ipc(c, best) / ipc(c, c->n_max) - 1), stats_rate(most, RATE_RACT),
           stats_rate(most, RATE_l1d_miss_rate), kayiran_class(most));
}

static void print_applications(const struct curves *all, const char *papers, const char *remarks)
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
            print_about(papers, name, "");
            if (remarks) {
                printf(". ");
                print_about(remarks, name, "");
            }
        }
        puts(" |");
        last = c->target;
    }
}

/* The growth of DRAM reads a CTA with n, beside Yen's Table 5. */
static void print_growth(const struct curves *all, const char *table5)
{
    struct sheet s;
    struct err e;
    if (!sheet_open(&s, table5, &e))
        return;
    puts("| workload | n | miss rate: paper | here | DRAM reads a CTA: paper | here | lines a CTA "
         "touches |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    while (sheet_row(&s)) {
        const char *w = sheet_get(&s, "workload");
        int n = atoi(sheet_get(&s, "ctas"));
        for (int i = 0; i < all->count; i++) {
            const struct curve *c = &all->c[i];
            if (c->l1d_kb != 8 || strcspn(c->target, ":") != strlen(w) ||
                strncmp(c->target, w, strlen(w)) != 0 || n > c->n_max)
                continue;
            printf("| `%s` | %d | %s | %.2f | %s | %.1f | %llu |\n", c->target, n,
                   sheet_get(&s, "miss_rate"), stats_rate(&c->at[n], RATE_miss_rate),
                   sheet_get(&s, "dram_reads_per_cta"),
                   stats_rate(&c->at[n], RATE_dram_reads_per_cta),
                   (unsigned long long)c->at[n].working_set_lines);
        }
    }
    free(s.text);
}

static int by_target(const void *a, const void *b)
{
    const struct curve *x = a, *y = b;
    int d = strcmp(x->target, y->target);
    d = d ? d : -strcmp(x->gpu, y->gpu); /* yen2014 first */
    return d ? d : x->l1d_kb - y->l1d_kb;
}

int main(int argc, char **argv)
{
    struct curves all = {0};
    struct sheet s;
    struct err e;
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: %s RUNS.csv PAPERS_DIR [REMARKS.csv]\n", argv[0]);
        return 2;
    }
    if (!sheet_open(&s, argv[1], &e)) {
        fprintf(stderr, "%s: %s\n", argv[0], e.msg);
        return 1;
    }
    while (sheet_row(&s))
        add_run(&all, &s);
    qsort(all.c, (size_t)all.count, sizeof *all.c, by_target);
    char *papers = xasprintf("%s/applications.csv", argv[2]);
    char *table5 = xasprintf("%s/yen2014-table5.csv", argv[2]);
    print_applications(&all, papers, argc > 3 ? argv[3] : NULL);
    putchar('\n');
    print_growth(&all, table5);
    free(table5);
    free(papers);
    free(all.c);
    free(s.text);
    return 0;
}
