/* Every bundled GPU computes what it should and is empty in the end; what the papers' tables imply
 * for each. */
#include "tests/gpu/whole.h"

#include <glob.h>

static void every_bundled_gpu_runs_vecadd_and_is_empty_in_the_end(void)
{
    struct err e = {""};
    char *data = datadir(&e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    char *pattern = xasprintf("%s/gpus/*.cfg", data);
    glob_t g;
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &g), 0);
    const struct whole plain = whole_run("vecadd", NULL, NULL);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        const struct gpu_cfg cfg = whole_gpu(g.gl_pathv[i], NULL);
        const struct whole timed = whole_run("vecadd", &cfg, NULL);
        CU_ASSERT_EQUAL(timed.hash, plain.hash);
        CU_ASSERT_EQUAL(timed.stats.ctas, 320);
    }
    CU_ASSERT_TRUE(g.gl_pathc >= 7);
    globfree(&g);
    free(pattern);
    free(data);
}

/* Bytes a second = partitions x chips x bus x data rate x command clock. */
static double gigabytes(const char *name)
{
    const struct gpu_cfg c = whole_gpu(name, NULL);
    const struct dram_cfg *d = &c.mem.dram;
    return 1e-3 * c.mem.partition.count * d->chips * d->bus_bytes * d->data_rate * c.clock.dram;
}

static void dram_bandwidth_is_the_papers(void)
{
    CU_ASSERT_DOUBLE_EQUAL(gigabytes("park2015"), 177.4, 0.05);     /* Park, Table 1 */
    CU_ASSERT_DOUBLE_EQUAL(gigabytes("awatramani2015"), 144, 0.05); /* chip table */
    CU_ASSERT_DOUBLE_EQUAL(gigabytes("kayiran2013"), 102.4, 0.05);  /* Quadro FX 5800 */
    CU_ASSERT_DOUBLE_EQUAL(gigabytes("yen2014"), 177.4, 0.05);
}

/* SP lanes x 2 operations x clock: Awatramani's chip table says 1000 GFLOP/s. */
static void lanes_give_the_tesla_its_peak(void)
{
    const struct gpu_cfg c = whole_gpu("awatramani2015", NULL);
    const double peak = 2e-3 * c.top.cores * c.sm.sp_units * c.sm.simd_width * c.clock.core;
    CU_ASSERT_DOUBLE_EQUAL(peak, 1000, 31);
}

static void park_has_a_larger_l1d_as_well(void)
{
    const char *const larger[] = {"l1d.size=49152", "l1d.ways=6", NULL};
    const struct gpu_cfg c = whole_gpu("park2015", larger);
    const struct whole w = whole_run("nbf", &c, NULL);
    const struct gpu_cfg small = whole_gpu("park2015", NULL);
    CU_ASSERT_TRUE(w.stats.l1d_misses < whole_run("nbf", &small, NULL).stats.l1d_misses);
}

/* Kayiran's lines are 64 bytes: a warp's 128 bytes are two requests, and DRAM reads 64 at a time.
 */
static void kayirans_lines_are_short(void)
{
    const struct gpu_cfg c = whole_gpu("kayiran2013", NULL);
    const struct whole w = whole_run("vecadd", &c, NULL);
    CU_ASSERT_EQUAL(w.stats.l1d_accesses, 20480 / 16 * 2);
    CU_ASSERT_EQUAL(w.stats.l1d_misses, w.stats.l1d_accesses);
    CU_ASSERT_EQUAL(w.stats.l1d_write_accesses, 20480 / 16);
}

static void contradictions_of_lines_are_refused(void)
{
    struct gpu_cfg c = whole_gpu("kayiran2013", NULL);
    struct err e;
    c.sm.bypass_segment = 128;
    CU_ASSERT_FALSE(gpu_cfg_check(&c, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "bypass_segment"));
    c.sm.bypass_segment = 64;
    c.mem.l1i.line = 128;
    CU_ASSERT_FALSE(gpu_cfg_check(&c, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "l1i.line"));
}

static void perturbations_leave_a_latency(void)
{
    static const int want[3][6] = {{0, 1, 2, 3, 4, 5}, {0, 1, -1, 2, 3, 4}, {0, 1, -1, 2, -2, 3}};
    for (int latency = 0; latency < 3; latency++)
        for (int i = 0; i < 6; i++) {
            struct gpu_cfg cfg = {.clock = {.core = 700, .icnt = 1400, .l2 = 700},
                                  .mem.partition.rop_latency = latency};
            CU_ASSERT_EQUAL(gpu_cfg_perturbation(&cfg, i), want[latency][i]);
            gpu_cfg_perturb(&cfg, want[latency][i]);
            CU_ASSERT_EQUAL(cfg.mem.partition.rop_latency, latency + want[latency][i]);
        }
}

/* Of every bundled GPU no two are the same: some of its degrees take other times. */
static void perturbations_differ_on_every_gpu(void)
{
    static const char *const names[] = {"yen2014", "kayiran2013", "awatramani2015", "park2015"};
    for (size_t g = 0; g < sizeof names / sizeof *names; g++) {
        uint64_t cycles[GPU_CFG_PERTURBATIONS + 1][4];
        for (int i = 0; i <= GPU_CFG_PERTURBATIONS; i++) {
            struct gpu_cfg cfg = whole_gpu(names[g], NULL);
            gpu_cfg_perturb(&cfg, gpu_cfg_perturbation(&cfg, i));
            for (int n = 0; n < 4; n++) {
                const struct gpu_opts o = {.n = n + 1};
                cycles[i][n] = whole_run("vecadd", &cfg, &o).stats.cycles;
            }
            for (int k = 0; k < i; k++)
                CU_ASSERT_TRUE(memcmp(cycles[i], cycles[k], sizeof *cycles) != 0);
        }
    }
}

SUITE("bundled GPUs", T(perturbations_leave_a_latency), T(perturbations_differ_on_every_gpu),
      T(every_bundled_gpu_runs_vecadd_and_is_empty_in_the_end), T(dram_bandwidth_is_the_papers),
      T(lanes_give_the_tesla_its_peak), T(park_has_a_larger_l1d_as_well),
      T(kayirans_lines_are_short), T(contradictions_of_lines_are_refused))
