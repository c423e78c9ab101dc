#include "sim/func/split.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/barrier.h"
#include "sim/func/exec.h"
#include "sim/func/spin.h"

/* Entries that hold lanes of their own, from the top down. */
struct owners {
    const struct warp *w;
    int i;
    lanes_t above, own;
};

static struct owners owners_of(const struct warp *w)
{
    return (struct owners){.w = w, .i = w->depth};
}

static bool next_owner(struct owners *o)
{
    while (--o->i >= 0) {
        const lanes_t mask = o->w->stack[o->i].mask;
        o->own = mask & ~o->above;
        o->above |= mask;
        if (o->own)
            return true;
    }
    return false;
}

/* What a path that waits has executed. */
static const struct inst *waits_in(const struct warp *w, const struct simt_entry *e)
{
    return &w->cta->kernel->inst[e->pc - 1];
}

void split_wait(struct warp *w, lanes_t lanes, enum path_state why)
{
    struct simt_entry *top = simt_top(w), e = *top;
    e.mask = lanes;
    e.state = (uint8_t)why;
    e.since = w->turns;
    if (lanes == top->mask) {
        *top = e;
        return;
    }
    e.pc++;
    top->mask &= ~lanes;
    simt_insert(w, w->depth - 1, e);
}

/* Whether the lanes that an instruction waits for stand in a register: instructions on matrices are
 * the whole warp's. */
static bool names_lanes(const struct inst *in)
{
    return in->op == OP_SHFL || in->op == OP_VOTE || in->op == OP_MATCH || in->op == OP_REDUX ||
           in->op == OP_ELECT || in->op == OP_BAR_WARP;
}

bool split_meets(struct warp *w, const struct inst *in, lanes_t active)
{
    if (active == w->live || !w->cta->independent)
        return false;
    const uint32_t *row = row32(w, &in->src[in->ns - 1]);
    lanes_t named = 0;
    for (lanes_t m = active; m; m &= m - 1)
        named |= row[__builtin_ctz(m)];
    if (!(named & w->live & ~active))
        return false;
    split_wait(w, active, PATH_MEETS);
    return true;
}

/* -- meetings */

struct waiting {
    lanes_t lanes;                    /* that wait for others */
    const struct inst *in[WARP_SIZE]; /* in this */
    lanes_t names[WARP_SIZE];         /* for these, of those that live */
};

static void collect(struct warp *w, struct waiting *a)
{
    for (int i = 0; i < w->depth; i++) {
        const struct simt_entry *e = &w->stack[i];
        if (e->state != PATH_MEETS)
            continue;
        const struct inst *in = waits_in(w, e);
        for (lanes_t m = e->mask; m; m &= m - 1) {
            const int lane = __builtin_ctz(m);
            const lanes_t names =
                names_lanes(in) ? row32(w, &in->src[in->ns - 1])[lane] : LANES_ALL;
            a->in[lane] = in;
            a->names[lane] = (names | 1u << lane) & w->live;
        }
        a->lanes |= e->mask;
    }
}

static bool alike(const struct inst *a, const struct inst *b)
{
    if (a == b || !names_lanes(a))
        return a == b;
    return a->op == b->op && a->mode == b->mode && a->type == b->type && a->aop == b->aop &&
           !((a->flags ^ b->flags) & INST_ALL);
}

/* Whether all that the lane names wait for the same lanes, in the same instruction. */
static bool is_met(const struct waiting *a, int lane)
{
    const lanes_t names = a->names[lane];
    if (names & ~a->lanes)
        return false;
    for (lanes_t m = names; m; m &= m - 1) {
        const int other = __builtin_ctz(m);
        if (a->names[other] != names || !alike(a->in[lane], a->in[other]))
            return false;
    }
    return true;
}

static void exchange(struct warp *w, const struct waiting *a, lanes_t lanes)
{
    struct meet_part part[WARP_SIZE];
    int n = 0;
    const struct inst *first = a->in[__builtin_ctz(lanes)];
    if (!names_lanes(first)) {
        first->exec(w, first, lanes);
        return;
    }
    for (lanes_t m = lanes; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        int i = 0;
        while (i < n && part[i].in != a->in[lane])
            i++;
        if (i == n)
            part[n++] = (struct meet_part){.in = a->in[lane]};
        part[i].lanes |= 1u << lane;
    }
    crosslane_exchange(w, part, n);
}

/* The lanes wait no longer. */
static void let_go(struct warp *w, lanes_t lanes)
{
    for (int i = w->depth - 1; i >= 0; i--) {
        struct simt_entry *s = &w->stack[i], e = *s;
        if (e.state != PATH_MEETS || !(e.mask & lanes))
            continue;
        e.mask &= lanes;
        e.state = PATH_RUNS;
        s->mask &= ~lanes;
        if (s->mask)
            simt_insert(w, i + 1, e);
        else
            *s = e;
    }
}

static void meet(struct warp *w)
{
    struct waiting a = {0};
    lanes_t met = 0;
    collect(w, &a);
    for (lanes_t m = a.lanes; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (met >> lane & 1 || !is_met(&a, lane))
            continue;
        exchange(w, &a, a.names[lane]);
        met |= a.names[lane];
    }
    if (met)
        let_go(w, met);
}

/* -- which path runs */

/* Paths that stand at the same place become one, in the upper one's place. */
static void join(struct warp *w)
{
    int at[WARP_SIZE], n = 0;
    for (struct owners o = owners_of(w); next_owner(&o);) {
        struct simt_entry *e = &w->stack[o.i];
        if (e->state != PATH_RUNS || e->mask != o.own)
            continue;
        int i = 0;
        for (; i < n; i++) {
            struct simt_entry *s = &w->stack[at[i]];
            if (s->pc == e->pc && s->rpc == e->rpc && s->call == e->call)
                break;
        }
        if (i == n) {
            at[n++] = o.i;
            continue;
        }
        w->stack[at[i]].mask |= e->mask;
        e->mask = 0;
    }
}

/* Takes out entries without lanes: they left for others, or have exited. */
static void tidy(struct warp *w)
{
    int n = 0;
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].mask)
            w->stack[n++] = w->stack[i];
    w->depth = n;
}

/* Lanes that others wait for. */
static lanes_t wanted(struct warp *w)
{
    struct waiting a = {0};
    lanes_t all = 0;
    collect(w, &a);
    for (lanes_t m = a.lanes; m; m &= m - 1)
        all |= a.names[__builtin_ctz(m)];
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].state == PATH_BARRIER || w->stack[i].state == PATH_CLUSTER)
            return w->live;
    return all;
}

/* The entry that runs next, with its own lanes; -1: none can. yields: not the top, whose turn it
 * was. */
static int choose(struct warp *w, bool yields, lanes_t *own)
{
    const lanes_t want = yields ? 0 : wanted(w);
    uint64_t least = UINT64_MAX;
    int found = -1;
    for (struct owners o = owners_of(w); next_owner(&o);) {
        const struct simt_entry *e = &w->stack[o.i];
        if (e->state != PATH_RUNS || (yields && o.i == w->depth - 1))
            continue;
        const bool whole = e->mask == o.own;
        const uint64_t rank = yields  ? 2 * (uint64_t)e->since + !whole
                              : whole ? 0
                                      : 2 - !!(o.own & want);
        if (rank >= least)
            continue;
        least = rank;
        found = o.i;
        *own = o.own;
    }
    return found;
}

static void to_top(struct warp *w, int i, lanes_t own)
{
    struct simt_entry e = w->stack[i];
    w->stack[i].mask &= ~own;
    e.mask = own;
    if (!w->stack[i].mask) {
        memmove(&w->stack[i], &w->stack[i + 1], (size_t)(w->depth - 1 - i) * sizeof e);
        w->depth--;
    }
    simt_insert(w, w->depth, e);
}

/* -- nothing can go on */

static void deadlock(struct warp *w)
{
    struct waiting a = {0};
    collect(w, &a);
    const int lane = __builtin_ctz(a.lanes);
    lanes_t missing = a.names[lane];
    for (lanes_t m = missing & a.lanes; m; m &= m - 1) {
        const int other = __builtin_ctz(m);
        if (a.names[other] == a.names[lane] && alike(a.in[lane], a.in[other]))
            missing &= ~(1u << other);
    }
    const int late = __builtin_ctz(missing);
    for (int i = 0; i < w->depth; i++) {
        const struct simt_entry *e = &w->stack[i];
        if (e->state == PATH_RUNS || !(e->mask >> late & 1))
            continue;
        char text[200];
        const struct inst *in = waits_in(w, e);
        snprintf(text, sizeof text,
                 "waits for ever: its mask 0x%08x names lane %d, which waits at line %d (%s)",
                 a.names[lane], late, in->line, in->text);
        warp_fault(w, a.in[lane], FAULT_BARRIER_DEADLOCK, lane, 0, 0, text);
        return;
    }
    BUG_ON(true, "lane %d waits nowhere", late);
}

/* A path waits for the cluster, and the warp with it. */
static bool waits_for_cluster(struct warp *w)
{
    bool any = false;
    for (int i = 0; i < w->depth; i++) {
        if (w->stack[i].state != PATH_CLUSTER)
            continue;
        w->stack[i].state = PATH_RUNS;
        any = true;
    }
    if (any)
        w->barrier = CLUSTER_BARRIER;
    return any;
}

/* Every path waits. */
static void stuck(struct warp *w)
{
    if (waits_for_cluster(w))
        return;
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].state == PATH_MEETS) {
            deadlock(w);
            return;
        }
    bar_arrive_apart(w);
    join(w);
    tidy(w);
}

static void end_turn(struct warp *w)
{
    struct simt_entry *top = simt_top(w);
    if (top->state == PATH_YIELDS)
        top->state = PATH_RUNS;
    top->since = ++w->turns;
    spin_forget(&w->spin);
}

void split_settle(struct warp *w)
{
    while (simt_top(w)->state != PATH_RUNS && w->cta->fault.kind == FAULT_NONE &&
           w->barrier != CLUSTER_BARRIER) {
        const bool yields = simt_top(w)->state == PATH_YIELDS;
        lanes_t own = 0;
        end_turn(w);
        meet(w);
        join(w);
        tidy(w);
        const int i = choose(w, yields, &own);
        if (i >= 0)
            to_top(w, i, own);
        else if (!yields)
            stuck(w);
        simt_pop_ended(w);
    }
}
