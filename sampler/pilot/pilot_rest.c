#include "sampler/pilot/pilot_rest.h"

#include <math.h>

double pilot_cycles_each(const struct sample *d)
{
    return d->pilot_cycles[sample_degrees(d) - 1] / d->launch_warp_insts;
}

double pilot_rest_left(const struct pilot_rest *r, const struct sample *d)
{
    const double cycles_each = pilot_cycles_each(d);
    return cycles_each > 0 && !r->for_the_end ? fmin(r->insts, r->cycles / cycles_each) : 0;
}

/* Without a pilot of the default nobody knows what its own would buy others. */
void pilot_rest_leave(struct pilot_rest *r, const struct sample *d, double own, double took)
{
    const double cycles_each = pilot_cycles_each(d);
    if (cycles_each <= 0)
        own = 0;
    r->own_insts += own;
    r->own_cycles += own * cycles_each;
    r->insts += own - took;
    r->cycles += (own - took) * cycles_each;
}

void pilot_rest_know(struct pilot_rest *r, const struct pilot_coeff *c, double program_insts)
{
    const double insts = program_insts + r->waited,
                 cycles = r->own_insts > 0 ? insts * r->own_cycles / r->own_insts : 0;
    r->is_short = insts <= c->short_insts && cycles <= c->short_cycles;
}

void pilot_rest_end(struct pilot_rest *r, const struct pilot_coeff *c, double program_insts)
{
    pilot_rest_know(r, c, program_insts);
    if (!r->is_short)
        return;
    const double more = c->budget > 0 ? fmax(0, c->budget_short / c->budget - 1) : 0;
    r->insts += more * r->own_insts;
    r->cycles += more * r->own_cycles;
}

static int pilots_so_far(const struct sample *d)
{
    int pilots = 0;
    for (int n = 1; n <= sample_degrees(d); n++)
        pilots += d->pilot_insts[n - 1] > 0;
    return pilots;
}

double pilot_insts_each(const struct sample *d)
{
    double insts = 0;
    for (int n = 1; n <= sample_degrees(d); n++)
        insts += d->pilot_insts[n - 1];
    return insts / fmax(1, pilots_so_far(d));
}

/* A choice needs two, as in pilot_plan_next(). */
bool pilot_rest_has(const struct pilot_rest *r, const struct sample *d)
{
    const double left = pilot_rest_left(r, d);
    return pilot_insts_each(d) <= left || (r->is_short && pilots_so_far(d) < 2 && left > 0);
}

double pilot_rest_worth(const struct sample *d, double gain, double insts)
{
    return gain * pilot_cycles_each(d) * insts / pilot_insts_each(d);
}
