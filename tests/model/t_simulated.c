/* What simulating the application at one degree says of the others, by hand. */
#include <math.h>

#include "model/model.h"
#include "tests/suite.h"

/* Of 4 degrees. At m half of an error found at n is taken over, times n / m or m / n. */
static struct prediction four(double a, double b, double c, double d)
{
    return (struct prediction){
        .n_max = 4, .error = 0.05, .alike = 0.5, .reach = 1, .ipc = {0, a, b, c, d}};
}

/* Simulated at 2, half of what was predicted. */
static void the_others_share_a_part_of_what_was_found(void)
{
    struct prediction p = four(10, 20, 10, 10);
    model_simulated(&p, 2, 10);
    CU_ASSERT_EQUAL(p.ipc[2], 10);
    CU_ASSERT_TRUE(p.simulated[2]);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[1], 10 * pow(0.5, 0.5 / 2), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[4], 10 * pow(0.5, 0.5 / 2), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.ipc[3], 10 * pow(0.5, 0.5 / 1.5), 1e-9);
    CU_ASSERT_EQUAL(p.chosen_n, 2);
}

static void what_was_simulated_stays(void)
{
    struct prediction p = four(10, 20, 10, 10);
    model_simulated(&p, 2, 10);
    model_simulated(&p, 3, 40);
    CU_ASSERT_EQUAL(p.ipc[2], 10);
    CU_ASSERT_EQUAL(p.ipc[3], 40);
    CU_ASSERT_EQUAL(p.chosen_n, 3);
}

/* Of a model that does not say that its errors are alike nothing else moves. */
static void nothing_is_shared_unless_the_model_says_so(void)
{
    struct prediction p = four(10, 20, 15, 10);
    p.alike = 0;
    model_simulated(&p, 2, 12);
    CU_ASSERT_EQUAL(p.ipc[3], 15);
    CU_ASSERT_EQUAL(p.chosen_n, 3);
    CU_ASSERT_EQUAL(model_doubt(&p, 3), 1);
    p.alike = 0.5;
    p.reach = 0;
    CU_ASSERT_EQUAL(model_doubt(&p, 3), 1);
}

/* First the chosen one; then the best of the others, as long as it is within two errors (0.905). */
static void the_chosen_one_is_simulated_first_then_its_rivals(void)
{
    struct prediction p = four(9, 10, 9.2, 8);
    p.alike = 0;
    model_choose(&p);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 2);
    model_simulated(&p, 2, 10);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 3);
    model_simulated(&p, 3, 9.3);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0); /* 9 is too far */
    model_simulated(&p, 2, 9.4);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 1);
    model_simulated(&p, 1, 9);
    model_simulated(&p, 4, 9);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0); /* none is left */
}

/* Margin 5 %: the largest is chosen, but the best of the others is looked at, then the next best,
 * and the largest itself when nothing else is in doubt. */
static void the_largest_degree_is_simulated_last(void)
{
    struct prediction p = four(9.3, 10, 7, 9.9);
    p.margin = 0.05;
    p.alike = 0;
    model_choose(&p);
    CU_ASSERT_EQUAL(p.chosen_n, 4);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 2);
    model_simulated(&p, 2, 9.8);
    CU_ASSERT_EQUAL(p.chosen_n, 4);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 1);
    model_simulated(&p, 1, 9);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 4);
    model_simulated(&p, 4, 9.7);
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0);
    p = four(7, 10, 7, 9.9); /* where another one is chosen, too */
    model_choose(&p);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 2);
    model_simulated(&p, 2, 10);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 4);
    model_simulated(&p, 2, 12);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0);
}

/* From 3 on they are the same: what is simulated at one of them is so at all. */
static void degrees_that_are_the_same_are_simulated_together(void)
{
    struct prediction p = four(9.5, 10, 9.9, 9.8);
    p.same_from = 3;
    model_simulated(&p, 4, 11);
    CU_ASSERT_TRUE(p.simulated[3] && p.simulated[4] && !p.simulated[2]);
    CU_ASSERT_EQUAL(p.ipc[3], 11);
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

static void a_degree_without_rivals_is_not_simulated(void)
{
    struct prediction p = four(5, 10, 9, 8);
    model_choose(&p);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0);
    p.error = 0; /* not known: any may be better */
    CU_ASSERT_EQUAL(model_simulate_next(&p), 2);
    p = (struct prediction){.n_max = 1, .ipc = {0, 1}};
    model_choose(&p);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0);
}

/* 0 where it was simulated; sqrt(1 - rho^2) elsewhere, of the nearest. */
static void doubt_is_what_is_not_shared(void)
{
    struct prediction p = four(10, 20, 10, 10);
    CU_ASSERT_EQUAL(model_doubt(&p, 1), 1);
    p.simulated[2] = p.simulated[4] = true;
    CU_ASSERT_EQUAL(model_doubt(&p, 2), 0);
    CU_ASSERT_DOUBLE_EQUAL(model_doubt(&p, 1), sqrt(1 - 0.25 * 0.25), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(model_doubt(&p, 3), sqrt(1 - pow(0.5 * 3 / 4, 2)), 1e-12);
}

/* 103 against 100: within a margin of 5 %, within half of it where one of them was simulated, and
 * taken where both were. 102 is not taken before that. */
static void each_simulated_degree_takes_half_of_the_margin(void)
{
    struct prediction p = four(50, 103, 60, 100);
    p.margin = 0.05;
    p.alike = 0;
    model_choose(&p);
    CU_ASSERT_EQUAL(p.chosen_n, 4);
    model_simulated(&p, 4, 100);
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    model_simulated(&p, 2, 102);
    CU_ASSERT_EQUAL(p.chosen_n, 2);
    p = four(50, 102, 60, 100);
    p.margin = 0.05;
    p.alike = 0;
    model_simulated(&p, 4, 100);
    CU_ASSERT_EQUAL(p.chosen_n, 4);
}

/* A simulated 100 is preferred to a predicted 101, by a margin of 5 %. */
static void what_is_known_is_preferred_to_what_is_predicted(void)
{
    struct prediction p = four(100, 101, 60, 90);
    p.margin = 0.05;
    p.alike = 0;
    model_simulated(&p, 1, 100);
    CU_ASSERT_EQUAL(p.chosen_n, 1);
}

/* 0.87 of the best is no rival within two errors, 0.905; with chance of 0.12 it is within two of
 * 0.13, 0.77, whichever of the two has it. */
static void what_chance_may_have_made_is_in_doubt(void)
{
    struct prediction p = four(5, 8.7, 10, 5);
    model_choose(&p);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0);
    p.chance[2] = 0.12;
    CU_ASSERT_EQUAL(model_simulate_next(&p), 3);
    p.chance[2] = 0;
    p.chance[3] = 0.12;
    CU_ASSERT_EQUAL(model_simulate_next(&p), 3);
    p.error = 0.01; /* two of 0.0707: 0.868 */
    p.chance[2] = p.chance[3] = 0.05;
    CU_ASSERT_EQUAL(model_simulate_next(&p), 3);
    p.chance[2] = 0;
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0);
    p.chance[3] = 0.12; /* what was simulated is known, whatever chance was in it */
    model_simulated(&p, 3, 10);
    CU_ASSERT_EQUAL(model_simulate_next(&p), 0);
}

SUITE("simulated", T(what_chance_may_have_made_is_in_doubt),
      T(the_others_share_a_part_of_what_was_found), T(what_was_simulated_stays),
      T(nothing_is_shared_unless_the_model_says_so),
      T(the_chosen_one_is_simulated_first_then_its_rivals), T(the_largest_degree_is_simulated_last),
      T(degrees_that_are_the_same_are_simulated_together),
      T(degrees_are_the_same_where_no_core_gets_more), T(a_degree_without_rivals_is_not_simulated),
      T(doubt_is_what_is_not_shared), T(each_simulated_degree_takes_half_of_the_margin),
      T(what_is_known_is_preferred_to_what_is_predicted))
