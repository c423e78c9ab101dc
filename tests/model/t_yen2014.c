#include <math.h>
#include <string.h>

#include "model/yen2014.h"
#include "tests/suite.h"

/* The paper's coefficients, from the table itself (params.c is not under test here). */
static struct yen2014_coeff paper_coeff(void)
{
    struct yen2014_coeff k;
#define X(f, t, lo, hi, def, unit, help) k.f = def;
    YEN2014_COEFFS(X)
#undef X
    return k;
}

/* A sample with the paper's n = 1 figures; accesses follow from miss rate and DRAM reads. */
static struct sample paper_sample(double miss_rate, double dram_reads, double ws, double lines)
{
    return (struct sample){.warp_insts = 1000,
                           .thread_insts = 32000,
                           .cta_cycles = 9161,
                           .l1d_accesses = dram_reads / miss_rate,
                           .l1d_misses = dram_reads,
                           .dram_reads = dram_reads,
                           .mf_latency = 374,
                           .reused_lines = ws,
                           .l1d_lines = lines,
                           .grid_ctas = 1000,
                           .total_ctas = 1000,
                           .total_thread_insts = 32e6,
                           .n_max = 8,
                           .cores = 15,
                           .schedulers = 2};
}

static struct prediction run(const struct sample *s)
{
    struct yen2014_coeff k = paper_coeff();
    struct prediction p;
    model_yen2014.predict(&k, s, &p);
    return p;
}

static double growth(const struct prediction *p, int n)
{
    return p->dram_reads_per_cta[n] / p->dram_reads_per_cta[n - 1];
}

/* Table 5, unstructured: dr_inc 2.19 1.29 1.14 1.07 1.00 1.00 1.00; a working set far above L1D. */
static void unstructured_grows_as_in_table_5(void)
{
    static const double paper[] = {0, 0, 2.19, 1.29, 1.14, 1.07, 1.00, 1.00, 1.00};
    struct sample s = paper_sample(0.22, 1557.5, 1000, 64);
    struct prediction p = run(&s);
    for (int n = 2; n <= 8; n++)
        CU_ASSERT_DOUBLE_EQUAL(growth(&p, n), paper[n], 0.1);
    CU_ASSERT_DOUBLE_EQUAL(p.miss_rate[8], 0.67, 0.01);
}

/* Table 5, nbf: 2.59 1.74 1.47 1.26 1.09 1.02 1.00, and Figure 9 shows about 4 at n = 2. */
static void nbf_grows_steeply_then_saturates(void)
{
    struct sample s = paper_sample(0.13, 169.4, 65, 64);
    struct prediction p = run(&s);
    CU_ASSERT(growth(&p, 2) > 2.5 && growth(&p, 2) < 4.5);
    for (int n = 3; n <= 8; n++)
        CU_ASSERT(growth(&p, n) <= growth(&p, n - 1) + 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(growth(&p, 8), 1.0, 0.05);
}

/* Table 5, bfs: 0.98 1.00 1.01 1.02 1.07 1.07 1.08, 70 lines a CTA. */
static void bfs_is_flat_until_the_capacity_is_reached(void)
{
    static const double paper[] = {0, 0, 0.98, 1.00, 1.01, 1.02, 1.07, 1.07, 1.08};
    struct sample s = paper_sample(0.41, 72.94, 70, 256);
    struct prediction p = run(&s);
    for (int n = 2; n <= 7; n++)
        CU_ASSERT_DOUBLE_EQUAL(growth(&p, n), paper[n], 0.1);
}

/* Figure 10: with a larger L1D the same CTA's reads grow less. */
static void larger_cache_grows_less(void)
{
    double last = INFINITY;
    for (int lines = 64; lines <= 1024; lines *= 2) {
        struct sample s = paper_sample(0.2, 200, 100, lines);
        struct prediction p = run(&s);
        CU_ASSERT(p.dram_reads_per_cta[8] <= last + 1e-9);
        last = p.dram_reads_per_cta[8];
    }
    CU_ASSERT_DOUBLE_EQUAL(last, 200, 1e-9);
}

static void latency_takes_the_papers_segments(void)
{
    struct yen2014_coeff k = paper_coeff();
    static const struct {
        double ws, before, now, want;
    } row[] = {{10, .10, .14, 1.03},   {10, .80, .86, 1.03},  {10, .10, .15, 1.1},
               {10, .10, .29, 1.1},    {600, .20, .31, 1.9},  {600, .35, .40, 1.1},
               {1600, .35, .40, 1.75}, {1600, .20, .31, 1.9}, {1600, .39, .40, 1.1},
               {320, .20, .80, 1.1},   {1600, .60, .85, 1.9}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct sample s = paper_sample(.2, 100, row[i].ws, 64);
        CU_ASSERT_EQUAL(yen2014_latency(&k, &s, row[i].before, row[i].now), row[i].want);
    }
}

static void pipeline_takes_the_papers_segments(void)
{
    struct yen2014_coeff k = paper_coeff();
    struct sample s = paper_sample(.2, 100, 32, 64);
    CU_ASSERT_EQUAL(yen2014_pipeline(&k, &s, 1e6, 2), 1.05);
    CU_ASSERT_EQUAL(yen2014_pipeline(&k, &s, 320, 3), 1.1);
    CU_ASSERT_EQUAL(yen2014_pipeline(&k, &s, 321, 3), 1.2);
}

/* CTA time is the product of the three growths; IPC = cores * n * thread insts / CTA time. */
static void ipc_is_absolute(void)
{
    struct sample s = paper_sample(0.9, 100, 10, 1000);
    struct prediction p = run(&s);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[1], 15 * 32000 / 9161.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[3], 9161 * pow(1.03 * 1.05, 2), 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[3], 15 * 3 * 32000 / p.cta_cycles[3], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.mf_latency[3], 374 * 1.03 * 1.03, 1e-9);
    CU_ASSERT_EQUAL(p.chosen_n, 8);
}

static void thrashing_kernel_gets_few_ctas(void)
{
    struct sample s = paper_sample(0.13, 169.4, 65, 64);
    struct prediction p = run(&s);
    CU_ASSERT_EQUAL(p.chosen_n, 1);
    CU_ASSERT_STRING_EQUAL(p.bound[2], "L1D thrash");
}

static void compute_bound_kernel_keeps_the_highest_degree(void)
{
    struct sample s = paper_sample(0.5, 49, 4, 64);
    s.n_max = 16;
    struct prediction p = run(&s);
    CU_ASSERT_TRUE(p.compute_bound);
    CU_ASSERT_EQUAL(p.chosen_n, 16);
    for (int n = 2; n <= 16; n++)
        CU_ASSERT(p.ipc[n] >= p.ipc[n - 1] * (1 - 1e-12));
    s.dram_reads = 50;
    p = run(&s);
    CU_ASSERT_FALSE(p.compute_bound);
}

/* 0.049 reads an instruction at n = 1, but the cache is too small for the second CTA. */
static void compute_bound_is_judged_by_predicted_reads(void)
{
    struct sample s = paper_sample(0.2, 49, 1000, 64);
    struct prediction p = run(&s);
    CU_ASSERT_FALSE(p.compute_bound);
    CU_ASSERT(p.cta_cycles[2] > 2 * p.cta_cycles[1]);
    CU_ASSERT_EQUAL(p.chosen_n, 1);
}

static void issue_slots_bound_the_ipc(void)
{
    struct sample s = paper_sample(0.9, 100, 10, 1000);
    s.cta_cycles = 1000; /* one warp instruction a cycle at n = 1; two schedulers */
    struct prediction p = run(&s);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[8], 15 * 2 * 32, 1e-9);
    CU_ASSERT_STRING_EQUAL(p.bound[8], "issue");
}

/* 20 CTAs on 15 cores: no core ever holds more than two; three and more are equal to it. */
static void small_grid_fills_no_more_places(void)
{
    struct sample s = paper_sample(0.9, 100, 10, 1000);
    s.grid_ctas = 20;
    struct prediction p = run(&s);
    CU_ASSERT_EQUAL(p.ipc[8], p.ipc[2]);
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    CU_ASSERT_STRING_EQUAL(p.bound[3], "grid");
}

static void empty_counters_give_finite_numbers(void)
{
    struct sample s = {.n_max = 8, .cores = 15, .grid_ctas = 1};
    struct prediction p = run(&s);
    for (int n = 1; n <= 8; n++)
        CU_ASSERT(isfinite(p.ipc[n]) && isfinite(p.miss_rate[n]));
    s = paper_sample(0.001, 1, 1e6, 64);
    p = run(&s);
    CU_ASSERT(p.miss_rate[8] <= 0.67 + 1e-9);
}

static double column(const char *name, const struct sample *s, const struct prediction *p, int n)
{
    const struct yen2014_coeff k = paper_coeff();
    const struct model_column *c = model_yen2014.columns;
    while (c->name && strcmp(c->name, name) != 0)
        c++;
    return c->name ? c->value(&k, s, p, n) : NAN;
}

/* A CTA's time grows by the product of the three stages; nothing grows where the grid has ended. */
static void the_stages_explain_the_time(void)
{
    struct sample s = paper_sample(0.22, 1557.5, 1000, 64);
    s.grid_ctas = 15 * 6;
    struct prediction p = run(&s);
    CU_ASSERT_DOUBLE_EQUAL(column("pressure", &s, &p, 3), 3 * 1000 / 64.0, 1e-9);
    for (int n = 1; n <= 8; n++) {
        double product = column("dr_inc", &s, &p, n) * column("lat_growth", &s, &p, n) *
                         column("pipe_effect", &s, &p, n);
        double before = p.cta_cycles[n > 1 ? n - 1 : 1];
        CU_ASSERT_DOUBLE_EQUAL(column("time_growth", &s, &p, n), product, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[n] / before, product, 1e-12);
    }
    CU_ASSERT_EQUAL(column("dr_inc", &s, &p, 7), 1);
}

SUITE("yen2014", T(unstructured_grows_as_in_table_5), T(nbf_grows_steeply_then_saturates),
      T(bfs_is_flat_until_the_capacity_is_reached), T(larger_cache_grows_less),
      T(latency_takes_the_papers_segments), T(pipeline_takes_the_papers_segments),
      T(ipc_is_absolute), T(thrashing_kernel_gets_few_ctas),
      T(compute_bound_kernel_keeps_the_highest_degree),
      T(compute_bound_is_judged_by_predicted_reads), T(issue_slots_bound_the_ipc),
      T(small_grid_fills_no_more_places), T(empty_counters_give_finite_numbers),
      T(the_stages_explain_the_time))
