/* Which cores have run which kernel. */
#include "sampler/code_seen.h"
#include "tests/suite.h"

static struct kernel a, b, many[CODE_SEEN + 2];

static bool has_run(const struct code_seen *c, int i, int core)
{
    return code_seen_by(c, i, core, 0);
}

/* Cores first .. first + n - 1 of 10, round the end, and no other. */
static bool exactly(const struct code_seen *c, int i, int first, int n)
{
    bool ok = true;
    for (int core = 0; core < 10; core++)
        ok &= has_run(c, i, core) == ((core - first + 10) % 10 < n);
    return ok;
}

/* 4 CTAs from core 8 on: 8, 9, 0 and 1. More than there are cores: all. */
static void ctas_are_dealt_round(void)
{
    struct code_seen c;
    code_seen_init(&c, 10);
    code_seen_add(&c, &a, 8, 4);
    CU_ASSERT_EQUAL_FATAL(c.kernels, 1);
    CU_ASSERT_TRUE(exactly(&c, 0, 8, 4));
    code_seen_add(&c, &a, 2, 1); /* once more, elsewhere: what was run stays run */
    CU_ASSERT_EQUAL(c.kernels, 1);
    CU_ASSERT_TRUE(exactly(&c, 0, 8, 5));
    code_seen_add(&c, &b, 10, 3); /* behind the last core comes the first */
    CU_ASSERT_TRUE(exactly(&c, 1, 0, 3));
    code_seen_add(&c, &b, 3, 1000000000000);
    CU_ASSERT_TRUE(exactly(&c, 1, 0, 10));
    code_seen_fini(&c);
}

static void the_kernel_that_ran_last_is_last(void)
{
    struct code_seen c;
    code_seen_init(&c, 10);
    for (int i = 0; i < 3; i++)
        code_seen_add(&c, &many[i], i, 1);
    code_seen_add(&c, &many[1], 5, 1);
    const int want[] = {0, 2, 1};
    CU_ASSERT_EQUAL_FATAL(c.kernels, 3);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_PTR_EQUAL(c.kernel[i], &many[want[i]]);
    CU_ASSERT_TRUE(exactly(&c, 0, 0, 1)); /* cores go with their kernel */
    CU_ASSERT_TRUE(exactly(&c, 1, 2, 1));
    CU_ASSERT(has_run(&c, 2, 1) && has_run(&c, 2, 5) && !has_run(&c, 2, 0));
    code_seen_fini(&c);
}

/* The one that ran longest ago is forgotten: 0, then, since 1 was run once more, 2. It comes back
 * as if it had never run. */
static void so_many_kernels_are_remembered(void)
{
    struct code_seen c;
    code_seen_init(&c, 10);
    for (int i = 0; i <= CODE_SEEN; i++)
        code_seen_add(&c, &many[i], 4, 2);
    CU_ASSERT_EQUAL_FATAL(c.kernels, CODE_SEEN);
    CU_ASSERT_PTR_EQUAL(c.kernel[0], &many[1]);
    CU_ASSERT_PTR_EQUAL(c.kernel[CODE_SEEN - 1], &many[CODE_SEEN]);
    code_seen_add(&c, &many[1], 4, 2);
    code_seen_add(&c, &many[0], 7, 1);
    CU_ASSERT_EQUAL(c.kernels, CODE_SEEN);
    CU_ASSERT_PTR_EQUAL(c.kernel[0], &many[3]);
    CU_ASSERT_PTR_EQUAL(c.kernel[CODE_SEEN - 1], &many[0]);
    CU_ASSERT_TRUE(exactly(&c, CODE_SEEN - 1, 7, 1));
    for (int i = 0; i < CODE_SEEN - 1; i++)
        CU_ASSERT_TRUE(exactly(&c, i, 4, 2));
    code_seen_fini(&c);
}

/* Counted from core 5 on, number 6 is, round the end, core 1. */
static void cores_are_found_round_the_end(void)
{
    struct code_seen c;
    code_seen_init(&c, 10);
    code_seen_add(&c, &a, 0, 2); /* cores 0 and 1 */
    code_seen_add(&c, &b, 5, 4); /* 5 to 8 */
    for (int k = 0; k < 10; k++) {
        CU_ASSERT_EQUAL(code_seen_by(&c, 0, 5, k), k == 5 || k == 6);
        CU_ASSERT_EQUAL(code_seen_by(&c, 1, 5, k), k < 4);
    }
    code_seen_add(&c, &b, 1, 1);
    CU_ASSERT_TRUE(code_seen_by(&c, 1, 5, 6));
    code_seen_fini(&c);
}

SUITE("code seen", T(ctas_are_dealt_round), T(the_kernel_that_ran_last_is_last),
      T(so_many_kernels_are_remembered), T(cores_are_found_round_the_end))
