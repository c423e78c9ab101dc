/* One step of the clock visits the parts whose domain has an edge, in GPGPU-Sim 3.2.1's order:
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
    if (!g->replies_wait)
        return false;
    g->replies_wait = false;
    for (int p = 0; p < g->cfg.mem.partition.count; p++) {
        struct mem_req *r = partition_reply_peek(g->part[p]);
        if (!r)
            continue;
        g->replies_wait = true;
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

static bool partitions_l2(struct gpu *g)
{
    bool moved = false;
    if (!*g->req_ready && g->now < g->l2_quiet)
        return false;
    g->l2_quiet = CYCLE_NEVER;
    for (int p = 0; p < g->cfg.mem.partition.count; p++) {
        if (*g->req_ready >> p & 1 && partition_can_accept(g->part[p])) {
            struct mem_req *r = g->icnt->pop(g->req_net, p);
            if (r) {
                partition_push(g->part[p], r, g->now);
                moved = true;
            }
        }
        moved |= partition_l2_tick(g->part[p], g->now);
        const cycle_t quiet = partition_l2_quiet(g->part[p]);
        g->l2_quiet = quiet < g->l2_quiet ? quiet : g->l2_quiet;
    }
    if (moved) {
        g->replies_wait = true;
        g->dram_quiet = 0;
    }
    return moved;
}

void gpu_dram_catch_up(struct gpu *g)
{
    const uint64_t n = g->dram_left_out;
    g->dram_quiet -= n < g->dram_quiet ? n : g->dram_quiet;
    if (n)
        for (int p = 0; p < g->cfg.mem.partition.count; p++)
            partition_skip(g->part[p], n);
    g->dram_left_out = 0;
}

static bool partitions_dram(struct gpu *g)
{
    if (g->dram_left_out < g->dram_quiet && g->now < g->delay_quiet) {
        g->dram_left_out++;
        return false;
    }
    gpu_dram_catch_up(g);
    bool moved = false;
    g->dram_quiet = UINT64_MAX;
    g->delay_quiet = CYCLE_NEVER;
    for (int p = 0; p < g->cfg.mem.partition.count; p++) {
        moved |= partition_dram_tick(g->part[p], g->now);
        cycle_t core;
        const uint64_t ticks = partition_dram_quiet(g->part[p], &core);
        g->dram_quiet = ticks < g->dram_quiet ? ticks : g->dram_quiet;
        g->delay_quiet = core < g->delay_quiet ? core : g->delay_quiet;
    }
    if (moved)
        g->l2_quiet = 0;
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
    if (!g->dispatch_due)
        return false;
    g->dispatch_due = dispatch_tick(&g->dispatch, g->sm, g->now);
    for (int i = 0; i < g->cfg.top.cores; i++)
        gpu_core_wakes(g, i);
    return g->dispatch_due;
}

bool gpu_step(struct gpu *g, bool *core_edge)
{
    const unsigned due = clock_step(&g->clock);
    const bool core = due & 1u << CLOCK_CORE, icnt = due & 1u << CLOCK_ICNT;
    bool moved = false;
    if (core)
        moved |= replies_arrive(g);
    if (icnt)
        moved |= replies_leave(g);
    if (due & 1u << CLOCK_DRAM)
        moved |= partitions_dram(g);
    if (due & 1u << CLOCK_L2)
        moved |= partitions_l2(g);
    if (icnt) {
        moved |= g->icnt->tick(g->req_net);
        moved |= g->icnt->tick(g->reply_net);
    }
    *core_edge = core;
    if (core) {
        moved |= cores_tick(g);
        moved |= start_ctas(g);
        g->now++;
    }
    return moved;
}

cycle_t gpu_next_event(const struct gpu *g)
{
    if (!g->icnt->idle(g->req_net) || !g->icnt->idle(g->reply_net))
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
    g->dram_left_out += skipped[CLOCK_DRAM];
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
