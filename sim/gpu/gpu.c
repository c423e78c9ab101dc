/* sim/gpu/gpu.c -- builds the GPU and runs one launch. When every core sleeps and nothing moves in
 * networks and channels, the clock jumps to the next stamp at which something can happen. */
#include "sim/func/cta_cluster.h"
#include "sim/gpu/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY 100000 /* core cycles between two looks, where opts says nothing */
#define MOST_LOOKS 64     /* ... between two looks whether anything can go on */

struct gpu *gpu_new(const struct gpu_cfg *cfg, struct err *e)
{
    if (!gpu_cfg_check(cfg, e))
        return NULL;
    struct gpu *g = xcalloc(1, sizeof *g);
    g->cfg = *cfg;
    uncore_init(&g->uncore, &g->cfg, &(struct uncore_cores){g, gpu_replies});
    const int cores = cfg->top.cores;
    g->env = (struct sm_env){.cfg = &g->cfg.sm,
                             .mem = &g->cfg.mem,
                             .icnt_cfg = &g->cfg.icnt,
                             .icnt = g->uncore.icnt,
                             .req_net = g->uncore.req_net,
                             .reply_net = g->uncore.reply_net,
                             .pool = g->uncore.pool,
                             .map = &g->uncore.map,
                             .cores = cores,
                             .core_period_ps = 1000000 / (psec_t)cfg->clock.core};
    g->sm = xcalloc((size_t)cores, sizeof *g->sm);
    g->wake = xcalloc((size_t)cores, sizeof *g->wake);
    for (int i = 0; i < cores; i++)
        g->sm[i] = sm_new(&g->env, i);
    dispatch_init(&g->dispatch,
                  &(struct dispatch_env){.policy = cta_scheduler_find(g->cfg.cta.cta_scheduler),
                                         .cfg = &g->cfg.cta,
                                         .sm = g->sm,
                                         .cores = cores});
    return g;
}

void gpu_free(struct gpu *g)
{
    if (!g)
        return;
    for (int i = 0; i < g->cfg.top.cores; i++)
        sm_free(g->sm[i]);
    uncore_fini(&g->uncore);
    dispatch_fini(&g->dispatch);
    free(g->sm);
    free(g->wake);
    sm_code_free(&g->code);
    free(g);
}

void gpu_copy_caches(struct gpu *g, const struct gpu *from)
{
    for (int i = 0; i < g->cfg.top.cores; i++)
        sm_copy_caches(g->sm[i], from->sm[i]);
    for (int i = 0; i < g->cfg.mem.partition.count; i++)
        partition_copy_l2(g->uncore.part[i], from->uncore.part[i]);
    g->dispatch.last = from->dispatch.last;
}

int gpu_regs(const struct gpu_cfg *cfg, const struct launch *l)
{
    const struct sm_cfg *c = &cfg->sm;
    const struct kernel *k = l->kernel;
    const int regs = launch_regs(l);
    const int ctas = k->minnctapersm ? k->minnctapersm : 1;
    if (l->regs_override || !k->maxntid[0])
        return regs;
    int threads = launch_most_threads(k);
    threads = (threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    int most = c->registers / threads / ctas;
    most -= most % c->register_granularity;
    return most > 0 && most < regs ? most : regs;
}

int gpu_occupancy(const struct gpu_cfg *cfg, const struct launch *l, enum occ_limit *why)
{
    const int regs = gpu_regs(cfg, l);
    return occupancy(&cfg->sm, launch_threads(l), regs, (int)launch_shared(l), why);
}

struct cta_resources gpu_cta_resources(const struct gpu_cfg *cfg, const struct launch *l)
{
    struct cta_resources k = {.threads = launch_threads(l),
                              .regs = gpu_regs(cfg, l),
                              .static_shared = l->kernel->shared_bytes,
                              .all_shared = launch_shared(l)};
    k.n_max = gpu_occupancy(cfg, l, &k.limit);
    return k;
}

int gpu_resident_ctas(const struct gpu_cfg *cfg, const struct launch *l)
{
    return gpu_occupancy(cfg, l, NULL) * cfg->top.cores;
}

/* CTAs of a core when each has as many. */
static uint64_t even_share(const struct gpu_cfg *cfg, uint64_t ctas)
{
    return (ctas + (uint64_t)cfg->top.cores - 1) / (uint64_t)cfg->top.cores;
}

int gpu_most_degree(const struct gpu_cfg *cfg, const struct launch *l)
{
    const uint64_t even = even_share(cfg, launch_ctas(l));
    const int n = gpu_occupancy(cfg, l, NULL);
    return even < (uint64_t)n ? (int)even : n;
}

int gpu_least_degree(const struct gpu_cfg *cfg, const struct launch *l)
{
    const uint64_t cores = (uint64_t)cfg->top.cores;
    const uint64_t ctas = l->workspace ? launch_ctas(l) : (uint64_t)launch_cluster_ctas(l);
    return (int)((ctas + cores - 1) / cores);
}

bool gpu_has_room(const struct gpu_cfg *cfg, const struct launch *l, struct err *e)
{
    enum occ_limit why;
    const int n = gpu_occupancy(cfg, l, &why);
    if (n >= gpu_least_degree(cfg, l))
        return true;
    if (n == 0)
        return err_set(e, "kernel %s: one CTA does not fit on a core of this GPU for want of %s",
                       l->kernel->name, occ_limit_name(why));
    if (l->workspace)
        return err_set(e, "kernel %s: not all CTAs of the cooperative launch fit on the GPU",
                       l->kernel->name);
    return err_set(e,
                   "kernel %s: a cluster of %d CTAs does not fit on the GPU: %d cores hold %d of "
                   "them each, for want of %s",
                   l->kernel->name, launch_cluster_ctas(l), cfg->top.cores, n, occ_limit_name(why));
}

struct watch { /* what the main loop keeps an eye on */
    cycle_t start, last_move, next_look, next_work;
    uint64_t done, all;
    bool may_wait;           /* CTAs of the grid are left out, for which those here may wait */
    uint64_t seen;           /* CTAs that had ended when it was looked at last */
    int look_in, look_every; /* calls of look() until it is asked whether anything can go on */
    struct observer observer;
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
           l->kernel->name, g->now, req_pool_live(g->uncore.pool));
}

static bool over_limit(struct gpu *g, struct launch *l, uint64_t max, struct err *e)
{
    struct fault f = {.kind = FAULT_LIMIT};
    bool any = false;
    for (int i = 0; i < g->cfg.top.cores && !any; i++)
        any = sm_any_running(g->sm[i], &f);
    if (!any)
        return err_set(e, "kernel %s: not finished after %" PRIu64 " cycles (--max-cycles)",
                       l->kernel->name, max);
    snprintf(f.detail, sizeof f.detail, "still running after %" PRIu64 " cycles (--max-cycles)",
             max);
    return fault_to_err(&f, l, e);
}

static bool all_stuck(const struct gpu *g)
{
    bool all = g->dispatch.tick == CYCLE_NEVER; /* the policy may let more CTAs in */
    for (int i = 0; i < g->cfg.top.cores && all; i++)
        all = sm_stuck(g->sm[i]);
    return all;
}

static bool never_ends(struct gpu *g, struct launch *l, struct err *e)
{
    for (int i = 0; i < g->cfg.top.cores; i++)
        if (sm_never_ends(g->sm[i], g->dispatch.end - g->dispatch.next))
            return fault_to_err(sm_fault(g->sm[i]), l, e);
    BUG_ON(true, "kernel %s: no CTA is there to be stuck", l->kernel->name);
}

/* False: the CTAs that are there can never end, which is the launch's fault. No cycle passes while
 * they are stuck. */
static bool may_go_on(struct gpu *g, struct launch *l, struct watch *w, struct err *e)
{
    bool stuck = false;
    if (w->may_wait)
        return true;
    if (w->seen != w->done) {
        w->look_in = w->look_every = 1;
    } else if (--w->look_in <= 0) {
        stuck = all_stuck(g);
        w->look_every = stuck ? 1 : w->look_every < MOST_LOOKS ? w->look_every * 2 : MOST_LOOKS;
        w->look_in = w->look_every;
    }
    w->seen = w->done;
    for (; stuck; stuck = all_stuck(g))
        if (!l->others || !l->others(l->others_user, true))
            return never_ends(g, l, e);
    if (l->others)
        l->others(l->others_user, false);
    return true;
}

static cycle_t next_look(const struct gpu *g, const struct gpu_opts *o)
{
    return g->now + (o->progress_every ? o->progress_every : LOOK_EVERY);
}

/* Faults, limits, progress: looked at now and then, not every cycle. */
static bool look(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct watch *w,
                 struct err *e)
{
    w->next_look = next_look(g, o);
    if (find_fault(g, l, e))
        return false;
    if (g->now - w->last_move > HANG_CYCLES)
        return hang(g, l, e);
    if (o->progress && !o->progress(o->progress_user, w->done, w->all, g->now - w->start))
        return err_set(e, "stopped");
    return may_go_on(g, l, w, e);
}

static uint64_t issued(struct gpu *g, const struct watch *w)
{
    uint64_t sum = w->observer.counted;
    for (int i = 0; i < g->cfg.top.cores; i++)
        sum += sm_issued(g->sm[i]);
    return sum;
}

static uint64_t polled(const struct gpu *g)
{
    uint64_t sum = 0;
    for (int i = 0; i < g->cfg.top.cores; i++)
        sum += sm_polls(g->sm[i]);
    return sum;
}

static uint64_t waiting(const struct gpu *g)
{
    uint64_t sum = 0;
    for (int i = 0; i < g->cfg.top.cores; i++)
        sum += sm_waiting(g->sm[i], g->now);
    return sum;
}

/* False: whoever watches what is done has seen enough. */
static bool count_done(struct gpu *g, const struct gpu_opts *o, struct watch *w)
{
    if (w->done == g->completed && g->now < w->next_work)
        return true;
    w->done = g->completed;
    w->next_work = o->work_every ? g->now + o->work_every : CYCLE_NEVER;
    if (!o->work)
        return true;
    const struct gpu_work now = {.ctas = w->done,
                                 .cycles = g->now - w->start,
                                 .warp_insts = issued(g, w),
                                 .polls = polled(g),
                                 .waiting = waiting(g)};
    return o->work(o->work_user, &now);
}

static bool run_loop(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct watch *w,
                     struct err *e)
{
    while (w->done < w->all) {
        const bool moved = gpu_cycle(g);
        if (moved)
            w->last_move = g->now;
        if (!count_done(g, o, w))
            break;
        if (o->max_cycles && g->now - w->start >= o->max_cycles && w->done < w->all)
            return over_limit(g, l, o->max_cycles, e);
        if (o->max_warp_insts && issued(g, w) > o->max_warp_insts)
            break;
        if (g->now >= w->next_look && !look(g, l, o, w, e))
            return false;
        if (g->now == w->observer.at && w->done < w->all)
            observer_row(&w->observer, g);
        if (moved)
            continue;
        cycle_t next = gpu_next_event(g);
        if (next == CYCLE_NEVER)
            return find_fault(g, l, e) ? false : hang(g, l, e);
        if (o->max_cycles && next > w->start + o->max_cycles)
            next = w->start + o->max_cycles;
        next = next < w->observer.at ? next : w->observer.at;
        /* Steps of other domains between the core's edges next - 1 and next see cycle `next`
         * already, so they are walked through. */
        if (next > g->now + 1)
            gpu_jump(g, next - 1);
    }
    return !find_fault(g, l, e);
}

bool gpu_launch(struct gpu *g, struct launch *l, const struct gpu_opts *o, struct run_stats *out,
                struct err *e)
{
    const enum threads threads = sm_cfg_threads(&g->cfg.sm);
    if (threads != THREADS_BY_TARGET)
        l->threads = threads;
    if (!launch_init(l, e))
        return false;
    int n = gpu_occupancy(&g->cfg, l, NULL);
    const uint64_t grid = launch_ctas(l);
    const uint64_t all = o->num_ctas ? o->num_ctas : grid;
    BUG_ON(!o->cta_list && o->first_cta + all > grid, "CTAs outside of the grid");
    if (!gpu_has_room(&g->cfg, l, e))
        return false;
    const int least = gpu_least_degree(&g->cfg, l);
    const bool clustered = launch_cluster_ctas(l) > 1;
    const uint64_t even = even_share(&g->cfg, all);
    const int fits = o->n < least ? least : o->n < n ? o->n : n;
    n = o->only_core < 0 && even < (uint64_t)fits ? (int)even : fits;
    sm_code_free(&g->code);
    sm_code_build(&g->code, l->kernel, &g->cfg.sm);
    g->code.counts = o->inst_counts;
    for (int i = 0; i < g->cfg.top.cores; i++) {
        if (g->cfg.top.flush_l1)
            sm_flush_l1(g->sm[i]);
        sm_launch(g->sm[i], l, &g->code, n, o->trace_working_set);
        if (o->code_since)
            sm_ran_before(g->sm[i], o->code_since);
        gpu_core_wakes(g, i);
    }
    g->completed = 0;
    g->clusters = l->clusters = cta_clusters_new(l);
    const struct dispatch_launch d = {.first = o->first_cta,
                                      .end = o->first_cta + all,
                                      .list = o->cta_list,
                                      .n = n,
                                      .fits = fits,
                                      .only_core = o->only_core,
                                      .clustered = clustered ? l : NULL,
                                      .together = l->workspace != 0 || clustered,
                                      .predictor = o->predictor};
    dispatch_begin(&g->dispatch, &d, g->now);
    clock_launch(&g->uncore.clock);
    g->reverse = o->reverse_ticks;
    for (int i = 0; i < g->cfg.mem.partition.count; i++)
        partition_l2_warm(g->uncore.part[i], o->warm);
    struct watch w = {.start = g->now,
                      .last_move = g->now,
                      .next_look = next_look(g, o),
                      .next_work = o->work_every ? g->now + o->work_every : CYCLE_NEVER,
                      .all = all,
                      .may_wait = all < grid && !o->alone,
                      .look_in = 1,
                      .look_every = 1};
    observer_start(&w.observer, g, o, out);
    const bool ok = run_loop(g, l, o, &w, e);
    observer_row(&w.observer, g);
    cta_clusters_free(l->clusters);
    g->clusters = l->clusters = NULL;
    return ok;
}

const char *gpu_note(const struct gpu *g)
{
    return g->code.note;
}

bool gpu_drain(struct gpu *g, uint64_t max_cycles)
{
    for (const cycle_t until = g->now + max_cycles; g->now < until && !gpu_drained(g);)
        gpu_cycle(g);
    return gpu_drained(g);
}
