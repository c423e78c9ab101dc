#include "cli/shard.h"

#include <string.h>

#include "tests/suite.h"

static void shards_are_read(void)
{
    struct shard s = {7, 7};
    struct err e = {""};
    CU_ASSERT_TRUE(shard_read(NULL, &s, &e));
    CU_ASSERT_EQUAL(s.n, 0);
    CU_ASSERT_TRUE(shard_read("3/8", &s, &e));
    CU_ASSERT_TRUE(s.i == 3 && s.n == 8);
    CU_ASSERT_TRUE(shard_read("1/1", &s, &e));
    CU_ASSERT_TRUE(shard_read("10000/10000", &s, &e));
    static const char *const bad[] = {"",    "3",    "/",     "3/",  "/3",     "0/3",
                                      "4/3", "-1/3", "1/3/3", "1/x", "1/10001"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        e.msg[0] = 0;
        CU_ASSERT_FALSE(shard_read(bad[i], &s, &e));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "I/N is wanted"));
    }
}

/* Every job in one shard; returns the cost of the dearest shard. */
static double dealt(const double *cost, int count, int shards)
{
    bool mine[64];
    int owners[64] = {0};
    double dearest = 0;
    for (int i = 1; i <= shards; i++) {
        double sum = 0;
        shard_deal(&(struct shard){i, shards}, cost, count, mine);
        for (int k = 0; k < count; k++) {
            owners[k] += mine[k];
            sum += mine[k] ? cost[k] : 0;
        }
        dearest = sum > dearest ? sum : dearest;
    }
    for (int k = 0; k < count; k++)
        CU_ASSERT_EQUAL(owners[k], 1);
    return dearest;
}

/* Dearest first: 9 | 7 1 | 5 4 | 3 3 2, where dealing in order would give 9 + 4 to one. */
static void shards_cost_about_the_same(void)
{
    const double cost[] = {9, 1, 5, 3, 4, 7, 2, 3}, same[7] = {1, 1, 1, 1, 1, 1, 1};
    CU_ASSERT_EQUAL(dealt(cost, 8, 4), 9);
    CU_ASSERT_EQUAL(dealt(cost, 8, 1), 34);
    CU_ASSERT_EQUAL(dealt(cost, 8, 20), 9); /* some have nothing to do */
    CU_ASSERT_EQUAL(dealt(same, 7, 3), 3);
    CU_ASSERT_EQUAL(dealt(cost, 0, 3), 0);
}

static void the_whole_is_every_job(void)
{
    const double cost[3] = {1, 2, 3};
    bool mine[3] = {false};
    shard_deal(&(struct shard){0, 0}, cost, 3, mine);
    CU_ASSERT_TRUE(mine[0] && mine[1] && mine[2]);
}

SUITE("shard", T(shards_are_read), T(shards_cost_about_the_same), T(the_whole_is_every_job))
