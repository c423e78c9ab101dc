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

/* Of a round of `width` CTAs, `wanted` that follow each other, from a drawn one on; all of them in
 * their order, which is the launch's. */
static uint64_t from_round(uint64_t first, uint64_t width, uint64_t wanted, uint64_t *out)
{
    const uint64_t start = wanted < width ? mixed(first) % width : 0;
    for (uint64_t i = 0; i < wanted; i++)
        out[i] = first + (start + i) % width;
    return wanted;
}

uint64_t cta_share(uint64_t grid, int cores, int of, uint64_t **out)
{
    const uint64_t all = (uint64_t)of, some = (uint64_t)cores;
    uint64_t n = 0;
    *out = xcalloc((size_t)((grid / all + 1) * some), sizeof **out);
    for (uint64_t first = 0; first < grid; first += all) {
        const uint64_t width = grid - first < all ? grid - first : all;
        n += from_round(first, width, (width * some + all - 1) / all, *out + n);
    }
    return n;
}
