#include "model/pilot_plan.h"

#include <math.h>

void pilot_plan_init(struct pilot_plan *p, const struct pilot_coeff *c, int n_max, int most,
                     const double *ipc, const struct error_curve *model, double insts,
                     double program_insts)
{
    const struct error_curve pilots = {c->error, c->alike, c->reach};
    const int last = most < n_max ? most : n_max;
    *p = (struct pilot_plan){
        .coeff = c,
        .posterior = posterior_new(last, ipc, model, &pilots),
        .most = last,
        .budget = insts * (program_insts <= c->short_insts ? c->budget_short : c->budget)};
}

void pilot_plan_fini(struct pilot_plan *p)
{
    posterior_free(p->posterior);
    p->posterior = NULL;
}

static int best_of(const struct pilot_plan *p)
{
    int best = p->most;
    for (int n = p->most - 1; n >= 1; n--)
        if (posterior_ipc(p->posterior, n) > posterior_ipc(p->posterior, best))
            best = n;
    return best;
}

int pilot_plan_next(const struct pilot_plan *p)
{
    const int best = best_of(p);
    int next = 0;
    double most = p->coeff->worth;
    if (!p->known[p->most])
        return p->most;
    if (p->spent >= p->budget)
        return 0;
    if (!p->known[best])
        return best;
    for (int n = 1; n <= p->most; n++) {
        const double gain = p->known[n] ? 0 : posterior_improvement(p->posterior, n, best);
        if (gain > most) {
            most = gain;
            next = n;
        }
    }
    return next;
}

void pilot_plan_tell(struct pilot_plan *p, int n, double ipc, double insts)
{
    posterior_pilot(p->posterior, n, ipc, 0);
    p->known[n] = true;
    p->spent += insts;
}
