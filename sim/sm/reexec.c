/* The re-execution queue of the LD/ST unit: Mascar's cache access re-execution ("car", Sethia et
 * al., HPCA 2015) and NewCAR ("newcar", Park et al., ELF, 2015, 3.4). A transaction that a cache or
 * the network refuses waits here, so that those behind it can go on. One is tried again in each
 * cycle in which the unit sends nothing of its own, because it has nothing or the queue is full;
 * while it is full the unit takes nothing new.
 *
 * newcar: first in, first out; one that is refused again goes to the tail. Within a warp a load may
 * pass a load; nothing passes a store or an atomic, and these pass nothing (Figure 6): what may not
 * pass goes straight into the queue, and stays until those before it have left.
 * car: a warp has one transaction in the queue at most, its next ones wait in the unit; the head is
 * tried until it is taken. */
#include "sim/sm/core.h"

#include <stdlib.h>
#include <string.h>

void reexec_init(struct sm *s)
{
    struct reexec *q = &s->ldst.reexec;
    const enum reexecution kind = sm_reexecution(s->cfg);
    if (kind == REEXECUTION_NONE)
        return;
    q->in_order = kind == REEXECUTION_CAR;
    q->size = s->cfg->reexecution_entries;
    q->entry = xcalloc((size_t)q->size, sizeof *q->entry);
    q->line = xcalloc((size_t)q->size, sizeof *q->line);
    for (int i = 0; i < q->size; i++)
        q->line[i] = (uint16_t)i;
}

void reexec_fini(struct reexec *q)
{
    free(q->entry);
    free(q->line);
}

static bool is_store(const struct op *o)
{
    return o->store || o->atomic;
}

static bool must_wait(const struct reexec *q, const struct op *o)
{
    return q->in_order || is_store(o) ? q->of_warp[o->warp] != 0 : q->stores[o->warp] != 0;
}

static bool is_full(const struct reexec *q)
{
    return q->n == q->size;
}

bool reexec_stops_unit(const struct sm *s)
{
    const struct reexec *q = &s->ldst.reexec;
    return q->n && is_full(q);
}

/* The cache that refused an entry last; NULL: none, or one that is quick to ask. */
static const struct l1_cache *refuser(const struct ldst *d, const struct reexec_entry *e)
{
    if (e->refused == L1_HIT || e->refused_by == BY_TEXTURE)
        return NULL;
    return e->refused_by == BY_L1C ? d->l1c : d->l1d;
}

static void note_refusal(const struct ldst *d, struct reexec_entry *e)
{
    e->refused = d->refused;
    e->refused_by = (uint8_t)d->refused_by;
    const struct l1_cache *c = refuser(d, e);
    e->changes = c ? l1_changes(c) : 0;
}

static void push(struct sm *s, uint32_t op, const struct txn *t)
{
    struct ldst *d = &s->ldst;
    struct reexec *q = &d->reexec;
    struct op *o = &s->op[op];
    struct reexec_entry *e = &q->entry[q->line[q->n++]];
    *e = (struct reexec_entry){.order = q->queued++, .t = *t, .op = op, .may_go = !must_wait(q, o)};
    note_refusal(d, e);
    q->may_go += e->may_go;
    q->of_warp[o->warp]++;
    q->stores[o->warp] = (uint16_t)(q->stores[o->warp] + is_store(o));
    q->refused = 0;
    o->queued++;
    s->warp[o->warp].in_pipe++;
}

bool reexec_send(struct sm *s, uint32_t op, const struct txn *t, cycle_t now)
{
    struct ldst *d = &s->ldst;
    struct reexec *q = &d->reexec;
    if (is_full(q))
        return false;
    d->refused = L1_HIT;
    if (must_wait(q, &s->op[op])) {
        if (q->in_order)
            return false;
    } else if (ldst_send(s, op, t, now)) {
        q->refused = 0;
        return true;
    }
    push(s, op, t);
    return true;
}

/* Whether an entry that had to wait may go, now that one of its warp has left. */
static bool may_go(const struct sm *s, const struct reexec_entry *e)
{
    const struct reexec *q = &s->ldst.reexec;
    const struct op *o = &s->op[e->op];
    for (int i = 0; i < q->n; i++) {
        const struct reexec_entry *f = &q->entry[q->line[i]];
        const struct op *other = &s->op[f->op];
        if (other->warp == o->warp && f->order < e->order && (is_store(o) || is_store(other)))
            return false;
    }
    return true;
}

static void let_go(struct sm *s, int slot)
{
    struct reexec *q = &s->ldst.reexec;
    for (int i = 0; i < q->n; i++) {
        struct reexec_entry *e = &q->entry[q->line[i]];
        if (e->may_go || s->op[e->op].warp != slot || !may_go(s, e))
            continue;
        e->may_go = true;
        q->may_go++;
    }
}

/* The first in line that may go; the oldest of all always may. */
static int next_in_line(const struct reexec *q)
{
    int i = 0;
    while (!q->entry[q->line[i]].may_go)
        i++;
    return i;
}

static uint16_t take_from_line(struct reexec *q, int i)
{
    const uint16_t entry = q->line[i];
    memmove(&q->line[i], &q->line[i + 1], (size_t)(q->n - 1 - i) * sizeof *q->line);
    q->line[q->n - 1] = entry;
    return entry;
}

static void left(struct sm *s, int i)
{
    struct reexec *q = &s->ldst.reexec;
    const uint32_t op = q->entry[take_from_line(q, i)].op;
    struct op *o = &s->op[op];
    const int slot = o->warp;
    q->n--;
    q->of_warp[slot]--;
    q->stores[slot] = (uint16_t)(q->stores[slot] - is_store(o));
    q->may_go--;
    q->refused = 0;
    if (q->may_go < q->n)
        let_go(s, slot);
    s->warp[slot].in_pipe--;
    o->queued--;
    if (o->load && !o->pending)
        load_complete(s, op);
    else if (!o->load && !o->queued && s->ldst.dispatch != op)
        op_put(s, op);
    warp_settled(s, slot);
}

bool reexec_has_turn(const struct sm *s)
{
    const struct ldst *d = &s->ldst;
    const struct reexec *q = &d->reexec;
    if (!q->n)
        return false;
    if (is_full(q) || d->dispatch == NO_OP)
        return true;
    const struct op *o = &s->op[d->dispatch];
    return q->in_order && o->space != SP_SHARED && o->list != NO_OP && must_wait(q, o);
}

static bool try_entry(struct sm *s, struct reexec_entry *e, cycle_t now)
{
    struct ldst *d = &s->ldst;
    const struct l1_cache *c = refuser(d, e);
    if (c && l1_changes(c) == e->changes) {
        ldst_count_refusals(d, e->refused_by, e->refused, 1);
        return false;
    }
    d->refused = L1_HIT;
    if (ldst_send(s, e->op, &e->t, now))
        return true;
    note_refusal(d, e);
    return false;
}

void reexec_try(struct sm *s, cycle_t now)
{
    struct reexec *q = &s->ldst.reexec;
    const int i = next_in_line(q);
    struct reexec_entry *e = &q->entry[q->line[i]];
    q->tries++;
    if (try_entry(s, e, now)) {
        left(s, i);
        return;
    }
    q->refused =
        e->refused == L1_HIT ? 0 : q->refused + 1; /* the network may have room next time */
    if (!q->in_order)
        take_from_line(q, i);
}

bool reexec_stuck(const struct sm *s)
{
    const struct reexec *q = &s->ldst.reexec;
    return q->refused && reexec_has_turn(s) && q->refused >= (q->in_order ? 1 : q->may_go);
}

/* As reexec_try() would, so many times over. From the second round on a round changes nothing. */
void reexec_repeat(struct sm *s, uint64_t cycles)
{
    struct reexec *q = &s->ldst.reexec;
    const uint64_t round = q->in_order ? 1 : (uint64_t)q->may_go;
    const uint64_t steps = cycles < round ? cycles : round + cycles % round;
    q->tries += cycles;
    for (uint64_t k = 0; k < steps; k++) {
        const int i = next_in_line(q);
        const struct reexec_entry *e = &q->entry[q->line[i]];
        ldst_count_refusals(&s->ldst, e->refused_by, e->refused, 1);
        if (!q->in_order)
            take_from_line(q, i);
    }
    for (int i = 0; i < (q->in_order ? 1 : q->n) && cycles > steps; i++) {
        const struct reexec_entry *e = &q->entry[q->line[i]];
        if (e->may_go)
            ldst_count_refusals(&s->ldst, e->refused_by, e->refused, (cycles - steps) / round);
    }
}

void reexec_counts(const struct reexec *q, struct sched_counts *add)
{
    if (!q->entry)
        return;
    sched_count(add, COUNT_reexecution_queued, q->queued);
    sched_count(add, COUNT_reexecution_tries, q->tries);
}
