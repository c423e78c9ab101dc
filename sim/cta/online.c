/* The online controller (Yen 2014, 5.2). Core 0 runs one CTA, the others as many as fit; when that
 * CTA has ended, the predictor says the best number from what core 0 counted, and all cores hold
 * that many from then on. Nothing is preempted, on core 0 neither: CTAs above the number leave as
 * they end. The thesis samples a CTA of 6 warps, this a CTA as it was launched. Every launch begins
 * anew. A decision that comes when no CTA is left to hand out changes nothing, and is not made. */
#include "sim/cta/cta_scheduler.h"

struct online {              /* all cores together */
    struct run_stats before; /* what core 0 had counted when the launch began */
    int n;                   /* 0: nothing is decided, or in force yet */
    int decided;             /* 0: not yet */
    cycle_t at;              /* when it comes into force */
};

static cycle_t launch(void *st, const struct cta_view *v)
{
    struct online *o = v->shared;
    (void)st;
    if (v->core == 0)
        sm_counters(v->sm, v->now, &o->before);
    return CYCLE_NEVER;
}

static int limit(const void *st, const struct cta_view *v)
{
    const struct online *o = v->shared;
    (void)st;
    if (!o->n)
        return v->core == 0 ? 1 : v->n;
    return o->n < v->n ? o->n : v->n;
}

static int decide(const struct cta_view *v, const struct sm_cta_end *end)
{
    const struct online *o = v->shared;
    struct run_stats one;
    if (!v->predictor || v->all_started)
        return v->fits;
    sm_counters(v->sm, v->now, &one);
    stats_subtract(&one, &o->before);
    one.cycles = one.core_cycles = v->now - end->start;
    const int n = v->predictor->choose(v->predictor->user, v, &one);
    return n < 1 ? 1 : n;
}

static cycle_t cta_ended(void *st, const struct cta_view *v, const struct sm_cta_end *end)
{
    struct online *o = v->shared;
    (void)st;
    if (v->core != 0 || o->n)
        return CYCLE_NEVER;
    if (!o->decided) {
        o->decided = decide(v, end);
        o->at = v->now + (cycle_t)v->cfg->online.cost;
    }
    if (o->at > v->now) /* another CTA of core 0 may end meanwhile */
        return o->at;
    o->n = o->decided;
    return CYCLE_NEVER;
}

/* The decision has cost what it costs. */
static cycle_t tick(void *st, const struct cta_view *v)
{
    struct online *o = v->shared;
    (void)st;
    o->n = o->decided;
    return CYCLE_NEVER;
}

const struct cta_scheduler_ops cta_scheduler_online = {
    .name = "online",
    .help = "core 0 runs one CTA, a model says from it how many all cores hold from then on",
    .paper = "Yen 2014, 5.2",
    .shared_bytes = sizeof(struct online),
    .launch = launch,
    .limit = limit,
    .tick = tick,
    .cta_ended = cta_ended,
};
