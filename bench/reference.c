#include "bench/reference.h"

#include "base/pool.h"
#include "bench/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Splits one line at its commas, in place. */
static int split(char *line, char **field, int max)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *p = line; p && n < max; n++) {
        field[n] = p;
        p = strchr(p, ',');
        if (p)
            *p++ = '\0';
    }
    return n;
}

#define MAX_FIELDS 80

struct columns {
    char header[4096];
    char *name[MAX_FIELDS];
    int count;
};

static const char *cell(const struct columns *c, char **field, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->name[i], name) == 0)
            return field[i];
    return NULL;
}

static double number(const struct columns *c, char **field, const char *name)
{
    const char *s = cell(c, field, name);
    return s ? strtod(s, NULL) : 0.0;
}

static void fill(const struct columns *c, char **f, struct reference *r)
{
    memset(r, 0, sizeof *r);
    snprintf(r->kernel, sizeof r->kernel, "%s", cell(c, f, "kernel"));
    snprintf(r->l2, sizeof r->l2, "%s", cell(c, f, "l2"));
    snprintf(r->scheduler, sizeof r->scheduler, "%s", cell(c, f, "scheduler"));
    r->cores = (int)number(c, f, "cores");
    r->n = (int)number(c, f, "n");
    r->l1d_kb = (int)number(c, f, "l1d_kb");
    r->cycles = number(c, f, "cycles");
    r->thread_insts = number(c, f, "thread_insn");
    r->warp_insts = number(c, f, "warp_insn");
    r->ipc = number(c, f, "ipc");
    r->l1d_accesses = number(c, f, "l1d_accesses");
    r->l1d_misses = number(c, f, "l1d_misses");
    r->dram_reads = number(c, f, "dram_reads");
    /* all samples; a lower bound with the L2 on, where the windowed mean is used instead */
    r->latency = number(c, f, strcmp(r->l2, "on") ? "avg_mf_latency_by_bank" : "avg_mf_latency");
    r->cpu_s = number(c, f, "cpu_s");
}

struct reference *reference_load(const char *dir, const char *kernel, int *count, struct err *e)
{
    char *path = xasprintf("%s/results.csv", dir);
    FILE *f = fopen(path, "r");
    struct columns *c = xcalloc(1, sizeof *c);
    struct reference *rows = NULL;
    *count = 0;
    if (!f || !fgets(c->header, sizeof c->header, f))
        err_set(e, "%s: cannot read the reference runs", path);
    else {
        char line[4096], *field[MAX_FIELDS];
        c->count = split(c->header, c->name, MAX_FIELDS);
        while (fgets(line, sizeof line, f)) {
            if (split(line, field, MAX_FIELDS) != c->count ||
                (kernel && strcmp(cell(c, field, "kernel"), kernel)))
                continue;
            rows = xrealloc(rows, (size_t)(*count + 1) * sizeof *rows);
            fill(c, field, &rows[(*count)++]);
        }
        if (!rows)
            err_set(e, "%s: no row of %s", path, kernel ? kernel : "any kernel");
    }
    if (f)
        fclose(f);
    free(c);
    free(path);
    return rows;
}

static bool run_row(const char *dir, const struct gpu_cfg *base, struct reference *row,
                    struct err *e)
{
    struct gpu_cfg cfg = *base;
    cfg.top.cores = row->cores;
    cfg.mem.l1d.size = row->l1d_kb * 1024;
    cfg.mem.l2.enabled = strcmp(row->l2, "on") == 0;
    snprintf(cfg.sm.warp_scheduler, sizeof cfg.sm.warp_scheduler, "%s", row->scheduler);
    char *path = xasprintf("%s/%s/launch.cfg", dir, row->kernel);
    const bool ok = simulate(path, &cfg, row->n, &row->ours, &row->host_s, e);
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

int reference_main(int argc, char **argv, int threads, struct reference_set *out)
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
        fprintf(stderr, "usage: %s [-k KERNEL] [-r] REFERENCE_DIR DATA_DIR\n", argv[0]);
        return 2;
    }
    struct err e;
    struct gpu_cfg cfg;
    const char *dir = argv[optind];
    out->data = argv[optind + 1];
    out->row = reference_load(dir, kernel, &out->count, &e);
    if (out->row && gpu_cfg_load(&cfg, out->data, "gpgpusim321", &e) &&
        reference_run(dir, &cfg, out->row, out->count, threads, &e))
        return 0;
    fprintf(stderr, "%s: %s\n", argv[0], e.msg);
    free(out->row);
    return 1;
}
