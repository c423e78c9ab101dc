/* Which launches of a kernel are alike, which clusters have one that stands for them, and what
 * others take. */
#include "program/clusters.h"

#include "tests/suite.h"

static struct kernel k = {.name = "k"};
static const struct memory_use near = {.all = 1, .own = 1},
                               far = {.all = 1, .missed = {1, 1, 1, 1, 1, 1, 1, 1}, .own = 1};

/* A launch of so many CTAs and warp instructions a CTA: its cluster. */
static int of(struct clusters *g, int ctas, int each, const struct memory_use *use)
{
    const struct launch l = {.kernel = &k, .grid = {ctas, 1, 1}, .block = {64, 1, 1}};
    const struct func_counts n = {.warp_insts = (uint64_t)(ctas * each), .ctas = (uint64_t)ctas};
    return clusters_of(g, &(struct launch_was){&l, &n, use});
}

static bool may_hold(const struct clusters *g, int ctas)
{
    return launch_clusters_may_hold(
        &g->like, &(struct launch){.kernel = &k, .grid = {ctas, 1, 1}, .block = {64, 1, 1}});
}

/* Classes are quarters of a power of two: 100 and 110 are alike, 100 and 200 are not. */
static void clusters_are_numbered_as_they_come(void)
{
    struct clusters g = {0};
    CU_ASSERT_FALSE(may_hold(&g, 100));
    CU_ASSERT_EQUAL(of(&g, 100, 1000, &near), 0);
    CU_ASSERT_EQUAL(of(&g, 110, 1000, &near), 0);
    CU_ASSERT_EQUAL(of(&g, 100, 2000, &near), 1); /* more work */
    CU_ASSERT_EQUAL(of(&g, 100, 1000, &far), 2);  /* other memory */
    CU_ASSERT_FALSE(may_hold(&g, 200));
    CU_ASSERT_EQUAL(of(&g, 200, 1000, &near), 3); /* another grid */
    CU_ASSERT_EQUAL(of(&g, 100, 1050, &far), 2);
    CU_ASSERT_TRUE(may_hold(&g, 200));
    CU_ASSERT_TRUE(may_hold(&g, 110));
    CU_ASSERT_EQUAL(g.like.count, 4);
    clusters_fini(&g);
    CU_ASSERT_PTR_NULL(g.state);
    CU_ASSERT_EQUAL(g.like.count, 0);
}

/* It is tried once; a later trial that fails takes nothing from one that did not. */
static void one_launch_stands_for_its_cluster(void)
{
    struct clusters g = {0};
    of(&g, 100, 1000, &near);
    of(&g, 100, 2000, &near);
    CU_ASSERT_FALSE(clusters_tried(&g, 1));
    CU_ASSERT_FALSE(clusters_measured(&g, 1));
    clusters_try(&g, 1, false);
    CU_ASSERT_TRUE(clusters_tried(&g, 1));
    CU_ASSERT_FALSE(clusters_measured(&g, 1));
    clusters_try(&g, 1, true);
    clusters_try(&g, 1, false);
    CU_ASSERT_TRUE(clusters_measured(&g, 1));
    for (int none = -1; none <= 2; none += 3) {
        clusters_try(&g, none, true);
        CU_ASSERT_FALSE(clusters_tried(&g, none));
        CU_ASSERT_FALSE(clusters_measured(&g, none));
    }
    CU_ASSERT_FALSE(clusters_tried(&g, 0));
    clusters_fini(&g);
}

static double cycles(const struct clusters *g, int i, uint64_t insts)
{
    double c = -1;
    CU_ASSERT_TRUE(clusters_cycles(g, i, insts, &c));
    return c;
}

/* 2 cycles an instruction in cluster 0, 10 of a launch without a cluster; (600 + 1000) / (300 +
 * 100) = 4 of all. */
static void time_is_that_of_the_group_or_else_of_all(void)
{
    struct clusters g = {0};
    double c;
    of(&g, 100, 1000, &near);
    of(&g, 100, 2000, &near);
    CU_ASSERT_FALSE(clusters_cycles(&g, 0, 50, &c));
    CU_ASSERT_FALSE(clusters_cycles(&g, -1, 50, &c));
    clusters_learn(&g, -1, 100, 1000);
    CU_ASSERT_EQUAL(cycles(&g, 0, 50), 500);
    clusters_learn(&g, 0, 300, 600);
    CU_ASSERT_EQUAL(cycles(&g, 0, 50), 100);
    CU_ASSERT_EQUAL(cycles(&g, 1, 50), 200);
    CU_ASSERT_EQUAL(cycles(&g, 2, 50), 200); /* there is none */
    CU_ASSERT_EQUAL(cycles(&g, -1, 50), 200);
    CU_ASSERT_EQUAL(cycles(&g, 0, 0), 0);
    clusters_fini(&g);
}

SUITE("clusters of launches", T(clusters_are_numbered_as_they_come),
      T(one_launch_stands_for_its_cluster), T(time_is_that_of_the_group_or_else_of_all))
