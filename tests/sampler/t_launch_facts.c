/* Which CTA of a launch is sampled; what ran before it. */
#include "sampler/profile/launch_facts.h"

#include "sampler/sampling.h"
#include "tests/suite.h"

/* 100 warp instructions of 4 CTAs: 30 are nearer to 25 than 19 are. */
static void the_cta_is_the_one_asked_for_or_one_near_the_mean(void)
{
    static uint64_t insts[] = {10, 30, 19, 41};
    static const struct {
        int64_t asked;
        uint64_t *insts;
        uint64_t cta, its, longest, most;
    } row[] = {{-1, insts, 1, 30, 3, 41}, {2, insts, 2, 0, 3, 41}, {0, insts, 0, 0, 3, 41},
               {-1, NULL, 0, 0, 0, 100},  {2, NULL, 2, 0, 0, 100}, {9, NULL, 9, 0, 0, 100}};
    const struct func_counts n = {.warp_insts = 100, .thread_insts = 3200, .ctas = 4};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct launch_watch look = {.cta_insts = row[i].insts};
        struct launch_facts f = launch_facts_of(&n, &look, &sampling_or_default(NULL)->similarity);
        launch_facts_ask(&f, row[i].asked);
        CU_ASSERT_EQUAL(f.cta, row[i].cta);
        CU_ASSERT_EQUAL(f.cta_insts, row[i].its);
        CU_ASSERT_EQUAL(f.longest, row[i].longest);
        CU_ASSERT_EQUAL(f.most_insts, row[i].most);
        CU_ASSERT_EQUAL(f.warp_insts, 100);
        CU_ASSERT_EQUAL(f.thread_insts, 3200);
        CU_ASSERT_EQUAL(f.uneven, row[i].insts != NULL); /* else nothing was seen of them */
    }
}

/* 8 bytes an instruction. */
static void the_code_that_ran_before_is_known(void)
{
    struct kernel k = {.name = "k", .ninst = 10}, other = {.name = "other", .ninst = 20};
    const struct launch l = {.kernel = &k, .grid = {2, 1, 1}, .block = {32, 1, 1}};
    struct recent_code ran;
    struct launch_facts f = {0};
    recent_code_init(&ran, 1, 64);
    launch_facts_follow(&f, &ran, &l);
    CU_ASSERT_TRUE(!f.code_ran && f.code_since == 0);
    recent_code_ran(&ran, &k, 2);
    recent_code_ran(&ran, &other, 2);
    launch_facts_follow(&f, &ran, &l);
    CU_ASSERT_TRUE(f.code_ran && f.code_since == 8 * (10 + 20));
    recent_code_fini(&ran);
}

SUITE("launch facts", T(the_cta_is_the_one_asked_for_or_one_near_the_mean),
      T(the_code_that_ran_before_is_known))
