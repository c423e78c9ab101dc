/* A replayed core's texture cache (sim/mem/tex_cache.h): accesses leave it in the order in which
 * they came, one a cycle, when their line is there. */
#include "sampler/replay_core.h"

#include <stdlib.h>

#define WRITTEN 3 /* core cycles from there to the register */

void replay_tex_init(struct core_at *c)
{
    const struct tex_cache_cfg *cfg = &c->r->cfg->mem.l1t;
    const struct cache_cfg lines = {.size = cfg->size,
                                    .line = cfg->line,
                                    .ways = cfg->ways,
                                    .mshrs = cfg->fragments, /* it is `rob` that bounds misses */
                                    .merges = cfg->fragments};
    stamp_init(&c->l1t, &lines, false);
    c->tex.at = xcalloc((size_t)cfg->fragments, sizeof *c->tex.at);
}

void replay_tex_fini(struct core_at *c)
{
    stamp_fini(&c->l1t);
    free(c->tex.at);
}

void replay_tex_begin(struct core_at *c, cycle_t t)
{
    c->tex.head = c->tex.len = c->tex.misses = 0;
    c->tex.left = t;
    c->tex.next = CYCLE_NEVER;
}

/* When the first of them leaves. */
static void plan(struct core_at *c)
{
    struct tex_fifo *q = &c->tex;
    const struct texture_access *first = &q->at[q->head];
    q->next = q->len && !first->awaits ? later(first->from, q->left + 1) : CYCLE_NEVER;
    replay_tell(c);
}

cycle_t replay_texture(struct core_at *c, const struct warp_at *w, addr_t addr, cycle_t t,
                       struct load *l)
{
    const struct tex_cache_cfg *cfg = &c->r->cfg->mem.l1t;
    struct tex_fifo *q = &c->tex;
    if (q->len == (uint32_t)cfg->fragments || q->misses == (uint32_t)cfg->rob)
        return CYCLE_NEVER;
    const struct stamp_look k = stamp_look(&c->l1t, addr, t);
    if (k.when > t)
        return k.when;
    if (k.got == STAMP_MISS && !replay_has_room(c, 1))
        return CYCLE_NEVER;
    struct texture_access *a = &q->at[(q->head + q->len++) % (uint32_t)cfg->fragments];
    *a = (struct texture_access){.load = l, .from = t + 1 + (cycle_t)cfg->latency};
    if (k.got == STAMP_MISS) {
        replay_miss(c, &c->l1t, &k, w, addr, t, REQ_TEX_READ)->texture = a;
        a->miss = a->awaits = true;
        q->misses++;
    } else {
        stamp_use(&k, t);
    }
    l->pending++;
    plan(c);
    return t;
}

void replay_texture_came(struct core_at *c, struct texture_access *a, cycle_t t)
{
    a->awaits = false;
    a->from = later(a->from, t + 1);
    plan(c);
}

void replay_texture_leaves(struct core_at *c)
{
    struct tex_fifo *q = &c->tex;
    struct load *l = q->at[q->head].load;
    const bool miss = q->at[q->head].miss;
    const cycle_t t = q->left = q->next;
    q->head = (q->head + 1) % (uint32_t)c->r->cfg->mem.l1t.fragments;
    q->len--;
    q->misses -= miss;
    plan(c);
    replay_back(l, pipeline_write(&c->pipe, l->op->m, l->w->bank0, t + WRITTEN));
    replay_ldst_again(c);
}
