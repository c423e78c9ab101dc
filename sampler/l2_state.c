#include "sampler/l2_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void l2_state_init(struct l2_state *s, const struct gpu_cfg *cfg)
{
    const struct cache_cfg *l2 = &cfg->mem.l2;
    *s = (struct l2_state){.cfg = l2->enabled ? cfg : NULL};
    if (!s->cfg)
        return;
    addrmap_init(&s->map, &cfg->mem);
    s->slice = xcalloc((size_t)cfg->mem.partition.count, sizeof *s->slice);
    for (int i = 0; i < cfg->mem.partition.count; i++)
        tags_init(&s->slice[i], (uint32_t)l2->size, (uint32_t)l2->line, (uint32_t)l2->ways);
}

void l2_state_fini(struct l2_state *s)
{
    for (int i = 0; s->cfg && i < s->cfg->mem.partition.count; i++)
        tags_fini(&s->slice[i]);
    free(s->slice);
    *s = (struct l2_state){0};
}

bool l2_state_find(const struct l2_state *s, addr_t line, struct tags **slice, uint32_t *way)
{
    struct mem_req q = {.addr = line};
    addrmap_set(&s->map, &q);
    *slice = &s->slice[q.partition];
    return tags_probe(*slice, q.chan_addr, line, way) == TAG_HIT;
}

/* A store that misses allocates too (sim/mem/l2.h). */
static void look_up(struct l2_state *s, addr_t addr, bool write)
{
    const addr_t line = tags_line(s->slice, addr);
    struct tags *t;
    uint32_t way;
    addr_t victim;
    s->uses++;
    if (!l2_state_find(s, line, &t, &way)) {
        tags_replace(t, way, line | TAG_VALID, s->uses, &victim);
        s->misses++;
        return;
    }
    tags_touch(t, way, s->uses);
    if (write)
        tags_set_state(t, way, TAG_MODIFIED);
}

void l2_state_step(struct l2_state *s, const struct requests *made, const struct step *st)
{
    if (!s->cfg || made->path == REQUEST_NONE || st->space == SP_LOCAL)
        return; /* local memory lies where its CTA runs, which is not known here */
    for (int i = 0; i < made->n; i++)
        look_up(s, made->t[i].addr, st->is_store || st->is_atomic);
}

void l2_state_give(const struct l2_state *s, int slice, struct tags *to)
{
    const struct tags *t = &s->slice[slice];
    const size_t lines = (size_t)t->sets * t->ways;
    memcpy(to->key, t->key, lines * sizeof *t->key);
    memcpy(to->used, t->used, lines * sizeof *t->used);
}

void l2_state_copy(struct l2_state *to, const struct l2_state *from)
{
    to->uses = from->uses;
    for (int i = 0; from->cfg && i < from->cfg->mem.partition.count; i++)
        l2_state_give(from, i, &to->slice[i]);
}
