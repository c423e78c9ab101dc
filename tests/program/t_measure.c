/* Which CTA of a launch is sampled. */
#include "program/measure.h"

#include "tests/suite.h"

/* 100 warp instructions of 4 CTAs: 30 are nearer to 25 than 19 are. */
static void the_cta_is_the_plans_or_one_near_the_mean(void)
{
    static const uint64_t insts[] = {10, 30, 19, 41};
    static const struct {
        int64_t plan;
        const uint64_t *insts;
        uint64_t number, most;
    } row[] = {{-1, insts, 1, 30}, {-1, NULL, 0, 100}, {2, NULL, 2, 100}, {9, NULL, 9, 100}};
    const struct func_counts n = {.warp_insts = 100, .thread_insts = 3200, .ctas = 4};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct program_plan p = {.cta = row[i].plan};
        const struct sampled_cta cta = measure_pick(&p, row[i].insts, &n);
        CU_ASSERT_EQUAL(cta.number, row[i].number);
        CU_ASSERT_EQUAL(cta.most, row[i].most);
        CU_ASSERT_EQUAL(cta.warp_insts, 25);
        CU_ASSERT_EQUAL(cta.all, 100);
    }
}

SUITE("measured launches", T(the_cta_is_the_plans_or_one_near_the_mean))
