/* Which CTAs of a grid the cores of a scale model get. */
#include "sampler/pilot/cta_share.h"

#include <string.h>

#include "base/err.h"
#include "tests/suite.h"

static uint64_t up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Each whole round gives `cores`; the last one, of fewer CTAs, as many in proportion, rounded up.
 */
static uint64_t count(uint64_t grid, int cores, int of)
{
    const uint64_t rounds = grid / (uint64_t)of, rest = grid % (uint64_t)of;
    return rounds * (uint64_t)cores + up(rest * (uint64_t)cores, (uint64_t)of);
}

static uint64_t share(uint64_t grid, int cores, int of, uint64_t block, uint64_t **out)
{
    return cta_share(&(struct cta_share_of){grid, cores, of, 1, block, NO_CTA}, out);
}

static const struct {
    int cores, of;
} gpus[] = {{5, 15}, {1, 15}, {15, 30}, {7, 14}, {1, 1}, {10, 110}, {3, 7}, {15, 15}};
#define GPUS (sizeof gpus / sizeof *gpus)

static void as_many_as_the_cores_would_get(void)
{
    static const struct {
        uint64_t grid;
        int cores, of;
        uint64_t share;
    } row[] = {{1, 5, 15, 1},     {3, 5, 15, 1},   {4, 5, 15, 2},     {15, 5, 15, 5},
               {16, 5, 15, 6},    {30, 5, 15, 10}, {320, 5, 15, 107}, {14, 1, 15, 1},
               {61, 1, 15, 5},    {7, 7, 7, 7},    {100, 7, 7, 100},  {31, 15, 30, 16},
               {450, 15, 15, 450}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t *list;
        CU_ASSERT_EQUAL(share(row[i].grid, row[i].cores, row[i].of, false, &list), row[i].share);
        free(list);
    }
}

/* Of every grid: inside of it, none twice, rounds one after another, and of each round CTAs that
 * follow each other, where behind its last one comes its first. */
static void rounds_in_order_and_no_cta_twice(void)
{
    for (size_t i = 0; i < GPUS; i++)
        for (uint64_t grid = 1; grid <= 400; grid++) {
            const uint64_t of = (uint64_t)gpus[i].of;
            uint64_t *list;
            const uint64_t n = share(grid, gpus[i].cores, gpus[i].of, false, &list);
            bool *seen = xcalloc(grid, sizeof *seen), bad = false;
            CU_ASSERT_EQUAL(n, count(grid, gpus[i].cores, gpus[i].of));
            for (uint64_t k = 0; k < n; k++) {
                bad |= list[k] >= grid || seen[list[k]];
                if (bad)
                    break;
                seen[list[k]] = true;
                const uint64_t round = list[k] / of, left = grid - round * of;
                const uint64_t width = left < of ? left : of;
                if (k == 0)
                    bad |= round != 0;
                else if (list[k - 1] / of == round)
                    bad |= list[k] % of != (list[k - 1] % of + 1) % width;
                else
                    bad |= round != list[k - 1] / of + 1;
            }
            CU_ASSERT_FALSE(bad);
            free(seen);
            free(list);
        }
}

static void all_cores_get_the_grid_in_its_order(void)
{
    uint64_t *list;
    CU_ASSERT_EQUAL_FATAL(share(100, 15, 15, 0, &list), 100);
    for (uint64_t i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(list[i], i);
    free(list);
}

static void the_same_every_time(void)
{
    uint64_t *a, *b;
    const uint64_t n = share(1000, 5, 15, 0, &a);
    CU_ASSERT_EQUAL(share(1000, 5, 15, 0, &b), n);
    CU_ASSERT_EQUAL(memcmp(a, b, n * sizeof *a), 0);
    free(b);
    /* What a longer grid has behind it changes nothing, but where the last two rounds meet. */
    share(2000, 5, 15, 0, &b);
    CU_ASSERT_EQUAL(memcmp(a, b, 65 * 5 * sizeof *a), 0);
    free(a);
    free(b);
}

/* 200 rounds of 15. Were places drawn evenly, one of the 15 would be left out with a chance of
 * 15 * (14 / 15)^200 = 1.5e-5. */
static void each_round_begins_at_a_place_of_its_own(void)
{
    uint64_t *list;
    bool begins[15] = {false};
    CU_ASSERT_EQUAL_FATAL(share(200 * 15, 5, 15, 0, &list), 1000);
    for (int round = 0; round < 200; round++)
        begins[list[5 * round] % 15] = true;
    for (int place = 0; place < 15; place++)
        CU_ASSERT_TRUE(begins[place]);
    free(list);
}

/* The few of a last round are neighbours of those of the round before: 1005 = 67 * 15. */
static void the_last_two_rounds_meet(void)
{
    for (uint64_t grid = 16; grid < 1005; grid++) {
        uint64_t *list;
        const uint64_t n = share(grid, 5, 15, 0, &list), last = grid / 15 * 15;
        for (uint64_t i = 0; grid > last && i < n; i++)
            if (list[i] >= last)
                CU_ASSERT_EQUAL(list[i], list[i - 1] + 1);
        if (grid == last) /* whole rounds have no need to */
            CU_ASSERT_EQUAL(list[n - 1] / 15, list[n - 5] / 15);
        free(list);
    }
    uint64_t *whole, *more;
    bool elsewhere = false;
    for (uint64_t grid = 30; grid < 1005; grid += 15) {
        const uint64_t n = share(grid, 5, 15, 0, &whole), m = share(grid + 1, 5, 15, 0, &more);
        CU_ASSERT_EQUAL(m, n + 1);
        elsewhere |= memcmp(whole, more, n * sizeof *whole) != 0;
        free(whole);
        free(more);
    }
    CU_ASSERT_TRUE(elsewhere);
}

/* The same CTAs, but for the order of rounds: of the first 2, 4, 8 ... blocks each half, quarter,
 * eighth of the grid has one, whose rounds follow each other. */
static void spread_rounds_lie_all_over_the_grid(void)
{
    uint64_t *plain, *spread, *grid = xcalloc(15 * 67, sizeof *grid);
    for (uint64_t ctas = 1; ctas <= 15 * 67; ctas += 7) {
        const uint64_t n = share(ctas, 5, 15, 0, &plain);
        bool same = share(ctas, 5, 15, 1 + ctas % 9, &spread) == n;
        memset(grid, 0, 15 * 67 * sizeof *grid);
        for (uint64_t i = 0; same && i < n; i++) {
            grid[plain[i]]++;
            grid[spread[i]] += 2;
        }
        for (uint64_t i = 0; i < ctas; i++)
            same &= grid[i] == 0 || grid[i] == 3;
        CU_ASSERT_TRUE(same);
        free(plain);
        free(spread);
    }
    free(grid);
    for (uint64_t block = 1; block <= 4; block++) {
        share(64 * block * 15, 5, 15, block, &spread);
        for (uint64_t parts = 2; parts <= 64; parts *= 2) {
            bool has[64] = {false};
            for (uint64_t i = 0; i < parts; i++) {
                const uint64_t round = spread[5 * block * i] / 15;
                has[round * parts / (64 * block)] = true;
                CU_ASSERT_EQUAL(spread[5 * (block * i + block - 1)] / 15, round + block - 1);
            }
            for (uint64_t i = 0; i < parts; i++)
                CU_ASSERT_TRUE(has[i]);
        }
        free(spread);
    }
}

/* Its round begins with it; all others stay. */
static void a_cta_that_has_to_be_there_is(void)
{
    for (uint64_t grid = 1; grid <= 100; grid++)
        for (uint64_t with = 0; with < grid; with++) {
            uint64_t *plain, *list;
            const struct cta_share_of of = {grid, 5, 15, 1, 0, with};
            const uint64_t n = share(grid, 5, 15, 0, &plain);
            bool has = false, same = cta_share(&of, &list) == n;
            for (uint64_t i = 0; same && i < n; i++) {
                has |= list[i] == with;
                same = list[i] < grid && (list[i] == plain[i] || list[i] / 15 == with / 15);
            }
            CU_ASSERT_TRUE(has && same);
            free(plain);
            free(list);
        }
}

/* Eight rounds have their CTAs from one place, as far apart as on the GPU; the next eight from
 * another one, mostly. */
static void some_rounds_have_one_place(void)
{
    uint64_t *list, moved = 0;
    const struct cta_share_of of = {64 * 15, 5, 15, 8, 0, NO_CTA};
    CU_ASSERT_EQUAL_FATAL(cta_share(&of, &list), 64 * 5);
    for (uint64_t r = 1; r < 63; r++) /* the last rounds meet */
        for (uint64_t i = 0; i < 5; i++) {
            const uint64_t step = list[5 * r + i] - list[5 * r + i - 5];
            if (r % 8)
                CU_ASSERT_EQUAL(step, 15);
            moved += step != 15;
        }
    CU_ASSERT_TRUE(moved > 5 * 7 / 2);
    free(list);
}

SUITE("share of CTAs", T(a_cta_that_has_to_be_there_is), T(as_many_as_the_cores_would_get),
      T(rounds_in_order_and_no_cta_twice), T(all_cores_get_the_grid_in_its_order),
      T(the_same_every_time), T(spread_rounds_lie_all_over_the_grid),
      T(each_round_begins_at_a_place_of_its_own), T(the_last_two_rounds_meet),
      T(some_rounds_have_one_place))
