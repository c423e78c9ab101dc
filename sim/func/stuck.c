#include "sim/func/stuck.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/access.h"
#include "sim/func/exec.h"
#include "sim/func/simt.h"

#define LONGEST 32768 /* instructions that a warp is followed */
#define TRACE   1024  /* ... of a round, at most, where only what matters is compared */
#define TRIES   8     /* such comparisons */

struct place {                /* where a warp is */
    uint8_t *state;           /* owned: registers, frame, local memory */
    struct simt_entry *stack; /* owned */
    int depth;
    uint32_t turns;
};

struct look {
    struct warp *w;
    size_t bytes; /* of place.state */
    struct place anchor;
    const struct inst *round[TRACE]; /* executed since the anchor */
    int n;                           /* so many; TRACE: too many */
    int tries;
    const struct inst *waits; /* what it looks at memory with; NULL: nothing */
    struct step step;
};

/* -- a warp's state: one block of its CTA's arena */

static size_t state_bytes(const struct warp *w)
{
    const struct kernel *k = w->cta->kernel;
    const uint8_t *end = w->local + (size_t)k->local_bytes * WARP_SIZE;
    return (size_t)(end - w->bank[BANK_REG]);
}

static struct place place_of(const struct warp *w, size_t bytes)
{
    struct place p = {.depth = w->depth, .turns = w->turns};
    p.state = xmalloc(bytes ? bytes : 1);
    memcpy(p.state, w->bank[BANK_REG], bytes);
    p.stack = xmalloc((size_t)w->depth * sizeof *p.stack);
    memcpy(p.stack, w->stack, (size_t)w->depth * sizeof *p.stack);
    return p;
}

static void place_fini(struct place *p)
{
    free(p->state);
    free(p->stack);
}

static void put_back(struct warp *w, const struct place *p, size_t bytes)
{
    memcpy(w->bank[BANK_REG], p->state, bytes);
    memcpy(w->stack, p->stack, (size_t)p->depth * sizeof *p->stack);
    w->depth = p->depth;
    w->turns = p->turns;
}

static bool same_stack(const struct warp *w, const struct place *p)
{
    if (w->depth != p->depth)
        return false;
    for (int i = 0; i < p->depth; i++) {
        const struct simt_entry *a = &w->stack[i], *b = &p->stack[i];
        if (a->pc != b->pc || a->rpc != b->rpc || a->mask != b->mask || a->call != b->call ||
            a->state != b->state)
            return false;
    }
    return true;
}

/* -- which registers matter: a mark for each 4 bytes a lane */

static bool mark(uint8_t *marks, const struct opnd *o)
{
    if (o->bank != BANK_REG || o->off == OPND_NONE || marks[o->off / 4])
        return false;
    marks[o->off / 4] = 1;
    return true;
}

/* All of its sources decide what happens next: where it goes, what it looks at, whom it meets. */
static bool decides(const struct inst *in)
{
    switch (in->op) {
    case OP_BRX:
    case OP_LD:
    case OP_LDU:
    case OP_ATOM:
    case OP_TEX:
    case OP_TLD4:
    case OP_SULD:
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_ELECT:
    case OP_BAR_WARP:
    case OP_MBAR_TEST:
    case OP_MBAR_PARITY:
    case OP_ST: /* to local memory */
        return true;
    default:
        return false;
    }
}

/* Marks what this instruction makes relevant. True: something new. */
static bool mark_sources(uint8_t *marks, const struct inst *in)
{
    bool wanted = decides(in), more = mark(marks, &in->guard);
    for (int i = 0; i < INST_MAX_DST && !wanted; i++) {
        const struct opnd *o = &in->dst[i];
        wanted = i < in->nd && o->bank == BANK_REG && o->off != OPND_NONE && marks[o->off / 4];
    }
    for (int i = 0; i < INST_MAX_SRC && wanted; i++)
        more |= mark(marks, &in->src[i]);
    return more;
}

static bool plain_operands(const struct inst *in)
{
    return !(in->flags & (INST_CC_IN | INST_CC_OUT)) && in->op != OP_MATRIX_IN &&
           in->op != OP_MATRIX_OUT;
}

static bool same_row(const struct look *l, const uint8_t *marks, const struct opnd *o)
{
    if (o->bank != BANK_REG || o->off == OPND_NONE || !marks[o->off / 4])
        return true;
    const size_t bytes = o->width ? (size_t)o->width * WARP_SIZE : sizeof(lanes_t);
    return !memcmp(l->w->bank[BANK_REG] + o->off, l->anchor.state + o->off, bytes);
}

static bool same_operands(const struct look *l, const uint8_t *marks, const struct inst *in)
{
    bool same = plain_operands(in) && same_row(l, marks, &in->guard);
    for (int i = 0; i < INST_MAX_SRC && same; i++)
        same = same_row(l, marks, &in->src[i]);
    return same;
}

/* Whether the round left every register as it was that its course depends on. */
static bool same_course(const struct look *l)
{
    const uint32_t reg_bytes = l->w->cta->kernel->reg_bytes;
    uint8_t *marks = xcalloc(1, reg_bytes / 4 + 1);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < l->n; i++)
            more |= mark_sources(marks, l->round[i]);
    }
    bool same = !memcmp(l->w->bank[BANK_REG] + reg_bytes, l->anchor.state + reg_bytes,
                        l->bytes - reg_bytes);
    for (int i = 0; i < l->n && same; i++)
        same = same_operands(l, marks, l->round[i]);
    free(marks);
    return same;
}

/* Back at the anchor, and all other paths of the warp had their turn. */
static bool came_round(struct look *l)
{
    const struct warp *w = l->w;
    if (!same_stack(w, &l->anchor))
        return false;
    if (w->cta->independent && w->depth > 1 && w->turns - l->anchor.turns < (uint32_t)w->depth)
        return false;
    if (!memcmp(w->bank[BANK_REG], l->anchor.state, l->bytes))
        return true;
    return l->n < TRACE && l->tries++ < TRIES && same_course(l);
}

/* -- what may be executed ahead */

static bool is_private(const struct inst *in)
{
    return in->space == SP_LOCAL || in->space == SP_FRAME;
}

/* It does nothing to memory that others see; atomics apart. */
static bool harmless(const struct inst *in)
{
    switch (in->op) {
    case OP_ST:
        return is_private(in);
    case OP_LD:
    case OP_LDU:
    case OP_PREFETCH:
    case OP_PREFETCHU:
    case OP_TEX:
    case OP_TLD4:
    case OP_TXQ:
    case OP_SULD:
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_ACTIVEMASK:
    case OP_ELECT:
    case OP_BAR_WARP:
    case OP_MBAR_TEST:
    case OP_MBAR_PARITY:
    case OP_MBAR_PENDING:
    case OP_MEMBAR:
    case OP_NANOSLEEP:
    case OP_BRA:
    case OP_BRX:
        return true;
    default:
        return in->op >= OP_ABS && in->op <= OP_ISSPACEP && in->op != OP_ALLOCA &&
               in->op != OP_STACK;
    }
}

/* An atomic that leaves memory as it was: a lock that is taken, a counter that is read. False: it
 * changed something, which is undone. */
static bool step_atomic(struct look *l, const struct inst *in, lanes_t active)
{
    struct access a = {.bytes = (unsigned)(type_bytes(in->type) * in->vec), .write = true};
    uint8_t was[WARP_SIZE][16];
    l->w->out = &l->step;
    if (a.bytes > sizeof was[0] || !access_memory(l->w, in, active, &a))
        return false;
    uint8_t *at[WARP_SIZE];
    for (lanes_t m = active; m; m &= m - 1) {
        const int i = __builtin_ctz(m);
        at[i] = access_at(&a, i);
        memcpy(was[i], at[i], a.bytes);
    }
    bool same = warp_step(l->w, &l->step);
    for (lanes_t m = active; m; m &= m - 1) {
        const int i = __builtin_ctz(m);
        same = same && !memcmp(at[i], was[i], a.bytes);
    }
    for (lanes_t m = active; m && !same; m &= m - 1)
        memcpy(at[__builtin_ctz(m)], was[__builtin_ctz(m)], a.bytes);
    return same;
}

/* False: it is on its way somewhere. */
static bool step_ahead(struct look *l)
{
    struct warp *w = l->w;
    const struct inst *in = &w->cta->kernel->inst[warp_pc(w)];
    lanes_t active = simt_top(w)->mask;
    if (in->guard.off != OPND_NONE)
        active &= pred_get(w, &in->guard);
    bool ok = true;
    if (active && in->op == OP_ATOM)
        ok = step_atomic(l, in, active);
    else
        ok = (!active || harmless(in)) && warp_step(w, &l->step);
    w->cta->now++;
    w->cta->now_ps += 1000;
    if (in->flags & (INST_LOAD | INST_ATOMIC) || in->op == OP_MBAR_TEST || in->op == OP_MBAR_PARITY)
        l->waits = in;
    if (l->n < TRACE)
        l->round[l->n++] = in;
    return ok;
}

static void drop_anchor(struct look *l)
{
    place_fini(&l->anchor);
    l->anchor = place_of(l->w, l->bytes);
    l->n = 0;
    l->waits = NULL;
}

/* It comes round to where it was at some power of two (Brent). */
static bool goes_round(struct look *l)
{
    uint64_t limit = 2;
    for (uint64_t n = 1; n <= LONGEST; n++) {
        if (!step_ahead(l))
            return false;
        if (came_round(l))
            return true;
        if (n == limit) {
            drop_anchor(l);
            limit *= 2;
        }
    }
    return false;
}

/* Follows a warp that waits at no barrier. *waits: see struct look. */
static bool warp_stuck(struct warp *w, const struct inst **waits)
{
    struct cta *c = w->cta;
    struct look *l = xcalloc(1, sizeof *l);
    l->w = w;
    l->bytes = state_bytes(w);
    l->anchor = place_of(w, l->bytes);
    struct place was = place_of(w, l->bytes);
    const struct fault fault = c->fault;
    const struct spin spin = w->spin;
    const cycle_t now = c->now;
    const psec_t now_ps = c->now_ps;
    const uint64_t steps = w->steps;
    struct step *out = w->out;
    const bool stuck = goes_round(l);
    *waits = l->waits;
    put_back(w, &was, l->bytes);
    uint8_t *seen = w->spin.seen;
    w->spin = spin;
    w->spin.seen = seen;
    w->spin.loop = NULL; /* what was seen of it is overwritten */
    c->fault = fault;
    c->now = now;
    c->now_ps = now_ps;
    w->steps = steps;
    w->out = out;
    place_fini(&l->anchor);
    place_fini(&was);
    free(l);
    return stuck;
}

bool cta_stuck(struct cta *c)
{
    const struct inst *waits;
    bool any = false;
    for (int i = 0; i < c->nwarps; i++) {
        struct warp *w = &c->warp[i];
        if (w->live == 0)
            continue;
        any = true;
        if (!warp_waiting(w) && !warp_stuck(w, &waits))
            return false;
    }
    return any;
}

void cta_never_ends(struct cta *c, uint64_t waiting)
{
    char text[240], room[80] = "";
    const struct inst *in = NULL;
    int i = 0;
    while (i < c->nwarps && (c->warp[i].live == 0 || warp_waiting(&c->warp[i])))
        i++;
    if (i == c->nwarps) {
        cta_barrier_deadlock(c);
        return;
    }
    struct warp *w = &c->warp[i];
    warp_stuck(w, &in);
    if (waiting)
        snprintf(room, sizeof room, "; %" PRIu64 " CTAs have not begun, for want of room", waiting);
    snprintf(
        text, sizeof text,
        in ? "never ends: all threads that are left wait, as this one does here, for memory that "
             "nobody is left to write%s"
           : "never ends: it goes round a loop that changes nothing%s",
        room);
    warp_fault(w, in ? in : &c->kernel->inst[warp_pc(w)], FAULT_NEVER_ENDS,
               __builtin_ctz(simt_top(w)->mask), 0, 0, text);
}
