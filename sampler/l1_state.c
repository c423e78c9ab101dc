#include "sampler/l1_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"

void l1_state_init(struct l1_state *s, const struct gpu_cfg *cfg)
{
    *s = (struct l1_state){.cfg = cfg->mem.l1d.enabled && !cfg->top.flush_l1 ? cfg : NULL};
    if (!s->cfg)
        return;
    s->core = xcalloc((size_t)cfg->top.cores, sizeof *s->core);
    for (int i = 0; i < cfg->top.cores; i++)
        stamp_init(&s->core[i], &cfg->mem.l1d, false);
}

void l1_state_fini(struct l1_state *s)
{
    for (int i = 0; s->cfg && i < s->cfg->top.cores; i++)
        stamp_fini(&s->core[i]);
    free(s->core);
    *s = (struct l1_state){0};
}

int l1_state_core(int state, const struct gpu_cfg *cfg, int launch, int first, uint64_t cta)
{
    const uint64_t cores = (uint64_t)cfg->top.cores, round = cta / cores;
    struct rng r = rng_seed(((uint64_t)launch << 32) + round);
    const uint64_t turned = state == L1_ROUND ? (uint64_t)first : rng_below(&r, cores);
    return (int)((turned + cta) % cores);
}

/* A store goes through, and its line leaves. */
static void look_up(struct l1_state *s, const struct stamp_cache *c, addr_t addr, bool store)
{
    struct stamp_line *line = stamp_find(c, addr);
    s->uses++;
    if (line && store)
        *line = (struct stamp_line){0};
    else if (line)
        line->used = s->uses;
    else if (!store)
        stamp_put(c, addr, s->uses);
}

void l1_state_step(struct l1_state *s, const struct requests *made, const struct step *st, int core)
{
    const bool store = made->path == REQUEST_STORE;
    if (!s->cfg || st->space == SP_LOCAL || (!store && made->path != REQUEST_LOAD))
        return;
    for (int i = 0; i < made->n; i++)
        look_up(s, &s->core[core], made->t[i].addr, store);
}

void l1_state_give(const struct l1_state *s, int core, struct stamp_cache *to)
{
    const struct stamp_cache *from = &s->core[core];
    memcpy(to->way, from->way, from->sets * (size_t)from->ways * sizeof *from->way);
}

void l1_state_copy(struct l1_state *to, const struct l1_state *from)
{
    to->uses = from->uses;
    for (int i = 0; from->cfg && i < from->cfg->top.cores; i++)
        l1_state_give(from, i, &to->core[i]);
}
