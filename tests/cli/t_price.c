#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/price.h"
#include "cli/sample_report.h"
#include "tests/suite.h"

static void work(double seconds)
{
    volatile unsigned x = 0;
    for (const double start = price_clock(); price_clock() - start < seconds;)
        x++;
}

/* 50 ms of a child's CPU time are 50 of ours once it has been waited for. */
static void the_clock_runs_for_children_too(void)
{
    const double start = price_clock();
    const pid_t child = fork();
    if (child == 0) {
        work(0.05);
        _exit(0);
    }
    const double before = price_clock();
    CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
    CU_ASSERT(before >= start);
    CU_ASSERT(price_clock() - before >= 0.045);
}

/* 20 ms of work, 5 + 10 of them accounted for: other is the rest. Of these parts a simulation, of
 * which 1 s is known, needs what is compiled, and the rest. */
static void parts_add_up_to_the_answer(void)
{
    struct price p = {.simulation = 1};
    const double start = price_clock();
    price_add(&p, PRICE_WINDOW, 0.005);
    price_add_common(&p, PRICE_COMPILATION, 0.010);
    work(0.02);
    price_end(&p, start);
    CU_ASSERT_EQUAL_FATAL(p.parts, 3);
    CU_ASSERT_EQUAL(p.part[2].of, PRICE_OTHER);
    CU_ASSERT(p.answer >= 0.02);
    CU_ASSERT_DOUBLE_EQUAL(p.part[0].seconds + p.part[1].seconds + p.part[2].seconds, p.answer,
                           1e-12);
    CU_ASSERT(p.part[2].seconds >= 0.005 - 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p.simulation, 1 + 0.010 + p.part[2].seconds, 1e-12);
    CU_ASSERT_EQUAL(p.search, 0); /* is not known */
}

/* 100 of 1000 instructions took 0.2 s: all take 2, at each of 4 degrees 8. Of a window alone the
 * memory's rate counts if it is faster; beside pilots it doesn't. */
static void an_estimate_is_at_the_speed_of_what_was_simulated(void)
{
    struct sample_cost c = {.warp_insts = 100, .full_warp_insts = 1000, .window_seconds = 0.2};
    struct price p;
    sample_cost_price(&c, 4, &p);
    CU_ASSERT_DOUBLE_EQUAL(p.simulation, 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(p.search, 8, 1e-12);
    CU_ASSERT(p.estimated && p.search_estimated);
    c.memory_warp_insts = 1000;
    c.memory_seconds = 3;
    sample_cost_price(&c, 4, &p);
    CU_ASSERT_DOUBLE_EQUAL(p.simulation, 2, 1e-12);
    c.memory_seconds = 1;
    sample_cost_price(&c, 4, &p);
    CU_ASSERT_DOUBLE_EQUAL(p.simulation, 1, 1e-12);
    c.warp_insts += 100;
    c.pilot_seconds = 0.4;
    sample_cost_price(&c, 4, &p);
    CU_ASSERT_DOUBLE_EQUAL(p.simulation, 3, 1e-12);
    c = (struct sample_cost){.full_warp_insts = 1000};
    sample_cost_price(&c, 4, &p);
    CU_ASSERT_EQUAL(p.simulation, 0); /* nothing was simulated: not known */
}

static char *printed(const struct price *p)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    price_print(f, p, 10);
    fclose(f);
    return text;
}

static void it_says_what_was_measured(void)
{
    struct price p = {.answer = 3,
                      .simulation = 2,
                      .estimated = true,
                      .search = 12,
                      .part = {{PRICE_WINDOW, 1}, {PRICE_OTHER, 2}},
                      .parts = 2,
                      .warp_insts = 5,
                      .full_warp_insts = 1000};
    char *text = printed(&p);
    CU_ASSERT_STRING_EQUAL(
        text, "  price   3 s of CPU time\n"
              "          1.5 times one simulation at the default degree (2 s, estimated)\n"
              "          0.25 times the exhaustive search (12.0 s, measured)\n"
              "          window 1.000 s, other 2.000 s\n"
              "          5 warp instructions in detail, 0.5 % of one simulation's\n");
    free(text);
    p.part[0].seconds = 0.0004; /* next to nothing is left out */
    p.search = 0;
    text = printed(&p);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "what the exhaustive search takes is not known\n"
                                        "          other 2.000 s\n"));
    free(text);
}

/* 4,834 instructions beside 34 of one simulation and 272 of eight. */
static void of_something_tiny_a_search_simulates_less(void)
{
    struct price p = {.answer = 0.012,
                      .simulation = 0.0072,
                      .estimated = true,
                      .search = 8 * 0.0072,
                      .search_estimated = true,
                      .part = {{PRICE_MEMORY, 0.005}, {PRICE_OTHER, 0.007}},
                      .parts = 2,
                      .warp_insts = 4834,
                      .full_warp_insts = 34};
    char *text = printed(&p);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "4834 warp instructions in detail; `search` is cheaper here: it has 272\n"));
    free(text);
    p.warp_insts = 270;
    text = printed(&p);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "270 warp instructions in detail, 794 % of one"));
    free(text);
}

/* Of 3 seconds 2 were pilots: what a budget does not end takes 1. */
static void it_says_why_more_than_the_budget_was_spent(void)
{
    struct price p = {
        .answer = 3, .part = {{PRICE_PILOTS, 2}, {PRICE_OTHER, 1}}, .parts = 2, .budget = 2.5};
    char *text = printed(&p);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "budget of 2.5 s: a simulation ends a little after"));
    free(text);
    p.budget = 0.5;
    text = printed(&p);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "budget of 0.5 s, which ends simulations alone"));
    free(text);
    p.budget = 3;
    text = printed(&p);
    CU_ASSERT_PTR_NULL(strstr(text, "budget"));
    free(text);
}

SUITE("price", T(it_says_why_more_than_the_budget_was_spent), T(the_clock_runs_for_children_too),
      T(parts_add_up_to_the_answer), T(an_estimate_is_at_the_speed_of_what_was_simulated),
      T(it_says_what_was_measured), T(of_something_tiny_a_search_simulates_less))
