/* Worked out by hand. With both powers at 12 a sum of one part is that part, and of two parts of
 * which one is ten times the other the larger one, to 1e-12. */
#include "model/bottleneck.h"

#include <math.h>

#include "tests/suite.h"

static const struct bottleneck_coeff sharp = {
    .time_power = 12, .sum_power = 12, .by_misses = 1, .fetch = 0.125, .reads = 1, .writes = 2};

/* 100 warp instructions in 1000 cycles, 700 of them waiting for memory; 8 CTAs a core in all. */
static struct sample cta(void)
{
    struct sample s = {.warp_insts = 100,
                       .thread_insts = 3200,
                       .followed_insts = 100,
                       .cta_cycles = 1000,
                       .mem_dep_cycles = 700,
                       .mf_latency = 400,
                       .warps_per_cta = 1,
                       .launches = 1,
                       .grid_ctas = 80,
                       .total_ctas = 80,
                       .total_warp_insts = 8000,
                       .total_thread_insts = 256000,
                       .n_max = 8,
                       .cores = 10,
                       .schedulers = 2,
                       .issue_rate = 2,
                       .dram_lines_per_cycle = 0.5,
                       .memory_latency = 400};
    return s;
}

static void misses(struct sample *s, double first, double step)
{
    s->load_lines = 100;
    for (int n = 1; n <= 8; n++)
        s->l1d_misses_at[n - 1] = first + step * (n - 1);
    s->l1d_misses = first;
}

static struct prediction predicted(const struct sample *s)
{
    struct prediction p;
    model_bottleneck.predict(&sharp, s, &p);
    return p;
}

/* Nothing is short: n CTAs take as long as one, and 8 / n rounds of them are needed. Of equal IPCs
 * from n on there are none, so all 8. 50 issue slots of 1000 cycles each are taken. */
static void alone_latency_bounds(void)
{
    const struct sample s = cta();
    const struct prediction p = predicted(&s);
    for (int n = 1; n <= 8; n++) {
        CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[n], 1000, 1e-2);
        CU_ASSERT_STRING_EQUAL(p.bound[n], "latency");
    }
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[1], 256000 / 8000.0, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[8], 256000 / 1000.0, 1e-3);
    CU_ASSERT_EQUAL(p.chosen_n, 8);
}

/* 1000 instructions at 2 a cycle are 500 cycles: four CTAs take 2000, eight 4000, whatever one
 * takes alone, and IPC grows no more from n = 2 on. */
static void issue_slots_bound(void)
{
    struct sample s = cta();
    s.warp_insts = s.followed_insts = 1000;
    s.total_warp_insts = 80000;
    const struct prediction p = predicted(&s);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[4], 2000, 1e-1);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[8], 4000, 1e-1);
    CU_ASSERT_STRING_EQUAL(p.bound[1], "latency");
    CU_ASSERT_STRING_EQUAL(p.bound[8], "issue");
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[8], 64, 1e-2);
}

/* 60 reads and 20 stores that count twice, of 10 cores, at half a line a cycle: 10 * 100 / 0.5 =
 * 2000 cycles for each CTA at once. The misses do not grow: no thrash. */
static void dram_bounds(void)
{
    struct sample s = cta();
    misses(&s, 60, 0);
    s.store_lines = 20;
    const struct prediction p = predicted(&s);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[1], 2000, 1e-1);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[8], 16000, 1e-1);
    CU_ASSERT_STRING_EQUAL(p.bound[8], "DRAM bandwidth");
    CU_ASSERT_EQUAL(p.dram_reads_per_cta[8], 60);
    CU_ASSERT_DOUBLE_EQUAL(p.miss_rate[8], 0.6, 1e-12);
}

/* Each of 80 lines takes the bank that is asked most for 5 cycles, of all 10 cores: 4000, twice
 * what the bus takes; a store is one of them. */
static void banks_bound_where_they_take_longer_than_the_bus(void)
{
    struct sample s = cta();
    misses(&s, 60, 0);
    s.store_lines = 20;
    s.bank_cycles = 5;
    const struct prediction p = predicted(&s);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[8], 32000, 1);
    CU_ASSERT_STRING_EQUAL(p.bound[8], "DRAM banks");
    s.bank_cycles = 0.5;
    CU_ASSERT_STRING_EQUAL(predicted(&s).bound[8], "DRAM bandwidth");
}

/* 60 misses hold an MSHR of two for 1.5 times 400 cycles: 18000. */
static void mshrs_bound(void)
{
    struct bottleneck_coeff k = sharp;
    struct sample s = cta();
    struct prediction p;
    misses(&s, 60, 0);
    s.mshrs = 2;
    k.held = 1.5;
    model_bottleneck.predict(&k, &s, &p);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[1], 18000, 1);
    CU_ASSERT_DOUBLE_EQUAL(p.cta_cycles[4], 72000, 1);
    CU_ASSERT_STRING_EQUAL(p.bound[4], "MSHRs");
}

static void barriers_bound_what_waits_for_them_longer_than_for_all_else(void)
{
    struct sample s = cta();
    s.barrier_cycles = 701;
    CU_ASSERT_STRING_EQUAL(predicted(&s).bound[1], "barriers");
    CU_ASSERT_DOUBLE_EQUAL(predicted(&s).cta_cycles[1], 1000, 1e-2);
    s.barrier_cycles = 700;
    CU_ASSERT_STRING_EQUAL(predicted(&s).bound[1], "latency");
}

/* With an L2 only lines that are new to the core are read: 10 of the 60. */
static void an_l2_keeps_what_other_ctas_have_read(void)
{
    struct sample s = cta();
    misses(&s, 60, 0);
    s.l2_lines = 1000;
    s.next_lines = 10;
    CU_ASSERT_EQUAL(predicted(&s).dram_reads_per_cta[3], 10);
}

/* 20 misses more with each CTA: 20 n * 10 / 0.5 = 400 n cycles each, so that n of them take
 * 400 n * n, and 8 / n rounds 3200 n: one at once is best where alone it takes no longer. */
static void thrash_bounds_and_one_is_best(void)
{
    struct sample s = cta();
    misses(&s, 20, 20);
    s.cta_cycles = 100;
    s.mem_dep_cycles = 0;
    const struct prediction p = predicted(&s);
    for (int n = 1; n <= 8; n *= 2)
        CU_ASSERT_DOUBLE_EQUAL(p.ipc[n], 256000.0 / (3200 * n), 1e-3);
    CU_ASSERT_EQUAL(p.chosen_n, 1);
    CU_ASSERT_STRING_EQUAL(p.bound[1], "DRAM bandwidth");
    CU_ASSERT_STRING_EQUAL(p.bound[4], "L1D thrash");
}

/* 2 % of a compute-bound kernel's loads miss, and three times as many with 8 at once: DRAM idles.
 */
static void idle_memory_bounds_nothing(void)
{
    struct sample s = cta();
    s.warp_insts = s.followed_insts = 4000;
    s.total_warp_insts = 320000;
    misses(&s, 2, 0.5);
    CU_ASSERT_STRING_EQUAL(predicted(&s).bound[8], "issue");
}

/* Of 1000 cycles 700 wait for memory. Where a first access, which a warm cache does not have, takes
 * 400, 700 * 700 / 1100 = 445.45 of them are left, and with them 745.45. Twice the misses double
 * the former. */
static void cold_caches_are_taken_out_and_misses_put_in(void)
{
    struct sample s = cta();
    struct bottleneck_coeff k = sharp;
    k.cold_data = 1;
    misses(&s, 1, 1);
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&k, &s, 1).alone, 745.45, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&k, &s, 2).alone, 1190.91, 0.01);
}

/* Of 700 cycles that wait, 1200 of cold misses leave 700 * 700 / 1900 = 257.89, beside the other
 * 300; but no less than its one scheduler needs to issue. */
static void what_is_left_is_no_less_than_it_issues(void)
{
    struct sample s = cta();
    struct bottleneck_coeff k = sharp;
    k.cold_data = 3;
    misses(&s, 1, 1);
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&k, &s, 1).alone, 557.89, 0.01);
    s.issue_cycles = 600;
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&k, &s, 1).alone, 600, 1e-9);
}

/* 3 CTAs a core, 2 at once: a round of two and one of one, or one and a half rounds. */
static void few_rounds_are_whole_ones(void)
{
    struct sample s = cta();
    struct bottleneck_coeff k = sharp;
    s.grid_ctas = s.total_ctas = 30;
    s.total_warp_insts = 3000;
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&k, &s, 2).launch, 1500, 1e-3);
    k.wave = 1;
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&k, &s, 2).launch, 2000, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&k, &s, 3).launch, 1000, 1e-3);
    CU_ASSERT_STRING_EQUAL(predicted(&s).bound[4], "grid");
}

/* A core's 8 CTAs of 1000 cycles each take 1000 together and 8000 one after another. One that is
 * five times as long as the mean ends after 5000, whatever runs beside it. */
static void a_launch_ends_with_its_longest_cta(void)
{
    struct sample s = cta();
    s.longest_cta = 1;
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&sharp, &s, 8).launch, 1000, 1e-2);
    s.longest_cta = 5;
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&sharp, &s, 8).launch, 5000, 1e-2);
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&sharp, &s, 1).launch, 8000, 1e-3);
    const struct prediction p = predicted(&s);
    CU_ASSERT_STRING_EQUAL(p.bound[1], "latency");
    CU_ASSERT_STRING_EQUAL(p.bound[8], "longest CTA");
}

/* It begins with its round: of 8 rounds of ten CTAs, two of forty, one of eighty. */
static void its_longest_cta_begins_with_its_round(void)
{
    struct sample s = cta();
    s.longest_cta = 5;
    s.longest_at = 79;
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&sharp, &s, 1).launch, 12000, 1e-1);
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&sharp, &s, 4).launch, 6000, 1e-1);
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&sharp, &s, 8).launch, 5000, 1e-1);
    s.longest_at = 39;
    CU_ASSERT_DOUBLE_EQUAL(bottleneck_at(&sharp, &s, 4).launch, 5000, 1e-1);
}

/* The CTAs of the launch do half of what the sampled and the followed ones did. */
static void all_is_of_the_mean_cta(void)
{
    struct sample s = cta();
    misses(&s, 60, 0);
    s.total_warp_insts /= 2;
    const struct bottleneck_point p = bottleneck_at(&sharp, &s, 2);
    CU_ASSERT_EQUAL(p.misses, 30);
    CU_ASSERT_EQUAL(p.alone, 500);
    CU_ASSERT_EQUAL(p.demand[RES_ISSUE], 25);
}

SUITE("bottleneck", T(alone_latency_bounds), T(issue_slots_bound), T(dram_bounds),
      T(banks_bound_where_they_take_longer_than_the_bus), T(mshrs_bound),
      T(barriers_bound_what_waits_for_them_longer_than_for_all_else),
      T(an_l2_keeps_what_other_ctas_have_read), T(thrash_bounds_and_one_is_best),
      T(idle_memory_bounds_nothing), T(cold_caches_are_taken_out_and_misses_put_in),
      T(what_is_left_is_no_less_than_it_issues), T(few_rounds_are_whole_ones),
      T(a_launch_ends_with_its_longest_cta), T(its_longest_cta_begins_with_its_round),
      T(all_is_of_the_mean_cta))
