/* When the CTA scheduler's policy is asked, and what follows from its answer. No CTA starts here.
 */
#include "sim/cta/dispatch.h"
#include "sim/gpu/machine.h"
#include "tests/suite.h"

struct seen { /* the policy's state */
    int limit, calls;
};

static cycle_t begins(void *st, const struct cta_view *v)
{
    struct seen *s = st;
    CU_ASSERT_EQUAL(s->calls, 0); /* cleared since the launch before */
    s->limit = v->n / 2;
    s->calls = 1;
    return v->now + 100;
}

static int limit(const void *st, const struct cta_view *v)
{
    (void)v;
    return ((const struct seen *)st)->limit;
}

/* Up by one at the first call, down by one at the second, then never again. */
static cycle_t ticks(void *st, const struct cta_view *v)
{
    struct seen *s = st;
    s->limit += s->calls == 1 ? 1 : -1;
    return s->calls++ == 1 ? v->now + 50 : CYCLE_NEVER;
}

static const struct cta_scheduler_ops varying = {.name = "varying",
                                                 .bytes = sizeof(struct seen),
                                                 .launch = begins,
                                                 .limit = limit,
                                                 .tick = ticks};

static void launch(struct dispatch *d, cycle_t now)
{
    const struct dispatch_launch l = {.end = 10, .n = 8, .fits = 8, .only_core = -1};
    dispatch_begin(d, &l, now);
}

static struct gpu *gpu; /* two cores */

static struct dispatch start(const struct cta_scheduler_ops *policy)
{
    static const struct cta_cfg cfg;
    struct gpu_cfg two;
    struct err e;
    struct dispatch d;
    gpu_cfg_default(&two);
    two.top.cores = 2;
    gpu = gpu_new(&two, &e);
    dispatch_init(&d, &(struct dispatch_env){policy, &cfg, gpu->sm, 2});
    launch(&d, 1000);
    return d;
}

static void end(struct dispatch *d)
{
    dispatch_fini(d);
    gpu_free(gpu);
}

static void static_holds_n_and_never_ticks(void)
{
    struct dispatch d = start(&cta_scheduler_static);
    CU_ASSERT_TRUE(d.due);
    CU_ASSERT_EQUAL(d.core[0].limit, 8);
    CU_ASSERT_EQUAL(d.core[1].limit, 8);
    CU_ASSERT_EQUAL(d.tick, CYCLE_NEVER);
    end(&d);
}

static void a_policy_is_called_in_the_cycles_that_it_asks_for(void)
{
    struct dispatch d = start(&varying);
    CU_ASSERT_EQUAL(d.core[1].limit, 4);
    CU_ASSERT_EQUAL(d.tick, 1100);
    dispatch_tick(&d, 1100);
    CU_ASSERT_EQUAL(d.core[1].limit, 5);
    CU_ASSERT_EQUAL(d.tick, 1150);
    dispatch_tick(&d, 1150);
    CU_ASSERT_EQUAL(d.core[1].limit, 4);
    CU_ASSERT_EQUAL(d.tick, CYCLE_NEVER);
    end(&d);
}

static void only_a_higher_limit_makes_a_start_due(void)
{
    struct dispatch d = start(&varying);
    d.due = false; /* every core has its CTAs */
    dispatch_tick(&d, 1100);
    CU_ASSERT_TRUE(d.due);
    d.due = false;
    dispatch_tick(&d, 1150);
    CU_ASSERT_FALSE(d.due);
    end(&d);
}

static void a_launch_begins_anew(void)
{
    struct dispatch d = start(&varying);
    dispatch_tick(&d, 1100);
    launch(&d, 2000); /* begins() looks whether its state is clear */
    CU_ASSERT_EQUAL(d.core[0].limit, 4);
    CU_ASSERT_EQUAL(d.tick, 2100);
    end(&d);
}

/* Limit 4 for 100 cycles, 5 for 50, 4 for 10: two cores each. No CTA comes. */
static void the_mean_limit_is_over_time(void)
{
    struct dispatch d = start(&varying);
    struct run_stats s = {0};
    dispatch_tick(&d, 1100);
    dispatch_tick(&d, 1150);
    for (int core = 0; core < 2; core++)
        dispatch_stats(&d, core, 1160, &s);
    CU_ASSERT_EQUAL(s.assigning_cycles, 2 * 160);
    CU_ASSERT_EQUAL(s.assigning_limit_sum, 2 * (400 + 250 + 40));
    CU_ASSERT_EQUAL(s.assigning_resident_sum, 0);
    dispatch_stats(&d, 0, 1160, &s); /* it has been handed out */
    CU_ASSERT_EQUAL(s.assigning_cycles, 2 * 160);
    end(&d);
}

SUITE("dispatch", T(static_holds_n_and_never_ticks),
      T(a_policy_is_called_in_the_cycles_that_it_asks_for),
      T(only_a_higher_limit_makes_a_start_due), T(a_launch_begins_anew),
      T(the_mean_limit_is_over_time))
