/* The kernels of the reference runs, executed functionally: every check of their launch files
 * holds, every launch executes exactly the warp and thread instructions that GPGPU-Sim counted
 * (launches.csv of data/reference), and as many CTAs fit on a core (kernels.csv). */
#include <stdio.h>
#include <string.h>

#include "base/csv_table.h"
#include "sim/frontend/target.h"
#include "sim/func/run.h"
#include "sim/gpu/gpu.h"
#include "tests/suite.h"

#define HOME "data/reference"

struct shape { /* as kernels.csv writes it */
    char entry[64], grid[40], block[40];
    int fit; /* CTAs on a core */
};

struct tally {
    struct gpu_cfg cfg;
    struct func_counts launch[32];
    struct shape shape[32];
    int n;
};

static void name_size(const int size[3], char out[40])
{
    snprintf(out, 40, "%dx%dx%d", size[0], size[1], size[2]);
}

static struct shape shape_of(const struct gpu_cfg *cfg, const struct launch *l)
{
    struct shape s;
    enum occ_limit why;
    snprintf(s.entry, sizeof s.entry, "%s", l->kernel->name);
    name_size(l->grid, s.grid);
    name_size(l->block, s.block);
    s.fit = gpu_occupancy(cfg, l, &why);
    return s;
}

static bool count_launch(void *self, struct launch *l, struct err *e)
{
    struct tally *t = self;
    CU_ASSERT_FATAL(t->n < 32);
    if (!launch_init(l, e))
        return false;
    t->shape[t->n] = shape_of(&t->cfg, l);
    return func_run(l, NULL, &t->launch[t->n++], e);
}

/* Compares launch by launch. */
static void compare_counts(const char *kernel, const struct tally *t)
{
    FILE *f = fopen(HOME "/launches.csv", "r");
    char line[1000], name[64];
    int seen = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    while (seen < t->n && fgets(line, sizeof line, f)) {
        int launch;
        unsigned long long threads, warps;
        if (sscanf(line, "%63[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%d,%*[^,],%*[^,],%llu,%llu",
                   name, &launch, &threads, &warps) != 4 ||
            strcmp(name, kernel) != 0 || launch != seen)
            continue;
        CU_ASSERT_EQUAL(t->launch[seen].thread_insts, threads);
        CU_ASSERT_EQUAL(t->launch[seen].warp_insts, warps);
        seen++;
    }
    CU_ASSERT_EQUAL(seen, t->n);
    fclose(f);
}

static const char *cell(const struct csv_table *t, int row, const char *name)
{
    return csv_text(t, row, csv_find(t, name));
}

/* Rows are in the order of first launches, each of as many as `launches` says. */
static void compare_shapes(const char *kernel, const struct tally *tally)
{
    struct err e;
    struct csv_table *t = csv_load(HOME "/kernels.csv", &e);
    int at = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    for (int row = 0; row < csv_rows(t); row++) {
        if (strcmp(cell(t, row, "kernel"), kernel) != 0)
            continue;
        for (int left = atoi(cell(t, row, "launches")); left > 0; left--, at++) {
            CU_ASSERT_FATAL(at < tally->n);
            CU_ASSERT_STRING_EQUAL(tally->shape[at].entry, cell(t, row, "entry"));
            CU_ASSERT_STRING_EQUAL(tally->shape[at].grid, cell(t, row, "grid"));
            CU_ASSERT_STRING_EQUAL(tally->shape[at].block, cell(t, row, "block"));
            CU_ASSERT_EQUAL(tally->shape[at].fit, atoi(cell(t, row, "limit_with_8_slots")));
        }
    }
    CU_ASSERT_EQUAL(at, tally->n);
    csv_table_free(t);
}

static void run_kernel(const char *kernel, bool same_counts)
{
    char path[200];
    struct err e = {{0}};
    struct tally t = {.n = 0};
    CU_ASSERT_TRUE_FATAL(gpu_cfg_load(&t.cfg, "data", "gpgpusim321", &e));
    snprintf(path, sizeof path, "%s/%s/launch.cfg", HOME, kernel);
    struct target *target = target_open(path, NULL, &e);
    bool ok = target &&
              target_run(target, &(struct executor){.launch = count_launch, .self = &t}, true, &e);
    if (!ok)
        printf("\n%s: %s\n", kernel, e.msg);
    CU_ASSERT_TRUE(ok);
    if (ok && same_counts)
        compare_counts(kernel, &t);
    if (ok)
        compare_shapes(kernel, &t);
    target_free(target);
}

#define KERNEL_TEST(name, same)  \
    static void name(void)       \
    {                            \
        run_kernel(#name, same); \
    }
KERNEL_TEST(vecadd, true)
KERNEL_TEST(strided, true)
KERNEL_TEST(reuse2k, true)
KERNEL_TEST(reuse8k, true)
KERNEL_TEST(nbrloc, true)
KERNEL_TEST(csr, true)
KERNEL_TEST(bfs, false) /* threads race for vertices: how many store depends on the order */
KERNEL_TEST(mmtile, true)
KERNEL_TEST(stencil, true)
KERNEL_TEST(histo, true)
KERNEL_TEST(divtail, true)
KERNEL_TEST(heavy, true)
KERNEL_TEST(chase, true)
KERNEL_TEST(spill, true)

SUITE("reference kernels", T(vecadd), T(strided), T(reuse2k), T(reuse8k), T(nbrloc), T(csr), T(bfs),
      T(mmtile), T(stencil), T(histo), T(divtail), T(heavy), T(chase), T(spill))
