/* sampler/pilot/cta_chain.h -- a launch whose CTAs end one after the other: each takes as long as
 * any other from when it has a place on, but ends no sooner than `hop` core cycles after the one
 * before it. What the first CTAs take on a part of the GPU tells what all take on the whole: as
 * long, where work bounds both; longer by the part of the chain that was left out, where that
 * does. */
#ifndef MDP_SAMPLER_PILOT_CTA_CHAIN_H
#define MDP_SAMPLER_PILOT_CTA_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

struct cta_chain {
    uint64_t ctas;
    uint64_t places; /* CTAs at once */
};
/* Those that took so many core cycles wait for each other all the time: one takes less than the
 * chain does to come round all places. */
bool cta_chain_bounds(const struct cta_chain *c, double hop, double cycles);
/* Core cycles of `all`, where `some`, that begin as it does, took so many. */
double cta_chain_cycles(const struct cta_chain *all, const struct cta_chain *some, double hop,
                        double cycles);

#endif
