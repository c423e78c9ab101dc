/* Whole programs: fewer CTAs at once can be faster. (tests/workloads runs every bundled workload,
 * tests/func and tests/bench the reference kernels.) */
#include "base/datadir.h"
#include "sim/frontend/target.h"
#include "sim/frontend/workload.h"
#include "sim/gpu/gpu.h"
#include "tests/frontend/ptx.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

struct watched {
    struct gpu *gpu; /* NULL: functional */
    int n, launches;
    struct run_stats stats;
};

static bool run_watched(void *self, struct launch *l, struct err *e)
{
    struct watched *w = self;
    struct gpu_opts o = {.n = w->n, .only_core = -1, .max_cycles = 100000000};
    bool ok = w->gpu ? gpu_launch(w->gpu, l, &o, &w->stats, e) : run_functionally(NULL, l, e);
    w->launches++;
    return ok;
}

static struct watched watch(const struct target *t, const struct gpu_cfg *cfg, int n)
{
    struct err e = {""};
    struct watched w = {.gpu = cfg ? gpu_new(cfg, &e) : NULL, .n = n};
    struct executor x = {.launch = run_watched, .self = &w};
    bool ok = target_run(t, &x, true, &e);
    if (!ok)
        printf("\n  %s at n = %d: %s\n", target_name(t), n, e.msg);
    CU_ASSERT_TRUE(ok);
    gpu_free(w.gpu);
    return w;
}

static bool load_gpu(struct gpu_cfg *cfg)
{
    struct err e = {""};
    char *data = datadir(&e);
    bool ok = data && gpu_cfg_load(cfg, data, "yen2014", &e);
    if (!ok)
        printf("\n  %s\n", e.msg);
    free(data);
    return ok;
}

/* Fewer CTAs at once keep nbf's lines in a small L1D (Yen 2014, Table 6 and Figures 13 to 15). */
static void nbf_gains_from_running_fewer_ctas(void)
{
    struct gpu_cfg cfg;
    struct err e;
    CU_ASSERT_TRUE_FATAL(load_gpu(&cfg));
    struct target *t = target_open("nbf", NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    struct watched few = watch(t, &cfg, 2), many = watch(t, &cfg, 8);
    CU_ASSERT_TRUE(few.stats.cycles * 3 < many.stats.cycles * 2);
    CU_ASSERT_TRUE(few.stats.dram_reads * 2 < many.stats.dram_reads);
    CU_ASSERT_EQUAL(few.stats.warp_insts, many.stats.warp_insts);
    target_free(t);
}

SUITE("runs", T(nbf_gains_from_running_fewer_ctas))
