#include "sampler/pilot/cta_share.h"

#include "base/err.h"
#include "base/types.h"

/* The same bits for the same round, whatever else is drawn (SplitMix64's finaliser). */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct round {
    uint64_t first, width; /* its CTAs */
    uint64_t wanted;       /* of these */
    uint64_t place;        /* rounds with the same one have theirs from one place */
    bool last;             /* of fewer CTAs than cores */
    bool before_last;
};

static struct round round_of(const struct cta_share_of *of, uint64_t first)
{
    const uint64_t all = (uint64_t)of->all_cores, some = (uint64_t)of->cores,
                   left = first < of->grid ? of->grid - first : 0, width = left < all ? left : all;
    return (struct round){.first = first,
                          .width = width,
                          .wanted = (width * some + all - 1) / all,
                          .place = first / all / (of->together ? of->together : 1),
                          .last =
                              first > 0 && left<all, .before_last = left> all && left < 2 * all};
}

static bool has(const struct round *r, uint64_t cta)
{
    return cta >= r->first && cta - r->first < r->width;
}

/* Where in the round its CTAs begin that the model gets: with the one that has to be among them, or
 * a drawn one; where the two last rounds meet, so that the few of the last one have neighbours. */
static uint64_t begin(const struct round *r, uint64_t with)
{
    if (r->wanted == r->width)
        return 0; /* all, in the launch's order */
    if (has(r, with))
        return with - r->first;
    if (r->last)
        return 0;
    return r->before_last ? r->width - r->wanted : mixed(r->place) % r->width;
}

static uint64_t from_round(const struct round *r, uint64_t with, uint64_t *out)
{
    const uint64_t start = begin(r, with);
    for (uint64_t i = 0; i < r->wanted; i++)
        out[i] = r->first + (start + i) % r->width;
    return r->wanted;
}

/* i's lowest bits in reverse: 0, 1, 2 ... become far apart. */
static uint64_t reversed(uint64_t i, int bits)
{
    uint64_t r = 0;
    for (int b = 0; b < bits; b++)
        r |= (i >> b & 1) << (bits - 1 - b);
    return r;
}

uint64_t cta_share(const struct cta_share_of *of, uint64_t **out)
{
    const uint64_t all = (uint64_t)of->all_cores, some = (uint64_t)of->cores, grid = of->grid,
                   rounds = (grid + all - 1) / all;
    const uint64_t block = of->block ? of->block : rounds, blocks = (rounds + block - 1) / block;
    uint64_t n = 0;
    int bits = 0;
    while (1ull << bits < blocks)
        bits++;
    *out = xcalloc((size_t)(rounds * some), sizeof **out);
    for (uint64_t i = 0; i < block << bits; i++) {
        const uint64_t at = reversed(i / block, bits) * block + i % block;
        const struct round r = round_of(of, at * all);
        if (r.width)
            n += from_round(&r, of->with, *out + n);
    }
    return n;
}
