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
    const struct warm_range r[] = {{0x1000, 640, NULL},
                                   {0x9040, 256, NULL}}; /* the second begins inside a line */
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
    const struct warm_range r[] = {{0x1000, 1024, NULL}, {0x8000, 512, NULL}};
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
    const struct warm_range r[] = {{0x1000, 1024, NULL}};
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
    const struct warm_range r[] = {{0x1000, 128 * 64, NULL}};
    struct warm *w = warm_new(r, 1, 128, 0.25);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 64, 0, 8), 32);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 32, 0, 8), 0);
    CU_ASSERT_EQUAL(taken(w, 0x1000, 32, 0, 16), 32);
    warm_free(w);
}

/* Lines 0 to 3 of a range were used by launch 2, 4 and 5 by launch 3, 6 and 7 never. Of another one
 * launch 2 used two, at the same pace: its last is as late as the last of those four. */
static void launches_leave_lines_in_their_order(void)
{
    static const uint32_t first[] = {2, 2, 2, 2, 3, 3, 0, 0}, second[] = {2, 2};
    const struct warm_range r[] = {{0x1000, 1024, first}, {0x8000, 256, second}};
    struct warm *w = warm_new(r, 2, 128, 1);
    CU_ASSERT_EQUAL(taken(w, 0x1300, 2, 0, PLENTY), 0); /* nobody used them */
    CU_ASSERT_EQUAL(taken(w, 0x1200, 2, 0, 2), 2);      /* no later ones but each other */
    CU_ASSERT_FALSE(warm_take(w, 0x1180, 0, 2));        /* these two are later */
    CU_ASSERT_TRUE(warm_take(w, 0x1180, 0, 3));
    CU_ASSERT_TRUE(warm_take(w, 0x8080, 0, 3));
    CU_ASSERT_FALSE(warm_take(w, 0x8000, 0, 5)); /* half of what launch 2 used is later, too */
    CU_ASSERT_TRUE(warm_take(w, 0x8000, 0, 6));
    CU_ASSERT_FALSE(warm_take(w, 0x1000, 0, 6));
    CU_ASSERT_TRUE(warm_take(w, 0x1000, 0, 7));
    CU_ASSERT_EQUAL(taken(w, 0x1000, 8, 0, PLENTY), 2); /* the others have been taken */
    warm_free(w);
}

/* What was used before the last 512 launches is still there, if there is room. */
static void old_lines_stay_as_long_as_there_is_room(void)
{
    static const uint32_t used[] = {1, 100, 5000, 0};
    const struct warm_range r[] = {{0x1000, 512, used}, {0x8000, 128, NULL}};
    struct warm *w = warm_new(r, 2, 128, 1);
    CU_ASSERT_FALSE(warm_take(w, 0x1100, 0, 1)); /* the range without launches is later */
    CU_ASSERT_TRUE(warm_take(w, 0x1100, 0, 2));
    CU_ASSERT_FALSE(warm_take(w, 0x1000, 0, 2));
    CU_ASSERT_EQUAL(taken(w, 0x1000, 4, 0, 4), 2);
    warm_free(w);
}

SUITE("mem/warm", T(each_line_is_found_once), T(lru_keeps_the_latest),
      T(fresh_lines_push_others_out), T(a_slice_has_its_share),
      T(launches_leave_lines_in_their_order), T(old_lines_stay_as_long_as_there_is_room))
