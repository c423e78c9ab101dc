/* The addresses of 32 lanes at once, in both compilations, against a lane after the other. */
#include <string.h>

#include "base/rng.h"
#include "sim/func/lanes.h"
#include "sim/func/span.h"
#include "tests/suite.h"

/* As span.h says, in the plainest way. */
static unsigned plain(const addr_t *addr, const struct span_query *q)
{
    const addr_t first = addr[__builtin_ctz(q->active)];
    bool fits = true, run = q->active == LANES_ALL, same = true;
    for (uint64_t i = 0; i < WARP_SIZE; i++) {
        if (!(q->active >> i & 1))
            continue;
        if (addr[i] < q->lo || addr[i] - q->lo > q->room || addr[i] % q->bytes)
            fits = false;
        run = run && addr[i] == first + i * q->bytes;
        same = same && addr[i] == first;
    }
    return (fits ? SPAN_FITS : 0) | (run ? SPAN_RUN : 0) | (same ? SPAN_SAME : 0);
}

static void expect_span(const uint64_t row[WARP_SIZE], struct span_query q, bool narrow)
{
    uint32_t row32[WARP_SIZE] __attribute__((aligned(64)));
    uint64_t row64[WARP_SIZE] __attribute__((aligned(64)));
    addr_t want[WARP_SIZE], got[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++) {
        row32[i] = (uint32_t)row[i];
        row64[i] = row[i];
        want[i] = (narrow ? (uint32_t)(row[i] + q.disp) : row[i] + q.disp) - q.window;
    }
    for (int wide = 0; wide <= lanes_wide(); wide++) {
        q.wide = wide;
        const unsigned s = narrow ? span_rows32(row32, &q, got) : span_rows64(row64, &q, got);
        CU_ASSERT_EQUAL(memcmp(got, want, sizeof got), 0);
        CU_ASSERT_EQUAL(s, plain(want, &q));
    }
}

/* A run of 32 elements of 8 bytes that ends with its memory, [1000h, 1100h): it fits. One byte more
 * or less of anything and it does not, unless the lane that sticks out is not active. */
static void a_run_fits_to_the_byte(void)
{
    for (int narrow = 0; narrow < 2; narrow++) {
        struct span_query q = {.active = LANES_ALL, .lo = 0x1000, .room = 248, .bytes = 8};
        uint64_t row[WARP_SIZE];
        addr_t addr[WARP_SIZE];
        for (uint64_t i = 0; i < WARP_SIZE; i++)
            row[i] = addr[i] = 0x1000 + 8 * i;
        CU_ASSERT_EQUAL(plain(addr, &q), SPAN_FITS | SPAN_RUN);
        expect_span(row, q, narrow);
        q.disp = 8; /* the last lane is out */
        expect_span(row, q, narrow);
        q.active = LANES_ALL >> 1;
        expect_span(row, q, narrow);
        q.disp = (uint64_t)-8; /* the first one is */
        q.active = LANES_ALL;
        expect_span(row, q, narrow);
        q.active = ~1u;
        expect_span(row, q, narrow);
        q.disp = 4; /* nobody is aligned */
        expect_span(row, q, narrow);
        q = (struct span_query){.active = LANES_ALL, .lo = 0x800, .room = 248, .bytes = 8};
        q.window = 0x800;
        expect_span(row, q, narrow);
        row[17] ^= 8;
        expect_span(row, q, narrow);
    }
}

static void addresses_at_both_ends_of_the_range_do_not_fit(void)
{
    static const uint64_t ends[] = {0,          1,           UINT32_MAX,     1ull << 32,
                                    1ull << 62, 1ull << 63,  UINT64_MAX - 7, UINT64_MAX,
                                    0x80000000, 0x7ffffff8u, 0x100000000ull};
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
        for (int narrow = 0; narrow < 2; narrow++) {
            uint64_t row[WARP_SIZE];
            for (int i = 0; i < WARP_SIZE; i++)
                row[i] = ends[e];
            struct span_query q = {.active = LANES_ALL, .lo = 0x80000000, .room = 64, .bytes = 4};
            expect_span(row, q, narrow);
            q.lo = 0;
            expect_span(row, q, narrow);
            q.active = 1u << 31;
            expect_span(row, q, narrow);
        }
}

static void random_lanes_are_as_one_by_one(void)
{
    struct rng r = rng_seed(7);
    for (int n = 0; n < 20000; n++) {
        const unsigned log2 = (unsigned)rng_below(&r, 5);
        struct span_query q = {.active = n % 3 ? (lanes_t)rng_u64(&r) | 1u << n % 32 : LANES_ALL,
                               .disp = rng_u64(&r) >> rng_below(&r, 64),
                               .window = n % 4 ? 0 : rng_below(&r, 64),
                               .lo = rng_below(&r, 4096),
                               .room = rng_below(&r, 4096),
                               .bytes = 1u << log2};
        const uint64_t start = rng_below(&r, 4096), step = rng_below(&r, 3) << log2;
        uint64_t row[WARP_SIZE];
        for (uint64_t i = 0; i < WARP_SIZE; i++)
            row[i] = q.lo + q.window - q.disp + (start >> log2 << log2) + i * step;
        if (n % 5 == 0)
            row[rng_below(&r, WARP_SIZE)] += rng_u64(&r) >> rng_below(&r, 64);
        expect_span(row, q, n % 2);
    }
}

SUITE("spans of addresses", T(a_run_fits_to_the_byte),
      T(addresses_at_both_ends_of_the_range_do_not_fit), T(random_lanes_are_as_one_by_one))
