/* sim/ptx/decode_move.c -- mov with its packing forms and special registers; cvt; cvta. */
#include <string.h>

#include "sim/ptx/decode.h"

static int members(const struct operand *list)
{
    int n = 0;
    for (const struct operand *o = list->sub; o; o = o->next)
        n++;
    return n;
}

/* The type of one of n equal parts of t. */
static enum vtype part_type(enum vtype t, int n)
{
    switch (n ? type_bytes(t) / n : 0) {
    case 1:
        return VT_B8;
    case 2:
        return VT_B16;
    case 4:
        return VT_B32;
    case 8:
        return VT_B64;
    default:
        return VT_NONE;
    }
}

static bool decode_pack(struct decoder *d, struct inst *in, const struct operand *dst,
                        const struct operand *src)
{
    const bool pack = src->kind == OPERAND_LIST;
    const struct operand *list = pack ? src : dst;
    const enum vtype t = (enum vtype)in->type;
    const int n = members(list);
    const enum vtype part = part_type(t, n);
    if ((n != 2 && n != 4) || part == VT_NONE || (pack && dst->kind == OPERAND_LIST))
        return decode_err(d, list->loc, ".%s is no vector of %d members", type_name(t), n);
    if (pack && !opnd_dst(d, dst, t, FIT_EXACT, &in->dst[in->nd++]))
        return false;
    if (!pack && !opnd_src(d, src, t, FIT_EXACT, &in->src[in->ns++]))
        return false;
    for (const struct operand *o = list->sub; o; o = o->next) {
        const bool ok = pack ? opnd_src(d, o, part, FIT_EXACT, &in->src[in->ns++])
                             : opnd_dst(d, o, part, FIT_EXACT, &in->dst[in->nd++]);
        if (!ok)
            return false;
    }
    inst_push(d, in);
    return true;
}

/* mov from a special register. Rows of special registers have 32 bits: a 64-bit read widens. */
static bool mov_special(struct decoder *d, struct inst *in, const struct operand *src, int sreg)
{
    const int bytes = type_bytes((enum vtype)in->type);
    if (sreg < SREG_ROWS) {
        if (bytes == 8 && sreg != SREG_GRIDID)
            return decode_err(d, src->loc, "%s has 32 bits", src->name->text);
        if (bytes == 8) {
            in->op = OP_CVT;
            in->type = VT_U64;
            in->stype = VT_U32;
        }
        return opnd_src(d, src, bytes == 8 ? VT_U32 : (enum vtype)in->type, FIT_EXACT,
                        &in->src[in->ns++]);
    }
    in->op = OP_MOVSREG;
    in->mode = (uint8_t)sreg;
    const bool wide = sreg == SREG_CLOCK64 || sreg == SREG_GLOBALTIMER;
    if (bytes != (wide ? 8 : 4) && sreg != SREG_PM)
        return decode_err(d, src->loc, "%s has %d bits", src->name->text, wide ? 64 : 32);
    return true;
}

/* One side of a mov.b128: a register, or a list of its parts. */
static bool wide_side(struct decoder *d, struct inst *in, const struct operand *o, bool write)
{
    const int n = o->kind == OPERAND_LIST ? members(o) : 2;
    const enum vtype part = n == 4 ? VT_B32 : VT_B64;
    struct opnd *out = write ? in->dst : in->src;
    *(write ? &in->nd : &in->ns) = (uint8_t)n;
    if (o->kind != OPERAND_LIST)
        return write ? opnd_wide_dst(d, o, out) : opnd_wide_src(d, o, out);
    if (n != 2 && n != 4)
        return decode_err(d, o->loc, ".b128 is no vector of %d members", n);
    for (const struct operand *x = o->sub; x; x = x->next, out++)
        if (!(write ? opnd_dst : opnd_src)(d, x, part, FIT_EXACT, out))
            return false;
    return true;
}

static bool decode_mov_wide(struct decoder *d, struct inst *in)
{
    const struct operand *dst = d->st->ops, *src = dst->next;
    if (dst->kind == OPERAND_LIST && src->kind == OPERAND_LIST)
        return decode_err(d, src->loc, "one side of %s is a register", in->text);
    if (!wide_side(d, in, dst, true) || !wide_side(d, in, src, false))
        return false;
    inst_push(d, in);
    return true;
}

bool decode_mov(struct decoder *d, const struct spelling *s, struct inst *in)
{
    (void)s;
    if (!operand_count(d, 2, 2))
        return false;
    if (in->type == VT_B128)
        return decode_mov_wide(d, in);
    const struct operand *dst = d->st->ops, *src = dst->next;
    const enum vtype t = (enum vtype)in->type;
    if (dst->kind == OPERAND_LIST || src->kind == OPERAND_LIST)
        return decode_pack(d, in, dst, src);
    if (!opnd_dst(d, dst, t, FIT_EXACT, &in->dst[in->nd++]))
        return false;
    const struct ref r = src->kind == OPERAND_NAME && !src->neg && !src->i
                             ? scope_find(d, src->name)
                             : (struct ref){.kind = REF_NONE};
    const bool ok = r.kind == REF_SREG && t != VT_PRED && !type_is_float(t)
                        ? mov_special(d, in, src, r.sreg)
                        : opnd_src(d, src, t, FIT_EXACT, &in->src[in->ns++]);
    if (ok)
        inst_push(d, in);
    return ok;
}

/* Integral rounding where the result is an integer or keeps its format, the other kind where a
 * value is narrowed; PTX before 1.4 leaves the default unsaid. */
static bool cvt_rounding(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const enum vtype to = (enum vtype)in->type, from = (enum vtype)in->stype;
    const bool to_float = type_is_float(to) || s->is_tf32, from_float = type_is_float(from);
    const bool integral = s->mods & M(RNDI);
    if (s->is_tf32) {
        if (from != VT_F32)
            return decode_err(d, d->st->loc, "%s: .tf32 is made from .f32", in->text);
        if (in->rnd != RND_RNA && in->rnd != RND_RN && in->rnd != RND_RZ)
            return decode_err(d, d->st->loc, "%s: .rn, .rz or .rna rounds to .tf32", in->text);
        return true;
    }
    if (in->rnd && !to_float && !from_float)
        return decode_err(d, d->st->loc, "%s: integers are not rounded", in->text);
    if (in->rnd && !to_float && !integral)
        return decode_err(d, d->st->loc, "%s: .rni, .rzi, .rmi or .rpi rounds to an integer",
                          in->text);
    if (integral && to_float && (!from_float || type_bytes(from) != type_bytes(to)))
        return decode_err(d, d->st->loc, "%s: .rn, .rz, .rm or .rp rounds to .%s", in->text,
                          type_name(to));
    const bool exact = from_float && to_float && type_bytes(from) <= type_bytes(to) &&
                       (from == to || type_bytes(from) < type_bytes(to));
    if (in->rnd && !integral && exact && from != VT_BF16)
        return decode_err(d, d->st->loc, "%s: nothing is rounded", in->text);
    if (in->rnd || exact || (!to_float && !from_float))
        return true;
    if (!decode_is_old(d))
        return decode_err(d, d->st->loc, "%s needs a rounding mode", in->text);
    in->rnd = to_float ? RND_RN : RND_RZI;
    return true;
}

static bool decode_cvt_pack(struct decoder *d, const struct spelling *s, struct inst *in)
{
    if (s->ntypes == 3 && s->type3 != VT_B32)
        return decode_err(d, d->st->loc, "%s: the third type is .b32", in->text);
    in->aop = ATOM_EXCH;
    in->imm = s->bits ? s->bits : 8 * type_bytes((enum vtype)in->type);
    if (!operand_count(d, s->ntypes == 3 ? 4 : 3, s->ntypes == 3 ? 4 : 3))
        return false;
    const struct operand *o = d->st->ops;
    if (!opnd_dst(d, o, VT_B32, FIT_EXACT, &in->dst[in->nd++]))
        return false;
    for (int i = 0; (o = o->next); i++)
        if (!opnd_src(d, o, i < 2 ? (enum vtype)in->stype : VT_B32, FIT_EXACT, &in->src[in->ns++]))
            return false;
    inst_push(d, in);
    return true;
}

bool decode_cvt(struct decoder *d, const struct spelling *s, struct inst *in)
{
    if (!strcmp(s->row->base, "cvt.pack"))
        return decode_cvt_pack(d, s, in);
    const bool pair = in->type == VT_F16X2 || in->type == VT_BF16X2;
    if (s->ntypes != 2 || (in->type == VT_B32 && !s->is_tf32) || (pair && in->stype != VT_F32))
        return decode_err(d, d->st->loc, "there is no conversion %s", in->text);
    if (!cvt_rounding(d, s, in) || !operand_count(d, pair ? 3 : 2, pair ? 3 : 2))
        return false;
    const struct operand *o = d->st->ops;
    if (!opnd_dst(d, o, (enum vtype)in->type, FIT_WIDER, &in->dst[in->nd++]))
        return false;
    while ((o = o->next))
        if (!opnd_src(d, o, (enum vtype)in->stype, FIT_WIDER, &in->src[in->ns++]))
            return false;
    inst_push(d, in);
    return true;
}

/* cvta d, a; isspacep p, a. */
bool decode_cvta(struct decoder *d, const struct spelling *s, struct inst *in)
{
    (void)s;
    if (!operand_count(d, 2, 2))
        return false;
    const struct operand *dst = d->st->ops, *src = dst->next;
    if (in->op == OP_ISSPACEP) { /* takes an address of either size */
        const struct ref r =
            src->kind == OPERAND_NAME ? scope_find(d, src->name) : (struct ref){.kind = REF_NONE};
        const bool wide = r.kind == REF_REG ? type_bytes((enum vtype)d->vreg[r.vreg].type) == 8
                                            : d->m->address_size == 64;
        in->type = in->stype = wide ? VT_U64 : VT_U32;
        in->mode = strstr(in->text, "::cluster") != NULL;
    }
    if (!opnd_dst(d, dst, in->op == OP_ISSPACEP ? VT_PRED : (enum vtype)in->type, FIT_EXACT,
                  &in->dst[in->nd++]) ||
        !opnd_src(d, src, (enum vtype)in->type, FIT_EXACT, &in->src[in->ns++]))
        return false;
    inst_push(d, in);
    return true;
}
