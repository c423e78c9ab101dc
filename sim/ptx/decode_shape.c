/* sim/ptx/decode_shape.c -- operands of the instructions whose row in isa.c has a shape. */
#include <string.h>

#include "sim/ptx/decode.h"

static bool put_dst(struct decoder *d, struct inst *in, const struct operand *o, enum vtype t)
{
    return opnd_dst(d, o, t, FIT_EXACT, &in->dst[in->nd++]);
}

static bool put_src(struct decoder *d, struct inst *in, const struct operand *o, enum vtype t)
{
    return opnd_src(d, o, t, FIT_EXACT, &in->src[in->ns++]);
}

/* a, or a|p with a predicate p. */
static bool put_pair(struct decoder *d, struct inst *in, const struct operand *o, enum vtype t)
{
    if (o->kind != OPERAND_PAIR)
        return put_dst(d, in, o, t);
    struct operand one = {.kind = OPERAND_NAME, .name = o->name, .loc = o->loc};
    if (!put_dst(d, in, &one, t))
        return false;
    one.name = o->name2;
    return put_dst(d, in, &one, VT_PRED);
}

static bool put_constant(struct decoder *d, struct inst *in, const struct operand *o)
{
    if (o->kind != OPERAND_INT)
        return decode_err(d, o->loc, "an integer constant is needed here");
    in->imm = o->i;
    return true;
}

static bool put(struct decoder *d, struct inst *in, const struct operand *o, char code)
{
    const enum vtype t = (enum vtype)in->type, st = (enum vtype)in->stype;
    switch (code) {
    case 'd':
        return put_dst(d, in, o, t);
    case 'o':
        return put_dst(d, in, o, VT_U32);
    case 'p':
        return put_dst(d, in, o, VT_PRED);
    case 'q':
        return put_pair(d, in, o, VT_PRED);
    case 'Q':
        return put_pair(d, in, o, t);
    case 'O':
        return put_pair(d, in, o, VT_B32);
    case 's':
        return put_src(d, in, o, t);
    case 't':
        return put_src(d, in, o, st);
    case 'P':
        return put_src(d, in, o, VT_PRED);
    case 'u':
        return put_src(d, in, o, VT_U32);
    case 'a':
        return opnd_addr(d, o, in, &in->src[in->ns++]);
    default:
        return put_constant(d, in, o);
    }
}

static bool shape_count(struct decoder *d, const char *shape)
{
    const char *optional = strchr(shape, '?');
    const int all = (int)strlen(shape) - (optional ? 1 : 0);
    return operand_count(d, optional ? (int)(optional - shape) : all, all);
}

/* What is optional for one form of an instruction and required by another. */
static bool check_form(struct decoder *d, const struct spelling *s, const struct inst *in)
{
    const char *what = NULL;
    const bool sync = in->flags & INST_SYNC;
    switch ((enum opcode)in->op) {
    case OP_SHFL:
        what = sync != (in->ns == 4) ? ".sync takes a member mask" : NULL;
        break;
    case OP_VOTE:
        what = sync != (in->ns == 2) ? ".sync takes a member mask" : NULL;
        if ((in->mode == VOTE_BALLOT) != (in->type == VT_B32))
            what = ".ballot has type .b32, the others .pred";
        break;
    case OP_SET:
    case OP_SETP:
        what =
            (in->bop != 0) != (in->ns == 3) ? "a boolean operator goes with a third source" : NULL;
        break;
    case OP_LOP3:
        what = (in->bop != 0) != (in->ns == 4) || (in->bop != 0) != (in->nd == 2)
                   ? ".and, .or, .xor go with d|p and a predicate source"
                   : NULL;
        break;
    case OP_MATCH:
        what = in->nd == 2 && !(in->flags & INST_ALL) ? "only match.all writes a predicate" : NULL;
        break;
    case OP_ADD:
    case OP_SUB:
        what = (in->flags & INST_SAT) && in->type == VT_U32 ? ".sat goes with .s32" : NULL;
        break;
    case OP_MIN:
    case OP_MAX:
        what = (in->flags & INST_RELU) && in->type != VT_S32 && in->type != VT_S16X2
                   ? ".relu goes with .s32 and .s16x2"
                   : NULL;
        break;
    default:
        break;
    }
    (void)s;
    return what ? decode_err(d, d->st->loc, "%s: %s", in->text, what) : true;
}

static uint32_t flags_of(enum opcode op)
{
    switch (op) {
    case OP_RET:
    case OP_EXIT:
        return INST_BRANCH | INST_ALWAYS;
    case OP_BAR:
    case OP_BAR_ARRIVE:
        return INST_BARRIER | INST_ALWAYS;
    default:
        return 0;
    }
}

bool decode_shape(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const char *shape = s->row->shape;
    if (!shape_count(d, shape))
        return false;
    const struct operand *o = d->st->ops;
    for (const char *c = shape; *c && o; c++) {
        if (*c == '?')
            continue;
        if (!put(d, in, o, *c))
            return false;
        o = o->next;
    }
    if (!check_form(d, s, in))
        return false;
    in->flags |= flags_of((enum opcode)in->op);
    inst_push(d, in);
    return true;
}
