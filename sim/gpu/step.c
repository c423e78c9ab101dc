/* A core cycle: what lies behind the cores moves (uncore.h), with it replies into the cores; then
 * the cores; then CTAs start. */
#include "sim/func/cta_cluster.h"
#include "sim/gpu/machine.h"

void gpu_core_wakes(struct gpu *g, int i)
{
    g->wake[i] = sm_wake_at(g->sm[i], g->now);
}

bool gpu_replies(void *gpu, cycle_t now)
{
    struct gpu *g = gpu;
    bool moved = false;
    for (int w = 0; w * 64 < g->cfg.top.cores; w++)
        for (uint64_t m = g->uncore.reply_ready[w] | g->buffered[w]; m; m &= m - 1) {
            const int i = w * 64 + __builtin_ctzll(m);
            const uint64_t bit = m & -m;
            moved |= sm_replies(g->sm[i], now);
            g->buffered[w] =
                sm_replies_wait(g->sm[i]) ? g->buffered[w] | bit : g->buffered[w] & ~bit;
            gpu_core_wakes(g, i);
        }
    return moved;
}

/* A policy may have paused or resumed CTAs. */
static void limits_changed(struct gpu *g)
{
    for (int i = 0; g->dispatch.pausing.on && i < g->cfg.top.cores; i++)
        gpu_core_wakes(g, i);
}

static bool core_tick(struct gpu *g, int i)
{
    if (g->wake[i] > g->now)
        return false;
    const bool moved = sm_tick(g->sm[i], g->now);
    gpu_core_wakes(g, i);
    if (sm_ended_ctas(g->sm[i])) {
        g->completed += (uint64_t)sm_ended_ctas(g->sm[i]);
        dispatch_ended(&g->dispatch, i, g->now);
        sm_forget_ended(g->sm[i]);
        limits_changed(g);
    }
    return moved;
}

/* Within a cluster the order is whose turn it is to send. */
static bool clusters_tick(struct gpu *g)
{
    const int size = g->cfg.top.cluster_size, nodes = (g->cfg.top.cores + size - 1) / size;
    bool moved = false;
    for (int i = 0; i < nodes; i++) {
        const int node = g->reverse ? nodes - 1 - i : i, base = node * size;
        const int first = concentrator_first(g->uncore.req_ports, node) - base;
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
    if (g->uncore.req_ports)
        return clusters_tick(g);
    for (int i = 0; i < n; i++)
        moved |= core_tick(g, g->reverse ? n - 1 - i : i);
    return moved;
}

/* A core that has room gets a CTA a cycle; one gets room only when a CTA ends. */
static bool start_ctas(struct gpu *g)
{
    const bool any = dispatch_start_ctas(&g->dispatch, g->now);
    for (int i = 0; any && i < g->cfg.top.cores; i++)
        gpu_core_wakes(g, i);
    return any;
}

/* Warps that waited for their cluster go on in the next cycle. */
static void barriers_opened(struct gpu *g)
{
    for (int i = 0; i < g->cfg.top.cores; i++) {
        sm_barriers_opened(g->sm[i], g->now);
        gpu_core_wakes(g, i);
    }
}

bool gpu_cycle(struct gpu *g)
{
    bool moved = uncore_cycle(&g->uncore, g->now);
    moved |= cores_tick(g);
    if (g->clusters && cta_clusters_settle(g->clusters))
        barriers_opened(g);
    if (g->dispatch.tick <= g->now) {
        dispatch_tick(&g->dispatch, g->now);
        limits_changed(g);
    }
    if (g->dispatch.due)
        moved |= start_ctas(g);
    g->now++;
    return moved;
}

cycle_t gpu_next_event(const struct gpu *g)
{
    if (g->dispatch.due)
        return g->now;
    cycle_t next = uncore_next_event(&g->uncore, g->now);
    next = g->dispatch.tick < next ? g->dispatch.tick : next;
    for (int i = 0; i < g->cfg.top.cores && next > g->now; i++)
        next = g->wake[i] < next ? g->wake[i] : next;
    return next;
}

void gpu_jump(struct gpu *g, cycle_t target)
{
    uncore_jump(&g->uncore, g->now, target);
    g->now = target;
}

bool gpu_drained(const struct gpu *g)
{
    for (int i = 0; i < g->cfg.top.cores; i++)
        if (!sm_drained(g->sm[i]))
            return false;
    return uncore_idle(&g->uncore);
}
