#include "sampler/window.h"

#include <math.h>

#include "base/cpu_time.h"
#include "base/stats.h"
#include "sampler/anatomy.h"
#include "sim/gpu/gpu.h"

uint64_t window_nearest(const uint64_t *insts, uint64_t n, double mean)
{
    uint64_t best = 0;
    for (uint64_t i = 1; i < n; i++)
        if (fabs((double)insts[i] - mean) < fabs((double)insts[best] - mean))
            best = i;
    return best;
}

static void fill_counters(struct sample *d, const struct run_stats *st)
{
    d->warp_insts = (double)st->warp_insts;
    d->thread_insts = (double)st->thread_insts;
    d->cta_cycles = stats_rate(st, RATE_cta_cycles);
    d->l1d_accesses = (double)st->l1d_accesses;
    d->l1d_misses = (double)st->l1d_misses;
    d->l1d_merges = (double)st->l1d_merges;
    d->l1d_reservation_fails = (double)st->l1d_reservation_fails;
    d->dram_reads = (double)st->dram_reads;
    d->dram_writes = (double)st->dram_writes;
    d->mf_latency = stats_rate(st, RATE_mf_latency);
    d->working_set_lines = (double)st->working_set_lines;
    d->row_hit_rate = stats_rate(st, RATE_row_hit_rate);
    d->issue_cycles = (double)st->sched_issued;
    d->mem_dep_cycles = (double)st->sched_mem_dep;
    d->alu_dep_cycles = (double)st->sched_alu_dep;
    d->fetch_cycles = (double)st->sched_fetch;
    d->barrier_cycles = (double)st->sched_barrier;
    d->mem_unit_cycles = (double)st->sched_mem_unit;
    d->alu_unit_cycles = (double)st->sched_alu_unit;
    d->idle_cycles = (double)st->sched_idle;
}

static void fill_gpu(struct sample *d, const struct gpu_cfg *cfg)
{
    const struct cache_cfg *l1d = &cfg->mem.l1d;
    const struct dram_cfg *dram = &cfg->mem.dram;
    double channel_bytes = (double)dram->bus_bytes * dram->chips * dram->data_rate;
    d->cores = cfg->top.cores;
    d->l1d_lines = l1d->enabled ? (double)l1d->size / l1d->line : 0;
    d->l1d_ways = l1d->ways;
    d->schedulers = cfg->sm.schedulers;
    d->warp_size = WARP_SIZE;
    d->dram_lines_per_cycle = channel_bytes * cfg->mem.partition.count * cfg->clock.dram /
                              ((double)cfg->clock.core * l1d->line);
}

/* What executing it tells. */
static bool execute(struct window *w, struct launch *l, struct sample *d, struct err *e)
{
    struct anatomy a = {
        .cfg = w->cfg, .cta = w->cta, .max_warp_insts = gpu_cfg_issue_bound(w->cfg, w->max_cycles)};
    double start = cpu_seconds();
    bool ok = anatomy_take(&a, l, d, e);
    w->functional_seconds += cpu_seconds() - start;
    w->functional_warp_insts += a.warp_insts;
    return ok;
}

/* The window itself: one CTA, alone, on a GPU that has run nothing before. */
static bool simulate(struct window *w, struct launch *l, struct sample *d, struct err *e)
{
    struct gpu *g = gpu_new(w->cfg, e);
    if (!g)
        return false;
    struct gpu_opts o = {.n = 1,
                         .max_cycles = w->max_cycles,
                         .first_cta = w->cta,
                         .num_ctas = 1,
                         .only_core = 0,
                         .trace_working_set = true};
    struct run_stats st = {0};
    double start = cpu_seconds();
    bool ok = gpu_launch(g, l, &o, &st, e);
    w->seconds += cpu_seconds() - start;
    gpu_free(g);
    w->warp_insts += st.warp_insts;
    fill_counters(d, &st);
    fill_gpu(d, w->cfg);
    return ok;
}

bool window_run(struct window *w, struct launch *l, struct sample *d, struct err *e)
{
    struct devmem_snapshot *before = devmem_save(l->mem);
    bool ok = execute(w, l, d, e);
    devmem_restore(l->mem, before);
    before = devmem_save(l->mem);
    ok = ok && simulate(w, l, d, e);
    devmem_restore(l->mem, before);
    return ok;
}
