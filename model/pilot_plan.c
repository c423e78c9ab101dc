#include "model/pilot_plan.h"

#include <math.h>

/* What is known if the model's errors are `times` as large as they usually are; returns chi
 * squared of the pilots. */
static double condition(const struct pilot_plan *p, double times, struct posterior **known)
{
    const struct error_curve pilots = {p->coeff->error, p->coeff->error_correlation,
                                       p->coeff->correlation_length};
    const struct error_curve model = {p->model.error * times, p->model.error_correlation,
                                      p->model.correlation_length};
    double chi2 = 0;
    *known = posterior_new(p->most, p->predicted, &model, &pilots);
    for (int n = p->most; n >= 1; n--)
        if (p->known[n])
            chi2 += posterior_pilot(*known, n, p->found[n], 0);
    return chi2;
}

static double chi_squared(const struct pilot_plan *p, double times)
{
    struct posterior *known;
    const double chi2 = condition(p, times, &known);
    posterior_free(known);
    return chi2;
}

/* By which the model's errors are larger here than they usually are; 1: as its pilots expect. */
static double error_ratio(const struct pilot_plan *p)
{
    double low = 1, high = p->coeff->most_error / p->model.error;
    if (high <= low || chi_squared(p, low) <= p->pilots)
        return 1;
    if (chi_squared(p, high) > p->pilots)
        return high;
    while (high / low > 1.001) {
        const double mid = sqrt(low * high);
        *(chi_squared(p, mid) > p->pilots ? &low : &high) = mid;
    }
    return high;
}

void pilot_plan_init(struct pilot_plan *p, const struct pilot_coeff *c, int n_max, int most,
                     const double *ipc, const struct error_curve *model, double insts,
                     double budget)
{
    *p = (struct pilot_plan){.coeff = c,
                             .least = 1,
                             .most = most < n_max ? most : n_max,
                             .model = *model,
                             .worth = c->worth,
                             .insts = insts,
                             .budget = budget};
    for (int n = 1; n <= p->most; n++)
        p->predicted[n] = ipc[n];
}

/* The best that was simulated; the default was. */
static int best_seen(const struct pilot_plan *p, const struct posterior *known)
{
    int best = p->most;
    for (int n = p->most - 1; n >= 1; n--)
        if (p->known[n] && posterior_ipc(known, n) > posterior_ipc(known, best))
            best = n;
    return best;
}

/* Of a pilot that runs to its end. */
static double part_of(const struct pilot_plan *p, int n)
{
    const struct pilot_coeff *c = p->coeff;
    return p->share <= c->whole_waves * n ? 1 : fmin(1, c->cut_at * n / p->share);
}

/* Two are needed for a choice: together they may go beyond the budget, where that is less than a
 * simulation up to one of their own. */
static double budget_of_two(const struct pilot_plan *p)
{
    return p->budget >= p->insts ? INFINITY : fmax(p->budget, p->coeff->budget_two * p->insts);
}

/* Another pilot takes what those so far have, by the parts that they are. */
static bool has_budget(const struct pilot_plan *p, int n)
{
    const double next = p->parts > 0 ? p->spent / p->parts * part_of(p, n) : 0;
    const double spent = p->spent + p->executed;
    return spent < p->budget && spent + next <= (p->pilots > 1 ? p->budget : budget_of_two(p));
}

double pilot_plan_allows(const struct pilot_plan *p)
{
    return p->pilots < 2 ? INFINITY : budget_of_two(p) - p->spent - p->executed;
}

static int pick(const struct pilot_plan *p, bool affordable, double *gain)
{
    struct posterior *known = pilot_plan_known(p);
    const int best = best_seen(p, known);
    int next = 0;
    double most = 0;
    *gain = 0;
    for (int n = p->least; n <= p->most; n++) {
        const double by = p->known[n] || (affordable && !has_budget(p, n))
                              ? 0
                              : posterior_improvement(known, n, best);
        if (by > p->worth && by / part_of(p, n) > most) {
            most = by / part_of(p, n);
            *gain = by;
            next = n;
        }
    }
    posterior_free(known);
    return next;
}

int pilot_plan_wants(const struct pilot_plan *p, double *gain)
{
    return pick(p, false, gain);
}

int pilot_plan_next(const struct pilot_plan *p)
{
    double gain;
    if (p->most <= 1 && !p->single) /* nothing to choose */
        return 0;
    if (!p->known[p->most])
        return p->most;
    return pick(p, true, &gain);
}

void pilot_plan_tell(struct pilot_plan *p, int n, double ipc, double insts)
{
    p->parts += p->known[n] ? 0 : part_of(p, n);
    p->pilots += !p->known[n];
    p->known[n] = true;
    p->found[n] = ipc;
    p->spent += insts;
}

struct posterior *pilot_plan_known(const struct pilot_plan *p)
{
    struct posterior *known;
    condition(p, error_ratio(p), &known);
    return known;
}
