#include <math.h>
#include <string.h>

#include "base/stats.h"
#include "model/model.h"
#include "tests/suite.h"

static void models_are_found_by_exact_name(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(model_find("yen2014"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(model_at(0));
    CU_ASSERT_PTR_EQUAL(model_find(model_at(0)->name), model_at(0));
    CU_ASSERT_PTR_NULL(model_find("yen"));
    CU_ASSERT_PTR_NULL(model_at(-1));
    CU_ASSERT_PTR_NULL(model_at(1000));
    for (int i = 0; model_at(i); i++)
        CU_ASSERT(model_at(i)->name && model_at(i)->help && model_at(i)->predict);
}

static void decision_takes_the_best_and_of_equals_the_smallest(void)
{
    double ipc[] = {0, 1, 3, 3, 2, 3};
    CU_ASSERT_EQUAL(model_decide(ipc, 5, false), 2);
    CU_ASSERT_EQUAL(model_decide(ipc, 1, false), 1);
}

static void compute_bound_decision_takes_the_largest_of_equals(void)
{
    double ipc[] = {0, 1, 3, 3, 2, 3};
    CU_ASSERT_EQUAL(model_decide(ipc, 5, true), 5);
    CU_ASSERT_EQUAL(model_decide(ipc, 4, true), 3);
}

/* Of two kernels. */
static const struct sample alike[2] = {{.total_thread_insts = 1000, .total_ctas = 1},
                                       {.total_thread_insts = 1000, .total_ctas = 1}};

/* Two kernels of 1000 thread instructions: times add up, each kernel clamped to its own limit. */
static void kernels_combine_by_time(void)
{
    struct prediction p[2] = {
        {.n_max = 2, .ipc = {0, 10, 20}, .bound = {NULL, "latency", "issue"}},
        {.n_max = 3, .ipc = {0, 10, 5, 4}, .bound = {NULL, "latency", "L1D thrash", "L1D thrash"}}};
    struct prediction all;
    model_combine(alike, p, 2, &all);
    CU_ASSERT_EQUAL(all.n_max, 3);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[1], 2000 / 200.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[2], 2000 / 250.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[3], 2000 / 300.0, 1e-12);
    CU_ASSERT_EQUAL(all.chosen_n, 1);
    CU_ASSERT_STRING_EQUAL(all.bound[3], "L1D thrash");
}

/* As above; the first kernel takes 100 and 50 alone, and 40 beside 3 CTAs of the second. */
static void a_kernel_may_tell_what_it_does_beside_more_of_another(void)
{
    struct prediction p[2] = {{.n_max = 2, .last = 3, .ipc = {0, 10, 20, 25}},
                              {.n_max = 4, .ipc = {0, 10, 5, 4, 4}}};
    p[0].error_correlation = 0.5;
    p[1].correlation_length = 2;
    struct prediction all;
    model_combine(alike, p, 2, &all);
    CU_ASSERT_EQUAL(all.n_max, 4);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[2], 2000 / 250.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[3], 2000 / 290.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.ipc[4], 2000 / 290.0, 1e-12);
    CU_ASSERT_EQUAL(all.error_correlation, 0.5);
    CU_ASSERT_EQUAL(all.correlation_length, 2);
}

/* Another degree than the largest has to promise more than the margin. */
static void small_gains_over_the_largest_degree_are_not_taken(void)
{
    struct prediction p = {.n_max = 3, .ipc = {0, 10, 10.4, 10}, .margin = 0.05};
    model_choose(&p);
    CU_ASSERT_EQUAL(p.chosen_n, 3);
    p.margin = 0.03;
    model_choose(&p);
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    p.margin = 0;
    p.ipc[2] = 10;
    model_choose(&p);
    CU_ASSERT_EQUAL(p.chosen_n, 1);
}

/* 40 CTAs on 15 cores: 3 at most. A kernel that is launched often may have grids a fifth larger,
 * and one with room for two has no more. */
static void degrees_are_the_same_where_no_core_gets_more(void)
{
    struct sample s[] = {{.cores = 15, .grid_ctas = 40, .launches = 1},
                         {.cores = 15, .grid_ctas = 400, .launches = 1}};
    struct prediction p[] = {{.n_max = 8, .ipc = {0, 1, 1, 1, 1, 1, 1, 1, 1}},
                             {.n_max = 2, .ipc = {0, 1, 1}}};
    struct prediction all;
    model_combine(s, p, 1, &all);
    CU_ASSERT_EQUAL(all.same_from, 3);
    model_combine(s, p, 2, &all);
    CU_ASSERT_EQUAL(all.same_from, 3);
    s[0].launches = 5;
    model_combine(s, p, 2, &all);
    CU_ASSERT_EQUAL(all.same_from, 4);
    s[0].grid_ctas = 1000;
    model_combine(s, p, 2, &all);
    CU_ASSERT_EQUAL(all.same_from, 8);
    s[0].cores = 0; /* not known */
    model_combine(s, p, 1, &all);
    CU_ASSERT_EQUAL(all.same_from, 8);
}

static void one_kernel_combines_to_itself(void)
{
    struct sample s = {.total_thread_insts = 5};
    struct prediction p = {.n_max = 2, .chosen_n = 2, .ipc = {0, 1, 1}}, all;
    model_combine(&s, &p, 1, &all);
    CU_ASSERT_EQUAL(all.chosen_n, 2);
}

static double reads(const void *coeff, const struct sample *s, const struct prediction *p, int n)
{
    (void)coeff, (void)s;
    return p->dram_reads_per_cta[n];
}

/* 1000 thread instructions each, at n = 2 in 100 and 300 cycles: (100 * 8 + 300 * 4) / 400 = 5. The
 * first fits once only. */
static void columns_of_kernels_are_means_by_time(void)
{
    const struct sample s[2] = {{.warp_insts = 1, .total_thread_insts = 1000},
                                {.warp_insts = 1, .total_thread_insts = 1000}};
    const struct prediction p[2] = {
        {.n_max = 1, .ipc = {0, 10}, .dram_reads_per_cta = {0, 8}},
        {.n_max = 2, .ipc = {0, 1, 1000 / 300.0}, .dram_reads_per_cta = {0, 2, 4}}};
    const struct model_column c = {"reads", "", "", reads};
    struct model_kernels k = {s, p, 2};
    CU_ASSERT_DOUBLE_EQUAL(model_column(&c, NULL, &k, 2), 5, 1e-12);
    k.kernels = 1;
    CU_ASSERT_DOUBLE_EQUAL(model_column(&c, NULL, &k, 2), 8, 1e-12);
}

/* A CTA alone: 1000 cycles, of which 0.5 are memory's and 0.1 a refusal by a unit. A read that
 * takes twice as long makes it 1500; the rest is other CTAs'. */
static void what_is_neither_a_ctas_own_nor_memorys_is_units(void)
{
    const struct sample s = {.issue_cycles = 300,
                             .alu_dep_cycles = 300,
                             .barrier_cycles = 200,
                             .mem_dep_cycles = 500,
                             .fetch_cycles = 500,
                             .alu_unit_cycles = 120,
                             .mem_unit_cycles = 80,
                             .idle_cycles = 5000}; /* a scheduler without a warp says nothing */
    const struct prediction p = {.n_max = 4,
                                 .cta_cycles = {0, 1000, 1500, 2000, 3000},
                                 .mf_latency = {0, 200, 400, 200, 400}};
    CU_ASSERT_DOUBLE_EQUAL(model_unit_wait(&s, &p, 1), 0.1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(model_unit_wait(&s, &p, 2), 100 / 1500.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(model_unit_wait(&s, &p, 3), 1100 / 2000.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(model_unit_wait(&s, &p, 4), 1600 / 3000.0, 1e-12);
    struct sample other = s;
    other.alu_dep_cycles = 299; /* it waits for data more than for all else */
    CU_ASSERT_DOUBLE_EQUAL(model_unit_wait(&other, &p, 3), 200 / 1999.0 / 2, 1e-12);
    other = (struct sample){0};
    CU_ASSERT_EQUAL(model_unit_wait(&other, &p, 3), 0);
}

static void sample_rows_name_every_field(void)
{
    int n = 0;
    for (const struct sample_row *r = sample_rows; r->name; r++, n++)
        CU_ASSERT(r->off < sizeof(struct sample) && r->help && r->unit);
#define X(name, unit, help) +1
    CU_ASSERT_EQUAL(n, 0 SAMPLE_FIELDS(X) SAMPLE_RECORD(X));
#undef X
}

static void sample_arrays_lie_inside_a_sample(void)
{
    int n = 0;
    for (const struct sample_array *a = sample_arrays; a->name; a++, n++) {
        CU_ASSERT(a->off + SAMPLE_DEGREES * sizeof(double) <= sizeof(struct sample));
        CU_ASSERT(a->help && a->unit);
    }
#define X(name, unit, help) +1
    CU_ASSERT_EQUAL(n, 0 SAMPLE_ARRAYS(X) SAMPLE_RECORD_ARRAYS(X));
#undef X
}

/* 30 reads of 100 accesses; 20 more that are no miss of L1D, so that there were 120; of 40 misses
 * two reads each; nothing at all; no L1D. */
static void miss_rates_lie_within_0_and_1(void)
{
    struct sample s = {.l1d_lines = 64, .l1d_accesses = 100, .l1d_misses = 30, .dram_reads = 30};
    CU_ASSERT_DOUBLE_EQUAL(sample_miss_rate(&s), 0.3, 1e-12);
    s.dram_reads = 50;
    CU_ASSERT_DOUBLE_EQUAL(sample_miss_rate(&s), 50 / 120.0, 1e-12);
    s.l1d_accesses = s.l1d_misses = 40;
    s.dram_reads = 80;
    CU_ASSERT_EQUAL(sample_miss_rate(&s), 1);
    s.l1d_lines = 0;
    CU_ASSERT_EQUAL(sample_miss_rate(&s), 1);
    s = (struct sample){.l1d_lines = 64};
    CU_ASSERT_EQUAL(sample_miss_rate(&s), 0);
}

/* What `sample` says of a cause is what `run` says. */
static void barriers_are_explained_as_in_a_run(void)
{
    const struct stat_row *run = run_counter_rows;
    const struct sample_row *row = sample_rows;
    while (strcmp(run->name, "sched_barrier") != 0)
        run++;
    while (strcmp(row->name, "barrier_cycles") != 0)
        row++;
    CU_ASSERT_PTR_NOT_NULL(strstr(row->help, run->help));
}

/* Zeros at the end are left out; what was there before is overwritten with zeros. */
static void arrays_come_back_from_their_text(void)
{
    const struct sample_array *a = sample_arrays;
    struct sample s = {.l1d_misses_at = {3, 0, 0.1 + 0.2, 1e300}},
                  back = {.l1d_misses_at = {[9] = 7}};
    char *text = sample_array_text(&s, a);
    CU_ASSERT_STRING_EQUAL(text, "3 0 0.30000000000000004 1.0e+300");
    CU_ASSERT_EQUAL(sample_used(&s, a), 4);
    CU_ASSERT_TRUE(sample_array_read(&back, a, text));
    CU_ASSERT_EQUAL(memcmp(&s, &back, sizeof s), 0);
    free(text);
    CU_ASSERT_TRUE(sample_array_read(&back, a, ""));
    CU_ASSERT_EQUAL(sample_used(&back, a), 0);
    text = sample_array_text(&back, a);
    CU_ASSERT_STRING_EQUAL(text, "");
    free(text);
}

static void lists_that_are_none_are_refused(void)
{
    const struct sample_array *a = sample_arrays;
    struct sample s;
    char long_list[2 * (SAMPLE_DEGREES + 1) + 1] = "";
    for (int i = 0; i <= SAMPLE_DEGREES; i++)
        strcat(long_list, "1 ");
    CU_ASSERT_FALSE(sample_array_read(&s, a, "1 two 3"));
    CU_ASSERT_FALSE(sample_array_read(&s, a, long_list));
    long_list[2 * SAMPLE_DEGREES] = 0;
    CU_ASSERT_TRUE(sample_array_read(&s, a, long_list));
}

SUITE("model", T(models_are_found_by_exact_name),
      T(decision_takes_the_best_and_of_equals_the_smallest),
      T(compute_bound_decision_takes_the_largest_of_equals), T(kernels_combine_by_time),
      T(a_kernel_may_tell_what_it_does_beside_more_of_another),
      T(small_gains_over_the_largest_degree_are_not_taken),
      T(degrees_are_the_same_where_no_core_gets_more), T(one_kernel_combines_to_itself),
      T(columns_of_kernels_are_means_by_time), T(what_is_neither_a_ctas_own_nor_memorys_is_units),
      T(sample_rows_name_every_field), T(sample_arrays_lie_inside_a_sample),
      T(miss_rates_lie_within_0_and_1), T(barriers_are_explained_as_in_a_run),
      T(arrays_come_back_from_their_text), T(lists_that_are_none_are_refused))
