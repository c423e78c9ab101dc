/* The order of things in a cycle is that of GPGPU-Sim 3.2.1 (memory_partition_unit). The ROP and
 * the DRAM latency queue are unbounded there and here: the bounded queues around them hold back. */
#include "sim/mem/partition.h"

#include "sim/mem/addrmap.h"
#include "sim/mem/channel_share.h"
#include "sim/mem/dram.h"
#include "sim/mem/l2.h"
#include "sim/mem/req_queue.h"

#include <stdlib.h>

#define PARTS 16 /* of a core cycle, in which shares are counted */

struct partition {
    const struct mem_cfg *cfg; /* borrowed */
    struct req_pool *pool;     /* borrowed */
    struct addrmap map;
    struct l2 *l2;               /* owned; NULL: off */
    struct dram *dram;           /* owned */
    struct channel_share *share; /* owned: of what comes in and goes out, in parts of a core cycle;
                                    NULL: not of a scale model */
    int id;
    struct req_queue rop, icnt_to_l2, l2_to_dram, delay, dram_to_l2, l2_to_icnt;
    struct req_queue late;           /* L2 hits whose latency is not over */
    cycle_t dram_now, dram_reported; /* DRAM cycles since partition_new; as of partition_stats */
    /* Nothing can happen in a tick before these: L2 ticks (core cycles); DRAM ticks (DRAM cycles,
     * and core cycles for the latency queue). 0: look. Whatever adds work resets them. */
    cycle_t l2_quiet, dram_quiet, delay_quiet;
};

struct partition *partition_new(const struct mem_cfg *cfg, int id, struct req_pool *pool)
{
    struct partition *p = xcalloc(1, sizeof *p);
    const struct partition_cfg *q = &cfg->partition;
    p->cfg = cfg;
    p->pool = pool;
    p->id = id;
    addrmap_init(&p->map, cfg);
    p->l2 = cfg->l2.enabled ? l2_new(&cfg->l2, &p->map, pool) : NULL;
    const int channels = addrmap_channels(&p->map);
    p->dram = dram_new(&cfg->dram, channels, cfg->model.lead, pool);
    if (channels > 1) {
        p->share = xcalloc(1, sizeof *p->share);
        channel_share_init(p->share, channels, channels, PARTS * (cycle_t)cfg->model.lead);
    }
    rq_init(&p->rop, 0);
    rq_init(&p->delay, 0);
    rq_init(&p->late, 0);
    rq_init(&p->icnt_to_l2, (uint32_t)q->icnt_to_l2);
    rq_init(&p->l2_to_dram, (uint32_t)q->l2_to_dram);
    rq_init(&p->dram_to_l2, (uint32_t)q->dram_to_l2);
    rq_init(&p->l2_to_icnt, (uint32_t)q->l2_to_icnt);
    return p;
}

void partition_free(struct partition *p)
{
    if (!p)
        return;
    l2_free(p->l2);
    dram_free(p->dram);
    if (p->share)
        channel_share_fini(p->share);
    free(p->share);
    rq_fini(&p->rop);
    rq_fini(&p->delay);
    rq_fini(&p->late);
    rq_fini(&p->icnt_to_l2);
    rq_fini(&p->l2_to_dram);
    rq_fini(&p->dram_to_l2);
    rq_fini(&p->l2_to_icnt);
    free(p);
}

bool partition_can_accept(const struct partition *p)
{
    return !rq_full(&p->icnt_to_l2);
}

void partition_push(struct partition *p, struct mem_req *r, cycle_t core_now)
{
    r->stamp[STAGE_PARTITION] = core_now;
    p->l2_quiet = 0;
    if (r->kind == REQ_TEX_READ) { /* textures do not pass the ROP */
        rq_push(&p->icnt_to_l2, r);
        return;
    }
    r->ready = core_now + (cycle_t)p->cfg->partition.rop_latency;
    rq_push(&p->rop, r);
}

static void reply(struct partition *p, struct mem_req *r)
{
    r->is_reply = true;
    rq_push(&p->l2_to_icnt, r);
}

static void hit(struct partition *p, struct mem_req *r, cycle_t core_now)
{
    if (r->kind == REQ_L1_WRITEBACK) {
        req_put(p->pool, r);
    } else if (p->cfg->l2.hit_latency) {
        r->ready = core_now + (cycle_t)p->cfg->l2.hit_latency;
        rq_push(&p->late, r);
    } else {
        reply(p, r);
    }
}

static bool late_hits(struct partition *p, cycle_t core_now)
{
    const struct mem_req *r = rq_peek(&p->late);
    if (!r || r->ready > core_now || rq_full(&p->l2_to_icnt))
        return false;
    reply(p, rq_pop(&p->late));
    return true;
}

/* L2 fills that are complete leave, one a cycle. */
static bool l2_replies(struct partition *p)
{
    if (!l2_ready(p->l2) || rq_full(&p->l2_to_icnt))
        return false;
    struct mem_req *r = l2_next_ready(p->l2);
    if (r->kind == REQ_L2_FILL)
        req_put(p->pool, r);
    else
        reply(p, r);
    return true;
}

static bool dram_returns(struct partition *p)
{
    struct mem_req *r = rq_peek(&p->dram_to_l2);
    if (!r)
        return false;
    if (p->l2 && l2_waits_for(p->l2, r))
        l2_fill(p->l2, r);
    else if (!rq_full(&p->l2_to_icnt))
        reply(p, r);
    else
        return false;
    rq_pop(&p->dram_to_l2);
    return true;
}

static bool l2_misses(struct partition *p)
{
    struct mem_req *r = l2_to_dram(p->l2);
    if (!r || rq_full(&p->l2_to_dram))
        return false;
    l2_to_dram_pop(p->l2);
    rq_push(&p->l2_to_dram, r);
    p->dram_quiet = 0;
    return true;
}

/* The oldest request of a channel that has not had its share; *at: its place. */
__attribute__((cold, noinline)) static struct mem_req *oldest(const struct partition *p,
                                                              cycle_t core_now, uint32_t *at)
{
    const cycle_t now = core_now * PARTS;
    *at = 0;
    if (!channel_share_binds(p->share, now))
        return rq_peek(&p->icnt_to_l2);
    for (uint32_t i = 0; i < p->icnt_to_l2.len; i++)
        if (channel_share_when(p->share, rq_at(&p->icnt_to_l2, i)->channel) <= now) {
            *at = i;
            return rq_at(&p->icnt_to_l2, i);
        }
    return NULL;
}

/* Of a request's way into the partition and the reply's way out the longer one, or L2's cycle. */
__attribute__((cold, noinline)) static void count_access(struct partition *p,
                                                         const struct mem_req *r, cycle_t core_now)
{
    const struct mem_model *m = &p->cfg->model;
    const int back =
        r->write ? 1 : ((int)r->bytes + m->header_bytes + m->flit_bytes - 1) / m->flit_bytes;
    const double flits = (r->flits > back ? r->flits : back) * m->flit_cycle,
                 cycles = flits > m->l2_cycle ? flits : m->l2_cycle;
    channel_share_take(p->share, r->channel, core_now * PARTS, (cycle_t)(cycles * PARTS));
}

/* The oldest request from the network looks into the L2, or passes it by. */
static bool new_access(struct partition *p, cycle_t core_now)
{
    uint32_t at = 0;
    struct mem_req *r = p->share ? oldest(p, core_now, &at) : rq_peek(&p->icnt_to_l2);
    if (!r || rq_full(&p->l2_to_dram))
        return false;
    if (!p->l2 || (p->cfg->partition.l2_texture_only && r->kind != REQ_TEX_READ)) {
        r->rmw = r->kind == REQ_ATOMIC && p->cfg->partition.atomic_writes;
        if (p->share)
            count_access(p, r, core_now);
        rq_push(&p->l2_to_dram, rq_take(&p->icnt_to_l2, at));
        p->dram_quiet = 0;
        return true;
    }
    if (rq_full(&p->l2_to_icnt))
        return false;
    const enum l2_result t = l2_access(p->l2, r, core_now);
    if (t == L2_REFUSED)
        return false;
    if (p->share)
        count_access(p, r, core_now);
    rq_take(&p->icnt_to_l2, at);
    if (t == L2_HIT)
        hit(p, r, core_now);
    return true;
}

static bool rop_leaves(struct partition *p, cycle_t core_now)
{
    const struct mem_req *r = rq_peek(&p->rop);
    if (!r || r->ready > core_now || rq_full(&p->icnt_to_l2))
        return false;
    rq_push(&p->icnt_to_l2, rq_pop(&p->rop));
    return true;
}

/* When the first request of either queue is ready. */
static cycle_t earliest(const struct req_queue *a, const struct req_queue *b)
{
    const struct mem_req *x = rq_peek(a), *y = rq_peek(b);
    const cycle_t first = x ? x->ready : CYCLE_NEVER, second = y ? y->ready : CYCLE_NEVER;
    return first < second ? first : second;
}

/* Something waits on the L2's side for a queue's room or for its turn. */
static bool l2_waits(const struct partition *p)
{
    return p->icnt_to_l2.len || p->dram_to_l2.len ||
           (p->l2 && (l2_ready(p->l2) || l2_to_dram(p->l2)));
}

__attribute__((flatten)) bool partition_l2_tick(struct partition *p, cycle_t core_now)
{
    if (core_now < p->l2_quiet)
        return false;
    bool moved = late_hits(p, core_now);
    if (p->l2)
        moved |= l2_replies(p);
    moved |= dram_returns(p);
    if (p->l2)
        moved |= l2_misses(p);
    moved |= new_access(p, core_now);
    moved |= rop_leaves(p, core_now);
    p->l2_quiet = l2_waits(p) ? 0 : earliest(&p->rop, &p->late);
    return moved;
}

static bool dram_output(struct partition *p)
{
    if (!dram_return_peek(p->dram) || rq_full(&p->dram_to_l2))
        return false;
    rq_push(&p->dram_to_l2, dram_return_pop(p->dram));
    p->l2_quiet = 0;
    return true;
}

static bool dram_input(struct partition *p, cycle_t core_now)
{
    bool moved = false;
    if (dram_full(p->dram))
        return false;
    if (!rq_empty(&p->l2_to_dram)) {
        struct mem_req *r = rq_pop(&p->l2_to_dram);
        r->ready = core_now + (cycle_t)p->cfg->dram.latency;
        rq_push(&p->delay, r);
        moved = true;
    }
    const struct mem_req *r = rq_peek(&p->delay);
    if (r && r->ready <= core_now) {
        dram_push(p->dram, rq_pop(&p->delay), p->dram_now, core_now);
        moved = true;
    }
    return moved;
}

__attribute__((flatten)) bool partition_dram_tick(struct partition *p, cycle_t core_now)
{
    p->dram_now++;
    if (p->dram_now < p->dram_quiet && core_now < p->delay_quiet)
        return false;
    bool moved = dram_output(p);
    moved |= dram_tick(p->dram, p->dram_now, core_now);
    if (p->delay.len | p->l2_to_dram.len)
        moved |= dram_input(p, core_now);
    /* a full channel takes nothing until one of its own ticks makes room */
    const bool full = dram_full(p->dram);
    const struct mem_req *delay = full ? NULL : rq_peek(&p->delay);
    p->delay_quiet = delay ? delay->ready : CYCLE_NEVER;
    p->dram_quiet = !full && p->l2_to_dram.len ? 0 : dram_wake(p->dram);
    return moved;
}

struct mem_req *partition_reply_peek(const struct partition *p)
{
    return rq_peek(&p->l2_to_icnt);
}

struct mem_req *partition_reply_pop(struct partition *p)
{
    return rq_pop(&p->l2_to_icnt);
}

/* Something waits for a queue's room or for its turn rather than for a stamp. */
static bool waits_for_room(const struct partition *p)
{
    return l2_waits(p) || p->l2_to_dram.len || p->l2_to_icnt.len;
}

bool partition_idle(const struct partition *p)
{
    return !waits_for_room(p) && rq_empty(&p->rop) && rq_empty(&p->delay) && rq_empty(&p->late) &&
           dram_idle(p->dram);
}

void partition_skip(struct partition *p, uint64_t dram_cycles)
{
    p->dram_now += dram_cycles;
}

cycle_t partition_l2_quiet(const struct partition *p)
{
    return p->l2_quiet;
}

uint64_t partition_dram_quiet(const struct partition *p, cycle_t *core)
{
    *core = p->delay_quiet;
    return p->dram_quiet > p->dram_now ? p->dram_quiet - p->dram_now - 1 : 0;
}

cycle_t partition_next_event(const struct partition *p, cycle_t core_now)
{
    if (waits_for_room(p) || !dram_idle(p->dram))
        return core_now;
    const struct mem_req *delay = rq_peek(&p->delay);
    cycle_t next = earliest(&p->rop, &p->late);
    if (delay && delay->ready < next)
        next = delay->ready;
    return next > core_now ? next : core_now;
}

void partition_stats(struct partition *p, struct run_stats *add)
{
    if (p->l2)
        l2_stats(p->l2, add);
    dram_stats(p->dram, add);
    add->dram_cycles += p->dram_now - p->dram_reported;
    p->dram_reported = p->dram_now;
}

void partition_flush(struct partition *p)
{
    if (p->l2)
        l2_flush(p->l2);
}

void partition_copy_l2(struct partition *to, const struct partition *from)
{
    if (to->l2)
        l2_copy(to->l2, from->l2);
}

void partition_l2_warm(struct partition *p, struct warm *w)
{
    if (p->l2)
        l2_warm(p->l2, w);
}
