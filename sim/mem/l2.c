#include "sim/mem/l2.h"

#include "sim/mem/addrmap.h"
#include "sim/mem/mshr.h"
#include "sim/mem/req_queue.h"
#include "sim/mem/tags.h"
#include "sim/mem/warm.h"

#include <stdlib.h>

struct l2 {
    const struct cache_cfg *cfg; /* borrowed */
    const struct addrmap *map;   /* borrowed */
    struct req_pool *pool;       /* borrowed */
    struct tags tags;
    struct mshr *mshr; /* owned */
    uint32_t *asked;   /* owned: by MSHR entry, the bytes that its first request wants back */
    struct req_queue miss_queue;
    struct warm *warm; /* borrowed, or NULL */
    uint64_t fresh;    /* lines that came since it was set */
    uint64_t accesses, misses, merges;
};

struct l2 *l2_new(const struct cache_cfg *cfg, const struct addrmap *map, struct req_pool *pool)
{
    struct l2 *c = xcalloc(1, sizeof *c);
    *c = (struct l2){.cfg = cfg, .map = map, .pool = pool};
    tags_init(&c->tags, (uint32_t)cfg->size, (uint32_t)cfg->line, (uint32_t)cfg->ways);
    c->mshr = mshr_new(cfg->mshrs, cfg->merges);
    c->asked = xcalloc((size_t)cfg->mshrs, sizeof *c->asked);
    rq_init(&c->miss_queue, 0); /* bounded by the checks below, which look further ahead */
    return c;
}

void l2_free(struct l2 *c)
{
    if (!c)
        return;
    tags_fini(&c->tags);
    mshr_free(c->mshr);
    free(c->asked);
    rq_fini(&c->miss_queue);
    free(c);
}

static void write_back(struct l2 *c, addr_t line, cycle_t now)
{
    struct mem_req *r = req_get(c->pool);
    r->addr = r->line = line;
    r->bytes = (uint32_t)c->cfg->line;
    r->kind = REQ_L2_WRITEBACK;
    r->write = true;
    r->stamp[STAGE_CREATED] = now;
    addrmap_set(c->map, r);
    rq_push(&c->miss_queue, r);
}

/* Whether a read of the line can be taken: a merge, or a new entry. */
static bool can_read(const struct l2 *c, int entry)
{
    return entry >= 0 ? mshr_can_merge(c->mshr, entry) : !mshr_full(c->mshr);
}

/* Asks for the line on behalf of r; sends r unless somebody has asked already. */
static void read_line(struct l2 *c, struct mem_req *r, int entry, uint32_t way, cycle_t now)
{
    const addr_t line = tags_line(&c->tags, r->addr);
    c->accesses++;
    if (entry >= 0) {
        if (!mshr_filled(c->mshr, entry))
            tags_touch(&c->tags, way, now);
        mshr_merge(c->mshr, entry, r);
        c->merges++;
        return;
    }
    c->asked[mshr_add(c->mshr, line, r, way)] = r->bytes;
    r->bytes = (uint32_t)c->cfg->line;
    rq_push(&c->miss_queue, r);
    addr_t victim;
    if (tags_replace(&c->tags, way, line | TAG_RESERVED, now, &victim))
        write_back(c, victim, now);
    c->misses++;
    c->fresh++;
}

static enum l2_result read_miss(struct l2 *c, struct mem_req *r, uint32_t way, cycle_t now)
{
    const int entry = mshr_find(c->mshr, tags_line(&c->tags, r->addr));
    if (c->miss_queue.len + 2 > (uint32_t)c->cfg->miss_queue || !can_read(c, entry))
        return L2_REFUSED;
    read_line(c, r, entry, way, now);
    return L2_TAKEN;
}

/* Up to three requests at once: the store, the read of its line, a dirty line. */
static enum l2_result write_miss(struct l2 *c, struct mem_req *r, uint32_t way, cycle_t now)
{
    const int entry = mshr_find(c->mshr, tags_line(&c->tags, r->addr));
    if (c->miss_queue.len + 3 > (uint32_t)c->cfg->miss_queue || !can_read(c, entry))
        return L2_REFUSED;
    rq_push(&c->miss_queue, r);
    struct mem_req *f = req_get(c->pool);
    f->addr = f->line = tags_line(&c->tags, r->addr);
    f->bytes = (uint32_t)c->cfg->line;
    f->core = r->core;
    f->kind = REQ_L2_FILL;
    f->stamp[STAGE_CREATED] = now;
    addrmap_set(c->map, f);
    read_line(c, f, entry, way, now);
    return L2_TAKEN;
}

/* It was there before the launch: it is as if it had been there all the time. */
static bool is_warm(struct l2 *c, addr_t line, uint32_t way, cycle_t now)
{
    if (!c->warm || !warm_take(c->warm, line, c->fresh, c->tags.sets * (uint64_t)c->tags.ways))
        return false;
    addr_t victim;
    c->fresh++;
    if (tags_replace(&c->tags, way, line | TAG_VALID, now, &victim))
        write_back(c, victim, now);
    return true;
}

enum l2_result l2_access(struct l2 *c, struct mem_req *r, cycle_t now)
{
    uint32_t way;
    const addr_t line = tags_line(&c->tags, r->addr);
    const enum tag_result t = tags_probe(&c->tags, r->chan_addr, line, &way);
    if (t == TAG_FAIL)
        return L2_REFUSED;
    if (t != TAG_HIT && !(t == TAG_MISS && is_warm(c, line, way, now)))
        return r->write ? write_miss(c, r, way, now) : read_miss(c, r, way, now);
    tags_touch(&c->tags, way, now);
    if (r->write || r->kind == REQ_ATOMIC)
        tags_set_state(&c->tags, way, TAG_MODIFIED);
    c->accesses++;
    return L2_HIT;
}

struct mem_req *l2_to_dram(const struct l2 *c)
{
    return rq_peek(&c->miss_queue);
}

void l2_to_dram_pop(struct l2 *c)
{
    rq_pop(&c->miss_queue);
}

bool l2_waits_for(const struct l2 *c, const struct mem_req *r)
{
    const int e = mshr_find(c->mshr, tags_line(&c->tags, r->addr));
    return e >= 0 && mshr_first(c->mshr, e) == r;
}

void l2_fill(struct l2 *c, struct mem_req *r)
{
    const int e = mshr_find(c->mshr, tags_line(&c->tags, r->addr));
    const bool atomic = mshr_has_kind(c->mshr, e, REQ_ATOMIC);
    r->bytes = c->asked[e];
    tags_set_state(&c->tags, mshr_way(c->mshr, e), atomic ? TAG_MODIFIED : TAG_VALID);
    mshr_fill(c->mshr, e);
}

bool l2_ready(const struct l2 *c)
{
    return mshr_ready(c->mshr);
}

struct mem_req *l2_next_ready(struct l2 *c)
{
    return mshr_next(c->mshr);
}

void l2_warm(struct l2 *c, struct warm *w)
{
    c->warm = w;
    c->fresh = 0;
}

void l2_flush(struct l2 *c)
{
    tags_flush(&c->tags);
}

void l2_stats(struct l2 *c, struct run_stats *add)
{
    add->l2_accesses += c->accesses;
    add->l2_misses += c->misses;
    add->l2_merges += c->merges;
    c->accesses = c->misses = c->merges = 0;
}

void l2_copy(struct l2 *to, const struct l2 *from)
{
    tags_copy(&to->tags, &from->tags);
}
