#include "sim/mem/partition.h"

#include <math.h>

#include "base/rng.h"
#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

/* One clock for all domains here: a core, an L2 and a DRAM cycle in each step, in the GPU's order
 * (replies out, DRAM, L2). */
struct fix {
    struct mem_cfg cfg;
    struct addrmap map;
    struct req_pool *pool;
    struct partition *p;
    cycle_t now;
    bool jump; /* skip what next_event allows */
};

static struct fix *setup(bool l2)
{
    struct fix *f = calloc(1, sizeof *f);
    f->cfg = fix_cfg();
    f->cfg.l2.enabled = l2;
    addrmap_init(&f->map, &f->cfg);
    f->pool = req_pool_new();
    f->p = partition_new(&f->cfg, 0, f->pool);
    return f;
}

static void teardown(struct fix *f)
{
    CU_ASSERT_TRUE(partition_idle(f->p));
    CU_ASSERT_EQUAL(partition_next_event(f->p, f->now), CYCLE_NEVER);
    CU_ASSERT_EQUAL(req_pool_live(f->pool), 0);
    partition_free(f->p);
    req_pool_free(f->pool);
    free(f);
}

static struct mem_req *req(struct fix *f, enum req_kind kind, addr_t a, uint32_t bytes)
{
    struct mem_req *r = fix_req(f->pool, kind, a, bytes);
    addrmap_set(&f->map, r);
    CU_ASSERT_EQUAL_FATAL(r->partition, 0);
    r->stamp[STAGE_CREATED] = r->stamp[STAGE_ICNT_IN] = f->now;
    return r;
}

static void step(struct fix *f)
{
    bool moved = partition_dram_tick(f->p, f->now);
    moved |= partition_l2_tick(f->p, f->now);
    f->now++;
    if (!f->jump || moved)
        return;
    const cycle_t next = partition_next_event(f->p, f->now);
    if (next == CYCLE_NEVER || next <= f->now)
        return;
    partition_skip(f->p, next - f->now);
    f->now = next;
}

/* The cycle in which the reply is there, seen by the network before that cycle's work. */
static cycle_t reply_at(struct fix *f, struct mem_req *r)
{
    for (int i = 0; i < 2000 && !partition_reply_peek(f->p); i++)
        step(f);
    CU_ASSERT_PTR_EQUAL_FATAL(partition_reply_pop(f->p), r);
    CU_ASSERT_TRUE(r->is_reply);
    for (int s = STAGE_PARTITION; s <= STAGE_DRAM_DONE; s++)
        CU_ASSERT_TRUE(r->stamp[s] == CYCLE_NEVER || r->stamp[s - 1] == CYCLE_NEVER ||
                       r->stamp[s - 1] <= r->stamp[s]);
    return f->now;
}

/* L2 off, row open, 128 bytes, by hand, from the push in the L2 part of cycle 0:
 * 120 out of ROP into icnt_to_l2; 121 into l2_to_dram; 122 (DRAM) into the latency queue, ready at
 * 222; 222 pushed into the channel; 223 RD, 226 RD (CCDL); 238 data (CL 12) into the return queue;
 * 239 dram_to_l2, and in the L2 part of 239 on into l2_to_icnt; seen by the network in 240. */
static void an_idle_read_takes_these_cycles(void)
{
    for (int jump = 0; jump < 2; jump++) {
        struct fix *f = setup(false);
        f->jump = jump;
        struct mem_req *r = req(f, REQ_GLOBAL_READ, 0, 128);
        partition_push(f->p, r, f->now);
        CU_ASSERT_EQUAL(reply_at(f, r), 240 + 12); /* the row was closed: RCD */
        req_put(f->pool, r);
        while (!partition_idle(f->p))
            step(f);
        r = req(f, REQ_GLOBAL_READ, 128, 128);
        const cycle_t t0 = f->now;
        partition_push(f->p, r, t0);
        CU_ASSERT_EQUAL(reply_at(f, r), t0 + 240);
        req_put(f->pool, r);
        teardown(f);
    }
}

static void an_l2_hit_takes_these_cycles(void)
{
    struct fix *f = setup(true);
    struct mem_req *r = req(f, REQ_GLOBAL_READ, 0, 128);
    partition_push(f->p, r, f->now);
    reply_at(f, r);
    req_put(f->pool, r);
    r = req(f, REQ_GLOBAL_READ, 0, 128);
    const cycle_t t0 = f->now;
    partition_push(f->p, r, t0); /* ROP 120, looked up in 121, seen in 122 */
    CU_ASSERT_EQUAL(reply_at(f, r), t0 + 122);
    struct run_stats s = {0};
    partition_stats(f->p, &s);
    CU_ASSERT_EQUAL(s.l2_accesses, 2);
    CU_ASSERT_EQUAL(s.l2_misses, 1);
    CU_ASSERT_EQUAL(s.dram_reads, 1);
    CU_ASSERT_EQUAL(s.dram_cycles, f->now);
    partition_flush(f->p);
    r->is_reply = false;
    partition_push(f->p, r, f->now);
    reply_at(f, r);
    s = (struct run_stats){0};
    partition_stats(f->p, &s);
    CU_ASSERT_EQUAL(s.l2_misses, 1);
    req_put(f->pool, r);
    teardown(f);
}

/* The same, and a second hit of another sector's request behind it: one a cycle, 30 cycles later.
 */
static void an_l2_hit_takes_its_latency(void)
{
    for (int jump = 0; jump < 2; jump++) {
        struct fix *f = setup(true);
        f->jump = jump;
        f->cfg.l2.hit_latency = 30;
        struct mem_req *r = req(f, REQ_GLOBAL_READ, 0, 128);
        partition_push(f->p, r, f->now);
        reply_at(f, r);
        req_put(f->pool, r);
        struct mem_req *a = req(f, REQ_GLOBAL_READ, 0, 128);
        struct mem_req *b = req(f, REQ_GLOBAL_READ, 64, 64);
        const cycle_t t0 = f->now;
        partition_push(f->p, a, t0);
        partition_push(f->p, b, t0);
        CU_ASSERT_EQUAL(reply_at(f, a), t0 + 122 + 30);
        CU_ASSERT_FALSE(partition_idle(f->p));
        CU_ASSERT_EQUAL(reply_at(f, b), t0 + 123 + 30);
        req_put(f->pool, a);
        req_put(f->pool, b);
        teardown(f);
    }
}

static void textures_pass_the_rop_by(void)
{
    struct fix *f = setup(true);
    f->cfg.partition.l2_texture_only = true;
    struct mem_req *r = req(f, REQ_TEX_READ, 0, 128);
    partition_push(f->p, r, 0);
    CU_ASSERT_TRUE(reply_at(f, r) < 200);
    req_put(f->pool, r);
    r = req(f, REQ_GLOBAL_READ, 0, 128);
    partition_push(f->p, r, f->now);
    reply_at(f, r);
    req_put(f->pool, r);
    struct run_stats s = {0};
    partition_stats(f->p, &s);
    CU_ASSERT_EQUAL(s.l2_accesses, 1); /* the global read went past */
    CU_ASSERT_EQUAL(s.dram_reads, 2);
    teardown(f);
}

static void a_write_is_acknowledged_and_a_dirty_line_is_not(void)
{
    struct fix *f = setup(false);
    struct mem_req *w = req(f, REQ_GLOBAL_WRITE, 0, 32);
    partition_push(f->p, w, 0);
    partition_push(f->p, req(f, REQ_L1_WRITEBACK, 128, 128), 0);
    reply_at(f, w);
    CU_ASSERT_TRUE(w->write);
    req_put(f->pool, w);
    while (!partition_idle(f->p))
        step(f);
    CU_ASSERT_PTR_NULL(partition_reply_peek(f->p));
    struct run_stats s = {0};
    partition_stats(f->p, &s);
    CU_ASSERT_EQUAL(s.dram_writes, 2);
    CU_ASSERT_EQUAL(s.dram_cmd_wr, 1 + 2);
    teardown(f);
}

/* Nobody takes replies: queues fill up from the end, until the partition refuses; nothing is lost
 * when they are taken again. */
static void a_blocked_network_holds_everything_back(void)
{
    struct fix *f = setup(false);
    int in = 0, out = 0;
    for (int i = 0; i < 5000; i++) {
        if (partition_can_accept(f->p)) {
            partition_push(f->p, req(f, REQ_GLOBAL_READ, (addr_t)in * 6 * 256, 128), f->now);
            in++;
        }
        step(f);
    }
    CU_ASSERT_FALSE(partition_can_accept(f->p));
    CU_ASSERT_TRUE(in > 8 + 16 + 16 + 8 + 8); /* the bounded queues, and the delays in front */
    while (!partition_idle(f->p)) {
        struct mem_req *r = partition_reply_pop(f->p);
        if (r) {
            req_put(f->pool, r);
            out++;
        }
        step(f);
    }
    CU_ASSERT_EQUAL(in, out);
    teardown(f);
}

static void random_traffic_all_comes_back(void)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct fix *f = setup(seed & 1);
        struct rng g = rng_seed(seed);
        uint64_t acks = 0, want = 0;
        static const enum req_kind kinds[] = {REQ_GLOBAL_READ, REQ_GLOBAL_WRITE, REQ_ATOMIC,
                                              REQ_CONST_READ,  REQ_INST_READ,    REQ_L1_WRITEBACK,
                                              REQ_TEX_READ};
        for (int i = 0; i < 20000 || !partition_idle(f->p); i++) {
            if (i < 20000 && partition_can_accept(f->p) && rng_below(&g, 4) == 0) {
                const enum req_kind k = kinds[rng_below(&g, sizeof kinds / sizeof *kinds)];
                const addr_t a = rng_below(&g, 300) * 6 * 256 + rng_below(&g, 2) * 128;
                want += k != REQ_L1_WRITEBACK;
                partition_push(f->p, req(f, k, a, k == REQ_ATOMIC ? 32 : 128), f->now);
            }
            struct mem_req *r = rng_below(&g, 3) ? partition_reply_pop(f->p) : NULL;
            if (r) {
                CU_ASSERT_EQUAL_FATAL(r->bytes, r->kind == REQ_ATOMIC ? 32 : 128);
                req_put(f->pool, r);
                acks++;
            }
            step(f);
        }
        CU_ASSERT_EQUAL(acks, want);
        teardown(f);
    }
}

/* partition_skip over idle time leaves what ticking would have left. */
static void skipping_idle_cycles_changes_nothing(void)
{
    cycle_t end[2];
    struct run_stats s[2] = {0};
    for (int jump = 0; jump < 2; jump++) {
        struct fix *f = setup(false);
        f->jump = jump;
        for (int i = 0; i < 20; i++) {
            struct mem_req *r = req(f, REQ_GLOBAL_READ, (addr_t)i * 6 * 65536, 128);
            partition_push(f->p, r, f->now);
            reply_at(f, r);
            req_put(f->pool, r);
        }
        end[jump] = f->now;
        partition_stats(f->p, &s[jump]);
        teardown(f);
    }
    CU_ASSERT_EQUAL(end[0], end[1]);
    CU_ASSERT_EQUAL(s[0].dram_cycles, s[1].dram_cycles);
    CU_ASSERT_EQUAL(s[0].dram_activates, s[1].dram_activates);
}

/* Cycles in which 4000 words that L2 holds are read, of `kinds` of three channels in turns. */
static cycle_t hits(bool model, int kinds)
{
    struct fix *f = calloc(1, sizeof *f);
    f->cfg = fix_cfg();
    f->cfg.l2.enabled = true;
    if (model)
        f->cfg.model = (struct mem_model){.partitions = 18,
                                          .lead = 1000,
                                          .l2_cycle = 1,
                                          .flit_cycle = 1,
                                          .flit_bytes = 32,
                                          .header_bytes = 8};
    addrmap_init(&f->map, &f->cfg);
    f->pool = req_pool_new();
    f->p = partition_new(&f->cfg, 0, f->pool);
    int pushed = 0, left = 4000;
    for (; left && f->now < 200000; step(f)) {
        if (pushed < 4000 && partition_can_accept(f->p)) {
            struct mem_req *r = req(f, REQ_GLOBAL_READ, (addr_t)(pushed++ % kinds) * 6 * 256, 128);
            r->flits = 1;
            partition_push(f->p, r, f->now);
        }
        for (struct mem_req *r; (r = partition_reply_pop(f->p)); left--)
            req_put(f->pool, r);
    }
    CU_ASSERT_EQUAL(left, 0);
    const cycle_t all = f->now;
    teardown(f);
    return all;
}

/* A read of 128 bytes brings 5 flits back, which take 15 cycles of one channel of three, but for
 * 1000 cycles that it may be ahead. The network would take them all at once here. */
static void one_channel_of_a_model_has_its_share(void)
{
    CU_ASSERT_TRUE(fabs((double)hits(true, 1) / (4000 * 15 - 1000) - 1) < 0.01);
    CU_ASSERT_TRUE(fabs((double)hits(true, 3) / (4000 * 5) - 1) < 0.05);
    CU_ASSERT_TRUE(hits(false, 1) < 4000 + 500);
}

SUITE("mem/partition", T(one_channel_of_a_model_has_its_share), T(an_idle_read_takes_these_cycles),
      T(an_l2_hit_takes_these_cycles), T(an_l2_hit_takes_its_latency), T(textures_pass_the_rop_by),
      T(a_write_is_acknowledged_and_a_dirty_line_is_not),
      T(a_blocked_network_holds_everything_back), T(random_traffic_all_comes_back),
      T(skipping_idle_cycles_changes_nothing))
