#include "sim/cta/dispatch.h"
#include "tests/suite.h"

static int one(int core, int n)
{
    (void)core, (void)n;
    return 1;
}

static const struct cta_policy_ops constant = {.name = "constant", .limit = one},
                                   varying = {.name = "varying", .varies = true, .limit = one};

static struct dispatch launch(const struct cta_policy_ops *p, uint64_t ctas)
{
    struct dispatch d;
    dispatch_init(&d, p, 1);
    dispatch_launch(&d, 0, ctas, NULL, 4, -1);
    return d;
}

static void a_constant_limit_is_asked_as_long_as_ctas_are_handed_out(void)
{
    struct dispatch d = launch(&constant, 3);
    CU_ASSERT_TRUE(dispatch_goes_on(&d, true));
    CU_ASSERT_FALSE(dispatch_goes_on(&d, false)); /* next when a CTA ends */
}

static void a_limit_that_varies_is_asked_in_every_cycle(void)
{
    struct dispatch d = launch(&varying, 3);
    CU_ASSERT_TRUE(dispatch_goes_on(&d, true));
    CU_ASSERT_TRUE(dispatch_goes_on(&d, false));
}

static void nobody_is_asked_when_every_cta_is_out(void)
{
    struct dispatch d = launch(&varying, 3);
    d.next = d.end;
    CU_ASSERT_FALSE(dispatch_goes_on(&d, true));
    CU_ASSERT_FALSE(dispatch_goes_on(&d, false));
}

SUITE("dispatch", T(a_constant_limit_is_asked_as_long_as_ctas_are_handed_out),
      T(a_limit_that_varies_is_asked_in_every_cycle), T(nobody_is_asked_when_every_cta_is_out))
