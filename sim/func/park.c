/* park.c -- the stack says who waits for whom to reconverge. A path that has to run on by itself is
 * taken out of that: paths that would have met it there meet where it would have gone next. */
#include "sim/func/park.h"

#include <string.h>

#include "sim/func/simt.h"

static bool at_barrier(const struct warp *w, const struct simt_entry *s)
{
    const struct kernel *k = w->cta->kernel;
    return s->pc < k->ninst && s->pc != s->rpc && k->inst[s->pc].op == OP_BAR &&
           k->inst[s->pc].guard.off == OPND_NONE;
}

/* Entry i keeps only the lanes that wait in it themselves. */
static void part(struct warp *w, int i, lanes_t own)
{
    struct simt_entry *s = &w->stack[i];
    if (s->mask == own)
        return;
    for (int j = i + 1; j < w->depth; j++)
        if (w->stack[j].rpc == s->pc)
            w->stack[j].rpc = s->rpc;
    s->mask = own;
}

static void to_top(struct warp *w, int i)
{
    struct simt_entry s = w->stack[i];
    memmove(&w->stack[i], &w->stack[i + 1], (size_t)(w->depth - 1 - i) * sizeof s);
    s.pc--; /* warp_step() moves the top on, as if it had executed the barrier */
    w->stack[w->depth - 1] = s;
}

enum park park_top(struct warp *w)
{
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].call >= 0)
            return PARK_IMPOSSIBLE;
    lanes_t above = simt_top(w)->mask;
    for (int i = w->depth - 2; i >= 0; i--) {
        lanes_t own = w->stack[i].mask & ~above;
        above |= w->stack[i].mask;
        if (!own || at_barrier(w, &w->stack[i]))
            continue;
        part(w, i, own);
        to_top(w, i);
        return PARK_WAITS;
    }
    above = simt_top(w)->mask;
    for (int i = w->depth - 2; i >= 0; i--) {
        lanes_t own = w->stack[i].mask & ~above;
        above |= w->stack[i].mask;
        if (!own)
            continue;
        part(w, i, own);
        w->stack[i].pc++;
    }
    return PARK_COMPLETE;
}
