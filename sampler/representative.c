#include "sampler/representative.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/demangle.h"
#include "sim/func/cta_cluster.h"
#include "sim/gpu/gpu.h"

static uint64_t within(uint64_t cycles, uint64_t max_cycles)
{
    return max_cycles && max_cycles < cycles ? max_cycles : cycles;
}

static struct sample_opts bounded(const struct representative *r, const struct launch *l)
{
    const struct window_params *by = &sampling_or_default(r->opts->by)->window;
    const uint64_t ctas = launch_ctas(l), cores = (uint64_t)r->cfg->top.cores,
                   each = r->facts->warp_insts / ctas,
                   alone = (uint64_t)by->alone_cycles + (uint64_t)by->alone_each * (each + 1);
    struct sample_opts o = *r->opts;
    o.max_cycles = within(alone, r->opts->max_cycles);
    o.pilot_cycles = within(alone * ((ctas + cores - 1) / cores), r->opts->max_cycles);
    return o;
}

static struct sample stands_for(const struct launch_cluster *g, const struct launch *l)
{
    struct sample d = {.part = g->part,
                       .launches = (double)g->launches,
                       .grid_ctas = ratio(g->ctas, g->launches),
                       .total_ctas = (double)g->ctas,
                       .total_warp_insts = (double)g->warp_insts,
                       .total_thread_insts = (double)g->thread_insts};
    snprintf(d.kernel, sizeof d.kernel, "%s", l->kernel->name);
    return d;
}

/* As if its CTAs did not wait; *never_ends: they do. */
static bool sample(const struct representative *r, const struct sample_opts *o, struct launch *l,
                   struct sample *d, struct sample_cost *cost, bool *never_ends, struct err *e)
{
    struct fault why = {0}, *const before = l->why;
    l->why = &why;
    const bool ok = sample_launch(r->cfg, o, r->facts, l, d, cost, e);
    l->why = before;
    *never_ends = !ok && why.kind == FAULT_NEVER_ENDS;
    return ok;
}

/* A window does not see that other CTAs wait, as some of them have when the launch was executed. */
static bool have_waited(const struct representative *r, const struct launch *l)
{
    return r->opts->effort == EFFORT_WINDOW && r->facts->waits && !l->recorded;
}

/* *cost: of this launch. */
static bool sample_or_simulate(struct representative *r, struct launch *l, struct sample *d,
                               struct sample_cost *cost, struct err *e)
{
    const struct sample_opts o = bounded(r, l);
    const bool may_wait = !o.every_pilot; /* a profile holds windows */
    bool ok = false;
    *d = stands_for(r->of, l);
    if (may_wait && !r->waits && have_waited(r, l)) {
        r->waits = sample_waiting(r->cfg, r->opts, r->facts, l, d, cost, e);
        if (r->waits)
            return true;
        *d = stands_for(r->of, l); /* for the host */
    }
    if (may_wait && !r->waits)
        r->waits = sample_waits(&o, r->facts, l, cost);
    if (!r->waits) {
        bool never_ends;
        ok = sample(r, &o, l, d, cost, &never_ends, e);
        r->waits = may_wait && never_ends;
    }
    if (!r->waits)
        return ok;
    *d = stands_for(r->of, l);
    return sample_waiting(r->cfg, r->opts, r->facts, l, d, cost, e);
}

bool representative_sample(struct representative *r, struct launch *l, struct sample *d,
                           struct sample_cost *cost, struct err *e)
{
    struct sample_cost own = {0};
    const bool ok = sample_or_simulate(r, l, d, &own, e);
    sample_cost_add(cost, &own);
    return ok;
}

bool representative_more(const struct representative *r, const struct launch *l, struct sample *d,
                         struct sample_cost *cost, struct err *e)
{
    const struct sample_opts o = sample_searched(d) ? *r->opts : bounded(r, l);
    struct sample_cost own = {0};
    const bool ok = sample_more(r->cfg, &o, r->facts, l, d, &own, e);
    sample_cost_add(cost, &own);
    return ok;
}

static const char *what_is_simulated(const struct launch_facts *facts, const struct sample *d)
{
    return !sample_searched(d) ? "a window has one as it runs among the others; how long it waits "
                                 "is not known"
           : sample_whole(d)   ? "all of them are simulated at every degree, as `search` does"
           : facts->in_order   ? "the first ones, which need no later ones, are simulated at some "
                                 "degrees, on a part of the GPU"
                             : "all of them are simulated at some degrees, and to their end where "
                               "no less tells what they take";
}

static char *waiting_text(const char *name, const struct launch *l,
                          const struct launch_facts *facts, const struct sample *d)
{
    const int ctas = launch_cluster_ctas(l);
    char *why = ctas > 1 ? xasprintf("runs in clusters of %d CTAs", ctas)
                         : xasprintf("has CTAs that wait for others (a scan that looks back, a "
                                     "barrier of the whole grid)");
    char *text = xasprintf("%s %s, of which none tells anything alone: %s", name, why,
                           what_is_simulated(facts, d));
    free(why);
    return text;
}

static char *short_text(const char *name)
{
    return xasprintf("a launch of %s takes no longer at every degree than a sample of it would: it "
                     "is simulated, at the degrees that may be the best",
                     name);
}

char *representative_text(const struct launch *l, const struct launch_facts *facts,
                          const struct sample *d, bool waits)
{
    if (!waits && (!sample_searched(d) || sample_degrees(d) < 2))
        return NULL;
    char *name = demangle_said(l->kernel->name);
    char *text = waits ? waiting_text(name, l, facts, d) : short_text(name);
    free(name);
    return text;
}

int representative_least(const struct gpu_cfg *cfg, const struct launch *l, const struct sample *d)
{
    const int least = sample_least(d);
    return least > gpu_least_degree(cfg, l) ? least : 0;
}

char *representative_least_text(const char *name, int least)
{
    char *shown = demangle_said(name);
    char *text = xasprintf("%s never ends with fewer than %d CTAs at once on each core: they wait "
                           "for others, for which there is no room; what is said of fewer is that "
                           "of %d",
                           shown, least, least);
    free(shown);
    return text;
}
