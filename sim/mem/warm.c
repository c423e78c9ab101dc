#include "sim/mem/warm.h"

#include <stdlib.h>

#include "base/err.h"

#define GONE     UINT32_MAX
#define LAUNCHES 512 /* that are told apart: what was used longer ago counts as used then */

struct held {
    addr_t first; /* a line's address */
    uint64_t lines;
    uint32_t *later; /* owned, [lines]: lines that were used after it; GONE: it is not there */
};

struct warm {
    struct held *held; /* owned */
    int n, line;
    double share;
};

static struct held held_of(const struct warm_range *r, addr_t line)
{
    struct held h = {.first = r->base / line * line};
    h.lines = (r->base + r->bytes - h.first + line - 1) / line;
    h.later = xcalloc((size_t)h.lines + 1, sizeof *h.later);
    return h;
}

static uint32_t at_most(double x)
{
    return x < GONE - 1 ? (uint32_t)x : GONE - 1;
}

/* All of it, from its beginning to its end, before `later` lines. */
static uint64_t fill_whole(struct held *h, uint64_t later)
{
    for (uint64_t i = 0; i < h->lines; i++)
        h->later[i] = at_most((double)(later + h->lines - 1 - i));
    return later + h->lines;
}

struct launches { /* by how long ago: the latest first */
    uint32_t latest;
    uint64_t lines[LAUNCHES]; /* that each used last */
    uint64_t later[LAUNCHES]; /* that later ones did */
};

static uint32_t ago(const struct launches *l, uint32_t launch)
{
    const uint32_t d = l->latest - launch;
    return d < LAUNCHES ? d : LAUNCHES - 1;
}

static void count(struct launches *l, const struct warm_range *range, const struct held *h, int n,
                  uint64_t later)
{
    for (int r = 0; r < n; r++)
        for (uint64_t i = 0; range[r].used && i < h[r].lines; i++)
            l->latest = range[r].used[i] > l->latest ? range[r].used[i] : l->latest;
    for (int r = 0; r < n; r++)
        for (uint64_t i = 0; range[r].used && i < h[r].lines; i++)
            if (range[r].used[i])
                l->lines[ago(l, range[r].used[i])]++;
    for (int k = 0; k < LAUNCHES; k++) {
        l->later[k] = later;
        later += l->lines[k];
    }
}

/* Of a launch the lines of a range are used at one pace, so that its ranges end together. */
static void fill_used(const struct launches *l, const uint32_t *used, struct held *h,
                      uint64_t own[LAUNCHES], uint64_t seen[LAUNCHES])
{
    for (int k = 0; k < LAUNCHES; k++)
        own[k] = seen[k] = 0;
    for (uint64_t i = 0; i < h->lines; i++)
        if (used[i])
            own[ago(l, used[i])]++;
    for (uint64_t i = 0; i < h->lines; i++) {
        const uint32_t k = used[i] ? ago(l, used[i]) : 0;
        h->later[i] = GONE;
        if (!used[i])
            continue;
        seen[k]++;
        const double behind = (double)(own[k] - seen[k]) / (double)own[k];
        h->later[i] = at_most((double)l->later[k] + behind * (double)l->lines[k]);
    }
}

struct warm *warm_new(const struct warm_range *range, int ranges, int line, double share)
{
    struct warm *w = xcalloc(1, sizeof *w);
    struct launches *l = xcalloc(1, sizeof *l);
    uint64_t *counts = xcalloc(2 * LAUNCHES, sizeof *counts), later = 0;
    *w = (struct warm){.n = ranges, .line = line, .share = share};
    w->held = xcalloc((size_t)ranges + 1, sizeof *w->held);
    for (int i = 0; i < ranges; i++) {
        w->held[i] = held_of(&range[i], (addr_t)line);
        if (!range[i].used)
            later = fill_whole(&w->held[i], later);
    }
    count(l, range, w->held, ranges, later);
    for (int i = 0; i < ranges; i++)
        if (range[i].used)
            fill_used(l, range[i].used, &w->held[i], counts, counts + LAUNCHES);
    free(counts);
    free(l);
    return w;
}

void warm_free(struct warm *w)
{
    if (!w)
        return;
    for (int i = 0; i < w->n; i++)
        free(w->held[i].later);
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
        const double later = (double)h->later[at];
        if (h->later[at] == GONE || later * w->share + (double)fresh >= (double)lines)
            return false;
        h->later[at] = GONE;
        return true;
    }
    return false;
}
