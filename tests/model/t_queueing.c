/* Launches, reads and what the coefficients do, by hand. */
#include "model/queueing.h"

#include <math.h>

#include "tests/suite.h"

/* 2 cores, two degrees, 6 CTAs of a core replayed. A launch takes 720 cycles with one at once; with
 * two 600, for 0.9 of which DRAM's buses are taken. */
static struct sample two_degrees(double grid)
{
    return (struct sample){
        .cores = 2,
        .grid_ctas = grid,
        .launches = 1,
        .n_max = 2,
        .schedulers = 2,
        .warp_insts = 100,
        .thread_insts = 3200,
        .total_thread_insts = 3200 * grid,
        .l1d_accesses = 40,
        .l1d_lines = 128,
        .replay_alone = 120,
        .replay_ctas = {6, 6},
        .replay_cycles = {720, 600},
        .replay_wave = {120, 200},
        .replay_launch = {720, 600},
        .replay_bus = {0, 0.9},
        .replay_launch_even = {720, 600},
        .replay_reads_first = {10, 10},
        .replay_reads_later = {10, 4},
    };
}

static struct prediction predicted(const struct sample *s, struct queueing_coeff k)
{
    struct prediction p;
    model_queueing.predict(&k, s, &p);
    return p;
}

/* 3 CTAs a core: beyond 3 places nothing changes, and says so. */
static void a_grid_smaller_than_the_places_bounds(void)
{
    struct sample s = two_degrees(6);
    s.n_max = 5;
    for (int i = 0; i < 5; i++) {
        const double cycles[] = {300, 180, 150, 150, 150};
        s.replay_ctas[i] = 3;
        s.replay_launch[i] = s.replay_launch_even[i] = cycles[i];
    }
    const struct prediction p = predicted(&s, (struct queueing_coeff){.smooth = 0});
    CU_ASSERT_STRING_EQUAL(p.bound[4], "grid");
    CU_ASSERT_STRING_EQUAL(p.bound[5], "grid");
    CU_ASSERT_STRING_NOT_EQUAL(p.bound[3], "grid");
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[5], 3200 * 6 / 150.0, 1e-9);
    CU_ASSERT_EQUAL(p.chosen_n, 3); /* of equals the smallest */
}

/* Of a share of 10.5 the first 2 read 10, the others 4; of 3 (fewer than replayed: 6 count) too. */
static void reads_are_the_mean_of_first_and_later_ctas(void)
{
    struct sample s = two_degrees(21);
    CU_ASSERT_DOUBLE_EQUAL(queueing_reads(&s, 2), (2 * 10 + 8.5 * 4) / 10.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(queueing_reads(&s, 1), 10, 1e-12);
    const struct prediction p = predicted(&s, (struct queueing_coeff){0});
    CU_ASSERT_DOUBLE_EQUAL(p.dram_reads_per_cta[2], (2 * 10 + 8.5 * 4) / 10.5, 1e-12);
    s = two_degrees(6);
    CU_ASSERT_DOUBLE_EQUAL(queueing_reads(&s, 2), (2 * 10 + 4 * 4) / 6.0, 1e-12);
    s.replay_ctas[1] = 0;
    s.grid_ctas = 0;
    CU_ASSERT_EQUAL(queueing_reads(&s, 2), 0);
}

/* The replay's own, however far the window got; 1 without an L1D. */
static void the_miss_rate_is_that_of_the_replay(void)
{
    struct sample s = two_degrees(12);
    s.replay_miss_rate[0] = 0.25;
    s.replay_miss_rate[1] = 0.5;
    for (int accesses = 0; accesses <= 4; accesses += 4) { /* of 10 reads and more */
        s.l1d_accesses = accesses;
        const struct prediction p = predicted(&s, (struct queueing_coeff){0});
        CU_ASSERT_EQUAL(p.miss_rate[1], 0.25);
        CU_ASSERT_EQUAL(p.miss_rate[2], 0.5);
    }
    s.l1d_lines = 0;
    CU_ASSERT_EQUAL(predicted(&s, (struct queueing_coeff){0}).miss_rate[2], 1);
}

/* Of 6 CTAs a core all were replayed, of 12 half: as far off as 12 of very many would be. */
static void the_mean_of_all_ctas_is_exact(void)
{
    struct sample s = two_degrees(12);
    CU_ASSERT(isinf(predicted(&s, (struct queueing_coeff){0}).ctas[1]));
    s = two_degrees(24);
    CU_ASSERT_DOUBLE_EQUAL(predicted(&s, (struct queueing_coeff){0}).ctas[2], 12, 1e-9);
    s.window_ctas = 3;
    s.cta_cycles_spread = 0.2;
    const struct prediction p = predicted(&s, (struct queueing_coeff){.error = 0.1});
    const struct model_kernels k = {&s, &p, 1};
    CU_ASSERT_DOUBLE_EQUAL(model_deviation(&k, &p, 2), sqrt(0.01 + 0.04 / 12), 1e-12);
}

/* Of 8 CTAs a core 6 were replayed, a quarter was not: 0.1^2 + 0.08^2 / 4. Of 6 none was left out.
 */
static void ctas_that_are_dealt_are_less_sure(void)
{
    const struct queueing_coeff c = {.error = 0.1, .dealt = 0.08};
    const struct sample some = two_degrees(16), all = two_degrees(12);
    struct prediction p = predicted(&some, c);
    CU_ASSERT_EQUAL(p.left_out[2], 0.25);
    CU_ASSERT_DOUBLE_EQUAL(model_error(&p, 2), sqrt(0.01 + 0.0016), 1e-12);
    p = predicted(&all, c);
    CU_ASSERT_EQUAL(p.left_out[2], 0);
    CU_ASSERT_EQUAL(model_error(&p, 2), 0.1);
    /* Beside a kernel of the same IPC and three times the work: a quarter of the time. */
    struct sample s[2] = {some, some};
    struct prediction k[2] = {predicted(&some, c), predicted(&some, c)}, both;
    s[1].total_thread_insts *= 3;
    k[1].left_out[2] = 0;
    model_combine(s, k, 2, &both);
    CU_ASSERT_DOUBLE_EQUAL(both.left_out[2], 0.25 / 4, 1e-12);
    CU_ASSERT_EQUAL(both.dealt, 0.08);
}

/* Replays that were repeated say how sure their mean is; of several kernels a mean by time, here as
 * much. A model
 * that doesn't know its error doesn't know more by that. */
static void what_chance_leaves_is_part_of_the_error(void)
{
    const struct queueing_coeff c = {.error = 0.03};
    struct sample s[2] = {two_degrees(12), two_degrees(12)};
    s[0].replay_chance[1] = 0.04;
    s[1].replay_chance[1] = 0.08;
    s[1].total_thread_insts *= 3;
    const struct prediction k[2] = {predicted(&s[0], c), predicted(&s[1], c)};
    struct prediction both;
    CU_ASSERT_DOUBLE_EQUAL(model_error(&k[0], 1), 0.03, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(model_error(&k[0], 2), 0.05, 1e-12);
    model_combine(s, k, 2, &both);
    CU_ASSERT_DOUBLE_EQUAL(both.chance[2], (0.04 + 0.08) / 2, 1e-12);
    struct prediction unknown = k[0];
    unknown.error = 0;
    CU_ASSERT_EQUAL(model_error(&unknown, 2), 0);
}

/* 12 CTAs, 600 cycles, DRAM's buses taken for 0.9 of them: e^0.9 once, half, back. */
static void dram_slow_is_an_exponent(void)
{
    struct sample s = two_degrees(12);
    const double work = 3200 * 12;
    for (double k = -1; k <= 2; k += 0.5)
        CU_ASSERT_DOUBLE_EQUAL(predicted(&s, (struct queueing_coeff){.dram_slow = k}).ipc[2],
                               work / (600 * exp(0.9 * k)), 1e-9);
    const struct prediction p = predicted(&s, (struct queueing_coeff){.dram_slow = 1});
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[1], work / 720, 1e-9); /* one alone does not wait for DRAM */
    CU_ASSERT_STRING_EQUAL(p.bound[2], "DRAM bandwidth");
    CU_ASSERT_STRING_EQUAL(p.bound[1], "latency");
    s.replay_bus[1] = QUEUEING_DRAM_BOUND;
    CU_ASSERT_STRING_EQUAL(predicted(&s, (struct queueing_coeff){0}).bound[2], "latency");
}

static struct sample with_cycles(const double *cycles, int n_max)
{
    struct sample s = two_degrees(12);
    s.n_max = n_max;
    for (int i = 0; i < n_max; i++) {
        s.replay_ctas[i] = 6;
        s.replay_bus[i] = 0;
        s.replay_launch[i] = s.replay_launch_even[i] = cycles[i];
    }
    return s;
}

/* 400 cycles, 900 with a rate like its neighbours': as many as `smooth` says of the way, in
 * logarithms. DRAM's part and this are told apart: half as long again, and then that. */
static void smooth_is_the_way_to_an_even_rate(void)
{
    const double cycles[] = {1000, 400};
    struct sample s = with_cycles(cycles, 2);
    s.replay_launch_even[1] = 900;
    const double work = 3200 * 12, want[] = {400, 600, 900};
    for (int i = 0; i < 3; i++) {
        const struct prediction p = predicted(&s, (struct queueing_coeff){.smooth = i / 2.0});
        CU_ASSERT_DOUBLE_EQUAL(p.ipc[1], work / 1000, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(p.ipc[2], work / want[i], 1e-9);
    }
    s.replay_bus[1] = log(1.5);
    const struct prediction p =
        predicted(&s, (struct queueing_coeff){.dram_slow = 1, .smooth = 0.5});
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[2], work / (600 * 1.5), 1e-9);
}

/* The kernel has room for two at once, others of its program for four: what it does beside them.
 * Two of its 6 CTAs on a core are first ones still, and 3 a core are more than it has room for. */
static void degrees_beyond_its_own_are_those_of_other_kernels(void)
{
    struct sample s = two_degrees(6);
    s.replay_ctas[3] = 6;
    s.replay_reads_first[3] = 10;
    s.replay_reads_later[3] = 4;
    s.replay_launch[2] = s.replay_launch_even[2] = 500;
    s.replay_launch[3] = s.replay_launch_even[3] = 400;
    const struct prediction p = predicted(&s, (struct queueing_coeff){0});
    CU_ASSERT_EQUAL(p.n_max, 2);
    CU_ASSERT_EQUAL(p.last, 4);
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[4], 3200 * 6 / 400.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.dram_reads_per_cta[4], (2 * 10 + 4 * 4) / 6.0, 1e-9);
    CU_ASSERT_STRING_NOT_EQUAL(p.bound[4], "grid");
}

/* 103 against 100 at the largest degree. */
static void the_largest_degree_is_kept_unless_another_is_worth_it(void)
{
    const double cycles[] = {200, 100, 103};
    const struct sample s = with_cycles(cycles, 3);
    CU_ASSERT_EQUAL(predicted(&s, (struct queueing_coeff){.margin = 0.05}).chosen_n, 3);
    CU_ASSERT_EQUAL(predicted(&s, (struct queueing_coeff){.margin = 0.02}).chosen_n, 2);
    const struct prediction p =
        predicted(&s, (struct queueing_coeff){.error = 0.2, .alike = 0.3, .reach = 4});
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    CU_ASSERT_EQUAL(p.error, 0.2);
    CU_ASSERT_EQUAL(p.alike, 0.3);
    CU_ASSERT_EQUAL(p.reach, 4);
}

/* IPC counts all launches that the sample stands for. */
static void launches_alike_take_as_often_as_long(void)
{
    struct sample s = two_degrees(12);
    const double once = predicted(&s, (struct queueing_coeff){0}).ipc[2];
    s.launches = 7;
    s.total_thread_insts *= 7;
    CU_ASSERT_DOUBLE_EQUAL(predicted(&s, (struct queueing_coeff){0}).ipc[2], once, 1e-9);
}

/* 2 cores of 2 schedulers, full warps: 128 a cycle at best, of which 0.8 are 102.4. And reads that
 * grow from 10 to 13 a CTA. */
static void what_bounds_is_told(void)
{
    const double busy[] = {720, 340}; /* 38400 / 340 = 113 */
    struct sample s = with_cycles(busy, 2);
    CU_ASSERT_STRING_EQUAL(predicted(&s, (struct queueing_coeff){0}).bound[2], "issue");
    CU_ASSERT_STRING_EQUAL(predicted(&s, (struct queueing_coeff){0}).bound[1], "latency");
    const double slow[] = {720, 600};
    s = with_cycles(slow, 2);
    s.replay_reads_first[1] = s.replay_reads_later[1] = 13;
    CU_ASSERT_STRING_EQUAL(predicted(&s, (struct queueing_coeff){0}).bound[2], "L1D thrash");
}

/* Two CTAs that take twice as long as one, reads being as fast: units, unless DRAM, reads that
 * grow, or slots that all issue say what. One that waits for units alone: from the first CTA on. */
static void busy_units_are_told(void)
{
    const double cycles[] = {720, 700};
    struct sample s = with_cycles(cycles, 2);
    s.issue_cycles = s.alu_dep_cycles = 100;
    s.replay_cta_cycles[0] = 120;
    s.replay_cta_cycles[1] = 230;
    s.replay_latency[0] = s.replay_latency[1] = 300;
    const struct queueing_coeff k = {0};
    CU_ASSERT_STRING_EQUAL(predicted(&s, k).bound[1], "latency");
    CU_ASSERT_STRING_EQUAL(predicted(&s, k).bound[2], "execution units");
    s.alu_unit_cycles = 150;
    CU_ASSERT_STRING_EQUAL(predicted(&s, k).bound[1], "execution units");
    s.replay_bus[1] = 0.9;
    CU_ASSERT_STRING_EQUAL(predicted(&s, k).bound[2], "DRAM bandwidth");
    s.replay_reads_first[1] = s.replay_reads_later[1] = 13;
    CU_ASSERT_STRING_EQUAL(predicted(&s, k).bound[2], "L1D thrash");
    s.replay_launch[1] = s.replay_launch_even[1] = 340;
    CU_ASSERT_STRING_EQUAL(predicted(&s, k).bound[2], "issue");
}

/* A sample without a replay (a profile of an older version): no number is made up. */
static void without_a_replay_nothing_is_predicted(void)
{
    struct sample s = {.n_max = 4, .cores = 2, .grid_ctas = 12, .launches = 1};
    const struct prediction p =
        predicted(&s, (struct queueing_coeff){.smooth = 0.5, .margin = 0.03});
    for (int n = 1; n <= 4; n++)
        CU_ASSERT_EQUAL(p.ipc[n], 0);
    CU_ASSERT_EQUAL(p.chosen_n, 4);
}

SUITE("queueing", T(a_grid_smaller_than_the_places_bounds),
      T(reads_are_the_mean_of_first_and_later_ctas), T(the_miss_rate_is_that_of_the_replay),
      T(the_mean_of_all_ctas_is_exact), T(ctas_that_are_dealt_are_less_sure),
      T(what_chance_leaves_is_part_of_the_error), T(dram_slow_is_an_exponent),
      T(smooth_is_the_way_to_an_even_rate), T(degrees_beyond_its_own_are_those_of_other_kernels),
      T(the_largest_degree_is_kept_unless_another_is_worth_it),
      T(launches_alike_take_as_often_as_long), T(what_bounds_is_told), T(busy_units_are_told),
      T(without_a_replay_nothing_is_predicted))
