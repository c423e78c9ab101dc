/* alu_float.c -- f32 and f64 arithmetic rounded to nearest even: add sub mul fma mad div min max
 * abs neg copysign testp. Other roundings: alu_round.c; half precision: alu_half.c.
 *
 * NaN results: f32 the canonical one; f64 the first NaN operand made quiet, else the default NaN.
 * abs, neg and copysign only touch the sign bit. mad.f32 is the fused one (sm_20 on). */
#include "sim/func/alu_float.h"
#include "sim/func/fpbits.h"
#include <math.h>

LANE uint32_t finish_f32(float r, bool ftz, bool sat)
{
    const uint32_t b = sat ? bits_f32(saturate_f32(r)) : canon_f32(r);
    return ftz ? flush_f32(b) : b;
}
LANE float load_f32(uint32_t b, bool ftz)
{
    return f32_of(ftz ? flush_f32(b) : b);
}
/* The product of two floats is exact in double. */
LANE float fma_f32(float a, float b, float c, bool hw)
{
    return hw ? __builtin_fmaf(a, b, c) : (float)odd_sum((double)a * b, c);
}
/* div.approx is a * (1/b), and 1/b is flushed to zero for b beyond 2^126. */
LANE float div_approx(float a, float b)
{
    const bool huge = __builtin_fabsf(b) > 0x1p126f;
    return huge ? a * __builtin_copysignf(0.0f, b) : a / b;
}

/* Four executors of an operation: plain, .ftz, .sat, .ftz.sat. EXPR is over the floats a, b, c. */
#define DEF_F32_VARIANT(name, n, EXPR, ftz, sat)                                      \
    LANE uint32_t lane_##name(uint32_t x, uint32_t y, uint32_t z, bool hw)            \
    {                                                                                 \
        const float a = load_f32(x, ftz), b = load_f32(y, ftz), c = load_f32(z, ftz); \
        (void)b, (void)c, (void)hw;                                                   \
        return finish_f32(EXPR, ftz, sat);                                            \
    }                                                                                 \
    DEF_F32_##n(name)
#define DEF_F32_2(name) EXEC2(name, uint32_t, uint32_t, uint32_t, lane_##name(x, y, y, hw))
#define DEF_F32_3(name) \
    EXEC3(name, uint32_t, uint32_t, uint32_t, uint32_t, lane_##name(x, y, z, hw))
#define DEF_F32(op, n, EXPR)                            \
    DEF_F32_VARIANT(op##_f32, n, EXPR, false, false)    \
    DEF_F32_VARIANT(op##_f32_ftz, n, EXPR, true, false) \
    DEF_F32_VARIANT(op##_f32_sat, n, EXPR, false, true) \
    DEF_F32_VARIANT(op##_f32_ftz_sat, n, EXPR, true, true)
DEF_F32(add, 2, a + b)
DEF_F32(sub, 2, a - b)
DEF_F32(mul, 2, a *b)
DEF_F32(div, 2, a / b)
DEF_F32(div_approx, 2, div_approx(a, b))
DEF_F32(fma, 3, fma_f32(a, b, c, hw))

/* r, or the NaN that stands for it: its first NaN operand. */
LANE uint64_t finish_f64(double r, double a, double b, double c)
{
    const uint64_t of_c = c != c ? bits_f64(c) | F64_QUIET : F64_NAN;
    const uint64_t of_b = b != b ? bits_f64(b) | F64_QUIET : of_c;
    const uint64_t nan = a != a ? bits_f64(a) | F64_QUIET : of_b;
    return r != r ? nan : bits_f64(r);
}
#define DEF_F64_2(op, EXPR)                               \
    LANE uint64_t lane_##op##_f64(uint64_t x, uint64_t y) \
    {                                                     \
        const double a = f64_of(x), b = f64_of(y);        \
        return finish_f64(EXPR, a, b, b);                 \
    }                                                     \
    EXEC2(op##_f64, uint64_t, uint64_t, uint64_t, lane_##op##_f64(x, y))
DEF_F64_2(add, a + b)
DEF_F64_2(sub, a - b)
DEF_F64_2(mul, a *b)
DEF_F64_2(div, a / b)
LANE uint64_t lane_fma_f64(uint64_t x, uint64_t y, uint64_t z, bool hw)
{
    const double a = f64_of(x), b = f64_of(y), c = f64_of(z);
    return finish_f64(hw ? __builtin_fma(a, b, c) : fma(a, b, c), a, b, c);
}
EXEC3(fma_f64, uint64_t, uint64_t, uint64_t, uint64_t, lane_fma_f64(x, y, z, hw))

/* One NaN gives the other operand, two the canonical NaN; -0 is less than +0. Equal operands differ
 * at most in the sign of zero, which & and | choose. */
LANE uint32_t minmax_f32(uint32_t x, uint32_t y, bool max, uint32_t flags)
{
    const uint32_t sign = flags & INST_XORSIGN ? (x ^ y) & 0x80000000u : 0;
    const uint32_t keep = flags & INST_XORSIGN ? 0x7fffffffu : UINT32_MAX;
    x = (flags & INST_FTZ ? flush_f32(x) : x) & keep;
    y = (flags & INST_FTZ ? flush_f32(y) : y) & keep;
    const float a = f32_of(x), b = f32_of(y);
    uint32_t r = (max ? a > b : a < b) ? x : y;
    r = a == b ? (max ? x & y : x | y) : r;
    r = (b != b ? x : r) | sign;
    const bool nan = flags & INST_NANOUT ? (a != a) | (b != b) : (a != a) & (b != b);
    return nan ? F32_NAN : r;
}
LANE uint64_t minmax_f64(uint64_t x, uint64_t y, bool max)
{
    const double a = f64_of(x), b = f64_of(y);
    uint64_t r = (max ? a > b : a < b) ? x : y;
    r = a == b ? (max ? x & y : x | y) : r;
    r = b != b ? x : r;
    return ((a != a) & (b != b)) ? F64_NAN : r;
}
#define FLAG_ROWS                         \
    ROWS_2(uint32_t, uint32_t, uint32_t); \
    const uint32_t flags = in->flags
LONG2(min_f32, uint32_t, uint32_t, uint32_t, minmax_f32(x, y, false, 0))
LONG2(max_f32, uint32_t, uint32_t, uint32_t, minmax_f32(x, y, true, 0))
EXEC_LONG(min_f32_mod, uint32_t, SPREAD(FLAG_ROWS), SPREAD(LOAD_2(uint32_t, uint32_t)),
          minmax_f32(x, y, false, flags))
EXEC_LONG(max_f32_mod, uint32_t, SPREAD(FLAG_ROWS), SPREAD(LOAD_2(uint32_t, uint32_t)),
          minmax_f32(x, y, true, flags))
static void minmax3_f32(EXEC_ARGS)
{
    const uint32_t *a = row_of(w, &in->src[0]), *b = row_of(w, &in->src[1]);
    const uint32_t *c = row_of(w, &in->src[2]), flags = in->flags;
    uint32_t *d = row_of(w, &in->dst[0]);
    const bool max = in->op == OP_MAX;
    ACTIVE_LOOP d[i] = minmax_f32(minmax_f32(a[i], b[i], max, flags), c[i], max, flags);
}
LONG2(min_f64, uint64_t, uint64_t, uint64_t, minmax_f64(x, y, false))
LONG2(max_f64, uint64_t, uint64_t, uint64_t, minmax_f64(x, y, true))

#define SIGN32 0x80000000u
#define SIGN64 0x8000000000000000ull
EXEC1(abs_f32, uint32_t, uint32_t, x & ~SIGN32)
EXEC1(neg_f32, uint32_t, uint32_t, x ^ SIGN32)
EXEC1(abs_f32_ftz, uint32_t, uint32_t, flush_f32(x) & ~SIGN32)
EXEC1(neg_f32_ftz, uint32_t, uint32_t, flush_f32(x) ^ SIGN32)
EXEC1(abs_f64, uint64_t, uint64_t, x & ~SIGN64)
EXEC1(neg_f64, uint64_t, uint64_t, x ^ SIGN64)
/* The sign of the first operand on the second. */
EXEC2(copysign_f32, uint32_t, uint32_t, uint32_t, (x & SIGN32) | (y & ~SIGN32))
EXEC2(copysign_f64, uint64_t, uint64_t, uint64_t, (x & SIGN64) | (y & ~SIGN64))

static bool testp_lane(enum testp_mode mode, int class)
{
    switch (mode) {
    case TESTP_FINITE:
        return class != FP_INFINITE && class != FP_NAN;
    case TESTP_INFINITE:
        return class == FP_INFINITE;
    case TESTP_NUMBER:
        return class != FP_NAN;
    case TESTP_NOTANUMBER:
        return class == FP_NAN;
    case TESTP_NORMAL:
        return class == FP_NORMAL;
    case TESTP_SUBNORMAL:
        return class == FP_SUBNORMAL;
    }
    return false;
}
static void testp(EXEC_ARGS)
{
    const void *a = row_of(w, &in->src[0]);
    lanes_t m = 0;
    ACTIVE_LOOP
    {
        const int class = in->type == VT_F64 ? fpclassify(f64_of(((const uint64_t *)a)[i]))
                                             : fpclassify(f32_of(((const uint32_t *)a)[i]));
        m |= (lanes_t)testp_lane(in->mode, class) << i;
    }
    lanes_t *d = pred_ref(w, &in->dst[0]);
    *d = (*d & ~active) | m;
}

#define VARIANTS(op)                                                 \
    {                                                                \
        IMPL(op), IMPL(op##_ftz), IMPL(op##_sat), IMPL(op##_ftz_sat) \
    }
#define NO_SAT(op)               \
    {                            \
        IMPL(op), IMPL(op##_ftz) \
    }
#define NO_MODS(op) \
    {               \
        IMPL(op)    \
    }
static const struct exec_impl f32_table[OP_COUNT][4] = {
    [OP_ADD] = VARIANTS(add_f32),
    [OP_SUB] = VARIANTS(sub_f32),
    [OP_MUL] = VARIANTS(mul_f32),
    [OP_FMA] = VARIANTS(fma_f32),
    [OP_MAD] = VARIANTS(fma_f32),
    [OP_DIV] = VARIANTS(div_f32),
    [OP_ABS] = NO_SAT(abs_f32),
    [OP_NEG] = NO_SAT(neg_f32),
    [OP_COPYSIGN] = NO_MODS(copysign_f32),
};
static const struct exec_impl f64_table[OP_COUNT] = {
    [OP_ADD] = IMPL(add_f64), [OP_SUB] = IMPL(sub_f64),           [OP_MUL] = IMPL(mul_f64),
    [OP_FMA] = IMPL(fma_f64), [OP_MAD] = IMPL(fma_f64),           [OP_DIV] = IMPL(div_f64),
    [OP_MIN] = IMPL(min_f64), [OP_MAX] = IMPL(max_f64),           [OP_ABS] = IMPL(abs_f64),
    [OP_NEG] = IMPL(neg_f64), [OP_COPYSIGN] = IMPL(copysign_f64),
};

static const struct exec_impl *lookup_f32(const struct inst *in)
{
    static const struct exec_impl approx[4] = VARIANTS(div_approx_f32);
    static const struct exec_impl minmax[2][2] = {{IMPL(min_f32), IMPL(min_f32_mod)},
                                                  {IMPL(max_f32), IMPL(max_f32_mod)}};
    const int variant = (in->flags & INST_FTZ ? 1 : 0) + (in->flags & INST_SAT ? 2 : 0);
    if (in->op == OP_MIN || in->op == OP_MAX)
        return &minmax[in->op == OP_MAX]
                      [(in->flags & (INST_FTZ | INST_XORSIGN | INST_NANOUT)) != 0];
    if (in->op == OP_DIV && in->flags & INST_APPROX)
        return &approx[variant];
    return &f32_table[in->op][variant];
}

static exec_fn lookup_plain(const struct inst *in)
{
    const struct exec_impl *impl = in->type == VT_F32 ? lookup_f32(in) : &f64_table[in->op];
    if (!impl->base || (in->type == VT_F64 && in->flags & INST_SAT))
        return NULL;
    return in->dst[0].off == OPND_NONE ? exec_nothing : exec_pick(impl);
}

exec_fn exec_lookup_float(const struct inst *in)
{
    switch ((enum vtype)in->type) {
    case VT_F16:
    case VT_F16X2:
    case VT_BF16:
    case VT_BF16X2:
        return exec_lookup_half(in);
    case VT_F32X2:
        return exec_lookup_f32x2(in);
    case VT_F32:
    case VT_F64:
        break;
    default:
        return NULL;
    }
    if ((in->op == OP_MIN || in->op == OP_MAX) && in->ns == 3)
        return in->dst[0].off == OPND_NONE ? exec_nothing : minmax3_f32;
    if (in->type == VT_F32 && (in->stype == VT_F16 || in->stype == VT_BF16))
        return exec_lookup_mixed(in);
    if (in->op == OP_TESTP)
        return in->dst[0].off == OPND_NONE ? exec_nothing : testp;
    const bool directed = in->rnd == RND_RZ || in->rnd == RND_RM || in->rnd == RND_RP;
    return directed ? exec_lookup_round(in) : lookup_plain(in);
}
