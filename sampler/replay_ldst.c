/* What a replayed core sends, with what the other cores send meanwhile, and its LD/ST unit. */
#include "sampler/replay_core.h"

#include <math.h>

/* ---- What leaves the core ---- */

static void count(struct lead *c, const struct warp_at *w, bool of_beside, int reads)
{
    const bool later = c->cta[w->slot].number >= c->n;
    struct dram_share *s = &c->r->share[later][of_beside];
    s->requests++;
    s->reads += (uint64_t)reads;
}

/* Whether a transaction of a core that is not replayed leaves it: its L1s are tags alone. */
static bool leaves(struct replay *r, uint64_t core, int slot, addr_t txn)
{
    if (!(txn & (TRACE_CACHED | TRACE_TEXEL)))
        return true;
    struct tags *t = txn & TRACE_TEXEL ? &r->l1t[core] : &r->l1d[core];
    const bool local = txn & REQUESTS_LOCAL;
    const addr_t place = local ? (addr_t)(slot + 1) << 48 : 0;
    const addr_t line = tags_line(t, TRACE_LINE(txn)) | place;
    uint32_t way;
    addr_t victim;
    const bool hit = tags_probe(t, line, line, &way) == TAG_HIT;
    r->l1_uses++;
    if (txn & TRACE_STORES) {
        if (hit && !local)
            tags_set_state(t, way, TAG_INVALID);
        return !(hit && local);
    }
    if (hit)
        tags_touch(t, way, r->l1_uses);
    else
        tags_replace(t, way, line | TAG_VALID, r->l1_uses, &victim);
    return !hit;
}

/* What the other cores do while a lead makes a transaction of w: the first half of them before it,
 * the others behind it. */
static void beside(struct lead *c, const struct warp_at *w, double t, bool behind)
{
    if (c->r->o.alone)
        return;
    const uint64_t cores = (uint64_t)trace_lead_cores(c->r->t, c->number);
    const uint64_t middle = (cores + 1) / 2, at = w->traffic, all = w->t->traffic;
    for (uint64_t i = behind ? middle : 1; i < (behind ? cores : middle); i++) {
        const struct core_traffic *b = &w->beside[i * (uint64_t)c->r->wpc];
        const uint64_t core = (uint64_t)(c->number * c->r->t->step) + i;
        uint64_t from = b->txns == all ? at : at * b->txns / all;
        const uint64_t end = b->txns == all ? at + 1 : (at + 1) * b->txns / all;
        const double when = later(0, t + ((double)i - (double)cores / 2) * PHASE);
        for (; from < end; from++) {
            const addr_t txn = b->txn[from < b->kept ? from : from % b->kept];
            int dram;
            if (!leaves(c->r, core, w->slot, txn))
                continue;
            shared_mem_serve(&c->r->mem, TRACE_LINE(txn), when, txn & TRACE_STORES,
                             TRACE_BYTES(txn), &dram);
            count(c, w, true, dram);
        }
    }
}

static double data_read(struct lead *c, const struct warp_at *w, double sent, double back, int dram)
{
    count(c, w, false, dram);
    c->r->read_sum += back - sent;
    c->r->reads++;
    return back;
}

/* A request is there to be sent at t: when its partition takes it. Requests leave the core one
 * behind the other; one that is not taken holds up those behind it, wherever they go. */
static double inject(struct lead *c, addr_t addr, double t, double flits)
{
    double *taken = &c->accepts[c->sent++ % ON_THE_WAY];
    const double sent = later(later(t, c->inject_free), *taken);
    c->inject_free = sent + c->r->flit * flits;
    c->accepted = shared_mem_accepts(&c->r->mem, addr, later(c->accepted, sent));
    return *taken = c->accepted;
}

double replay_read(struct lead *c, const struct warp_at *w, addr_t addr, double t, int bytes)
{
    const double sent = inject(c, addr, t, 1);
    int dram;
    double back = shared_mem_serve(&c->r->mem, addr, sent, false, bytes, &dram) + c->r->o.latency;
    back = later(back, c->reply_free);
    c->reply_free = back + c->r->reply_gap;
    return w ? data_read(c, w, t, back, dram) : back;
}

/* A write leaves the core at t: when it is acknowledged. */
static double write_beyond(struct lead *c, const struct warp_at *w, addr_t addr, double t,
                           int bytes)
{
    const struct icnt_cfg *net = &c->r->cfg->icnt;
    const double sent =
        inject(c, addr, t, ceil((bytes + net->header_bytes) / (double)net->flit_bytes));
    int dram;
    const double served = shared_mem_serve(&c->r->mem, addr, sent, true, bytes, &dram);
    if (w)
        count(c, w, false, dram);
    return served + c->r->o.latency;
}

enum stamp_result replay_cached(struct lead *c, struct stamp_cache *s, const struct warp_at *w,
                                addr_t addr, double *t, double *ready)
{
    struct stamp_line *victim;
    double *mshr;
    const enum stamp_result got = stamp_read(s, addr, t, ready, &victim, &mshr);
    if (got != STAMP_MISS)
        return got;
    if (victim->dirty)
        write_beyond(c, NULL, (victim->line - 1) * (addr_t)s->line, *t, s->line);
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
    return write_beyond(c, w, addr, d, bytes);
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
        beside(c, w, at, false);
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
        *ack = later(*ack, write_beyond(c, w, addr, *d, bytes));
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
        beside(c, w, at, true);
    *done = later(*done, ready);
    *d = later(*d + 1, c->inject_free - c->r->flit * c->r->cfg->mem.l1d.miss_queue);
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
