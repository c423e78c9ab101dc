/* Scale models of GPUs: a part of the cores, and their share of what all share. */
#include "sampler/pilot/scale_model.h"

#include <math.h>

#include "tests/gpu/whole.h"

static const char *const gpus[] = {
    "yen2014",        "gpgpusim321",        "kayiran2013",        "park2015",
    "awatramani2015", "kayiran2013-mesh56", "kayiran2013-mesh110"};
#define GPUS (sizeof gpus / sizeof *gpus)

static struct gpu_cfg model_of(const struct gpu_cfg *full, int cores)
{
    struct gpu_cfg m;
    struct err e = {""};
    const bool ok = scale_model(full, cores, 1, &m, &e);
    if (!ok)
        printf("\n  %d cores: %s\n", cores, e.msg);
    CU_ASSERT_TRUE_FATAL(ok);
    return m;
}

/* Cores: 15, 56, 110; partitions 6, 8, 11. Slices are as many as the greatest common divisor of
 * partitions and clusters: 3, 8, 11. Rows and banks are those of the GPU; nothing else changes. */
static void a_slice_has_whole_partitions(void)
{
    static const struct {
        const char *gpu;
        int least, cores, partitions;
    } row[] = {{"yen2014", 1, 5, 2},
               {"gpgpusim321", 1, 5, 2},
               {"park2015", 1, 5, 2},
               {"kayiran2013-mesh56", 1, 7, 1},
               {"kayiran2013-mesh110", 1, 10, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gpu_cfg full = whole_gpu(row[i].gpu, NULL);
        CU_ASSERT_EQUAL(scale_model_least(&full), row[i].least);
        CU_ASSERT_EQUAL(scale_model_slice(&full, &sampling_or_default(NULL)->pilot), row[i].cores);
        const struct gpu_cfg m = model_of(&full, row[i].cores);
        CU_ASSERT_EQUAL(m.top.cores, row[i].cores);
        CU_ASSERT_EQUAL(m.mem.partition.count, row[i].partitions);
        CU_ASSERT_EQUAL(m.mem.model.partitions, full.mem.partition.count);
        CU_ASSERT_EQUAL(m.mem.model.flit_bytes, full.icnt.flit_bytes);
        CU_ASSERT_EQUAL(m.mem.model.header_bytes, full.icnt.header_bytes);
        CU_ASSERT_DOUBLE_EQUAL(m.mem.model.l2_cycle * full.clock.l2, full.clock.core, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(m.mem.model.flit_cycle * full.clock.icnt, full.clock.core, 1e-9);
        full.mem.model = m.mem.model;
        full.top.cores = m.top.cores;
        full.mem.partition.count = m.mem.partition.count;
        CU_ASSERT_EQUAL(memcmp(&full, &m, sizeof m), 0);
    }
}

/* 7 cores have no divisor in common with 6 partitions, nor 10 with 7: from a fifth of the cores on,
 * 2, what has 0.8 to 1.25 times whole partitions: 2 of 7 (1.7), 3 of 10 (2.1). 14 cores of clusters
 * of 4 have one that is not full. Half a GPU is more than that: 2 of 10 clusters (1.6 of 8
 * partitions), 4 of 14 (1.7 of 6), not 3 (1.3). */
static void where_none_is_smaller_it_is_from_a_fifth_on(void)
{
    static const struct {
        const char *gpu, *set[4];
        int cores;
    } row[] = {{"yen2014", {"cores=7"}, 2},
               {"yen2014", {"cores=10", "partition.count=7"}, 3},
               {"yen2014", {"cores=14", "cluster_size=4"}, 4},
               {"yen2014", {"cores=21", "cluster_size=3", "partition.count=5"}, 9},
               {"yen2014", {"cores=2", "partition.count=1"}, 1},
               {"yen2014", {"cores=1"}, 1},
               {"yen2014", {"cores=3", "cluster_size=8"}, 3},
               {"kayiran2013", {NULL}, 6},
               {"awatramani2015", {NULL}, 4}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct gpu_cfg full = whole_gpu(row[i].gpu, row[i].set);
        CU_ASSERT_EQUAL(scale_model_slice(&full, &sampling_or_default(NULL)->pilot), row[i].cores);
        CU_ASSERT_TRUE(scale_model_least(&full) <= row[i].cores);
        struct gpu_cfg m =
            model_of(&full, scale_model_slice(&full, &sampling_or_default(NULL)->pilot));
        struct err e = {""};
        struct gpu *g = gpu_new(&m, &e);
        CU_ASSERT_PTR_NOT_NULL(g);
        gpu_free(g);
    }
}

static void all_cores_are_the_gpu_itself(void)
{
    for (size_t i = 0; i < GPUS; i++) {
        const struct gpu_cfg full = whole_gpu(gpus[i], NULL);
        const struct gpu_cfg m = model_of(&full, full.top.cores);
        CU_ASSERT_EQUAL(memcmp(&full, &m, sizeof m), 0);
    }
}

/* 1 of 15 cores: 6 / 15 of a partition. Chips: 0.8 of one, so one at 0.8 of 924 MHz, 739. Row
 * timings take 0.8 of the cycles: 12 -> 10, 28 -> 22, 40 -> 32. An activate every 6 / 0.4 cycles of
 * 924 MHz, 12 of 739. 6.4 banks: 8, one bit less, so that the rows begin a bit lower. */
static void one_core_has_its_share_by_hand(void)
{
    const char *const l2[] = {"l2.enabled=true", NULL};
    const struct gpu_cfg full = whole_gpu("yen2014", l2), m = model_of(&full, 1);
    const struct dram_cfg *d = &m.mem.dram;
    CU_ASSERT_EQUAL(m.top.cores, 1);
    CU_ASSERT_EQUAL(m.mem.partition.count, 1);
    CU_ASSERT_EQUAL(d->chips, 1);
    CU_ASSERT_EQUAL(m.clock.dram, 739);
    CU_ASSERT(d->tRCD == 10 && d->tRP == 10 && d->tRAS == 22 && d->tRC == 32 && d->tCL == 10);
    CU_ASSERT_EQUAL(d->tRRD, 12);
    CU_ASSERT_EQUAL(d->banks, 8);
    CU_ASSERT_EQUAL(d->row_bit, full.mem.dram.row_bit - 1);
    CU_ASSERT_EQUAL(d->queue, 6);     /* 0.4 * 16 */
    CU_ASSERT_EQUAL(m.clock.l2, 280); /* 0.4 * 700 */
    CU_ASSERT_EQUAL(m.clock.icnt, 560);
    CU_ASSERT_EQUAL(m.mem.l2.ways, 6); /* 0.4 * 16 */
    CU_ASSERT_EQUAL(m.mem.l2.size, 6 * 8192);
    CU_ASSERT_EQUAL(m.clock.core, full.clock.core); /* latencies stay */
    CU_ASSERT_EQUAL(m.mem.partition.rop_latency, full.mem.partition.rop_latency);
    CU_ASSERT_EQUAL(d->latency, full.mem.dram.latency);
    CU_ASSERT_EQUAL(memcmp(&m.sm, &full.sm, sizeof m.sm), 0);
    CU_ASSERT_EQUAL(memcmp(&m.mem.l1d, &full.mem.l1d, sizeof m.mem.l1d), 0);
}

static double mbytes_a_second(const struct gpu_cfg *c)
{
    const struct dram_cfg *d = &c->mem.dram;
    return (double)c->mem.partition.count * d->chips * d->bus_bytes * d->data_rate * c->clock.dram;
}

/* A clock is a whole number of MHz. */
static void has_its_share_of_bandwidth(const struct gpu_cfg *full, const struct gpu_cfg *m)
{
    const double part = (double)m->top.cores / full->top.cores;
    CU_ASSERT_DOUBLE_EQUAL(mbytes_a_second(m) / mbytes_a_second(full) / part, 1,
                           0.5001 / m->clock.dram);
}

/* Half a cycle of the slower clock is rounded, and what that clock is rounded by. */
static void keeps_its_row_timings(const struct gpu_cfg *full, const struct gpu_cfg *m)
{
    const struct dram_cfg *a = &full->mem.dram, *b = &m->mem.dram;
    const int before[] = {a->tRCD, a->tRAS, a->tRP, a->tRC, a->tCL, a->tWL, a->tCDLR, a->tWR};
    const int after[] = {b->tRCD, b->tRAS, b->tRP, b->tRC, b->tCL, b->tWL, b->tCDLR, b->tWR};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const double us = (double)before[i] / full->clock.dram;
        const double cycles = us * m->clock.dram, off = 0.5001 + us * 0.5;
        CU_ASSERT_TRUE(fabs(after[i] - cycles) <= off || (after[i] == 1 && cycles < 1));
    }
}

/* In proportion but for half a way of each partition; one way at least. */
static void has_its_share_of_l2(const struct gpu_cfg *full, const struct gpu_cfg *m)
{
    const struct cache_cfg *a = &full->mem.l2, *b = &m->mem.l2;
    const double way = (double)a->size / a->ways;
    const double want = (double)full->mem.partition.count * a->ways * m->top.cores /
                        full->top.cores / m->mem.partition.count;
    CU_ASSERT_EQUAL((double)b->size / b->ways, way); /* as many sets */
    CU_ASSERT_TRUE(fabs(b->ways - want) <= 0.5001 || (b->ways == 1 && want < 1));
}

static void every_bundled_gpu_can_be_built_at_every_size(void)
{
    for (size_t i = 0; i < GPUS; i++) {
        const struct gpu_cfg full = whole_gpu(gpus[i], NULL);
        const int least = scale_model_least(&full);
        for (int cores = least; cores <= full.top.cores; cores += least) {
            struct err e = {""};
            const struct gpu_cfg m = model_of(&full, cores);
            struct gpu *g = gpu_new(&m, &e);
            if (!g)
                printf("\n  %s, %d cores: %s\n", gpus[i], cores, e.msg);
            CU_ASSERT_PTR_NOT_NULL(g);
            gpu_free(g);
            CU_ASSERT_EQUAL(m.top.cores, cores);
            has_its_share_of_bandwidth(&full, &m);
            keeps_its_row_timings(&full, &m);
            has_its_share_of_l2(&full, &m);
        }
    }
}

/* A kernel that uses memory in every way runs on the smallest of them. */
static void a_program_runs_on_the_least(void)
{
    for (size_t i = 0; i < GPUS; i += SANITIZED ? 3 : 1) {
        const struct gpu_cfg full = whole_gpu(gpus[i], NULL);
        const struct gpu_cfg m = model_of(&full, scale_model_least(&full));
        const struct whole w = whole_run("histogram", &m, NULL); /* its results are verified */
        CU_ASSERT_TRUE(w.stats.cycles > 0);
    }
}

static void what_cannot_be_built_is_an_error(void)
{
    struct gpu_cfg full = whole_gpu("yen2014", NULL), m;
    struct err e = {""};
    full.mem.l1d.size = 1000; /* no whole number of lines */
    CU_ASSERT_FALSE(scale_model(&full, 5, 1, &m, &e));
    CU_ASSERT_NOT_EQUAL(*e.msg, 0);
}

SUITE("scale model", T(a_slice_has_whole_partitions),
      T(where_none_is_smaller_it_is_from_a_fifth_on), T(all_cores_are_the_gpu_itself),
      T(one_core_has_its_share_by_hand), T(every_bundled_gpu_can_be_built_at_every_size),
      T(a_program_runs_on_the_least), T(what_cannot_be_built_is_an_error))
