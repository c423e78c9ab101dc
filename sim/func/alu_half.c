/* alu_half.c -- f16, bf16 and their packed pairs: add sub mul fma min max abs neg.
 *
 * Operands are widened to double, where products are exact and sums rounded to odd, so that the one
 * rounding to the narrow format is correct. PTX has no other rounding than .rn here. */
#include "sim/func/alu_float.h"
#include "sim/func/fpbits.h"

/* The operands of one element. */
struct three {
    uint32_t x, y, z;
};

LANE struct three low_halves(uint32_t x, uint32_t y, uint32_t z)
{
    return (struct three){x & 0xffff, y & 0xffff, z & 0xffff};
}
LANE struct three high_halves(uint32_t x, uint32_t y, uint32_t z)
{
    return (struct three){x >> 16, y >> 16, z >> 16};
}

LANE double widen(uint32_t h, bool bf, uint32_t flags)
{
    if (bf)
        return f32_from_bf16(h & 0xffff);
    return f32_from_f16(flags & INST_FTZ ? flush_f16(h) : h);
}
LANE uint32_t narrow(double r, bool bf, uint32_t flags)
{
    if (flags & INST_SAT)
        r = saturate_f64(r);
    if (flags & INST_RELU)
        r = r <= 0.0 ? 0.0 : r;
    const uint32_t h = bf ? bf16_from_f64(r) : f16_from_f64(r);
    return !bf && flags & INST_FTZ ? flush_f16(h) : h;
}
LANE uint32_t arith_half(enum opcode op, struct three v, bool bf, uint32_t flags)
{
    const double a = widen(v.x, bf, flags), b = widen(v.y, bf, flags);
    switch (op) {
    case OP_ADD:
        return narrow(odd_sum(a, b), bf, flags);
    case OP_SUB:
        return narrow(odd_sum(a, -b), bf, flags);
    case OP_MUL:
        return narrow(a * b, bf, flags);
    default:
        return narrow(odd_sum(a * b, widen(v.z, bf, flags)), bf, flags);
    }
}
LANE uint32_t minmax_half(enum opcode op, struct three v, bool bf, uint32_t flags)
{
    const uint32_t sign = flags & INST_XORSIGN ? (v.x ^ v.y) & 0x8000u : 0;
    const uint32_t keep = flags & INST_XORSIGN ? 0x7fffu : 0xffffu;
    const bool ftz = !bf && flags & INST_FTZ, max = op == OP_MAX;
    const uint32_t x = (ftz ? flush_f16(v.x) : v.x) & keep;
    const uint32_t y = (ftz ? flush_f16(v.y) : v.y) & keep;
    const double a = widen(x, bf, 0), b = widen(y, bf, 0);
    const uint32_t same = max ? x & y : x | y;
    const uint32_t r = (max ? a > b : a < b) ? x : a == b ? same : y;
    const bool nx = a != a, ny = b != b;
    const bool nan = flags & INST_NANOUT ? nx | ny : nx & ny;
    return nan ? F16_NAN : (nx ? y : ny ? x : r) | sign;
}
LANE uint32_t sign_half(enum opcode op, struct three v, bool bf, uint32_t flags)
{
    const uint32_t x = !bf && flags & INST_FTZ ? flush_f16(v.x) : v.x;
    return op == OP_ABS ? x & 0x7fffu : x ^ 0x8000u;
}

#define HALF_ROWS                                                  \
    ROWS_D(uint32_t);                                              \
    const uint32_t *ra = row_of(w, &in->src[0]);                   \
    const uint32_t *rb = in->ns > 1 ? row_of(w, &in->src[1]) : ra; \
    const uint32_t *rc = in->ns > 2 ? row_of(w, &in->src[2]) : ra; \
    const uint32_t flags = in->flags
#define HALF_LOADS                                              \
    const struct three low = low_halves(ra[i], rb[i], rc[i]);   \
    const struct three high = high_halves(ra[i], rb[i], rc[i]); \
    (void)high
#define DEF_HALF_TYPE(name, EXPR) \
    EXEC_PAIR(name, uint32_t, SPREAD(HALF_ROWS), SPREAD(HALF_LOADS), EXPR)
#define DEF_HALF(name, op, lane)                                                                  \
    DEF_HALF_TYPE(name##_f16, lane(op, low, false, flags))                                        \
    DEF_HALF_TYPE(name##_bf16, lane(op, low, true, flags))                                        \
    DEF_HALF_TYPE(name##_f16x2, lane(op, low, false, flags) | lane(op, high, false, flags) << 16) \
    DEF_HALF_TYPE(name##_bf16x2, lane(op, low, true, flags) | lane(op, high, true, flags) << 16)
DEF_HALF(add, OP_ADD, arith_half)
DEF_HALF(sub, OP_SUB, arith_half)
DEF_HALF(mul, OP_MUL, arith_half)
DEF_HALF(fma, OP_FMA, arith_half)
DEF_HALF(min, OP_MIN, minmax_half)
DEF_HALF(max, OP_MAX, minmax_half)
DEF_HALF(abs, OP_ABS, sign_half)
DEF_HALF(neg, OP_NEG, sign_half)

#define HALF_IMPL(op)                                                        \
    {                                                                        \
        IMPL(op##_f16), IMPL(op##_f16x2), IMPL(op##_bf16), IMPL(op##_bf16x2) \
    }
static const struct exec_impl half_table[OP_COUNT][4] = {
    [OP_ADD] = HALF_IMPL(add), [OP_SUB] = HALF_IMPL(sub), [OP_MUL] = HALF_IMPL(mul),
    [OP_FMA] = HALF_IMPL(fma), [OP_MIN] = HALF_IMPL(min), [OP_MAX] = HALF_IMPL(max),
    [OP_ABS] = HALF_IMPL(abs), [OP_NEG] = HALF_IMPL(neg),
};

exec_fn exec_lookup_half(const struct inst *in)
{
    if (in->rnd != RND_NONE && in->rnd != RND_RN)
        return NULL;
    const struct exec_impl *impl = &half_table[in->op][in->type - VT_F16];
    if (!impl->base)
        return NULL;
    return in->dst[0].off == OPND_NONE ? exec_nothing : exec_pick(impl);
}
