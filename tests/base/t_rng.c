/* base/rng: the sequence is fixed, the ranges are exact, nothing is favoured. */
#include "base/rng.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

/* The first outputs of splitmix64 for seed 1234567, as published with the algorithm. */
static void sequence_is_splitmix64(void)
{
    static const uint64_t known[] = {6457827717110365317u, 3203168211198807973u,
                                     9817491932198370423u, 4593380528125082431u,
                                     16408922859458223821u};
    struct rng r = rng_seed(1234567);
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(rng_u64(&r), known[i]);
}

static void below_is_uniform(void)
{
    struct rng r = rng_seed(1);
    int count[7] = {0};
    for (int i = 0; i < 70000; i++) {
        uint64_t v = rng_below(&r, 7);
        CU_ASSERT_FATAL(v < 7);
        count[v]++;
    }
    for (int i = 0; i < 7; i++) /* deviation of a count: about 93 */
        CU_ASSERT(abs(count[i] - 10000) < 500);
    CU_ASSERT_EQUAL(rng_below(&r, 1), 0);
}

/* For n = 3 * 2^62, plain scaling of 64 bits would give multiples of 3 two of four draws. */
static void below_has_no_bias_at_large_ranges(void)
{
    struct rng r = rng_seed(2);
    int count[3] = {0};
    for (int i = 0; i < 30000; i++)
        count[rng_below(&r, (uint64_t)3 << 62) % 3]++;
    for (int i = 0; i < 3; i++)
        CU_ASSERT(abs(count[i] - 10000) < 500);
}

static void between_includes_both_ends(void)
{
    struct rng r = rng_seed(3);
    bool low = false, high = false;
    for (int i = 0; i < 1000; i++) {
        int64_t v = rng_between(&r, -2, 2);
        CU_ASSERT_FATAL(v >= -2 && v <= 2);
        low |= v == -2;
        high |= v == 2;
    }
    CU_ASSERT(low && high);
    CU_ASSERT_EQUAL(rng_between(&r, 5, 5), 5);
    int signs = 0;
    for (int i = 0; i < 1000; i++)
        signs += rng_between(&r, INT64_MIN, INT64_MAX) < 0;
    CU_ASSERT(signs > 400 && signs < 600);
}

static void reals_stay_below_their_upper_end(void)
{
    struct rng r = rng_seed(4);
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double v = rng_real(&r, -1, 3);
        CU_ASSERT_FATAL(v >= -1 && v < 3);
        sum += v;
        CU_ASSERT_FATAL(rng_real(&r, 1, nextafter(1, 2)) == 1);
    }
    CU_ASSERT_DOUBLE_EQUAL(sum / 10000, 1, 0.05);
}

static void normal_has_mean_0_and_deviation_1(void)
{
    struct rng r = rng_seed(5);
    double sum = 0, squares = 0;
    for (int i = 0; i < 20000; i++) {
        double v = rng_normal(&r);
        sum += v;
        squares += v * v;
    }
    CU_ASSERT_DOUBLE_EQUAL(sum / 20000, 0, 0.03);
    CU_ASSERT_DOUBLE_EQUAL(squares / 20000, 1, 0.05);
}

static void shuffle_keeps_every_element(void)
{
    struct rng r = rng_seed(6);
    int a[100], seen[100] = {0}, moved = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    rng_shuffle(&r, a, 100, sizeof *a);
    for (int i = 0; i < 100; i++) {
        seen[a[i]]++;
        moved += a[i] != i;
    }
    for (int i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(seen[i], 1);
    CU_ASSERT(moved > 80);
    rng_shuffle(&r, a, 0, sizeof *a);
}

SUITE("rng", T(sequence_is_splitmix64), T(below_is_uniform), T(below_has_no_bias_at_large_ranges),
      T(between_includes_both_ends), T(reals_stay_below_their_upper_end),
      T(normal_has_mean_0_and_deviation_1), T(shuffle_keeps_every_element))
