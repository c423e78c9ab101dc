/* What a replayed core sends, with what the other cores send meanwhile, and its LD/ST unit. */
#include "sampler/replay_core.h"

#include <math.h>

/* ---- What leaves the core ---- */

/* What the other cores send while this one sends a transaction of w: the first half of them before
 * it, the others behind it. */
static void beside(struct replay *r, const struct warp_at *w, double t, bool behind)
{
    if (r->o.alone || !w)
        return;
    const uint64_t cores = r->t->stride, middle = (cores + 1) / 2;
    const uint64_t at = w->traffic, all = w->t->traffic;
    for (uint64_t i = behind ? middle : 1; i < (behind ? cores : middle); i++) {
        const struct core_traffic *c = &w->beside[i * (uint64_t)r->wpc];
        uint64_t from = c->txns == all ? at : at * c->txns / all;
        const uint64_t end = c->txns == all ? at + 1 : (at + 1) * c->txns / all;
        const double when = fmax(0, t + ((double)i - (double)cores / 2) * PHASE);
        for (; from < end; from++) {
            const addr_t txn = c->txn[from < c->kept ? from : from % c->kept];
            int dram;
            shared_mem_serve(&r->mem, TRACE_LINE(txn), when, txn & TRACE_STORES, TRACE_BYTES(txn),
                             &dram);
        }
    }
}

static void count_dram_reads(struct replay *r, const struct warp_at *w, int reads)
{
    const bool first = r->cta[w->slot].number < r->o.n;
    *(first ? &r->out->dram_reads_first : &r->out->dram_reads_later) += reads;
}

static double data_read(struct replay *r, const struct warp_at *w, double sent, double back,
                        int dram)
{
    count_dram_reads(r, w, dram);
    r->read_sum += back - sent;
    r->reads++;
    return back;
}

double replay_read(struct replay *r, const struct warp_at *w, addr_t addr, double t, int bytes)
{
    const double sent = fmax(t, r->inject_free);
    int dram;
    r->inject_free = sent + r->flit;
    beside(r, w, sent, false);
    double back = shared_mem_serve(&r->mem, addr, sent, false, bytes, &dram) + r->o.latency;
    beside(r, w, sent, true);
    back = fmax(back, r->reply_free);
    r->reply_free = back + r->reply_gap;
    return w ? data_read(r, w, t, back, dram) : back;
}

/* A write leaves the core at t: when it is acknowledged. */
static double write_beyond(struct replay *r, const struct warp_at *w, addr_t addr, double t,
                           int bytes)
{
    const struct icnt_cfg *net = &r->cfg->icnt;
    const double sent = fmax(t, r->inject_free);
    int dram;
    r->inject_free = sent + r->flit * ceil((bytes + net->header_bytes) / (double)net->flit_bytes);
    beside(r, w, sent, false);
    const double served = shared_mem_serve(&r->mem, addr, sent, true, bytes, &dram);
    if (w)
        count_dram_reads(r, w, dram);
    beside(r, w, sent, true);
    return served + r->o.latency;
}

enum stamp_result replay_cached(struct replay *r, struct stamp_cache *c, const struct warp_at *w,
                                addr_t addr, double *t, double *ready)
{
    struct stamp_line *victim;
    double *mshr;
    const enum stamp_result got = stamp_read(c, addr, t, ready, &victim, &mshr);
    if (got != STAMP_MISS)
        return got;
    if (victim->dirty)
        write_beyond(r, NULL, (victim->line - 1) * (addr_t)c->line, *t, c->line);
    const addr_t line = addr / (addr_t)c->line * (addr_t)c->line;
    const double back = replay_read(r, w, line, *t, c->line);
    stamp_fill(c, victim, mshr, line, *t, back);
    *ready = back + 2;
    return got;
}

/* ---- LD/ST ---- */

static double l1d_read(struct replay *r, const struct warp_at *w, addr_t addr, double *d)
{
    double ready;
    const enum stamp_result got = replay_cached(r, &r->l1d, w, addr, d, &ready);
    r->out->l1d_accesses++;
    r->out->l1d_misses += got == STAMP_MISS;
    r->out->l1d_merges += got == STAMP_MERGED;
    return fmax(*d, ready) + 1;
}

static double l1d_write(struct replay *r, const struct warp_at *w, addr_t addr, double d, int bytes,
                        bool local)
{
    struct stamp_line *l = stamp_find(&r->l1d, addr, d);
    if (l && local) {
        l->dirty = true;
        l->used = d;
        return d;
    }
    if (l)
        *l = (struct stamp_line){0};
    return write_beyond(r, w, addr, d, bytes);
}

/* One transaction at *d, put off while it is refused. *done: when a load's data is there; *ack:
 * when a store is acknowledged. */
static void transaction(struct replay *r, struct warp_at *w, uint8_t kind, addr_t txn, double *d,
                        double *done, double *ack)
{
    const addr_t place = (addr_t)(w->slot + 1) << 48, addr = TRACE_LINE(txn);
    const int bytes = TRACE_BYTES(txn);
    double ready = *d;
    switch (kind) {
    case TRACE_READ:
        ready = l1d_read(r, w, addr, d);
        break;
    case TRACE_LOCAL_READ:
        ready = l1d_read(r, w, addr | place, d);
        break;
    case TRACE_WRITE:
        *ack = fmax(*ack, l1d_write(r, w, addr, *d, bytes, false));
        break;
    case TRACE_LOCAL_WRITE:
        *ack = fmax(*ack, l1d_write(r, w, addr | place, *d, bytes, true));
        break;
    case TRACE_PAST_WRITE:
        *ack = fmax(*ack, write_beyond(r, w, addr, *d, bytes));
        break;
    case TRACE_CONST:
        replay_cached(r, &r->l1c, NULL, addr, d, &ready);
        ready = fmax(*d, ready) + 1;
        break;
    case TRACE_TEXTURE:
        replay_cached(r, &r->l1t, w, addr, d, &ready);
        ready = fmax(*d, ready) + 1;
        break;
    default:
        ready = replay_read(r, w, addr, *d, bytes) + 3;
    }
    *done = fmax(*done, ready);
    *d = fmax(*d + 1, r->inject_free - r->flit * r->cfg->mem.l1d.miss_queue);
}

double replay_mem(struct replay *r, struct warp_at *w, const struct trace_inst *e,
                  const struct op *op, double t)
{
    double d = fmax(t + 2 + op->m->nread, r->ldst_free), done = d + 1;
    if (e->kind == TRACE_SHARED) {
        d += e->n;
        done = d + 4;
    } else if (e->n == 0) {
        d += 1;
    }
    for (int i = 0; e->kind != TRACE_SHARED && i < e->n; i++) {
        transaction(r, w, e->kind, w->t->txn[w->txn++], &d, &done, &w->done);
        w->traffic += trace_is_traffic(e->kind);
    }
    r->ldst_free = d;
    r->mem_left[r->mem_at++ % MEM_DEPTH] = d;
    return done;
}
