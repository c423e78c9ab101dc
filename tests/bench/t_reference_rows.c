/* The reference runs of GPGPU-Sim 3.2.1 on our simulator: every row has its cycles and counts, and
 * each of its launches its cycles. All
 * 448 rows are half a minute of CPU time; with sanitizers every 33rd: each of the 14 kernels, all
 * with other settings. */
#include "base/datadir.h"
#include "bench/reference.h"
#include "tests/suite.h"

#define EVERY (SANITIZED ? 33 : 1)

static bool launches_equal(const struct reference *r)
{
    double sum = 0;
    bool ok = r->launches > 0;
    for (int i = 0; i < r->launches; i++) {
        ok &= r->our_launch_cycles[i] == r->launch_cycles[i];
        sum += r->launch_cycles[i];
    }
    return ok && sum == r->cycles;
}

static bool equal(const struct reference *r)
{
    const struct run_stats *s = &r->ours;
    return launches_equal(r) && (double)s->cycles == r->cycles &&
           (double)s->warp_insts == r->warp_insts && (double)s->thread_insts == r->thread_insts &&
           (double)s->l1d_accesses == r->l1d_accesses && (double)s->l1d_misses == r->l1d_misses &&
           (double)(s->dram_reads + s->dram_inst_reads + s->dram_const_reads) == r->dram_reads;
}

static void every_row_is_equal_to_the_cycle(void)
{
    struct err e = {""};
    struct gpu_cfg cfg;
    int rows, run = 0;
    char *data = datadir(&e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    char *dir = xasprintf("%s/reference", data);
    struct reference *row = reference_load(dir, NULL, &rows, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    CU_ASSERT_TRUE_FATAL(gpu_cfg_load(&cfg, data, "gpgpusim321", &e));
    CU_ASSERT_EQUAL(rows, 448);
    for (int i = 0; i < rows; i += EVERY, run++) {
        struct reference *r = &row[i];
        const bool ok = reference_run(dir, &cfg, r, 1, 1, &e);
        CU_ASSERT_TRUE(ok);
        CU_ASSERT_TRUE(ok && equal(r));
        if (!ok)
            printf("\n  %s\n", e.msg);
        else if (!equal(r))
            printf("\n  %s, %d cores, n = %d, %d KB, L2 %s, %s: %.0f cycles, GPGPU-Sim %.0f\n",
                   r->kernel, r->cores, r->n, r->l1d_kb, r->l2, r->scheduler,
                   (double)r->ours.cycles, r->cycles);
    }
    CU_ASSERT_EQUAL(run, SANITIZED ? 14 : 448);
    free(row);
    free(dir);
    free(data);
}

SUITE("reference rows", T(every_row_is_equal_to_the_cycle))
