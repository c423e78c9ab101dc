/* Launches put into clusters, and which of them and which CTAs are looked at. */
#include "sampler/profile/launch_profile.h"
#include "tests/suite.h"

#include <string.h>

static struct kernel a = {.name = "a"}, b = {.name = "b"};

static struct launch shape(struct kernel *k, int threads)
{
    return (struct launch){.kernel = k, .grid = {1, 1, 1}, .block = {threads, 1, 1}};
}

/* A launch of so many CTAs and warp instructions a CTA. */
static void add(struct launch_profile *c, struct kernel *k, uint64_t ctas, uint64_t each)
{
    const struct launch l = shape(k, 64);
    const struct func_counts n = {
        .warp_insts = ctas * each, .thread_insts = 32 * ctas * each, .ctas = ctas};
    launch_profile_add(c, &l, &n, &(struct launch_watch){0});
}

/* Classes are quarters of a power of two: 100 and 110 CTAs are alike (4 log2 = 26.58, 27.13: both
 * 27), 100 and 200 are not; the same with instructions a CTA. */
static void alike_are_kernel_block_grid_and_work(void)
{
    struct launch_profile c = {0};
    add(&c, &a, 100, 1000); /* cluster 0 */
    add(&c, &a, 110, 1000);
    add(&c, &a, 200, 1000); /* 1: another grid */
    add(&c, &b, 100, 1000); /* 2: another kernel */
    add(&c, &a, 100, 2000); /* 3: more work */
    add(&c, &a, 100, 1050);
    const struct launch wide = shape(&a, 128); /* 4: another block */
    const struct func_counts n = {.warp_insts = 100000, .ctas = 100};
    launch_profile_add(&c, &wide, &n, &(struct launch_watch){0});
    static const int want[] = {0, 0, 1, 2, 3, 0, 4}, part[] = {0, 1, 0, 2, 3};
    CU_ASSERT_EQUAL_FATAL(c.launches, 7);
    CU_ASSERT_EQUAL_FATAL(c.like.count, 5);
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(c.launch[i].cluster, want[i]);
    for (int i = 0; i < 5; i++) /* numbered within the kernel */
        CU_ASSERT_EQUAL(c.like.at[i].part, part[i]);
    CU_ASSERT_STRING_EQUAL(c.like.at[2].kernel.name, "b");
    CU_ASSERT_EQUAL(c.like.at[0].launches, 3);
    CU_ASSERT_EQUAL(c.like.at[0].ctas, 100 + 110 + 100);
    CU_ASSERT_EQUAL(c.like.at[0].warp_insts, 100000 + 110000 + 105000);
    CU_ASSERT_EQUAL(c.like.at[0].thread_insts, 32 * (100000 + 110000 + 105000));
    launch_profile_free(&c);
}

/* Of three the second, of two the second, of one that one. First launches stand for themselves. */
static void the_middle_launch_is_picked(void)
{
    struct launch_profile c = {0};
    for (int i = 0; i < 3; i++) {
        add(&c, &a, 100, 1000);
        add(&c, &b, 100, 1000);
    }
    add(&c, &b, 100, 1000);
    add(&c, &a, 1000, 1000);
    launch_profile_close(&c);
    /* a b a b a b b A */
    static const int want[] = {4, 5, 7, 0, 1}, launches[] = {2, 3, 1, 1, 1};
    static const int part[] = {0, 0, 1, 2, 1};
    static const bool picked[] = {true, true, false, false, true, true, false, true};
    CU_ASSERT_EQUAL_FATAL(c.like.count, 5);
    for (int g = 0; g < 5; g++) {
        CU_ASSERT_EQUAL(c.like.at[g].representative, want[g]);
        CU_ASSERT_EQUAL(c.like.at[g].launches, (uint64_t)launches[g]);
        CU_ASSERT_EQUAL(c.like.at[g].ctas, (uint64_t)(g == 2 ? 1000 : 100 * launches[g]));
        CU_ASSERT_EQUAL(c.like.at[g].warp_insts, 1000 * c.like.at[g].ctas);
        CU_ASSERT_EQUAL(c.like.at[g].thread_insts, 32000 * c.like.at[g].ctas);
        CU_ASSERT_EQUAL(c.like.at[g].part, part[g]);
    }
    for (int i = 0; i < 8; i++) {
        const struct launch_cluster *g = launch_profile_cluster_at(&c, i);
        CU_ASSERT_EQUAL(g != NULL, picked[i]);
        CU_ASSERT_TRUE(!g || g->representative == i);
    }
    launch_profile_free(&c);
}

/* Of nine launches the first is a ninth: no cluster of its own. */
static void the_first_of_many_launches_is_one_of_them(void)
{
    const int cold = sampling_or_default(NULL)->similarity.cold;
    for (int n = cold; n <= cold + 1; n++) {
        struct launch_profile c = {0};
        for (int i = 0; i < n; i++)
            add(&c, &a, 100, 1000);
        launch_profile_close(&c);
        CU_ASSERT_EQUAL(c.like.count, n == cold ? 2 : 1);
        CU_ASSERT_EQUAL(c.like.at[0].representative, 4);
        launch_profile_free(&c);
    }
}

static void add_uneven(struct launch_profile *c, uint64_t *insts, uint64_t ctas)
{
    const struct launch l = shape(&a, 64);
    struct func_counts n = {.ctas = ctas};
    for (uint64_t i = 0; i < ctas; i++)
        n.warp_insts += insts[i];
    launch_profile_add(c, &l, &n, &(struct launch_watch){.cta_insts = insts});
}

/* The mean is 28.75: 30 is the nearest. Where instructions by CTA were not counted the first stands
 * for all, and one CTA may have all of them. */
static void the_cta_nearest_to_the_mean_stands_for_all(void)
{
    static uint64_t insts[] = {10, 60, 20, 10, 30, 50, 40, 10};
    struct launch_profile c = {0};
    add_uneven(&c, insts, 8);
    add(&c, &a, 8, 100);
    CU_ASSERT_EQUAL(c.launch[0].facts.cta, 4);
    CU_ASSERT_EQUAL(c.launch[0].facts.cta_insts, insts[4]);
    CU_ASSERT_EQUAL(c.launch[0].facts.longest, 1);
    CU_ASSERT_EQUAL(c.launch[0].facts.most_insts, 60);
    CU_ASSERT_EQUAL(c.launch[1].facts.cta, 0);
    CU_ASSERT_EQUAL(c.launch[1].facts.most_insts, 800);
    CU_ASSERT_EQUAL(c.launch[1].facts.thread_insts, 32 * 800);
    launch_profile_free(&c);
}

/* Of 64 CTAs the first sixteenth, eighth or quarter, but not the last one. */
static void first_ctas_of_another_length_are_uneven(void)
{
    for (uint64_t part = 1; part <= 64; part *= 2)
        for (int last = 0; last < 2; last++) {
            struct launch_profile c = {0};
            uint64_t insts[64];
            for (uint64_t i = 0; i < 64; i++)
                insts[i] = (last ? i >= 64 - part : i < part) ? 140 : 100;
            add_uneven(&c, insts, 64);
            CU_ASSERT_EQUAL(c.launch[0].facts.uneven, !last && part >= 4 && part <= 16);
            launch_profile_free(&c);
        }
}

SUITE("profile", T(first_ctas_of_another_length_are_uneven),
      T(alike_are_kernel_block_grid_and_work), T(the_middle_launch_is_picked),
      T(the_first_of_many_launches_is_one_of_them), T(the_cta_nearest_to_the_mean_stands_for_all))
