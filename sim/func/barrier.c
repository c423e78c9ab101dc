#include "sim/func/barrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/cta_cluster.h"
#include "sim/func/exec.h"

struct barrier {
    uint32_t expected; /* threads; 0: every thread of the CTA that has not exited */
    uint32_t arrivals; /* warps, with repetitions (bar.arrive) */
    uint32_t arrived;  /* bit a warp */
    uint32_t waiting;  /* bit a warp */
    uint32_t count;    /* bar.red: threads whose predicate holds, and all threads that took part */
    uint32_t voters;
};

struct barrier_set {
    int nwarps;
    uint32_t all, done; /* bit a warp */
    struct barrier b[CTA_BARRIERS];
    struct {
        const struct inst *inst; /* what the warp waits in */
        lanes_t lanes;
    } at[WARP_SIZE]; /* at most 1024 threads */
    struct warp *warp[WARP_SIZE];
};

struct barrier_set *barrier_set_new(int nwarps)
{
    BUG_ON(nwarps < 1 || nwarps > WARP_SIZE, "%d warps", nwarps);
    struct barrier_set *b = xcalloc(1, sizeof *b);
    b->nwarps = nwarps;
    b->all = nwarps == WARP_SIZE ? UINT32_MAX : (1u << nwarps) - 1;
    return b;
}

void barrier_set_free(struct barrier_set *b)
{
    free(b);
}

void barrier_set_reset(struct barrier_set *b)
{
    b->done = 0;
    memset(b->b, 0, sizeof b->b);
}

static bool complete(const struct barrier_set *s, const struct barrier *b)
{
    if (!b->arrivals)
        return false;
    if (b->expected)
        return b->arrivals * WARP_SIZE >= b->expected;
    return (b->arrived | s->done) == s->all;
}

/* bar.red: the destination of a waiting warp gets the reduction over all that took part. */
static void deliver(struct warp *w, const struct inst *in, lanes_t active, const struct barrier *b)
{
    const struct opnd *d = &in->dst[0];
    if (in->op != OP_BAR_RED || d->off == OPND_NONE || !w->bank[BANK_REG]) /* recorded: no values */
        return;
    if (in->mode == ATOM_ADD) {
        for (int i = 0; i < WARP_SIZE; i++)
            if (active >> i & 1)
                row32(w, d)[i] = b->count;
        return;
    }
    bool hold = in->mode == ATOM_AND ? b->count == b->voters : b->count != 0;
    lanes_t *p = pred_ref(w, d);
    *p = hold ? *p | active : *p & ~active;
}

/* To lanes that came apart from each other. */
static void deliver_apart(struct warp *w, const struct barrier *b)
{
    for (int i = 0; i < w->depth; i++) {
        struct simt_entry *e = &w->stack[i];
        if (e->reduces)
            deliver(w, &w->cta->kernel->inst[e->pc - 1], e->mask, b);
        e->reduces = false;
    }
}

static void release(struct barrier_set *s, struct barrier *b)
{
    for (uint32_t m = b->waiting; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (s->at[i].lanes)
            deliver(s->warp[i], s->at[i].inst, s->at[i].lanes, b);
        else
            deliver_apart(s->warp[i], b);
        s->warp[i]->barrier = -1;
    }
    memset(b, 0, sizeof *b);
}

void barrier_arrive(struct barrier_set *s, struct warp *w, const struct arrival *a)
{
    struct barrier *b = &s->b[a->id];
    b->expected = a->threads;
    b->arrivals++;
    b->arrived |= 1u << w->index;
    if (a->wait) {
        b->waiting |= 1u << w->index;
        w->barrier = a->id;
        s->warp[w->index] = w;
        s->at[w->index].inst = a->inst;
        s->at[w->index].lanes = a->lanes;
    }
    if (complete(s, b))
        release(s, b);
}

void barrier_vote(struct barrier_set *s, int id, uint32_t holds, uint32_t voters)
{
    s->b[id].count += holds;
    s->b[id].voters += voters;
}

void barrier_warp_exit(struct barrier_set *s, struct cta *c)
{
    for (int i = 0; i < c->nwarps; i++)
        if (c->warp[i].live == 0)
            s->done |= 1u << i;
    for (int i = 0; i < CTA_BARRIERS; i++)
        if (s->b[i].arrivals && complete(s, &s->b[i]))
            release(s, &s->b[i]);
}

uint32_t cta_waiting(const struct cta *c)
{
    uint32_t waiting = 0;
    for (int i = 0; i < c->nwarps; i++)
        waiting |= (uint32_t)warp_waiting(&c->warp[i]) << i;
    return waiting;
}

bool cta_deadlocked(struct cta *c)
{
    bool waits = false;
    for (int i = 0; i < c->nwarps; i++) {
        const struct warp *w = &c->warp[i];
        if (w->live && !warp_waiting(w))
            return false;
        waits |= w->live != 0;
    }
    if (waits)
        cta_barrier_deadlock(c);
    return waits;
}

static void cluster_deadlock(struct warp *w)
{
    int arrived, threads;
    char text[160];
    cta_cluster_count(w->cta, &arrived, &threads);
    snprintf(text, sizeof text,
             "waits for ever at the barrier of its cluster: %d of %d threads have arrived", arrived,
             threads);
    warp_fault(w, &w->cta->kernel->inst[warp_pc(w) - 1], FAULT_BARRIER_DEADLOCK,
               __builtin_ctz(w->live), 0, 0, text);
}

void cta_barrier_deadlock(struct cta *c)
{
    struct barrier_set *s = c->barriers;
    for (int i = 0; i < c->nwarps; i++) {
        struct warp *w = &c->warp[i];
        if (w->live == 0 || w->barrier < 0)
            continue;
        if (w->barrier == CLUSTER_BARRIER) {
            cluster_deadlock(w);
            return;
        }
        const struct barrier *b = &s->b[w->barrier];
        uint32_t want = b->expected ? b->expected : (uint32_t)c->nthreads;
        char text[200];
        snprintf(text, sizeof text,
                 "waits for ever at barrier %d: %u of %u threads have arrived, and no warp of the "
                 "CTA can go on",
                 w->barrier, b->arrivals * WARP_SIZE, want);
        warp_fault(w, s->at[i].inst, FAULT_BARRIER_DEADLOCK, __builtin_ctz(w->live), 0, 0, text);
        return;
    }
}
