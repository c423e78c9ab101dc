#include "sim/func/spin.h"

#include <string.h>

#include "base/err.h"
#include "sim/func/simt.h"

#define PATIENCE       1024  /* polls that change registers before others have their turn; halved */
#define LEAST_PATIENCE 16    /* each time, down to this */
#define LONG_LOOP      65536 /* rounds without a poll */

/* Whether a round just ended that left every register as the one before: then nothing but memory
 * can end the loop. */
static bool no_register_changed(struct warp *w, const struct inst *in)
{
    struct spin *s = &w->spin;
    const size_t bytes = w->cta->kernel->reg_bytes;
    if (!s->seen)
        s->seen = xmalloc(bytes);
    else if (s->loop == in && !memcmp(s->seen, w->bank[BANK_REG], bytes))
        return true;
    memcpy(s->seen, w->bank[BANK_REG], bytes);
    s->loop = in;
    return false;
}

/* A loop that only computes ends by itself. */
static bool may_load(const struct kernel *k, uint32_t first, uint32_t last)
{
    for (uint32_t pc = first; pc <= last; pc++)
        if (k->inst[pc].flags & (INST_LOAD | INST_ATOMIC) || k->inst[pc].op == OP_CALL)
            return true;
    return false;
}

static bool waits(struct warp *w, const struct inst *in)
{
    struct spin *s = &w->spin;
    s->rounds++;
    if (!s->polled)
        return s->rounds % LONG_LOOP == 0 && may_load(w->cta->kernel, simt_top(w)->pc, in->pc);
    s->polled = false;
    s->polls++;
    s->patience = s->patience ? s->patience : PATIENCE;
    if (no_register_changed(w, in))
        return true;
    if (s->polls < s->patience)
        return false;
    s->patience = s->patience / 2 < LEAST_PATIENCE ? LEAST_PATIENCE : s->patience / 2;
    return true;
}

void spin_branch(struct warp *w, const struct inst *in)
{
    struct simt_entry *top = simt_top(w);
    if (w->cta->independent && top->pc <= in->pc && top->mask != w->live && waits(w, in))
        top->state = PATH_YIELDS;
}
