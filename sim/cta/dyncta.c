/* DYNCTA (Kayiran et al. 2013, IV, Algorithm 1, Figure 7, Table III). Each core looks once a period
 * at its cycles without a ready warp: many with nothing to wait for, or few that wait for data,
 * mean one CTA more; many that wait for data one less, and the youngest is paused.
 *
 * The text says C_idle > t_idle, the algorithm >=: the algorithm's comparisons hold. n, counters
 * and period begin anew with each launch. A paused CTA resumes when n grows or another one ends, so
 * that the running ones are always the n oldest. */
#include "sim/cta/cta_scheduler.h"

#include <string.h>

#define COUNTER_MAX 2047 /* 11 bits */

struct dyncta {
    int n;
    uint64_t c_mem, c_idle; /* cycles of the core that tell of them, when the period began */
};

static cycle_t launch(void *st, const struct cta_view *v)
{
    struct dyncta *d = st;
    const char *start = v->cfg->dyncta.start;
    d->n = !strcmp(start, "max") ? v->fits : !strcmp(start, "one") ? 1 : v->fits / 2;
    d->n = d->n < 1 ? 1 : d->n;
    return v->now + (cycle_t)v->cfg->dyncta.period;
}

static int limit(const void *st, const struct cta_view *v)
{
    const struct dyncta *d = st;
    return d->n < v->n ? d->n : v->n;
}

static int saturated(uint64_t cycles)
{
    return cycles < COUNTER_MAX ? (int)cycles : COUNTER_MAX;
}

/* A full load/store unit refuses ready warps while it waits for memory itself. The paper counts
 * such cycles apart where it explains what cores do (III-A), but does not say what C_mem does. Here
 * they are most of what memory costs: apart, DYNCTA gains 2 % over Kayiran's applications, counted
 * in 10 %, and the paper says 18 % (data/results). So they count. */
static uint64_t waiting(const struct cta_view *v)
{
    return v->c_mem + (v->cfg->dyncta.stall_is_waiting ? v->stalled : 0);
}

static cycle_t tick(void *st, const struct cta_view *v)
{
    struct dyncta *d = st;
    const struct dyncta_cfg *c = &v->cfg->dyncta;
    const int idle = saturated(v->c_idle - d->c_idle), mem = saturated(waiting(v) - d->c_mem);
    if (idle >= c->t_idle || mem < c->t_mem_l)
        d->n += d->n < v->fits;
    else if (mem >= c->t_mem_h)
        d->n -= d->n > 1;
    d->c_idle = v->c_idle;
    d->c_mem = waiting(v);
    return v->now + (cycle_t)c->period;
}

static struct cta_pausing pausing(const struct cta_cfg *cfg)
{
    return (struct cta_pausing){cfg->dyncta.pausing, (cycle_t)cfg->dyncta.patience};
}

const struct cta_scheduler_ops cta_scheduler_dyncta = {
    .name = "dyncta",
    .help =
        "each core raises and lowers its CTAs by the cycles in which it waits for data or is idle",
    .paper = "Kayiran et al., PACT 2013",
    .bytes = sizeof(struct dyncta),
    .pausing = pausing,
    .launch = launch,
    .limit = limit,
    .tick = tick,
};
