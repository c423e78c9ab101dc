/* A replayed core's caches and its LD/ST unit. */
#include "sampler/replay_core.h"

enum stamp_result replay_cached(struct lead *c, struct stamp_cache *s, const struct warp_at *w,
                                addr_t addr, double *t, double *ready)
{
    struct stamp_line *victim;
    double *mshr;
    const enum stamp_result got = stamp_read(s, addr, t, ready, &victim, &mshr);
    if (got != STAMP_MISS)
        return got;
    if (victim->dirty)
        replay_write(c, NULL, (victim->line - 1) * (addr_t)s->line, *t, s->line);
    const addr_t line = addr / (addr_t)s->line * (addr_t)s->line;
    const double back = replay_read(c, w, line, *t, s->line);
    stamp_fill(s, victim, mshr, line, *t, back);
    *ready = back + 2;
    return got;
}

/* ---- LD/ST ---- */

static double l1d_read(struct lead *c, const struct warp_at *w, addr_t addr, double *d)
{
    double ready;
    const enum stamp_result got = replay_cached(c, &c->l1d, w, addr, d, &ready);
    c->r->out->l1d_accesses++;
    c->r->out->l1d_misses += got == STAMP_MISS;
    c->r->out->l1d_merges += got == STAMP_MERGED;
    return later(*d, ready) + 1;
}

static double l1d_write(struct lead *c, const struct warp_at *w, addr_t addr, double d, int bytes,
                        bool local)
{
    struct stamp_line *l = stamp_find(&c->l1d, addr, d);
    if (l && local) {
        l->dirty = true;
        l->used = d;
        return d;
    }
    if (l)
        *l = (struct stamp_line){0};
    return replay_write(c, w, addr, d, bytes);
}

/* One transaction at *d, put off while it is refused. *done: when a load's data is there; *ack:
 * when a store is acknowledged. */
static void transaction(struct lead *c, struct warp_at *w, uint8_t kind, addr_t txn, double *d,
                        double *done, double *ack)
{
    const addr_t place = (addr_t)(w->slot + 1) << 48, addr = TRACE_LINE(txn);
    const int bytes = TRACE_BYTES(txn);
    double ready = *d;
    const double at = *d;
    if (trace_is_traffic(kind))
        replay_beside(c, w, at, false);
    switch (kind) {
    case TRACE_READ:
        ready = l1d_read(c, w, addr, d);
        break;
    case TRACE_LOCAL_READ:
        ready = l1d_read(c, w, addr | place, d);
        break;
    case TRACE_WRITE:
        *ack = later(*ack, l1d_write(c, w, addr, *d, bytes, false));
        break;
    case TRACE_LOCAL_WRITE:
        *ack = later(*ack, l1d_write(c, w, addr | place, *d, bytes, true));
        break;
    case TRACE_PAST_WRITE:
        *ack = later(*ack, replay_write(c, w, addr, *d, bytes));
        break;
    case TRACE_CONST:
        replay_cached(c, &c->l1c, NULL, addr, d, &ready);
        ready = later(*d, ready) + 1;
        break;
    case TRACE_TEXTURE:
        replay_cached(c, &c->l1t, w, addr, d, &ready);
        ready = later(*d, ready) + 1;
        break;
    default:
        ready = replay_read(c, w, addr, *d, bytes) + 3;
    }
    if (trace_is_traffic(kind))
        replay_beside(c, w, at, true);
    *done = later(*done, ready);
    *d = later(*d + 1, replay_has_place(c, c->r->cfg->mem.l1d.miss_queue));
}

double replay_mem(struct lead *c, struct warp_at *w, const struct trace_inst *e,
                  const struct op *op, double t)
{
    double d = later(t + 2 + op->m->nread, c->ldst_free), done = d + 1;
    if (e->kind == TRACE_SHARED) {
        d += e->n;
        done = d + 4;
    } else if (e->n == 0) {
        d += 1;
    }
    for (int i = 0; e->kind != TRACE_SHARED && i < e->n; i++) {
        transaction(c, w, e->kind, w->t->txn[w->txn++], &d, &done, &w->done);
        w->traffic += trace_is_traffic(e->kind);
    }
    c->ldst_free = d;
    c->mem_left[c->mem_at++ % MEM_DEPTH] = d;
    return done;
}
