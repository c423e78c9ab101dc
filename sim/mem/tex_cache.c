#include "sim/mem/tex_cache.h"

#include <stdlib.h>

#include "sim/mem/req_queue.h"
#include "sim/mem/tags.h"

struct ring { /* places of a bounded FIFO; the entries are its owner's */
    uint32_t size, head, len;
};

struct fragment {
    cycle_t from; /* the first cycle in which it may leave */
    int32_t token;
    bool miss; /* its line is the reorder buffer's oldest when it is the head */
};

struct tex_cache {
    struct tex_env env;
    struct tags tags;
    struct req_queue requests;
    struct ring fragment, rob, result;
    struct fragment *fragments; /* owned */
    bool *arrived;              /* owned: by place in the reorder buffer */
    int32_t *results;           /* owned: tokens */
    uint64_t accesses, misses, fails;
};

static bool ring_full(const struct ring *r)
{
    return r->len == r->size;
}

static uint32_t ring_push(struct ring *r)
{
    return (r->head + r->len++) % r->size;
}

static uint32_t ring_pop(struct ring *r)
{
    const uint32_t at = r->head;
    r->head = (r->head + 1) % r->size;
    r->len--;
    return at;
}

struct tex_cache *tex_new(const struct tex_env *env)
{
    struct tex_cache *c = xcalloc(1, sizeof *c);
    const struct tex_cache_cfg *cfg = env->cfg;
    c->env = *env;
    tags_init(&c->tags, (uint32_t)cfg->size, (uint32_t)cfg->line, (uint32_t)cfg->ways);
    rq_init(&c->requests, (uint32_t)cfg->requests);
    c->fragment.size = (uint32_t)cfg->fragments;
    c->rob.size = (uint32_t)cfg->rob;
    c->result.size = (uint32_t)cfg->results;
    c->fragments = xcalloc(c->fragment.size, sizeof *c->fragments);
    c->arrived = xcalloc(c->rob.size, sizeof *c->arrived);
    c->results = xcalloc(c->result.size, sizeof *c->results);
    return c;
}

void tex_free(struct tex_cache *c)
{
    if (!c)
        return;
    tags_fini(&c->tags);
    rq_fini(&c->requests);
    free(c->fragments);
    free(c->arrived);
    free(c->results);
    free(c);
}

static void ask_for(struct tex_cache *c, addr_t line, int32_t warp, cycle_t now)
{
    struct mem_req *r = req_get(c->env.pool);
    r->addr = r->line = line;
    r->bytes = (uint32_t)c->env.cfg->line;
    r->kind = REQ_TEX_READ;
    r->warp = warp;
    r->token = (int32_t)ring_push(&c->rob);
    r->core = (uint16_t)c->env.core;
    r->stamp[STAGE_CREATED] = now;
    c->arrived[r->token] = false;
    addrmap_set(c->env.map, r);
    rq_push(&c->requests, r);
}

bool tex_access(struct tex_cache *c, addr_t addr, int32_t warp, int32_t token, cycle_t now)
{
    if (ring_full(&c->fragment) || rq_full(&c->requests) || ring_full(&c->rob)) {
        c->fails++;
        return false;
    }
    const addr_t line = tags_line(&c->tags, addr);
    uint32_t way;
    addr_t victim;
    const bool miss = tags_probe(&c->tags, line, line, &way) != TAG_HIT;
    if (miss) {
        tags_replace(&c->tags, way, line | TAG_VALID, now, &victim);
        ask_for(c, line, warp, now);
    } else {
        tags_touch(&c->tags, way, now);
    }
    c->accesses++;
    c->misses += miss;
    c->fragments[ring_push(&c->fragment)] =
        (struct fragment){now + 1 + (cycle_t)c->env.cfg->latency, token, miss};
    return true;
}

void tex_repeat_refusal(struct tex_cache *c, uint64_t n)
{
    c->fails += n;
}

/* Whether only time and room keep the oldest fragment. */
static bool head_has_data(const struct tex_cache *c)
{
    if (!c->fragment.len)
        return false;
    return !c->fragments[c->fragment.head].miss || c->arrived[c->rob.head];
}

void tex_cycle(struct tex_cache *c, cycle_t now)
{
    struct mem_req *r = rq_peek(&c->requests);
    if (r && c->env.port.push(c->env.port.ctx, r, now))
        rq_pop(&c->requests);
    if (ring_full(&c->result) || !head_has_data(c) || c->fragments[c->fragment.head].from > now)
        return;
    const struct fragment *f = &c->fragments[ring_pop(&c->fragment)];
    if (f->miss)
        ring_pop(&c->rob);
    c->results[ring_push(&c->result)] = f->token;
}

void tex_fill(struct tex_cache *c, struct mem_req *r)
{
    BUG_ON(r->token < 0 || (uint32_t)r->token >= c->rob.size || c->arrived[r->token],
           "core %d: a texture line that nobody waits for", c->env.core);
    c->arrived[r->token] = true;
    req_put(c->env.pool, r);
}

bool tex_ready(const struct tex_cache *c)
{
    return c->result.len > 0;
}

int32_t tex_take(struct tex_cache *c)
{
    return c->results[ring_pop(&c->result)];
}

cycle_t tex_next(const struct tex_cache *c)
{
    if (!rq_empty(&c->requests) || (c->result.len && head_has_data(c)))
        return 0;
    return head_has_data(c) ? c->fragments[c->fragment.head].from : CYCLE_NEVER;
}

bool tex_busy(const struct tex_cache *c)
{
    return c->fragment.len || c->result.len;
}

void tex_flush(struct tex_cache *c)
{
    tags_flush(&c->tags);
}

void tex_copy(struct tex_cache *to, const struct tex_cache *from)
{
    tags_copy(&to->tags, &from->tags);
}

void tex_stats(struct tex_cache *c, struct run_stats *add)
{
    add->texture_accesses += c->accesses;
    add->texture_hits += c->accesses - c->misses;
    add->texture_misses += c->misses;
    add->texture_fails += c->fails;
    c->accesses = c->misses = c->fails = 0;
}
