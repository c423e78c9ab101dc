#include "base/rng.h"
#include "sim/sm/coalesce.h"
#include "tests/suite.h"

static struct txn out[COALESCE_MAX];
static struct coalescer c;

static int run(const addr_t *addr, lanes_t active, int bytes)
{
    coalesce_begin(&c, coalesce_segment(bytes));
    for (lanes_t l = active; l; l &= l - 1)
        coalesce_touch(&c, addr[__builtin_ctz(l)], bytes);
    return coalesce_end(&c, out);
}

static void is(int i, addr_t addr, uint32_t bytes)
{
    CU_ASSERT_EQUAL(out[i].addr, addr);
    CU_ASSERT_EQUAL(out[i].bytes, bytes);
}

static void stride(addr_t *a, addr_t base, addr_t step)
{
    for (int i = 0; i < WARP_SIZE; i++)
        a[i] = base + step * (addr_t)i;
}

static void segment_follows_the_size_of_the_data(void)
{
    CU_ASSERT_EQUAL(coalesce_segment(1), 32);
    CU_ASSERT_EQUAL(coalesce_segment(2), 64);
    CU_ASSERT_EQUAL(coalesce_segment(4), 128);
    CU_ASSERT_EQUAL(coalesce_segment(8), 128);
    CU_ASSERT_EQUAL(coalesce_segment(16), 128);
}

static void a_warp_of_neighbours_takes_one_line(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x1000, 4);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 4), 1);
    is(0, 0x1000, 128);
}

static void a_shifted_warp_takes_two_lines_highest_first(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x1040, 4);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 4), 2);
    is(0, 0x1080, 64);
    is(1, 0x1040, 64);
    stride(a, 0x1004, 4);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 4), 2);
    is(0, 0x1080, 32);
    is(1, 0x1000, 128);
}

static void a_line_touched_in_one_half_or_quarter_shrinks(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x1000, 4);
    CU_ASSERT_EQUAL(run(a, 0x0000ffff, 4), 1);
    is(0, 0x1000, 64);
    CU_ASSERT_EQUAL(run(a, 0xffff0000, 4), 1);
    is(0, 0x1040, 64);
    CU_ASSERT_EQUAL(run(a, 0x0000ff00, 4), 1);
    is(0, 0x1020, 32);
    CU_ASSERT_EQUAL(run(a, 0x00ff0000, 4), 1);
    is(0, 0x1040, 32);
    CU_ASSERT_EQUAL(run(a, 0x00000101, 4), 1); /* both quarters of the lower half */
    is(0, 0x1000, 64);
    CU_ASSERT_EQUAL(run(a, 0x00010100, 4), 1); /* second and third quarter: both halves */
    is(0, 0x1000, 128);
    CU_ASSERT_EQUAL(run(a, 0x80000000, 4), 1);
    is(0, 0x1060, 32);
}

static void two_byte_and_one_byte_data_have_smaller_segments(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x2000, 2);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 2), 1);
    is(0, 0x2000, 64);
    CU_ASSERT_EQUAL(run(a, 0x0000ffff, 2), 1);
    is(0, 0x2000, 32);
    stride(a, 0x2020, 2);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 2), 2);
    is(0, 0x2040, 32);
    is(1, 0x2020, 32);
    stride(a, 0x2000, 1);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 1), 1);
    is(0, 0x2000, 32);
    stride(a, 0x2000, 4);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 1), 4);
    is(0, 0x2060, 32);
    is(3, 0x2000, 32);
}

static void wide_data_takes_several_lines(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x3000, 8);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 8), 2);
    is(0, 0x3080, 128);
    is(1, 0x3000, 128);
    stride(a, 0x3000, 16);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 16), 4);
    is(0, 0x3180, 128);
    is(3, 0x3000, 128);
}

static void every_lane_its_own_line(void)
{
    addr_t a[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++) /* an order that is not sorted */
        a[i] = 0x10000 + 256 * (addr_t)(i * 7 % 32);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 4), 32);
    for (int i = 0; i < 32; i++)
        is(i, 0x10000 + 256 * (addr_t)(31 - i), 32);
}

static void all_lanes_at_one_word_take_one_transaction(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x4010, 0);
    CU_ASSERT_EQUAL(run(a, LANES_ALL, 4), 1);
    is(0, 0x4000, 32);
    CU_ASSERT_EQUAL(run(a, 0, 4), 0);
}

static void segments_can_be_limited_to_32_bytes(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x1000, 4);
    coalesce_begin(&c, 32);
    for (int i = 0; i < WARP_SIZE; i++)
        coalesce_touch(&c, a[i], 4);
    CU_ASSERT_EQUAL(coalesce_end(&c, out), 4);
    is(0, 0x1060, 32);
    is(3, 0x1000, 32);
}

static void atomics_coalesce_by_half_warp(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x1000, 4);
    CU_ASSERT_EQUAL(coalesce_atomic(a, LANES_ALL, 4, 128, out), 2);
    is(0, 0x1040, 64);
    is(1, 0x1000, 64);
}

/* Lanes 0 to 7 in the line at 0x1000, 8 to 15 in that at 0x2000, 16 to 23 in the first one again:
 * two transactions. Of the first line bytes 0 to 31 and 64 to 95 are touched, something in either
 * half, so it goes whole; of the other bytes 0 to 31. */
static void lanes_that_return_to_a_line_join_it(void)
{
    addr_t a[WARP_SIZE] = {0};
    for (int i = 0; i < 24; i++)
        a[i] = (i / 8 == 1 ? 0x2000 : 0x1000) + 4 * (addr_t)(i / 8 == 1 ? i - 8 : i);
    coalesce_begin(&c, 128);
    coalesce_lanes(&c, a, 0x00ffffff, 4);
    CU_ASSERT_EQUAL(coalesce_end(&c, out), 2);
    is(0, 0x2000, 32);
    is(1, 0x1000, 128);
}

/* 8 bytes from 0x101c on: the last 4 of one 32-byte segment, the first 4 of the next. */
static void a_lane_across_the_end_of_its_segment_takes_both(void)
{
    addr_t a[WARP_SIZE] = {0x1000, 0x101c};
    coalesce_begin(&c, 32);
    coalesce_lanes(&c, a, 0x3, 8);
    CU_ASSERT_EQUAL(coalesce_end(&c, out), 2);
    is(0, 0x1020, 32);
    is(1, 0x1000, 32);
}

/* All lanes in one call: the same as each lane on its own, whatever the addresses. */
static void lanes_together_coalesce_as_one_by_one(void)
{
    struct rng r = rng_seed(5);
    for (int trial = 0; trial < 2000; trial++) {
        static struct txn together[COALESCE_MAX];
        addr_t a[WARP_SIZE];
        const int bytes = 1 << rng_below(&r, 6), segment = 32 << rng_below(&r, 3);
        const addr_t span = 64ull << rng_below(&r, 8);
        const lanes_t active = (lanes_t)rng_u64(&r);
        for (int i = 0; i < WARP_SIZE; i++)
            a[i] = 0x1000 + rng_below(&r, span);
        coalesce_begin(&c, segment);
        coalesce_lanes(&c, a, active, bytes);
        const int n = coalesce_end(&c, together);
        coalesce_begin(&c, segment);
        for (lanes_t l = active; l; l &= l - 1)
            coalesce_touch(&c, a[__builtin_ctz(l)], bytes);
        CU_ASSERT_EQUAL_FATAL(coalesce_end(&c, out), n);
        for (int i = 0; i < n; i++)
            is(i, together[i].addr, together[i].bytes);
    }
}

static void atomics_on_the_same_word_take_one_transaction_each(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x1000, 0);
    CU_ASSERT_EQUAL(coalesce_atomic(a, LANES_ALL, 4, 128, out), 32);
    for (int i = 0; i < 32; i++)
        is(i, 0x1000, 32);
    CU_ASSERT_EQUAL(coalesce_atomic(a, 0x7, 4, 128, out), 3);
}

static void atomics_share_a_transaction_when_they_do_not_collide(void)
{
    addr_t a[WARP_SIZE] = {0x1000, 0x1004, 0x1000, 0x1004, 0x2000};
    CU_ASSERT_EQUAL(coalesce_atomic(a, 0x1f, 4, 128, out), 3);
    is(0, 0x2000, 32);
    is(1, 0x1000, 32);
    is(2, 0x1000, 32);
}

static void constants_are_read_by_line(void)
{
    addr_t a[WARP_SIZE];
    stride(a, 0x100, 0);
    CU_ASSERT_EQUAL(coalesce_lines(a, LANES_ALL, 4, out, 64), 1);
    is(0, 0x100, 64);
    stride(a, 0x100, 4);
    CU_ASSERT_EQUAL(coalesce_lines(a, LANES_ALL, 4, out, 64), 2);
    is(0, 0x140, 64);
    is(1, 0x100, 64);
}

SUITE("coalesce", T(segment_follows_the_size_of_the_data), T(a_warp_of_neighbours_takes_one_line),
      T(a_shifted_warp_takes_two_lines_highest_first),
      T(a_line_touched_in_one_half_or_quarter_shrinks),
      T(two_byte_and_one_byte_data_have_smaller_segments), T(wide_data_takes_several_lines),
      T(every_lane_its_own_line), T(all_lanes_at_one_word_take_one_transaction),
      T(segments_can_be_limited_to_32_bytes), T(lanes_that_return_to_a_line_join_it),
      T(a_lane_across_the_end_of_its_segment_takes_both), T(lanes_together_coalesce_as_one_by_one),
      T(atomics_coalesce_by_half_warp), T(atomics_on_the_same_word_take_one_transaction_each),
      T(atomics_share_a_transaction_when_they_do_not_collide), T(constants_are_read_by_line))
