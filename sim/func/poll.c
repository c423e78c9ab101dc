#include "sim/func/poll.h"

#define LONGEST 64 /* instructions of a loop */

static bool is_outside(const struct inst *in)
{
    return in->space == SP_GLOBAL || in->space == SP_GENERIC;
}

/* An atomic operation that counts may draw work. */
static bool looks(const struct inst *in)
{
    const bool counts = in->aop == ATOM_ADD || in->aop == ATOM_INC || in->aop == ATOM_DEC;
    return is_outside(in) && ((in->flags & INST_LOAD && in->flags & INST_VOLATILE) ||
                              (in->op == OP_ATOM && in->nd > 0 && !counts));
}

static bool writes(const struct inst *in, const struct opnd *o)
{
    for (int i = 0; i < in->nd; i++)
        if (in->dst[i].bank == o->bank && in->dst[i].off == o->off)
            return true;
    return false;
}

static bool does_more(const struct inst *in)
{
    return in->flags & (INST_STORE | INST_BARRIER) || in->op == OP_CALL ||
           (in->flags & INST_ATOMIC && !looks(in)) ||
           (in->flags & INST_LOAD && is_outside(in) && !looks(in));
}

/* It looks at one place all the time. */
static bool only_waits(const struct kernel *k, uint32_t first, uint32_t last)
{
    bool any = false;
    for (uint32_t pc = first; pc <= last; pc++) {
        const struct inst *in = &k->inst[pc];
        if (does_more(in))
            return false;
        for (uint32_t i = first; looks(in) && in->src[0].bank == BANK_REG && i <= last; i++)
            if (writes(&k->inst[i], &in->src[0]))
                return false;
        any |= looks(in);
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
