#include "bench/reference.h"

#include "base/csv_table.h"
#include "base/pool.h"
#include "bench/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *cell(const struct csv_table *t, int row, const char *name)
{
    int column = csv_find(t, name);
    return column < 0 ? "" : csv_text(t, row, column);
}

/* 0 where there is none. */
static double number(const struct csv_table *t, int row, const char *name)
{
    return strtod(cell(t, row, name), NULL);
}

static void fill(const struct csv_table *t, int i, struct reference *r)
{
    memset(r, 0, sizeof *r);
    snprintf(r->kernel, sizeof r->kernel, "%s", cell(t, i, "kernel"));
    snprintf(r->l2, sizeof r->l2, "%s", cell(t, i, "l2"));
    snprintf(r->scheduler, sizeof r->scheduler, "%s", cell(t, i, "scheduler"));
    r->cores = (int)number(t, i, "cores");
    r->n = (int)number(t, i, "n");
    r->l1d_kb = (int)number(t, i, "l1d_kb");
    r->cycles = number(t, i, "cycles");
    r->thread_insts = number(t, i, "thread_insn");
    r->warp_insts = number(t, i, "warp_insn");
    r->ipc = number(t, i, "ipc");
    r->l1d_accesses = number(t, i, "l1d_accesses");
    r->l1d_misses = number(t, i, "l1d_misses");
    r->dram_reads = number(t, i, "dram_reads");
    /* all samples; a lower bound with the L2 on, where the windowed mean is used instead */
    r->latency = number(t, i, strcmp(r->l2, "on") ? "avg_mf_latency_by_bank" : "avg_mf_latency");
    r->cpu_s = number(t, i, "cpu_s");
}

static void add_launch(const struct reference *launch, struct reference *rows, int count)
{
    for (int i = 0; i < count; i++)
        if (reference_same_setting(launch, &rows[i]) && launch->n == rows[i].n &&
            rows[i].launches < SIMULATION_LAUNCHES)
            rows[i].launch_cycles[rows[i].launches++] = launch->cycles;
}

/* A row of it is a launch of one of results.csv: it has the same columns, and fewer. */
static bool fill_launches(const char *dir, struct reference *rows, int count, struct err *e)
{
    char *path = xasprintf("%s/launches.csv", dir);
    struct csv_table *t = csv_load(path, e);
    const bool ok = t;
    for (int i = 0; t && i < csv_rows(t); i++) {
        struct reference launch;
        fill(t, i, &launch);
        add_launch(&launch, rows, count);
    }
    csv_table_free(t);
    free(path);
    return ok;
}

struct reference *reference_load(const char *dir, const char *kernel, int *count, struct err *e)
{
    char *path = xasprintf("%s/results.csv", dir);
    struct csv_table *t = csv_load(path, e);
    struct reference *rows = NULL;
    *count = 0;
    for (int i = 0; t && i < csv_rows(t); i++) {
        if (kernel && strcmp(cell(t, i, "kernel"), kernel))
            continue;
        rows = xrealloc(rows, (size_t)(*count + 1) * sizeof *rows);
        fill(t, i, &rows[(*count)++]);
    }
    if (t && !rows)
        err_set(e, "%s: no row of %s", path, kernel ? kernel : "any kernel");
    csv_table_free(t);
    free(path);
    if (rows && !fill_launches(dir, rows, *count, e)) {
        free(rows);
        return NULL;
    }
    return rows;
}

void reference_cfg(const struct reference *row, struct gpu_cfg *cfg)
{
    cfg->top.cores = row->cores;
    cfg->mem.l1d.size = row->l1d_kb * 1024;
    cfg->mem.l2.enabled = strcmp(row->l2, "on") == 0;
    snprintf(cfg->sm.warp_scheduler, sizeof cfg->sm.warp_scheduler, "%s", row->scheduler);
}

bool reference_same_setting(const struct reference *a, const struct reference *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && a->cores == b->cores && a->l1d_kb == b->l1d_kb &&
           strcmp(a->l2, b->l2) == 0 && strcmp(a->scheduler, b->scheduler) == 0;
}

static bool run_row(const char *dir, const struct gpu_cfg *base, struct reference *row,
                    struct err *e)
{
    struct gpu_cfg cfg = *base;
    reference_cfg(row, &cfg);
    char *path = xasprintf("%s/%s/launch.cfg", dir, row->kernel);
    struct simulation one;
    const bool ok = simulate(path, &cfg, row->n, &one, e);
    row->ours = one.total;
    row->host_s = one.seconds;
    for (int i = 0; ok && i < row->launches; i++)
        row->our_launch_cycles[i] =
            (double)(one.after[i].cycles - (i ? one.after[i - 1].cycles : 0));
    free(path);
    return ok;
}

struct batch {
    const char *dir;
    const struct gpu_cfg *base;
    struct reference *rows;
};

static bool run_job(void *user, int i, struct err *e)
{
    struct batch *b = user;
    struct reference *r = &b->rows[i];
    return run_row(b->dir, b->base, r, e) ||
           err_prefix(e, "%.32s, %d cores, n = %d", r->kernel, r->cores, r->n);
}

bool reference_run(const char *dir, const struct gpu_cfg *base, struct reference *rows, int count,
                   int threads, struct err *e)
{
    struct batch b = {.dir = dir, .base = base, .rows = rows};
    return pool_run(threads, count, run_job, &b, e);
}

int reference_open(int argc, char **argv, const char *with, struct reference_set *out)
{
    const char *kernel = NULL;
    bool usage = false;
    *out = (struct reference_set){0};
    for (int c; (c = getopt(argc, argv, "k:r")) != -1;) {
        if (c == 'k')
            kernel = optarg;
        else if (c == 'r')
            out->each = true;
        else
            usage = true;
    }
    if (usage || argc - optind != 2) {
        fprintf(stderr, "usage: %s [-k KERNEL] [-r] REFERENCE_DIR %s\n", argv[0], with);
        return 2;
    }
    struct err e;
    out->dir = argv[optind];
    out->with = argv[optind + 1];
    out->row = reference_load(out->dir, kernel, &out->count, &e);
    if (out->row)
        return 0;
    fprintf(stderr, "%s: %s\n", argv[0], e.msg);
    return 1;
}
