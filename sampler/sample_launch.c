#include "sampler/sample_launch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/estimate.h"
#include "sampler/pilot/pilots.h"
#include "sampler/window/cta_waits.h"
#include "sampler/window/recorded_window.h"
#include "sim/func/cta_cluster.h"
#include "sim/gpu/gpu.h"

void sample_cost_add(struct sample_cost *to, const struct sample_cost *more)
{
    to->warp_insts += more->warp_insts;
    to->functional_warp_insts += more->functional_warp_insts;
    to->pilot_warp_insts += more->pilot_warp_insts;
    to->search_warp_insts += more->search_warp_insts;
    to->run_warp_insts += more->run_warp_insts;
    to->window_seconds += more->window_seconds;
    to->functional_seconds += more->functional_seconds;
    to->full_warp_insts += more->full_warp_insts;
    to->pilot_seconds += more->pilot_seconds;
    to->run_seconds += more->run_seconds;
    to->memory_warp_insts += more->memory_warp_insts;
    to->memory_seconds += more->memory_seconds;
    to->network_seconds += more->network_seconds;
}

static const struct sampling *rules(const struct sample_opts *o)
{
    return sampling_or_default(o->by);
}

/* Of what was measured last. */
static void add_memory(const struct memory_rates *r, struct sample_cost *cost)
{
    cost->memory_warp_insts += r->warp_insts;
    cost->memory_seconds += r->seconds;
}

static bool fill_rates(const struct gpu_cfg *cfg, const struct sample_opts *o, struct sample *d,
                       struct sample_cost *cost, struct err *e)
{
    struct memory_rates *r = o->rates;
    if (!r->known) {
        if (!memory_rates_measure(cfg, rules(o), r, e))
            return false;
        add_memory(r, cost);
    }
    memory_rates_fill(r, d);
    return true;
}

/* Where launches are short and few, pilots would gain less by it than it takes. */
static bool fill_network(const struct gpu_cfg *cfg, const struct sample_opts *o,
                         const struct sample *d, struct sample_cost *cost, struct err *e)
{
    struct memory_rates *r = o->rates;
    const double all = fmax(d->launch_warp_insts, d->total_warp_insts),
                 most = rules(o)->pilot.network_part * all;
    if (r->network > 0 || (double)memory_rates_network_insts(cfg, rules(o)) > most)
        return true;
    if (!memory_rates_network(cfg, rules(o), r, e))
        return false;
    add_memory(r, cost);
    cost->network_seconds += r->seconds;
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
    if (facts->cta >= launch_ctas(l))
        return err_set(e, "kernel %s has %llu CTAs; there is no CTA %llu to sample",
                       l->kernel->name, (unsigned long long)launch_ctas(l),
                       (unsigned long long)facts->cta);
    d->launch_warp_insts = (double)facts->warp_insts;
    d->launch_thread_insts = (double)facts->thread_insts;
    const bool each_known = launch_ctas(l) == 1 || facts->most_insts < facts->warp_insts;
    if (each_known && facts->warp_insts > 0) {
        d->longest_cta =
            (double)facts->most_insts * (double)launch_ctas(l) / (double)facts->warp_insts;
        d->longest_at = (double)facts->longest;
    }
    d->cores = cfg->top.cores;
    d->warps_per_cta = launch_warps(l);
    d->n_max = n_max;
    return true;
}

/* Of a long CTA in a launch of few, the first part tells: all of it would be as much as a part of
 * the launch is. */
static struct cta_window_opts window_opts(const struct sample_opts *o,
                                          const struct launch_facts *facts, const struct launch *l)
{
    struct cta_window_opts w = o->window;
    const struct window_params *by = &rules(o)->window;
    const uint64_t few = (uint64_t)by->few_ctas;
    const bool is_part = launch_ctas(l) <= few && facts->most_insts >= (uint64_t)by->long_cta;
    if (is_part && !w.max_insts && w.ctas <= 1 && !w.warm_up)
        w.max_insts = facts->most_insts / few;
    return w;
}

static struct cta_window window_of(const struct gpu_cfg *cfg, const struct sample_opts *o,
                                   const struct launch_facts *facts, const struct launch *l)
{
    return (struct cta_window){.cfg = cfg,
                               .by = o->by,
                               .cta = facts->cta,
                               .cta_insts = facts->cta_insts,
                               .most_insts = facts->most_insts,
                               .launch_insts = facts->warp_insts,
                               .max_cycles = o->max_cycles,
                               .opts = window_opts(o, facts, l)};
}

static void add_window(const struct cta_window *w, struct sample_cost *cost)
{
    cost->warp_insts += w->warp_insts;
    cost->window_seconds += w->seconds;
    cost->functional_warp_insts += w->functional_warp_insts;
    cost->functional_seconds += w->functional_seconds;
}

/* Which CTA executes most is chance: who draws most, or waits for longest. */
static void forget_longest(struct sample *d)
{
    d->longest_cta = 1;
    d->longest_at = 0;
}

static bool take_window(const struct gpu_cfg *cfg, const struct sample_opts *o,
                        struct launch_facts *facts, struct launch *l, struct sample *d,
                        struct sample_cost *cost, struct err *e)
{
    struct cta_window w = window_of(cfg, o, facts, l);
    const bool ok = cta_window_run(&w, l, d, e);
    /* Of fewer items the last ones tell what a launch takes. */
    facts->draws = w.draws && w.items > rules(o)->window.items * d->cores * d->n_max;
    d->bank_cycles = rules(o)->window.in_step * facts->bank_cycles;
    if (facts->draws)
        forget_longest(d);
    add_window(&w, cost);
    return ok;
}

static struct pilots pilots_of(const struct gpu_cfg *cfg, const struct sample_opts *o,
                               const struct launch_facts *facts, const struct pilot_coeff *coeff,
                               const struct sample_cost *cost)
{
    return (struct pilots){.full = cfg,
                           .by = o->by,
                           .network = o->rates->network,
                           .model = o->every_pilot ? NULL : o->model,
                           .coeff = coeff,
                           .program_insts = o->program_insts,
                           .rest = o->rest,
                           .executed = cost->functional_warp_insts,
                           .budget = o->budget,
                           .uneven = facts->uneven,
                           .camping = facts->camping,
                           .longest = facts->longest,
                           .longest_insts = facts->most_insts,
                           .draws = facts->draws,
                           .code_ran = facts->code_ran,
                           .code_since = facts->code_since,
                           .max_cycles = o->pilot_cycles ? o->pilot_cycles : o->max_cycles,
                           .jobs = o->jobs};
}

static void add_pilots(const struct pilots *p, struct sample_cost *cost)
{
    cost->warp_insts += p->warp_insts;
    cost->pilot_warp_insts += p->warp_insts;
    cost->pilot_seconds += p->seconds;
}

/* saved: the instructions that are left until a search would be cheaper. */
static bool run_pilots(const struct gpu_cfg *cfg, const struct sample_opts *o,
                       const struct launch_facts *facts, double saved, const struct launch *l,
                       struct sample *d, struct sample_cost *cost, struct err *e)
{
    const struct pilot_coeff coeff = pilots_at(&o->pilots, o->effort);
    struct pilots p = pilots_of(cfg, o, facts, &coeff, cost);
    if (o->effort == EFFORT_QUICK && saved > 0)
        p.most_insts = saved;
    const bool ok = pilots_run(&p, l, d, e);
    add_pilots(&p, cost);
    return ok;
}

static struct cta_waits waits_of(const struct sample_opts *o, const struct launch_facts *facts)
{
    const struct window_params *by = &rules(o)->window;
    return (struct cta_waits){.by = o->by,
                              .cta = facts->cta,
                              .max_unpublished = cta_window_unpublished(facts->most_insts, by),
                              .max_warp_insts =
                                  cta_window_alone(facts->most_insts, facts->warp_insts, by)};
}

static void add_waits(const struct cta_waits *w, struct sample_cost *cost)
{
    cost->functional_warp_insts += w->warp_insts;
    cost->functional_seconds += w->seconds;
}

/* A trace has what was executed: nobody waits any more. */
bool sample_waits(const struct sample_opts *o, const struct launch_facts *facts,
                  const struct launch *l, struct sample_cost *cost)
{
    struct cta_waits w = waits_of(o, facts);
    if (launch_cluster_ctas(l) > 1)
        return true;
    if (l->recorded || facts->cta >= launch_ctas(l))
        return false;
    const bool found = cta_waits_find(&w, l);
    add_waits(&w, cost);
    return found;
}

static bool search(const struct gpu_cfg *cfg, const struct sample_opts *o,
                   const struct launch_facts *facts, const struct launch *l, struct sample *d,
                   bool prunes, struct sample_cost *cost, struct err *e)
{
    struct pilots p = pilots_of(cfg, o, facts, &o->pilots, cost);
    p.prunes = prunes;
    const bool ok = pilots_search(&p, l, d, e);
    add_pilots(&p, cost);
    cost->search_warp_insts += ok ? p.warp_insts : 0;
    return ok;
}

/* The fewest CTAs at once with which a launch ends whose CTAs wait for each other. */
static int least_at_once(const struct gpu_cfg *cfg, const struct sample_opts *o,
                         const struct launch_facts *facts, const struct launch *l,
                         const struct sample *d, struct sample_cost *cost, bool *in_order)
{
    struct cta_waits w = waits_of(o, facts);
    *in_order = false;
    if (l->workspace || launch_cluster_ctas(l) > 1)
        return gpu_least_degree(cfg, l);
    const int least = cta_waits_least(&w, l, cfg->top.cores, sample_degrees(d), in_order);
    add_waits(&w, cost);
    return least;
}

static void set_waits(struct pilots *p, const struct launch_facts *facts, const struct launch *l)
{
    p->work = fmax(1, (double)facts->work);
    p->waits = (double)facts->waits / (double)launch_ctas(l);
    p->by_completed = facts->by_completed;
    p->in_order = facts->in_order;
    p->hop = facts->hop;
}

/* Numbers that CTAs take again and again make a chain of their own: a CTA has many places in it. */
static bool in_one_chain(const struct pilots *p, const struct launch *l)
{
    return p->waits < sampling_or_default(p->by)->waits.once || !cta_waits_takes(l->kernel);
}

/* Where nobody sees them wait, waiting counts as work. A chain of CTAs may go on when all work is
 * done; one that each is in several times does not for long: there is work until the last time. */
static bool completed_ctas_tell(const struct sample_opts *o, bool in_order,
                                const struct launch_facts *facts, const struct launch *l)
{
    const double once = rules(o)->waits.once * (double)launch_ctas(l);
    return !facts->waits || (in_order && (double)facts->waits < once);
}

static bool never_ends(const struct launch *l, struct err *e)
{
    return err_set(e, "kernel %s: its CTAs wait for what none of them writes", l->kernel->name);
}

static bool pilots_in_part(const struct gpu_cfg *cfg, const struct sample_opts *o,
                           struct launch_facts *facts, const struct launch *l, struct sample *d,
                           struct sample_cost *cost, struct err *e)
{
    bool in_order;
    const int least = least_at_once(cfg, o, facts, l, d, cost, &in_order);
    if (!least)
        return never_ends(l, e);
    const struct pilot_coeff coeff = pilots_at(&o->pilots, o->effort);
    facts->by_completed = completed_ctas_tell(o, in_order, facts, l);
    struct pilots p = pilots_of(cfg, o, facts, &coeff, cost);
    set_waits(&p, facts, l);
    p.least = least;
    if (o->effort == EFFORT_THOROUGH) /* to its end */
        p.waits = p.program_insts = 0;
    else if (in_order && in_one_chain(&p, l) && pilots_are_in_order(&p, l, d))
        pilots_find_hop(&p, l, d);
    facts->hop = p.hop;
    const bool ok = pilots_of_waiting(&p, l, d, e);
    facts->in_order = p.in_order;
    add_pilots(&p, cost);
    return ok;
}

/* It takes no longer than what measures the memory; and all launches of a program that are
 * searched together take what pilots of a short one may. */
static bool may_search(const struct gpu_cfg *cfg, const struct sample_opts *o,
                       const struct sample *d)
{
    const double all = sample_degrees(d) * d->launch_warp_insts,
                 most = o->pilots.budget * o->pilots.short_insts;
    if (o->effort != EFFORT_QUICK || all > (double)memory_rates_insts(cfg, rules(o)) ||
        (o->rest && o->rest->searched + all > most))
        return o->effort == EFFORT_THOROUGH;
    if (o->rest)
        o->rest->searched += all;
    return true;
}

/* Nothing but the window, of a CTA as it runs among the others. */
static bool window_alone(const struct gpu_cfg *cfg, const struct sample_opts *o,
                         const struct launch_facts *facts, const struct launch *l, struct sample *d,
                         struct sample_cost *cost, struct err *e)
{
    bool in_order;
    const int least = least_at_once(cfg, o, facts, l, d, cost, &in_order);
    if (!least)
        return never_ends(l, e);
    if (!fill_rates(cfg, o, d, cost, e))
        return false;
    const struct cta_waits limits = waits_of(o, facts);
    struct cta_window w = window_of(cfg, o, facts, l);
    const bool ok = recorded_window_run(&w, l, sample_degrees(d) * cfg->top.cores,
                                        cta_waits_limit(&limits), d, e);
    d->fewest_ctas = least;
    d->bank_cycles = rules(o)->window.in_step * facts->bank_cycles;
    if (cta_waits_may(l->kernel))
        forget_longest(d);
    add_window(&w, cost);
    return ok;
}

bool sample_waiting(const struct gpu_cfg *cfg, const struct sample_opts *o,
                    struct launch_facts *facts, const struct launch *l, struct sample *d,
                    struct sample_cost *cost, struct err *e)
{
    if (!fill_launch(cfg, l, facts, d, e))
        return false;
    if (o->effort == EFFORT_WINDOW)
        return window_alone(cfg, o, facts, l, d, cost, e);
    return !l->workspace && may_search(cfg, o, d) ? search(cfg, o, facts, l, d, false, cost, e)
                                                  : pilots_in_part(cfg, o, facts, l, d, cost, e);
}

/* Warp instructions in detail that a search takes more than the least that a sample does: one CTA,
 * and the kernel that measures the memory. */
static double saved_insts(const struct gpu_cfg *cfg, const struct sample_opts *o,
                          const struct launch *l, const struct sample *d)
{
    const double memory = o->rates->known ? 0 : (double)memory_rates_insts(cfg, rules(o));
    const double cta = d->launch_warp_insts / (double)launch_ctas(l);
    return sample_degrees(d) * d->launch_warp_insts - memory - cta;
}

static bool sample(const struct gpu_cfg *cfg, const struct sample_opts *o,
                   struct launch_facts *facts, double saved, struct launch *l, struct sample *d,
                   struct sample_cost *cost, struct err *e)
{
    return fill_rates(cfg, o, d, cost, e) && take_window(cfg, o, facts, l, d, cost, e) &&
           (o->effort == EFFORT_WINDOW ||
            (fill_network(cfg, o, d, cost, e) && run_pilots(cfg, o, facts, saved, l, d, cost, e)));
}

static bool runs_alone(const struct launch *l, struct err *e)
{
    const int ctas = launch_cluster_ctas(l);
    return ctas == 1 || err_set(e,
                                "kernel %s runs in clusters of %d CTAs, of which none runs alone, "
                                "so that it is not sampled; `search` simulates it at every degree",
                                l->kernel->name, ctas);
}

bool sample_launch(const struct gpu_cfg *cfg, const struct sample_opts *o,
                   struct launch_facts *facts, struct launch *l, struct sample *d,
                   struct sample_cost *cost, struct err *e)
{
    if (!fill_launch(cfg, l, facts, d, e) || !runs_alone(l, e))
        return false;
    const double saved = saved_insts(cfg, o, l, d);
    const bool may_search = o->effort != EFFORT_WINDOW && !o->every_pilot && o->budget <= 0;
    if (may_search && saved <= 0 && search(cfg, o, facts, l, d, true, cost, e))
        return true; /* else some degree takes more than it may */
    return sample(cfg, o, facts, saved, l, d, cost, e);
}

double sample_more_gain(const struct sample_opts *o, const struct sample *d)
{
    if (o->effort != EFFORT_QUICK || !o->model || !o->model->model || sample_whole(d))
        return 0;
    const struct pilot_coeff coeff = pilots_at(&o->pilots, o->effort);
    return estimate_pilot_gain(o->model, &coeff, d);
}

bool sample_more(const struct gpu_cfg *cfg, const struct sample_opts *o,
                 const struct launch_facts *facts, const struct launch *l, struct sample *d,
                 struct sample_cost *cost, struct err *e)
{
    const struct pilot_coeff coeff = pilots_at(&o->pilots, o->effort);
    struct pilots p = pilots_of(cfg, o, facts, &coeff, cost);
    p.most_insts = fmax(0, saved_insts(cfg, o, l, d));
    if (sample_searched(d)) {
        set_waits(&p, facts, l);
        p.least = sample_least(d);
    }
    const bool ok = pilots_add(&p, l, d, e);
    add_pilots(&p, cost);
    return ok;
}
