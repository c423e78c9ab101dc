/* pilot_search.c -- a launch simulated whole, at every degree or at those that may be the best. */
#include <math.h>

#include "sampler/pilot/pilots_int.h"
#include "sampler/window/cta_waits.h"

/* With so many at once or fewer it never ends; 0: it always does. */
static int never_ends_up_to(const struct pilot_result *at, int most)
{
    int n = most;
    while (n > 0 && !at[n - 1].never_ends)
        n--;
    return n;
}

/* CTAs that a core with most of them has one after the other. */
static double rounds(const struct sample *d, int n)
{
    return ceil(ceil(sample_share(d)) / n);
}

static bool has_ended(const struct pilot_result *r)
{
    return r->cycles > 0 && !r->never_ends && !r->stopped;
}

/* Cycles that n at once take at least, by what one alone does: a CTA takes no less time beside
 * others. CTAs of one length come in rounds; of others each has its time on a core. (A higher
 * degree than one tells no more: the last CTAs of a core have fewer beside them than the first ones
 * had.) 0: that is not known. */
static double least_cycles(const struct sample *d, const struct pilot_result *one, int n)
{
    const bool equal = fabs(d->longest_cta - 1) < 1e-9;
    if (!has_ended(one))
        return 0;
    return equal ? one->cycles * rounds(d, n) / rounds(d, 1)
                 : one->resident_cycles / (d->cores * n);
}

/* The middle one of those between the first and the last that may be better than all that were
 * simulated; 0: none may. */
static int next_to_search(const struct sample *d, const struct pilot_result *at, int most)
{
    int degree[SAMPLE_DEGREES] = {0}, count = 0;
    double best = INFINITY;
    for (int n = 1; n <= most; n++)
        if (has_ended(&at[n - 1]))
            best = fmin(best, at[n - 1].cycles);
    for (int n = never_ends_up_to(at, most) + 1; n < most; n++)
        if (!at[n - 1].warp_insts && !at[n - 1].stopped && least_cycles(d, &at[0], n) < best)
            degree[count++] = n;
    return degree[count / 2];
}

static bool run_list(const struct pilots *p, struct at_degrees *s, struct pilot_result *at,
                     struct err *e)
{
    if (!pilots_run_degrees(p, s, e))
        return false;
    for (int i = 0; i < s->count; i++)
        at[s->degree[i] - 1] = s->result[i];
    return true;
}

/* All CTAs, in their order. */
static struct pilot pilot_of_search(const struct pilots *p, const struct launch *l,
                                    const struct sample *d)
{
    struct pilot pilot = pilots_pilot(p, d);
    pilot.cores = p->full->top.cores;
    pilot.uneven = false;
    pilot.whole = pilot.longest_bounds = true;
    if (p->prunes && launch_ctas(l) == 1 && !pilots_are_short(p, d) &&
        d->launch_warp_insts >= pilots_rules(p)->pilot.one_cta) {
        pilot.work = d->launch_warp_insts;
        pilot.repeats = true;
    }
    return pilot;
}

bool pilots_search(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    struct at_degrees s = {.launch = l, .pilot = pilot_of_search(p, l, d), .search = p};
    struct pilot_result at[SAMPLE_DEGREES] = {{0}};
    const int most = sample_degrees(d);
    s.pilot.deadline = 0; /* something is to be known */
    if (!pilots_run_one(&s.pilot, l, most, &at[most - 1], e))
        return false;
    s.pilot.deadline = p->budget;
    if (cta_waits_may(l->kernel))
        pilots_limit(p, d, at[most - 1].cycles, (double)at[most - 1].warp_insts / at[most - 1].part,
                     &s.pilot);
    for (int n = 1; n < most; n++)
        if (!p->prunes || n == 1)
            s.degree[s.count++] = n;
    if (!run_list(p, &s, at, e))
        return false;
    s.count = 1;
    while (p->prunes && (s.degree[0] = next_to_search(d, at, most)))
        if (!run_list(p, &s, at, e))
            return false;
    const int never = never_ends_up_to(at, most);
    d->fewest_ctas = p->prunes && !never ? 0 : never + 1;
    double least = 0; /* cycles with the fewest at once that end, of those not stopped */
    for (int n = most; n >= 1; n--) {
        pilots_keep(p, n, &at[n - 1], d);
        if (n > never && at[n - 1].cycles <= 0 && !at[n - 1].stopped)
            d->pilot_cycles[n - 1] = least_cycles(d, &at[0], n);
        if (n > never) {
            least = at[n - 1].stopped ? least : d->pilot_cycles[n - 1];
            continue;
        }
        d->pilot_cycles[n - 1] = least;
        d->pilot_insts[n - 1] = d->pilot_seconds[n - 1] = 0;
    }
    if (at[most - 1].part < 1) /* nobody waits */
        d->window_insts = (double)at[most - 1].warp_insts;
    else
        pilots_count(&at[most - 1], d);
    return true;
}
