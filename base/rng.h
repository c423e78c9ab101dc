/* base/rng.h -- seeded random numbers, the same on every machine: one generator per user, none
 * shared. splitmix64 (Steele, Lea and Flood, OOPSLA 2014): a Weyl sequence through a mixing
 * function; every seed is a good one. */
#ifndef MDP_BASE_RNG_H
#define MDP_BASE_RNG_H

#include "base/types.h"

struct rng {
    uint64_t state;
};

static inline struct rng rng_seed(uint64_t seed)
{
    return (struct rng){seed};
}

static inline uint64_t rng_u64(struct rng *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* Uniform in [0, n), n > 0; the bias of the multiplication is below n / 2^64. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)rng_u64(r) * n) >> 64);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

#endif
