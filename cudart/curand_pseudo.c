#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/curand.h"

/* -- Philox-4x32-10: block `block` of lane `lane` */

static void philox(uint64_t key, uint64_t lane, uint64_t block, uint32_t out[4])
{
    uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)lane,
                     (uint32_t)(lane >> 32)};
    for (int round = 0; round < 10; round++) {
        const uint64_t p = (uint64_t)0xD2511F53 * c[0], q = (uint64_t)0xCD9E8D57 * c[2];
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q,
                                  (uint32_t)(p >> 32) ^ c[3] ^ k[1], (uint32_t)p};
        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    memcpy(out, c, sizeof c);
}

/* -- XORWOW: 160 bits that are a linear map of those before, and a counter */

enum { BITS = 160, WORDS_OF = BITS / 32 };
#define COUNTER_STEP 362437u
#define LANE_SKIP    67 /* lane i begins i x 2^67 words behind the first */

struct xorwow {
    uint32_t v[WORDS_OF], counter;
};
struct matrix { /* what becomes of each bit alone */
    uint32_t of[BITS][WORDS_OF];
};

static uint32_t xorwow_next(struct xorwow *x)
{
    const uint32_t t = x->v[0] ^ x->v[0] >> 2, last = x->v[4];
    memmove(x->v, x->v + 1, 4 * sizeof x->v[0]);
    x->v[4] = last ^ last << 4 ^ t ^ t << 1;
    x->counter += COUNTER_STEP;
    return x->v[4] + x->counter;
}

static void apply(const struct matrix *m, uint32_t v[WORDS_OF])
{
    uint32_t sum[WORDS_OF] = {0};
    for (int w = 0; w < WORDS_OF; w++)
        for (uint32_t left = v[w]; left; left &= left - 1) {
            const uint32_t *of = m->of[32 * w + __builtin_ctz(left)];
            for (int i = 0; i < WORDS_OF; i++)
                sum[i] ^= of[i];
        }
    memcpy(v, sum, sizeof sum);
}

static void one_step(struct matrix *m)
{
    for (int bit = 0; bit < BITS; bit++) {
        struct xorwow x = {.v = {0}};
        x.v[bit / 32] = UINT32_C(1) << bit % 32;
        xorwow_next(&x);
        memcpy(m->of[bit], x.v, sizeof x.v);
    }
}

static void square(struct matrix *m)
{
    const struct matrix once = *m;
    for (int bit = 0; bit < BITS; bit++)
        apply(&once, m->of[bit]);
}

/* cuRAND's way from a seed to a state. */
static struct xorwow xorwow_seeded(uint64_t seed)
{
    const uint32_t a = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u),
                   b = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    return (struct xorwow){
        .v = {123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b, 5783321u + a},
        .counter = 6615241u + a + b};
}

/* -- lanes of either: each in turn gives `width` numbers, of the words that come next in it */

#define XORWOW_LANES 4096
#define PHILOX_LANES 65536
#define PHILOX_WIDTH 4 /* words of a block */
#define TURN_WORDS   8 /* at most */

struct rng_state {
    enum rng_type type;
    uint64_t seed, offset, turns; /* turns: of lanes, since the start */
    bool started;
    unsigned lane, done;   /* whose turn it is; numbers of that turn that were given (Philox) */
    struct xorwow *xorwow; /* owned: of each lane; or */
    uint64_t *blocks;      /* owned: ... of Philox, that it has given */
};

struct rng_state *rng_state_new(enum rng_type type)
{
    struct rng_state *s = xcalloc(1, sizeof *s);
    s->type = type;
    return s;
}

void rng_state_free(struct rng_state *s)
{
    free(s->xorwow);
    free(s->blocks);
    free(s);
}

/* cuRAND begins another seed's sequence behind as many words as lanes had turns with the last; the
 * same seed again changes nothing. */
void rng_state_seed(struct rng_state *s, uint64_t seed)
{
    if (seed == s->seed)
        return;
    s->seed = seed;
    s->offset += s->turns;
    s->turns = 0;
    s->started = false;
}

void rng_state_offset(struct rng_state *s, uint64_t offset)
{
    s->offset = offset;
    s->turns = 0;
    s->started = false;
}

/* The lanes before that whose turn it is are one word ahead. */
static void start_xorwow(struct rng_state *s)
{
    struct matrix *m = xcalloc(1, sizeof *m);
    struct xorwow x = xorwow_seeded(s->seed);
    const uint64_t at = s->offset / XORWOW_LANES;
    one_step(m);
    for (int bit = 0; bit < LANE_SKIP; bit++) {
        if (bit < 64 && at >> bit & 1)
            apply(m, x.v);
        square(m);
    }
    x.counter += (uint32_t)at * COUNTER_STEP; /* 2^67 steps leave it as it is */
    s->lane = (unsigned)(s->offset % XORWOW_LANES);
    s->xorwow = xrealloc(s->xorwow, XORWOW_LANES * sizeof *s->xorwow);
    for (unsigned i = 0; i < XORWOW_LANES; i++) {
        s->xorwow[i] = x;
        if (i < s->lane)
            xorwow_next(&s->xorwow[i]);
        apply(m, x.v);
    }
    free(m);
}

static void start_philox(struct rng_state *s)
{
    const uint64_t at = s->offset / PHILOX_WIDTH;
    s->done = (unsigned)(s->offset % PHILOX_WIDTH);
    s->lane = (unsigned)(at % PHILOX_LANES);
    s->blocks = xrealloc(s->blocks, PHILOX_LANES * sizeof *s->blocks);
    for (unsigned i = 0; i < PHILOX_LANES; i++)
        s->blocks[i] = at / PHILOX_LANES + (i < s->lane);
}

static void start(struct rng_state *s)
{
    if (s->started)
        return;
    s->started = true;
    s->done = 0;
    if (s->type == RNG_XORWOW)
        start_xorwow(s);
    else
        start_philox(s);
}

/* The next `words` of the lane whose turn it is. Philox gives them again until the turn ends. */
static void next_words(struct rng_state *s, unsigned words, uint32_t *out)
{
    const uint64_t key = s->type == RNG_PHILOX ? s->seed : s->seed ^ (uint64_t)s->type << 56;
    for (unsigned i = 0; s->type == RNG_XORWOW && i < words; i++)
        out[i] = xorwow_next(&s->xorwow[s->lane]);
    for (unsigned i = 0; s->type != RNG_XORWOW && i < words; i += PHILOX_WIDTH)
        philox(key, s->lane, s->blocks[s->lane] + i / PHILOX_WIDTH, out + i);
}

static void end_turn(struct rng_state *s, unsigned words)
{
    s->done = 0;
    s->turns++;
    if (s->type != RNG_XORWOW)
        s->blocks[s->lane] += words / PHILOX_WIDTH;
    s->lane = (s->lane + 1) % (s->type == RNG_XORWOW ? XORWOW_LANES : PHILOX_LANES);
}

/* Uniform in (0, 1]: of a word, or of 53 bits of two. */
static double uniform(const struct rng_draw *d, const uint32_t *word, unsigned i)
{
    if (!d->doubles)
        return (double)((float)word[i] * 0x1p-32f + 0x1p-33f);
    return (double)(word[2 * i] ^ (uint64_t)word[2 * i + 1] << 21) * 0x1p-53 + 0x1p-54;
}

/* Box and Muller make two normal numbers of two uniform ones. */
static double normal(const struct rng_draw *d, const uint32_t *word, unsigned i)
{
    const double u = uniform(d, word, i & ~1u), v = uniform(d, word, i | 1), r = sqrt(-2 * log(u));
    return r * (i & 1 ? cos(2 * M_PI * v) : sin(2 * M_PI * v));
}

void rng_pseudo(const struct rng_draw *d, void *out)
{
    struct rng_state *s = d->state;
    const bool pairs = d->kind == NORMAL || d->kind == LOG_NORMAL;
    const unsigned width = s->type != RNG_XORWOW ? PHILOX_WIDTH : pairs ? 2 : 1;
    const unsigned words = width * (d->doubles ? 2 : 1);
    uint32_t word[TURN_WORDS];
    start(s);
    for (size_t i = 0; i < d->n;) {
        next_words(s, words, word);
        for (; s->done < width && i < d->n; s->done++, i++)
            if (d->kind == WORDS)
                ((uint32_t *)out)[i] = word[s->done];
            else
                rng_store(d, out, i, pairs ? normal(d, word, s->done) : uniform(d, word, s->done));
        if (s->done == width)
            end_turn(s, words);
    }
}
