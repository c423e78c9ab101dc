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

SUITE("clock", T(edges_follow_the_frequencies), T(first_step_has_every_domain),
      T(core_and_l2_of_one_frequency_never_part), T(jump_equals_steps),
      T(frequency_of_zero_is_refused))
