/* What an answer on a CUDA program costs, beside one simulation of it: from what its records say.
 */
#include "cli/program.h"
#include "tests/suite.h"

/* A kernel of 1,000 warp instructions, of which `run` simulates 100. 10 were simulated for a
 * sample, in 1 s. Executing took 50 s, most of it where launches were looked at. */
static struct program_kernel kernel(void)
{
    static struct sample sampled = {.warp_insts = 5, .n_max = 2};
    return (struct program_kernel){.k = {.n_max = 2},
                                   .samples = 1,
                                   .sample = &sampled,
                                   .warp_insts = 1000,
                                   .one_insts = 100,
                                   .seconds = 50,
                                   .cost = {.warp_insts = 10, .window_seconds = 1}};
}

static struct price price_of(struct program_kernel *k)
{
    struct options o = {.source = NULL};
    struct outcome found = {.kernels = 1, .kernel = k};
    struct verdict v = {.k = k};
    struct program_result r = {
        .mode = PROGRAM_SAMPLE, .o = &o, .found = &found, .v = &v, .n_max = 2};
    program_price(&r);
    return r.price;
}

/* One simulation: 100 instructions at 0.1 s, and 900 at what those took that nobody looked at. A
 * search looks, too. */
static void one_simulation_looks_at_nothing(void)
{
    struct program_kernel k = kernel();
    k.plain_seconds = 4;
    k.plain_insts = 800;
    const struct price p = price_of(&k);
    CU_ASSERT_DOUBLE_EQUAL(p.answer, 51, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.simulation, 10 + 900 * 4 / 800.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.search, 2 * 10 + 50, 1e-9);
}

static void where_all_were_looked_at_that_counts(void)
{
    struct program_kernel k = kernel();
    CU_ASSERT_DOUBLE_EQUAL(price_of(&k).simulation, 10 + 0.9 * 50, 1e-9);
    k.one_insts = k.warp_insts; /* all is simulated */
    CU_ASSERT_DOUBLE_EQUAL(price_of(&k).simulation, 100, 1e-9);
}

/* Its sample is without a window: it has been simulated at every degree, in 3 s; or at two of three
 * that differ, since one can't be best. */
static void a_kernel_that_was_searched_is_its_search(void)
{
    struct program_kernel k = kernel();
    struct sample searched = {.n_max = 2,
                              .cores = 1,
                              .grid_ctas = 3,
                              .pilot_cycles = {9, 6, 5},
                              .launch_warp_insts = 15,
                              .pilot_insts = {15, 15, 15},
                              .pilot_seconds = {1, 2}};
    k.sample = &searched;
    k.cost = (struct sample_cost){.warp_insts = 30, .pilot_warp_insts = 30, .pilot_seconds = 3};
    const struct price p = price_of(&k);
    CU_ASSERT_TRUE(p.searched);
    CU_ASSERT_DOUBLE_EQUAL(p.search, 3 + 50, 1e-9);
    searched.n_max = 3;
    searched.pilot_insts[1] = 0;
    CU_ASSERT_TRUE(sample_skipped(&searched, 2));
    CU_ASSERT_DOUBLE_EQUAL(price_of(&k).search, 4.5 + 50, 1e-9);
    k = kernel();
    CU_ASSERT_FALSE(price_of(&k).searched);
}

/* 600 of them were not even executed, since what they would do was known. */
static void what_was_known_takes_no_time(void)
{
    struct program_kernel k = kernel();
    k.plain_seconds = 4;
    k.plain_insts = 200;
    k.known_insts = 600;
    CU_ASSERT_DOUBLE_EQUAL(price_of(&k).simulation, 10 + 300 * 4 / 200.0, 1e-9);
}

SUITE("price of a program", T(one_simulation_looks_at_nothing),
      T(where_all_were_looked_at_that_counts), T(a_kernel_that_was_searched_is_its_search),
      T(what_was_known_takes_no_time))
