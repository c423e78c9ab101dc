#include "sim/mem/l1_cache.h"

#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

struct fix {
    struct cache_fix b; /* below the cache */
    struct l1_cache *c;
    char told[256]; /* what a listener has heard: "M1:0 " the warp and the line, by at() */
};

static bool port_push(void *ctx, struct mem_req *r, cycle_t now)
{
    struct fix *f = ctx;
    return fix_port_push(&f->b, r, now);
}

static struct fix *setup(enum l1_role role, const char *sets)
{
    struct fix *f = calloc(1, sizeof *f);
    fix_init(&f->b, sets);
    const struct l1_env env = {.cfg = role == L1_ROLE_DATA   ? &f->b.cfg.l1d
                                      : role == L1_ROLE_INST ? &f->b.cfg.l1i
                                                             : &f->b.cfg.l1c,
                               .map = &f->b.map,
                               .pool = f->b.pool,
                               .port = {f, port_push},
                               .core = 3};
    f->c = l1_new(&env, role);
    return f;
}

static void teardown(struct fix *f)
{
    for (int i = 0; i < f->b.nsent; i++)
        if (f->b.sent[i])
            req_put(f->b.pool, f->b.sent[i]);
    CU_ASSERT_FALSE(l1_busy(f->c));
    l1_free(f->c);
    fix_fini(&f->b);
    free(f);
}

/* The k-th line of set 0 of L1D: 32 sets of 128 bytes. */
static addr_t at(unsigned k)
{
    return 0x80000000u + k * 32u * 128u;
}

static enum l1_result act(struct fix *f, enum req_kind kind, addr_t a, int32_t token, cycle_t now)
{
    const struct l1_access x = {.addr = a,
                                .bytes = 32,
                                .kind = (uint8_t)kind,
                                .write = kind == REQ_GLOBAL_WRITE || kind == REQ_LOCAL_WRITE,
                                .warp = 1,
                                .token = token};
    return l1_access(f->c, &x, now);
}

static enum l1_result load(struct fix *f, addr_t a, int32_t token, cycle_t now)
{
    return act(f, REQ_GLOBAL_READ, a, token, now);
}

static void send_all(struct fix *f, cycle_t now)
{
    while (l1_cycle(f->c, now))
        ;
}

/* The i-th packet sent comes back; its waiting requests are taken and counted. */
static int answer(struct fix *f, int i, cycle_t now)
{
    int n = 0;
    l1_fill(f->c, f->b.sent[i], now);
    f->b.sent[i] = NULL;
    for (struct mem_req *r; (r = l1_next_ready(f->c)); n++)
        req_put(f->b.pool, r);
    return n;
}

static void bring_in(struct fix *f, addr_t a, cycle_t now)
{
    CU_ASSERT_EQUAL(load(f, a, 0, now), L1_MISS);
    send_all(f, now);
    CU_ASSERT_EQUAL(answer(f, f->b.nsent - 1, now), 1);
    f->b.nsent--;
}

static struct run_stats stats(struct fix *f)
{
    struct run_stats s = {0};
    l1_stats(f->c, &s);
    return s;
}

static void a_miss_fetches_the_line_and_then_hits(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "");
    CU_ASSERT_EQUAL(load(f, at(0) + 32, 11, 5), L1_MISS);
    CU_ASSERT_FALSE(l1_miss_queue_empty(f->c));
    CU_ASSERT_TRUE(l1_cycle(f->c, 6));
    CU_ASSERT_FALSE(l1_cycle(f->c, 7));
    CU_ASSERT_EQUAL_FATAL(f->b.nsent, 1);
    CU_ASSERT_EQUAL(f->b.sent[0]->addr, at(0)); /* the whole line */
    CU_ASSERT_EQUAL(f->b.sent[0]->bytes, 128);
    CU_ASSERT_EQUAL(f->b.sent[0]->core, 3);
    CU_ASSERT_EQUAL(f->b.sent[0]->stamp[STAGE_CREATED], 5);
    CU_ASSERT_PTR_NULL(l1_next_ready(f->c));
    l1_fill(f->c, f->b.sent[0], 100);
    struct mem_req *r = l1_next_ready(f->c);
    CU_ASSERT_PTR_EQUAL(r, f->b.sent[0]);
    CU_ASSERT_EQUAL(r->token, 11);
    CU_ASSERT_EQUAL(load(f, at(0), 12, 101), L1_HIT);
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.l1d_accesses, 2);
    CU_ASSERT_EQUAL(s.l1d_misses, 1);
    CU_ASSERT_EQUAL(s.l1d_hits, 1);
    CU_ASSERT_EQUAL(stats(f).l1d_accesses, 0); /* cleared */
    teardown(f);
}

static void loads_of_a_line_on_its_way_merge(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "l1d.merges=3");
    CU_ASSERT_EQUAL(load(f, at(0), 1, 1), L1_MISS);
    CU_ASSERT_EQUAL(load(f, at(0) + 64, 2, 2), L1_MERGED);
    CU_ASSERT_EQUAL(load(f, at(0) + 96, 3, 3), L1_MERGED);
    CU_ASSERT_EQUAL(load(f, at(0), 4, 4), L1_FAIL_MERGE);
    CU_ASSERT_EQUAL(load(f, at(0), 4, 5), L1_FAIL_MERGE);
    send_all(f, 5);
    CU_ASSERT_EQUAL(f->b.nsent, 1);
    l1_fill(f->c, f->b.sent[0], 9);
    f->b.sent[0] = NULL;
    for (int t = 1; t <= 3; t++) {
        struct mem_req *r = l1_next_ready(f->c);
        CU_ASSERT_EQUAL(r->token, t);
        req_put(f->b.pool, r);
    }
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.l1d_accesses, 3);
    CU_ASSERT_EQUAL(s.l1d_merges, 2);
    CU_ASSERT_EQUAL(s.l1d_fail_merge, 2); /* each retry counts */
    CU_ASSERT_EQUAL(s.l1d_reservation_fails, 2);
    teardown(f);
}

static void a_set_of_reserved_lines_refuses(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "");
    for (unsigned k = 0; k < 4; k++)
        CU_ASSERT_EQUAL(load(f, at(k), 0, k), L1_MISS);
    CU_ASSERT_EQUAL(load(f, at(4), 0, 5), L1_FAIL_LINE);
    CU_ASSERT_EQUAL(act(f, REQ_GLOBAL_WRITE, at(4), 0, 6), L1_FAIL_LINE); /* stores too */
    CU_ASSERT_EQUAL(load(f, at(4) + 128, 0, 7), L1_MISS);                 /* the next set is free */
    send_all(f, 8);
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(answer(f, i, 20), 1);
    CU_ASSERT_EQUAL(load(f, at(4), 0, 21), L1_MISS);
    send_all(f, 22);
    answer(f, 5, 23);
    CU_ASSERT_EQUAL(load(f, at(0), 0, 24), L1_MISS); /* was the least recently used: replaced */
    send_all(f, 24);
    answer(f, 6, 25);
    CU_ASSERT_EQUAL(stats(f).l1d_fail_line, 2);
    teardown(f);
}

static void mshr_entries_run_out(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "l1d.mshrs=2");
    CU_ASSERT_EQUAL(load(f, at(0), 0, 0), L1_MISS);
    CU_ASSERT_EQUAL(load(f, at(1), 0, 1), L1_MISS);
    CU_ASSERT_EQUAL(load(f, at(2), 0, 2), L1_FAIL_MSHR);
    CU_ASSERT_EQUAL(load(f, at(1), 0, 3), L1_MERGED);
    send_all(f, 4);
    l1_fill(f->c, f->b.sent[1], 10);
    f->b.sent[1] = NULL;
    CU_ASSERT_EQUAL(load(f, at(2), 0, 11), L1_FAIL_MSHR); /* the entry still holds two answers */
    req_put(f->b.pool, l1_next_ready(f->c));
    CU_ASSERT_EQUAL(load(f, at(2), 0, 12), L1_FAIL_MSHR);
    req_put(f->b.pool, l1_next_ready(f->c));
    CU_ASSERT_EQUAL(load(f, at(2), 0, 13), L1_MISS);
    send_all(f, 14);
    answer(f, 0, 20);
    answer(f, 2, 20);
    CU_ASSERT_EQUAL(stats(f).l1d_fail_mshr, 3);
    teardown(f);
}

static void loads_want_two_places_in_the_miss_queue_stores_one(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "l1d.miss_queue=3");
    f->b.closed = true;
    CU_ASSERT_EQUAL(load(f, at(0), 0, 0), L1_MISS);
    CU_ASSERT_EQUAL(load(f, at(1), 0, 1), L1_MISS);
    CU_ASSERT_EQUAL(load(f, at(2), 0, 2), L1_FAIL_QUEUE); /* one place is left */
    CU_ASSERT_EQUAL(load(f, at(1), 0, 3), L1_FAIL_QUEUE); /* even to merge */
    CU_ASSERT_EQUAL(act(f, REQ_GLOBAL_WRITE, at(9), 0, 4), L1_STORED);
    CU_ASSERT_EQUAL(act(f, REQ_GLOBAL_WRITE, at(9), 0, 5), L1_FAIL_QUEUE);
    CU_ASSERT_FALSE(l1_cycle(f->c, 6));
    f->b.closed = false;
    CU_ASSERT_TRUE(l1_cycle(f->c, 7));
    CU_ASSERT_EQUAL(load(f, at(1), 0, 8), L1_FAIL_QUEUE);
    CU_ASSERT_TRUE(l1_cycle(f->c, 9));
    CU_ASSERT_EQUAL(load(f, at(1), 0, 10), L1_MERGED);
    send_all(f, 11);
    answer(f, 0, 20);
    answer(f, 1, 20);
    l1_repeat_refusal(f->c, L1_FAIL_QUEUE, 10);
    CU_ASSERT_EQUAL(stats(f).l1d_fail_queue, 14);
    teardown(f);
}

static void a_global_store_goes_out_and_evicts(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "");
    bring_in(f, at(0), 1);
    CU_ASSERT_EQUAL(act(f, REQ_GLOBAL_WRITE, at(0) + 32, 8, 2), L1_STORED);
    send_all(f, 3);
    CU_ASSERT_EQUAL_FATAL(f->b.nsent, 1);
    CU_ASSERT_TRUE(f->b.sent[0]->write);
    CU_ASSERT_EQUAL(f->b.sent[0]->addr, at(0) + 32);
    CU_ASSERT_EQUAL(f->b.sent[0]->bytes, 32);
    CU_ASSERT_EQUAL(load(f, at(0), 0, 4), L1_MISS); /* the line is gone */
    CU_ASSERT_EQUAL(act(f, REQ_GLOBAL_WRITE, at(0), 8, 5), L1_STORED);
    send_all(f, 6);
    CU_ASSERT_EQUAL(answer(f, 1, 9), 1);
    CU_ASSERT_EQUAL(load(f, at(0), 0, 10), L1_HIT); /* a reserved line stays, stale */
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.l1d_write_accesses, 2);
    CU_ASSERT_EQUAL(s.l1d_write_misses, 1);
    CU_ASSERT_EQUAL(s.l1d_accesses, 3); /* global stores are not in it */
    teardown(f);
}

static void a_local_store_stays_until_its_line_is_replaced(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "");
    CU_ASSERT_EQUAL(act(f, REQ_LOCAL_WRITE, at(0), 0, 0), L1_STORED); /* miss: goes out */
    CU_ASSERT_EQUAL(load(f, at(0), 0, 1), L1_MISS);                   /* and did not allocate */
    send_all(f, 2);
    answer(f, 1, 3);
    CU_ASSERT_EQUAL(act(f, REQ_LOCAL_WRITE, at(0), 0, 4), L1_HIT);
    for (unsigned k = 1; k < 4; k++)
        bring_in(f, at(k), 4 + k);
    const int before = f->b.nsent;
    CU_ASSERT_EQUAL(load(f, at(4), 0, 20), L1_MISS);
    send_all(f, 21);
    CU_ASSERT_EQUAL_FATAL(f->b.nsent, before + 2); /* the read, then the dirty line */
    CU_ASSERT_EQUAL(f->b.sent[before]->addr, at(4));
    CU_ASSERT_EQUAL(f->b.sent[before + 1]->kind, REQ_L1_WRITEBACK);
    CU_ASSERT_TRUE(f->b.sent[before + 1]->write);
    CU_ASSERT_EQUAL(f->b.sent[before + 1]->addr, at(0));
    CU_ASSERT_EQUAL(f->b.sent[before + 1]->bytes, 128);
    answer(f, before, 30);
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.l1d_accesses, 6); /* five loads that missed and the store that hit */
    CU_ASSERT_EQUAL(s.l1d_hits, 1);
    CU_ASSERT_EQUAL(s.l1d_write_accesses, 2);
    CU_ASSERT_EQUAL(s.l1d_write_misses, 1);
    teardown(f);
}

static void a_filled_entry_serves_late_loads_of_an_evicted_line(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "");
    CU_ASSERT_EQUAL(load(f, at(0), 1, 0), L1_MISS);
    CU_ASSERT_EQUAL(load(f, at(0), 2, 1), L1_MERGED);
    send_all(f, 2);
    l1_fill(f->c, f->b.sent[0], 5);
    f->b.sent[0] = NULL;
    req_put(f->b.pool, l1_next_ready(f->c));
    CU_ASSERT_EQUAL(act(f, REQ_GLOBAL_WRITE, at(0), 0, 6), L1_STORED); /* evicts the line */
    CU_ASSERT_EQUAL(load(f, at(0), 3, 7), L1_MERGED);
    send_all(f, 8);
    CU_ASSERT_EQUAL(f->b.nsent, 2); /* read and store: no second read */
    struct mem_req *r = l1_next_ready(f->c);
    CU_ASSERT_EQUAL(r->token, 2);
    req_put(f->b.pool, r);
    r = l1_next_ready(f->c);
    CU_ASSERT_EQUAL(r->token, 3);
    req_put(f->b.pool, r);
    CU_ASSERT_EQUAL(load(f, at(0), 4, 9), L1_MISS); /* the line was not allocated */
    send_all(f, 10);
    answer(f, 2, 11);
    teardown(f);
}

static void a_read_only_cache_allocates_when_the_line_arrives(void)
{
    struct fix *f = setup(L1_ROLE_CONST, "l1c.miss_queue=2");
    /* 64 sets x 2 ways x 64 bytes: three lines of one set may be on their way, MSHRs permitting */
    const addr_t step = 64 * 64;
    CU_ASSERT_EQUAL(act(f, REQ_CONST_READ, 0, 1, 0), L1_MISS);
    CU_ASSERT_EQUAL(act(f, REQ_CONST_READ, 4, 2, 1), L1_MERGED);
    CU_ASSERT_EQUAL(act(f, REQ_CONST_READ, step, 3, 2), L1_MISS);
    CU_ASSERT_EQUAL(act(f, REQ_CONST_READ, 2 * step, 4, 3), L1_FAIL_QUEUE);
    send_all(f, 4);
    CU_ASSERT_EQUAL(act(f, REQ_CONST_READ, 2 * step, 4, 5), L1_FAIL_MSHR); /* two entries */
    CU_ASSERT_EQUAL(f->b.sent[0]->bytes, 64);
    CU_ASSERT_EQUAL(answer(f, 0, 6), 2);
    CU_ASSERT_EQUAL(act(f, REQ_CONST_READ, 60, 5, 7), L1_HIT);
    CU_ASSERT_EQUAL(answer(f, 1, 8), 1);
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.l1c_accesses, 4);
    CU_ASSERT_EQUAL(s.l1c_misses, 3); /* a merge counts as a miss */
    CU_ASSERT_EQUAL(s.l1d_accesses, 0);
    teardown(f);
}

static void the_instruction_cache_counts_on_its_own(void)
{
    struct fix *f = setup(L1_ROLE_INST, "");
    CU_ASSERT_EQUAL(act(f, REQ_INST_READ, 0x1000, 0, 0), L1_MISS);
    send_all(f, 1);
    CU_ASSERT_EQUAL(answer(f, 0, 2), 1);
    CU_ASSERT_EQUAL(act(f, REQ_INST_READ, 0x1010, 0, 3), L1_HIT);
    const struct run_stats s = stats(f);
    CU_ASSERT_EQUAL(s.l1i_accesses, 2);
    CU_ASSERT_EQUAL(s.l1i_misses, 1);
    teardown(f);
}

static void a_flush_invalidates(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "");
    bring_in(f, at(0), 1);
    CU_ASSERT_EQUAL(load(f, at(0), 0, 2), L1_HIT);
    l1_flush(f->c);
    bring_in(f, at(0), 3);
    teardown(f);
}

static void listen(void *ctx, int warp, enum l1_event what, addr_t line)
{
    struct fix *f = ctx;
    const size_t n = strlen(f->told);
    snprintf(f->told + n, sizeof f->told - n, "%c%d:%u ", "HME"[what], warp,
             (unsigned)((line - at(0)) / (at(1) - at(0))));
}

static enum l1_result load_of(struct fix *f, int warp, addr_t a, cycle_t now)
{
    const struct l1_access x = {.addr = a, .bytes = 32, .kind = REQ_GLOBAL_READ, .warp = warp};
    return l1_access(f->c, &x, now);
}

/* Two lines a set. Line 0 is brought by warp 5 and hit by warp 6; line 2 drives it out, which is
 * warp 5's loss. A store and a refusal are not told. */
static void a_listener_hears_whose_line_was_driven_out(void)
{
    struct fix *f = setup(L1_ROLE_DATA, "l1d.size=8192 l1d.ways=2 l1d.mshrs=2");
    const struct l1_env env = {.cfg = &f->b.cfg.l1d,
                               .map = &f->b.map,
                               .pool = f->b.pool,
                               .port = {f, port_push},
                               .event = listen,
                               .event_ctx = f};
    l1_free(f->c);
    f->c = l1_new(&env, L1_ROLE_DATA);
    CU_ASSERT_EQUAL(load_of(f, 5, at(0), 1), L1_MISS);
    CU_ASSERT_EQUAL(load_of(f, 7, at(1), 2), L1_MISS);
    CU_ASSERT_EQUAL(load_of(f, 6, at(1) + 32, 3), L1_MERGED);
    CU_ASSERT_TRUE(l1_refused(load_of(f, 6, at(2), 4)));
    CU_ASSERT_STRING_EQUAL(f->told, "M5:0 M7:1 M6:1 ");
    f->told[0] = 0;
    send_all(f, 5);
    answer(f, 0, 6);
    answer(f, 1, 6);
    CU_ASSERT_EQUAL(load_of(f, 7, at(1), 7), L1_HIT);
    CU_ASSERT_EQUAL(load_of(f, 6, at(2), 8), L1_MISS);
    CU_ASSERT_STRING_EQUAL(f->told, "H7:1 M6:2 E5:0 ");
    f->told[0] = 0;
    send_all(f, 9);
    answer(f, 2, 10);
    CU_ASSERT_EQUAL(act(f, REQ_GLOBAL_WRITE, at(1), -1, 11), L1_STORED);
    CU_ASSERT_EQUAL(load_of(f, 8, at(3), 12), L1_MISS); /* into the way of the line stored to */
    CU_ASSERT_STRING_EQUAL(f->told, "M8:3 ");
    send_all(f, 13);
    answer(f, 4, 14);
    teardown(f);
}

SUITE("mem/l1_cache", T(a_listener_hears_whose_line_was_driven_out),
      T(a_miss_fetches_the_line_and_then_hits), T(loads_of_a_line_on_its_way_merge),
      T(a_set_of_reserved_lines_refuses), T(mshr_entries_run_out),
      T(loads_want_two_places_in_the_miss_queue_stores_one), T(a_global_store_goes_out_and_evicts),
      T(a_local_store_stays_until_its_line_is_replaced),
      T(a_filled_entry_serves_late_loads_of_an_evicted_line),
      T(a_read_only_cache_allocates_when_the_line_arrives),
      T(the_instruction_cache_counts_on_its_own), T(a_flush_invalidates))
