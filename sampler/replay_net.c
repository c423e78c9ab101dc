/* What leaves replayed cores and comes back, through the simulator's own networks and partitions
 * (sim/gpu/uncore.h). A core hands over a request a cycle, and takes a reply.
 *
 * The network's cycle t + 1 is run in cycle t: a reply that leaves it then is in the LD/ST unit in
 * its next cycle, whose work, one stage behind issue, stands under t here. */
#include "sampler/replay_core.h"

#include <stdlib.h>

/* A request's `warp` tells whose it is: a core's own are not counted. */
static int32_t class_of(const struct core_at *c, const struct warp_at *w)
{
    return c->cta[w->slot].number >= c->n;
}

static void count_reads(struct replay *r, const struct mem_req *q)
{
    const bool dram = q->stamp[STAGE_DRAM_QUEUE] != CYCLE_NEVER;
    if (q->warp >= 0) /* a store that misses reads its line */
        r->dram_reads[q->warp] += dram && (!q->write || r->cfg->mem.l2.enabled);
}

/* ---- To the partitions ---- */

/* The first request of a core's queue, if the network takes it. True: it did. */
static bool send_first(struct replay *r, int core)
{
    struct req_queue *queue = &r->queue[core];
    struct mem_req *q = rq_peek(queue);
    const struct icnt_cfg *net = &r->cfg->icnt;
    const int room = icnt_request_room(net, q, r->cfg->sm.header_needs_room);
    if (q->ready > r->now || !r->mem.icnt->can_push(r->mem.req_net, core, room))
        return false;
    rq_pop(queue);
    q->flits = icnt_packet_flits(net, q);
    r->mem.icnt->push(r->mem.req_net, core, q->partition, q);
    if (rq_empty(queue))
        r->queued[core / 64] &= ~(1ull << core % 64);
    replay_ldst_again(&r->core[core]);
    return true;
}

/* L1's miss queue hands it over in the next cycle. */
static void queue_up(struct replay *r, struct mem_req *q, cycle_t t)
{
    q->ready = t + 1;
    rq_push(&r->queue[q->core], q);
    r->queued[q->core / 64] |= 1ull << q->core % 64;
}

struct flight *replay_send(struct core_at *c, const struct warp_at *w, addr_t addr, cycle_t t,
                           enum req_kind kind, int bytes)
{
    struct replay *r = c->r;
    struct mem_req *q = req_get(r->mem.pool);
    struct flight *f = kind == REQ_L1_WRITEBACK ? NULL : replay_flight(c, q, t);
    q->addr = q->line = addr;
    q->bytes = (uint32_t)bytes;
    q->kind = (uint8_t)kind;
    q->core = (uint16_t)c->number;
    q->write = kind == REQ_GLOBAL_WRITE || kind == REQ_LOCAL_WRITE || kind == REQ_L1_WRITEBACK;
    q->warp = w ? class_of(c, w) : -1;
    addrmap_set(&r->mem.map, q);
    if (f)
        f->counts = w && !q->write;
    queue_up(r, q, t);
    return f;
}

bool replay_has_room(const struct core_at *c, int more)
{
    return c->r->queue[c->number].len + (unsigned)more <= (unsigned)c->r->cfg->mem.l1d.miss_queue;
}

/* Cores of a cluster in the order of whose turn it is. */
static bool send_cluster(struct replay *r, int cluster)
{
    const int size = r->cfg->top.cluster_size, base = cluster * size;
    const int first = concentrator_first(r->mem.req_ports, cluster) - base;
    bool any = false;
    for (int k = 0; k < size; k++) {
        const int core = base + (first + k) % size;
        if (core < r->cfg->top.cores && r->queued[core / 64] >> core % 64 & 1)
            any |= send_first(r, core);
    }
    return any;
}

/* True: one did. *waits: others have not. */
static bool requests_leave(struct replay *r, bool *waits)
{
    const int size = r->cfg->top.cluster_size;
    bool any = false;
    *waits = false;
    for (int w = 0, last = -1; w * 64 < r->cfg->top.cores; w++) {
        for (uint64_t m = r->queued[w]; m; m &= m - 1) {
            const int core = w * 64 + __builtin_ctzll(m), cluster = core / size;
            if (!r->mem.req_ports)
                any |= send_first(r, core);
            else if (cluster != last)
                any |= send_cluster(r, cluster);
            last = cluster;
        }
        *waits |= r->queued[w] != 0;
    }
    return any;
}

bool replay_net_cycle(struct replay *r, bool *waits)
{
    bool moved = uncore_cycle(&r->mem, r->now + 1);
    return requests_leave(r, waits) || moved;
}

/* ---- And back ---- */

static void reply(struct replay *r, struct mem_req *q, cycle_t t)
{
    count_reads(r, q);
    if (q->token >= 0) {
        const struct flight *f = r->flight[q->token];
        struct core_at *c = f->c;
        if (f->counts) {
            r->read_sum += (double)(t - f->made);
            r->reads++;
        }
        replay_flight_over(r, q, t);
        replay_ldst_again(c);
    }
    req_put(r->mem.pool, q);
}

/* For the uncore. */
static bool replies(void *replay, cycle_t t)
{
    struct replay *r = replay;
    bool any = false;
    for (int w = 0; w * 64 < r->cfg->top.cores; w++)
        for (uint64_t m = r->mem.reply_ready[w]; m; m &= m - 1) {
            struct mem_req *q = r->mem.icnt->pop(r->mem.reply_net, w * 64 + __builtin_ctzll(m));
            if (q)
                reply(r, q, t);
            any = true;
        }
    return any;
}

/* ---- */

void replay_net_init(struct replay *r)
{
    const int cores = r->cfg->top.cores;
    uncore_init(&r->mem, r->cfg, &(struct uncore_cores){r, replies});
    r->queue = xcalloc((size_t)cores, sizeof *r->queue);
    for (int i = 0; i < cores; i++)
        rq_init(&r->queue[i], 0);
}

void replay_net_fini(struct replay *r)
{
    for (int i = 0; i < r->cfg->top.cores; i++)
        rq_fini(&r->queue[i]);
    free(r->queue);
    uncore_fini(&r->mem);
}

void replay_hold(struct replay *r, addr_t addr)
{
    if (!r->cfg->mem.l2.enabled)
        return;
    struct mem_req q = {.addr = addr};
    addrmap_set(&r->mem.map, &q);
    struct tags *t = partition_l2_tags(r->mem.part[q.partition]);
    const addr_t line = tags_line(t, addr);
    uint32_t way;
    addr_t victim;
    if (tags_probe(t, q.chan_addr, line, &way) != TAG_HIT)
        tags_replace(t, way, line | TAG_VALID, LONG_AGO - 1, &victim);
}
