#include "sampler/sample_launch.h"

#include <stdio.h>

#include "sampler/pilot/pilots.h"
#include "sim/func/cta_cluster.h"
#include "sim/gpu/gpu.h"

void sample_cost_add(struct sample_cost *to, const struct sample_cost *more)
{
    to->warp_insts += more->warp_insts;
    to->functional_warp_insts += more->functional_warp_insts;
    to->pilot_warp_insts += more->pilot_warp_insts;
    to->run_warp_insts += more->run_warp_insts;
    to->window_seconds += more->window_seconds;
    to->functional_seconds += more->functional_seconds;
    to->full_warp_insts += more->full_warp_insts;
    to->pilot_seconds += more->pilot_seconds;
    to->run_seconds += more->run_seconds;
    to->memory_warp_insts += more->memory_warp_insts;
    to->memory_seconds += more->memory_seconds;
}

void sample_cost_memory(struct sample_cost *to, const struct memory_rates *r)
{
    to->memory_warp_insts += r->warp_insts;
    to->memory_seconds += r->seconds;
}

static bool fill_rates(const struct gpu_cfg *cfg, const struct memory_rates *known,
                       struct sample *d, struct sample_cost *cost, struct err *e)
{
    struct memory_rates r;
    if (!known) {
        if (!memory_rates_measure(cfg, &r, e))
            return false;
        sample_cost_memory(cost, &r);
        known = &r;
    }
    d->l2_lines_per_cycle = known->l2;
    d->dram_lines_per_cycle = known->dram;
    return true;
}

static bool fill_launch(const struct gpu_cfg *cfg, const struct launch *l,
                        const struct launch_facts *facts, struct sample *d, struct err *e)
{
    enum occ_limit why;
    const int n_max = gpu_occupancy(cfg, l, &why);
    if (n_max < 1)
        return err_set(e, "kernel %s: not even one CTA fits on a core (%s)", l->kernel->name,
                       occ_limit_name(why));
    if (launch_cluster_ctas(l) > 1)
        return err_set(
            e,
            "kernel %s runs in clusters of %d CTAs, of which none runs alone, so that it "
            "is not sampled; `search` simulates it at every degree",
            l->kernel->name, launch_cluster_ctas(l));
    if (facts->cta >= launch_ctas(l))
        return err_set(e, "kernel %s has %llu CTAs; there is no CTA %llu to sample",
                       l->kernel->name, (unsigned long long)launch_ctas(l),
                       (unsigned long long)facts->cta);
    d->launch_warp_insts = (double)facts->warp_insts;
    d->launch_thread_insts = (double)facts->thread_insts;
    const bool each_known = launch_ctas(l) == 1 || facts->most_insts < facts->warp_insts;
    if (each_known && facts->warp_insts > 0)
        d->longest_cta =
            (double)facts->most_insts * (double)launch_ctas(l) / (double)facts->warp_insts;
    d->cores = cfg->top.cores;
    d->warps_per_cta = launch_warps(l);
    d->threads_per_cta = launch_threads(l);
    d->n_max = n_max;
    return true;
}

static bool take_window(const struct gpu_cfg *cfg, const struct sample_opts *o,
                        const struct launch_facts *facts, struct launch *l, struct sample *d,
                        struct sample_cost *cost, struct err *e)
{
    struct cta_window w = {.cfg = cfg,
                           .cta = facts->cta,
                           .most_insts = facts->most_insts,
                           .launch_insts = facts->warp_insts,
                           .max_cycles = o->max_cycles,
                           .opts = o->window};
    const bool ok = cta_window_run(&w, l, d, e);
    cost->warp_insts += w.warp_insts;
    cost->window_seconds += w.seconds;
    cost->functional_warp_insts += w.functional_warp_insts;
    cost->functional_seconds += w.functional_seconds;
    return ok;
}

static bool run_pilots(const struct gpu_cfg *cfg, const struct sample_opts *o,
                       const struct launch_facts *facts, const struct launch *l, struct sample *d,
                       struct sample_cost *cost, struct err *e)
{
    const struct pilot_coeff coeff = pilots_at(&o->pilots, o->effort);
    struct pilots p = {.full = cfg,
                       .model = o->every_pilot ? NULL : o->model,
                       .coeff = &coeff,
                       .program_insts = o->program_insts,
                       .most_insts = o->pilot_insts,
                       .budget = o->budget,
                       .uneven = facts->uneven,
                       .longest = facts->longest,
                       .code_since = facts->code_since,
                       .max_cycles = o->max_cycles,
                       .jobs = o->jobs};
    const bool ok = pilots_run(&p, l, d, e);
    cost->warp_insts += p.warp_insts;
    cost->pilot_warp_insts += p.warp_insts;
    cost->pilot_seconds += p.seconds;
    return ok;
}

bool sample_launch(const struct gpu_cfg *cfg, const struct sample_opts *o,
                   const struct launch_facts *facts, struct launch *l, struct sample *d,
                   struct sample_cost *cost, struct err *e)
{
    return fill_launch(cfg, l, facts, d, e) && fill_rates(cfg, o->rates, d, cost, e) &&
           take_window(cfg, o, facts, l, d, cost, e) &&
           (o->effort == EFFORT_WINDOW || run_pilots(cfg, o, facts, l, d, cost, e));
}
