/* The kernels of the reference runs, executed functionally: every check of their launch files
 * holds, and every launch executes exactly the warp and thread instructions that GPGPU-Sim counted
 * (launches.csv of data/reference). */
#include <stdio.h>
#include <string.h>

#include "sim/frontend/target.h"
#include "sim/func/run.h"
#include "tests/suite.h"

#define HOME "data/reference"

struct tally {
    struct func_counts launch[32];
    int n;
};

static bool count_launch(void *self, struct launch *l, struct err *e)
{
    struct tally *t = self;
    CU_ASSERT_FATAL(t->n < 32);
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
        if (sscanf(line, "%63[^,],%d,%*[^,],%llu,%llu", name, &launch, &threads, &warps) != 4 ||
            strcmp(name, kernel) != 0 || launch != seen)
            continue;
        CU_ASSERT_EQUAL(t->launch[seen].thread_insts, threads);
        CU_ASSERT_EQUAL(t->launch[seen].warp_insts, warps);
        seen++;
    }
    CU_ASSERT_EQUAL(seen, t->n);
    fclose(f);
}

static void run_kernel(const char *kernel, bool same_counts)
{
    char path[200];
    struct err e = {{0}};
    struct tally t = {.n = 0};
    snprintf(path, sizeof path, "%s/%s/launch.cfg", HOME, kernel);
    struct target *target = target_open(path, NULL, &e);
    bool ok = target &&
              target_run(target, &(struct executor){.launch = count_launch, .self = &t}, true, &e);
    if (!ok)
        printf("\n%s: %s\n", kernel, e.msg);
    CU_ASSERT_TRUE(ok);
    if (ok && same_counts)
        compare_counts(kernel, &t);
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
