/* alu_half.c -- f16, bf16 and their packed pairs: add sub mul fma min max abs neg.
 *
 * A sum or product in f32 has more than twice the digits of either format plus two, so that
 * rounding it again is harmless; fma goes through a double rounded to odd. PTX has no other
 * rounding than .rn here. Instructions without modifiers are vectorised. */
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

LANE float widen(uint32_t h, bool bf, uint32_t flags)
{
    return bf ? f32_from_bf16(h) : f32_from_f16(flags & INST_FTZ ? flush_f16(h) : h);
}
LANE uint32_t narrow(float r, bool bf, uint32_t flags)
{
    const float sat = flags & INST_SAT ? saturate_f32(r) : r;
    const float relu = flags & INST_RELU && sat <= 0.0f ? 0.0f : sat;
    const uint32_t h = bf ? bf16_from_f32(relu) : f16_from_f32(relu);
    return !bf && flags & INST_FTZ ? flush_f16(h) : h;
}
LANE uint32_t arith_half(enum opcode op, struct three v, bool bf, uint32_t flags)
{
    const float a = widen(v.x, bf, flags), b = widen(v.y, bf, flags);
    switch (op) {
    case OP_ADD:
        return narrow(a + b, bf, flags);
    case OP_SUB:
        return narrow(a - b, bf, flags);
    case OP_MUL:
        return narrow(a * b, bf, flags);
    default: {
        const double sum = odd_sum((double)a * b, widen(v.z, bf, flags));
        const double rounded = bf ? round_digits(sum, 8, -126) : round_digits(sum, 11, -14);
        return narrow((float)rounded, bf, flags);
    }
    }
}
LANE uint32_t minmax_half(enum opcode op, struct three v, bool bf, uint32_t flags)
{
    const uint32_t sign = flags & INST_XORSIGN ? (v.x ^ v.y) & 0x8000u : 0;
    const uint32_t keep = flags & INST_XORSIGN ? 0x7fffu : 0xffffu;
    const bool ftz = !bf && flags & INST_FTZ, max = op == OP_MAX;
    const uint32_t x = (ftz ? flush_f16(v.x) : v.x) & keep;
    const uint32_t y = (ftz ? flush_f16(v.y) : v.y) & keep;
    const float a = widen(x, bf, 0), b = widen(y, bf, 0);
    uint32_t r = (max ? a > b : a < b) ? x : y;
    r = a == b ? (max ? x & y : x | y) : r;
    r = (b != b ? x : r) | sign;
    const bool nan = flags & INST_NANOUT ? (a != a) | (b != b) : (a != a) & (b != b);
    return nan ? F16_NAN : r;
}
LANE uint32_t sign_half(enum opcode op, struct three v, bool bf, uint32_t flags)
{
    const uint32_t x = !bf && flags & INST_FTZ ? flush_f16(v.x) : v.x;
    return op == OP_ABS ? x & 0x7fffu : x ^ 0x8000u;
}

LANE uint32_t half_lane(enum opcode op, struct three v, bool bf, uint32_t flags)
{
    switch (op) {
    case OP_MIN:
    case OP_MAX:
        return minmax_half(op, v, bf, flags);
    case OP_ABS:
    case OP_NEG:
        return sign_half(op, v, bf, flags);
    default:
        return arith_half(op, v, bf, flags);
    }
}

#define HALF_ROWS                                                  \
    ROWS_D(uint32_t);                                              \
    const uint32_t *ra = row_of(w, &in->src[0]);                   \
    const uint32_t *rb = in->ns > 1 ? row_of(w, &in->src[1]) : ra; \
    const uint32_t *rc = in->ns > 2 ? row_of(w, &in->src[2]) : ra
#define HALF_LOADS                                              \
    const struct three low = low_halves(ra[i], rb[i], rc[i]);   \
    const struct three high = high_halves(ra[i], rb[i], rc[i]); \
    (void)high
#define DEF_HALF_TYPE(name, EXPR) \
    EXEC_LONG(name, uint32_t, SPREAD(HALF_ROWS), SPREAD(HALF_LOADS), EXPR)
#define DEF_HALF(name, op)                                                                   \
    DEF_HALF_TYPE(name##_f16, half_lane(op, low, false, 0))                                  \
    DEF_HALF_TYPE(name##_bf16, half_lane(op, low, true, 0))                                  \
    DEF_HALF_TYPE(name##_f16x2, half_lane(op, low, false, 0) | half_lane(op, high, false, 0) \
                                                                   << 16)                    \
    DEF_HALF_TYPE(name##_bf16x2, half_lane(op, low, true, 0) | half_lane(op, high, true, 0) << 16)
DEF_HALF(add, OP_ADD)
DEF_HALF(sub, OP_SUB)
DEF_HALF(mul, OP_MUL)
DEF_HALF(fma, OP_FMA)
DEF_HALF(min, OP_MIN)
DEF_HALF(max, OP_MAX)
DEF_HALF(abs, OP_ABS)
DEF_HALF(neg, OP_NEG)

/* Any of them with modifiers. */
static void half_modified(EXEC_ARGS)
{
    HALF_ROWS;
    const bool bf = in->type == VT_BF16 || in->type == VT_BF16X2;
    const bool pair = in->type == VT_F16X2 || in->type == VT_BF16X2;
    ACTIVE_LOOP
    {
        HALF_LOADS;
        const uint32_t upper = pair ? half_lane(in->op, high, bf, in->flags) : 0;
        d[i] = upper << 16 | half_lane(in->op, low, bf, in->flags);
    }
}

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
    if (in->dst[0].off == OPND_NONE)
        return exec_nothing;
    const uint32_t modifiers = INST_FTZ | INST_SAT | INST_RELU | INST_NANOUT | INST_XORSIGN;
    return in->flags & modifiers ? half_modified : exec_pick(impl);
}
