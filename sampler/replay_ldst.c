/* A replayed core's caches and its LD/ST unit, which takes one transaction after the other; one
 * that is refused is tried again when something has changed. */
#include "sampler/replay_core.h"

#define FILLS 2 /* core cycles from a reply to the line that it fills */

static void miss(struct lead *c, struct stamp_cache *s, const struct stamp_look *k,
                 const struct warp_at *w, addr_t addr, double t, struct load *l, double more,
                 enum req_kind kind)
{
    if (k->line->dirty)
        replay_send(c, NULL, (k->line->line - 1) * (addr_t)s->line, t, REQ_L1_WRITEBACK, s->line);
    const addr_t line = addr / (addr_t)s->line * (addr_t)s->line;
    struct flight *f = replay_send(c, w, line, t, kind, s->line);
    stamp_miss(s, k, line, t, REPLAY_NEVER);
    k->line->flight = f;
    f->line = k->line;
    f->mshr = k->mshr;
    replay_wait(c->r, f, l, FILLS + more);
}

static int hit_latency(const struct lead *c, const struct stamp_cache *s)
{
    const struct mem_cfg *mem = &c->r->cfg->mem;
    return s == &c->l1d ? mem->l1d.hit_latency : s == &c->l1c ? mem->l1c.hit_latency : 0;
}

/* What a cache does for a read at t; l waits for the data and `more` cycles. Returns when the cache
 * takes it; later than t: nothing was done. Fetch does not try again: it is taken as soon as there
 * is a line. */
static double cached(struct lead *c, struct stamp_cache *s, const struct warp_at *w, addr_t addr,
                     double t, struct load *l, double more, enum req_kind kind)
{
    const struct stamp_look k = stamp_look(s, addr, t);
    double when = k.when;
    if (k.got == STAMP_MISS && w)
        when = later(when, replay_has_place(c, c->r->cfg->mem.l1d.miss_queue));
    if (when > t && (kind != REQ_INST_READ || !k.line))
        return when;
    if (k.got == STAMP_MISS)
        miss(c, s, &k, w, addr, t, l, more, kind);
    else
        stamp_use(&k, t);
    if (k.got == STAMP_HIT)
        more += hit_latency(c, s);
    if (k.got != STAMP_MISS && k.line->flight)
        replay_wait(c->r, k.line->flight, l, more);
    else if (k.got != STAMP_MISS)
        l->done = later(l->done, later(t, k.line->fill) + more);
    if (s == &c->l1d) {
        c->r->out->l1d_accesses++;
        c->r->out->l1d_misses += k.got == STAMP_MISS;
        c->r->out->l1d_merges += k.got == STAMP_MERGED;
    }
    return t;
}

/* ---- Fetch ---- */

void replay_fetch(struct lead *c, struct warp_at *w, addr_t addr, double t, double more)
{
    const struct cache_cfg *cfg = &c->r->cfg->mem.l1i;
    w->front = t + more;
    if (cfg->enabled) {
        const struct stamp_look k = stamp_look(&c->l1i, addr, t);
        if (k.got == STAMP_HIT) {
            stamp_use(&k, t);
            return;
        }
    }
    struct load *l = replay_load(c, w, NULL);
    l->holds = true;
    l->done = t + more;
    w->held++;
    if (!cfg->enabled || cached(c, &c->l1i, NULL, addr, t, l, more, REQ_INST_READ) > t)
        replay_wait(c->r, replay_send(c, NULL, addr, t, REQ_INST_READ, 2 * SM_INST_BYTES), l, more);
    replay_back(l, t + more);
}

/* ---- LD/ST ---- */

static double past_l1d(struct lead *c, const struct warp_at *w, addr_t addr, double t, int bytes,
                       struct load *l, double more, enum req_kind kind)
{
    const double place = replay_has_place(c, c->r->cfg->mem.l1d.miss_queue);
    if (place > t)
        return place;
    replay_wait(c->r, replay_send(c, w, addr, t, kind, bytes), l, more);
    return t;
}

static double l1d_write(struct lead *c, const struct warp_at *w, addr_t addr, double t, int bytes,
                        struct load *l, bool local)
{
    struct stamp_line *line = stamp_find(&c->l1d, addr, t);
    if (line && local) {
        line->dirty = true;
        line->used = t;
        return t;
    }
    const double at =
        past_l1d(c, w, addr, t, bytes, l, 0, local ? REQ_LOCAL_WRITE : REQ_GLOBAL_WRITE);
    if (line && at <= t)
        *line = (struct stamp_line){0};
    return at;
}

/* A transaction at t. Returns when it is taken; later than t: nothing was done. */
static double transaction(struct lead *c, const struct warp_at *w, uint8_t kind, addr_t txn,
                          double t, struct load *l)
{
    const struct mem_cfg *mem = &c->r->cfg->mem;
    const addr_t place = (addr_t)(w->slot + 1) << 48, addr = TRACE_LINE(txn);
    const int bytes = TRACE_BYTES(txn);
    switch (kind) {
    case TRACE_READ:
        return cached(c, &c->l1d, w, addr, t, l, 1, REQ_GLOBAL_READ);
    case TRACE_LOCAL_READ:
        return cached(c, &c->l1d, w, addr | place, t, l, 1, REQ_LOCAL_READ);
    case TRACE_WRITE:
        return l1d_write(c, w, addr, t, bytes, l, false);
    case TRACE_LOCAL_WRITE:
        return l1d_write(c, w, addr | place, t, bytes, l, true);
    case TRACE_PAST_WRITE:
        return past_l1d(c, w, addr, t, bytes, l, 0, REQ_GLOBAL_WRITE);
    case TRACE_CONST:
        if (!mem->l1c.enabled)
            return past_l1d(c, NULL, addr, t, mem->l1c.line, l, 3, REQ_CONST_READ);
        return cached(c, &c->l1c, NULL, addr, t, l, 1, REQ_CONST_READ);
    case TRACE_TEXTURE:
        if (!mem->l1t.enabled)
            return past_l1d(c, w, addr, t, mem->l1t.line, l, 3, REQ_TEX_READ);
        return cached(c, &c->l1t, w, addr, t, l, 1, REQ_TEX_READ);
    default:
        return past_l1d(c, w, addr, t, bytes, l, 3,
                        kind == TRACE_ATOMIC ? REQ_ATOMIC : REQ_GLOBAL_READ);
    }
}

static void begin_first(struct lead *c)
{
    const struct mem_inst *m = &c->mem[c->mem_done % MEM_DEPTH];
    c->ldst_at = c->ldst_from =
        c->mem_done == c->mem_at ? REPLAY_NEVER : later(m->start, c->ldst_free);
}

void replay_mem(struct lead *c, struct warp_at *w, const struct trace_inst *e, const struct op *op,
                double t)
{
    struct load *l = replay_load(c, w, op);
    const unsigned place = c->mem_at++ % MEM_DEPTH;
    l->holds = e->kind == TRACE_ATOMIC && c->r->cfg->sm.atomics_block;
    w->held += l->holds;
    w->pending++;
    c->mem_left[place] = REPLAY_NEVER;
    c->mem[place] = (struct mem_inst){.w = w, .e = e, .load = l, .start = t + 2 + op->m->nread};
    if (c->mem_at - c->mem_done == 1)
        begin_first(c);
}

void replay_ldst(struct lead *c)
{
    struct mem_inst *m = &c->mem[c->mem_done % MEM_DEPTH];
    struct warp_at *w = m->w;
    const struct trace_inst *e = m->e;
    double t = c->ldst_at, done = t + 1;
    if (e->kind == TRACE_SHARED) {
        t += e->n;
        done = t + 4;
    } else if (e->n == 0) {
        t += 1;
    } else {
        const double at = transaction(c, w, e->kind, w->t->txn[w->txn], t, m->load);
        if (at > t) {
            c->ldst_at = at;
            return;
        }
        if (trace_is_traffic(e->kind)) {
            replay_beside(c, w, t);
            w->traffic++;
        }
        w->txn++;
        t += 1;
        if (++m->at < e->n) {
            c->ldst_at = c->ldst_from = t;
            return;
        }
    }
    c->ldst_free = t;
    c->mem_left[c->mem_done++ % MEM_DEPTH] = t;
    begin_first(c);
    replay_back(m->load, done);
}
