/* sim/ptx/decode_narrow.c -- cvt with numbers of a byte or less, and its other forms that saturate
 * to finite numbers or round by random bits (PTX ISA 9.0, cvt). */
#include "sim/ptx/decode.h"

#define R(r) (1u << RND_##r)

struct form {
    uint8_t type, stype;
    uint8_t src;        /* operands of stype */
    uint16_t rnd;       /* set of R() */
    bool list;          /* they are one list {a, b, ...} */
    bool finite, plain; /* with .satfinite; without */
    bool relu;
};

// clang-format off
static const struct form forms[] = {
    /* type, from, operands, roundings, list, .satfinite, without, .relu */
    {VT_E4M3X2, VT_F32, 2, R(RN), false, true, false, true},
    {VT_E5M2X2, VT_F32, 2, R(RN), false, true, false, true},
    {VT_E4M3X2, VT_F16X2, 1, R(RN), false, true, false, true},
    {VT_E5M2X2, VT_F16X2, 1, R(RN), false, true, false, true},
    {VT_E2M3X2, VT_F32, 2, R(RN), false, true, false, true},
    {VT_E3M2X2, VT_F32, 2, R(RN), false, true, false, true},
    {VT_E2M1X2, VT_F32, 2, R(RN), false, true, false, true},
    {VT_E2M1X2, VT_F16X2, 1, R(RN), false, true, false, true},
    {VT_UE8M0X2, VT_F32, 2, R(RZ) | R(RP), false, true, true, false},
    {VT_UE8M0X2, VT_BF16X2, 1, R(RZ) | R(RP), false, true, true, false},
    {VT_F16X2, VT_E4M3X2, 1, R(RN), false, false, true, true},
    {VT_F16X2, VT_E5M2X2, 1, R(RN), false, false, true, true},
    {VT_F16X2, VT_E2M3X2, 1, R(RN), false, false, true, true},
    {VT_F16X2, VT_E3M2X2, 1, R(RN), false, false, true, true},
    {VT_F16X2, VT_E2M1X2, 1, R(RN), false, false, true, true},
    {VT_BF16X2, VT_UE8M0X2, 1, R(RN), false, false, true, false},
    {VT_E4M3X4, VT_F32, 4, R(RS), true, true, false, true},
    {VT_E5M2X4, VT_F32, 4, R(RS), true, true, false, true},
    {VT_E2M3X4, VT_F32, 4, R(RS), true, true, false, true},
    {VT_E3M2X4, VT_F32, 4, R(RS), true, true, false, true},
    {VT_E2M1X4, VT_F32, 4, R(RS), true, true, false, true},
    {VT_F16X2, VT_F32, 2, R(RS), false, true, true, true},
    {VT_BF16X2, VT_F32, 2, R(RS), false, true, true, true},
    {VT_F16, VT_F32, 1, R(RN) | R(RZ), false, true, false, true},
    {VT_BF16, VT_F32, 1, R(RN) | R(RZ), false, true, false, true},
    {VT_F16X2, VT_F32, 2, R(RN) | R(RZ), false, true, false, true},
    {VT_BF16X2, VT_F32, 2, R(RN) | R(RZ), false, true, false, true},
    {VT_B32, VT_F32, 1, R(RN) | R(RZ), false, true, false, true}, /* tf32 */
    {VT_B32, VT_F32, 1, R(RNA), false, true, false, false},
};
// clang-format on

static const struct form *find(const struct inst *in)
{
    const bool finite = in->flags & INST_SATFINITE;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *f = &forms[i];
        if (f->type == in->type && f->stype == in->stype && f->rnd >> in->rnd & 1 &&
            (finite ? f->finite : f->plain) && (f->relu || !(in->flags & INST_RELU)))
            return f;
    }
    return NULL;
}

/* The type that a register of it has: sizes of less than 32 bits are exact. */
static enum fit fit_of(enum vtype t)
{
    return t == VT_F32 ? FIT_WIDER : FIT_EXACT;
}

static bool sources(struct decoder *d, const struct form *f, struct inst *in,
                    const struct operand *o)
{
    int n = 0;
    for (; o && n < f->src; o = o->next, n++)
        if (!opnd_src(d, o, f->stype, fit_of(f->stype), &in->src[in->ns++]))
            return false;
    if (n < f->src || (f->list && o))
        return decode_err(d, d->st->loc, "%s takes %d numbers", in->text, f->src);
    return true;
}

bool decode_cvt_narrow(struct decoder *d, const struct spelling *s, struct inst *in)
{
    const struct form *f = s->ntypes == 2 && (in->type != VT_B32 || s->is_tf32) ? find(in) : NULL;
    if (!f)
        return decode_err(d, d->st->loc, "there is no conversion %s", in->text);
    const bool random = in->rnd == RND_RS;
    const int n = 1 + (f->list ? 1 : f->src) + random;
    if (!operand_count(d, n, n))
        return false;
    const struct operand *dst = d->st->ops, *src = dst->next;
    if (f->list && src->kind != OPERAND_LIST)
        return decode_err(d, src->loc, "a list of %d registers is needed here", f->src);
    if (!opnd_dst(d, dst, (enum vtype)in->type, FIT_EXACT, &in->dst[in->nd++]) ||
        !sources(d, f, in, f->list ? src->sub : src))
        return false;
    for (int i = 1; random && i < n - 1; i++)
        src = src->next;
    if (random && !opnd_src(d, src, VT_B32, FIT_EXACT, &in->src[in->ns++]))
        return false;
    inst_push(d, in);
    return true;
}
