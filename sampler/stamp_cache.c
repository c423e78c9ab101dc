#include "sampler/stamp_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sampler/cycles.h"

void stamp_init(struct stamp_cache *c, const struct cache_cfg *cfg, bool on_fill)
{
    const size_t lines = (size_t)(cfg->size / cfg->line);
    *c = (struct stamp_cache){.way = xcalloc(lines, sizeof *c->way),
                              .sets = lines / (size_t)cfg->ways,
                              .ways = cfg->ways,
                              .line = cfg->line,
                              .line_log2 = __builtin_ctz((unsigned)cfg->line),
                              .merges = cfg->merges,
                              .mshrs = cfg->mshrs,
                              .on_fill = on_fill,
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
    return &c->way[(line & (c->sets - 1)) * (uint64_t)c->ways];
}

/* The line to replace: none, else the one used longest ago of those that are filled. */
static struct stamp_line *oldest(struct stamp_line *set, int ways)
{
    struct stamp_line *best = NULL;
    for (int w = 0; w < ways; w++) {
        if (set[w].line == 0)
            return &set[w];
        if (!set[w].mshr && (!best || set[w].used < best->used))
            best = &set[w];
    }
    return best;
}

static struct stamp_mshr *free_mshr(const struct stamp_cache *c, cycle_t t)
{
    struct stamp_mshr *best = c->mshr;
    for (int i = 1; i < c->mshrs && best->free > t; i++)
        if (c->mshr[i].free < best->free)
            best = &c->mshr[i];
    return best;
}

static struct stamp_look miss(const struct stamp_cache *c, struct stamp_line *set, cycle_t t)
{
    struct stamp_look l = {.got = STAMP_MISS, .when = CYCLE_NEVER, .mshr = c->mshr};
    if (c->filling == c->mshrs)
        return l;
    l.when = t;
    l.mshr = free_mshr(c, t);
    if (!c->on_fill) {
        l.line = oldest(set, c->ways);
        l.when = l.line ? t : CYCLE_NEVER;
    }
    l.when = later(l.when, l.mshr->free);
    return l;
}

static struct stamp_look merge(const struct stamp_cache *c, struct stamp_line *line,
                               struct stamp_mshr *mshr, cycle_t t)
{
    return (struct stamp_look){.got = STAMP_MERGED,
                               .when = mshr->merged < c->merges ? t : CYCLE_NEVER,
                               .line = line,
                               .mshr = mshr};
}

struct stamp_look stamp_look(const struct stamp_cache *c, addr_t addr, cycle_t t)
{
    const addr_t line = addr >> c->line_log2;
    struct stamp_line *set = set_of(c, line);
    for (int w = 0; w < c->ways; w++)
        if (set[w].line == line + 1)
            return set[w].mshr ? merge(c, &set[w], set[w].mshr, t)
                               : (struct stamp_look){.got = STAMP_HIT, .when = t, .line = &set[w]};
    for (int i = 0; c->on_fill && i < c->mshrs; i++)
        if (c->mshr[i].line == line + 1)
            return merge(c, NULL, &c->mshr[i], t);
    return miss(c, set, t);
}

void stamp_use(const struct stamp_look *l, cycle_t t)
{
    if (l->line)
        l->line->used = t;
    if (l->got == STAMP_MERGED)
        l->mshr->merged++;
}

void stamp_miss(struct stamp_cache *c, const struct stamp_look *l, addr_t addr, cycle_t t,
                struct flight *flight)
{
    const addr_t line = (addr >> c->line_log2) + 1;
    c->filling++;
    *l->mshr =
        (struct stamp_mshr){.free = CYCLE_NEVER, .line = line, .merged = 1, .flight = flight};
    if (l->line)
        *l->line = (struct stamp_line){.line = line, .used = t, .mshr = l->mshr};
}

void stamp_put(const struct stamp_cache *c, addr_t addr, cycle_t t)
{
    const addr_t line = addr >> c->line_log2;
    *oldest(set_of(c, line), c->ways) = (struct stamp_line){.line = line + 1, .used = t};
}

void stamp_fill(struct stamp_cache *c, struct stamp_line *line, struct stamp_mshr *mshr, cycle_t t)
{
    if (line)
        line->mshr = NULL;
    else
        stamp_put(c, (mshr->line - 1) * (addr_t)c->line, t);
    c->filling--;
    *mshr = (struct stamp_mshr){.free = t + (cycle_t)mshr->merged};
}

struct stamp_line *stamp_find(const struct stamp_cache *c, addr_t addr)
{
    const addr_t line = addr >> c->line_log2;
    struct stamp_line *set = set_of(c, line);
    for (int w = 0; w < c->ways; w++)
        if (set[w].line == line + 1 && !set[w].mshr)
            return &set[w];
    return NULL;
}
