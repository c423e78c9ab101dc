#include "sampler/partitions.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "sim/icnt/icnt.h"
#include "sim/mem/partition.h"

#define LONG_AGO ((cycle_t)1 << 40) /* core cycles before time 0, in which L2 was used before */
#define NO_TICK  UINT64_MAX

struct coming { /* at the head of its queue */
    double t;
    uint64_t order; /* of those that come at the same time */
    struct mem_req *r;
};

struct part {
    struct partition *p;   /* owned */
    struct coming *coming; /* owned: heap, the first on top */
    int comings, room;
    double in_free, out_free; /* ports of the network */
    /* Ticks are counted from time 0 on: the last one of each clock, the next one that can do
     * something. */
    uint64_t l2_seen, l2_due, dram_seen, dram_due;
    double next;
};

struct partitions {
    const struct gpu_cfg *cfg; /* borrowed */
    struct network *net;       /* borrowed */
    struct partitions_user told;
    struct addrmap map;
    struct req_pool *pool; /* owned */
    struct part *part;     /* owned */
    int count;
    double l2_cycle, dram_cycle, flit; /* core cycles */
    double buffered;                   /* of flits that wait behind a partition for its port */
    uint64_t order;
};

struct partitions *partitions_new(const struct gpu_cfg *cfg, struct network *net,
                                  const struct partitions_user *told)
{
    struct partitions *m = xcalloc(1, sizeof *m);
    const struct clock_cfg *c = &cfg->clock;
    *m = (struct partitions){.cfg = cfg,
                             .net = net,
                             .told = *told,
                             .pool = req_pool_new(),
                             .count = cfg->mem.partition.count,
                             .l2_cycle = (double)c->core / c->l2,
                             .dram_cycle = (double)c->core / c->dram,
                             .flit = (double)c->core / c->icnt};
    m->buffered = cfg->icnt.inject_flits * m->flit;
    addrmap_init(&m->map, &cfg->mem);
    m->part = xcalloc((size_t)m->count, sizeof *m->part);
    for (int i = 0; i < m->count; i++)
        m->part[i] = (struct part){.p = partition_new(&cfg->mem, i, m->pool),
                                   .l2_due = NO_TICK,
                                   .dram_due = NO_TICK,
                                   .next = REPLAY_NEVER};
    return m;
}

void partitions_free(struct partitions *m)
{
    for (int i = 0; i < m->count; i++) {
        partition_free(m->part[i].p);
        free(m->part[i].coming);
    }
    free(m->part);
    req_pool_free(m->pool);
    free(m);
}

void partitions_set_l2(struct partitions *m, const struct l2_state *s)
{
    for (int i = 0; s->cfg && i < m->count; i++)
        l2_state_give(s, i, partition_l2_tags(m->part[i].p));
}

void partitions_hold(struct partitions *m, addr_t addr)
{
    if (!m->cfg->mem.l2.enabled)
        return;
    struct mem_req q = {.addr = addr};
    addrmap_set(&m->map, &q);
    struct tags *t = partition_l2_tags(m->part[q.partition].p);
    const addr_t line = tags_line(t, addr);
    uint32_t way;
    addr_t victim;
    if (tags_probe(t, q.chan_addr, line, &way) != TAG_HIT)
        tags_replace(t, way, line | TAG_VALID, LONG_AGO - 1, &victim);
}

/* ---- Requests that come, by time ---- */

static bool comes_before(const struct coming *a, const struct coming *b)
{
    return a->t < b->t || (a->t <= b->t && a->order < b->order);
}

static void add_coming(struct part *p, struct coming x)
{
    if (p->comings == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->coming = xrealloc(p->coming, (size_t)p->room * sizeof *p->coming);
    }
    int i = p->comings++;
    for (; i > 0 && comes_before(&x, &p->coming[(i - 1) / 2]); i = (i - 1) / 2)
        p->coming[i] = p->coming[(i - 1) / 2];
    p->coming[i] = x;
}

static void drop_first(struct part *p)
{
    const struct coming x = p->coming[--p->comings];
    int i = 0;
    for (int k; (k = 2 * i + 1) < p->comings; i = k) {
        k += k + 1 < p->comings && comes_before(&p->coming[k + 1], &p->coming[k]);
        if (!comes_before(&p->coming[k], &x))
            break;
        p->coming[i] = p->coming[k];
    }
    p->coming[i] = x;
}

/* ---- Time ---- */

/* The first tick at t or later that has not been. */
static uint64_t tick_at(double t, double cycle, uint64_t seen)
{
    uint64_t tick = (uint64_t)(t / cycle);
    tick += (double)tick * cycle < t;
    return tick > seen ? tick : seen + 1;
}

/* The first one after t that has not been: of two clocks' ticks at once DRAM's is the first. */
static uint64_t tick_after(double t, double cycle, uint64_t seen)
{
    uint64_t tick = (uint64_t)(t / cycle);
    while ((double)tick * cycle <= t)
        tick++;
    return tick > seen ? tick : seen + 1;
}

/* tick_at() for a core cycle as partitions count them. */
static uint64_t tick_of(cycle_t core, double cycle, uint64_t seen)
{
    if (core == CYCLE_NEVER)
        return NO_TICK;
    return tick_at(core > LONG_AGO ? (double)(core - LONG_AGO) : 0, cycle, seen);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static double arrives_at(const struct part *p)
{
    return fmax(p->coming[0].t, p->in_free);
}

static void find_next(const struct partitions *m, struct part *p)
{
    if (p->comings && partition_can_accept(p->p))
        p->l2_due = earlier(p->l2_due, tick_at(arrives_at(p), m->l2_cycle, p->l2_seen));
    p->next = REPLAY_NEVER;
    if (p->l2_due != NO_TICK)
        p->next = (double)p->l2_due * m->l2_cycle;
    if (p->dram_due != NO_TICK)
        p->next = fmin(p->next, (double)p->dram_due * m->dram_cycle);
    if (partition_reply_peek(p->p))
        p->next = fmin(p->next, p->out_free - m->buffered);
}

static void dram_tick(struct partitions *m, struct part *p, double t)
{
    BUG_ON(p->dram_due <= p->dram_seen, "DRAM's clock goes back");
    const uint64_t skipped = p->dram_due - 1 - p->dram_seen;
    if (skipped)
        partition_skip(p->p, skipped);
    p->dram_seen = p->dram_due;
    if (partition_dram_tick(p->p, LONG_AGO + (cycle_t)t))
        p->l2_due = earlier(p->l2_due, tick_at(t, m->l2_cycle, p->l2_seen));
}

static void dram_quiet(const struct partitions *m, struct part *p)
{
    cycle_t core;
    const uint64_t quiet = partition_dram_quiet(p->p, &core);
    p->dram_due = quiet < NO_TICK / 2 ? p->dram_seen + 1 + quiet : NO_TICK;
    p->dram_due = earlier(p->dram_due, tick_of(core, m->dram_cycle, p->dram_seen));
}

static bool arrives(struct partitions *m, struct part *p, double t)
{
    if (!p->comings || arrives_at(p) > t || !partition_can_accept(p->p))
        return false;
    struct mem_req *r = p->coming[0].r;
    p->in_free = arrives_at(p) + partitions_port(m, NETWORK_REQUESTS, r->write ? (int)r->bytes : 0);
    drop_first(p);
    partition_push(p->p, r, LONG_AGO + (cycle_t)t);
    m->told.passed(m->told.user, r, t);
    return true;
}

static void l2_tick(struct partitions *m, struct part *p, double t)
{
    p->l2_seen = p->l2_due;
    bool moved = arrives(m, p, t);
    moved |= partition_l2_tick(p->p, LONG_AGO + (cycle_t)t);
    p->l2_due = tick_of(partition_l2_quiet(p->p), m->l2_cycle, p->l2_seen);
    if (moved)
        p->dram_due = earlier(p->dram_due, tick_after(t, m->dram_cycle, p->dram_seen));
}

/* L2 looks for room behind it in every tick as long as something waits there. */
static void reply(struct partitions *m, struct part *p, double t)
{
    struct mem_req *r = partition_reply_peek(p->p);
    if (!r || p->out_free - m->buffered > t)
        return;
    partition_reply_pop(p->p);
    const double from = fmax(p->out_free, t);
    p->out_free = from + partitions_port(m, NETWORK_REPLIES, r->write ? 0 : (int)r->bytes);
    m->told.replied(m->told.user, r, from);
}

double partitions_next(const struct partitions *m)
{
    double first = m->part[0].next;
    for (int i = 1; i < m->count; i++)
        first = m->part[i].next < first ? m->part[i].next : first;
    return first;
}

static void step(struct partitions *m, struct part *p)
{
    const double t = p->next;
    if (p->dram_due != NO_TICK && (double)p->dram_due * m->dram_cycle <= t) {
        dram_tick(m, p, t);
        dram_quiet(m, p);
    }
    if (p->l2_due != NO_TICK && (double)p->l2_due * m->l2_cycle <= t)
        l2_tick(m, p, t);
    reply(m, p, t);
    find_next(m, p);
}

void partitions_run(struct partitions *m, double until)
{
    for (int i = 0; i < m->count; i++)
        while (m->part[i].next < until)
            step(m, &m->part[i]);
}

struct mem_req *partitions_request(struct partitions *m)
{
    return req_get(m->pool);
}

void partitions_give_back(struct partitions *m, struct mem_req *r)
{
    req_put(m->pool, r);
}

void partitions_send(struct partitions *m, struct mem_req *r, double t)
{
    addrmap_set(&m->map, r);
    struct part *p = &m->part[r->partition];
    add_coming(p, (struct coming){t, m->order++, r});
    find_next(m, p);
}

double partitions_port(const struct partitions *m, enum network_way way, int bytes)
{
    return m->net ? network_gap(m->net, way, bytes) : m->flit * icnt_flits(&m->cfg->icnt, bytes);
}

void partitions_stats(struct partitions *m, struct run_stats *add)
{
    for (int i = 0; i < m->count; i++)
        partition_stats(m->part[i].p, add);
}
