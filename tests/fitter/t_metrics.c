#include "fitter/eval/metrics.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-12)

/* IPC 80 100 90 60: default 60 at n = 4, optimum 100 at n = 2, which gains 2/3. */
static const struct measured hill = {
    .n_max = 4, .ipc = {0, 80, 100, 90, 60}, .dram_reads_per_cta = {0, 10, 20, 0, 40}};
/* More CTAs than the grid has change nothing: n = 2 to 4 are all the optimum. */
static const struct measured full = {.n_max = 4, .ipc = {0, 50, 70, 70 * (1 - 1e-12), 70}};

static struct evaluation of(const struct measured *m, int n)
{
    struct evaluation j;
    metrics_evaluate(m, n, m->ipc[n], NULL, &j);
    return j;
}

static void a_choice_is_put_beside_default_and_optimum(void)
{
    CU_ASSERT_EQUAL(measured_optimum(&hill), 2);
    struct evaluation j = of(&hill, 3);
    NEAR(j.kept, 0.9);
    NEAR(j.gain, 0.5); /* 90 / 60 - 1 */
    NEAR(j.optimum_gain, 100.0 / 60 - 1);
    CU_ASSERT_TRUE(j.has_n && !j.exact && j.near);
    CU_ASSERT_EQUAL(j.ipc_points, 0);
    j = of(&hill, 2);
    CU_ASSERT_TRUE(j.exact && j.near);
    NEAR(j.kept, 1);
    j = of(&hill, 4);
    CU_ASSERT_TRUE(j.has_n && !j.exact && !j.near);
    NEAR(j.gain, 0);
}

static void equal_degrees_are_all_the_optimum(void)
{
    CU_ASSERT_EQUAL(measured_optimum(&full), 2);
    for (int n = 2; n <= 4; n++)
        CU_ASSERT_TRUE(of(&full, n).exact);
    CU_ASSERT_TRUE(!of(&full, 1).exact && of(&full, 1).near);
}

/* A scheduler that moves between degrees has no n, and may beat each of them. */
static void a_choice_without_an_n_is_no_hit(void)
{
    struct evaluation j;
    metrics_evaluate(&hill, 0, 110, NULL, &j);
    CU_ASSERT_TRUE(!j.has_n && !j.exact && !j.near);
    NEAR(j.kept, 1.1);
}

/* IPC: |88/80 - 1| + |95/100 - 1| + |90/90 - 1| + |66/60 - 1| = 0.1 + 0.05 + 0 + 0.1. Reads: n = 3
 * has none; |11/10 - 1| + |18/20 - 1| + |50/40 - 1| = 0.1 + 0.1 + 0.25. */
static void errors_are_summed_over_every_n(void)
{
    struct prediction p = {
        .n_max = 4, .ipc = {0, 88, 95, 90, 66}, .dram_reads_per_cta = {0, 11, 18, 7, 50}};
    struct evaluation j;
    metrics_evaluate(&hill, 2, 100, &p, &j);
    CU_ASSERT_EQUAL(j.ipc_points, 4);
    NEAR(j.ipc_error, 0.25);
    CU_ASSERT_EQUAL(j.reads_points, 3);
    NEAR(j.reads_error, 0.45);
    p.n_max = 3; /* of a kernel that takes no fourth CTA: it stays as with three; |90/60 - 1| */
    metrics_evaluate(&hill, 2, 100, &p, &j);
    NEAR(j.ipc_error, 0.1 + 0.05 + 0 + 0.5);
}

/* An 80 % interval of a standard deviation of 0.1 is a factor of exp(0.1282) each way: 80 * 1.13
 * and 100 / 1.13 lie in it, 90 * 1.14 and 60 / 1.14 don't. Without a deviation there is no
 * interval. */
static void intervals_hold_or_not(void)
{
    struct prediction p = {.n_max = 4,
                           .deviation = {0, 0.1, 0.1, 0.1, 0.1},
                           .ipc = {0, 80 * 1.13, 100 / 1.13, 90 * 1.14, 60 / 1.14}};
    struct evaluation j;
    metrics_evaluate(&hill, 2, 100, &p, &j);
    CU_ASSERT_EQUAL(j.interval_points, 4);
    CU_ASSERT_EQUAL(j.inside, 2);
    const struct evaluation *one[] = {&j};
    struct metrics m;
    metrics_of(one, 1, &m, NULL);
    NEAR(m.inside, 0.5);
    p.simulated[1] = true; /* no prediction */
    p.deviation[3] = 0.11; /* that is enough for a factor of 1.14 */
    metrics_evaluate(&hill, 2, 100, &p, &j);
    CU_ASSERT_EQUAL(j.interval_points, 3);
    CU_ASSERT_EQUAL(j.inside, 2);
    memset(p.deviation, 0, sizeof p.deviation);
    metrics_evaluate(&hill, 2, 100, &p, &j);
    CU_ASSERT_EQUAL(j.interval_points, 0);
    metrics_of(one, 1, &m, NULL);
    CU_ASSERT_TRUE(isnan(m.inside));
}

/* kept 0.9 1 0.8 1, gains over default 0.5 0.2 -0.2 0, the optimum's 2/3 0.2 0 0:
 * captured (0.5 + 0.2) / (2/3 + 0.2), of the two insensitive ones one loses 20 %. */
static void metrics_are_summed_up(void)
{
    const struct evaluation a = of(&hill, 3),
                            b = {.has_n = true,
                                 .exact = true,
                                 .near = true,
                                 .kept = 1,
                                 .gain = 0.2,
                                 .optimum_gain = 0.2,
                                 .ipc_error = 0.3,
                                 .ipc_points = 3,
                                 .reads_error = 0.1,
                                 .reads_points = 1},
                            c = {.has_n = true,
                                 .near = true,
                                 .kept = 0.8,
                                 .gain = -0.2,
                                 .ipc_error = 0.2,
                                 .ipc_points = 2},
                            d = {.has_n = true, .exact = true, .near = true, .kept = 1};
    const struct evaluation *all[] = {&a, &b, &c, &d};
    struct metrics v;
    int worst;
    metrics_of(all, 4, &v, &worst);
    CU_ASSERT_EQUAL(worst, 2);
    NEAR(v.cases, 4);
    NEAR(v.kept, pow(0.9 * 0.8, 0.25));
    NEAR(v.worst, 0.8);
    NEAR(v.gain, pow(1.5 * 1.2 * 0.8, 0.25) - 1);
    NEAR(v.optimum_gain, pow(100.0 / 60 * 1.2, 0.25) - 1);
    NEAR(v.exact, 0.5);
    NEAR(v.near, 1);
    NEAR(v.sensitive, 2);
    NEAR(v.sensitive_exact, 0.5);
    NEAR(v.sensitive_near, 1);
    NEAR(v.captured, 0.7 / (2.0 / 3 + 0.2));
    NEAR(v.insensitive, 2);
    NEAR(v.insensitive_loss, 0.2);
    NEAR(v.ipc_error, 0.5 / 5); /* every n weighs the same, not every application */
    NEAR(v.reads_error, 0.1);
}

/* An application whose optimum gains exactly 5 % is not sensitive, one that gains exactly 1 % is
 * insensitive. */
static void limits_belong_to_the_insensitive(void)
{
    const struct evaluation at5 = {.kept = 1, .optimum_gain = METRICS_SENSITIVE},
                            at1 = {.kept = 1, .gain = 0.01, .optimum_gain = METRICS_INSENSITIVE};
    const struct evaluation *all[] = {&at5, &at1};
    struct metrics v;
    metrics_of(all, 2, &v, NULL);
    NEAR(v.sensitive, 0);
    NEAR(v.insensitive, 1);
    NEAR(v.insensitive_loss, 0); /* a gain is no loss */
    CU_ASSERT_TRUE(isnan(v.captured) && isnan(v.exact) && isnan(v.ipc_error));
}

/* Two answers whose price is known, one that costs nothing, one of which nobody knows. */
static void prices_are_those_that_are_known(void)
{
    const struct evaluation a = {.kept = 1, .price = 0.5, .search_price = 0.1, .insts = 1e6 + 1},
                            b = {.kept = 1, .price = 2, .search_price = 0.4, .insts = 1e6},
                            none = {.kept = 1},
                            unknown = {.kept = 1, .price = NAN, .search_price = NAN};
    const struct evaluation *all[] = {&unknown, &a, &none, &b};
    struct metrics v;
    metrics_of(all, 4, &v, NULL);
    NEAR(v.price, 1);
    NEAR(v.price_worst, 2);
    NEAR(v.price_long, 0.5);
    NEAR(v.search_price, 0.2);
    metrics_of(&all[2], 1, &v, NULL);
    CU_ASSERT_TRUE(isnan(v.price) && isnan(v.price_long) && isnan(v.search_price));
    const struct evaluation j = of(&hill, 3);
    CU_ASSERT_TRUE(isnan(j.price) && isnan(j.search_price));
}

static void of_nothing_there_is_no_mean(void)
{
    struct metrics v;
    int worst = 7;
    metrics_of(NULL, 0, &v, &worst);
    CU_ASSERT_EQUAL(worst, -1);
    NEAR(v.cases, 0);
    CU_ASSERT_TRUE(isnan(v.kept) && isnan(v.worst) && isnan(v.insensitive_loss));
    const double two[] = {4, 9};
    NEAR(geometric_mean(two, 2), 6);
}

SUITE("metrics", T(a_choice_is_put_beside_default_and_optimum),
      T(equal_degrees_are_all_the_optimum), T(a_choice_without_an_n_is_no_hit),
      T(errors_are_summed_over_every_n), T(intervals_hold_or_not), T(metrics_are_summed_up),
      T(limits_belong_to_the_insensitive), T(prices_are_those_that_are_known),
      T(of_nothing_there_is_no_mean))
