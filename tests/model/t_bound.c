/* What bounds a simulation, of counters made by hand: 10 cores of two schedulers and 6 DRAM
 * channels for 1000 cycles, two CTAs on each core. */
#include "model/bound.h"

#include <string.h>

#include "model/model.h"
#include "tests/suite.h"

static const struct run_stats quiet = {.cycles = 1000,
                                       .ctas = 20,
                                       .core_cycles = 10000,
                                       .busy_core_cycles = 10000,
                                       .resident_cta_cycles = 20000,
                                       .sched_cycles = 20000,
                                       .dram_cycles = 6000,
                                       .mf_latency_sum = 100000,
                                       .read_partition_sum = 100000};

static enum bound bound_with(const struct run_stats *s, uint64_t waiting, int issue_interval)
{
    struct bound_params by;
    static const struct param rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct bound_params, f, t, lo, hi, d, u, h)
        BOUND_PARAMS(ROW)
#undef ROW
    };
    static const struct param_group groups[] = {{"", rows, sizeof rows / sizeof *rows, 0},
                                                {NULL, NULL, 0, 0}};
    params_default(groups, &by);
    const struct bound_counts c = {.stats = s,
                                   .ctas = s->ctas,
                                   .waiting = waiting,
                                   .issue_interval = issue_interval,
                                   .channels = 6};
    return bound_of_counts(&c, &by);
}

/* Scheduler cycles in hundreds: of 200. */
struct causes {
    int issued, alu_unit, mem_unit, mem_dep, alu_dep, fetch, barrier;
};

static struct run_stats with(const struct causes *c)
{
    struct run_stats s = quiet;
    s.sched_issued = 100 * (uint64_t)c->issued;
    s.sched_alu_unit = 100 * (uint64_t)c->alu_unit;
    s.sched_mem_unit = 100 * (uint64_t)c->mem_unit;
    s.sched_mem_dep = 100 * (uint64_t)c->mem_dep;
    s.sched_alu_dep = 100 * (uint64_t)c->alu_dep;
    s.sched_fetch = 100 * (uint64_t)c->fetch;
    s.sched_barrier = 100 * (uint64_t)c->barrier;
    return s;
}

static void schedulers_tell_the_bound_where_memory_does_not(void)
{
    static const struct {
        struct causes of;
        int issue_interval;
        enum bound bound;
    } cases[] = {/* 0.7 of the slots, and just less */
                 {{.issued = 140, .mem_dep = 60}, 1, BOUND_ISSUE},
                 {{.issued = 139, .mem_dep = 61}, 1, BOUND_LATENCY},
                 /* each of 35 issues takes four cycles: in 105 of those of a taken unit it is the
                    scheduler */
                 {{.issued = 35, .alu_unit = 105, .mem_dep = 60}, 4, BOUND_ISSUE},
                 {{.issued = 35, .alu_unit = 105, .mem_dep = 60}, 1, BOUND_UNITS},
                 {{.issued = 60, .alu_unit = 80, .alu_dep = 60}, 1, BOUND_UNITS},
                 {{.issued = 60, .alu_unit = 71, .alu_dep = 69}, 1, BOUND_UNITS},
                 {{.issued = 60, .alu_unit = 69, .alu_dep = 71}, 1, BOUND_LATENCY},
                 {{.issued = 60, .mem_unit = 90, .mem_dep = 50}, 1, BOUND_PORT},
                 /* instructions, if nothing is waited for longer */
                 {{.issued = 40, .fetch = 81, .mem_dep = 79}, 1, BOUND_FETCH},
                 {{.issued = 40, .fetch = 79, .mem_dep = 81}, 1, BOUND_LATENCY},
                 {{.issued = 40, .fetch = 79, .alu_dep = 41, .barrier = 40}, 1, BOUND_LATENCY},
                 {{.issued = 20, .mem_dep = 180}, 1, BOUND_LATENCY},
                 {{.issued = 20, .barrier = 91, .mem_dep = 89}, 1, BOUND_BARRIER},
                 {{.issued = 20, .barrier = 89, .mem_dep = 91}, 1, BOUND_LATENCY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct run_stats s = with(&cases[i].of);
        const enum bound b = bound_with(&s, 0, cases[i].issue_interval);
        if (b != cases[i].bound)
            printf("\n  case %zu: %s\n", i, bound_name(b));
        CU_ASSERT_EQUAL(b, cases[i].bound);
    }
    const struct run_stats none = {0};
    CU_ASSERT_EQUAL(bound_with(&none, 0, 1), BOUND_UNKNOWN);
}

/* A data bus that is busy for 0.7 of the time, or 0.8 reads that wait at each channel in the mean:
 * 0.8 * 1000 cycles * 6 channels. If its own latency is mostly the network's, that. Where other
 * causes weigh more nobody asks memory. */
static void memory_tells_if_schedulers_wait_for_it(void)
{
    static const struct {
        uint64_t bus, queue, network;
        enum bound bound;
    } cases[] = {{4200, 0, 0, BOUND_DRAM},       {4199, 0, 0, BOUND_LATENCY},
                 {0, 4800, 0, BOUND_DRAM},       {0, 4799, 0, BOUND_LATENCY},
                 {0, 0, 50001, BOUND_NETWORK},   {0, 0, 50000, BOUND_LATENCY},
                 {4200, 4800, 50001, BOUND_DRAM}}; /* what waits for DRAM fills the network */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run_stats s = with(&(struct causes){.issued = 60, .mem_dep = 70, .alu_dep = 60});
        s.dram_bus_cycles = cases[i].bus;
        s.read_dram_queue_sum = cases[i].queue;
        s.read_l1_sum = cases[i].network / 2;
        s.read_reply_sum = cases[i].network - s.read_l1_sum;
        CU_ASSERT_EQUAL(bound_with(&s, 0, 1), cases[i].bound);
        s.sched_alu_dep += 2000; /* longer than for memory */
        s.sched_cycles += 2000;
        CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_LATENCY);
        s.sched_issued += 42000; /* 48000 of 64000 */
        s.sched_cycles += 42000;
        CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_ISSUE);
    }
    struct run_stats busy =
        with(&(struct causes){.issued = 60, .alu_unit = 71, .mem_dep = 69}); /* for units longer */
    busy.read_dram_queue_sum = 4800;
    CU_ASSERT_EQUAL(bound_with(&busy, 0, 1), BOUND_UNITS);
    struct run_stats s =
        with(&(struct causes){.issued = 20, .mem_unit = 180}); /* stores, refused */
    s.dram_bus_cycles = 4200;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_DRAM);
}

/* Long queues at DRAM and idle buses: most requests have a row opened, or they come in bursts. */
static void banks_tell_by_the_rows_that_they_open(void)
{
    struct run_stats s = with(&(struct causes){.issued = 20, .mem_dep = 180});
    s.read_dram_queue_sum = 4800;
    s.dram_activates = 51;
    s.dram_row_hits = 50;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_BANKS);
    s.dram_bus_cycles = 4200;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_DRAM);
    s.dram_bus_cycles = 0;
    s.dram_row_hits = 51;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_DRAM);
}

static void mshrs_tell_by_what_the_load_store_unit_is_refused(void)
{
    struct run_stats s = with(&(struct causes){.issued = 20, .mem_unit = 91, .mem_dep = 89});
    s.l1d_reservation_fails = 100;
    s.l1d_fail_mshr = 51;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_MSHRS);
    s.l1d_fail_mshr = 50; /* other reasons weigh as much */
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_LATENCY);
    s = with(&(struct causes){.issued = 20, .mem_unit = 89, .mem_dep = 91});
    s.l1d_reservation_fails = s.l1d_fail_mshr = 100; /* data is waited for longer */
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_LATENCY);
}

/* 20 CTAs are on the cores for 1000 cycles each. */
static void ctas_that_wait_for_most_of_their_time_bound_it(void)
{
    const struct run_stats s = with(&(struct causes){.issued = 150, .mem_dep = 50});
    CU_ASSERT_EQUAL(bound_with(&s, 10000, 1), BOUND_ISSUE); /* who waits issues, too */
    CU_ASSERT_EQUAL(bound_with(&s, 10001, 1), BOUND_WAITING);
}

/* Of the cores that got a CTA: of 10, and of one. */
static void cores_that_are_empty_for_most_of_the_time_wait_for_the_longest_cta(void)
{
    struct run_stats s = with(&(struct causes){.issued = 20, .mem_dep = 180});
    s.busy_core_cycles = 4999;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_LONGEST);
    s.busy_core_cycles = 5000;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_LATENCY);
    s.busy_core_cycles = 1000;
    s.ctas = 1;
    CU_ASSERT_EQUAL(bound_with(&s, 0, 1), BOUND_LATENCY);
}

static void each_has_a_name_and_no_other_number_is_one(void)
{
    for (int i = 0; i < BOUND_COUNT; i++) {
        CU_ASSERT_EQUAL((int)bound_of_number(i), i);
        for (int k = 0; k < i; k++)
            CU_ASSERT_STRING_NOT_EQUAL(bound_name((enum bound)i), bound_name((enum bound)k));
    }
    CU_ASSERT_EQUAL(bound_of_number(-1), BOUND_UNKNOWN);
    CU_ASSERT_EQUAL(bound_of_number(BOUND_COUNT), BOUND_UNKNOWN);
    CU_ASSERT_EQUAL(bound_of_number(1e300), BOUND_UNKNOWN);
    struct sample s = {.pilot_bound = {0, BOUND_COUNT - 1}};
    CU_ASSERT_TRUE(sample_bounds_ok(&s));
    s.pilot_bound[1] = BOUND_COUNT;
    CU_ASSERT_FALSE(sample_bounds_ok(&s));
    s.pilot_bound[1] = 1.5;
    CU_ASSERT_FALSE(sample_bounds_ok(&s));
}

/* Without a window, on one core: simulated with 1, 3 and 4 at once, and not with 2. */
static struct sample searched(void)
{
    return (struct sample){.launch_thread_insts = 1000,
                           .launch_warp_insts = 100,
                           .window_insts = 300,
                           .launches = 1,
                           .grid_ctas = 4,
                           .n_max = 5,
                           .cores = 1,
                           .pilot_cycles = {100, 0, 90, 95},
                           .pilot_insts = {100, 0, 100, 100},
                           .pilot_bound = {BOUND_LATENCY, 0, BOUND_DRAM, BOUND_DRAM},
                           .pilot_miss_rate = {0.4, 0, 0.51, 0.51}};
}

static void expect_bound(const struct sample *s, int n, const char *bound)
{
    struct prediction p;
    model_searched(s, &p);
    CU_ASSERT_STRING_EQUAL(p.bound[n], bound);
}

/* A quarter more misses than with one, and longer than with fewer. */
static void a_launch_without_a_window_is_bound_by_what_its_simulations_are(void)
{
    struct sample s = searched();
    expect_bound(&s, 1, "latency");
    expect_bound(&s, 2, "not known");
    expect_bound(&s, 3, "DRAM bandwidth"); /* faster */
    expect_bound(&s, 4, "L1D thrash");
    expect_bound(&s, 5, "L1D thrash"); /* no core gets five: as with four */
    s.pilot_miss_rate[3] = 0.5;
    expect_bound(&s, 4, "DRAM bandwidth");
    s.pilot_miss_rate[3] = 0.51;
    s.pilot_bound[3] = BOUND_NETWORK;
    expect_bound(&s, 4, "L1D thrash");
    s.pilot_bound[3] = BOUND_LATENCY;
    expect_bound(&s, 4, "L1D thrash");
    s.pilot_bound[3] = BOUND_WAITING; /* they do not wait for memory */
    expect_bound(&s, 4, "CTAs that wait");
    s.pilot_bound[3] = BOUND_DRAM;
    s.pilot_miss_rate[0] = 0.01;
    s.pilot_miss_rate[3] = 0.09; /* hardly any */
    expect_bound(&s, 4, "DRAM bandwidth");
}

/* With a window the model says what bounds n, unless n had a pilot. */
static void a_pilot_overrules_the_model(void)
{
    struct sample s = searched();
    struct prediction p = {.n_max = 5, .bound = {NULL, "m", "m", "m", "m", "m"}};
    s.warp_insts = 100;
    s.pilot_bound[3] = BOUND_LATENCY;
    s.pilot_miss_rate[3] = 0.4;
    model_simulated_bounds(&s, &p);
    CU_ASSERT_STRING_EQUAL(p.bound[1], "latency");
    CU_ASSERT_STRING_EQUAL(p.bound[2], "m");
    CU_ASSERT_STRING_EQUAL(p.bound[3], "DRAM bandwidth");
    CU_ASSERT_STRING_EQUAL(p.bound[4], "latency");
    CU_ASSERT_STRING_EQUAL(p.bound[5], "grid"); /* a fifth would hide more of it */
}

SUITE("bound", T(schedulers_tell_the_bound_where_memory_does_not),
      T(memory_tells_if_schedulers_wait_for_it), T(banks_tell_by_the_rows_that_they_open),
      T(mshrs_tell_by_what_the_load_store_unit_is_refused),
      T(ctas_that_wait_for_most_of_their_time_bound_it),
      T(cores_that_are_empty_for_most_of_the_time_wait_for_the_longest_cta),
      T(each_has_a_name_and_no_other_number_is_one),
      T(a_launch_without_a_window_is_bound_by_what_its_simulations_are),
      T(a_pilot_overrules_the_model))
