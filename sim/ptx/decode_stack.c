/* sim/ptx/decode_stack.c -- alloca, stacksave, stackrestore: the top of a thread's stack is a row
 * of its own (SREG_STACK_TOP). */
#include <string.h>

#include "sim/ptx/decode.h"

#define MAX_STACK_ALIGN (1 << 23)

static struct opnd stack_top(struct decoder *d)
{
    d->sreg_used[SREG_STACK_TOP] = true;
    return (struct opnd){.off = SREG_STACK_TOP, .bank = BANK_SREG, .width = 4, .bits = 32};
}

bool stmt_is_alloca(const struct stmt *st)
{
    return st->kind == STMT_INST && !strncmp(st->name->text, "alloca.", 7);
}

static void push_mov(struct decoder *d, struct opnd to, struct opnd from)
{
    struct inst in;
    inst_init(d, &in);
    in.op = OP_MOV;
    in.text = "mov.u32";
    in.type = in.stype = VT_U32;
    in.dst[in.nd++] = to;
    in.src[in.ns++] = from;
    inst_push(d, &in);
}

void stack_enter(struct decoder *d)
{
    d->saves_stack = false;
    for (const struct stmt *st = d->f->body; st && !d->f->is_entry; st = st->next)
        d->saves_stack |= stmt_is_alloca(st);
    if (!d->saves_stack)
        return;
    d->stack_save = vreg_new(d, VT_U32);
    push_mov(d, vreg_opnd(d, d->stack_save), stack_top(d));
}

void stack_leave(struct decoder *d)
{
    if (d->saves_stack)
        push_mov(d, stack_top(d), vreg_opnd(d, d->stack_save));
}

/* alloca d, size {, alignment} */
bool decode_alloca(struct decoder *d, const struct spelling *s, struct inst *in)
{
    (void)s;
    if (!operand_count(d, 2, 3))
        return false;
    const struct operand *o = d->st->ops, *size = o->next, *align = size->next;
    const enum vtype t = (enum vtype)in->type;
    const int64_t a = align ? align->i : 8;
    if (align && (align->kind != OPERAND_INT || a <= 0 || a > MAX_STACK_ALIGN || (a & (a - 1))))
        return decode_err(d, align->loc, "an alignment is a power of two up to %d",
                          MAX_STACK_ALIGN);
    in->imm = a < 8 ? 8 : a;
    if (!opnd_dst(d, o, t, FIT_EXACT, &in->dst[in->nd++]) ||
        !opnd_src(d, size, t, FIT_EXACT, &in->src[in->ns++]))
        return false;
    in->dst[in->nd++] = in->src[in->ns++] = stack_top(d);
    inst_push(d, in);
    return true;
}

/* stacksave d; stackrestore a. */
bool decode_stack(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const bool save = !strcmp(s->row->base, "stacksave");
    const struct operand *o = d->st->ops;
    const enum vtype t = (enum vtype)in->type;
    if (!operand_count(d, 1, 1))
        return false;
    if (save ? !opnd_dst(d, o, t, FIT_EXACT, &in->dst[in->nd++])
             : !opnd_src(d, o, t, FIT_EXACT, &in->src[in->ns++]))
        return false;
    *(save ? &in->src[in->ns++] : &in->dst[in->nd++]) = stack_top(d);
    in->op = t == VT_U64 ? OP_CVT : OP_MOV;
    in->type = save ? (uint8_t)t : VT_U32;
    in->stype = save ? VT_U32 : (uint8_t)t;
    inst_push(d, in);
    return true;
}
