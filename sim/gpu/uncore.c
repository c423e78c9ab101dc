#include "sim/gpu/uncore.h"

#include <stdlib.h>
#include <string.h>

/* Both networks, and in front of them the ports of clusters, if cores share any. */
static void connect(struct uncore *u)
{
    const struct gpu_cfg *cfg = u->cfg;
    const int size = cfg->top.cluster_size, parts = cfg->mem.partition.count;
    const int nodes = (cfg->top.cores + size - 1) / size;
    const struct icnt_ops *ops = icnt_find(cfg->icnt.topology);
    u->icnt = ops;
    u->req_net = ops->create(&cfg->icnt, nodes, parts);
    u->reply_net = ops->create(&cfg->icnt, parts, nodes);
    if (size > 1) {
        u->icnt = &icnt_concentrator;
        u->req_net = u->req_ports = concentrator_new(ops, u->req_net, nodes, size, CORES_SEND);
        u->reply_net = u->reply_ports =
            concentrator_new(ops, u->reply_net, nodes, size, CORES_RECEIVE);
    }
    u->req_ready = u->icnt->ready(u->req_net);
    u->reply_ready = u->icnt->ready(u->reply_net);
    u->req_busy = u->icnt->busy(u->req_net);
    u->reply_busy = u->icnt->busy(u->reply_net);
}

void uncore_init(struct uncore *u, const struct gpu_cfg *cfg, const struct uncore_cores *cores)
{
    *u = (struct uncore){.cfg = cfg, .cores = *cores, .pool = req_pool_new()};
    clock_init(&u->clock, &cfg->clock, NULL);
    addrmap_init(&u->map, &cfg->mem);
    connect(u);
    const int parts = cfg->mem.partition.count;
    u->words = (parts + 63) / 64;
    u->part = xcalloc((size_t)parts, sizeof *u->part);
    u->part_wake = xcalloc((size_t)parts, sizeof *u->part_wake);
    for (int i = 0; i < parts; i++)
        u->part[i] = partition_new(&cfg->mem, i, u->pool);
}

void uncore_fini(struct uncore *u)
{
    for (int i = 0; i < u->cfg->mem.partition.count; i++)
        partition_free(u->part[i]);
    u->icnt->destroy(u->req_net);
    u->icnt->destroy(u->reply_net);
    req_pool_free(u->pool);
    free(u->part);
    free(u->part_wake);
}

static bool replies_arrive(struct uncore *u, cycle_t now)
{
    if (u->req_ports) {
        concentrator_cycle(u->req_ports);
        concentrator_cycle(u->reply_ports);
    }
    return u->cores.replies(u->cores.user, now);
}

/* Any bit is set. */
static bool any(const struct uncore *u, const uint64_t *set)
{
    uint64_t all = set[0];
    for (int w = 1; w < u->words; w++)
        all |= set[w];
    return all;
}

/* Its reply, if it has one, goes to the reply network when that takes it. */
static bool reply_leaves(struct uncore *u, int p, cycle_t now)
{
    struct mem_req *r = partition_reply_peek(u->part[p]);
    if (!r) {
        u->replies[p / 64] &= ~(1ull << p % 64);
        return false;
    }
    r->flits = icnt_packet_flits(&u->cfg->icnt, r);
    if (!u->icnt->can_push(u->reply_net, p, r->flits))
        return false;
    partition_reply_pop(u->part[p]);
    r->stamp[STAGE_REPLY_IN] = now;
    u->icnt->push(u->reply_net, p, r->core, r);
    return true;
}

/* Partitions hand replies to the reply network: one packet each an interconnect cycle. */
static bool replies_leave(struct uncore *u, cycle_t now)
{
    bool moved = false;
    for (int w = 0; w < u->words; w++)
        for (uint64_t m = u->replies[w]; m; m &= m - 1)
            moved |= reply_leaves(u, w * 64 + __builtin_ctzll(m), now);
    return moved;
}

static bool request_arrives(struct uncore *u, int p, cycle_t now)
{
    if (!partition_can_accept(u->part[p]))
        return false;
    struct mem_req *r = u->icnt->pop(u->req_net, p);
    if (r)
        partition_push(u->part[p], r, now);
    return r != NULL;
}

_Static_assert(PARTITION_WORDS <= ICNT_WORDS, "a network has so many outputs");
static bool partitions_l2(struct uncore *u, cycle_t now)
{
    uint64_t requests[PARTITION_WORDS]; /* as they are before the first is taken */
    memcpy(requests, u->req_ready, sizeof requests);
    bool any_moved = false;
    u->first.l2 = CYCLE_NEVER;
    for (int p = 0; p < u->cfg->mem.partition.count; p++) {
        struct part_wake *w = &u->part_wake[p];
        const bool asked = requests[p / 64] >> p % 64 & 1;
        if (asked || w->l2 <= now) {
            bool moved = asked && request_arrives(u, p, now);
            moved |= partition_l2_tick(u->part[p], now);
            w->l2 = partition_l2_quiet(u->part[p]);
            if (moved) {
                u->replies[p / 64] |= 1ull << p % 64;
                w->dram = u->first.dram = 0;
                any_moved = true;
            }
        }
        u->first.l2 = w->l2 < u->first.l2 ? w->l2 : u->first.l2;
    }
    return any_moved;
}

/* Tells the partition of the DRAM cycles that passed without it, up to `cycle`. */
static void dram_pass(struct uncore *u, int p, uint64_t cycle)
{
    struct part_wake *w = &u->part_wake[p];
    if (w->seen < cycle)
        partition_skip(u->part[p], cycle - w->seen);
    w->seen = cycle;
}

void uncore_catch_up(struct uncore *u)
{
    for (int p = 0; p < u->cfg->mem.partition.count; p++)
        dram_pass(u, p, u->dram_cycle);
}

static bool dram_tick_due(struct uncore *u, int p, cycle_t now)
{
    struct part_wake *w = &u->part_wake[p];
    dram_pass(u, p, u->dram_cycle - 1);
    w->seen = u->dram_cycle;
    const bool moved = partition_dram_tick(u->part[p], now);
    w->dram = u->dram_cycle + 1 + partition_dram_quiet(u->part[p], &w->delay);
    if (moved)
        w->l2 = u->first.l2 = 0;
    return moved;
}

static bool partitions_dram(struct uncore *u, cycle_t now)
{
    bool moved = false;
    u->first.dram = UINT64_MAX;
    u->first.delay = CYCLE_NEVER;
    for (int p = 0; p < u->cfg->mem.partition.count; p++) {
        const struct part_wake *w = &u->part_wake[p];
        if (w->dram <= u->dram_cycle || w->delay <= now)
            moved |= dram_tick_due(u, p, now);
        u->first.dram = w->dram < u->first.dram ? w->dram : u->first.dram;
        u->first.delay = w->delay < u->first.delay ? w->delay : u->first.delay;
    }
    return moved;
}

/* Domains whose edges may find something to do, until something moves; DRAM: because of its latency
 * queue. */
static unsigned awake(const struct uncore *u, cycle_t now)
{
    unsigned set = 1u << CLOCK_CORE;
    if (any(u, u->replies) || *u->req_busy || *u->reply_busy)
        set |= 1u << CLOCK_ICNT;
    if (any(u, u->req_ready) || now >= u->first.l2)
        set |= 1u << CLOCK_L2;
    if (now >= u->first.delay)
        set |= 1u << CLOCK_DRAM;
    return set;
}

static bool step(struct uncore *u, unsigned due, cycle_t now)
{
    bool moved = false;
    if (due & 1u << CLOCK_CORE)
        moved |= replies_arrive(u, now);
    if (due & 1u << CLOCK_ICNT && any(u, u->replies))
        moved |= replies_leave(u, now);
    if (due & 1u << CLOCK_DRAM && (u->dram_cycle >= u->first.dram || now >= u->first.delay))
        moved |= partitions_dram(u, now);
    if (due & 1u << CLOCK_L2 && (any(u, u->req_ready) || now >= u->first.l2))
        moved |= partitions_l2(u, now);
    if (due & 1u << CLOCK_ICNT && *u->req_busy)
        moved |= u->icnt->tick(u->req_net);
    if (due & 1u << CLOCK_ICNT && *u->reply_busy)
        moved |= u->icnt->tick(u->reply_net);
    return moved;
}

bool uncore_cycle(struct uncore *u, cycle_t now)
{
    bool moved = false;
    unsigned due, set = awake(u, now);
    do {
        due = clock_step(&u->clock);
        u->dram_cycle += due >> CLOCK_DRAM & 1;
        if ((due & set || u->dram_cycle >= u->first.dram) && step(u, due, now)) {
            moved = true;
            set = awake(u, now);
        }
    } while (!(due & 1u << CLOCK_CORE));
    return moved;
}

cycle_t uncore_next_event(const struct uncore *u, cycle_t now)
{
    if (!u->icnt->idle(u->req_net) || !u->icnt->idle(u->reply_net))
        return now;
    cycle_t next = CYCLE_NEVER;
    for (int p = 0; p < u->cfg->mem.partition.count && next > now; p++) {
        const cycle_t t = partition_next_event(u->part[p], now);
        next = t < next ? t : next;
    }
    return next;
}

void uncore_jump(struct uncore *u, cycle_t now, cycle_t target)
{
    uint64_t skipped[CLOCK_DOMAINS];
    clock_jump(&u->clock, target - now + 1, skipped);
    u->dram_cycle += skipped[CLOCK_DRAM];
}

bool uncore_idle(const struct uncore *u)
{
    if (req_pool_live(u->pool) || !u->icnt->idle(u->req_net) || !u->icnt->idle(u->reply_net))
        return false;
    for (int p = 0; p < u->cfg->mem.partition.count; p++)
        if (!partition_idle(u->part[p]))
            return false;
    return true;
}
