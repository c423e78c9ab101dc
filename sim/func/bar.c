/* Barriers of the CTA: bar, barrier. A warp arrives when each of its lanes that have not exited has
 * come to one. Threads that are not independent come together, or it is a fault. */
#include <stdio.h>

#include "base/err.h"
#include "sim/func/barrier.h"
#include "sim/func/exec.h"
#include "sim/func/split.h"

/* What the lanes of a warp say when they arrive. */
struct said {
    bool any; /* some have */
    uint32_t id, threads;
    uint32_t holds, voters; /* bar.red */
};

static int numbers_of(const struct inst *in)
{
    return in->ns - (in->op == OP_BAR_RED);
}

static bool fault(struct warp *w, const struct inst *in, int lane, const char *text)
{
    warp_fault(w, in, FAULT_BARRIER_DIVERGED, lane, 0, 0, text);
    return false;
}

static bool hear_lane(struct warp *w, const struct inst *in, int lane, struct said *s)
{
    const int numbers = numbers_of(in);
    const uint32_t id = numbers > 0 ? row32(w, &in->src[0])[lane] : 0;
    const uint32_t threads = numbers > 1 ? row32(w, &in->src[1])[lane] : 0;
    if (s->any && (id != s->id || threads != s->threads))
        return fault(w, in, lane, "lanes of the warp name different barriers or thread counts");
    s->any = true;
    s->id = id;
    s->threads = threads;
    return true;
}

static bool hear(struct warp *w, const struct inst *in, lanes_t lanes, struct said *s)
{
    for (lanes_t m = lanes; m; m &= m - 1)
        if (!hear_lane(w, in, __builtin_ctz(m), s))
            return false;
    if (s->id >= CTA_BARRIERS) {
        char text[80];
        snprintf(text, sizeof text, "barrier %u does not exist, only 0..%d do", s->id,
                 CTA_BARRIERS - 1);
        return fault(w, in, __builtin_ctz(lanes), text);
    }
    if (in->op != OP_BAR_RED)
        return true;
    const lanes_t holds = pred_get(w, &in->src[numbers_of(in)]) & lanes;
    s->holds += (uint32_t)__builtin_popcount(holds);
    s->voters += (uint32_t)__builtin_popcount(lanes);
    return true;
}

static void arrive(struct warp *w, const struct said *s, struct arrival a)
{
    a.id = (int)s->id;
    a.threads = s->threads;
    w->out->arrives = true;
    w->out->barrier = (uint8_t)s->id;
    w->out->barrier_threads = s->threads;
    barrier_vote(w->cta->barriers, a.id, s->holds, s->voters);
    barrier_arrive(w->cta->barriers, w, &a);
}

static void diverged(struct warp *w, const struct inst *in, lanes_t active)
{
    char text[160];
    snprintf(text, sizeof text,
             "divergent barrier: only %d of the warp's %d running threads reach it together",
             __builtin_popcount(active), __builtin_popcount(w->live));
    fault(w, in, __builtin_ctz(active), text);
}

static void exec_bar(struct warp *w, const struct inst *in, lanes_t active)
{
    struct said s = {0};
    if (active == w->live) {
        if (hear(w, in, active, &s))
            arrive(w, &s,
                   (struct arrival){.wait = in->op != OP_BAR_ARRIVE, .inst = in, .lanes = active});
    } else if (w->cta->independent) {
        split_wait(w, active, PATH_BARRIER);
    } else {
        diverged(w, in, active);
    }
}

void bar_arrive_apart(struct warp *w)
{
    struct said s = {0};
    struct arrival a = {.wait = false};
    for (int i = 0; i < w->depth; i++) {
        struct simt_entry *e = &w->stack[i];
        if (e->state != PATH_BARRIER)
            continue;
        const struct inst *in = &w->cta->kernel->inst[e->pc - 1];
        if (!hear(w, in, e->mask, &s))
            return;
        e->state = PATH_RUNS;
        e->reduces = in->op == OP_BAR_RED;
        a.wait |= in->op != OP_BAR_ARRIVE;
        a.inst = in;
    }
    arrive(w, &s, a);
}

exec_fn exec_lookup_bar(const struct inst *in)
{
    switch (in->op) {
    case OP_BAR:
    case OP_BAR_ARRIVE:
    case OP_BAR_RED:
        return exec_bar;
    default:
        return NULL;
    }
}
