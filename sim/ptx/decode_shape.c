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

/* Bits are equal or not; .lo to .hs compare unsigned integers, .equ to .nan floating-point numbers.
 */
static const char *wrong_comparison(const struct spelling *s, const struct inst *in)
{
    const enum vtype t = (enum vtype)(in->op == OP_SETP ? s->type : s->stype);
    const bool is_float = type_is_float(t);
    const bool is_bits = t >= VT_B16 && t <= VT_B64;
    if (is_bits && in->cmp != CMP_EQ && in->cmp != CMP_NE)
        return "bits are compared by .eq or .ne";
    if (s->lo_cmp && (is_float || type_is_signed(t)))
        return "this comparison is for unsigned integers";
    if (in->cmp > CMP_GE && !is_float)
        return "this comparison is for floating-point numbers";
    return (in->bop != 0) != (in->ns == 3) ? "a boolean operator goes with a third source" : NULL;
}

/* A barrier and a number of threads that are constants. */
static const char *wrong_barrier(const struct decoder *d)
{
    const struct operand *id = d->st->ops, *threads = id ? id->next : NULL;
    if (id && id->kind == OPERAND_INT && (id->i < 0 || id->i > 15))
        return "a barrier's number is 0 to 15";
    if (threads && threads->kind == OPERAND_INT && threads->i % WARP_SIZE)
        return "the number of threads is a multiple of 32";
    return NULL;
}

/* Threads that run independently name the lanes that they wait for: since PTX 6.4 they must. */
static const char *wrong_sync(const struct decoder *d, const struct inst *in, int sources)
{
    const bool sync = in->flags & INST_SYNC;
    if (!sync && d->m->version >= 64 && d->m->target >= 70)
        return "without .sync it is not for sm_70 and later";
    return sync != (in->ns == sources) ? ".sync takes a member mask" : NULL;
}

/* What is optional for one form of an instruction and required by another. */
static bool check_form(struct decoder *d, const struct spelling *s, const struct inst *in)
{
    const char *what = NULL;
    switch ((enum opcode)in->op) {
    case OP_SHFL:
        what = wrong_sync(d, in, 4);
        break;
    case OP_BAR:
    case OP_BAR_ARRIVE:
        what = wrong_barrier(d);
        break;
    case OP_VOTE:
        what = wrong_sync(d, in, 2);
        if ((in->mode == VOTE_BALLOT) != (in->type == VT_B32))
            what = ".ballot has type .b32, the others .pred";
        break;
    case OP_SET:
    case OP_SETP:
        what = wrong_comparison(s, in);
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
    case OP_CLUSTER_ARRIVE:
    case OP_CLUSTER_WAIT:
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
