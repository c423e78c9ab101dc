#include "sampler/stamp_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void stamp_init(struct stamp_cache *c, const struct cache_cfg *cfg)
{
    const size_t lines = (size_t)(cfg->size / cfg->line);
    *c = (struct stamp_cache){.way = xcalloc(lines, sizeof *c->way),
                              .sets = lines / (size_t)cfg->ways,
                              .ways = cfg->ways,
                              .line = cfg->line,
                              .merges = cfg->merges,
                              .mshrs = cfg->mshrs,
                              .mshr = xcalloc((size_t)cfg->mshrs, sizeof *c->mshr)};
}

void stamp_fini(struct stamp_cache *c)
{
    free(c->way);
    free(c->mshr);
}

void stamp_flush(struct stamp_cache *c)
{
    memset(c->way, 0, c->sets * (size_t)c->ways * sizeof *c->way);
}

static struct stamp_line *set_of(const struct stamp_cache *c, addr_t line)
{
    return &c->way[line % c->sets * (uint64_t)c->ways];
}

/* The line to replace: none, else the one used longest ago of those that are filled. */
static struct stamp_line *oldest(struct stamp_line *set, int ways, double t)
{
    struct stamp_line *best = NULL;
    for (int w = 0; w < ways; w++) {
        if (set[w].line == 0)
            return &set[w];
        if (set[w].fill <= t && (!best || set[w].used < best->used))
            best = &set[w];
    }
    return best;
}

static double first_fill(const struct stamp_line *set, int ways)
{
    double first = set->fill;
    for (int w = 1; w < ways; w++)
        first = fmin(first, set[w].fill);
    return first;
}

static double *free_mshr(const struct stamp_cache *c, double t)
{
    double *best = c->mshr;
    for (int i = 1; i<c->mshrs && * best> t; i++)
        if (c->mshr[i] < *best)
            best = &c->mshr[i];
    return best;
}

struct stamp_look stamp_look(const struct stamp_cache *c, addr_t addr, double t)
{
    const addr_t line = addr / (addr_t)c->line;
    struct stamp_line *set = set_of(c, line);
    for (int w = 0; w < c->ways; w++)
        if (set[w].line == line + 1) {
            const bool pending = set[w].fill > t;
            const bool full = pending && set[w].merged >= c->merges;
            return (struct stamp_look){.got = pending ? STAMP_MERGED : STAMP_HIT,
                                       .when = full ? set[w].fill : t,
                                       .line = &set[w]};
        }
    struct stamp_look l = {.got = STAMP_MISS, .when = t, .mshr = free_mshr(c, t)};
    l.line = oldest(set, c->ways, t);
    if (!l.line)
        l.when = first_fill(set, c->ways);
    l.when = fmax(l.when, *l.mshr);
    return l;
}

void stamp_use(const struct stamp_look *l, double t)
{
    l->line->used = t;
    l->line->merged += l->got == STAMP_MERGED;
}

void stamp_miss(const struct stamp_cache *c, const struct stamp_look *l, addr_t addr, double t,
                double fill)
{
    *l->line = (struct stamp_line){
        .line = addr / (addr_t)c->line + 1, .used = t, .fill = fill, .merged = 1};
    *l->mshr = fill;
}

struct stamp_line *stamp_find(const struct stamp_cache *c, addr_t addr, double t)
{
    const addr_t line = addr / (addr_t)c->line;
    struct stamp_line *set = set_of(c, line);
    for (int w = 0; w < c->ways; w++)
        if (set[w].line == line + 1 && set[w].fill <= t)
            return &set[w];
    return NULL;
}
