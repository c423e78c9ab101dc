/* park.c -- the stack says who waits for whom to reconverge. A path that has to run on by itself is
 * taken out of that: paths that would have met it there meet where it would have gone next. */
#include "sim/func/park.h"

#include <string.h>

#include "base/err.h"
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

/* Entry i runs, with these lanes that wait in it themselves. */
static void to_top(struct warp *w, int i, lanes_t own)
{
    part(w, i, own);
    struct simt_entry s = w->stack[i];
    memmove(&w->stack[i], &w->stack[i + 1], (size_t)(w->depth - 1 - i) * sizeof s);
    w->stack[w->depth - 1] = s;
}

static bool in_call(const struct warp *w)
{
    for (int i = 0; i < w->depth; i++)
        if (w->stack[i].call >= 0)
            return true;
    return false;
}

enum park park_top(struct warp *w)
{
    if (in_call(w))
        return PARK_IMPOSSIBLE;
    lanes_t above = simt_top(w)->mask;
    for (int i = w->depth - 2; i >= 0; i--) {
        lanes_t own = w->stack[i].mask & ~above;
        above |= w->stack[i].mask;
        if (!own || at_barrier(w, &w->stack[i]))
            continue;
        to_top(w, i, own);
        simt_top(w)->pc--; /* warp_step() moves the top on, as if it had executed the barrier */
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

/* -- loops that wait */

#define WATCHED        2    /* rounds before the registers are looked at: do they change? */
#define PATIENCE       1024 /* rounds, if they do, before others have their turn; halved each time, */
#define LEAST_PATIENCE 16   /* down to this */

/* Whether something in the loop that `in` closes may see what another lane does. */
static bool looks_at_memory(const struct kernel *k, const struct inst *in)
{
    for (uint32_t pc = in->target; pc <= in->pc; pc++) {
        const struct inst *i = &k->inst[pc];
        if (i->flags & INST_ATOMIC || (i->flags & INST_LOAD && i->flags & INST_VOLATILE) ||
            i->op == OP_MBAR_TEST || i->op == OP_MBAR_PARITY || i->op == OP_NANOSLEEP)
            return true;
    }
    return false;
}

/* The path that has waited longest: the lowest one. -1: none can run. */
static int longest_waiting(const struct warp *w, lanes_t *own)
{
    lanes_t above = simt_top(w)->mask;
    int found = -1;
    for (int i = w->depth - 2; i >= 0; i--) {
        const lanes_t o = w->stack[i].mask & ~above;
        above |= w->stack[i].mask;
        if (!o || at_barrier(w, &w->stack[i]))
            continue;
        found = i;
        *own = o;
    }
    return found;
}

/* Whether the round just ended left every register as it was: then nothing but memory can end the
 * loop. */
static bool no_register_changed(struct warp *w)
{
    const size_t bytes = w->cta->kernel->reg_bytes;
    if (!w->seen)
        w->seen = xmalloc(bytes);
    else if (w->rounds > WATCHED && !memcmp(w->seen, w->bank[BANK_REG], bytes))
        return true;
    memcpy(w->seen, w->bank[BANK_REG], bytes);
    return false;
}

void park_loop(struct warp *w, const struct inst *in)
{
    if (w->loop != in) {
        w->loop = in;
        w->rounds = 0;
    }
    if (++w->rounds < WATCHED)
        return;
    if (w->rounds == WATCHED) {
        w->polls = looks_at_memory(w->cta->kernel, in);
        w->patience = w->patience ? w->patience : PATIENCE;
    }
    if (!w->polls || (!no_register_changed(w) && w->rounds < w->patience))
        return;
    w->rounds = 0;
    lanes_t own = 0;
    const int i = in_call(w) ? -1 : longest_waiting(w, &own);
    if (i < 0)
        return;
    to_top(w, i, own);
    w->apart = true;
    w->patience = w->patience / 2 < LEAST_PATIENCE ? LEAST_PATIENCE : w->patience / 2;
}

/* -- meeting again */

/* Waits for lanes that it names. */
static bool at_meeting(const struct warp *w, const struct simt_entry *s)
{
    const struct inst *in = &w->cta->kernel->inst[s->pc];
    return in->guard.off == OPND_NONE && (in->flags & INST_SYNC || in->op == OP_BAR_WARP);
}

/* A path that waits where the top does, and ends where it ends, becomes part of it. */
static void join(struct warp *w, int i, lanes_t own)
{
    part(w, i, own);
    memmove(&w->stack[i], &w->stack[i + 1], (size_t)(w->depth - 1 - i) * sizeof w->stack[i]);
    w->depth--;
    simt_top(w)->mask |= own;
}

lanes_t park_meet(struct warp *w, const struct inst *in, lanes_t active, lanes_t members)
{
    struct simt_entry *top = simt_top(w);
    w->apart = top->mask != w->live;
    if (!w->apart || active != top->mask || in_call(w))
        return active;
    lanes_t above = top->mask;
    for (int i = w->depth - 2; i >= 0; i--) {
        const struct simt_entry *s = &w->stack[i];
        const lanes_t own = s->mask & ~above;
        above |= s->mask;
        if (!(own & members & w->live))
            continue;
        if (s->pc == in->pc && s->rpc == simt_top(w)->rpc) {
            join(w, i, own);
        } else if (!at_meeting(w, s) && !at_barrier(w, s)) {
            to_top(w, i, own);
            simt_top(w)->pc--; /* as in park_top() */
            return 0;
        }
    }
    w->out->active = w->out->simt_mask = simt_top(w)->mask;
    return simt_top(w)->mask;
}
