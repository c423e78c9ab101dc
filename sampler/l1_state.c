#include "sampler/l1_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"

static struct stamp_cache *caches(const struct gpu_cfg *cfg, int cache)
{
    const struct tex_cache_cfg *tex = &cfg->mem.l1t;
    const struct cache_cfg texture = {.size = tex->size, .line = tex->line, .ways = tex->ways},
                           *of = cache == L1_DATA    ? &cfg->mem.l1d
                                 : cache == L1_CONST ? &cfg->mem.l1c
                                                     : &texture;
    const bool enabled = cache == L1_TEXTURE ? tex->enabled : of->enabled;
    if (!enabled || (cache != L1_CONST && cfg->top.flush_l1))
        return NULL;
    struct stamp_cache *c = xcalloc((size_t)cfg->top.cores, sizeof *c);
    for (int i = 0; i < cfg->top.cores; i++)
        stamp_init(&c[i], of, cache == L1_CONST);
    return c;
}

void l1_state_init(struct l1_state *s, const struct gpu_cfg *cfg)
{
    *s = (struct l1_state){.cfg = cfg};
    for (int k = 0; k < L1_CACHES; k++)
        s->cache[k] = caches(cfg, k);
}

void l1_state_fini(struct l1_state *s)
{
    for (int k = 0; k < L1_CACHES; k++) {
        for (int i = 0; s->cache[k] && i < s->cfg->top.cores; i++)
            stamp_fini(&s->cache[k][i]);
        free(s->cache[k]);
    }
    *s = (struct l1_state){0};
}

int l1_state_core(int state, const struct gpu_cfg *cfg, int launch, int first, uint64_t cta)
{
    const uint64_t cores = (uint64_t)cfg->top.cores, round = cta / cores;
    struct rng r = rng_seed(((uint64_t)launch << 32) + round);
    const uint64_t turned = state == L1_ROUND ? (uint64_t)first : rng_below(&r, cores);
    return (int)((turned + cta) % cores);
}

/* A store goes through, and its line leaves. True: it held the line. */
static bool look_up(struct l1_state *s, const struct stamp_cache *c, addr_t addr, bool store)
{
    struct stamp_line *line = stamp_find(c, addr);
    s->uses++;
    if (line && store)
        *line = (struct stamp_line){0};
    else if (line)
        line->used = s->uses;
    else if (!store)
        stamp_put(c, addr, s->uses);
    return line;
}

/* The one that an access looks into; -1: none. */
static int cache_of(const struct requests *made, const struct step *st)
{
    switch (made->path) {
    case REQUEST_LOAD:
    case REQUEST_STORE:
        return st->space == SP_LOCAL ? -1 : L1_DATA;
    case REQUEST_TEXTURE:
        return L1_TEXTURE;
    case REQUEST_NONE:
        return requests_are_constants(st) ? L1_CONST : -1;
    default:
        return -1;
    }
}

int l1_state_step(struct l1_state *s, const struct requests *made, const struct step *st, int core)
{
    const int k = cache_of(made, st);
    int missed = made->n;
    for (int i = 0; k >= 0 && s->cache[k] && i < made->n; i++)
        missed -= look_up(s, &s->cache[k][core], made->t[i].addr, made->path == REQUEST_STORE);
    return missed;
}

void l1_state_give(const struct l1_state *s, int cache, int core, struct stamp_cache *to)
{
    if (!s->cache[cache])
        return;
    const struct stamp_cache *from = &s->cache[cache][core];
    memcpy(to->way, from->way, from->sets * (size_t)from->ways * sizeof *from->way);
}

void l1_state_copy(struct l1_state *to, const struct l1_state *from)
{
    to->uses = from->uses;
    for (int k = 0; k < L1_CACHES; k++)
        for (int i = 0; to->cache[k] && i < to->cfg->top.cores; i++)
            l1_state_give(from, k, i, &to->cache[k][i]);
}
