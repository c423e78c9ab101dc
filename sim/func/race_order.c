#include "sim/func/race_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/exec.h"

static void join(struct clocks *to, const struct clocks *c)
{
    for (int i = 0; i < WARP_SIZE; i++)
        if (c->of[i] > to->of[i])
            to->of[i] = c->of[i];
}

void race_order_init(struct race_order *o)
{
    memset(o, 0, sizeof *o);
    o->tick = 1;
}

void race_order_fini(struct race_order *o)
{
    for (int i = 0; i < WARP_SIZE; i++)
        free(o->warp[i].lanes);
}

/* What the warp has seen, with all that it did itself until now. */
static struct clocks now_of(struct race_order *o, int warp)
{
    struct clocks c = o->warp[warp].seen;
    c.of[warp] = ++o->tick;
    return c;
}

/* -- lanes */

static void all_meet(struct race_order *o, int warp)
{
    o->warp[warp].together = ++o->tick;
}

static void some_meet(struct race_order *o, int warp, lanes_t lanes)
{
    struct lane_clocks *l = o->warp[warp].lanes;
    uint32_t all[WARP_SIZE] = {0};
    if (!l)
        l = o->warp[warp].lanes = xcalloc(1, sizeof *l);
    for (lanes_t m = lanes; m; m &= m - 1)
        for (int i = 0; i < WARP_SIZE; i++)
            if (l->of[__builtin_ctz(m)][i] > all[i])
                all[i] = l->of[__builtin_ctz(m)][i];
    o->tick++;
    for (lanes_t m = lanes; m; m &= m - 1)
        all[__builtin_ctz(m)] = o->tick;
    for (lanes_t m = lanes; m; m &= m - 1)
        memcpy(l->of[__builtin_ctz(m)], all, sizeof all);
}

/* Lanes that wait for others, all of which have come or exited, have met. */
static void settle_meetings(struct race_order *o, const struct warp *w)
{
    lanes_t *meets = o->warp[w->index].meets;
    lanes_t left = 0;
    for (int i = 0; i < WARP_SIZE; i++)
        left |= (lanes_t)(meets[i] != 0) << i;
    const lanes_t waiting = left;
    for (; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const lanes_t named = (meets[lane] | 1u << lane) & (w->live | waiting);
        bool all = meets[lane] != 0;
        for (lanes_t m = named; m && all; m &= m - 1)
            all = meets[__builtin_ctz(m)] == meets[lane];
        if (!all)
            continue;
        if ((named & w->live) == w->live)
            all_meet(o, w->index);
        else
            some_meet(o, w->index, named);
        for (lanes_t m = named; m; m &= m - 1)
            meets[__builtin_ctz(m)] = 0;
    }
    o->warp[w->index].meeting = false;
    for (int i = 0; i < WARP_SIZE; i++)
        o->warp[w->index].meeting |= meets[i] != 0;
}

static void come_to_meet(struct race_order *o, const struct warp *w, const struct step *s)
{
    const struct opnd *mask = &s->inst->src[s->inst->ns - 1];
    const uint32_t *row = row32((struct warp *)(uintptr_t)w, mask);
    for (lanes_t m = s->active; m; m &= m - 1)
        o->warp[w->index].meets[__builtin_ctz(m)] = row[__builtin_ctz(m)] | (m & -m);
    settle_meetings(o, w);
}

/* -- warps */

static void arrive(struct race_order *o, const struct warp *w, const struct step *s)
{
    const struct clocks now = now_of(o, w->index);
    all_meet(o, w->index);
    join(&o->bar[s->barrier].clock, &now);
    if (w->barrier == s->barrier)
        o->bar[s->barrier].waiting |= 1u << w->index;
    else if (s->inst->op != OP_BAR_ARRIVE) /* it is complete already */
        join(&o->warp[w->index].seen, &o->bar[s->barrier].clock);
}

/* Barriers do not wait for it any more. */
static void leave(struct race_order *o, const struct warp *w)
{
    const struct clocks now = now_of(o, w->index);
    for (int i = 0; i < CTA_BARRIERS; i++)
        join(&o->bar[i].clock, &now);
}

/* Of a barrier that has completed no warp waits any more. */
static void settle_barrier(struct race_order *o, const struct warp *w, int id, bool came_last)
{
    const struct cta *c = w->cta;
    uint32_t left = o->bar[id].waiting;
    if (left ? c->warp[__builtin_ctz(left)].barrier == id : !came_last)
        return;
    for (; left; left &= left - 1)
        join(&o->warp[__builtin_ctz(left)].seen, &o->bar[id].clock);
    memset(&o->bar[id], 0, sizeof o->bar[id]);
}

static void release(struct race_order *o, const struct clocks *c)
{
    join(&o->released, c);
}

/* An access that other warps may wait for. */
static bool is_strong(const struct inst *in)
{
    return in->flags & (INST_VOLATILE | INST_ATOMIC) &&
           in->flags & (INST_LOAD | INST_STORE | INST_ATOMIC);
}

/* Fences are written as instructions of their own, or as part of the access. */
static void strong_access(struct race_order *o, const struct warp *w, const struct inst *in)
{
    const bool writes = in->flags & (INST_STORE | INST_ATOMIC);
    if (writes && (strstr(in->text, ".release") || strstr(in->text, ".acq_rel"))) {
        const struct clocks now = now_of(o, w->index);
        release(o, &now);
    } else if (writes && o->warp[w->index].has_fence) {
        release(o, &o->warp[w->index].fenced);
    }
    if (in->flags & (INST_LOAD | INST_ATOMIC))
        join(&o->warp[w->index].seen, &o->released);
}

void race_order_before(struct race_order *o, const struct warp *w, const struct step *s)
{
    if (o->warp[w->index].for_cluster && s->inst->op != OP_CLUSTER_WAIT) {
        join(&o->warp[w->index].seen, &o->bar[CLUSTER_BARRIER].clock);
        all_meet(o, w->index);
        o->warp[w->index].for_cluster = false;
    }
    if (o->warp[w->index].meeting)
        settle_meetings(o, w);
    if (s->active && is_strong(s->inst))
        strong_access(o, w, s->inst);
}

static void by_instruction(struct race_order *o, const struct warp *w, const struct step *s)
{
    struct clocks now;
    switch ((enum opcode)s->inst->op) {
    case OP_MEMBAR:
        o->warp[w->index].fenced = now_of(o, w->index);
        o->warp[w->index].has_fence = true;
        break;
    case OP_BAR_WARP:
        if (w->cta->independent)
            come_to_meet(o, w, s);
        break;
    case OP_MBAR_TEST:
    case OP_MBAR_PARITY:
        if (!s->yields)
            join(&o->warp[w->index].seen, &o->released);
        break;
    case OP_MBAR_ARRIVE:
    case OP_MBAR_DROP:
    case OP_MBAR_COMPLETE:
    case OP_MBAR_ARRIVE_EXPECT:
    case OP_MBAR_DROP_EXPECT:
    case OP_MBAR_ASYNC:
        now = now_of(o, w->index);
        release(o, &now);
        break;
    case OP_CLUSTER_ARRIVE:
        now = now_of(o, w->index);
        join(&o->bar[CLUSTER_BARRIER].clock, &now);
        break;
    case OP_CLUSTER_WAIT:
        o->warp[w->index].for_cluster = true;
        break;
    default:
        break;
    }
}

void race_order_after(struct race_order *o, const struct warp *w, const struct step *s)
{
    if (s->active)
        by_instruction(o, w, s);
    if (s->arrives)
        arrive(o, w, s);
    if (s->warp_done)
        leave(o, w);
    if (s->arrives || s->warp_done)
        for (int i = 0; i < CTA_BARRIERS; i++)
            settle_barrier(o, w, i,
                           s->arrives && i == s->barrier && w->barrier != i &&
                               s->inst->op != OP_BAR_ARRIVE);
}
