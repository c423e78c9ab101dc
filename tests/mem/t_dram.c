#include "sim/mem/dram.h"

#include "base/rng.h"
#include "tests/mem/mem_fix.h"
#include "tests/suite.h"

#include <string.h>

#define TRACE_MAX 60000

struct issued {
    enum dram_cmd cmd;
    int bank;
    uint32_t row;
    cycle_t at;
};

struct chan {
    struct mem_cfg cfg;
    struct req_pool *pool;
    struct dram *d;
    cycle_t now;
    struct issued cmd[TRACE_MAX];
    int n;
};

static void record(void *user, enum dram_cmd cmd, int bank, uint32_t row, cycle_t now)
{
    struct chan *c = user;
    if (c->n < TRACE_MAX)
        c->cmd[c->n++] = (struct issued){cmd, bank, row, now};
}

static struct chan *setup_for(const struct mem_cfg *cfg, int channels)
{
    struct chan *c = calloc(1, sizeof *c);
    c->cfg = *cfg;
    c->pool = req_pool_new();
    c->d = dram_new(&c->cfg.dram, channels, 1000, c->pool);
    dram_trace(c->d, record, c);
    return c;
}

static struct chan *setup(const struct mem_cfg *cfg)
{
    return setup_for(cfg, 1);
}

static void teardown(struct chan *c)
{
    for (struct mem_req *r; (r = dram_return_pop(c->d));)
        req_put(c->pool, r);
    CU_ASSERT_TRUE(dram_idle(c->d));
    CU_ASSERT_EQUAL(req_pool_live(c->pool), 0);
    dram_free(c->d);
    req_pool_free(c->pool);
    free(c);
}

static struct mem_req *push(struct chan *c, enum req_kind kind, uint16_t bank, uint32_t row,
                            uint32_t bytes)
{
    struct mem_req *r = fix_req(c->pool, kind, 0, bytes);
    r->bank = bank;
    r->row = row;
    dram_push(c->d, r, c->now, c->now);
    return r;
}

/* Ticks until something is served; returns the cycle. The stamps tick along with DRAM here. */
static cycle_t served(struct chan *c)
{
    for (int i = 0; i < 1000 && !dram_return_peek(c->d); i++) {
        c->now++;
        dram_tick(c->d, c->now, c->now);
    }
    struct mem_req *r = dram_return_pop(c->d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r);
    CU_ASSERT_TRUE(r->stamp[STAGE_DRAM_DONE] <= c->now);
    req_put(c->pool, r);
    return c->now;
}

/* Pushed at 0; scheduled and ACT at 1; RD at 1 + RCD 12, and CCDL 3 later; data CL 12 after it. */
static void a_read_of_a_closed_row_takes_these_cycles(void)
{
    const struct mem_cfg cfg = fix_cfg();
    struct chan *c = setup(&cfg);
    push(c, REQ_GLOBAL_READ, 0, 5, 128);
    CU_ASSERT_EQUAL(served(c), 1 + 12 + 3 + 12);
    CU_ASSERT_EQUAL(c->n, 3);
    CU_ASSERT_EQUAL(c->cmd[0].cmd, DRAM_ACT);
    CU_ASSERT_EQUAL(c->cmd[0].at, 1);
    CU_ASSERT_EQUAL(c->cmd[1].cmd, DRAM_RD);
    CU_ASSERT_EQUAL(c->cmd[1].at, 13);
    CU_ASSERT_EQUAL(c->cmd[2].cmd, DRAM_RD);
    CU_ASSERT_EQUAL(c->cmd[2].at, 16);
    /* the row is open now: CCDL between the columns, CL */
    c->now = 100;
    push(c, REQ_GLOBAL_READ, 0, 5, 128);
    CU_ASSERT_EQUAL(served(c), 101 + 3 + 12);
    /* 64 bytes: one command */
    c->now = 200;
    push(c, REQ_GLOBAL_READ, 0, 5, 64);
    CU_ASSERT_EQUAL(served(c), 201 + 12);
    /* another row: PRE, RP 12, ACT, RCD 12, RD */
    c->now = 300;
    push(c, REQ_GLOBAL_READ, 0, 6, 64);
    CU_ASSERT_EQUAL(served(c), 301 + 12 + 12 + 12);
    struct run_stats s = {0};
    dram_stats(c->d, &s);
    CU_ASSERT_EQUAL(s.dram_reads, 4);
    CU_ASSERT_EQUAL(s.dram_cmd_rd, 6);
    CU_ASSERT_EQUAL(s.dram_activates, 2);
    CU_ASSERT_EQUAL(s.dram_row_hits, 2);
    CU_ASSERT_EQUAL(s.dram_bus_cycles, 12);
    teardown(c);
}

/* ACT at 1, WR at 1 + RCDWR 7, data WL 4 after it; the read then waits for WTR 11. */
static void a_write_comes_back_when_its_data_is_on_the_bus(void)
{
    const struct mem_cfg cfg = fix_cfg();
    struct chan *c = setup(&cfg);
    push(c, REQ_GLOBAL_WRITE, 0, 0, 32);
    CU_ASSERT_EQUAL(served(c), 1 + 7 + 4);
    push(c, REQ_GLOBAL_READ, 0, 0, 32);
    CU_ASSERT_EQUAL(served(c), 8 + 11 + 12);
    struct run_stats s = {0};
    dram_stats(c->d, &s);
    CU_ASSERT_EQUAL(s.dram_writes, 1);
    CU_ASSERT_EQUAL(s.dram_cmd_wr, 1);
    teardown(c);
}

static void requests_are_counted_by_kind(void)
{
    static const enum req_kind kinds[] = {REQ_GLOBAL_READ,  REQ_LOCAL_READ,  REQ_ATOMIC,
                                          REQ_L2_FILL,      REQ_CONST_READ,  REQ_INST_READ,
                                          REQ_GLOBAL_WRITE, REQ_LOCAL_WRITE, REQ_L1_WRITEBACK};
    const struct mem_cfg cfg = fix_cfg();
    struct chan *c = setup(&cfg);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        push(c, kinds[i], (uint16_t)i, 0, 32);
    for (int i = 0; i < 8; i++) /* the dirty line does not come back */
        served(c);
    while (!dram_idle(c->d)) {
        c->now++;
        dram_tick(c->d, c->now, c->now);
    }
    struct run_stats s = {0};
    dram_stats(c->d, &s);
    CU_ASSERT_EQUAL(s.dram_reads, 4);
    CU_ASSERT_EQUAL(s.dram_const_reads, 1);
    CU_ASSERT_EQUAL(s.dram_inst_reads, 1);
    CU_ASSERT_EQUAL(s.dram_writes, 3);
    teardown(c);
}

/* Two banks of different groups, open rows: a column command every CCD 2 cycles, so 64 bytes every
 * two cycles; one bank alone: every CCDL 3. */
static void a_stream_reaches_the_bandwidth_of_its_columns(void)
{
    static const struct {
        int banks, cycles_a_column;
    } cases[] = {{1, 3}, {2, 2}};
    for (size_t k = 0; k < 2; k++) {
        const struct mem_cfg cfg = fix_cfg();
        struct chan *c = setup(&cfg);
        int pushed = 0, back = 0;
        while (back < 400) {
            if (pushed < 400 && !dram_full(c->d)) {
                push(c, REQ_GLOBAL_READ, (uint16_t)(pushed % cases[k].banks * 8), 3, 128);
                pushed++;
            }
            c->now++;
            dram_tick(c->d, c->now, c->now);
            struct mem_req *r = dram_return_pop(c->d);
            if (r) {
                req_put(c->pool, r);
                back++;
            }
        }
        const cycle_t columns = 2 * 400 * (cycle_t)cases[k].cycles_a_column;
        CU_ASSERT_TRUE(c->now >= columns && c->now < columns + 50);
        teardown(c);
    }
}

static void a_full_return_queue_stops_the_channel(void)
{
    struct mem_cfg cfg = fix_cfg();
    cfg.dram.return_queue = 2;
    struct chan *c = setup(&cfg);
    for (int i = 0; i < 16; i++)
        push(c, REQ_GLOBAL_READ, (uint16_t)i, 0, 64);
    for (int i = 0; i < 500; i++) {
        c->now++;
        dram_tick(c->d, c->now, c->now);
    }
    struct run_stats s = {0};
    dram_stats(c->d, &s);
    /* two came back; the bus holds no more than CL + 1 */
    CU_ASSERT_TRUE(s.dram_cmd_rd >= 4 && s.dram_cmd_rd <= 2 + 13);
    for (int i = 0; i < 16; i++)
        served(c);
    teardown(c);
}

/* The rules once more, pair by pair, from the list of commands alone: no stamps, no shared code. */
static void check_commands(const struct chan *c)
{
    const struct dram_cfg *d = &c->cfg.dram;
    const int burst = d->burst / d->data_rate, group = d->banks / d->bank_groups;
    bool open[DRAM_BANKS_MAX] = {false};
    uint32_t row[DRAM_BANKS_MAX] = {0};
    for (int i = 0; i < c->n; i++) {
        const struct issued *b = &c->cmd[i];
        const bool col_b = b->cmd == DRAM_RD || b->cmd == DRAM_WR;
        if (b->cmd == DRAM_ACT) {
            CU_ASSERT_FALSE_FATAL(open[b->bank]);
            open[b->bank] = true;
            row[b->bank] = b->row;
        } else {
            CU_ASSERT_TRUE_FATAL(open[b->bank]);
            CU_ASSERT_EQUAL_FATAL(row[b->bank], b->row);
            open[b->bank] = b->cmd != DRAM_PRE;
        }
        for (int j = i - 1; j >= 0 && b->at - c->cmd[j].at < 300; j--) {
            const struct issued *a = &c->cmd[j];
            const bool col_a = a->cmd == DRAM_RD || a->cmd == DRAM_WR, bank = a->bank == b->bank;
            const bool grp = a->bank / group == b->bank / group;
            int need = 1; /* one command a cycle */
#define RULE(applies, cycles) need = (applies) && (cycles) > need ? (cycles) : need
            RULE(col_a && col_b, d->tCCD);
            RULE(col_a && col_b && grp, d->tCCDL);
            RULE(a->cmd == DRAM_RD && b->cmd == DRAM_WR, d->tCL + burst + 2 - d->tWL);
            RULE(a->cmd == DRAM_WR && b->cmd == DRAM_RD, d->tWL + burst + d->tCDLR);
            RULE(a->cmd == DRAM_ACT && b->cmd == DRAM_ACT, bank ? d->tRC : d->tRRD);
            RULE(a->cmd == DRAM_ACT && b->cmd == DRAM_RD && bank, d->tRCD);
            RULE(a->cmd == DRAM_ACT && b->cmd == DRAM_WR && bank, d->tRCD - d->tWL - 1);
            RULE(a->cmd == DRAM_ACT && b->cmd == DRAM_PRE && bank, d->tRAS);
            RULE(a->cmd == DRAM_PRE && b->cmd == DRAM_ACT && bank, d->tRP);
            RULE(a->cmd == DRAM_RD && b->cmd == DRAM_PRE && bank, burst);
            RULE(a->cmd == DRAM_RD && b->cmd == DRAM_PRE && grp, d->tRTPL);
            RULE(a->cmd == DRAM_WR && b->cmd == DRAM_PRE && bank, d->tWL + burst + d->tWR);
#undef RULE
            CU_ASSERT_TRUE_FATAL(b->at >= a->at + (cycle_t)need);
        }
    }
}

static struct mem_cfg random_cfg(uint64_t seed)
{
    struct mem_cfg cfg = fix_cfg();
    if (seed == 0)
        return cfg;
    struct rng r = rng_seed(seed);
    struct dram_cfg *d = &cfg.dram;
    d->tCCD = (int)rng_between(&r, 1, 6);
    d->tCCDL = (int)rng_between(&r, 0, 8);
    d->tRRD = (int)rng_between(&r, 1, 12);
    d->tWL = (int)rng_between(&r, 1, 10);
    d->tRCD = d->tWL + (int)rng_between(&r, 1, 20);
    d->tRAS = (int)rng_between(&r, 1, 50);
    d->tRP = (int)rng_between(&r, 1, 20);
    d->tRC = (int)rng_between(&r, 1, 80);
    d->tCL = (int)rng_between(&r, d->tWL, 24);
    d->tCDLR = (int)rng_between(&r, 1, 12);
    d->tWR = (int)rng_between(&r, 1, 20);
    d->tRTPL = (int)rng_between(&r, 0, 9);
    d->banks = 1 << rng_between(&r, 0, 6);
    d->bank_groups = 1 << rng_between(&r, 0, d->banks >= 16 ? 4 : 0);
    d->bank_bit = 6;
    d->row_bits = 8;
    d->queue = (int)rng_between(&r, 1, 40);
    d->return_queue = (int)rng_between(&r, 1, 20);
    strcpy(d->scheduler, rng_below(&r, 2) ? "frfcfs" : "fcfs");
    struct err e;
    CU_ASSERT_TRUE_FATAL(mem_cfg_check(&cfg, &e));
    return cfg;
}

/* Bursts of random requests, with pauses and a consumer that sometimes stops. skip: leave out the
 * ticks that dram_wake calls idle. */
static void random_stream(struct chan *c, uint64_t seed, bool skip)
{
    struct rng r = rng_seed(seed);
    struct mem_req *got;
    for (int i = 0; i < 20000 || !dram_idle(c->d); i++) {
        const uint64_t phase = (uint64_t)i / 500 % 4; /* flood, trickle, stopped consumer, flood */
        const bool want = i < 20000 && rng_below(&r, 100) < (phase == 1 ? 3u : 60u);
        const uint16_t bank = (uint16_t)rng_below(&r, (uint64_t)c->cfg.dram.banks);
        const uint32_t row = (uint32_t)rng_below(&r, 3), bytes = 32u << rng_below(&r, 3);
        const bool write = rng_below(&r, 3) == 0;
        c->now++;
        if (phase != 2 && (got = dram_return_pop(c->d))) {
            CU_ASSERT_TRUE(got->stamp[STAGE_DRAM_QUEUE] < got->stamp[STAGE_DRAM_DONE]);
            req_put(c->pool, got);
        }
        if (!skip || c->now >= dram_wake(c->d))
            dram_tick(c->d, c->now, c->now);
        if (want && !dram_full(c->d))
            push(c, write ? REQ_GLOBAL_WRITE : REQ_GLOBAL_READ, bank, row, bytes);
    }
}

static void random_commands_break_no_rule(void)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        const struct mem_cfg cfg = random_cfg(seed);
        struct chan *c = setup(&cfg);
        random_stream(c, seed + 100, true);
        CU_ASSERT_TRUE(c->n > 100);
        check_commands(c);
        teardown(c);
    }
}

static void left_out_ticks_change_nothing(void)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        const struct mem_cfg cfg = random_cfg(seed);
        struct chan *a = setup(&cfg), *b = setup(&cfg);
        random_stream(a, seed, true);
        random_stream(b, seed, false);
        CU_ASSERT_EQUAL(a->now, b->now);
        CU_ASSERT_EQUAL_FATAL(a->n, b->n);
        for (int i = 0; i < a->n; i++)
            CU_ASSERT_TRUE_FATAL(a->cmd[i].cmd == b->cmd[i].cmd && a->cmd[i].at == b->cmd[i].at &&
                                 a->cmd[i].bank == b->cmd[i].bank);
        teardown(a);
        teardown(b);
    }
}

/* Requests of two rows arrive alternately: FR-FCFS opens each row once, FCFS every time. */
static void frfcfs_opens_fewer_rows_than_fcfs(void)
{
    static const struct {
        const char *name;
        uint64_t activates, hits;
    } cases[] = {{"frfcfs", 2, 8}, {"fcfs", 10, 0}};
    for (size_t k = 0; k < 2; k++) {
        struct mem_cfg cfg = fix_cfg();
        strcpy(cfg.dram.scheduler, cases[k].name);
        struct chan *c = setup(&cfg);
        for (uint32_t i = 0; i < 10; i++)
            push(c, REQ_GLOBAL_READ, 0, i % 2, 128);
        for (int i = 0; i < 10; i++)
            served(c);
        struct run_stats s = {0};
        dram_stats(c->d, &s);
        CU_ASSERT_EQUAL(s.dram_activates, cases[k].activates);
        CU_ASSERT_EQUAL(s.dram_row_hits, cases[k].hits);
        teardown(c);
    }
}

/* DRAM cycles in which 6000 reads are served, of `kinds` channels in turns; the queue is kept full.
 * apart: each of another row of the bank. */
static cycle_t served_all(const char *scheduler, int channels, int kinds, bool apart)
{
    struct mem_cfg cfg = fix_cfg();
    params_set(mem_cfg_groups, &cfg, scheduler, NULL);
    struct chan *c = setup_for(&cfg, channels);
    int pushed = 0, left = 6000;
    while (left && c->now < 2000000) {
        c->now++;
        dram_tick(c->d, c->now, c->now);
        for (struct mem_req *r; (r = dram_return_pop(c->d)); left--)
            req_put(c->pool, r);
        if (pushed == 6000 || dram_full(c->d))
            continue;
        push(c, REQ_GLOBAL_READ, 3, apart ? (uint32_t)(pushed % 1000) : 7, 64)->channel =
            (uint16_t)(pushed % kinds);
        pushed++;
    }
    CU_ASSERT_EQUAL(left, 0);
    const cycle_t all = c->now;
    teardown(c);
    return all;
}

static bool near(cycle_t a, double b)
{
    return (double)a > 0.97 * b && (double)a < 1.03 * b;
}

/* A channel that stands for three serves what comes to all of them as its own, and what comes to
 * one of them a third as fast: a column of the same bank takes 3 cycles, another row 40. */
static void one_channel_of_a_model_has_its_share(void)
{
    static const char *const policies[] = {"dram.scheduler=frfcfs", "dram.scheduler=fcfs"};
    for (int p = 0; p < 2; p++)
        for (int apart = 0; apart < 2; apart++) {
            const double own = 6000.0 * (apart ? 40 : 3);
            CU_ASSERT_TRUE(near(served_all(policies[p], 1, 1, apart), own));
            CU_ASSERT_TRUE(near(served_all(policies[p], 3, 1, apart), 3 * own));
            CU_ASSERT_EQUAL(served_all(policies[p], 3, 3, apart),
                            served_all(policies[p], 1, 3, apart));
        }
}

/* Reads of an open row that never end, and a write of another bank's: how many reads are served
 * before it; all of `reads` if it never is. */
static int reads_before_a_write(int most, int reads)
{
    struct mem_cfg cfg = fix_cfg();
    cfg.dram.most_columns = most;
    struct chan *c = setup(&cfg);
    push(c, REQ_GLOBAL_WRITE, 1, 0, 64);
    served(c);
    for (int i = 0; i < 4; i++)
        push(c, REQ_GLOBAL_READ, 0, 0, 64);
    served(c); /* the row is open */
    push(c, REQ_GLOBAL_READ, 0, 0, 64);
    const struct mem_req *w = push(c, REQ_GLOBAL_WRITE, 1, 0, 64);
    int n = 0;
    for (; n < reads; n++) {
        while (!dram_return_peek(c->d)) {
            c->now++;
            dram_tick(c->d, c->now, c->now);
        }
        struct mem_req *r = dram_return_pop(c->d);
        const bool is_write = r == w;
        req_put(c->pool, r);
        if (is_write)
            break;
        push(c, REQ_GLOBAL_READ, 0, 0, 64);
    }
    while (!dram_idle(c->d)) {
        c->now++;
        dram_tick(c->d, c->now, c->now);
        for (struct mem_req *r; (r = dram_return_pop(c->d));)
            req_put(c->pool, r);
    }
    teardown(c);
    return n;
}

/* The bus turns for it when so many have passed; some are on their way then. */
static void reads_without_end_let_a_write_pass(void)
{
    CU_ASSERT_EQUAL(reads_before_a_write(0, 2000), 2000);
    const int eight = reads_before_a_write(8, 2000), hundred = reads_before_a_write(100, 2000);
    CU_ASSERT_TRUE(eight >= 8 && eight <= 8 + 5);
    CU_ASSERT_EQUAL(hundred, eight + 92);
}

SUITE("mem/dram", T(reads_without_end_let_a_write_pass), T(one_channel_of_a_model_has_its_share),
      T(a_read_of_a_closed_row_takes_these_cycles),
      T(a_write_comes_back_when_its_data_is_on_the_bus), T(requests_are_counted_by_kind),
      T(a_stream_reaches_the_bandwidth_of_its_columns), T(a_full_return_queue_stops_the_channel),
      T(random_commands_break_no_rule), T(left_out_ticks_change_nothing),
      T(frfcfs_opens_fewer_rows_than_fcfs))
