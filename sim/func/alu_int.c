/* alu_int.c -- integer arithmetic: add sub mul mad div rem sad abs neg min max, 24-bit products.
 * Carry chains, dot products and video instructions are in alu_wide.c.
 *
 * Division by zero, which PTX leaves open, gives all ones in quotient and remainder, as the code
 * does that ptxas emits; the most negative number divided by -1 wraps. */
#include "sim/func/alu_int.h"
#include "sim/func/fpbits.h"

/* X(suffix, C type, unsigned type of the same width, row type) */
#define INT_TYPES(X)                     \
    X(u16, uint16_t, uint16_t, uint32_t) \
    X(s16, int16_t, uint16_t, uint32_t)  \
    X(u32, uint32_t, uint32_t, uint32_t) \
    X(s32, int32_t, uint32_t, uint32_t)  \
    X(u64, uint64_t, uint64_t, uint64_t) \
    X(s64, int64_t, uint64_t, uint64_t)

/* In EXPR a, b, c are the operands as the C type; arithmetic that may wrap is done in R. */
#define INT1(op, t, C, U, R, EXPR) \
    LANE R lane_##op##_##t(R x)    \
    {                              \
        const C a = (C)x;          \
        return (U)(EXPR);          \
    }                              \
    EXEC1(op##_##t, R, R, lane_##op##_##t(x))
#define INT2(op, t, C, U, R, EXPR)   \
    LANE R lane_##op##_##t(R x, R y) \
    {                                \
        const C a = (C)x, b = (C)y;  \
        return (U)(EXPR);            \
    }                                \
    EXEC2(op##_##t, R, R, R, lane_##op##_##t(x, y))
#define INT3(op, t, C, U, R, EXPR)            \
    LANE R lane_##op##_##t(R x, R y, R z)     \
    {                                         \
        const C a = (C)x, b = (C)y, c = (C)z; \
        return (U)(EXPR);                     \
    }                                         \
    EXEC3(op##_##t, R, R, R, R, lane_##op##_##t(x, y, z))
#define INT2_SCALAR(op, t, C, U, R, EXPR) \
    LANE R lane_##op##_##t(R x, R y)      \
    {                                     \
        const C a = (C)x, b = (C)y;       \
        return (U)(EXPR);                 \
    }                                     \
    SCALAR2(op##_##t, R, R, R, lane_##op##_##t(x, y))

LANE uint64_t high_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
LANE uint64_t high_s64(int64_t a, int64_t b)
{
    return (uint64_t)((__int128)a * b >> 64);
}
LANE uint32_t clamp_s32(int64_t v)
{
    return (uint32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

#define DEF_COMMON(t, C, U, R)                  \
    INT2(add, t, C, U, R, (R)a + (R)b)          \
    INT2(sub, t, C, U, R, (R)a - (R)b)          \
    INT2(mul_lo, t, C, U, R, (R)a *(R)b)        \
    INT2(min, t, C, U, R, a < b ? a : b)        \
    INT2(max, t, C, U, R, a > b ? a : b)        \
    INT3(mad_lo, t, C, U, R, (R)a *(R)b + (R)c) \
    INT3(sad, t, C, U, R, (R)c + (a < b ? (R)b - (R)a : (R)a - (R)b))
INT_TYPES(DEF_COMMON)

/* Quotients of 32 bits by division of doubles: a quotient that is no integer is at least 2^-32 of
 * itself away from one, further than the rounding of the division reaches. By zero: some number,
 * not used. */
LANE uint32_t quotient(uint32_t a, uint32_t b)
{
    return (uint32_t)bits_f64(integral_part((double)a / (double)b) + INTEGER_MAGIC);
}
#define INT2_LONG(op, t, C, U, R, EXPR) \
    LANE R lane_##op##_##t(R x, R y)    \
    {                                   \
        const C a = (C)x, b = (C)y;     \
        return (U)(EXPR);               \
    }                                   \
    LONG2(op##_##t, R, R, R, lane_##op##_##t(x, y))
#define DIVIDE(t, C, U, R, QUOTIENT, REMAINDER)                   \
    INT2_LONG(div, t, C, U, R, b == 0 ? (R)(U)-1 : (R)(QUOTIENT)) \
    INT2_LONG(rem, t, C, U, R, b == 0 ? (R)(U)-1 : (R)(REMAINDER))
DIVIDE(u16, uint16_t, uint16_t, uint32_t, quotient(a, b), a - quotient(a, b) * b)
DIVIDE(u32, uint32_t, uint32_t, uint32_t, quotient(a, b), a - quotient(a, b) * b)

LANE uint32_t magnitude(int32_t v)
{
    return v < 0 ? 0 - (uint32_t)v : (uint32_t)v;
}
LANE uint32_t signed_quotient(int32_t a, int32_t b)
{
    const uint32_t q = quotient(magnitude(a), magnitude(b));
    return (a ^ b) < 0 ? 0 - q : q;
}
DIVIDE(s16, int16_t, uint16_t, uint32_t, signed_quotient(a, b),
       (uint32_t)a - signed_quotient(a, b) * (uint32_t)b)
DIVIDE(s32, int32_t, uint32_t, uint32_t, signed_quotient(a, b),
       (uint32_t)a - signed_quotient(a, b) * (uint32_t)b)

#define DIVIDE_64(t, C, QUOTIENT, REMAINDER)                                               \
    INT2_SCALAR(div, t, C, uint64_t, uint64_t, b == 0 ? UINT64_MAX : (uint64_t)(QUOTIENT)) \
    INT2_SCALAR(rem, t, C, uint64_t, uint64_t, b == 0 ? UINT64_MAX : (uint64_t)(REMAINDER))
DIVIDE_64(u64, uint64_t, a / b, a % b)
DIVIDE_64(s64, int64_t, b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b), b == -1 ? 0 : a % b)

#define DEF_SIGNED(t, C, U, R)                     \
    INT1(abs, t, C, U, R, a < 0 ? 0 - (R)a : (R)a) \
    INT1(neg, t, C, U, R, 0 - (R)a)
DEF_SIGNED(s16, int16_t, uint16_t, uint32_t)
DEF_SIGNED(s32, int32_t, uint32_t, uint32_t)
DEF_SIGNED(s64, int64_t, uint64_t, uint64_t)

#define DEF_HIGH(t, C, U, R, HIGH) \
    INT2(mul_hi, t, C, U, R, HIGH) \
    INT3(mad_hi, t, C, U, R, (R)(HIGH) + (R)c)
DEF_HIGH(u16, uint16_t, uint16_t, uint32_t, (uint32_t)a *b >> 16)
DEF_HIGH(s16, int16_t, uint16_t, uint32_t, (uint32_t)((int32_t)a *b >> 16))
DEF_HIGH(u32, uint32_t, uint32_t, uint32_t, (uint32_t)((uint64_t)a *b >> 32))
DEF_HIGH(s32, int32_t, uint32_t, uint32_t, (uint32_t)((uint64_t)((int64_t)a *b) >> 32))
DEF_HIGH(u64, uint64_t, uint64_t, uint64_t, high_u64(a, b))
DEF_HIGH(s64, int64_t, uint64_t, uint64_t, high_s64(a, b))

/* W: signed or unsigned type of twice the width, RW: its row. */
#define DEF_WIDE(t, C, R, W, RW)                    \
    EXEC2(mul_wide_##t, RW, R, R, (W)(C)x *(W)(C)y) \
    EXEC3(mad_wide_##t, RW, R, R, RW, (RW)((W)(C)x * (W)(C)y) + z)
DEF_WIDE(u16, uint16_t, uint32_t, uint32_t, uint32_t)
DEF_WIDE(s16, int16_t, uint32_t, int32_t, uint32_t)
DEF_WIDE(u32, uint32_t, uint32_t, uint64_t, uint64_t)
DEF_WIDE(s32, int32_t, uint32_t, int64_t, uint64_t)

LANE int64_t product24_s32(uint32_t x, uint32_t y)
{
    return (int64_t)((int32_t)(x << 8) >> 8) * ((int32_t)(y << 8) >> 8);
}
LANE uint64_t product24_u32(uint32_t x, uint32_t y)
{
    return (uint64_t)(x & 0xffffff) * (y & 0xffffff);
}
#define DEF_24(t)                                                                                  \
    EXEC2(mul24_lo_##t, uint32_t, uint32_t, uint32_t, product24_##t(x, y))                         \
    EXEC2(mul24_hi_##t, uint32_t, uint32_t, uint32_t, product24_##t(x, y) >> 16)                   \
    EXEC3(mad24_lo_##t, uint32_t, uint32_t, uint32_t, uint32_t, (uint32_t)product24_##t(x, y) + z) \
    EXEC3(mad24_hi_##t, uint32_t, uint32_t, uint32_t, uint32_t,                                    \
          (uint32_t)(product24_##t(x, y) >> 16) + z)
DEF_24(u32)
DEF_24(s32)

EXEC2(add_sat_s32, uint32_t, uint32_t, uint32_t, clamp_s32((int64_t)(int32_t)x + (int32_t)y))
EXEC2(sub_sat_s32, uint32_t, uint32_t, uint32_t, clamp_s32((int64_t)(int32_t)x - (int32_t)y))
EXEC2(min_relu_s32, uint32_t, uint32_t, uint32_t, lane_max_s32(lane_min_s32(x, y), 0))
EXEC2(max_relu_s32, uint32_t, uint32_t, uint32_t, lane_max_s32(lane_max_s32(x, y), 0))
EXEC3(mad_hi_sat_s32, uint32_t, uint32_t, uint32_t, uint32_t,
      clamp_s32((int32_t)lane_mul_hi_s32(x, y) + (int64_t)(int32_t)z))
EXEC3(mad24_hi_sat_s32, uint32_t, uint32_t, uint32_t, uint32_t,
      clamp_s32((product24_s32(x, y) >> 16) + (int32_t)z))

/* Two halves at once. */
#define DEF_PAIR(op, t)                               \
    EXEC2(op##_##t##x2, uint32_t, uint32_t, uint32_t, \
          lane_##op##_##t(x & 0xffff, y & 0xffff) | lane_##op##_##t(x >> 16, y >> 16) << 16)
LANE uint32_t lane_min_relu_s16(uint32_t x, uint32_t y)
{
    return lane_max_s16(lane_min_s16(x, y), 0);
}
LANE uint32_t lane_max_relu_s16(uint32_t x, uint32_t y)
{
    return lane_max_s16(lane_max_s16(x, y), 0);
}
DEF_PAIR(add, u16)
DEF_PAIR(min, u16)
DEF_PAIR(max, u16)
DEF_PAIR(min, s16)
DEF_PAIR(max, s16)
DEF_PAIR(min_relu, s16)
DEF_PAIR(max_relu, s16)

struct int_row {
    struct exec_impl u16, s16, u32, s32, u64, s64, u16x2, s16x2;
};
#define ALL_INT(op)                                                                     \
    {                                                                                   \
        IMPL(op##_u16), IMPL(op##_s16), IMPL(op##_u32), IMPL(op##_s32), IMPL(op##_u64), \
            IMPL(op##_s64)                                                              \
    }
#define DIVISIONS(op)                                                                   \
    {                                                                                   \
        IMPL(op##_u16), IMPL(op##_s16), IMPL(op##_u32), IMPL(op##_s32), SAME(op##_u64), \
            SAME(op##_s64)                                                              \
    }
#define SIGNED_INT(op)                                                      \
    {                                                                       \
        .s16 = IMPL(op##_s16), .s32 = IMPL(op##_s32), .s64 = IMPL(op##_s64) \
    }
#define NARROW_INT(op)                                                               \
    {                                                                                \
        IMPL(op##_u16), IMPL(op##_s16), .u32 = IMPL(op##_u32), .s32 = IMPL(op##_s32) \
    }
#define ONLY_32(op)                                  \
    {                                                \
        .u32 = IMPL(op##_u32), .s32 = IMPL(op##_s32) \
    }
#define ONLY_S32(name)    \
    {                     \
        .s32 = IMPL(name) \
    }
#define RELU_INT(op)                                               \
    {                                                              \
        .s32 = IMPL(op##_relu_s32), .s16x2 = IMPL(op##_relu_s16x2) \
    }
/* With sums a sign makes no difference. */
#define ALL_AND_PAIRS(op, u, s)                                                         \
    {                                                                                   \
        IMPL(op##_u16), IMPL(op##_s16), IMPL(op##_u32), IMPL(op##_s32), IMPL(op##_u64), \
            IMPL(op##_s64), IMPL(op##_##u##x2), IMPL(op##_##s##x2)                      \
    }

/* Part of the product kept, saturation, negative results to zero: the second index of a table of
 * operations. */
enum form { FORM_LO, FORM_HI, FORM_WIDE, FORM_SAT, FORM_HI_SAT, FORM_RELU, FORM_COUNT };

static const struct int_row int_table[OP_COUNT][FORM_COUNT] = {
    [OP_ADD] = {ALL_AND_PAIRS(add, u16, u16), [FORM_SAT] = ONLY_S32(add_sat_s32)},
    [OP_SUB] = {ALL_INT(sub), [FORM_SAT] = ONLY_S32(sub_sat_s32)},
    [OP_MUL] = {ALL_INT(mul_lo), ALL_INT(mul_hi), NARROW_INT(mul_wide)},
    [OP_MAD] = {ALL_INT(mad_lo), ALL_INT(mad_hi),
                NARROW_INT(mad_wide), [FORM_HI_SAT] = ONLY_S32(mad_hi_sat_s32)},
    [OP_MUL24] = {ONLY_32(mul24_lo), ONLY_32(mul24_hi)},
    [OP_MAD24] = {ONLY_32(mad24_lo), ONLY_32(mad24_hi), [FORM_HI_SAT] = ONLY_S32(mad24_hi_sat_s32)},
    [OP_DIV] = {DIVISIONS(div)},
    [OP_REM] = {DIVISIONS(rem)},
    [OP_SAD] = {ALL_INT(sad)},
    [OP_MIN] = {ALL_AND_PAIRS(min, u16, s16), [FORM_RELU] = RELU_INT(min)},
    [OP_MAX] = {ALL_AND_PAIRS(max, u16, s16), [FORM_RELU] = RELU_INT(max)},
    [OP_ABS] = {SIGNED_INT(abs)},
    [OP_NEG] = {SIGNED_INT(neg)},
};

static const struct exec_impl *of_type(const struct int_row *r, enum vtype t)
{
    switch (t) {
    case VT_U16:
    case VT_B16:
        return &r->u16;
    case VT_S16:
        return &r->s16;
    case VT_U32:
    case VT_B32:
        return &r->u32;
    case VT_S32:
        return &r->s32;
    case VT_U64:
    case VT_B64:
        return &r->u64;
    case VT_S64:
        return &r->s64;
    case VT_U16X2:
        return &r->u16x2;
    case VT_S16X2:
        return &r->s16x2;
    default:
        return NULL;
    }
}

static enum form form_of(uint32_t flags)
{
    if (flags & INST_SAT)
        return flags & INST_HI ? FORM_HI_SAT : FORM_SAT;
    if (flags & INST_RELU)
        return FORM_RELU;
    return flags & INST_WIDE ? FORM_WIDE : flags & INST_HI ? FORM_HI : FORM_LO;
}

exec_fn exec_lookup_int(const struct inst *in)
{
    const exec_fn chained = exec_lookup_wide(in);
    if (chained)
        return chained;
    if (in->flags & (INST_CC_IN | INST_CC_OUT))
        return NULL;
    const enum form form = form_of(in->flags);
    const enum vtype t = form == FORM_WIDE && in->stype != VT_NONE ? in->stype : in->type;
    const struct exec_impl *impl = of_type(&int_table[in->op][form], t);
    if (!impl || !impl->base)
        return NULL;
    return in->dst[0].off == OPND_NONE ? exec_nothing : exec_pick(impl);
}
