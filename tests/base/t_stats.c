/* base/stats: counters add up, rates follow from them. */
#include "base/stats.h"
#include "tests/suite.h"

#include <string.h>

static uint64_t *counter(struct run_stats *s, int row)
{
    return (uint64_t *)((char *)s + run_counter_rows[row].off);
}

static void table_names_every_counter_once(void)
{
    int rows = 0;
    for (; run_counter_rows[rows].name; rows++) {
        CU_ASSERT_EQUAL(run_counter_rows[rows].off, (size_t)rows * sizeof(uint64_t));
        CU_ASSERT(strlen(run_counter_rows[rows].help) > 0);
    }
    CU_ASSERT_EQUAL((size_t)rows * sizeof(uint64_t), sizeof(struct run_stats));
    int rates = 0;
    while (run_rate_rows[rates].name)
        rates++;
    CU_ASSERT_EQUAL(rates, RATE_COUNT);
    CU_ASSERT_STRING_EQUAL(run_rate_rows[RATE_mf_latency].name, "mf_latency");
}

static void counters_add_and_the_longest_latency_stays(void)
{
    struct run_stats a = {0}, b = {0};
    for (int i = 0; run_counter_rows[i].name; i++) {
        *counter(&a, i) = 10;
        *counter(&b, i) = 30;
    }
    a.working_set_sum = 100;
    b.working_set_sum = 900;
    stats_add(&a, &b);
    for (int i = 0; run_counter_rows[i].name; i++) {
        bool special = !strcmp(run_counter_rows[i].name, "mf_latency_max") ||
                       !strncmp(run_counter_rows[i].name, "working_set_", 12);
        CU_ASSERT(special || *counter(&a, i) == 40);
    }
    CU_ASSERT_EQUAL(a.mf_latency_max, 30);
    CU_ASSERT_EQUAL(a.working_set_lines, 25); /* (100 + 900) / (10 + 30) */
}

static void rates_follow_their_definitions(void)
{
    struct run_stats s = {.cycles = 100,
                          .thread_insts = 250,
                          .ctas = 4,
                          .cta_cycles_sum = 200,
                          .l1d_accesses = 50,
                          .l1d_misses = 5,
                          .dram_reads = 20,
                          .dram_inst_reads = 1,
                          .dram_const_reads = 2,
                          .dram_writes = 17,
                          .dram_row_hits = 10,
                          .dram_bus_cycles = 30,
                          .dram_cycles = 60,
                          .mf_latency_sum = 900,
                          .mf_latency_count = 3,
                          .core_cycles = 1000,
                          .busy_core_cycles = 900,
                          .active_cycles = 500,
                          .stalled_cycles = 150,
                          .c_idle_cycles = 100,
                          .c_mem_cycles = 250,
                          .resident_cta_cycles = 3000,
                          .assigning_cycles = 400,
                          .assigning_limit_sum = 1800,
                          .assigning_resident_sum = 1600,
                          .assigning_running_sum = 1200,
                          .sched_cycles = 1000,
                          .sched_issued = 300,
                          .sched_idle = 10,
                          .sched_barrier = 20,
                          .sched_fetch = 70,
                          .sched_mem_dep = 400,
                          .sched_alu_dep = 90,
                          .sched_mem_unit = 80,
                          .sched_alu_unit = 24,
                          .sched_policy = 6};
    static const double expected[RATE_COUNT] = {[RATE_ipc] = 2.5,
                                                [RATE_miss_rate] = 0.4,
                                                [RATE_l1d_miss_rate] = 0.1,
                                                [RATE_dram_reads_per_cta] = 5,
                                                [RATE_mf_latency] = 300,
                                                [RATE_cta_cycles] = 50,
                                                [RATE_row_hit_rate] = 0.25,
                                                [RATE_dram_utilization] = 0.5,
                                                [RATE_RACT] = 0.5,
                                                [RATE_C_stall] = 0.15,
                                                [RATE_mean_n] = 4.5,
                                                [RATE_mean_n_resident] = 4,
                                                [RATE_mean_n_running] = 3,
                                                [RATE_mean_resident] = 3,
                                                [RATE_C_idle] = 0.1,
                                                [RATE_C_mem] = 0.25,
                                                [RATE_util] = 0.9,
                                                [RATE_stall_memory_conflict] = 0.08,
                                                [RATE_stall_memory_dependency] = 0.4,
                                                [RATE_stall_fetch] = 0.07,
                                                [RATE_stall_other] = 0.15};
    for (int r = 0; r < RATE_COUNT; r++)
        CU_ASSERT_DOUBLE_EQUAL(stats_rate(&s, (enum run_rate)r), expected[r], 1e-12);
}

static void rate_of_nothing_is_0(void)
{
    struct run_stats s = {0};
    for (int r = 0; r <= RATE_COUNT; r++)
        CU_ASSERT_EQUAL(stats_rate(&s, (enum run_rate)r), 0.0);
}

SUITE("stats", T(table_names_every_counter_once), T(counters_add_and_the_longest_latency_stays),
      T(rates_follow_their_definitions), T(rate_of_nothing_is_0))
