#include "sim/mem/warm.h"

#include <stdlib.h>

#include "base/err.h"

struct held {
    addr_t first;          /* a line's address */
    uint64_t lines, later; /* later: lines that were used after all of these */
    uint64_t *taken;       /* owned: a bit a line */
};

struct warm {
    struct held *held; /* owned */
    int n, line;
    double share;
};

struct warm *warm_new(const struct warm_range *range, int ranges, int line, double share)
{
    struct warm *w = xcalloc(1, sizeof *w);
    *w = (struct warm){.n = ranges, .line = line, .share = share};
    w->held = xcalloc((size_t)ranges + 1, sizeof *w->held);
    uint64_t later = 0;
    for (int i = 0; i < ranges; i++) {
        struct held *h = &w->held[i];
        const addr_t size = (addr_t)line;
        h->first = range[i].base / size * size;
        h->lines = (range[i].base + range[i].bytes - h->first + size - 1) / size;
        h->later = later;
        h->taken = xcalloc((size_t)(h->lines / 64 + 1), sizeof *h->taken);
        later += h->lines;
    }
    return w;
}

void warm_free(struct warm *w)
{
    if (!w)
        return;
    for (int i = 0; i < w->n; i++)
        free(w->held[i].taken);
    free(w->held);
    free(w);
}

bool warm_take(struct warm *w, addr_t line, uint64_t fresh, uint64_t lines)
{
    for (int i = 0; i < w->n; i++) {
        struct held *h = &w->held[i];
        const uint64_t at = (line - h->first) / (addr_t)w->line;
        if (line < h->first || at >= h->lines)
            continue;
        const double later = (double)(h->later + h->lines - 1 - at);
        if (h->taken[at / 64] >> at % 64 & 1 || later * w->share + (double)fresh >= (double)lines)
            return false;
        h->taken[at / 64] |= 1ull << at % 64;
        return true;
    }
    return false;
}
