#include "sim/func/recurse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/exec.h"
#include "sim/func/fault.h"

struct call_state {
    int nested;
    uint8_t data[]; /* the registers of the warp, then the frames of its lanes */
};

static bool overflow(struct warp *w, const struct inst *in, lanes_t lanes, const struct function *f,
                     int nested)
{
    char text[200];
    snprintf(text, sizeof text, "stack overflow: function %s is called by itself, %d deep", f->name,
             nested);
    warp_fault(w, in, FAULT_RECURSION, __builtin_ctz(lanes), 0, 0, text);
    return false;
}

/* Where the local variables of the lanes begin. NULL: there are none. */
static uint32_t *local_base(struct warp *w)
{
    const struct kernel *k = w->cta->kernel;
    return k->local_step ? (uint32_t *)(w->bank[BANK_REG] + k->sreg_off[SREG_LOCAL_BASE]) : NULL;
}

static bool local_fits(struct warp *w, lanes_t lanes)
{
    const struct kernel *k = w->cta->kernel;
    const uint32_t *base = local_base(w);
    for (lanes_t m = base ? lanes : 0; m; m &= m - 1)
        if (base[__builtin_ctz(m)] + 2 * k->local_step > k->local_bytes)
            return false;
    return true;
}

static void advance(struct warp *w, lanes_t lanes)
{
    uint32_t *base = local_base(w);
    for (lanes_t m = base ? lanes : 0; m; m &= m - 1)
        base[__builtin_ctz(m)] += w->cta->kernel->local_step;
}

/* Whether lanes in this call would enter f again. */
static bool is_inside(const struct warp *w, const struct inst *in, int call,
                      const struct function *f)
{
    const struct inst *code = w->cta->kernel->inst;
    if (in->func == f)
        return true;
    for (; call != SIMT_NO_CALL; call = w->calls[call].caller)
        if (code[w->calls[call].pc].func == f)
            return true;
    return false;
}

static int nested_in(const struct warp *w, int call)
{
    for (; call != SIMT_NO_CALL; call = w->calls[call].caller)
        if (w->calls[call].saved)
            return w->calls[call].saved->nested;
    return 0;
}

bool recurse_enter(struct warp *w, const struct inst *in, const struct function *f,
                   struct simt_call *c)
{
    const struct kernel *k = w->cta->kernel;
    c->saved = NULL;
    if (!is_inside(w, in, c->caller, f))
        return true;
    const int nested = nested_in(w, c->caller) + 1;
    if (!k->recursive) {
        char text[200];
        snprintf(text, sizeof text,
                 "function %s calls itself where the address of a parameter is taken, which is not "
                 "supported",
                 f->name);
        warp_fault(w, in, FAULT_RECURSION, __builtin_ctz(c->lanes), 0, 0, text);
        return false;
    }
    if (nested > RECURSE_DEPTH || !local_fits(w, c->lanes))
        return overflow(w, in, c->lanes, f, nested);
    struct call_state *s = xmalloc(sizeof *s + k->reg_bytes + (size_t)k->frame_bytes * WARP_SIZE);
    s->nested = nested;
    memcpy(s->data, w->bank[BANK_REG], k->reg_bytes);
    memcpy(s->data + k->reg_bytes, w->frame, (size_t)k->frame_bytes * WARP_SIZE);
    c->saved = s;
    advance(w, c->lanes);
    return true;
}

void recurse_free(struct call_state *s)
{
    free(s);
}

uint8_t *recurse_frame(const struct warp *w, const struct simt_call *c, int lane)
{
    const struct kernel *k = w->cta->kernel;
    return c->saved ? c->saved->data + k->reg_bytes + (size_t)lane * k->frame_bytes : NULL;
}

static void restore_rows(struct warp *w, const struct call_state *s, lanes_t lanes)
{
    const struct kernel *k = w->cta->kernel;
    uint8_t *to = w->bank[BANK_REG];
    for (uint32_t at = 0; at < k->row32_off; at += sizeof(lanes_t)) {
        lanes_t now, then;
        memcpy(&now, to + at, sizeof now);
        memcpy(&then, s->data + at, sizeof then);
        now = (now & ~lanes) | (then & lanes);
        memcpy(to + at, &now, sizeof now);
    }
    for (lanes_t m = lanes; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        for (uint32_t at = k->row32_off + 4 * lane; at < k->row64_off; at += 4 * WARP_SIZE)
            memcpy(to + at, s->data + at, 4);
        for (uint32_t at = k->row64_off + 8 * lane; at < k->reg_bytes; at += 8 * WARP_SIZE)
            memcpy(to + at, s->data + at, 8);
    }
}

void recurse_leave(struct warp *w, const struct simt_call *c, lanes_t lanes)
{
    const struct kernel *k = w->cta->kernel;
    const struct call_state *s = c->saved;
    if (!s)
        return;
    BUG_ON(lanes & ~c->lanes, "lanes leave a call that they did not enter");
    restore_rows(w, s, lanes);
    for (lanes_t m = lanes; m; m &= m - 1) {
        const size_t at = (size_t)__builtin_ctz(m) * k->frame_bytes;
        memcpy(w->frame + at, s->data + k->reg_bytes + at, k->frame_bytes);
    }
}
