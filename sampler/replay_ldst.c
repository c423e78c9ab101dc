/* A replayed core's caches and its LD/ST unit, which takes one transaction after the other; one
 * that is refused is tried again when something has changed. */
#include "sampler/replay_core.h"
#include "sim/sm/local_memory.h"

#define READ   3 /* core cycles from a reply to the register that it is for */
#define SHARED 4 /* ... from the last access to shared memory */

struct flight *replay_miss(struct core_at *c, struct stamp_cache *s, const struct stamp_look *k,
                           const struct warp_at *w, addr_t addr, cycle_t t, enum req_kind kind)
{
    if (k->line && k->line->dirty)
        replay_send(c, NULL, (k->line->line - 1) * (addr_t)s->line, t, REQ_L1_WRITEBACK, s->line);
    const addr_t line = addr / (addr_t)s->line * (addr_t)s->line;
    struct flight *f = replay_send(c, w, line, t, kind, s->line);
    stamp_miss(s, k, line, t, f);
    f->cache = s;
    f->line = k->line;
    f->mshr = k->mshr;
    return f;
}

static cycle_t hit_latency(const struct core_at *c, const struct stamp_cache *s)
{
    const struct mem_cfg *mem = &c->r->cfg->mem;
    return (cycle_t)(s == &c->l1d ? mem->l1d.hit_latency : s == &c->l1c ? mem->l1c.hit_latency : 0);
}

/* What a cache does for a read at t; l waits for the data. Returns when the cache takes it; later
 * than t: nothing was done. */
static cycle_t cached(struct core_at *c, struct stamp_cache *s, const struct warp_at *w,
                      addr_t addr, cycle_t t, struct load *l, enum req_kind kind)
{
    const struct stamp_look k = stamp_look(s, addr, t);
    if (k.when > t)
        return k.when;
    if (k.got != STAMP_HIT && w && !replay_has_room(c, s == &c->l1d ? 2 : 1))
        return CYCLE_NEVER;
    struct flight *f = k.got == STAMP_MERGED ? k.mshr->flight : NULL;
    if (k.got == STAMP_MISS)
        f = replay_miss(c, s, &k, w, addr, t, kind);
    else
        stamp_use(&k, t);
    if (f)
        replay_wait(c->r, f, l, READ);
    else
        l->done = later(l->done, t + 1 + hit_latency(c, s));
    if (s == &c->l1d) {
        c->r->out->l1d_accesses++;
        c->r->out->l1d_misses += k.got == STAMP_MISS;
        c->r->out->l1d_merges += k.got == STAMP_MERGED;
    }
    return t;
}

/* ---- Fetch ---- */

/* In sim/sm the request is in the network two cycles earlier than here, and the line is there two
 * cycles after its reply. */
cycle_t replay_fetch(struct core_at *c, struct warp_at *w, addr_t addr, cycle_t t)
{
    const bool enabled = c->r->cfg->mem.l1i.enabled;
    struct stamp_look k = {.got = STAMP_MISS};
    if (enabled)
        k = stamp_look(&c->l1i, addr, t);
    if (enabled && k.when > t) {
        c->fetch_waits |= (uint64_t)(k.when == CYCLE_NEVER) << (w - c->warp);
        return k.when;
    }
    if (k.got != STAMP_MISS)
        stamp_use(&k, t);
    if (k.got == STAMP_HIT)
        return t;
    struct flight *f = k.got == STAMP_MERGED ? k.mshr->flight : NULL;
    if (!enabled)
        f = replay_send(c, NULL, addr, t, REQ_INST_READ, 2 * SM_INST_BYTES);
    else if (k.got == STAMP_MISS)
        f = replay_miss(c, &c->l1i, &k, NULL, addr, t, REQ_INST_READ);
    struct load *l = replay_load(c, w, NULL);
    l->holds = true;
    w->held++;
    replay_wait(c->r, f, l, 0);
    replay_back(l, t);
    return CYCLE_NEVER;
}

/* ---- LD/ST ---- */

static cycle_t past_l1d(struct core_at *c, const struct warp_at *w, addr_t addr, cycle_t t,
                        int bytes, struct load *l, enum req_kind kind)
{
    if (!replay_has_room(c, 1))
        return CYCLE_NEVER;
    const bool write = kind == REQ_GLOBAL_WRITE || kind == REQ_LOCAL_WRITE;
    replay_wait(c->r, replay_send(c, w, addr, t, kind, bytes), l, write ? 0 : READ);
    return t;
}

static cycle_t l1d_write(struct core_at *c, const struct warp_at *w, addr_t addr, cycle_t t,
                         int bytes, struct load *l, bool local)
{
    struct stamp_line *line = stamp_find(&c->l1d, addr);
    if (line && local) {
        line->dirty = true;
        line->used = t;
        return t;
    }
    const cycle_t at =
        past_l1d(c, w, addr, t, bytes, l, local ? REQ_LOCAL_WRITE : REQ_GLOBAL_WRITE);
    if (line && at <= t)
        *line = (struct stamp_line){0};
    return at;
}

/* Where a transaction's address is of a CTA in a slot: what local memory is recorded as lies
 * elsewhere in each. */
static addr_t place_of(const struct core_at *c, int slot, addr_t addr)
{
    const int cores = c->r->cfg->top.cores;
    const addr_t threads = (addr_t)c->r->wpc * WARP_SIZE, made = local_stride(threads, cores, 1);
    if (!(addr & REQUESTS_LOCAL))
        return addr;
    const addr_t offset = addr - REQUESTS_LOCAL;
    return local_cta(threads, cores, c->number, slot) + offset % made +
           offset / made * local_stride(threads, cores, c->slots);
}

/* A transaction at t. Returns when it is taken; later than t: nothing was done. */
static cycle_t transaction(struct core_at *c, const struct warp_at *w, uint8_t kind, addr_t txn,
                           cycle_t t, struct load *l)
{
    const struct mem_cfg *mem = &c->r->cfg->mem;
    const addr_t addr = place_of(c, w->slot, TRACE_LINE(txn));
    const int bytes = TRACE_BYTES(txn);
    switch (kind) {
    case TRACE_READ:
        return cached(c, &c->l1d, w, addr, t, l, REQ_GLOBAL_READ);
    case TRACE_LOCAL_READ:
        return cached(c, &c->l1d, w, addr, t, l, REQ_LOCAL_READ);
    case TRACE_WRITE:
        return l1d_write(c, w, addr, t, bytes, l, false);
    case TRACE_LOCAL_WRITE:
        return l1d_write(c, w, addr, t, bytes, l, true);
    case TRACE_PAST_WRITE:
        return past_l1d(c, w, addr, t, bytes, l, REQ_GLOBAL_WRITE);
    case TRACE_CONST:
        if (!mem->l1c.enabled)
            return past_l1d(c, NULL, addr, t, mem->l1c.line, l, REQ_CONST_READ);
        return cached(c, &c->l1c, NULL, addr, t, l, REQ_CONST_READ);
    case TRACE_TEXTURE:
        if (!mem->l1t.enabled)
            return past_l1d(c, w, addr, t, mem->l1t.line, l, REQ_TEX_READ);
        return replay_texture(c, w, addr, t, l);
    default:
        return past_l1d(c, w, addr, t, bytes, l,
                        kind == TRACE_ATOMIC ? REQ_ATOMIC : REQ_GLOBAL_READ);
    }
}

void replay_ldst_again(struct core_at *c)
{
    if (c->ldst_at != CYCLE_NEVER || !c->ldst_works)
        return;
    c->ldst_at = later(c->ldst_from, c->r->now);
    replay_tell(c);
}

static void take_next(struct core_at *c)
{
    c->ldst_at = CYCLE_NEVER;
    c->ldst_works = pipeline_mem_take(&c->pipe, c->ldst_free, &c->ldst_at, &c->mem_at);
    c->ldst_from = c->ldst_at;
}

void replay_mem(struct core_at *c, struct warp_at *w, const struct trace_inst *e,
                const struct op *op, cycle_t t)
{
    struct load *l = replay_load(c, w, op);
    l->holds = op->atomic && c->r->cfg->sm.atomics_block;
    w->held += l->holds;
    w->fence |= op->m->fence && replay_unsettled(c, w);
    w->pending++;
    w->loads += op->m->load;
    w->stores += replay_stores(op);
    c->mem[pipeline_mem_issue(&c->pipe, op->m, w->bank0, t)] = (struct mem_inst){.e = e, .load = l};
    if (!c->ldst_works)
        take_next(c);
}

/* A step of its instruction: all cycles of shared memory, or a transaction. Returns when the unit
 * is through with it, CYCLE_NEVER: not known yet, it goes on at c->ldst_at. *done: when that is
 * written which is back by then. */
static cycle_t step(struct core_at *c, struct mem_inst *m, cycle_t *done)
{
    const struct trace_inst *e = m->e;
    struct warp_at *w = m->load->w;
    const struct inst_meta *i = m->load->op->m;
    cycle_t t = c->ldst_at;
    *done = t + 1;
    if (e->kind == TRACE_SHARED) {
        t += e->n;
        *done = i->load ? pipeline_write(&c->pipe, i, w->bank0, t + SHARED) : t;
        return t;
    }
    if (e->n == 0)
        return t + 1;
    const cycle_t at = transaction(c, w, e->kind, *w->txn, t, m->load);
    if (at > t) {
        c->ldst_at = at;
        return CYCLE_NEVER;
    }
    w->txn++;
    if (++m->at == e->n)
        return t + 1;
    c->ldst_at = c->ldst_from = t + 1;
    return CYCLE_NEVER;
}

void replay_ldst(struct core_at *c)
{
    struct mem_inst *m = &c->mem[c->mem_at];
    cycle_t done;
    const cycle_t through = step(c, m, &done);
    if (through == CYCLE_NEVER)
        return;
    struct load *l = m->load;
    c->ldst_free = through;
    take_next(c);
    replay_back(l, done);
}
