/* sim/gpu/gpu.c -- builds the GPU and runs one launch.
 *
 * One step of the clock visits the parts whose domain has an edge, in GPGPU-Sim 3.2.1's order:
 *   core: replies into the cores | icnt: partitions -> reply network | DRAM | L2: request network
 * -> partitions, L2 | icnt: both networks move | core: cores, then CTA dispatch. When every core
 * sleeps and nothing moves in networks and channels, the clock jumps to the next stamp at which
 * something can happen. */
#include "sim/gpu/gpu.h"

#include "sim/cta/dispatch.h"
#include "sim/gpu/clock.h"
#include "sim/icnt/icnt.h"
#include "sim/mem/partition.h"
#include "sim/sm/occupancy.h"
#include "sim/sm/sm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_EVERY 100000  /* core cycles between two calls of opts.progress */
#define HANG_CYCLES    2000000 /* core cycles without any progress: nothing will ever move again */

struct gpu {
    struct gpu_cfg cfg;
    struct clock clock;
    struct addrmap map;
    struct sm_env env;
    const struct icnt_ops *icnt;
    void *req_net, *reply_net; /* owned */
    struct req_pool *pool;     /* owned */
    struct sm **sm;            /* owned, cfg.top.cores of them */
    struct partition **part;   /* owned, cfg.mem.partition.count of them */
    struct dispatch dispatch;
    /* Most parts sleep in most steps; what follows tells without asking each of them. */
    const uint64_t *req_ready, *reply_ready; /* borrowed: outputs of the networks with packets */
    uint64_t buffered[ICNT_WORDS];           /* cores that have replies in front of them */
    cycle_t *wake;                           /* owned, by core: sm_wake_at */
    bool replies_wait;                       /* a partition may have a reply for the network */
    bool dispatch_due;                       /* a CTA may start */
    cycle_t l2_quiet;                        /* no partition's l2_tick does anything before */
    /* DRAM: ticks left out since the last one; as many may be, before this core cycle. */
    uint64_t dram_left_out, dram_quiet;
    cycle_t delay_quiet;
    uint64_t completed;                     /* CTAs */
    cycle_t now;                            /* core cycles since gpu_new */
    struct icnt_stats req_seen, reply_seen; /* network counters already reported */
};

struct gpu *gpu_new(const struct gpu_cfg *cfg, struct err *e)
{
    if (!gpu_cfg_check(cfg, e))
        return NULL;
    struct gpu *g = xcalloc(1, sizeof *g);
    g->cfg = *cfg;
    clock_init(&g->clock, &cfg->clock, NULL);
    addrmap_init(&g->map, &g->cfg.mem);
    const int cores = cfg->top.cores, parts = cfg->mem.partition.count;
    g->icnt = icnt_find(cfg->icnt.topology);
    g->req_net = g->icnt->create(&g->cfg.icnt, cores, parts);
    g->reply_net = g->icnt->create(&g->cfg.icnt, parts, cores);
    g->req_ready = g->icnt->ready(g->req_net);
    g->reply_ready = g->icnt->ready(g->reply_net);
    g->pool = req_pool_new();
    g->env = (struct sm_env){.cfg = &g->cfg.sm,
                             .mem = &g->cfg.mem,
                             .icnt_cfg = &g->cfg.icnt,
                             .icnt = g->icnt,
                             .req_net = g->req_net,
                             .reply_net = g->reply_net,
                             .pool = g->pool,
                             .map = &g->map,
                             .cores = cores,
                             .core_period_ps = 1000000 / (psec_t)cfg->clock.core};
    g->sm = xcalloc((size_t)cores, sizeof *g->sm);
    g->wake = xcalloc((size_t)cores, sizeof *g->wake);
    for (int i = 0; i < cores; i++)
        g->sm[i] = sm_new(&g->env, i);
    g->part = xcalloc((size_t)parts, sizeof *g->part);
    for (int i = 0; i < parts; i++)
        g->part[i] = partition_new(&g->cfg.mem, i, g->pool);
    dispatch_init(&g->dispatch, cta_policy_find(cfg->top.dispatch), cores);
    return g;
}

void gpu_free(struct gpu *g)
{
    if (!g)
        return;
    for (int i = 0; i < g->cfg.top.cores; i++)
        sm_free(g->sm[i]);
    for (int i = 0; i < g->cfg.mem.partition.count; i++)
        partition_free(g->part[i]);
    g->icnt->destroy(g->req_net);
    g->icnt->destroy(g->reply_net);
    req_pool_free(g->pool);
    free(g->sm);
    free(g->wake);
    free(g->part);
    free(g);
}

/* Registers a thread. With .minnctapersm the code generator spares them until that many CTAs of
 * .maxntid threads fit on a core (PTX ISA, performance-tuning directives). */
static int spared_regs(const struct sm_cfg *c, const struct launch *l)
{
    const struct kernel *k = l->kernel;
    const int regs = launch_regs(l);
    if (l->regs_override || !k->minnctapersm || !k->maxntid[0])
        return regs;
    int threads = k->maxntid[0];
    for (int d = 1; d < 3; d++)
        threads *= k->maxntid[d] ? k->maxntid[d] : 1;
    threads = (threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    int most = c->registers / threads / k->minnctapersm;
    most -= most % c->register_granularity;
    return most > 0 && most < regs ? most : regs;
}

int gpu_occupancy(const struct gpu_cfg *cfg, const struct launch *l, enum occ_limit *why)
{
    const int regs = spared_regs(&cfg->sm, l);
    return occupancy(&cfg->sm, launch_threads(l), regs, (int)launch_shared(l), why);
}

static void core_wakes(struct gpu *g, int i)
{
    g->wake[i] = sm_wake_at(g->sm[i], g->now);
}

static bool replies_arrive(struct gpu *g)
{
    bool moved = false;
    for (int w = 0; w * 64 < g->cfg.top.cores; w++)
        for (uint64_t m = g->reply_ready[w] | g->buffered[w]; m; m &= m - 1) {
            const int i = w * 64 + __builtin_ctzll(m);
            const uint64_t bit = m & -m;
            moved |= sm_replies(g->sm[i], g->now);
            g->buffered[w] =
                sm_replies_wait(g->sm[i]) ? g->buffered[w] | bit : g->buffered[w] & ~bit;
            core_wakes(g, i);
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

static void dram_catch_up(struct gpu *g)
{
    if (g->dram_left_out)
        for (int p = 0; p < g->cfg.mem.partition.count; p++)
            partition_skip(g->part[p], g->dram_left_out);
    g->dram_left_out = 0;
}

static bool partitions_dram(struct gpu *g)
{
    if (g->dram_left_out < g->dram_quiet && g->now < g->delay_quiet) {
        g->dram_left_out++;
        return false;
    }
    dram_catch_up(g);
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

static bool cores_tick(struct gpu *g)
{
    bool moved = false;
    for (int i = 0; i < g->cfg.top.cores; i++) {
        if (g->wake[i] > g->now)
            continue;
        moved |= sm_tick(g->sm[i], g->now);
        core_wakes(g, i);
        const int ended = sm_take_completed(g->sm[i]);
        g->completed += (uint64_t)ended;
        g->dispatch_due |= ended > 0;
    }
    return moved;
}

/* A core that has room gets a CTA a cycle; one gets room only when a CTA ends. */
static bool start_ctas(struct gpu *g)
{
    if (!g->dispatch_due)
        return false;
    g->dispatch_due = dispatch_tick(&g->dispatch, g->sm, g->now);
    for (int i = 0; i < g->cfg.top.cores; i++)
        core_wakes(g, i);
    return g->dispatch_due;
}

/* One step of the clock; *core_edge tells whether it held a core cycle. True: something moved. */
static bool gpu_step(struct gpu *g, bool *core_edge)
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

/* The next core cycle at which anything can happen, given that this step moved nothing. */
static cycle_t next_event(const struct gpu *g)
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

static void jump_to(struct gpu *g, cycle_t target)
{
    uint64_t skipped[CLOCK_DOMAINS];
    clock_jump(&g->clock, target - g->now + 1, skipped);
    g->now = target;
    g->dram_left_out += skipped[CLOCK_DRAM];
}

struct watch { /* what the main loop keeps an eye on */
    cycle_t start, last_move, next_look;
    uint64_t done, all;
};

static bool find_fault(struct gpu *g, struct launch *l, struct err *e)
{
    for (int i = 0; i < g->cfg.top.cores; i++) {
        const struct fault *f = sm_fault(g->sm[i]);
        if (f) {
            fault_to_err(f, l, e);
            return true;
        }
    }
    return false;
}

static bool hang(struct gpu *g, struct launch *l, struct err *e)
{
    for (int i = 0; i < g->cfg.top.cores; i++)
        if (sm_diagnose_hang(g->sm[i]))
            return fault_to_err(sm_fault(g->sm[i]), l, e);
    BUG_ON(true, "kernel %s: nothing moves at cycle %" PRIu64 ", %" PRIu64 " requests alive",
           l->kernel->name, g->now, req_pool_live(g->pool));
}

static bool over_limit(struct gpu *g, struct launch *l, uint64_t max, struct err *e)
{
    struct fault f = {.kind = FAULT_LIMIT};
    const struct warp *w = NULL;
    for (int i = 0; i < g->cfg.top.cores && !w; i++)
        if (!sm_any_running(g->sm[i], &f.inst, &w))
            w = NULL;
    if (!w)
        return err_set(e, "kernel %s: not finished after %" PRIu64 " cycles (--max-cycles)",
                       l->kernel->name, max);
    const lanes_t top = w->stack[w->depth - 1].mask;
    const int tid = w->index * WARP_SIZE + (top ? __builtin_ctz(top) : 0);
    memcpy(f.cta, w->cta->id, sizeof f.cta);
    f.thread[0] = tid % l->block[0];
    f.thread[1] = tid / l->block[0] % l->block[1];
    f.thread[2] = tid / l->block[0] / l->block[1];
    snprintf(f.detail, sizeof f.detail, "still running after %" PRIu64 " cycles (--max-cycles)",
             max);
    return fault_to_err(&f, l, e);
}

/* Faults, limits, progress: looked at now and then, not every cycle. */
static bool look(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct watch *w,
                 struct err *e)
{
    w->next_look = g->now + PROGRESS_EVERY;
    if (find_fault(g, l, e))
        return false;
    if (g->now - w->last_move > HANG_CYCLES)
        return hang(g, l, e);
    if (o->progress && !o->progress(o->progress_user, w->done, w->all, g->now - w->start))
        return err_set(e, "stopped");
    return true;
}

static bool run_loop(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct watch *w,
                     struct err *e)
{
    while (w->done < w->all) {
        bool core_edge;
        const bool moved = gpu_step(g, &core_edge);
        if (moved)
            w->last_move = g->now;
        if (!core_edge)
            continue;
        w->done = g->completed;
        if (o->max_cycles && g->now - w->start >= o->max_cycles && w->done < w->all)
            return over_limit(g, l, o->max_cycles, e);
        if (g->now >= w->next_look && !look(g, l, o, w, e))
            return false;
        if (moved)
            continue;
        cycle_t next = next_event(g);
        if (next == CYCLE_NEVER)
            return find_fault(g, l, e) ? false : hang(g, l, e);
        if (o->max_cycles && next > w->start + o->max_cycles)
            next = w->start + o->max_cycles;
        /* Steps of other domains between the core's edges next - 1 and next see cycle `next`
         * already, so they are walked through. */
        if (next > g->now + 1)
            jump_to(g, next - 1);
    }
    return !find_fault(g, l, e);
}

static void collect(struct gpu *g, cycle_t start, struct run_stats *out)
{
    dram_catch_up(g);
    for (int i = 0; i < g->cfg.top.cores; i++)
        sm_stats(g->sm[i], g->now, out);
    for (int p = 0; p < g->cfg.mem.partition.count; p++)
        partition_stats(g->part[p], out);
    struct icnt_stats req, reply;
    g->icnt->stats(g->req_net, &req);
    g->icnt->stats(g->reply_net, &reply);
    out->icnt_flits_to_mem += req.flits - g->req_seen.flits;
    out->icnt_flits_to_core += reply.flits - g->reply_seen.flits;
    g->req_seen = req;
    g->reply_seen = reply;
    out->cycles += g->now - start;
    out->core_cycles += (g->now - start) * (uint64_t)g->cfg.top.cores;
}

bool gpu_launch(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct run_stats *out,
                struct err *e)
{
    if (!launch_init(l, e))
        return false;
    enum occ_limit why;
    int n = gpu_occupancy(&g->cfg, l, &why);
    if (n == 0)
        return err_set(e, "kernel %s: one CTA does not fit on a core of this GPU for want of %s",
                       l->kernel->name, occ_limit_name(why));
    const uint64_t grid = launch_ctas(l);
    const uint64_t all = o->num_ctas ? o->num_ctas : grid;
    BUG_ON(o->first_cta + all > grid, "CTAs outside of the grid");
    const uint64_t even = (all + (uint64_t)g->cfg.top.cores - 1) / (uint64_t)g->cfg.top.cores;
    n = o->n < n ? o->n : n;
    n = o->only_core < 0 && even < (uint64_t)n ? (int)even : n;
    for (int i = 0; i < g->cfg.top.cores; i++) {
        if (g->cfg.top.flush_l1)
            sm_flush_l1(g->sm[i]);
        sm_launch(g->sm[i], l, n, o->trace_working_set);
        core_wakes(g, i);
    }
    g->completed = 0;
    g->dispatch_due = true;
    dispatch_launch(&g->dispatch, o->first_cta, o->first_cta + all, n, o->only_core);
    clock_launch(&g->clock);
    struct watch w = {g->now, g->now, g->now + PROGRESS_EVERY, 0, all};
    if (!run_loop(g, l, o, &w, e))
        return false;
    collect(g, w.start, out);
    return true;
}
