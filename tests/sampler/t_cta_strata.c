/* One CTA of each of equal parts. */
#include "sampler/profile/cta_strata.h"

#include "tests/suite.h"

/* Parts differ by one CTA at most, and have all CTAs; who is drawn lies in the part it is drawn of.
 */
static void parts_are_equal_and_have_all(void)
{
    struct rng draw = rng_seed(7);
    for (uint64_t width = 1; width < 70; width++)
        for (int n = 1; n <= 32 && (uint64_t)n <= width; n++) {
            const struct cta_strata s = {.first = 5, .width = width, .n = n};
            uint64_t size[32] = {0};
            for (uint64_t cta = 5; cta < 5 + width; cta++)
                size[cta_strata_part(&s, cta)]++;
            for (int k = 0; k < n; k++) {
                CU_ASSERT_TRUE(size[k] == width / (uint64_t)n ||
                               size[k] == width / (uint64_t)n + 1);
                CU_ASSERT_EQUAL(cta_strata_part(&s, cta_strata_draw(&s, k, &draw)), k);
            }
            CU_ASSERT_EQUAL(cta_strata_part(&s, 4), -1);
            CU_ASSERT_EQUAL(cta_strata_part(&s, 5 + width), -1);
        }
}

/* Of a part of ten all are drawn at some time. */
static void any_may_be_drawn(void)
{
    const struct cta_strata s = {.first = 100, .width = 30, .n = 3};
    struct rng draw = rng_seed(1);
    bool drawn[10] = {false};
    for (int i = 0; i < 200; i++)
        drawn[cta_strata_draw(&s, 1, &draw) - 110] = true;
    for (int i = 0; i < 10; i++)
        CU_ASSERT_TRUE(drawn[i]);
}

SUITE("CTA strata", T(parts_are_equal_and_have_all), T(any_may_be_drawn))
