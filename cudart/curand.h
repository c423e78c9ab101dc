/* cudart/curand.h -- generators of cuRAND, and how their numbers are computed.
 *
 * A generator has a sequence of words of 32 bits; what a call asks for is made of them in order.
 * XORWOW and Philox have the sequences of cuRAND's own host generators, bit for bit: `lanes` parts
 * of the published generator, far from each other, of which each in turn gives `width` numbers. The
 * other pseudorandom generators have Philox's with other keys, quasirandom ones GSL's Sobol points:
 * the distribution is cuRAND's, the sequence is not.
 *
 *   G. Marsaglia, Xorshift RNGs, J. Stat. Soft. 8 (14), 2003. J. Salmon et al., Parallel random
 *   numbers: as easy as 1, 2, 3, SC 2011. */
#ifndef MDP_CUDART_CURAND_H
#define MDP_CUDART_CURAND_H

#include "cudart/rt.h"

enum rng_type {
    RNG_DEFAULT = 100,
    RNG_XORWOW,
    RNG_MRG32K3A = 121,
    RNG_MTGP32 = 141,
    RNG_MT19937,
    RNG_PHILOX = 161,
    RNG_QUASI_DEFAULT = 200,
    RNG_SOBOL32,
    RNG_SCRAMBLED32,
    RNG_SOBOL64,
    RNG_SCRAMBLED64
};
#define RNG_DIMENSIONS 40 /* of quasirandom points, at most: GSL's Sobol has so many */

enum rng_kind { WORDS, LONG_WORDS, UNIFORM, NORMAL, LOG_NORMAL, POISSON };
struct rng_state;
struct rng_draw { /* what one call asks for */
    const char *name;
    struct rng_state *state; /* borrowed: where the sequence has got to; pseudorandom ones */
    enum rng_type type;      /* neither default */
    unsigned dims;           /* quasirandom points: of how many dimensions, ... */
    uint64_t from;           /* ... and how many were drawn before */
    enum rng_kind kind;
    bool doubles, to_host;
    double mean, deviation; /* Poisson: mean */
    void *out;
    size_t n;
};

static inline bool rng_is_quasi(enum rng_type t)
{
    return t >= RNG_QUASI_DEFAULT;
}

/* -- curand_pseudo.c */

struct rng_state *rng_state_new(enum rng_type type);
void rng_state_free(struct rng_state *s);
/* Another seed: its sequence, as far on as the last was. Offset: anew, without so many words. */
void rng_state_seed(struct rng_state *s, uint64_t seed);
void rng_state_offset(struct rng_state *s, uint64_t offset);
/* What d asks for, into out; the state goes on. */
void rng_pseudo(const struct rng_draw *d, void *out);

/* -- curand_compute.c */

/* Whether these are the numbers of cuRAND's host generator (normal ones but for rounding). */
bool rng_is_same(const struct rng_draw *d);
/* A number of what is asked for becomes element i; v: normal with mean 0 and deviation 1 for those
 * that are made of such, else uniform in (0, 1]. */
void rng_store(const struct rng_draw *d, void *out, size_t i, double v);
/* Work of a graph; data is a struct rng_draw, which is computed and counted. */
CUresult rng_run(const void *data, CUstream stream);

#endif
