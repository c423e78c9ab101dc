#include "sim/gpu/clock.h"
#include "tests/suite.h"

static const struct clock_cfg fermi = {.core = 700, .icnt = 1400, .l2 = 700, .dram = 924};

static void edges_follow_the_frequencies(void)
{
    struct clock c;
    CU_ASSERT_TRUE(clock_init(&c, &fermi, NULL));
    uint64_t edges[CLOCK_DOMAINS] = {0};
    while (edges[CLOCK_CORE] < 700000) {
        unsigned due = clock_step(&c);
        for (int d = 0; d < CLOCK_DOMAINS; d++)
            edges[d] += due >> d & 1;
    }
    CU_ASSERT_EQUAL(edges[CLOCK_L2], 700000);
    CU_ASSERT_EQUAL(edges[CLOCK_ICNT], 1399999); /* the 1400000th lies half a core cycle later */
    CU_ASSERT_EQUAL(edges[CLOCK_DRAM], 923999);
}

/* Twice the frequency, twice the edges, of one domain alone. */
static void a_frequency_moves_the_edges_of_its_domain(void)
{
    static const char *const set[CLOCK_DOMAINS] = {
        [CLOCK_CORE] = "clock.core=200",
        [CLOCK_ICNT] = "clock.icnt=200",
        [CLOCK_L2] = "clock.l2=200",
        [CLOCK_DRAM] = "clock.dram=200",
    };
    for (int fast = 0; fast < CLOCK_DOMAINS; fast++) {
        struct gpu_cfg cfg;
        struct clock c;
        struct err e;
        uint64_t edges[CLOCK_DOMAINS] = {0};
        gpu_cfg_default(&cfg);
        cfg.clock = (struct clock_cfg){.core = 100, .icnt = 100, .l2 = 100, .dram = 100};
        CU_ASSERT_TRUE(params_set(gpu_cfg_groups(), &cfg, set[fast], &e));
        CU_ASSERT_TRUE(clock_init(&c, &cfg.clock, NULL));
        for (int i = 0; i < 2000; i++) {
            const unsigned due = clock_step(&c);
            for (int d = 0; d < CLOCK_DOMAINS; d++)
                edges[d] += due >> d & 1;
        }
        for (int d = 0; d < CLOCK_DOMAINS; d++)
            CU_ASSERT_EQUAL(edges[d], d == fast ? 2000 : 1000);
    }
}

/* Edges of 700 and 1400 MHz coincide on the exact time line: two steps a core cycle. In sums of
 * doubles some come apart: more steps, which the same sums tell. */
static void rounded_edges_come_apart(void)
{
    struct gpu_cfg cfg;
    struct err e;
    gpu_cfg_default(&cfg);
    cfg.clock = (struct clock_cfg){.core = 700, .icnt = 1400, .l2 = 700, .dram = 700};
    for (int rounded = 0; rounded < 2; rounded++) {
        struct clock c;
        int steps = 0, core_edges = 0;
        CU_ASSERT_TRUE(params_set(gpu_cfg_groups(), &cfg,
                                  rounded ? "clock.rounded=true" : "clock.rounded=false", &e));
        CU_ASSERT_TRUE(clock_init(&c, &cfg.clock, NULL));
        for (; core_edges < 1000; steps++)
            core_edges += clock_step(&c) >> CLOCK_CORE & 1;
        int want = 1 + 2 * 999;
        if (rounded) {
            double slow = 0, fast = 0;
            const double tick = 1 / 1400e6, tock = 1 / 700e6;
            for (want = 0, core_edges = 0; core_edges < 1000; want++) {
                const double at = slow < fast ? slow : fast;
                fast += fast <= at ? tick : 0;
                core_edges += slow <= at;
                slow += slow <= at ? tock : 0;
            }
            CU_ASSERT_TRUE(want > 1 + 2 * 999);
        }
        CU_ASSERT_EQUAL(steps, want);
    }
}

static void first_step_has_every_domain(void)
{
    struct clock c;
    CU_ASSERT_TRUE(clock_init(&c, &fermi, NULL));
    CU_ASSERT_EQUAL(clock_step(&c), (1u << CLOCK_DOMAINS) - 1);
}

static void core_and_l2_of_one_frequency_never_part(void)
{
    struct clock c;
    CU_ASSERT_TRUE(clock_init(&c, &fermi, NULL));
    for (int i = 0; i < 100000; i++) {
        unsigned due = clock_step(&c);
        CU_ASSERT_EQUAL_FATAL(due >> CLOCK_CORE & 1, due >> CLOCK_L2 & 1);
    }
}

/* A jump over k core edges leaves every domain where k core cycles of single steps leave it. */
static void jump_equals_steps(void)
{
    for (uint64_t k = 1; k < 200; k++) {
        struct clock a, b;
        clock_init(&a, &fermi, NULL);
        for (int i = 0; i < 7; i++)
            clock_step(&a);
        while (!(clock_step(&a) & 1u << CLOCK_CORE))
            ;
        b = a;
        uint64_t skipped[CLOCK_DOMAINS], seen[CLOCK_DOMAINS] = {0};
        clock_jump(&a, k, skipped);
        for (;;) {
            struct clock before = b;
            unsigned due = clock_step(&b);
            if (due & 1u << CLOCK_CORE && seen[CLOCK_CORE] == k - 1) {
                b = before;
                break;
            }
            for (int d = 0; d < CLOCK_DOMAINS; d++)
                seen[d] += due >> d & 1;
        }
        for (int d = 0; d < CLOCK_DOMAINS; d++)
            CU_ASSERT_EQUAL_FATAL(skipped[d], seen[d]);
        for (int i = 0; i < 50; i++)
            CU_ASSERT_EQUAL_FATAL(clock_step(&a), clock_step(&b));
    }
}

static void frequency_of_zero_is_refused(void)
{
    struct clock c;
    struct err e;
    CU_ASSERT_FALSE(
        clock_init(&c, &(struct clock_cfg){.core = 0, .icnt = 1, .l2 = 1, .dram = 1}, &e));
}

SUITE("clock", T(edges_follow_the_frequencies), T(a_frequency_moves_the_edges_of_its_domain),
      T(rounded_edges_come_apart), T(first_step_has_every_domain),
      T(core_and_l2_of_one_frequency_never_part), T(jump_equals_steps),
      T(frequency_of_zero_is_refused))
