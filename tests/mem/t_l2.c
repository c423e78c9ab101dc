#include "sim/mem/l2.h"

#include "sim/mem/warm.h"
#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

static struct mem_cfg cfg;
static struct addrmap map;
static struct req_pool *pool;
static struct l2 *c;

static void setup(void)
{
    cfg = fix_cfg();
    cfg.l2.enabled = true;
    addrmap_init(&map, &cfg);
    pool = req_pool_new();
    c = l2_new(&cfg.l2, &map, pool);
}

static void teardown(void)
{
    CU_ASSERT_PTR_NULL(l2_to_dram(c));
    CU_ASSERT_FALSE(l2_ready(c));
    CU_ASSERT_EQUAL(req_pool_live(pool), 0);
    l2_free(c);
    req_pool_free(pool);
}

static struct mem_req *req(enum req_kind kind, addr_t a, uint32_t bytes)
{
    struct mem_req *r = fix_req(pool, kind, a, bytes);
    addrmap_set(&map, r);
    return r;
}

static struct mem_req *next_to_dram(void)
{
    struct mem_req *r = l2_to_dram(c);
    if (r)
        l2_to_dram_pop(c);
    return r;
}

static void free_ready(void)
{
    for (struct mem_req *r; (r = l2_next_ready(c));)
        req_put(pool, r);
}

/* k-th line of set 0 of partition 0: 64 sets of 128 bytes, two lines in each block of 256. */
static addr_t at(unsigned k)
{
    return (addr_t)k * 32 * 6 * 256;
}

static void bring_in(addr_t a, cycle_t now)
{
    struct mem_req *r = req(REQ_GLOBAL_READ, a, 128);
    CU_ASSERT_EQUAL(l2_access(c, r, now), L2_TAKEN);
    while (next_to_dram() != r)
        ;
    l2_fill(c, r);
    free_ready();
}

static void a_read_fetches_its_line_and_gets_the_size_it_asked_for(void)
{
    setup();
    struct mem_req *a = req(REQ_CONST_READ, at(0) + 64, 64), *b = req(REQ_GLOBAL_READ, at(0), 128);
    CU_ASSERT_EQUAL(l2_access(c, a, 1), L2_TAKEN);
    CU_ASSERT_EQUAL(l2_access(c, b, 2), L2_TAKEN); /* merges */
    CU_ASSERT_PTR_EQUAL(next_to_dram(), a);
    CU_ASSERT_EQUAL(a->bytes, 128);
    CU_ASSERT_PTR_NULL(next_to_dram());
    CU_ASSERT_TRUE(l2_waits_for(c, a));
    CU_ASSERT_FALSE(l2_waits_for(c, b));
    l2_fill(c, a);
    CU_ASSERT_EQUAL(a->bytes, 64);
    CU_ASSERT_PTR_EQUAL(l2_next_ready(c), a);
    CU_ASSERT_PTR_EQUAL(l2_next_ready(c), b);
    CU_ASSERT_EQUAL(l2_access(c, a, 9), L2_HIT);
    struct run_stats s = {0};
    l2_stats(c, &s);
    CU_ASSERT_EQUAL(s.l2_accesses, 3);
    CU_ASSERT_EQUAL(s.l2_misses, 1);
    CU_ASSERT_EQUAL(s.l2_merges, 1);
    req_put(pool, a);
    req_put(pool, b);
    teardown();
}

static void a_store_that_misses_goes_through_and_reads_the_line(void)
{
    setup();
    struct mem_req *w = req(REQ_GLOBAL_WRITE, at(0) + 32, 32);
    CU_ASSERT_EQUAL(l2_access(c, w, 1), L2_TAKEN);
    CU_ASSERT_PTR_EQUAL(next_to_dram(), w);
    struct mem_req *fill = next_to_dram();
    CU_ASSERT_PTR_NOT_NULL_FATAL(fill);
    CU_ASSERT_EQUAL(fill->kind, REQ_L2_FILL);
    CU_ASSERT_EQUAL(fill->addr, at(0));
    CU_ASSERT_EQUAL(fill->bytes, 128);
    CU_ASSERT_FALSE(l2_waits_for(c, w)); /* its acknowledgement goes straight to the core */
    CU_ASSERT_TRUE(l2_waits_for(c, fill));
    l2_fill(c, fill);
    CU_ASSERT_PTR_EQUAL(l2_next_ready(c), fill);
    CU_ASSERT_EQUAL(l2_access(c, w, 5), L2_HIT); /* now it hits */
    req_put(pool, fill);
    req_put(pool, w);
    teardown();
}

/* A dirty line is written back when it is replaced: dirty by a store that hits, or an atomic. */
static void check_write_back(enum req_kind kind)
{
    setup();
    bring_in(at(0), 1);
    struct mem_req *w = req(kind, at(0), 32);
    CU_ASSERT_EQUAL(l2_access(c, w, 2), L2_HIT);
    for (unsigned k = 1; k < 16; k++)
        bring_in(at(k), 2 + k);
    struct mem_req *r = req(REQ_GLOBAL_READ, at(16), 128);
    CU_ASSERT_EQUAL(l2_access(c, r, 50), L2_TAKEN);
    CU_ASSERT_PTR_EQUAL(next_to_dram(), r);
    struct mem_req *wb = next_to_dram();
    CU_ASSERT_PTR_NOT_NULL_FATAL(wb);
    CU_ASSERT_EQUAL(wb->kind, REQ_L2_WRITEBACK);
    CU_ASSERT_TRUE(wb->write);
    CU_ASSERT_EQUAL(wb->addr, at(0));
    CU_ASSERT_EQUAL(wb->partition, 0);
    CU_ASSERT_EQUAL(wb->chan_addr, 0);
    l2_fill(c, r);
    free_ready();
    req_put(pool, wb);
    req_put(pool, w);
    teardown();
}

static void a_store_hit_makes_the_line_dirty(void)
{
    check_write_back(REQ_GLOBAL_WRITE);
}

static void an_atomic_hit_makes_the_line_dirty(void)
{
    check_write_back(REQ_ATOMIC);
}

static void an_atomic_that_missed_makes_the_line_dirty(void)
{
    setup();
    struct mem_req *a = req(REQ_ATOMIC, at(0), 32);
    CU_ASSERT_EQUAL(l2_access(c, a, 1), L2_TAKEN);
    next_to_dram();
    l2_fill(c, a);
    free_ready();
    for (unsigned k = 1; k < 16; k++)
        bring_in(at(k), 2 + k);
    struct mem_req *r = req(REQ_GLOBAL_READ, at(16), 128);
    CU_ASSERT_EQUAL(l2_access(c, r, 50), L2_TAKEN);
    next_to_dram();
    struct mem_req *wb = next_to_dram();
    CU_ASSERT_PTR_NOT_NULL_FATAL(wb);
    CU_ASSERT_EQUAL(wb->kind, REQ_L2_WRITEBACK);
    req_put(pool, wb);
    l2_fill(c, r);
    free_ready();
    teardown();
}

static void room_in_the_miss_queue_is_asked_for_beforehand(void)
{
    setup(); /* miss queue 4: reads want 2 places, stores 3 */
    struct mem_req *r[4], *w = req(REQ_GLOBAL_WRITE, at(9), 32);
    for (unsigned k = 0; k < 4; k++)
        r[k] = req(REQ_GLOBAL_READ, at(k), 128);
    CU_ASSERT_EQUAL(l2_access(c, r[0], 1), L2_TAKEN);
    CU_ASSERT_EQUAL(l2_access(c, r[1], 1), L2_TAKEN);
    CU_ASSERT_EQUAL(l2_access(c, w, 1), L2_REFUSED);
    CU_ASSERT_EQUAL(l2_access(c, r[2], 1), L2_TAKEN);
    CU_ASSERT_EQUAL(l2_access(c, r[3], 1), L2_REFUSED);
    CU_ASSERT_PTR_EQUAL(next_to_dram(), r[0]);
    CU_ASSERT_EQUAL(l2_access(c, r[3], 2), L2_TAKEN);
    for (unsigned k = 1; k < 4; k++)
        CU_ASSERT_PTR_EQUAL(next_to_dram(), r[k]);
    for (unsigned k = 0; k < 4; k++)
        l2_fill(c, r[k]);
    free_ready();
    req_put(pool, w);
    teardown();
}

static void merges_are_bounded(void)
{
    setup();
    struct mem_req *r[5];
    for (unsigned k = 0; k < 5; k++)
        r[k] = req(REQ_GLOBAL_READ, at(0), 128);
    for (unsigned k = 0; k < 4; k++)
        CU_ASSERT_EQUAL(l2_access(c, r[k], k), L2_TAKEN);
    CU_ASSERT_EQUAL(l2_access(c, r[4], 5), L2_REFUSED);
    CU_ASSERT_PTR_EQUAL(next_to_dram(), r[0]);
    l2_fill(c, r[0]);
    free_ready();
    CU_ASSERT_EQUAL(l2_access(c, r[4], 6), L2_HIT);
    l2_flush(c);
    CU_ASSERT_EQUAL(l2_access(c, r[4], 7), L2_TAKEN);
    next_to_dram();
    l2_fill(c, r[4]);
    free_ready();
    teardown();
}

/* As if it had been there: a hit, and once it is gone it has to be fetched. A store makes it dirty.
 */
static void a_line_from_before_is_a_hit(void)
{
    setup();
    const struct warm_range range[] = {{at(0), 256, NULL}};
    struct warm *w = warm_new(range, 1, 128, 1.0 / 6);
    l2_warm(c, w);
    struct mem_req *r = req(REQ_GLOBAL_READ, at(0), 128);
    CU_ASSERT_EQUAL(l2_access(c, r, 0), L2_HIT);
    CU_ASSERT_EQUAL(l2_access(c, r, 1), L2_HIT);
    req_put(pool, r);
    struct mem_req *st = req(REQ_GLOBAL_WRITE, at(0) + 128, 32);
    CU_ASSERT_EQUAL(l2_access(c, st, 2), L2_HIT);
    req_put(pool, st);
    l2_flush(c);
    bring_in(at(0), 3);
    bring_in(at(1), 4); /* never was there */
    struct run_stats n = {0};
    l2_stats(c, &n);
    CU_ASSERT_EQUAL(n.l2_misses, 2);
    CU_ASSERT_EQUAL(n.l2_accesses, 5);
    l2_warm(c, NULL);
    warm_free(w);
    teardown();
}

SUITE("mem/l2", T(a_line_from_before_is_a_hit),
      T(a_read_fetches_its_line_and_gets_the_size_it_asked_for),
      T(a_store_that_misses_goes_through_and_reads_the_line), T(a_store_hit_makes_the_line_dirty),
      T(an_atomic_hit_makes_the_line_dirty), T(an_atomic_that_missed_makes_the_line_dirty),
      T(room_in_the_miss_queue_is_asked_for_beforehand), T(merges_are_bounded))
