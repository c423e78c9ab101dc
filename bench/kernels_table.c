/* kernels_table.c -- the bundled kernels beside what Park's Table 2 and Kayiran's text state of
 * theirs, from `mdpredict list workloads --csv` and from `mdpredict disasm --points --csv` behind a
 * first column workload: kernels_table KERNELS.csv POINTS.csv PAPERS_DIR */
#include "base/csv_table.h"
#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *cell(const struct csv_table *t, int row, const char *column)
{
    const int c = csv_find(t, column);
    return row < 0 || c < 0 ? "" : csv_text(t, row, c);
}

/* The first row of a workload's kernel, or of a workload; -1: there is none. */
static int find(const struct csv_table *t, const char *workload, const char *kernel)
{
    for (int i = 0; i < csv_rows(t); i++)
        if (!strcmp(cell(t, i, "workload"), workload) &&
            (!kernel || !strcmp(cell(t, i, "kernel"), kernel)))
            return i;
    return -1;
}

static int count(const struct csv_table *t, const char *column, const char *workload)
{
    int n = 0;
    for (int i = 0; i < csv_rows(t); i++)
        n += !strcmp(cell(t, i, column), workload);
    return n;
}

/* "3, paper: 4": the paper counts others than we have. */
static void print_kernel_count(const struct csv_table *kernels, const struct csv_table *park,
                               const char *workload)
{
    const int ours = count(kernels, "name", workload), theirs = count(park, "workload", workload);
    if (theirs && theirs != ours)
        printf("| %d; paper: %d ", ours, theirs);
    else
        printf("| %d ", ours);
}

enum { KERNELS, POINTS, PARK, KAYIRAN, TABLES };

static void print_kernel(struct csv_table *const *t, int row, bool first)
{
    const char *name = cell(t[KERNELS], row, "name"), *kernel = cell(t[KERNELS], row, "kernel");
    const int park = find(t[PARK], name, kernel);
    if (first) {
        printf("| `%s` ", name);
        print_kernel_count(t[KERNELS], t[PARK], name);
    } else {
        printf("| | ");
    }
    printf("| `%s` | %s | %s | %s | %s | %s ", kernel, cell(t[KERNELS], row, "threads"),
           cell(t[KERNELS], row, "registers"), cell(t[KERNELS], row, "shared_bytes"),
           cell(t[KERNELS], row, "n_max"),
           first ? cell(t[KAYIRAN], find(t[KAYIRAN], name, NULL), "n") : "");
    printf("| %s | %s | %s |\n", cell(t[POINTS], find(t[POINTS], name, kernel), "program_points"),
           cell(t[PARK], park, "points"), cell(t[PARK], park, "paper_kernel"));
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s KERNELS.csv POINTS.csv PAPERS_DIR\n", argv[0]);
        return 2;
    }
    struct err e;
    struct csv_table *t[TABLES] = {0};
    char *path[TABLES] = {argv[1], argv[2], xasprintf("%s/park2015-table2.csv", argv[3]),
                          xasprintf("%s/kayiran2013-n.csv", argv[3])};
    bool ok = true;
    for (int i = 0; ok && i < TABLES; i++)
        ok = (t[i] = csv_load(path[i], &e)) != NULL;
    if (ok)
        puts("| workload | kernels | kernel | threads | registers | shared bytes | max. n | "
             "Kayiran: N | program points | Park: points | Park: kernel |\n"
             "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    else
        fprintf(stderr, "%s: %s\n", argv[0], e.msg);
    for (int i = 0; ok && i < csv_rows(t[KERNELS]); i++) {
        const char *name = cell(t[KERNELS], i, "name");
        print_kernel(t, i, i == 0 || strcmp(name, cell(t[KERNELS], i - 1, "name")) != 0);
    }
    for (int i = 0; i < TABLES; i++)
        csv_table_free(t[i]);
    free(path[PARK]);
    free(path[KAYIRAN]);
    return ok ? 0 : 1;
}
