/* What no coefficient within its range may bring about. */
#include "model/segmented.h"

#include <math.h>

#include "tests/suite.h"

static struct sample reading(double lines, double misses)
{
    return (struct sample){.warp_insts = 1000,
                           .thread_insts = 32000,
                           .cta_cycles = 9000,
                           .l1d_accesses = 400,
                           .l1d_misses = misses,
                           .dram_reads = misses,
                           .mf_latency = 300,
                           .reused_lines = 100,
                           .l1d_lines = lines,
                           .shared_core = 0.5,
                           .issue_cycles = 1000,
                           .mem_dep_cycles = 3000,
                           .grid_ctas = 1000,
                           .total_thread_insts = 32e6,
                           .dram_lines_per_cycle = 0.5,
                           .n_max = 8,
                           .cores = 15,
                           .schedulers = 2};
}

/* Reads that grow as steeply as the ranges allow: CTAs that share lines read more of them. */
static void no_more_accesses_miss_than_there_are(void)
{
    const struct segmented_coeff k = {
        .dr_fill = 1, .dr_refetch = 4, .dr_saturation = 2, .dr_shared = -1};
    for (int misses = 0; misses <= 400; misses += 40) {
        const struct sample s = reading(64, misses);
        struct prediction p;
        model_segmented.predict(&k, &s, &p);
        for (int n = 1; n <= 8; n++) {
            CU_ASSERT(p.miss_rate[n] >= 0 && p.miss_rate[n] <= 1 + 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(p.dram_reads_per_cta[n], 400 * p.miss_rate[n], 1e-9);
        }
        CU_ASSERT(misses == 0 || p.miss_rate[8] > 0.99);
    }
}

/* Nothing is kept, so that another CTA takes nothing away. */
static void without_an_l1d_every_access_misses(void)
{
    const struct segmented_coeff k = {.dr_fill = 1, .dr_refetch = 1, .dr_saturation = 2};
    struct sample s = reading(0, 0);
    s.l1d_accesses = 0;
    s.dram_reads = 400;
    struct prediction p;
    model_segmented.predict(&k, &s, &p);
    for (int n = 1; n <= 8; n++) {
        CU_ASSERT_EQUAL(p.miss_rate[n], 1);
        CU_ASSERT_DOUBLE_EQUAL(p.dram_reads_per_cta[n], 400, 1e-9);
    }
}

SUITE("segmented", T(no_more_accesses_miss_than_there_are), T(without_an_l1d_every_access_misses))
