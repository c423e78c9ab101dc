/* What executing a CTA tells, beside what simulating it measures. */
#include <string.h>

#include "sampler/sampler.h"
#include "tests/gpu/whole.h"

static struct sample_set taken(const char *name, const char *const *settings)
{
    struct sample_set s;
    struct err e = {""};
    struct gpu_cfg cfg = whole_gpu("yen2014", settings);
    struct sampler_opts o = {.cta = -1};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE_FATAL(sampler_run(t, &cfg, &o, &s, &e));
    target_free(t);
    return s;
}

static double sum(const double *v)
{
    double all = 0;
    for (int i = 0; i < BUCKETS; i++)
        all += v[i];
    return all;
}

static double sum_of_classes(const struct sample *k)
{
    double all = 0;
    for (const struct sample_row *r = sample_rows; r->name; r++)
        if (strncmp(r->name, "insts_", 6) == 0)
            all += sample_value(k, r);
    return all;
}

/* Regular and irregular kernels, with stores to lines that are loaded again (cp, euler), local
 * arrays, shared memory and textures: as many requests as the simulated core sends to its L1D, and
 * as many instructions. bfs is left out: how many its CTA executes depends on when its warps see
 * what others wrote. */
static void requests_and_instructions_are_the_simulators(void)
{
    static const char *const names[] = {"vecadd", "nbf",    "spmv", "euler", "cp",
                                        "matmul", "moldyn", "pvc",  "fft",   "tests/data/textures"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sample_set s = taken(names[i], NULL);
        for (int n = 0; n < s.nkernels; n++) {
            const struct sample *k = &s.kernel[n];
            if (k->reuse_accesses != k->l1d_accesses || sum_of_classes(k) != k->warp_insts)
                printf("\n  %s\n", k->kernel);
            CU_ASSERT_EQUAL(k->reuse_accesses, k->l1d_accesses);
            CU_ASSERT_EQUAL(sum_of_classes(k), k->warp_insts);
            CU_ASSERT_EQUAL(sum(k->reuse_sets1) + k->reuse_cold, k->reuse_accesses);
            CU_ASSERT_EQUAL(sum(k->reuse_sets64) + k->reuse_cold, k->reuse_accesses);
        }
        sample_set_release(&s);
    }
}

/* With 16 sets of 4 ways, accesses at distance 4 and beyond and cold ones miss. In time the order
 * of accesses is a little different; what comes while a line is on its way is no miss. */
static void stack_distances_tell_the_misses(void)
{
    static const struct {
        const char *settings[2];
        int sets;
    } size[] = {{{"l1d.size=8192"}, 16}, {{"l1d.size=32768"}, 64}, {{"l1d.size=131072"}, 256}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct sample_set s = taken("spmv", size[i].settings);
        const struct sample *k = s.kernel;
        const double *v = i == 0 ? k->reuse_sets16 : i == 1 ? k->reuse_sets64 : k->reuse_sets256;
        CU_ASSERT_EQUAL(k->l1d_lines / k->l1d_ways, size[i].sets);
        CU_ASSERT_DOUBLE_EQUAL(buckets_from(v, k->l1d_ways) + k->reuse_cold, k->l1d_misses,
                               0.03 * k->l1d_misses);
        sample_set_release(&s);
    }
}

/* Each cycle of each scheduler has one cause. */
static void causes_of_a_scheduler_add_up(void)
{
    struct sample_set s = taken("nbf", NULL);
    const struct sample *k = s.kernel;
    double all = k->issue_cycles + k->mem_dep_cycles + k->alu_dep_cycles + k->fetch_cycles +
                 k->barrier_cycles + k->mem_unit_cycles + k->alu_unit_cycles + k->idle_cycles;
    CU_ASSERT(all >= k->schedulers * k->cta_cycles);
    CU_ASSERT(all <= k->schedulers * (k->cta_cycles + 2)); /* a cycle before and one after it */
    sample_set_release(&s);
}

/* vecadd (20480 threads, CTAs of 64): each warp loads two lines of its own and adds what it loaded.
 * Head and addresses: see the PTX; a warp waits once, for both loads. */
static void vecadd_by_hand(void)
{
    struct sample_set s = taken("vecadd", NULL);
    const struct sample *k = s.kernel;
    CU_ASSERT_EQUAL(k->reuse_accesses, 4);
    CU_ASSERT_EQUAL(k->reuse_cold, 4);
    CU_ASSERT_EQUAL(k->lines_per_load, 1);
    CU_ASSERT_EQUAL(k->lines_per_store, 1);
    CU_ASSERT_EQUAL(k->mlp_loads, 2);
    CU_ASSERT_EQUAL(k->mlp_lines, 2);
    CU_ASSERT_EQUAL(k->memory_rounds, 1);
    CU_ASSERT_EQUAL(k->insts_global_load, 2 * 2);
    CU_ASSERT_EQUAL(k->insts_global_store, 2 * 1);
    CU_ASSERT_EQUAL(k->shared_next, 0);
    for (int i = 0; i < SAMPLE_CORE_CTAS; i++)
        CU_ASSERT_EQUAL(k->core_lines[i], 4 * (i + 1));
    sample_set_release(&s);
}

static void a_gpu_without_l1d_has_no_stream(void)
{
    static const char *const off[] = {"l1d.enabled=false", NULL};
    struct sample_set s = taken("nbf", off);
    const struct sample *k = s.kernel;
    CU_ASSERT_EQUAL(k->reuse_accesses, 0);
    CU_ASSERT_EQUAL(k->core_lines[0], 0);
    CU_ASSERT(k->lines_per_load > 1 && k->mlp_loads >= 1);
    sample_set_release(&s);
}

SUITE("cta_profile", T(requests_and_instructions_are_the_simulators),
      T(stack_distances_tell_the_misses), T(causes_of_a_scheduler_add_up), T(vecadd_by_hand),
      T(a_gpu_without_l1d_has_no_stream))
