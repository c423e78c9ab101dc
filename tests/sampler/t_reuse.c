#include "base/buckets.h"
#include "base/rng.h"
#include "sampler/profile/reuse.h"
#include "tests/suite.h"

static void loads(struct reuse *r, const char *lines)
{
    for (; *lines; lines++)
        reuse_load(r, (uint64_t)(*lines - 'A'));
}

static void expect(const struct reuse *r, int distance, double count)
{
    double h[BUCKETS] = {0};
    reuse_histogram(r, h);
    CU_ASSERT_EQUAL(h[distance], count);
}

/* A B C A: B and C lie between the two As. A A: none. Then B: C and A. */
static void distance_counts_the_other_lines_since(void)
{
    struct reuse *r = reuse_new();
    loads(r, "ABCAAB");
    CU_ASSERT_EQUAL(reuse_cold(r), 3);
    expect(r, 0, 1);
    expect(r, 1, 0);
    expect(r, 2, 2);
    reuse_free(r);
}

/* A line counts once however often it comes: A, then B C B C, then A: 2. B: 1. C: 1. */
static void a_line_in_between_counts_once(void)
{
    struct reuse *r = reuse_new();
    loads(r, "ABCBCA");
    expect(r, 1, 2);
    expect(r, 2, 1);
    reuse_free(r);
}

/* N lines again and again: N cold loads, and every later one at distance N - 1: with 1000 lines
 * 999, in the bucket of 896..1023. */
static void a_loop_has_one_distance(void)
{
    struct reuse *r = reuse_new();
    for (int i = 0; i < 5; i++)
        for (uint64_t line = 0; line < 1000; line++)
            reuse_load(r, line);
    CU_ASSERT_EQUAL(reuse_cold(r), 1000);
    expect(r, bucket_of(999), 4000);
    CU_ASSERT_EQUAL(bucket_low(bucket_of(999)), 896);
    reuse_free(r);
}

/* The definition, word by word: a list with the line touched last in front. */
static int by_list(uint64_t *list, int *n, uint64_t line)
{
    int d = 0;
    while (d < *n && list[d] != line)
        d++;
    const int found = d < *n ? d : -1;
    *n += found < 0;
    for (; d > 0; d--)
        list[d] = list[d - 1];
    list[0] = line;
    return found;
}

static void random_streams_agree_with_a_list(void)
{
    struct rng rng = rng_seed(7);
    struct reuse *r = reuse_new();
    uint64_t list[300];
    int n = 0, cold = 0;
    double want[BUCKETS] = {0}, got[BUCKETS] = {0};
    for (int i = 0; i < 20000; i++) {
        uint64_t line = rng_below(&rng, 1 + rng_below(&rng, 300));
        int d = by_list(list, &n, line);
        cold += d < 0;
        if (d >= 0)
            want[bucket_of((uint64_t)d)]++;
        reuse_load(r, line);
    }
    reuse_histogram(r, got);
    for (int b = 0; b < BUCKETS; b++)
        CU_ASSERT_EQUAL(got[b], want[b]);
    CU_ASSERT_EQUAL(reuse_cold(r), (uint64_t)cold);
    reuse_free(r);
}

SUITE("reuse", T(distance_counts_the_other_lines_since), T(a_line_in_between_counts_once),
      T(a_loop_has_one_distance), T(random_streams_agree_with_a_list))
