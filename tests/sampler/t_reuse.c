#include "base/buckets.h"
#include "base/rng.h"
#include "sampler/window/reuse.h"
#include "tests/suite.h"

static const uint32_t sets[] = {1, 4};

static void loads(struct reuse *r, const char *lines)
{
    for (; *lines; lines++)
        reuse_load(r, (uint64_t)(*lines - 'A'));
}

static void expect(const struct reuse *r, int view, int distance, double count)
{
    double h[BUCKETS] = {0};
    reuse_histogram(r, view, h);
    CU_ASSERT_EQUAL(h[distance], count);
}

/* A B C A: B and C lie between the two As. A A: none. Then B: C and A. */
static void distance_counts_the_other_lines_since(void)
{
    struct reuse *r = reuse_new(sets, 2);
    loads(r, "ABCAAB");
    CU_ASSERT_EQUAL(reuse_accesses(r), 6);
    CU_ASSERT_EQUAL(reuse_cold(r), 3);
    CU_ASSERT_EQUAL(reuse_lines(r), 3);
    CU_ASSERT_EQUAL(reuse_again(r), 2); /* A and B */
    expect(r, 0, 0, 1);
    expect(r, 0, 1, 0);
    expect(r, 0, 2, 2);
    reuse_free(r);
}

/* A line counts once however often it comes: A, then B C B C, then A: 2. B: 1. C: 1. */
static void a_line_in_between_counts_once(void)
{
    struct reuse *r = reuse_new(sets, 1);
    loads(r, "ABCBCA");
    expect(r, 0, 1, 2);
    expect(r, 0, 2, 1);
    reuse_free(r);
}

/* Four sets: A, E and I are lines 0, 4 and 8 of set 0; B of set 1. A E I A: 2; B after them: 0 in
 * its own set, 3 (E, I, A) among all. */
static void lines_of_other_sets_do_not_count(void)
{
    struct reuse *r = reuse_new(sets, 2);
    loads(r, "ABEIAB");
    expect(r, 0, 3, 2);
    expect(r, 1, 2, 1);
    expect(r, 1, 0, 1);
    reuse_free(r);
}

/* B leaves: it no longer lies between the As (C does), and its next load is cold. */
static void an_evicted_line_is_cold_again(void)
{
    struct reuse *r = reuse_new(sets, 2);
    loads(r, "ABC");
    reuse_evict(r, 1);
    reuse_evict(r, 1);
    reuse_evict(r, 25);
    loads(r, "AB");
    CU_ASSERT_EQUAL(reuse_cold(r), 4);
    CU_ASSERT_EQUAL(reuse_lines(r), 3);
    expect(r, 0, 1, 1);
    reuse_free(r);
}

/* An update of a line that is there is an access (C: B lies above it); of another one, nothing. */
static void an_update_does_not_bring_a_line_in(void)
{
    struct reuse *r = reuse_new(sets, 1);
    loads(r, "CB");
    reuse_update(r, 2);
    reuse_update(r, 7);
    CU_ASSERT_EQUAL(reuse_accesses(r), 3);
    CU_ASSERT_EQUAL(reuse_lines(r), 2);
    expect(r, 0, 1, 1);
    reuse_free(r);
}

/* N lines again and again: N cold loads, and every later one at distance N - 1 among all, N / 4 - 1
 * in each of four sets. 1000 lines: 999 is in the bucket of 896..1023, 249 in that of 224..255. */
static void a_loop_has_one_distance(void)
{
    struct reuse *r = reuse_new(sets, 2);
    for (int i = 0; i < 5; i++)
        for (uint64_t line = 0; line < 1000; line++)
            reuse_load(r, line);
    CU_ASSERT_EQUAL(reuse_cold(r), 1000);
    expect(r, 0, bucket_of(999), 4000);
    expect(r, 1, bucket_of(249), 4000);
    CU_ASSERT_EQUAL(bucket_low(bucket_of(999)), 896);
    CU_ASSERT_EQUAL(bucket_low(bucket_of(249)), 224);
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
    struct reuse *r = reuse_new(sets, 1);
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
    reuse_histogram(r, 0, got);
    for (int b = 0; b < BUCKETS; b++)
        CU_ASSERT_EQUAL(got[b], want[b]);
    CU_ASSERT_EQUAL(reuse_cold(r), (uint64_t)cold);
    reuse_free(r);
}

/* The line after the last one that fits ends the stream, for good. */
static void too_many_lines_end_the_stream(void)
{
    struct reuse *r = reuse_new(sets, 1);
    for (uint64_t line = 0; line < REUSE_MAX_LINES; line++)
        reuse_load(r, line);
    reuse_load(r, 5);
    CU_ASSERT_EQUAL(reuse_accesses(r), REUSE_MAX_LINES + 1u);
    reuse_load(r, REUSE_MAX_LINES);
    reuse_load(r, 5);
    CU_ASSERT_EQUAL(reuse_accesses(r), REUSE_MAX_LINES + 1u);
    CU_ASSERT_EQUAL(reuse_cold(r), REUSE_MAX_LINES);
    reuse_free(r);
}

SUITE("reuse", T(distance_counts_the_other_lines_since), T(a_line_in_between_counts_once),
      T(lines_of_other_sets_do_not_count), T(an_evicted_line_is_cold_again),
      T(an_update_does_not_bring_a_line_in), T(a_loop_has_one_distance),
      T(random_streams_agree_with_a_list), T(too_many_lines_end_the_stream))
