#include "model/bound.h"

#include <math.h>

static const char *const names[] = {
#define X(name, text) [BOUND_##name] = (text),
    BOUNDS(X)
#undef X
};

const char *bound_name(enum bound b)
{
    return names[b];
}

enum bound bound_of_number(double v)
{
    return v >= 0 && v < BOUND_COUNT ? (enum bound)v : BOUND_UNKNOWN;
}

/* ---- where the cycles of a simulation went ---- */

/* Of the cores that got CTAs, the part of the time in which they had one. */
static double busy(const struct bound_counts *c)
{
    const struct run_stats *s = c->stats;
    const double cores = fmin(ratio(s->core_cycles, s->cycles), (double)c->ctas);
    return cores > 0 ? (double)s->busy_core_cycles / (cores * (double)s->cycles) : 1;
}

/* Reads that wait for DRAM fill the queues before it, too, up to the cores: it is looked at first.
 * Where queues are long and the buses have little to do, requests come in bursts, or wait for
 * banks, most of them for a row to be opened. Of stores only the buses tell. */
static enum bound of_memory(const struct bound_counts *c, const struct bound_params *by)
{
    const struct run_stats *s = c->stats;
    const uint64_t before = s->read_l1_sum + s->read_request_sum + s->read_reply_sum;
    if (ratio(s->dram_bus_cycles, s->dram_cycles) >= by->full)
        return BOUND_DRAM;
    if (ratio(s->read_dram_queue_sum, s->cycles * (uint64_t)c->channels) >= by->queue)
        return s->dram_activates > s->dram_row_hits ? BOUND_BANKS : BOUND_DRAM;
    return ratio(before, s->mf_latency_sum) > by->most ? BOUND_NETWORK : BOUND_LATENCY;
}

/* The LD/ST unit takes nothing more, mostly since there is no MSHR for it. */
static bool lacks_mshrs(const struct run_stats *s)
{
    return s->sched_mem_unit > s->sched_mem_dep &&
           s->l1d_fail_mshr > s->l1d_reservation_fails - s->l1d_fail_mshr;
}

/* Cycles of schedulers, as parts of all. Between two issues a scheduler counts as one whose unit is
 * taken, or as one without a ready warp. */
struct spent {
    double issue, units, port;   /* something was ready */
    double memory, fetch, other; /* nothing was, or memory takes no more: it waits for these */
    double results;              /* of other: of instructions that are under way */
};

static struct spent spent_of(const struct bound_counts *c)
{
    const struct run_stats *s = c->stats;
    const uint64_t between = s->sched_issued * (uint64_t)(c->issue_interval - 1),
                   other = s->sched_alu_dep + s->sched_barrier + s->sched_idle + s->sched_policy;
    return (struct spent){.issue = ratio(s->sched_issued + between, s->sched_cycles),
                          .units = fmax(0, ratio(s->sched_alu_unit, s->sched_cycles) -
                                               ratio(between, s->sched_cycles)),
                          .port = ratio(s->sched_mem_unit, s->sched_cycles),
                          .memory = ratio(s->sched_mem_dep + s->sched_mem_unit, s->sched_cycles),
                          .fetch = ratio(s->sched_fetch, s->sched_cycles),
                          .other = ratio(other, s->sched_cycles),
                          .results = ratio(s->sched_alu_dep, s->sched_cycles)};
}

static enum bound of_units(const struct spent *t)
{
    if (t->issue >= fmax(t->units, t->port))
        return BOUND_ISSUE;
    return t->units >= t->port ? BOUND_UNITS : BOUND_PORT;
}

enum bound bound_of_counts(const struct bound_counts *c, const struct bound_params *by)
{
    const struct spent t = spent_of(c);
    if (!c->stats->sched_cycles)
        return BOUND_UNKNOWN;
    if ((double)c->waiting > by->most * (double)c->stats->resident_cta_cycles)
        return BOUND_WAITING;
    if (busy(c) < by->most)
        return BOUND_LONGEST;
    const bool asks = t.issue < by->full && t.memory > fmax(t.units, fmax(t.fetch, t.other));
    const enum bound memory = asks ? of_memory(c, by) : BOUND_LATENCY;
    if (memory != BOUND_LATENCY)
        return memory;
    if (asks && lacks_mshrs(c->stats))
        return BOUND_MSHRS;
    const bool taken = t.units > fmax(t.memory, fmax(t.fetch, t.other));
    if (taken || t.issue + t.units + t.port >= by->full)
        return of_units(&t);
    if (t.fetch > fmax(t.memory, t.other))
        return BOUND_FETCH;
    return ratio(c->stats->sched_barrier, c->stats->sched_cycles) > t.fetch + t.memory + t.results
               ? BOUND_BARRIER
               : BOUND_LATENCY;
}
