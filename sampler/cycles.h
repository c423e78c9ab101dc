/* sampler/cycles.h -- the earlier and the later of two core cycles; CYCLE_NEVER is behind all. */
#ifndef MDP_SAMPLER_CYCLES_H
#define MDP_SAMPLER_CYCLES_H

#include "base/types.h"

static inline cycle_t earlier(cycle_t a, cycle_t b)
{
    return a < b ? a : b;
}

static inline cycle_t later(cycle_t a, cycle_t b)
{
    return a > b ? a : b;
}

#endif
