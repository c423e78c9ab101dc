/* The order of things in a cycle is that of GPGPU-Sim 3.2.1 (dram_t::cycle): data that has crossed
 * the bus, the scheduler (one request to one bank), one command of the first bank, round robin,
 * that may issue one. Column commands come before ACT and PRE of the same bank only; banks are
 * equal. */
#include "sim/mem/dram.h"

#include "sim/mem/dram_sched.h"
#include "sim/mem/dram_shares.h"
#include "sim/mem/req_queue.h"

#include <stdlib.h>

struct bank {
    struct mem_req *req; /* being served */
    uint32_t bytes_left; /* not commanded yet */
    bool open, fresh;    /* fresh: its row was opened for the request being served */
};

struct burst { /* on the data bus, or between command and data */
    struct mem_req *req;
    cycle_t slot; /* leaves when `now - frozen` reaches this */
    bool last;    /* of its request */
};

struct dram_counts {
    uint64_t reads, inst_reads, const_reads, texture_reads, writes, rd, wr, act, row_hits;
};

struct dram {
    const struct dram_cfg *cfg; /* borrowed */
    struct req_pool *pool;      /* borrowed */
    const struct dram_sched_ops *ops;
    struct dram_timing timing;
    struct dram_sched sched;
    struct dram_shares *shares; /* owned; NULL: not of a scale model */
    int room;                   /* for requests in the scheduler's queue, those there included */
    struct bank bank[DRAM_BANKS_MAX];
    uint32_t open_row[DRAM_BANKS_MAX];
    uint64_t busy;              /* bit b: bank b serves a request */
    uint64_t want[DRAM_CMDS];   /* ... and needs this command next */
    uint32_t passed[DRAM_CMDS]; /* of RD, WR: those of the other direction since one was wanted */
    uint64_t banks_mask;
    uint32_t atom; /* bytes of a column command */
    int prio;      /* bank looked at first */
    struct req_queue input, returns;
    struct burst *bus; /* owned ring */
    uint32_t bus_head, bus_len, bus_mask;
    cycle_t bus_last; /* slot of the newest burst */
    int bus_delay;    /* CL or WL, by the direction of the last column command */
    cycle_t frozen;   /* cycles in which the bus stood still because the return queue was full */
    cycle_t wake;
    uint64_t arrivals;
    struct dram_counts n;
    dram_trace_fn *trace;
    void *trace_user;
};

struct dram *dram_new(const struct dram_cfg *cfg, int channels, int lead, struct req_pool *pool)
{
    struct dram *d = xcalloc(1, sizeof *d);
    d->cfg = cfg;
    d->pool = pool;
    d->ops = dram_sched_find(cfg->scheduler);
    BUG_ON(!d->ops, "no DRAM scheduler %s", cfg->scheduler);
    d->sched.most_passes = (uint32_t)cfg->most_passes;
    dram_timing_init(&d->timing, cfg);
    d->banks_mask = cfg->banks == 64 ? ~0ull : (1ull << cfg->banks) - 1;
    d->atom = (uint32_t)(cfg->burst * cfg->bus_bytes * cfg->chips);
    d->shares = channels > 1 ? dram_shares_new(cfg, &d->timing, channels, (cycle_t)lead) : NULL;
    d->room = cfg->queue;
    rq_init(&d->input, 0);
    rq_init(&d->returns, (uint32_t)cfg->return_queue);
    uint32_t slots = 4;
    while (slots < (uint32_t)cfg->tCL + 4 || slots < (uint32_t)cfg->tWL + 4)
        slots *= 2;
    d->bus = xcalloc(slots, sizeof *d->bus);
    d->bus_mask = slots - 1;
    d->bus_delay = cfg->tCL;
    d->wake = CYCLE_NEVER;
    return d;
}

void dram_free(struct dram *d)
{
    if (!d)
        return;
    dram_shares_free(d->shares);
    rq_fini(&d->input);
    rq_fini(&d->returns);
    free(d->bus);
    free(d);
}

void dram_trace(struct dram *d, dram_trace_fn *fn, void *user)
{
    d->trace = fn;
    d->trace_user = user;
}

bool dram_full(const struct dram *d)
{
    return d->sched.pending >= d->room;
}

static void count_arrival(struct dram_counts *n, const struct mem_req *r)
{
    if (r->write)
        n->writes++;
    else if (r->kind == REQ_INST_READ)
        n->inst_reads++;
    else if (r->kind == REQ_CONST_READ)
        n->const_reads++;
    else
        n->reads++;
    n->texture_reads += r->kind == REQ_TEX_READ;
}

void dram_push(struct dram *d, struct mem_req *r, cycle_t now, cycle_t core_now)
{
    r->stamp[STAGE_DRAM_QUEUE] = core_now;
    r->ready = d->arrivals++;
    count_arrival(&d->n, r);
    rq_push(&d->input, r);
    d->wake = now + 1;
}

struct mem_req *dram_return_peek(const struct dram *d)
{
    return rq_peek(&d->returns);
}

struct mem_req *dram_return_pop(struct dram *d)
{
    return rq_pop(&d->returns);
}

bool dram_idle(const struct dram *d)
{
    return !d->busy && !d->bus_len && !d->sched.pending && !d->input.len && !d->returns.len;
}

cycle_t dram_wake(const struct dram *d)
{
    return d->wake;
}

/* One burst leaves the bus, unless the return queue is full: then all of them wait. */
static bool bus_step(struct dram *d, cycle_t now, cycle_t core_now)
{
    if (rq_full(&d->returns)) {
        d->frozen++;
        return false;
    }
    const struct burst *b = &d->bus[d->bus_head];
    if (!d->bus_len || b->slot > now - d->frozen)
        return false;
    d->bus_head = (d->bus_head + 1) & d->bus_mask;
    d->bus_len--;
    if (!b->last)
        return true;
    b->req->stamp[STAGE_DRAM_DONE] = core_now;
    if (b->req->kind == REQ_L1_WRITEBACK || b->req->kind == REQ_L2_WRITEBACK)
        req_put(d->pool, b->req);
    else
        rq_push(&d->returns, b->req);
    return true;
}

/* GPGPU-Sim's bus is a pipe of CL + 1 places, `delay` of them always present. */
static bool bus_full(const struct dram *d, cycle_t now)
{
    return d->bus_len && d->bus_last > now - d->frozen + (cycle_t)d->cfg->tCL;
}

static void bus_add(struct dram *d, struct mem_req *r, bool last, cycle_t now)
{
    d->bus_delay = r->write ? d->cfg->tWL : d->cfg->tCL;
    cycle_t slot = now - d->frozen + (cycle_t)d->bus_delay;
    if (d->bus_len && slot <= d->bus_last)
        slot = d->bus_last + 1;
    d->bus[(d->bus_head + d->bus_len++) & d->bus_mask] = (struct burst){r, slot, last};
    d->bus_last = slot;
}

/* The command that the bank needs next for its request. */
static void want(struct dram *d, int b)
{
    const struct bank *k = &d->bank[b];
    const uint64_t bit = 1ull << b;
    for (int c = 0; c < DRAM_CMDS; c++)
        d->want[c] &= ~bit;
    if (!k->req)
        return;
    const enum dram_cmd cmd = !k->open                        ? DRAM_ACT
                              : d->open_row[b] != k->req->row ? DRAM_PRE
                              : k->req->write                 ? DRAM_WR
                                                              : DRAM_RD;
    d->want[cmd] |= bit;
}

static void take_input(struct dram *d)
{
    while (d->input.len && !dram_full(d)) {
        struct mem_req *r = rq_pop(&d->input);
        dram_sched_add(&d->sched, r);
        if (d->shares)
            d->room = d->sched.pending + dram_shares_room(d->shares, r, 1);
    }
}

static bool schedule(struct dram *d, cycle_t now, cycle_t core_now)
{
    take_input(d);
    if (!d->sched.pending)
        return false;
    uint64_t free = d->banks_mask & ~d->busy;
    if (d->shares)
        free = dram_shares_may_take(d->shares, &d->sched, free, now);
    struct mem_req *r = d->ops->pick(&d->sched, free, d->prio, d->open_row);
    if (!r)
        return false;
    if (d->shares)
        d->room = d->sched.pending + dram_shares_room(d->shares, r, -1);
    d->prio = (d->prio + 1) & (d->cfg->banks - 1);
    r->stamp[STAGE_DRAM_BANK] = core_now;
    d->bank[r->bank].req = r;
    d->bank[r->bank].bytes_left = r->bytes;
    d->busy |= 1ull << r->bank;
    want(d, r->bank);
    return true;
}

/* An atomic's bank goes on with the write; nobody waits for it. */
static void write_result(struct dram *d, struct bank *k)
{
    const struct mem_req *r = k->req;
    struct mem_req *w = req_get(d->pool);
    w->addr = w->line = r->addr;
    w->bytes = r->bytes;
    w->kind = REQ_L2_WRITEBACK;
    w->write = true;
    w->channel = r->channel;
    w->bank = r->bank;
    w->row = r->row;
    d->n.writes++;
    k->req = w;
    k->bytes_left = w->bytes;
}

static void column(struct dram *d, int b, cycle_t now)
{
    struct bank *k = &d->bank[b];
    const bool last = k->bytes_left <= d->atom;
    k->bytes_left -= last ? k->bytes_left : d->atom;
    bus_add(d, k->req, last, now);
    if (d->shares)
        dram_shares_burst(d->shares, k->req, now);
    if (!last)
        return;
    const bool opened = k->fresh;
    d->n.row_hits += !opened;
    k->fresh = false;
    if (k->req->rmw) {
        if (d->shares)
            dram_shares_turn(d->shares, k->req, now);
        write_result(d, k);
        want(d, b);
        return;
    }
    if (d->shares)
        dram_shares_done(d->shares, k->req, (k->req->bytes + d->atom - 1) / d->atom, opened, now);
    k->req = NULL;
    d->busy &= ~(1ull << b);
}

static void issue(struct dram *d, enum dram_cmd cmd, int b, cycle_t now)
{
    struct bank *k = &d->bank[b];
    dram_issue(&d->timing, cmd, b, now);
    if (cmd == DRAM_ACT || cmd == DRAM_PRE) {
        k->open = k->fresh = cmd == DRAM_ACT;
        if (k->open)
            d->open_row[b] = k->req->row;
        d->prio = (b + 1) & (d->cfg->banks - 1);
        d->n.act += k->open;
        if (d->shares && k->open)
            dram_shares_act(d->shares, k->req, now);
    }
    if (d->trace)
        d->trace(d->trace_user, cmd, b, d->open_row[b], now);
    d->n.rd += cmd == DRAM_RD;
    d->n.wr += cmd == DRAM_WR;
    if (cmd == DRAM_RD || cmd == DRAM_WR) {
        const enum dram_cmd other = cmd == DRAM_RD ? DRAM_WR : DRAM_RD;
        d->passed[other] = d->want[other] ? d->passed[other] + 1 : 0;
        d->passed[cmd] = 0;
        column(d, b, now);
    }
    if (!k->req || cmd == DRAM_ACT || cmd == DRAM_PRE)
        want(d, b);
}

static enum dram_cmd wanted(const struct dram *d, int b)
{
    const uint64_t bit = 1ull << b;
    return d->want[DRAM_RD] & bit    ? DRAM_RD
           : d->want[DRAM_WR] & bit  ? DRAM_WR
           : d->want[DRAM_ACT] & bit ? DRAM_ACT
                                     : DRAM_PRE;
}

/* Reads that never end, as of CTAs that wait for a word in a loop, put the bus's turn to a write
 * off again and again, and writes that to a read. Where so many have passed, theirs is the next. */
static uint64_t held_back(const struct dram *d)
{
    const uint32_t most = (uint32_t)d->cfg->most_columns;
    if (!most)
        return 0;
    return d->passed[DRAM_WR] >= most   ? d->want[DRAM_RD]
           : d->passed[DRAM_RD] >= most ? d->want[DRAM_WR]
                                        : 0;
}

/* The first bank from prio on that may issue its command does. */
static bool command(struct dram *d, cycle_t now)
{
    const struct dram_timing *t = &d->timing;
    uint64_t able = d->want[DRAM_PRE];
    if (t->act <= now)
        able |= d->want[DRAM_ACT];
    if (t->col <= now && !bus_full(d, now)) {
        able |= t->rd <= now ? d->want[DRAM_RD] : 0;
        able |= t->wr <= now ? d->want[DRAM_WR] : 0;
    }
    able &= ~held_back(d);
    const uint64_t upper = able & ~0ull << d->prio;
    for (int half = 0; half < 2; half++)
        for (uint64_t m = half ? able & ~upper : upper; m; m &= m - 1) {
            const int b = __builtin_ctzll(m);
            const enum dram_cmd cmd = wanted(d, b);
            if (dram_earliest(t, cmd, b) <= now) {
                issue(d, cmd, b, now);
                return true;
            }
        }
    return false;
}

/* The earliest cycle after now at which a command may be issued. What holds back all banks alike is
 * looked at first: a bank that waits for nothing else ends the search. */
static cycle_t next_command(const struct dram *d, cycle_t now)
{
    const struct dram_timing *t = &d->timing;
    const cycle_t all[DRAM_CMDS] = {dram_later(t->col, t->rd), dram_later(t->col, t->wr), t->act,
                                    0};
    const uint64_t held = held_back(d);
    cycle_t next = CYCLE_NEVER;
    for (int c = 0; c < DRAM_CMDS; c++) {
        const cycle_t soonest = dram_later(all[c], now + 1);
        for (uint64_t m = d->want[c] & ~held; m && next > soonest; m &= m - 1) {
            const cycle_t at = dram_earliest(t, (enum dram_cmd)c, __builtin_ctzll(m));
            next = dram_earlier(next, at);
        }
    }
    return next;
}

static cycle_t next_event(const struct dram *d, cycle_t now)
{
    if (d->input.len || d->returns.len || (d->sched.waiting & ~d->busy && !d->shares))
        return now + 1;
    cycle_t next = next_command(d, now);
    if (d->shares)
        next = dram_earlier(next, dram_shares_next(d->shares, &d->sched, ~d->busy, now));
    if (d->bus_len)
        next = dram_earlier(next, d->bus[d->bus_head].slot + d->frozen);
    return next > now ? next : now + 1;
}

bool dram_tick(struct dram *d, cycle_t now, cycle_t core_now)
{
    if (now < d->wake)
        return false;
    bool moved = bus_step(d, now, core_now);
    moved |= schedule(d, now, core_now);
    moved |= command(d, now);
    d->wake = next_event(d, now);
    return moved;
}

void dram_stats(struct dram *d, struct run_stats *add)
{
    const struct dram_counts *n = &d->n;
    add->dram_reads += n->reads;
    add->dram_inst_reads += n->inst_reads;
    add->dram_const_reads += n->const_reads;
    add->dram_texture_reads += n->texture_reads;
    add->dram_writes += n->writes;
    add->dram_cmd_rd += n->rd;
    add->dram_cmd_wr += n->wr;
    add->dram_activates += n->act;
    add->dram_row_hits += n->row_hits;
    add->dram_bus_cycles += (n->rd + n->wr) * (uint64_t)d->timing.burst;
    d->n = (struct dram_counts){0};
}
