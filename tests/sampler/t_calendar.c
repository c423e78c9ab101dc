/* What is taken of something that does one thing at a time. */
#include "base/rng.h"
#include "sampler/calendar.h"
#include "tests/suite.h"

#include <stdlib.h>

static void what_comes_in_order_is_served_in_order(void)
{
    struct calendar c = {0};
    CU_ASSERT_EQUAL(calendar_take(&c, 10, 4), 10);
    CU_ASSERT_EQUAL(calendar_take(&c, 11, 4), 14);
    CU_ASSERT_EQUAL(calendar_take(&c, 11, 4), 18);
    CU_ASSERT_EQUAL(calendar_take(&c, 22, 4), 22);
    CU_ASSERT_EQUAL(calendar_take(&c, 30, 4), 30);
    CU_ASSERT_EQUAL(c.spans, 2); /* 10 to 26, 30 to 34 */
}

/* Gaps from 0 to 10, 14 to 20 and from 24 on: what fits into one lies there, what does not takes
 * what there is of it, and ends as late as the rest of it says. */
static void what_comes_late_finds_gaps(void)
{
    struct calendar c = {0};
    calendar_take(&c, 10, 4);
    calendar_take(&c, 20, 4);
    CU_ASSERT_EQUAL(calendar_take(&c, 3, 5), 3);
    CU_ASSERT_EQUAL(calendar_take(&c, 12, 2), 14);
    CU_ASSERT_EQUAL(calendar_take(&c, 15, 7), 27 - 7); /* 16 to 20, 24 to 27 */
    CU_ASSERT_EQUAL(calendar_take(&c, 0, 1), 0);
    CU_ASSERT_EQUAL(calendar_take(&c, 0, 3), 9 - 3); /* 1 to 3, 8 to 9 */
    CU_ASSERT_EQUAL(calendar_take(&c, 0, 1), 9);
    CU_ASSERT_EQUAL(c.spans, 1); /* all of 0 to 27 */
    CU_ASSERT_EQUAL(calendar_take(&c, 0, 1), 27);
}

/* Against a list of the cycles that are taken: whole numbers, in any order. */
static void no_time_is_lost_or_given_twice(void)
{
    enum { CYCLES = 4000 };
    static bool taken[CYCLES];
    struct rng draw = rng_seed(7);
    struct calendar *c = calloc(1, sizeof *c);
    for (int i = 0; i < 300; i++) {
        const int from = (int)rng_below(&draw, 1500), need = 1 + (int)rng_below(&draw, 9);
        int at = from, left = need;
        for (; left > 0; at++)
            if (!taken[at]) {
                taken[at] = true;
                left--;
            }
        CU_ASSERT_EQUAL(calendar_take(c, from, need), at - need);
    }
    for (int i = 0; i < c->spans; i++) {
        CU_ASSERT_TRUE(c->from[i] < c->to[i]);
        CU_ASSERT_TRUE(i == 0 || c->to[i - 1] < c->from[i]);
        for (int at = (int)c->from[i]; at < c->to[i]; at++)
            CU_ASSERT_TRUE(taken[at]);
    }
    free(c);
}

/* The first ones are forgotten when there are too many, and count as free then; what lies before
 * all that are remembered leaves no trace. */
static void the_last_spans_are_remembered(void)
{
    struct calendar *c = calloc(1, sizeof *c);
    for (int i = 0; i <= CALENDAR_SPANS; i++)
        CU_ASSERT_EQUAL(calendar_take(c, 100 + 10 * i, 4), 100 + 10 * i);
    CU_ASSERT_EQUAL(c->spans, CALENDAR_SPANS);
    CU_ASSERT_EQUAL(calendar_take(c, 110, 4), 114); /* the second is there */
    CU_ASSERT_EQUAL(c->from[0], 110);
    CU_ASSERT_EQUAL(calendar_take(c, 100, 4), 100); /* the first is not */
    CU_ASSERT_EQUAL(calendar_take(c, 100, 4), 100);
    CU_ASSERT_EQUAL(c->spans, CALENDAR_SPANS);
    free(c);
}

SUITE("calendar", T(what_comes_in_order_is_served_in_order), T(what_comes_late_finds_gaps),
      T(no_time_is_lost_or_given_twice), T(the_last_spans_are_remembered))
