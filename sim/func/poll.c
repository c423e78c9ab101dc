#include "sim/func/poll.h"

#define LONGEST 64 /* instructions of a loop */

static bool is_outside(const struct inst *in)
{
    return in->space == SP_GLOBAL || in->space == SP_GENERIC;
}

static bool looks(const struct inst *in)
{
    return is_outside(in) && ((in->flags & INST_LOAD && in->flags & INST_VOLATILE) ||
                              (in->op == OP_ATOM && in->nd > 0));
}

static bool does_more(const struct inst *in)
{
    return in->flags & (INST_STORE | INST_BARRIER) || in->op == OP_CALL ||
           (in->flags & INST_ATOMIC && !looks(in));
}

static bool only_waits(const struct kernel *k, uint32_t first, uint32_t last)
{
    bool any = false;
    for (uint32_t pc = first; pc <= last; pc++) {
        if (does_more(&k->inst[pc]))
            return false;
        any |= looks(&k->inst[pc]);
    }
    return any;
}

void polls_mark(struct kernel *k)
{
    for (uint32_t pc = 0; pc < k->ninst; pc++) {
        const struct inst *in = &k->inst[pc];
        const bool back = in->op == OP_BRA && in->target <= pc && pc - in->target < LONGEST;
        if (!back || !only_waits(k, in->target, pc))
            continue;
        for (uint32_t i = in->target; i <= pc; i++)
            k->inst[i].polls = true;
    }
}
