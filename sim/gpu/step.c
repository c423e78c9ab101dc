/* A step of the clock visits the parts whose domain has an edge, in GPGPU-Sim 3.2.1's order:
 *   core: replies into the cores | icnt: partitions -> reply network | DRAM | L2: request network
 * -> partitions, L2 | icnt: both networks move | core: cores, then CTA dispatch. */
#include "sim/gpu/machine.h"

void gpu_core_wakes(struct gpu *g, int i)
{
    g->wake[i] = sm_wake_at(g->sm[i], g->now);
}

static bool replies_arrive(struct gpu *g)
{
    bool moved = false;
    if (g->req_ports) {
        concentrator_cycle(g->req_ports);
        concentrator_cycle(g->reply_ports);
    }
    for (int w = 0; w * 64 < g->cfg.top.cores; w++)
        for (uint64_t m = g->reply_ready[w] | g->buffered[w]; m; m &= m - 1) {
            const int i = w * 64 + __builtin_ctzll(m);
            const uint64_t bit = m & -m;
            moved |= sm_replies(g->sm[i], g->now);
            g->buffered[w] =
                sm_replies_wait(g->sm[i]) ? g->buffered[w] | bit : g->buffered[w] & ~bit;
            gpu_core_wakes(g, i);
        }
    return moved;
}

/* Partitions hand replies to the reply network: one packet each an interconnect cycle. */
static bool replies_leave(struct gpu *g)
{
    bool moved = false;
    for (uint64_t m = g->replies; m; m &= m - 1) {
        const int p = __builtin_ctzll(m);
        struct mem_req *r = partition_reply_peek(g->part[p]);
        if (!r) {
            g->replies &= ~(m & -m);
            continue;
        }
        r->flits = icnt_packet_flits(&g->cfg.icnt, r);
        if (!g->icnt->can_push(g->reply_net, p, r->flits))
            continue;
        partition_reply_pop(g->part[p]);
        r->stamp[STAGE_REPLY_IN] = g->now;
        g->icnt->push(g->reply_net, p, r->core, r);
        moved = true;
    }
    return moved;
}

static bool request_arrives(struct gpu *g, int p)
{
    if (!partition_can_accept(g->part[p]))
        return false;
    struct mem_req *r = g->icnt->pop(g->req_net, p);
    if (r)
        partition_push(g->part[p], r, g->now);
    return r != NULL;
}

static bool partitions_l2(struct gpu *g)
{
    const uint64_t requests = *g->req_ready;
    bool any = false;
    g->first.l2 = CYCLE_NEVER;
    for (int p = 0; p < g->cfg.mem.partition.count; p++) {
        struct part_wake *w = &g->part_wake[p];
        const bool asked = requests >> p & 1;
        if (asked || w->l2 <= g->now) {
            bool moved = asked && request_arrives(g, p);
            moved |= partition_l2_tick(g->part[p], g->now);
            w->l2 = partition_l2_quiet(g->part[p]);
            if (moved) {
                g->replies |= 1ull << p;
                w->dram = g->first.dram = 0;
                any = true;
            }
        }
        g->first.l2 = w->l2 < g->first.l2 ? w->l2 : g->first.l2;
    }
    return any;
}

/* Tells the partition of the DRAM cycles that passed without it, up to `cycle`. */
static void dram_pass(struct gpu *g, int p, uint64_t cycle)
{
    struct part_wake *w = &g->part_wake[p];
    if (w->seen < cycle)
        partition_skip(g->part[p], cycle - w->seen);
    w->seen = cycle;
}

void gpu_dram_catch_up(struct gpu *g)
{
    for (int p = 0; p < g->cfg.mem.partition.count; p++)
        dram_pass(g, p, g->dram_cycle);
}

static bool dram_tick_due(struct gpu *g, int p)
{
    struct part_wake *w = &g->part_wake[p];
    dram_pass(g, p, g->dram_cycle - 1);
    w->seen = g->dram_cycle;
    const bool moved = partition_dram_tick(g->part[p], g->now);
    w->dram = g->dram_cycle + 1 + partition_dram_quiet(g->part[p], &w->delay);
    if (moved)
        w->l2 = g->first.l2 = 0;
    return moved;
}

static bool partitions_dram(struct gpu *g)
{
    bool moved = false;
    g->first.dram = UINT64_MAX;
    g->first.delay = CYCLE_NEVER;
    for (int p = 0; p < g->cfg.mem.partition.count; p++) {
        const struct part_wake *w = &g->part_wake[p];
        if (w->dram <= g->dram_cycle || w->delay <= g->now)
            moved |= dram_tick_due(g, p);
        g->first.dram = w->dram < g->first.dram ? w->dram : g->first.dram;
        g->first.delay = w->delay < g->first.delay ? w->delay : g->first.delay;
    }
    return moved;
}

static bool core_tick(struct gpu *g, int i)
{
    if (g->wake[i] > g->now)
        return false;
    const bool moved = sm_tick(g->sm[i], g->now);
    gpu_core_wakes(g, i);
    const int ended = sm_take_completed(g->sm[i]);
    g->completed += (uint64_t)ended;
    g->dispatch_due |= ended > 0;
    return moved;
}

/* Within a cluster the order is whose turn it is to send. */
static bool clusters_tick(struct gpu *g)
{
    const int size = g->cfg.top.cluster_size, nodes = (g->cfg.top.cores + size - 1) / size;
    bool moved = false;
    for (int i = 0; i < nodes; i++) {
        const int node = g->reverse ? nodes - 1 - i : i, base = node * size;
        const int first = concentrator_first(g->req_ports, node) - base;
        for (int k = 0; k < size; k++) {
            const int core = base + (first + k) % size;
            if (core < g->cfg.top.cores)
                moved |= core_tick(g, core);
        }
    }
    return moved;
}

static bool cores_tick(struct gpu *g)
{
    const int n = g->cfg.top.cores;
    bool moved = false;
    if (g->req_ports)
        return clusters_tick(g);
    for (int i = 0; i < n; i++)
        moved |= core_tick(g, g->reverse ? n - 1 - i : i);
    return moved;
}

/* A core that has room gets a CTA a cycle; one gets room only when a CTA ends. */
static bool start_ctas(struct gpu *g)
{
    const bool any = dispatch_tick(&g->dispatch, g->sm, g->now);
    for (int i = 0; any && i < g->cfg.top.cores; i++)
        gpu_core_wakes(g, i);
    g->dispatch_due = dispatch_goes_on(&g->dispatch, any);
    return any;
}

/* Domains whose edges may find something to do, until something moves; DRAM: because of its latency
 * queue. */
static unsigned awake(const struct gpu *g)
{
    unsigned set = 1u << CLOCK_CORE;
    if (g->replies || *g->req_busy || *g->reply_busy)
        set |= 1u << CLOCK_ICNT;
    if (*g->req_ready || g->now >= g->first.l2)
        set |= 1u << CLOCK_L2;
    if (g->now >= g->first.delay)
        set |= 1u << CLOCK_DRAM;
    return set;
}

/* A step of the clock without what the cores do at its end; true: something moved. */
static bool memory_step(struct gpu *g, unsigned due)
{
    bool moved = false;
    if (due & 1u << CLOCK_CORE)
        moved |= replies_arrive(g);
    if (due & 1u << CLOCK_ICNT && g->replies)
        moved |= replies_leave(g);
    if (due & 1u << CLOCK_DRAM && (g->dram_cycle >= g->first.dram || g->now >= g->first.delay))
        moved |= partitions_dram(g);
    if (due & 1u << CLOCK_L2 && (*g->req_ready || g->now >= g->first.l2))
        moved |= partitions_l2(g);
    if (due & 1u << CLOCK_ICNT && *g->req_busy)
        moved |= g->icnt->tick(g->req_net);
    if (due & 1u << CLOCK_ICNT && *g->reply_busy)
        moved |= g->icnt->tick(g->reply_net);
    return moved;
}

bool gpu_cycle(struct gpu *g)
{
    bool moved = false;
    unsigned due, set = awake(g);
    do {
        due = clock_step(&g->clock);
        g->dram_cycle += due >> CLOCK_DRAM & 1;
        if ((due & set || g->dram_cycle >= g->first.dram) && memory_step(g, due)) {
            moved = true;
            set = awake(g);
        }
    } while (!(due & 1u << CLOCK_CORE));
    moved |= cores_tick(g);
    if (g->dispatch_due)
        moved |= start_ctas(g);
    g->now++;
    return moved;
}

cycle_t gpu_next_event(const struct gpu *g)
{
    if (g->dispatch_due || !g->icnt->idle(g->req_net) || !g->icnt->idle(g->reply_net))
        return g->now;
    cycle_t next = CYCLE_NEVER;
    for (int i = 0; i < g->cfg.top.cores && next > g->now; i++) {
        next = g->wake[i] < next ? g->wake[i] : next;
    }
    for (int p = 0; p < g->cfg.mem.partition.count && next > g->now; p++) {
        const cycle_t t = partition_next_event(g->part[p], g->now);
        next = t < next ? t : next;
    }
    return next;
}

void gpu_jump(struct gpu *g, cycle_t target)
{
    uint64_t skipped[CLOCK_DOMAINS];
    clock_jump(&g->clock, target - g->now + 1, skipped);
    g->now = target;
    g->dram_cycle += skipped[CLOCK_DRAM];
}

bool gpu_drained(const struct gpu *g)
{
    if (req_pool_live(g->pool) || !g->icnt->idle(g->req_net) || !g->icnt->idle(g->reply_net))
        return false;
    for (int i = 0; i < g->cfg.top.cores; i++)
        if (!sm_drained(g->sm[i]))
            return false;
    for (int p = 0; p < g->cfg.mem.partition.count; p++)
        if (!partition_idle(g->part[p]))
            return false;
    return true;
}
