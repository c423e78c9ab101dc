#include "sim/func/recurse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/exec.h"
#include "sim/func/fault.h"

struct call_state {
    struct call_state *below;
    int base, nested;
    lanes_t lanes;
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

/* The local variables of these lanes move on. */
static bool advance(struct warp *w, lanes_t lanes)
{
    const struct kernel *k = w->cta->kernel;
    if (!k->local_step)
        return true;
    uint32_t *base = (uint32_t *)(w->bank[BANK_REG] + k->sreg_off[SREG_LOCAL_BASE]);
    for (lanes_t m = lanes; m; m &= m - 1) {
        uint32_t *at = &base[__builtin_ctz(m)];
        if (*at + 2 * k->local_step > k->local_bytes)
            return false;
        *at += k->local_step;
    }
    return true;
}

bool recurse_enter(struct warp *w, const struct inst *in, lanes_t lanes, const struct function *f)
{
    const struct kernel *k = w->cta->kernel;
    const int nested = w->calls ? w->calls->nested + 1 : 1;
    if (!k->recursive) {
        char text[200];
        snprintf(text, sizeof text,
                 "function %s calls itself where the address of a parameter is taken, which is not "
                 "supported",
                 f->name);
        warp_fault(w, in, FAULT_RECURSION, __builtin_ctz(lanes), 0, 0, text);
        return false;
    }
    if (nested > RECURSE_DEPTH)
        return overflow(w, in, lanes, f, nested);
    struct call_state *s = xmalloc(sizeof *s + k->reg_bytes + (size_t)k->frame_bytes * WARP_SIZE);
    *s = (struct call_state){.below = w->calls, .base = w->depth, .nested = nested, .lanes = lanes};
    memcpy(s->data, w->bank[BANK_REG], k->reg_bytes);
    memcpy(s->data + k->reg_bytes, w->frame, (size_t)k->frame_bytes * WARP_SIZE);
    w->calls = s;
    return advance(w, lanes) || overflow(w, in, lanes, f, nested);
}

void recurse_forget(struct warp *w, int base)
{
    while (w->calls && w->calls->base >= base) {
        struct call_state *s = w->calls;
        w->calls = s->below;
        free(s);
    }
}

static struct call_state *state_of(struct warp *w, int base)
{
    recurse_forget(w, base + 1);
    return w->calls && w->calls->base == base ? w->calls : NULL;
}

uint8_t *recurse_frame(struct warp *w, int base, int lane)
{
    const struct kernel *k = w->cta->kernel;
    struct call_state *s = state_of(w, base);
    return s ? s->data + k->reg_bytes + (size_t)lane * k->frame_bytes : NULL;
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

void recurse_leave(struct warp *w, int base, lanes_t lanes)
{
    const struct kernel *k = w->cta->kernel;
    const struct call_state *s = state_of(w, base);
    if (!s)
        return;
    BUG_ON(lanes & ~s->lanes, "lanes leave a call that they did not enter");
    restore_rows(w, s, lanes);
    for (lanes_t m = lanes; m; m &= m - 1) {
        const size_t at = (size_t)__builtin_ctz(m) * k->frame_bytes;
        memcpy(w->frame + at, s->data + k->reg_bytes + at, k->frame_bytes);
    }
}
