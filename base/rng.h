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

/* Uniform in [0, n), n > 0, without bias (Lemire 2019): a multiplication instead of a division, and
 * another draw only in the short stretch that would favour some results. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
    unsigned __int128 m = (unsigned __int128)rng_u64(r) * n;
    if ((uint64_t)m < n) {
        uint64_t unfair = -n % n;
        while ((uint64_t)m < unfair)
            m = (unsigned __int128)rng_u64(r) * n;
    }
    return (uint64_t)(m >> 64);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

int64_t rng_between(struct rng *r, int64_t lo, int64_t hi); /* uniform in lo..hi, both included */
double rng_real(struct rng *r, double lo, double hi);       /* uniform in [lo, hi) */
double rng_normal(struct rng *r);                           /* mean 0, deviation 1 */
void rng_shuffle(struct rng *r, void *base, size_t n, size_t size);

#endif
