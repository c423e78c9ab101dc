/* The texture cache cycle by cycle. */
#include "sim/mem/tex_cache.h"

#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

#define BASE 0x80000000u

struct fix {
    struct cache_fix b; /* below the cache */
    struct tex_cache *c;
};

static bool port_push(void *ctx, struct mem_req *r, cycle_t now)
{
    struct fix *f = ctx;
    CU_ASSERT_EQUAL(r->kind, REQ_TEX_READ);
    CU_ASSERT_TRUE(r->stamp[STAGE_CREATED] < now);
    return fix_port_push(&f->b, r, now);
}

static struct fix *setup(const char *sets)
{
    struct fix *f = calloc(1, sizeof *f);
    fix_init(&f->b, sets);
    f->c = tex_new(&(struct tex_env){.cfg = &f->b.cfg.l1t,
                                     .map = &f->b.map,
                                     .pool = f->b.pool,
                                     .port = {f, port_push},
                                     .core = 3});
    return f;
}

static void teardown(struct fix *f)
{
    CU_ASSERT_FALSE(tex_busy(f->c));
    tex_free(f->c);
    fix_fini(&f->b);
    free(f);
}

static void access_ok(struct fix *f, addr_t a, int token, cycle_t now)
{
    CU_ASSERT_TRUE(tex_access(f->c, a, 1, token, now));
}

static void answer(struct fix *f, int i)
{
    tex_fill(f->c, f->b.sent[i]);
}

static void take(struct fix *f, int token)
{
    CU_ASSERT_TRUE_FATAL(tex_ready(f->c));
    CU_ASSERT_EQUAL(tex_take(f->c), token);
}

/* The line of the address in the cache, nothing inside, at cycle `now`. */
static void bring_in(struct fix *f, addr_t a, cycle_t now)
{
    access_ok(f, a, 99, now);
    tex_cycle(f->c, now + 1);
    answer(f, f->b.nsent - 1);
    tex_cycle(f->c, now + 2);
    take(f, 99);
}

static struct run_stats stats(struct fix *f)
{
    struct run_stats s = {0};
    tex_stats(f->c, &s);
    return s;
}

static void a_miss_asks_for_its_line_and_waits_for_it(void)
{
    struct fix *f = setup("");
    access_ok(f, BASE + 132, 7, 10);
    CU_ASSERT_EQUAL(tex_next(f->c), 0); /* a request waits */
    tex_cycle(f->c, 11);
    CU_ASSERT_EQUAL_FATAL(f->b.nsent, 1);
    CU_ASSERT_EQUAL(f->b.sent[0]->addr, BASE + 128);
    CU_ASSERT_EQUAL(f->b.sent[0]->bytes, 128);
    CU_ASSERT_EQUAL(f->b.sent[0]->core, 3);
    CU_ASSERT_EQUAL(f->b.sent[0]->stamp[STAGE_CREATED], 10);
    CU_ASSERT_EQUAL(tex_next(f->c), CYCLE_NEVER); /* nothing but the reply helps */
    tex_cycle(f->c, 12);
    CU_ASSERT_FALSE(tex_ready(f->c));
    answer(f, 0);
    CU_ASSERT_EQUAL(tex_next(f->c), 11); /* it might have left in cycle 11 */
    tex_cycle(f->c, 100);
    take(f, 7);
    teardown(f);
}

static void a_hit_leaves_in_the_next_cycle(void)
{
    struct fix *f = setup("");
    bring_in(f, BASE, 1);
    access_ok(f, BASE + 64, 5, 20);
    CU_ASSERT_EQUAL(tex_next(f->c), 21);
    tex_cycle(f->c, 20); /* not in the cycle of the access */
    CU_ASSERT_FALSE(tex_ready(f->c));
    tex_cycle(f->c, 21);
    take(f, 5);
    CU_ASSERT_EQUAL(f->b.nsent, 1);
    teardown(f);
}

static void a_hit_stays_for_the_latency(void)
{
    struct fix *f = setup("l1t.latency=40");
    access_ok(f, BASE, 1, 10);
    tex_cycle(f->c, 11);
    answer(f, 0);
    tex_cycle(f->c, 50);
    CU_ASSERT_FALSE(tex_ready(f->c));
    CU_ASSERT_EQUAL(tex_next(f->c), 51); /* 10 + 1 + 40 */
    tex_cycle(f->c, 51);
    take(f, 1);
    teardown(f);
}

/* A line on its way counts as there: no second request, and the fragment waits behind the first. */
static void tags_run_ahead_of_the_data(void)
{
    struct fix *f = setup("");
    access_ok(f, BASE, 1, 1);
    access_ok(f, BASE + 4, 2, 2);
    tex_cycle(f->c, 3);
    tex_cycle(f->c, 4);
    CU_ASSERT_EQUAL(f->b.nsent, 1);
    CU_ASSERT_FALSE(tex_ready(f->c));
    answer(f, 0);
    tex_cycle(f->c, 5);
    tex_cycle(f->c, 6); /* one fragment a cycle */
    take(f, 1);
    take(f, 2);
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.texture_accesses, 2);
    CU_ASSERT_EQUAL(s.texture_misses, 1);
    CU_ASSERT_EQUAL(s.texture_hits, 1);
    CU_ASSERT_EQUAL(stats(f).texture_accesses, 0); /* cleared */
    teardown(f);
}

/* Replies in reverse, results in order; the hit behind two misses comes last. */
static void results_come_in_order(void)
{
    struct fix *f = setup("");
    bring_in(f, BASE + 512, 1);
    access_ok(f, BASE, 1, 10);
    access_ok(f, BASE + 128, 2, 11);
    access_ok(f, BASE + 512, 3, 12);
    tex_cycle(f->c, 13);
    tex_cycle(f->c, 14);
    answer(f, 2);
    tex_cycle(f->c, 15);
    CU_ASSERT_FALSE(tex_ready(f->c));
    answer(f, 1);
    tex_cycle(f->c, 16);
    take(f, 1);
    tex_cycle(f->c, 17);
    take(f, 2);
    tex_cycle(f->c, 18);
    take(f, 3);
    teardown(f);
}

static void two_results_wait_at_most(void)
{
    struct fix *f = setup("");
    bring_in(f, BASE, 1);
    for (int i = 0; i < 4; i++)
        access_ok(f, BASE, i, 10);
    for (cycle_t t = 11; t < 20; t++)
        tex_cycle(f->c, t);
    take(f, 0);
    take(f, 1);
    CU_ASSERT_FALSE(tex_ready(f->c)); /* the FIFO was full: the others stayed */
    tex_cycle(f->c, 20);
    take(f, 2);
    tex_cycle(f->c, 21);
    take(f, 3);
    teardown(f);
}

static void drain(struct fix *f, int tokens)
{
    for (cycle_t t = 9000; tokens; t++) {
        const int before = f->b.nsent;
        tex_cycle(f->c, t);
        for (int i = before; i < f->b.nsent; i++)
            answer(f, i);
        for (; tex_ready(f->c); tokens--)
            tex_take(f->c);
    }
}

/* `fits` misses go in, the next access is refused, even a hit, and counted. */
static void refuses_after(const char *sets, int fits)
{
    struct fix *f = setup(sets);
    bring_in(f, BASE, 1);
    for (int i = 0; i < fits; i++)
        access_ok(f, BASE + 128 * (addr_t)(i + 1), i, 10);
    CU_ASSERT_FALSE(tex_access(f->c, BASE, 1, 50, 10));
    tex_repeat_refusal(f->c, 4);
    CU_ASSERT_EQUAL(stats(f).texture_fails, 5);
    drain(f, fits);
    teardown(f);
}

static void a_full_fifo_refuses(void)
{
    refuses_after("", 4); /* the request FIFO */
    refuses_after("l1t.requests=16 l1t.fragments=9", 9);
    refuses_after("l1t.requests=16 l1t.rob=6", 6);
}

static void a_closed_port_keeps_the_request(void)
{
    struct fix *f = setup("");
    access_ok(f, BASE, 1, 1);
    f->b.closed = true;
    tex_cycle(f->c, 2);
    CU_ASSERT_EQUAL(f->b.nsent, 0);
    CU_ASSERT_EQUAL(tex_next(f->c), 0);
    f->b.closed = false;
    drain(f, 1);
    teardown(f);
}

/* 2 ways of one set: the line used longest ago goes. */
static void the_oldest_line_is_replaced(void)
{
    struct fix *f = setup("l1t.size=256 l1t.ways=2");
    bring_in(f, BASE, 1);
    bring_in(f, BASE + 128, 11);
    access_ok(f, BASE, 0, 20); /* used again */
    drain(f, 1);
    bring_in(f, BASE + 256, 2001);
    stats(f);
    access_ok(f, BASE, 0, 3000);
    CU_ASSERT_EQUAL(stats(f).texture_hits, 1);
    access_ok(f, BASE + 128, 0, 3001);
    CU_ASSERT_EQUAL(stats(f).texture_misses, 1);
    drain(f, 2);
    tex_flush(f->c);
    access_ok(f, BASE, 0, 4000);
    CU_ASSERT_EQUAL(stats(f).texture_misses, 1);
    drain(f, 1);
    teardown(f);
}

static void a_line_is_as_long_as_configured(void)
{
    struct fix *f = setup("l1t.line=64");
    bring_in(f, BASE, 1);
    stats(f);
    access_ok(f, BASE + 63, 0, 10);
    access_ok(f, BASE + 64, 1, 11);
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.texture_hits, 1);
    CU_ASSERT_EQUAL(s.texture_misses, 1);
    drain(f, 2);
    CU_ASSERT_EQUAL(f->b.nsent, 2);
    teardown(f);
}

static void a_longer_result_fifo_holds_more(void)
{
    struct fix *f = setup("l1t.results=3");
    bring_in(f, BASE, 1);
    for (int i = 0; i < 4; i++)
        access_ok(f, BASE, i, 10);
    for (cycle_t t = 11; t < 20; t++)
        tex_cycle(f->c, t);
    for (int i = 0; i < 3; i++)
        take(f, i);
    CU_ASSERT_FALSE(tex_ready(f->c));
    tex_cycle(f->c, 20);
    take(f, 3);
    teardown(f);
}

SUITE("texture cache", T(a_miss_asks_for_its_line_and_waits_for_it),
      T(a_hit_leaves_in_the_next_cycle), T(a_hit_stays_for_the_latency),
      T(tags_run_ahead_of_the_data), T(results_come_in_order), T(two_results_wait_at_most),
      T(a_full_fifo_refuses), T(a_closed_port_keeps_the_request), T(the_oldest_line_is_replaced),
      T(a_line_is_as_long_as_configured), T(a_longer_result_fifo_holds_more))
