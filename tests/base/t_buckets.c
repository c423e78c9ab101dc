#include "base/buckets.h"
#include "tests/suite.h"

/* 8..15 are 8-9, 10-11, 12-13, 14-15; 16..31 are 16-19, 20-23, 24-27, 28-31. */
static void values_fall_into_quarters_of_powers_of_two(void)
{
    static const struct {
        uint64_t v;
        int bucket;
    } row[] = {{0, 0},     {1, 1},     {7, 7},       {8, 8},       {9, 8},
               {10, 9},    {15, 11},   {16, 12},     {19, 12},     {20, 13},
               {31, 15},   {32, 16},   {39, 16},     {40, 17},     {64, 20},
               {1023, 35}, {1024, 36}, {114687, 62}, {114688, 63}, {UINT64_MAX, 63}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CU_ASSERT_EQUAL(bucket_of(row[i].v), row[i].bucket);
}

static void every_bucket_begins_where_the_one_before_ends(void)
{
    CU_ASSERT_EQUAL(bucket_low(0), 0);
    for (int i = 1; i < BUCKETS; i++) {
        CU_ASSERT_EQUAL(bucket_of(bucket_low(i)), i);
        CU_ASSERT_EQUAL(bucket_of(bucket_low(i) - 1), i - 1);
    }
    CU_ASSERT_EQUAL(bucket_low(BUCKETS), 131072);
}

/* 3 at value 2, 8 spread over 16..19. */
static void a_part_of_a_bucket_counts_in_proportion(void)
{
    double count[BUCKETS] = {[2] = 3, [12] = 8};
    static const struct {
        double x, sum;
    } row[] = {{0, 11}, {2, 11}, {2.5, 9.5}, {3, 8}, {16, 8}, {17, 6}, {19, 2}, {20, 0}, {1e9, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CU_ASSERT_DOUBLE_EQUAL(buckets_from(count, row[i].x), row[i].sum, 1e-12);
}

SUITE("buckets", T(values_fall_into_quarters_of_powers_of_two),
      T(every_bucket_begins_where_the_one_before_ends), T(a_part_of_a_bucket_counts_in_proportion))
