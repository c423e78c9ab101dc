#include "sim/mem/l1_cache.h"

#include "sim/mem/mshr.h"
#include "sim/mem/req_queue.h"
#include "sim/mem/tags.h"

#include <stdlib.h>

struct l1_counts {
    uint64_t accesses, hits, misses, merges;
    uint64_t fail[L1_FAIL_QUEUE + 1]; /* by enum l1_result */
    uint64_t write_accesses, write_misses;
};

struct l1_cache {
    struct l1_env env;
    enum l1_role role;
    struct tags tags;
    struct mshr *mshr; /* owned */
    struct req_queue miss_queue;
    uint8_t *owner; /* owned, by way: the warp that brought the line; NULL: nobody listens */
    /* The last refusal: the same access is refused again until something changes here. */
    addr_t refused_addr;
    bool refused_write;
    enum l1_result refused; /* L1_HIT: none */
    uint64_t changes;       /* since which that holds */
    struct l1_counts n;
};

struct l1_cache *l1_new(const struct l1_env *env, enum l1_role role)
{
    struct l1_cache *c = xcalloc(1, sizeof *c);
    const struct cache_cfg *cfg = env->cfg;
    c->env = *env;
    c->role = role;
    tags_init(&c->tags, (uint32_t)cfg->size, (uint32_t)cfg->line, (uint32_t)cfg->ways);
    c->mshr = mshr_new(cfg->mshrs, cfg->merges);
    if (env->event)
        c->owner = xcalloc((size_t)c->tags.sets * c->tags.ways, sizeof *c->owner);
    rq_init(&c->miss_queue, 0); /* bounded by the checks below, which look further ahead */
    return c;
}

void l1_free(struct l1_cache *c)
{
    if (!c)
        return;
    tags_fini(&c->tags);
    mshr_free(c->mshr);
    rq_fini(&c->miss_queue);
    free(c->owner);
    free(c);
}

static enum l1_result refuse(struct l1_cache *c, const struct l1_access *a, enum l1_result r)
{
    c->n.fail[r]++;
    c->refused = r;
    c->refused_addr = a->addr;
    c->refused_write = a->write;
    return r;
}

static void changed(struct l1_cache *c)
{
    c->refused = L1_HIT;
    c->changes++;
}

uint64_t l1_changes(const struct l1_cache *c)
{
    return c->changes;
}

void l1_repeat_refusal(struct l1_cache *c, enum l1_result r, uint64_t n)
{
    c->n.fail[r] += n;
}

static bool queue_has(const struct l1_cache *c, uint32_t places)
{
    return c->miss_queue.len + places <= (uint32_t)c->env.cfg->miss_queue;
}

static struct mem_req *make(struct l1_cache *c, const struct l1_access *a, cycle_t now)
{
    struct mem_req *r = req_get(c->env.pool);
    r->addr = a->addr;
    r->line = tags_line(&c->tags, a->addr);
    r->bytes = a->bytes;
    r->kind = a->kind;
    r->write = a->write;
    r->warp = a->warp;
    r->token = a->token;
    r->core = (uint16_t)c->env.core;
    r->stamp[STAGE_CREATED] = now;
    return r;
}

static void queue_up(struct l1_cache *c, struct mem_req *r)
{
    addrmap_set(c->env.map, r);
    rq_push(&c->miss_queue, r);
}

static void write_back(struct l1_cache *c, addr_t line, cycle_t now)
{
    const struct l1_access a = {.addr = line,
                                .bytes = (uint32_t)c->env.cfg->line,
                                .kind = REQ_L1_WRITEBACK,
                                .write = true,
                                .warp = -1,
                                .token = -1};
    queue_up(c, make(c, &a, now));
}

static void tell(const struct l1_cache *c, const struct l1_access *a, enum l1_event what)
{
    if (c->owner)
        c->env.event(c->env.event_ctx, a->warp, what, tags_line(&c->tags, a->addr));
}

/* The line of a way makes room for one that the access brings. */
static void tell_evicted(struct l1_cache *c, const struct l1_access *a, uint32_t way)
{
    if (!c->owner)
        return;
    const addr_t line = c->tags.key[way] & ~3ull;
    if (tags_state(&c->tags, way) != TAG_INVALID)
        c->env.event(c->env.event_ctx, c->owner[way], L1_EVENT_EVICT, line);
    c->owner[way] = (uint8_t)a->warp;
}

static enum l1_result store(struct l1_cache *c, const struct l1_access *a, cycle_t now)
{
    uint32_t way;
    const enum tag_result t = tags_probe(&c->tags, a->addr, tags_line(&c->tags, a->addr), &way);
    if (t == TAG_FAIL)
        return refuse(c, a, L1_FAIL_LINE);
    if (t == TAG_HIT && a->kind == REQ_LOCAL_WRITE) {
        tags_touch(&c->tags, way, now);
        tags_set_state(&c->tags, way, TAG_MODIFIED);
        c->n.accesses++;
        c->n.hits++;
        c->n.write_accesses++;
        c->changes++;
        return L1_HIT;
    }
    if (!queue_has(c, 1))
        return refuse(c, a, L1_FAIL_QUEUE);
    queue_up(c, make(c, a, now));
    c->changes++;
    if (t == TAG_HIT)
        tags_set_state(&c->tags, way, TAG_INVALID);
    c->n.write_accesses++;
    c->n.write_misses += t != TAG_HIT;
    return L1_STORED;
}

/* A read that misses: the way is the victim (L1D reserves it), or the reserved line it joins. */
static enum l1_result miss(struct l1_cache *c, const struct l1_access *a, uint32_t way, cycle_t now)
{
    const addr_t line = tags_line(&c->tags, a->addr);
    const int e = mshr_find(c->mshr, line);
    if (e >= 0) {
        if (!mshr_can_merge(c->mshr, e))
            return refuse(c, a, L1_FAIL_MERGE);
        if (c->role == L1_ROLE_DATA && !mshr_filled(c->mshr, e))
            tags_touch(&c->tags, way, now);
        mshr_merge(c->mshr, e, make(c, a, now));
        c->changes++;
        c->n.merges++;
        tell(c, a, L1_EVENT_MISS);
        return L1_MERGED;
    }
    if (mshr_full(c->mshr))
        return refuse(c, a, L1_FAIL_MSHR);
    struct mem_req *r = make(c, a, now);
    r->addr = line;
    r->bytes = (uint32_t)c->env.cfg->line;
    mshr_add(c->mshr, line, r, way);
    queue_up(c, r);
    c->changes++;
    addr_t victim;
    tell(c, a, L1_EVENT_MISS);
    tell_evicted(c, a, way);
    if (c->role == L1_ROLE_DATA && tags_replace(&c->tags, way, line | TAG_RESERVED, now, &victim))
        write_back(c, victim, now);
    c->n.misses++;
    return L1_MISS;
}

enum l1_result l1_access(struct l1_cache *c, const struct l1_access *a, cycle_t now)
{
    if (c->refused != L1_HIT && c->refused_addr == a->addr && c->refused_write == a->write) {
        c->n.fail[c->refused]++;
        return c->refused;
    }
    c->refused = L1_HIT;
    if (a->write)
        return store(c, a, now);
    uint32_t way;
    const enum tag_result t = tags_probe(&c->tags, a->addr, tags_line(&c->tags, a->addr), &way);
    if (t == TAG_HIT) {
        tags_touch(&c->tags, way, now);
        c->n.accesses++;
        c->n.hits++;
        tell(c, a, L1_EVENT_HIT);
        return L1_HIT;
    }
    if (t == TAG_FAIL)
        return refuse(c, a, L1_FAIL_LINE);
    /* A load of L1D may have to send a dirty line too; asked before the MSHRs, even for a merge. */
    if (!queue_has(c, c->role == L1_ROLE_DATA ? 2 : 1))
        return refuse(c, a, L1_FAIL_QUEUE);
    const enum l1_result r = miss(c, a, way, now);
    c->n.accesses += !l1_refused(r);
    return r;
}

bool l1_prefetch(struct l1_cache *c, addr_t addr, cycle_t now)
{
    const addr_t line = tags_line(&c->tags, addr);
    uint32_t way;
    if (tags_probe(&c->tags, line, line, &way) == TAG_HIT || mshr_find(c->mshr, line) >= 0 ||
        mshr_full(c->mshr) || !queue_has(c, 1))
        return false;
    const struct l1_access a = {.addr = line,
                                .bytes = (uint32_t)c->env.cfg->line,
                                .kind = REQ_INST_READ,
                                .warp = -1,
                                .token = -1};
    struct mem_req *r = make(c, &a, now);
    mshr_add(c->mshr, line, r, way);
    queue_up(c, r);
    return true;
}

bool l1_cycle(struct l1_cache *c, cycle_t now)
{
    struct mem_req *r = rq_peek(&c->miss_queue);
    if (!r || !c->env.port.push(c->env.port.ctx, r, now))
        return false;
    rq_pop(&c->miss_queue);
    changed(c);
    return true;
}

bool l1_miss_queue_empty(const struct l1_cache *c)
{
    return rq_empty(&c->miss_queue);
}

void l1_fill(struct l1_cache *c, struct mem_req *r, cycle_t now)
{
    const int e = mshr_find(c->mshr, r->line);
    BUG_ON(e < 0 || mshr_first(c->mshr, e) != r, "core %d: a reply that nobody waits for",
           c->env.core);
    uint32_t way = mshr_way(c->mshr, e);
    if (c->role == L1_ROLE_DATA)
        tags_set_state(&c->tags, way, TAG_VALID);
    else {
        addr_t victim;
        tags_probe(&c->tags, r->line, r->line, &way);
        tags_replace(&c->tags, way, r->line | TAG_VALID, now, &victim);
    }
    mshr_fill(c->mshr, e);
    changed(c);
}

bool l1_has_ready(const struct l1_cache *c)
{
    return mshr_ready(c->mshr);
}

struct mem_req *l1_next_ready(struct l1_cache *c)
{
    changed(c);
    return mshr_next(c->mshr);
}

bool l1_busy(const struct l1_cache *c)
{
    return !mshr_empty(c->mshr) || !rq_empty(&c->miss_queue);
}

int l1_mshrs_used(const struct l1_cache *c)
{
    return mshr_used(c->mshr);
}

int l1_mshrs(const struct l1_cache *c)
{
    return c->env.cfg->mshrs;
}

uint32_t l1_line_bytes(const struct l1_cache *c)
{
    return (uint32_t)c->env.cfg->line;
}

void l1_hold(struct l1_cache *c, addr_t addr)
{
    uint32_t way;
    addr_t victim;
    const addr_t line = tags_line(&c->tags, addr);
    if (tags_probe(&c->tags, line, line, &way) == TAG_MISS)
        tags_replace(&c->tags, way, line | TAG_VALID, 0, &victim);
    changed(c);
}

void l1_flush(struct l1_cache *c)
{
    tags_flush(&c->tags);
    changed(c);
}

void l1_copy(struct l1_cache *to, const struct l1_cache *from)
{
    tags_copy(&to->tags, &from->tags);
    changed(to);
}

static void data_stats(const struct l1_counts *n, struct run_stats *add)
{
    add->l1d_accesses += n->accesses;
    add->l1d_hits += n->hits;
    add->l1d_misses += n->misses;
    add->l1d_merges += n->merges;
    add->l1d_fail_line += n->fail[L1_FAIL_LINE];
    add->l1d_fail_mshr += n->fail[L1_FAIL_MSHR];
    add->l1d_fail_merge += n->fail[L1_FAIL_MERGE];
    add->l1d_fail_queue += n->fail[L1_FAIL_QUEUE];
    for (int f = L1_FAIL_LINE; f <= L1_FAIL_QUEUE; f++)
        add->l1d_reservation_fails += n->fail[f];
    add->l1d_write_accesses += n->write_accesses;
    add->l1d_write_misses += n->write_misses;
}

void l1_stats(struct l1_cache *c, struct run_stats *add)
{
    const struct l1_counts *n = &c->n;
    switch (c->role) {
    case L1_ROLE_DATA:
        data_stats(n, add);
        break;
    case L1_ROLE_INST:
        add->l1i_accesses += n->accesses;
        add->l1i_misses += n->misses + n->merges;
        break;
    case L1_ROLE_CONST:
        add->l1c_accesses += n->accesses;
        add->l1c_misses += n->misses + n->merges;
        break;
    }
    c->n = (struct l1_counts){0};
}
