/* CTAs that end one after the other: what the first of them tell of all. */
#include "sampler/pilot/cta_chain.h"

#include <stdlib.h>

#include "base/err.h"
#include "tests/suite.h"

/* By the rule itself, CTA after CTA: one begins when the one `places` before it has ended. */
static double cycles(const struct cta_chain *c, double hop, double own)
{
    double *end = xcalloc((size_t)c->ctas, sizeof *end);
    for (uint64_t i = 0; i < c->ctas; i++) {
        const double begin = i < c->places ? 0 : end[i - c->places];
        end[i] = begin + own;
        if (i && end[i] < end[i - 1] + hop)
            end[i] = end[i - 1] + hop;
    }
    const double last = end[c->ctas - 1];
    free(end);
    return last;
}

static void all_follow_from_the_first_by_the_rule(void)
{
    static const double own[] = {1, 40, 799, 800, 801, 5000};
    for (uint64_t third = 1; third <= 50; third++)
        for (uint64_t places = 1; places <= 9; places++)
            for (int i = 0; i < 6; i++)
                for (double hop = 0; hop <= 400; hop += 100) {
                    const struct cta_chain some = {third, places}, all = {3 * third, 3 * places};
                    CU_ASSERT_DOUBLE_EQUAL(
                        cta_chain_cycles(&all, &some, hop, cycles(&some, hop, own[i])),
                        cycles(&all, hop, own[i]), 1e-6);
                }
}

/* 40 CTAs on 30 places took 2 rounds of 1000: 120 on 90 do, too. With 10 cycles from one to the
 * next, one takes (2000 - 9 * 10) / 2 = 955, more than the 900 in which the chain comes round all
 * 90 places; with 20 it takes 910, and the chain 1800; with 50 it comes round 30 places in 1500,
 * and one takes what is left of 2000, 2000 - 39 * 50. */
static void work_or_the_chain_bounds_it(void)
{
    const struct cta_chain some = {40, 30}, all = {120, 90};
    CU_ASSERT_DOUBLE_EQUAL(cta_chain_cycles(&all, &some, 0, 2000), 2000, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(cta_chain_cycles(&all, &some, 10, 2000), 2 * 955 + 29 * 10, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(cta_chain_cycles(&all, &some, 20, 2000), 910 + 119 * 20, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(cta_chain_cycles(&all, &some, 50, 2000), 50 + 119 * 50, 1e-9);
}

/* They took less than that says: it was longer than elsewhere. As many more, as much longer. */
static void a_chain_that_is_too_long_is_scaled(void)
{
    const struct cta_chain some = {40, 30}, all = {120, 90};
    CU_ASSERT_DOUBLE_EQUAL(cta_chain_cycles(&all, &some, 100, 2000), 6000, 1e-9);
}

SUITE("chain of CTAs", T(all_follow_from_the_first_by_the_rule), T(work_or_the_chain_bounds_it),
      T(a_chain_that_is_too_long_is_scaled))
