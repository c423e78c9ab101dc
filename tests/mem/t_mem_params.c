/* Parameters of caches, partitions and DRAM channels, each changed alone: a count that follows from
 * it by hand, before and after. DRAM timing has a suite of its own (t_dram_timing.c). */
#include "sim/mem/dram_timing.h"
#include "sim/mem/l1_cache.h"
#include "sim/mem/l2.h"
#include "sim/mem/partition.h"
#include "sim/mem/tex_cache.h"
#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

static struct mem_cfg cfg;
static struct addrmap map;
static struct req_pool *pool;

/* ---- A core's cache behind a port that may be closed ---- */
struct cache {
    struct l1_cache *c;
    enum req_kind kind;
    struct mem_req *sent;
    bool closed;
    int line, size;
};

static bool port_push(void *ctx, struct mem_req *r, cycle_t now)
{
    struct cache *k = ctx;
    (void)now;
    if (k->closed)
        return false;
    k->sent = r;
    return true;
}

static struct cache cache_of(const char *name)
{
    const bool data = !strcmp(name, "l1d"), inst = !strcmp(name, "l1i");
    const struct cache_cfg *c = data ? &cfg.l1d : inst ? &cfg.l1i : &cfg.l1c;
    return (struct cache){.kind = data   ? REQ_GLOBAL_READ
                                  : inst ? REQ_INST_READ
                                         : REQ_CONST_READ,
                          .line = c->line,
                          .size = c->size};
}

static void cache_start(struct cache *k, const char *name)
{
    const bool data = !strcmp(name, "l1d"), inst = !strcmp(name, "l1i");
    const struct l1_env env = {.cfg = data   ? &cfg.l1d
                                      : inst ? &cfg.l1i
                                             : &cfg.l1c,
                               .map = &map,
                               .pool = pool,
                               .port = {k, port_push}};
    k->c = l1_new(&env, data ? L1_ROLE_DATA : inst ? L1_ROLE_INST : L1_ROLE_CONST);
}

static enum l1_result load(struct cache *k, addr_t a, cycle_t now)
{
    const struct l1_access x = {.addr = a, .bytes = 32, .kind = (uint8_t)k->kind};
    return l1_access(k->c, &x, now);
}

static void cache_drain(struct cache *k, cycle_t at)
{
    k->closed = false;
    for (;;) {
        k->sent = NULL;
        const bool moved = l1_cycle(k->c, at);
        if (k->sent)
            l1_fill(k->c, k->sent, at);
        struct mem_req *r = l1_next_ready(k->c);
        if (r)
            req_put(pool, r);
        if (!moved && !r)
            break;
    }
}

/* Lines `stride` bytes apart, brought in one by one: how many of the last 256 are still there. */
static long kept(const char *name, addr_t stride)
{
    struct cache k = cache_of(name);
    cache_start(&k, name);
    long hits = 0;
    for (unsigned i = 0; i < 512; i++) {
        load(&k, i * stride, i);
        cache_drain(&k, i);
    }
    for (unsigned i = 512; i-- > 256;)
        hits += load(&k, i * stride, 1000) == L1_HIT;
    cache_drain(&k, 0);
    l1_free(k.c);
    return hits;
}

static long lines_kept(const char *name)
{
    return kept(name, 32); /* counted in pieces of 32 bytes */
}

static long ways_kept(const char *name)
{
    return kept(name, (addr_t)cache_of(name).size);
}

/* Bytes that a miss reads. */
static long bytes_read(const char *name)
{
    struct cache k = cache_of(name);
    cache_start(&k, name);
    load(&k, 0, 0);
    l1_cycle(k.c, 0);
    const long bytes = k.sent->bytes;
    l1_fill(k.c, k.sent, 0);
    cache_drain(&k, 0);
    l1_free(k.c);
    return bytes;
}

/* Loads taken until one is refused; they are `stride` bytes apart. */
static long taken(const char *name, addr_t stride, bool closed)
{
    struct cache k = cache_of(name);
    struct mem_req *sent[300];
    int n = 0;
    long count = 0;
    cache_start(&k, name);
    k.closed = closed;
    while (count < 300 && !l1_refused(load(&k, (addr_t)count * stride, 0))) {
        count++;
        k.sent = NULL;
        l1_cycle(k.c, 0);
        if (k.sent)
            sent[n++] = k.sent;
    }
    for (int i = 0; i < n; i++)
        l1_fill(k.c, sent[i], 0);
    cache_drain(&k, 0);
    l1_free(k.c);
    return count;
}

static long misses_taken(const char *name)
{
    return taken(name, (addr_t)cache_of(name).line, false);
}

static long merges_taken(const char *name)
{
    return taken(name, 0, false);
}

static long misses_taken_unsent(const char *name)
{
    return taken(name, (addr_t)cache_of(name).line, true);
}

/* ---- The L2 ---- */
static struct l2 *l2;

static enum l2_result l2_load(addr_t a, cycle_t now)
{
    struct mem_req *r = fix_req(pool, REQ_GLOBAL_READ, a, 32);
    addrmap_set(&map, r);
    const enum l2_result t = l2_access(l2, r, now);
    if (t != L2_TAKEN)
        req_put(pool, r);
    return t;
}

static void l2_drain(void)
{
    for (struct mem_req *r; (r = l2_to_dram(l2));) {
        l2_to_dram_pop(l2);
        l2_fill(l2, r);
    }
    for (struct mem_req *r; (r = l2_next_ready(l2));)
        req_put(pool, r);
}

/* Addresses of partition 0 whose channel addresses are `stride` apart (a multiple of 256). */
static addr_t in_partition(unsigned i, unsigned stride)
{
    const addr_t inside = (addr_t)i * stride;
    return inside / 256 * 256 * 6 + inside % 256;
}

static long l2_kept(unsigned stride)
{
    long hits = 0;
    l2 = l2_new(&cfg.l2, &map, pool);
    for (unsigned i = 0; i < 4096; i++) {
        l2_load(in_partition(i, stride), i);
        l2_drain();
    }
    for (unsigned i = 4096; i-- > 1024;)
        hits += l2_load(in_partition(i, stride), 10000) == L2_HIT ? 1 : (l2_drain(), 0);
    l2_free(l2);
    return hits;
}

static long l2_lines_kept(const char *name)
{
    (void)name;
    return l2_kept(128);
}

static long l2_ways_kept(const char *name)
{
    (void)name;
    return l2_kept((unsigned)cfg.l2.size);
}

static long l2_bytes_read(const char *name)
{
    (void)name;
    l2 = l2_new(&cfg.l2, &map, pool);
    l2_load(0, 0);
    const long bytes = l2_to_dram(l2)->bytes;
    l2_drain();
    l2_free(l2);
    return bytes;
}

static long l2_taken(unsigned stride, bool closed)
{
    struct mem_req *sent[300];
    int n = 0;
    long count = 0;
    l2 = l2_new(&cfg.l2, &map, pool);
    while (count < 300 && l2_load(in_partition((unsigned)count, stride), 0) == L2_TAKEN) {
        count++;
        if (!closed && l2_to_dram(l2)) {
            sent[n++] = l2_to_dram(l2);
            l2_to_dram_pop(l2);
        }
    }
    for (int i = 0; i < n; i++)
        l2_fill(l2, sent[i]);
    l2_drain();
    l2_free(l2);
    return count;
}

static long l2_misses_taken(const char *name)
{
    (void)name;
    return l2_taken(256, false);
}

static long l2_merges_taken(const char *name)
{
    (void)name;
    return l2_taken(0, false);
}

static long l2_misses_taken_unsent(const char *name)
{
    (void)name;
    return l2_taken(256, true);
}

/* ---- A partition; one clock for all its parts ---- */
static struct partition *part;
static cycle_t now;

static void part_start(void)
{
    part = partition_new(&cfg, 0, pool);
    now = 0;
}

static void part_step(void)
{
    partition_dram_tick(part, now);
    partition_l2_tick(part, now);
    now++;
}

static void part_push_kind(enum req_kind kind, addr_t a, uint32_t bytes)
{
    struct mem_req *r = fix_req(pool, kind, a, bytes);
    addrmap_set(&map, r);
    partition_push(part, r, now);
}

static void part_push(addr_t a, uint32_t bytes)
{
    part_push_kind(REQ_GLOBAL_READ, a, bytes);
}

static void part_drain(void)
{
    while (!partition_idle(part)) {
        struct mem_req *r = partition_reply_pop(part);
        if (r)
            req_put(pool, r);
        part_step();
    }
}

static void part_end(void)
{
    part_drain();
    partition_free(part);
}

/* Reads that go in while no reply comes out. */
static long held(const char *name)
{
    (void)name;
    long in = 0;
    part_start();
    for (int i = 0; i < 4000; i++) {
        if (partition_can_accept(part)) {
            part_push((addr_t)(in % 8) * 6 * 256, 128);
            in++;
        }
        part_step();
    }
    part_end();
    return in;
}

/* Cycles of the second of two reads, one after the other. */
static long second_read(addr_t first, addr_t second)
{
    const addr_t a[] = {first, second};
    cycle_t start = 0;
    part_start();
    for (int k = 0; k < 2; k++) {
        start = now;
        part_push(a[k], 128);
        while (!partition_reply_peek(part))
            part_step();
        req_put(pool, partition_reply_pop(part));
    }
    const long cycles = (long)(now - start);
    part_end();
    return cycles;
}

static long open_row_cycles(const char *name)
{
    (void)name;
    return second_read(0, 128);
}

static long hit_cycles(const char *name) /* the L2 answers */
{
    (void)name;
    return second_read(0, 0);
}

/* Cycles of a read of a bank that an atomic went to before it. */
static long behind_an_atomic(const char *name)
{
    (void)name;
    part_start();
    part_push_kind(REQ_ATOMIC, 0, 32);
    part_push(128, 128);
    for (int replies = 0; replies < 2; now += replies < 2 ? 0 : 1) {
        struct mem_req *r = partition_reply_pop(part);
        replies += r != NULL;
        if (r)
            req_put(pool, r);
        else
            part_step();
    }
    const long cycles = (long)now - 1;
    part_end();
    return cycles;
}

/* Column commands that write behind an atomic of 128 bytes. */
static long atomic_columns(const char *name)
{
    struct run_stats s = {0};
    (void)name;
    part_start();
    part_push_kind(REQ_ATOMIC, 0, 128);
    part_drain();
    partition_stats(part, &s);
    part_end();
    CU_ASSERT_EQUAL(s.dram_writes, s.dram_cmd_wr / 2);
    return (long)s.dram_cmd_wr;
}

/* Bytes that a miss of the texture cache reads. */
static long texture_bytes(const char *name)
{
    struct cache k = {.line = cfg.l1t.line};
    const struct tex_env env = {
        .cfg = &cfg.l1t, .map = &map, .pool = pool, .port = {&k, port_push}};
    struct tex_cache *t = tex_new(&env);
    (void)name;
    tex_access(t, 0, 0, 0, 0);
    for (cycle_t at = 1; !k.sent; at++)
        tex_cycle(t, at);
    const long bytes = k.sent->bytes;
    tex_fill(t, k.sent);
    for (cycle_t at = 10; !tex_ready(t); at++)
        tex_cycle(t, at);
    tex_take(t);
    CU_ASSERT_FALSE(tex_busy(t));
    tex_free(t);
    return bytes;
}

/* Column commands of a line of 128 bytes. */
static long columns(const char *name)
{
    struct run_stats s = {0};
    (void)name;
    part_start();
    part_push(0, 128);
    while (!partition_reply_peek(part))
        part_step();
    partition_stats(part, &s);
    part_end();
    return (long)s.dram_cmd_rd;
}

/* ---- Addresses ---- */
static long banks_of_8k(const char *name) /* banks in which 8 KB of a partition lie */
{
    uint64_t seen = 0;
    (void)name;
    for (unsigned i = 0; i < 32; i++) {
        struct mem_req r = {.addr = in_partition(i, 256)};
        addrmap_set(&map, &r);
        seen |= 1ull << r.bank;
    }
    return __builtin_popcountll(seen);
}

static long partitions_of_64k(const char *name)
{
    uint64_t seen = 0;
    (void)name;
    for (addr_t a = 0; a < 65536; a += 128)
        seen |= 1ull << addrmap_partition(&map, a);
    return __builtin_popcountll(seen);
}

static long bytes_in_a_row(const char *name) /* of the first partition, from address 0 */
{
    addr_t a = 0;
    (void)name;
    while (addrmap_partition(&map, a) == 0)
        a += 32;
    return (long)a;
}

static long rows_of_4m(const char *name) /* different rows in 4 MB of a partition */
{
    static bool seen[1 << 14];
    long rows = 0;
    (void)name;
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < 4u << 20; i += 256) {
        struct mem_req r = {.addr = in_partition(i / 256, 256)};
        addrmap_set(&map, &r);
        rows += !seen[r.row];
        seen[r.row] = true;
    }
    return rows;
}

/* From a write to the next read: WL + BL / rate + CDLR. */
static long write_to_read(const char *name)
{
    struct dram_timing t;
    (void)name;
    dram_timing_init(&t, &cfg.dram);
    dram_issue(&t, DRAM_WR, 0, 100);
    return (long)dram_earliest(&t, DRAM_RD, 9) - 100;
}

static const struct row {
    const char *base, *set;
    long (*count)(const char *cache);
    const char *cache;
    long before, after;
} rows[] = {
    /* in pieces of 32 bytes */
    {"l1d.ways=1 l1d.size=4096", "l1d.size=2048", lines_kept, "l1d", 128, 64},
    {"", "l1d.ways=2", ways_kept, "l1d", 4, 2},
    {"", "l1d.line=64", bytes_read, "l1d", 128, 64},
    {"", "l1d.mshrs=5", misses_taken, "l1d", 32, 5},
    {"", "l1d.merges=3", merges_taken, "l1d", 8, 3},
    {"", "l1d.miss_queue=5", misses_taken_unsent, "l1d", 8 - 1, 5 - 1}, /* wants two places */
    {"", "l1i.size=4096", lines_kept, "l1i", 2048 / 32, 4096 / 32},
    {"", "l1i.ways=2", ways_kept, "l1i", 4, 2},
    {"", "l1i.line=64", bytes_read, "l1i", 128, 64},
    {"", "l1i.mshrs=3", misses_taken, "l1i", 2, 3},
    {"", "l1i.merges=5", merges_taken, "l1i", 32, 5},
    {"l1i.mshrs=9", "l1i.miss_queue=6", misses_taken_unsent, "l1i", 4, 6},
    {"", "l1c.size=4096", lines_kept, "l1c", 8192 / 32, 4096 / 32},
    {"", "l1c.ways=8", ways_kept, "l1c", 2, 8},
    {"", "l1c.line=128", bytes_read, "l1c", 64, 128},
    {"", "l1c.mshrs=3", misses_taken, "l1c", 2, 3},
    {"", "l1c.merges=5", merges_taken, "l1c", 32, 5},
    {"l1c.mshrs=9", "l1c.miss_queue=6", misses_taken_unsent, "l1c", 4, 6},
    {"", "l2.size=65536", l2_lines_kept, "", 131072 / 128, 65536 / 128},
    {"", "l2.ways=8", l2_ways_kept, "", 16, 8},
    {"", "l2.line=256", l2_bytes_read, "", 128, 256},
    {"", "l2.mshrs=5", l2_misses_taken, "", 32, 5},
    {"", "l2.merges=3", l2_merges_taken, "", 4, 3},
    {"", "l2.miss_queue=7", l2_misses_taken_unsent, "", 4 - 1, 7 - 1}, /* wants two places */
    {"l2.enabled=true", "l2.hit_latency=30", hit_cycles, "", 122, 152},
    {"", "partition.atomic_writes=false", atomic_columns, "", 2, 0},
    {"l2.enabled=true", "partition.l2_texture_only=true", atomic_columns, "", 0, 2},
    /* a closed row: 240 + RCD 12, one column (CCDL = 3) behind the atomic's; with the write, RTW 12
     * and WTR 11 lie between the two instead of CCDL */
    {"", "partition.atomic_writes=false", behind_an_atomic, "", 240 + 12 + 3 + 20, 240 + 12 + 3},
    {"", "l1t.line=64", texture_bytes, "", 128, 64},
    {"", "partition.rop_latency=150", open_row_cycles, "", 240, 270},
    {"", "dram.latency=130", open_row_cycles, "", 240, 270},
    {"", "dram.tCL=15", open_row_cycles, "", 240, 243},
    {"", "dram.tCCDL=6", open_row_cycles, "", 240, 243}, /* its two columns */
    {"", "dram.bus_bytes=8", columns, "", 2, 1},         /* 8 beats of 8 x 2 bytes */
    {"", "dram.chips=1", columns, "", 2, 4},
    {"", "dram.burst=16", columns, "", 2, 1},
    {"", "dram.bank_bit=8", banks_of_8k, "", 2, 16},
    {"", "dram.row_bit=20", rows_of_4m, "", 64, 4}, /* 64 KB apart, then 1 MB */
    {"", "dram.row_bits=4", rows_of_4m, "", 64, 16},
    {"", "partition.count=8", partitions_of_64k, "", 6, 8},
    {"", "partition.interleave=512", bytes_in_a_row, "", 256, 512},
    {"", "dram.tWL=6", write_to_read, "", 4 + 2 + 5, 6 + 2 + 5},
    {"", "dram.tCDLR=9", write_to_read, "", 4 + 2 + 5, 4 + 2 + 9},
    {"", "dram.data_rate=2", write_to_read, "", 4 + 2 + 5, 4 + 4 + 5},
};

static long measure(const struct row *r, bool after)
{
    char text[256], *save = NULL;
    struct err e = {""};
    params_default(mem_cfg_groups, &cfg);
    snprintf(text, sizeof text, "%s %s", r->base, after ? r->set : "");
    for (char *p = strtok_r(text, " ", &save); p; p = strtok_r(NULL, " ", &save))
        CU_ASSERT_TRUE_FATAL(params_set(mem_cfg_groups, &cfg, p, &e));
    CU_ASSERT_TRUE(mem_cfg_check(&cfg, &e));
    addrmap_init(&map, &cfg);
    pool = req_pool_new();
    const long n = r->count(r->cache);
    CU_ASSERT_EQUAL(req_pool_live(pool), 0);
    req_pool_free(pool);
    return n;
}

static void each_parameter_counts_what_it_says(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const long before = measure(&rows[i], false), after = measure(&rows[i], true);
        if (before != rows[i].before || after != rows[i].after)
            fprintf(stderr, "  %s: %ld, then %ld\n", rows[i].set, before, after);
        CU_ASSERT_EQUAL(before, rows[i].before);
        CU_ASSERT_EQUAL(after, rows[i].after);
    }
}

/* Without the two delays, which have no bound, what goes in is what all queues hold: three places
 * more in any hold three reads more. */
static void each_queue_holds_three_more_when_it_is_three_longer(void)
{
    static const char *const longer[] = {"partition.icnt_to_l2=11", "partition.l2_to_dram=11",
                                         "partition.dram_to_l2=11", "partition.l2_to_icnt=11",
                                         "dram.queue=19",           "dram.return_queue=19"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        const struct row r = {"partition.rop_latency=0 dram.latency=0", longer[i], held, "", 0, 0};
        const long before = measure(&r, false), after = measure(&r, true);
        if (after - before != 3)
            fprintf(stderr, "  %s: %ld, then %ld\n", longer[i], before, after);
        CU_ASSERT_EQUAL(after - before, 3);
    }
}

SUITE("mem parameters", T(each_parameter_counts_what_it_says),
      T(each_queue_holds_three_more_when_it_is_three_longer))
