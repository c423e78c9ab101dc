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

/* Of a round of `width` CTAs, `wanted` that follow each other, from a drawn one on, or from the one
 * that has to be among them; all of them in their order, which is the launch's. */
static uint64_t from_round(uint64_t first, uint64_t width, uint64_t wanted, uint64_t with,
                           uint64_t *out)
{
    const bool has = with >= first && with - first < width;
    const uint64_t drawn = has ? with - first : mixed(first) % width,
                   start = wanted < width ? drawn : 0;
    for (uint64_t i = 0; i < wanted; i++)
        out[i] = first + (start + i) % width;
    return wanted;
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
    uint64_t n = 0;
    int bits = 0;
    while (1ull << bits < rounds)
        bits++;
    *out = xcalloc((size_t)(rounds * some), sizeof **out);
    for (uint64_t i = 0; i < 1ull << bits; i++) {
        const uint64_t first = (of->spread ? reversed(i, bits) : i) * all;
        const uint64_t left = first < grid ? grid - first : 0, width = left < all ? left : all;
        if (width)
            n += from_round(first, width, (width * some + all - 1) / all, of->with, *out + n);
    }
    return n;
}
