/* How much code ran since a kernel ran last. */
#include "sampler/profile/recent_code.h"

#include "tests/suite.h"

static void code_that_ran_in_between_counts(void)
{
    struct kernel a = {.name = "a", .ninst = 10}, b = {.name = "b", .ninst = 20},
                  c = {.name = "c", .ninst = 5};
    struct recent_code r = {0};
    CU_ASSERT_EQUAL(recent_code_since(&r, &a), 0);
    recent_code_ran(&r, &a);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a), 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &b), 0);
    recent_code_ran(&r, &b);
    recent_code_ran(&r, &c);
    recent_code_ran(&r, &b);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a), 8 * (10 + 20 + 5)); /* b once */
    CU_ASSERT_EQUAL(recent_code_since(&r, &b), 160);
    recent_code_ran(&r, &a);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a), 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &c), 8 * (10 + 20 + 5));
    recent_code_fini(&r);
}

/* Another kernel of that name, of another module, is another kernel. */
static void name_and_size_tell_kernels_apart(void)
{
    struct kernel a = {.name = "a", .ninst = 10}, other = {.name = "a", .ninst = 12};
    struct recent_code r = {0};
    recent_code_ran(&r, &a);
    CU_ASSERT_EQUAL(recent_code_since(&r, &other), 0);
    recent_code_fini(&r);
}

SUITE("recent code", T(code_that_ran_in_between_counts), T(name_and_size_tell_kernels_apart))
