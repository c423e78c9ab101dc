#include "sim/func/poll.h"

#define LONGEST 64 /* instructions of a loop */

struct loop {
    const struct inst *inst; /* [n], the last leads back to the first */
    uint32_t n;
};

static bool is_outside(const struct inst *in)
{
    return in->space == SP_GLOBAL || in->space == SP_GENERIC;
}

/* An atomic operation that counts may draw work. */
static bool looks(const struct inst *in)
{
    const bool counts = in->aop == ATOM_ADD || in->aop == ATOM_INC || in->aop == ATOM_DEC;
    return is_volatile_load(in) || (is_outside(in) && in->op == OP_ATOM && in->nd > 0 && !counts);
}

static bool is_store(const struct inst *in)
{
    return in->flags & INST_STORE && in->op == OP_ST;
}

/* It hands on to the rest of its CTA what it has seen, or waits for the rest. */
static bool hands_on(const struct inst *in)
{
    const bool moves = is_store(in) || (in->flags & INST_LOAD && in->op == OP_LD);
    return (moves && in->space == SP_SHARED) || in->op == OP_BAR || in->op == OP_BAR_RED;
}

static bool same_register(const struct opnd *a, const struct opnd *b)
{
    return a->bank == b->bank && a->off == b->off;
}

static bool writes(const struct inst *in, const struct opnd *o)
{
    for (int i = 0; i < in->nd; i++)
        if (same_register(&in->dst[i], o))
            return true;
    return false;
}

static bool does_more(const struct inst *in)
{
    return !hands_on(in) && (in->flags & (INST_STORE | INST_BARRIER) || in->op == OP_CALL ||
                             (in->flags & INST_ATOMIC && !looks(in)) ||
                             (in->flags & INST_LOAD && is_outside(in) && !looks(in)));
}

static bool changes(const struct loop *l, uint32_t from, const struct opnd *o)
{
    if (o->bank != BANK_REG || o->off == OPND_NONE)
        return false;
    for (uint32_t i = from; i < l->n; i++)
        if (writes(&l->inst[i], o))
            return true;
    return false;
}

/* The first that writes it in a round does so before any reads it. */
static bool is_from_before(const struct loop *l, uint32_t reader, const struct opnd *o)
{
    for (uint32_t i = 0; i < reader; i++)
        if (writes(&l->inst[i], o))
            return false;
    return changes(l, reader, o);
}

/* A round goes by what an earlier one has left in registers: it may count. */
static bool remembers(const struct loop *l)
{
    for (uint32_t pc = 0; pc < l->n; pc++) {
        const struct inst *in = &l->inst[pc];
        if (is_from_before(l, pc, &in->guard))
            return true;
        for (int i = 0; i < INST_MAX_SRC; i++)
            if (is_from_before(l, pc, &in->src[i]))
                return true;
    }
    return false;
}

/* One place in shared memory at most, which a round writes before it reads it. */
static bool has_one_word(const struct loop *l)
{
    const struct inst *first = NULL;
    for (uint32_t pc = 0; pc < l->n; pc++) {
        const struct inst *in = &l->inst[pc];
        if (in->space != SP_SHARED || !(in->flags & (INST_LOAD | INST_STORE)))
            continue;
        if (first ? in->imm != first->imm || !same_register(&in->src[0], &first->src[0])
                  : !is_store(in))
            return false;
        first = first ? first : in;
    }
    return !first || !changes(l, 0, &first->src[0]);
}

/* It goes round a loop of its own, or may draw work. */
static bool may_work(const struct loop *l)
{
    for (uint32_t pc = 0; pc + 1 < l->n; pc++) {
        const struct inst *in = &l->inst[pc];
        if (in->op == OP_ATOM || (in->op == OP_BRA && in->target <= in->pc))
            return true;
    }
    return false;
}

/* It looks at one place all the time. */
static bool only_waits(const struct loop *l)
{
    bool any = false, hands = false;
    for (uint32_t pc = 0; pc < l->n; pc++) {
        const struct inst *in = &l->inst[pc];
        if (does_more(in) || (looks(in) && changes(l, 0, &in->src[0])))
            return false;
        any |= looks(in);
        hands |= hands_on(in);
    }
    return any && (!hands || (has_one_word(l) && !remembers(l) && !may_work(l)));
}

void polls_mark(struct kernel *k)
{
    for (uint32_t pc = 0; pc < k->ninst; pc++) {
        const struct inst *in = &k->inst[pc];
        k->volatile_loads |= is_volatile_load(in);
        const bool back = in->op == OP_BRA && in->target <= pc && pc - in->target < LONGEST;
        if (!back)
            continue;
        const struct loop l = {&k->inst[in->target], pc - in->target + 1};
        if (!only_waits(&l))
            continue;
        for (uint32_t i = 0; i < l.n; i++) {
            k->inst[in->target + i].polls = true;
            k->inst[in->target + i].polls_first = i == 0;
        }
    }
}
