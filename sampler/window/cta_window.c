#include "sampler/window/cta_window.h"

#include <math.h>
#include <stdlib.h>

#include "base/cpu_time.h"
#include "base/stats.h"
#include "sampler/window/cta_profile.h"
#include "sampler/window/interleave.h"
#include "sim/gpu/gpu.h"
#include "sim/sm/inst_run.h"

uint64_t cta_window_of_core(uint64_t cta, uint64_t cores, uint64_t grid)
{
    return (grid - cta % cores + cores - 1) / cores;
}

uint64_t cta_window_number(uint64_t cta, uint64_t cores, uint64_t grid, int k)
{
    const int64_t all = (int64_t)cta_window_of_core(cta, cores, grid);
    const int64_t at = (((int64_t)(cta / cores) + k) % all + all) % all;
    return cta % cores + (uint64_t)at * cores;
}

/* times: from what was counted to one CTA. */
static void fill_counters(struct sample *d, const struct run_stats *st, double times)
{
    d->warp_insts = times * (double)st->warp_insts;
    d->thread_insts = times * (double)st->thread_insts;
    d->l1d_accesses = times * (double)st->l1d_accesses;
    d->l1d_misses = times * (double)st->l1d_misses;
    d->dram_reads = times * (double)st->dram_reads;
    d->mf_latency = stats_rate(st, RATE_mf_latency);
    d->issue_cycles = times * (double)st->sched_issued;
    d->mem_dep_cycles = times * (double)st->sched_mem_dep;
    d->alu_dep_cycles = times * (double)st->sched_alu_dep;
    d->fetch_cycles = times * (double)st->sched_fetch;
    d->barrier_cycles = times * (double)st->sched_barrier;
    d->mem_unit_cycles = times * (double)st->sched_mem_unit;
    d->alu_unit_cycles = times * (double)st->sched_alu_unit;
    d->idle_cycles = times * (double)st->sched_idle;
}

static void fill_gpu(struct sample *d, const struct gpu_cfg *cfg)
{
    const struct cache_cfg *l1d = &cfg->mem.l1d;
    d->cores = cfg->top.cores;
    d->l1d_lines = l1d->enabled ? (double)l1d->size / l1d->line : 0;
    d->schedulers = cfg->sm.schedulers;
}

static uint64_t within(uint64_t bound, uint64_t max)
{
    return max && max < bound ? max : bound;
}

uint64_t cta_window_unpublished(uint64_t most_insts, const struct window_params *by)
{
    return (uint64_t)by->alone_least + (uint64_t)by->alone_times * most_insts;
}

uint64_t cta_window_alone(uint64_t most_insts, uint64_t launch_insts,
                          const struct window_params *by)
{
    return cta_window_unpublished(most_insts, by) + launch_insts;
}

static const struct window_params *rules(const struct cta_window *w)
{
    return &sampling_or_default(w->by)->window;
}

static uint64_t alone_insts(const struct cta_window *w)
{
    return cta_window_alone(w->most_insts, w->launch_insts, rules(w));
}

/* That is proved, or it has executed more than it can have to. */
static bool waits_for_others(const struct cta_window *w, const struct fault *why,
                             const struct cta_profile *a)
{
    return why->kind == FAULT_NEVER_ENDS ||
           (why->kind == FAULT_LIMIT && a->max_warp_insts >= alone_insts(w));
}

static void say_that_it_waits(const struct cta_window *w, const struct launch *l, uint64_t insts,
                              struct err *e)
{
    err_set(e,
            "kernel %s: CTA %llu alone has not come to its end after %llu warp instructions: it "
            "waits for other CTAs (a barrier of the whole grid, a lock), so one CTA alone says "
            "nothing; `search` simulates all, at every degree",
            l->kernel->name, (unsigned long long)w->cta, (unsigned long long)insts);
}

static uint64_t draws_least(const struct cta_window *w)
{
    return (uint64_t)rules(w)->draws_least;
}

/* Warp instructions of a CTA that draws work like the others. */
static uint64_t undrawn(const struct cta_window *w)
{
    return draws_least(w) + (uint64_t)rules(w)->draws_times * w->cta_insts;
}

/* It has executed more than that: whether it comes to its end. */
static bool ends(struct cta_window *w, const struct launch *l, uint64_t most)
{
    struct launch copy = *l;
    struct func_counts c = {0};
    struct err ignored;
    copy.why = NULL;
    const bool ok =
        inst_run(&copy,
                 &(struct func_opts){
                     .first_cta = w->cta, .num_ctas = 1, .alone = true, .max_warp_insts = most},
                 &c, &ignored);
    w->functional_warp_insts += c.warp_insts;
    return ok;
}

/* What executing it tells. Where it waits for others, the launch's fault says FAULT_NEVER_ENDS. */
static bool execute(struct cta_window *w, struct launch *l, struct sample *d, struct err *e)
{
    const uint64_t most = within(alone_insts(w), gpu_cfg_issue_bound(w->cfg, w->max_cycles));
    const bool may_draw = w->cta_insts && undrawn(w) < most;
    struct cta_profile a = {.cfg = w->cfg,
                            .by = rules(w),
                            .cta = w->cta,
                            .max_warp_insts = may_draw ? undrawn(w) : most,
                            .cta_insts = may_draw ? w->cta_insts : 0};
    struct fault why = {0}, *const before = l->why;
    double start = cpu_seconds();
    l->why = &why;
    bool ok = cta_profile_take(&a, l, d, e);
    if (!ok && may_draw && why.kind == FAULT_LIMIT) {
        ok = w->draws = ends(w, l, most);
        w->items = (double)a.taken * (double)w->launch_insts / (double)a.cta_warp_insts;
        why.kind = ok ? FAULT_NONE : FAULT_LIMIT;
        a.max_warp_insts = most;
    }
    l->why = before;
    if (!ok && waits_for_others(w, &why, &a)) {
        why.kind = FAULT_NEVER_ENDS;
        say_that_it_waits(w, l, a.warp_insts, e);
    }
    if (before && why.kind != FAULT_NONE)
        *before = why;
    w->functional_seconds += cpu_seconds() - start;
    w->functional_warp_insts += a.warp_insts;
    w->cta_warp_insts = w->draws ? w->cta_insts : a.cta_warp_insts;
    if (w->draws && !w->opts.max_insts)
        w->opts.max_insts = w->cta_insts > draws_least(w) ? w->cta_insts : draws_least(w);
    return ok;
}

struct measured {              /* a window under way */
    struct run_stats sum, cut; /* of the CTAs that came to their end; of one that did not */
    int ctas;
};

/* CTAs that came to their end count; of a first one that was cut short, what there is of it. */
static void fill_measured(struct sample *d, const struct measured *m, double executed_insts)
{
    d->window_insts = (double)(m->ctas ? m->sum.warp_insts : m->cut.warp_insts);
    if (m->ctas) {
        fill_counters(d, &m->sum, 1.0 / m->ctas);
        d->cta_cycles = stats_rate(&m->sum, RATE_cta_cycles);
    } else {
        const double times = executed_insts / d->window_insts;
        fill_counters(d, &m->cut, times);
        d->cta_cycles = times * (double)m->cut.cycles;
    }
}

/* CTAs -warm_up .. ctas - 1, until the limit. */
static bool run_ctas(struct cta_window *w, struct launch *l, struct gpu *g, struct measured *m,
                     struct err *e)
{
    const uint64_t cores = (uint64_t)w->cfg->top.cores, grid = launch_ctas(l);
    const int all = (int)fmin((double)cta_window_of_core(w->cta, cores, grid), INT32_MAX);
    const int ctas = w->opts.ctas < 1 ? 1 : w->opts.ctas < all ? w->opts.ctas : all;
    const int warm_up = w->opts.warm_up < all - ctas ? w->opts.warm_up : all - ctas;
    const uint64_t limit = w->opts.max_insts;
    for (int k = -warm_up; k < ctas; k++) {
        struct gpu_opts o = {.n = 1,
                             .max_cycles = w->max_cycles,
                             .max_warp_insts = limit && k >= 0 ? limit - m->sum.warp_insts : 0,
                             .first_cta = cta_window_number(w->cta, cores, grid, k),
                             .num_ctas = 1,
                             .only_core = 0};
        struct run_stats st = {0};
        const bool ok = gpu_launch(g, l, &o, &st, e);
        w->warp_insts += st.warp_insts;
        if (!ok)
            return false;
        if (!st.ctas)
            m->cut = st;
        else if (k >= 0) {
            m->ctas++;
            stats_add(&m->sum, &st);
        }
        if (limit && m->sum.warp_insts + m->cut.warp_insts >= limit)
            break;
    }
    return true;
}

/* The window itself, on a GPU that has run nothing before. Its CTAs are launched one by one, so
 * that each is counted alone; nothing is flushed in between. */
static bool simulate(struct cta_window *w, struct launch *l, struct sample *d, struct err *e)
{
    struct gpu_cfg cfg = *w->cfg;
    cfg.top.flush_l1 = false;
    struct gpu *g = gpu_new(&cfg, e);
    if (!g)
        return false;
    struct measured m = {0};
    double start = cpu_seconds();
    bool ok = run_ctas(w, l, g, &m, e);
    w->seconds += cpu_seconds() - start;
    gpu_free(g);
    if (ok)
        fill_measured(d, &m, (double)w->cta_warp_insts);
    fill_gpu(d, w->cfg);
    return ok;
}

/* How misses grow with n: a few CTAs of a core, executed side by side. One that draws its work does
 * what others leave it: all of it, if it is alone. */
static bool interleave(struct cta_window *w, struct launch *l, struct sample *d, struct err *e)
{
    const double start = cpu_seconds();
    const uint64_t most = w->draws ? w->opts.max_insts : 0;
    (void)e;
    w->functional_warp_insts += interleave_measure(w->cfg, l, w->cta, most, rules(w), d);
    w->functional_seconds += cpu_seconds() - start;
    return true;
}

/* Each step finds memory as the launch does. */
static bool on_a_share(struct cta_window *w, const struct launch *l, struct sample *d,
                       bool (*step)(struct cta_window *, struct launch *, struct sample *,
                                    struct err *),
                       struct err *e)
{
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    const bool ok = step(w, &copy, d, e);
    devmem_free(copy.mem);
    return ok;
}

bool cta_window_run(struct cta_window *w, struct launch *l, struct sample *d, struct err *e)
{
    return on_a_share(w, l, d, execute, e) && on_a_share(w, l, d, simulate, e) &&
           on_a_share(w, l, d, interleave, e);
}

bool cta_window_of(struct cta_window *w, struct launch *l, const struct run_stats *one,
                   struct sample *d, struct err *e)
{
    const struct measured m = {.sum = *one, .ctas = 1};
    if (!on_a_share(w, l, d, execute, e))
        return false;
    fill_measured(d, &m, (double)w->cta_warp_insts);
    fill_gpu(d, w->cfg);
    return on_a_share(w, l, d, interleave, e);
}
