/* A replayed core's cache by itself: 2 sets of 2 ways. */
#include "sampler/stamp_cache.h"

#include "sampler/cycles.h"
#include "tests/suite.h"

#define MOST 8

struct flight { /* a miss that is sent for */
    cycle_t back;
    struct stamp_line *line;
    struct stamp_mshr *mshr;
};

struct cache_fix {
    struct stamp_cache c;
    struct flight flight[MOST];
    int flights;
};

static struct cache_fix small_cache(int mshrs, int merges, bool late)
{
    const struct cache_cfg cfg = {
        .size = 512, .line = 128, .ways = 2, .mshrs = mshrs, .merges = merges};
    struct cache_fix f = {0};
    stamp_init(&f.c, &cfg, late);
    return f;
}

/* What is back at t or earlier fills its line. Returns when the next one is. */
static cycle_t fill(struct cache_fix *f, cycle_t t)
{
    cycle_t next = CYCLE_NEVER;
    for (int i = 0; i < f->flights; i++) {
        struct flight *x = &f->flight[i];
        if (x->back <= t) {
            stamp_fill(&f->c, x->line, x->mshr, x->back);
            x->back = CYCLE_NEVER;
        }
        next = earlier(next, x->back);
    }
    return next;
}

struct look { /* an access and what became of it */
    enum stamp_result got;
    cycle_t t;
    addr_t victim;  /* line that was there + 1 */
    cycle_t merged; /* when what it waits for is back */
};

/* Lines of 128 bytes by number; a miss's data are back at `back`. What is refused is tried again
 * when the cache said, or something is back. */
static struct look look(struct cache_fix *f, addr_t line, cycle_t t, cycle_t back)
{
    cycle_t next = fill(f, t);
    struct stamp_look k = stamp_look(&f->c, line * 128 + 12, t);
    while (k.when > t) {
        t = earlier(k.when, next);
        next = fill(f, t);
        k = stamp_look(&f->c, line * 128 + 12, t);
    }
    struct look l = {
        .got = k.got, .t = t, .merged = k.got == STAMP_MERGED ? k.mshr->flight->back : 0};
    if (k.got != STAMP_MISS) {
        stamp_use(&k, t);
        return l;
    }
    struct flight *x = &f->flight[f->flights++];
    l.victim = k.line ? k.line->line : 0;
    *x = (struct flight){back, k.line, k.mshr};
    stamp_miss(&f->c, &k, line * 128, t, x);
    return l;
}

static void a_line_is_missed_once_then_merged_then_hit(void)
{
    for (int late = 0; late < 2; late++) {
        struct cache_fix f = small_cache(4, 8, late);
        CU_ASSERT_EQUAL(look(&f, 6, 10, 100).got, STAMP_MISS);
        struct look l = look(&f, 6, 50, 0);
        CU_ASSERT(l.got == STAMP_MERGED && l.t == 50 && l.merged == 100);
        CU_ASSERT_PTR_NULL(stamp_find(&f.c, 6 * 128)); /* not filled yet */
        l = look(&f, 6, 100, 0);
        CU_ASSERT(l.got == STAMP_HIT && l.t == 100 && l.merged == 0);
        CU_ASSERT_PTR_NOT_NULL(stamp_find(&f.c, 6 * 128 + 127));
        CU_ASSERT_PTR_NULL(stamp_find(&f.c, 7 * 128));
        stamp_fini(&f.c);
    }
}

static void the_line_used_longest_ago_is_replaced(void)
{
    struct cache_fix f = small_cache(4, 8, false);
    look(&f, 0, 10, 20);
    look(&f, 2, 30, 40);
    look(&f, 0, 50, 0);
    struct look l = look(&f, 4, 60, 70);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 60 && l.victim == 2 + 1);
    CU_ASSERT_EQUAL(look(&f, 0, 80, 0).got, STAMP_HIT);
    CU_ASSERT_EQUAL(look(&f, 1, 80, 90).victim, 0); /* the other set is empty */
    stamp_fini(&f.c);
}

/* Lines on their way are not replaced: the third one waits for the first of them. */
static void a_set_of_lines_on_their_way_refuses(void)
{
    struct cache_fix f = small_cache(4, 8, false);
    look(&f, 0, 10, 120);
    look(&f, 2, 11, 100);
    CU_ASSERT_EQUAL(stamp_look(&f.c, 4 * 128, 20).when, CYCLE_NEVER);
    struct look l = look(&f, 4, 20, 200);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 100 && l.victim == 2 + 1);
    stamp_fini(&f.c);
}

/* A cache that is filled late holds its lines until others are there, and takes any number of
 * misses of a set: the second one that comes takes the place of what was used longest ago then. */
static void a_late_cache_keeps_its_lines_until_others_come(void)
{
    struct cache_fix f = small_cache(4, 8, true);
    look(&f, 0, 10, 20);
    look(&f, 2, 11, 21);
    CU_ASSERT_EQUAL(look(&f, 4, 30, 100).t, 30);
    CU_ASSERT_EQUAL(look(&f, 6, 31, 110).t, 31);
    CU_ASSERT_EQUAL(look(&f, 8, 32, 120).t, 32);
    CU_ASSERT_EQUAL(look(&f, 0, 50, 0).got, STAMP_HIT);
    CU_ASSERT_EQUAL(look(&f, 2, 40, 0).got, STAMP_HIT);
    fill(&f, 105); /* 4 for 2 */
    CU_ASSERT_PTR_NULL(stamp_find(&f.c, 2 * 128));
    CU_ASSERT_EQUAL(look(&f, 0, 106, 0).got, STAMP_HIT);
    fill(&f, 115); /* 6 for 4 */
    CU_ASSERT_PTR_NULL(stamp_find(&f.c, 4 * 128));
    CU_ASSERT_PTR_NOT_NULL(stamp_find(&f.c, 0));
    stamp_fini(&f.c);
}

/* With one MSHR, the third line waits until 101: then the second one has come, and it is the one
 * that was asked for longest ago, since the first was used again. */
static void what_to_replace_is_decided_when_an_mshr_is_free(void)
{
    struct cache_fix f = small_cache(1, 8, false);
    look(&f, 0, 10, 15);
    look(&f, 2, 20, 100);
    look(&f, 0, 25, 0);
    const struct look l = look(&f, 4, 30, 200);
    CU_ASSERT(l.got == STAMP_MISS && l.t == 101 && l.victim == 2 + 1);
    stamp_fini(&f.c);
}

/* An MSHR is free when everyone who waited has had their data, one a cycle. */
static void misses_wait_for_an_mshr(void)
{
    for (int late = 0; late < 2; late++) {
        struct cache_fix f = small_cache(2, 8, late);
        look(&f, 0, 10, 110);
        look(&f, 1, 11, 100);
        look(&f, 0, 12, 0);
        struct look l = look(&f, 2, 20, 200);
        CU_ASSERT(l.got == STAMP_MISS && l.t == 101);
        l = look(&f, 3, 105, 210);
        CU_ASSERT(l.got == STAMP_MISS && l.t == 112);
        stamp_fini(&f.c);
    }
}

/* An entry holds 4 requests: the fifth waits until the line is there. */
static void an_mshr_holds_so_many_requests(void)
{
    for (int late = 0; late < 2; late++) {
        struct cache_fix f = small_cache(2, 4, late);
        look(&f, 0, 10, 100);
        for (cycle_t t = 11; t < 14; t++)
            CU_ASSERT_EQUAL(look(&f, 0, t, 0).t, t);
        const struct look l = look(&f, 0, 14, 0);
        CU_ASSERT(l.t == 100 && l.got == STAMP_HIT);
        stamp_fini(&f.c);
    }
}

static void lines_can_be_put_there(void)
{
    struct cache_fix f = small_cache(2, 4, true);
    for (addr_t line = 0; line < 6; line += 2)
        stamp_put(&f.c, line * 128, line + 1);
    CU_ASSERT_EQUAL(look(&f, 0, 10, 50).got, STAMP_MISS);
    CU_ASSERT_EQUAL(look(&f, 2, 10, 0).got, STAMP_HIT);
    stamp_flush(&f.c);
    CU_ASSERT_EQUAL(look(&f, 2, 20, 60).got, STAMP_MISS);
    stamp_fini(&f.c);
}

SUITE("replayed cache", T(a_line_is_missed_once_then_merged_then_hit),
      T(the_line_used_longest_ago_is_replaced), T(a_set_of_lines_on_their_way_refuses),
      T(a_late_cache_keeps_its_lines_until_others_come), T(misses_wait_for_an_mshr),
      T(what_to_replace_is_decided_when_an_mshr_is_free), T(an_mshr_holds_so_many_requests),
      T(lines_can_be_put_there))
