#include "sampler/pilot/cta_chain.h"

#include <math.h>

static double rounds(const struct cta_chain *c)
{
    return (double)((c->ctas + c->places - 1) / c->places);
}

/* CTAs behind the first one of the last round. */
static double behind(const struct cta_chain *c)
{
    return (double)((c->ctas - 1) % c->places);
}

/* CTA j has a place when j - places has ended. Where one takes longer than the chain takes to come
 * round all places, each round waits for its first CTA alone. */
static double cycles_of(const struct cta_chain *c, double hop, double own)
{
    return own < (double)c->places * hop ? own + (double)(c->ctas - 1) * hop
                                         : rounds(c) * own + behind(c) * hop;
}

/* What one takes, where the chain bounds what all take. */
static double own_in_chain(const struct cta_chain *c, double hop, double cycles)
{
    return cycles - (double)(c->ctas - 1) * hop;
}

bool cta_chain_bounds(const struct cta_chain *c, double hop, double cycles)
{
    return own_in_chain(c, hop, cycles) < (double)c->places * hop;
}

static double own_of(const struct cta_chain *c, double hop, double cycles)
{
    return cta_chain_bounds(c, hop, cycles) ? own_in_chain(c, hop, cycles)
                                            : (cycles - behind(c) * hop) / rounds(c);
}

double cta_chain_cycles(const struct cta_chain *all, const struct cta_chain *some, double hop,
                        double cycles)
{
    const double own = own_of(some, hop, cycles);
    return own < 0 ? cycles * (double)all->ctas / (double)some->ctas : cycles_of(all, hop, own);
}
