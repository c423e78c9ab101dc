/* A replayed core's cache by itself: 2 sets of 2 ways. */
#include "sampler/stamp_cache.h"
#include "tests/suite.h"

static struct stamp_cache small_cache(int mshrs, int merges)
{
    const struct cache_cfg cfg = {
        .size = 512, .line = 128, .ways = 2, .mshrs = mshrs, .merges = merges};
    struct stamp_cache c;
    stamp_init(&c, &cfg);
    return c;
}

struct look { /* an access and what became of it */
    enum stamp_result got;
    double t, ready;
    addr_t victim; /* line that was there + 1 */
};

/* Lines of 128 bytes by number; a miss's data are back at `back`. What is refused is tried again
 * when the cache said. */
static struct look look(struct stamp_cache *c, addr_t line, double t, double back)
{
    struct stamp_look k = stamp_look(c, line * 128 + 12, t);
    while (k.when > t) {
        t = k.when;
        k = stamp_look(c, line * 128 + 12, t);
    }
    struct look l = {.got = k.got, .t = t};
    if (k.got == STAMP_MISS) {
        l.victim = k.line->line;
        stamp_miss(c, &k, line * 128, t, back);
    } else {
        l.ready = k.line->fill > t ? k.line->fill : t;
        stamp_use(&k, t);
    }
    return l;
}

static void a_line_is_missed_once_then_merged_then_hit(void)
{
    struct stamp_cache c = small_cache(4, 8);
    CU_ASSERT_EQUAL(look(&c, 6, 10, 100).got, STAMP_MISS);
    struct look l = look(&c, 6, 50, 0);
    CU_ASSERT(l.got == STAMP_MERGED && l.t == 50 && l.ready == 100);
    l = look(&c, 6, 100, 0);
    CU_ASSERT(l.got == STAMP_HIT && l.t == 100 && l.ready == 100);
    l = look(&c, 6, 150, 0);
    CU_ASSERT(l.got == STAMP_HIT && l.t == 150 && l.ready == 150);
    CU_ASSERT_PTR_NULL(stamp_find(&c, 6 * 128, 99)); /* not filled yet */
    CU_ASSERT_PTR_NOT_NULL(stamp_find(&c, 6 * 128 + 127, 100));
    CU_ASSERT_PTR_NULL(stamp_find(&c, 7 * 128, 100));
    stamp_fini(&c);
}

static void the_line_used_longest_ago_is_replaced(void)
{
    struct stamp_cache c = small_cache(4, 8);
    look(&c, 0, 10, 20);
    look(&c, 2, 30, 40);
    look(&c, 0, 50, 0);
    struct look l = look(&c, 4, 60, 70);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 60 && l.victim == 2 + 1);
    CU_ASSERT_EQUAL(look(&c, 0, 80, 0).got, STAMP_HIT);
    CU_ASSERT_EQUAL(look(&c, 1, 80, 90).victim, 0); /* the other set is empty */
    stamp_fini(&c);
}

/* Lines on their way are not replaced: the third one waits for the first of them. */
static void a_set_of_lines_on_their_way_refuses(void)
{
    struct stamp_cache c = small_cache(4, 8);
    look(&c, 0, 10, 120);
    look(&c, 2, 11, 100);
    struct look l = look(&c, 4, 20, 200);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 100 && l.victim == 2 + 1);
    stamp_fini(&c);
}

/* With one MSHR, the third line waits until 100: then the second one has come, and it is the one
 * that was asked for longest ago, since the first was used again. */
static void what_to_replace_is_decided_when_an_mshr_is_free(void)
{
    struct stamp_cache c = small_cache(1, 8);
    look(&c, 0, 10, 15);
    look(&c, 2, 20, 100);
    look(&c, 0, 25, 0);
    const struct look l = look(&c, 4, 30, 200);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 100 && l.victim == 2 + 1);
    stamp_fini(&c);
}

static void misses_wait_for_an_mshr(void)
{
    struct stamp_cache c = small_cache(2, 8);
    look(&c, 0, 10, 110);
    look(&c, 1, 11, 100);
    struct look l = look(&c, 2, 20, 200);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 100);
    l = look(&c, 3, 105, 210);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 110);
    stamp_fini(&c);
}

/* An entry holds 4 requests: the fifth waits until the line is there. */
static void an_mshr_holds_so_many_requests(void)
{
    struct stamp_cache c = small_cache(2, 4);
    look(&c, 0, 10, 100);
    CU_ASSERT_EQUAL(look(&c, 0, 11, 0).t, 11);
    CU_ASSERT_EQUAL(look(&c, 0, 12, 0).t, 12);
    CU_ASSERT_EQUAL(look(&c, 0, 13, 0).t, 13);
    const struct look l = look(&c, 0, 14, 0);
    CU_ASSERT(l.t == 100 && l.ready == 100);
    stamp_fini(&c);
}

/* When a line comes is not known: what it, its register or its set refuses is not either, until the
 * fill is told; looking changes nothing. */
static void what_is_not_known_refuses_until_it_is(void)
{
    struct stamp_cache c = small_cache(2, 2);
    look(&c, 0, 10, REPLAY_NEVER);
    look(&c, 2, 11, REPLAY_NEVER);
    CU_ASSERT_EQUAL(stamp_look(&c, 4 * 128, 20).when, REPLAY_NEVER); /* set and registers */
    CU_ASSERT_EQUAL(stamp_look(&c, 1 * 128, 20).when, REPLAY_NEVER); /* registers */
    CU_ASSERT_EQUAL(stamp_look(&c, 0, 20).when, 20);
    CU_ASSERT_EQUAL(look(&c, 0, 20, 0).got, STAMP_MERGED);
    CU_ASSERT_EQUAL(stamp_look(&c, 0, 21).when, REPLAY_NEVER); /* it has its two */
    CU_ASSERT_PTR_NULL(stamp_find(&c, 0, 21));
    c.mshr[0] = stamp_look(&c, 0, 21).line->fill = 50;
    CU_ASSERT_EQUAL(stamp_look(&c, 0, 21).when, 50);
    CU_ASSERT_EQUAL(stamp_look(&c, 1 * 128, 21).when, 50);
    const struct stamp_look third = stamp_look(&c, 4 * 128, 50);
    CU_ASSERT(third.got == STAMP_MISS && third.when == 50 && third.line->line == 0 + 1);
    stamp_fini(&c);
}

SUITE("replayed cache", T(a_line_is_missed_once_then_merged_then_hit),
      T(the_line_used_longest_ago_is_replaced), T(a_set_of_lines_on_their_way_refuses),
      T(misses_wait_for_an_mshr), T(what_to_replace_is_decided_when_an_mshr_is_free),
      T(an_mshr_holds_so_many_requests), T(what_is_not_known_refuses_until_it_is))
