/* Lines that L2 held before a launch. */
#include "sim/mem/warm.h"

#include "tests/suite.h"

#define PLENTY (1u << 20)

static int taken(struct warm *w, addr_t from, int lines, uint64_t fresh, uint64_t of)
{
    int n = 0;
    for (int i = 0; i < lines; i++)
        n += warm_take(w, from + (addr_t)i * 128, fresh, of);
    return n;
}

static void each_line_is_found_once(void)
{
    const struct warm_range r[] = {{0x1000, 640},
                                   {0x9040, 256}}; /* the second begins inside a line */
    struct warm *w = warm_new(r, 2, 128, 1);
    CU_ASSERT_EQUAL(taken(w, 0x1000 - 128, 7, 0, PLENTY), 5);
    CU_ASSERT_EQUAL(taken(w, 0x1000 - 128, 7, 0, PLENTY), 0);
    CU_ASSERT_EQUAL(taken(w, 0x9000 - 128, 5, 0, PLENTY), 3);
    CU_ASSERT_FALSE(warm_take(w, 0, 0, PLENTY));
    warm_free(w);
    w = warm_new(r, 0, 128, 1);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 5, 0, PLENTY), 0);
    warm_free(w);
    warm_free(NULL);
}

/* 8 lines, then 4 that were used before them: of 10 that fit the last 2 of those 4. */
static void lru_keeps_the_latest(void)
{
    const struct warm_range r[] = {{0x1000, 1024}, {0x8000, 512}};
    struct warm *w = warm_new(r, 2, 128, 1);
    CU_ASSERT_FALSE(warm_take(w, 0x8000, 0, 10));
    CU_ASSERT_FALSE(warm_take(w, 0x8080, 0, 10));
    CU_ASSERT_TRUE(warm_take(w, 0x8100, 0, 10));
    CU_ASSERT_TRUE(warm_take(w, 0x8180, 0, 10));
    CU_ASSERT_EQUAL(taken(w, 0x1000, 8, 0, 10), 8);
    warm_free(w);
}

/* What comes in pushes out what was used longest ago. */
static void fresh_lines_push_others_out(void)
{
    const struct warm_range r[] = {{0x1000, 1024}};
    struct warm *w = warm_new(r, 1, 128, 1);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 8, 6, 10), 4);
    CU_ASSERT_FALSE(
        warm_take(w, 0x1000, 6, 10)); /* line 0 is gone; had it not been, it would be here */
    CU_ASSERT_EQUAL(taken(w, 0x1000, 4, 0, 10), 4);
    warm_free(w);
}

/* A slice that has a quarter of all lines holds four times as many of these as it has room for. */
static void a_slice_has_its_share(void)
{
    const struct warm_range r[] = {{0x1000, 128 * 64}};
    struct warm *w = warm_new(r, 1, 128, 0.25);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 64, 0, 8), 32);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 32, 0, 8), 0);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 32, 0, 16), 32);
    warm_free(w);
}

SUITE("mem/warm", T(each_line_is_found_once), T(lru_keeps_the_latest),
      T(fresh_lines_push_others_out), T(a_slice_has_its_share))
