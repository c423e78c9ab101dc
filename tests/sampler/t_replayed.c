/* Two launches' replays summed up, by hand. */
#include <math.h>

#include "sampler/replayed.h"
#include "tests/suite.h"

/* 2 cores with 4 CTAs, 2 of them first ones, in 100 cycles, and 1 core with 1, in 300. */
static const struct replay_result one = {.ctas = 4,
                                         .insts = 40,
                                         .cores = 2,
                                         .cycles = 100,
                                         .wave = 40,
                                         .cta_cycles = 30,
                                         .read_latency = 200,
                                         .bus = 0.5,
                                         .first_ctas = 2,
                                         .l1d_accesses = 10,
                                         .l1d_misses = 4,
                                         .dram_reads_first = 6,
                                         .dram_reads_later = 3},
                                  other = {.ctas = 1,
                                           .insts = 10,
                                           .cores = 1,
                                           .cycles = 300,
                                           .wave = 60,
                                           .cta_cycles = 80,
                                           .read_latency = 700,
                                           .bus = 0.1,
                                           .first_ctas = 1,
                                           .l1d_accesses = 30,
                                           .l1d_misses = 12,
                                           .dram_reads_first = 12};

static void launches_are_averaged(void)
{
    struct replayed s = {0};
    struct sample d = {0};
    replayed_add(&s, &one);
    replayed_add(&s, &other);
    replayed_fill(&s, 3, &d);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_ctas[2], 5 / 3.0, 1e-12);
    CU_ASSERT_EQUAL(d.replay_cycles[2], 200);
    CU_ASSERT_EQUAL(d.replay_wave[2], 50);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_bus[2], (0.5 * 100 + 0.1 * 300) / 400, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_cta_cycles[2], (4 * 30 + 80) / 5.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_latency[2], (4 * 200 + 700) / 5.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_miss_rate[2], 16 / 40.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_reads_first[2], 18 / 3.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_reads_later[2], 3 / 2.0, 1e-12);
    CU_ASSERT_EQUAL(d.replay_cycles[1], 0);
    CU_ASSERT_EQUAL(d.replay_launch[2], 0);
}

/* Where all CTAs are first ones, later ones would be like them; of nothing all is 0. */
static void what_was_not_replayed_is_not_made_up(void)
{
    struct replayed s = {0};
    struct sample d = {0};
    replayed_fill(&s, 1, &d);
    CU_ASSERT_EQUAL(d.replay_cycles[0] + d.replay_bus[0] + d.replay_reads_later[0], 0);
    replayed_add(&s, &other);
    replayed_fill(&s, 1, &d);
    CU_ASSERT_EQUAL(d.replay_reads_first[0], 12);
    CU_ASSERT_EQUAL(d.replay_reads_later[0], 12);
}

/* 100, 400 and 100 cycles: 400 with a rate half of the way to 100. At the ends there is one
 * neighbour, and the degree itself for the other. */
static void rates_are_drawn_to_their_neighbours(void)
{
    const double cycles[] = {100, 400, 100};
    CU_ASSERT_DOUBLE_EQUAL(replayed_even(cycles, 2, 3), 200, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(replayed_even(cycles, 1, 3), 100 * pow(4, 0.25), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(replayed_even(cycles, 3, 3), 100 * pow(4, 0.25), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(replayed_even(cycles, 1, 1), 100, 1e-9);
}

/* Parts of 30 and 10 CTAs: cycles of the launch add up, what is of a CTA is weighted. */
static void parts_follow_each_other(void)
{
    struct sample part[2] = {{.cta_cycles = 5, .part = 1}, {.cta_cycles = 5, .part = 1}},
                  d = part[0];
    part[0].replay_launch[4] = 1000;
    part[1].replay_launch[4] = 500;
    part[0].replay_launch_even[4] = 1100;
    part[1].replay_launch_even[4] = 450;
    part[0].replay_bus[4] = 0.3;
    part[1].replay_bus[4] = 0.9;
    part[0].replay_latency[4] = 200;
    part[1].replay_latency[4] = 600;
    part[0].replay_reads_later[0] = 1;
    part[1].replay_reads_later[0] = 9;
    replayed_join(part, (const double[]){30, 10}, 2, &d);
    CU_ASSERT_EQUAL(d.replay_launch[4], 1500);
    CU_ASSERT_EQUAL(d.replay_launch_even[4], 1550);
    CU_ASSERT_DOUBLE_EQUAL(d.replay_bus[4], 0.5, 1e-12);
    CU_ASSERT_EQUAL(d.replay_latency[4], 300);
    CU_ASSERT_EQUAL(d.replay_reads_later[0], 3);
    CU_ASSERT_EQUAL(d.replay_launch[3] + d.replay_latency[3], 0);
    CU_ASSERT_EQUAL(d.cta_cycles, 5);
    CU_ASSERT_EQUAL(d.part, 1);
}

SUITE("replayed", T(launches_are_averaged), T(what_was_not_replayed_is_not_made_up),
      T(parts_follow_each_other), T(rates_are_drawn_to_their_neighbours))
