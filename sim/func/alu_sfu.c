/* alu_sfu.c -- reciprocals, roots and transcendental functions.
 *
 * The .approx forms of f32 and f16 are computed in double and rounded once, so they are more exact
 * than PTX promises (2^-20 to 2^-22), the same on every host, and vectorise; no library function
 * takes part except in sin and cos of arguments beyond 2^19. Polynomials are the Taylor series,
 * long enough that their error stays below 10^-8 (a float's half ulp: 3 x 10^-8). */
#include "sim/func/alu_float.h"
#include "sim/func/fpbits.h"
#include <math.h>

#define LN2     0.69314718055994530942
#define TO_LOG2 2.88539008177792681472 /* 2 / ln 2 */

/* p[0] + v * (p[1] + v * ...) */
LANE double poly(double v, const double *p, int n)
{
    double r = p[n - 1];
    for (int k = n - 2; k >= 0; k--)
        r = r * v + p[k];
    return r;
}

/* 2^v, v within (-1000, 1000): 2^k of its integer part, series of e^(f ln 2) for the rest. */
LANE double exp2_double(double v)
{
    static const double series[] = {1.0,       1.0,       1.0 / 2,    1.0 / 6,    1.0 / 24,
                                    1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320};
    const double shifted = v + INTEGER_MAGIC, f = v - (shifted - INTEGER_MAGIC);
    const double p = poly(f * LN2, series, 9);
    return f64_of(bits_f64(p) + (bits_f64(shifted) << 52));
}
LANE double clamp_double(double v, double lo, double hi)
{
    const double below = v < hi ? v : hi;
    return below > lo ? below : lo;
}
LANE float ex2_lane(float x)
{
    const float r = (float)exp2_double(clamp_double(x, -200, 200));
    return x != x ? x : r;
}

/* x = 2^e m with m in [sqrt(1/2), sqrt 2); log2 m = 2/ln2 atanh((m - 1) / (m + 1)). */
LANE float lg2_lane(float x)
{
    static const double series[] = {TO_LOG2,     TO_LOG2 / 3, TO_LOG2 / 5,
                                    TO_LOG2 / 7, TO_LOG2 / 9, TO_LOG2 / 11};
    const uint64_t b = bits_f64(x), from_root = b - 0x3fe6a09e667f3bcdull;
    const int32_t e = (int32_t)(from_root >> 32) >> 20;
    const double m = f64_of(b - ((uint64_t)(uint32_t)e << 52));
    const double s = (m - 1) / (m + 1);
    const float r = (float)(e + s * poly(s * s, series, 6));
    const float edge = x < 0 ? NAN : x == 0 ? -INFINITY : x;
    return x > 0 && x < INFINITY ? r : edge;
}

/* x minus the nearest multiple of pi/2, which is taken away in three parts of 33 bits: exact
 * products up to |x| of 2^20. The multiple modulo 4 lies in the low bits of *quarter. */
LANE double reduce(double x, uint64_t *quarter)
{
    const double shifted = x * 0x1.45f306dc9c883p-1 + INTEGER_MAGIC, k = shifted - INTEGER_MAGIC;
    *quarter = bits_f64(shifted);
    return ((x - k * 0x1.921fb544p0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
}
LANE float sine_of_quarter(double r, uint64_t quarter)
{
    static const double sine[] = {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880};
    static const double cosine[] = {1.0,        -1.0 / 2,    1.0 / 24,
                                    -1.0 / 720, 1.0 / 40320, -1.0 / 3628800};
    const double s = r * poly(r * r, sine, 5), c = poly(r * r, cosine, 6);
    const uint64_t odd = -(quarter & 1), sign = (quarter & 2) << 62;
    const uint64_t v = (bits_f64(c) & odd) | (bits_f64(s) & ~odd);
    return (float)f64_of(v ^ sign);
}
LANE float sin_lane(float x)
{
    uint64_t quarter;
    const double r = reduce(x, &quarter);
    return sine_of_quarter(r, quarter);
}
LANE float cos_lane(float x)
{
    uint64_t quarter;
    const double r = reduce(x, &quarter);
    return sine_of_quarter(r, quarter + 1);
}

/* Below 0.06 the series, which keeps the relative accuracy that 1 - 2/(e^2a + 1) loses. */
LANE float tanh_lane(float x)
{
    static const double series[] = {1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835};
    const double a = clamp_double(__builtin_fabs((double)x), 0, 40);
    const double t = exp2_double(a * -TO_LOG2);
    const double y = a < 0.06 ? a * poly(a * a, series, 5) : (1 - t) / (1 + t);
    return x != x ? x : (float)__builtin_copysign(y, (double)x);
}

LANE float load_f32(uint32_t b, bool ftz)
{
    return f32_of(ftz ? flush_f32(b) : b);
}
LANE uint32_t finish_f32(float r, bool ftz)
{
    const uint32_t b = canon_f32(r);
    return ftz ? flush_f32(b) : b;
}
#define DEF_F32(op, EXPR)                                    \
    LANE uint32_t op##_bits(uint32_t x, bool ftz)            \
    {                                                        \
        const float a = load_f32(x, ftz);                    \
        return finish_f32(EXPR, ftz);                        \
    }                                                        \
    LONG1(op##_f32, uint32_t, uint32_t, op##_bits(x, false)) \
    LONG1(op##_f32_ftz, uint32_t, uint32_t, op##_bits(x, true))
DEF_F32(rcp, 1.0f / a)
DEF_F32(sqrt, __builtin_sqrtf(a))
DEF_F32(rsqrt, 1.0f / __builtin_sqrtf(a))
DEF_F32(ex2, ex2_lane(a))
DEF_F32(lg2, lg2_lane(a))
DEF_F32(sin, sin_lane(a))
DEF_F32(cos, cos_lane(a))
DEF_F32(tanh, tanh_lane(a))

/* Arguments of sin and cos that reduce() cannot take are done again by the library. The source may
 * be overwritten by then, so they are kept first. */
static void trig(EXEC_ARGS, exec_fn vector)
{
    const uint32_t *ra = row_of(w, &in->src[0]);
    uint32_t *d = row_of(w, &in->dst[0]);
    uint32_t source[WARP_SIZE];
    lanes_t big = 0;
    LANE_LOOP
    big |= (ra[i] & 0x7fffffffu) > 0x49000000u ? lane_bit[i] : 0;
    big &= active;
    if (big)
        memcpy(source, ra, sizeof source);
    vector(w, in, active);
    for (; big; big &= big - 1) {
        const int i = __builtin_ctz(big);
        const double x = f32_of(source[i]);
        d[i] = canon_f32((float)(in->op == OP_SIN ? sin(x) : cos(x)));
    }
}
#define DEF_TRIG(name)                     \
    static void name##_any_base(EXEC_ARGS) \
    {                                      \
        trig(w, in, active, name##_base);  \
    }                                      \
    static void name##_any_wide(EXEC_ARGS) \
    {                                      \
        trig(w, in, active, name##_wide);  \
    }
DEF_TRIG(sin_f32)
DEF_TRIG(cos_f32)
DEF_TRIG(sin_f32_ftz)
DEF_TRIG(cos_f32_ftz)

LANE uint64_t finish_f64(double r, uint64_t x)
{
    return nan_f64(x) ? x | F64_QUIET : r != r ? F64_NAN : bits_f64(r);
}
LONG1(rcp_f64, uint64_t, uint64_t, finish_f64(1.0 / f64_of(x), x))
LONG1(sqrt_f64, uint64_t, uint64_t, finish_f64(__builtin_sqrt(f64_of(x)), x))
LONG1(rsqrt_f64, uint64_t, uint64_t, finish_f64(1.0 / __builtin_sqrt(f64_of(x)), x))

/* .approx.ftz.f64 sees and gives upper words only. */
LANE uint64_t upper(uint64_t b)
{
    const uint64_t flushed = b & 0x7ff0000000000000ull ? b : b & 0x8000000000000000ull;
    return flushed & 0xffffffff00000000ull;
}
LONG1(rcp_f64_ftz, uint64_t, uint64_t, upper(finish_f64(1.0 / f64_of(upper(x)), upper(x))))
LONG1(rsqrt_f64_ftz, uint64_t, uint64_t,
      upper(finish_f64(1.0 / __builtin_sqrt(f64_of(upper(x))), upper(x))))

/* ex2 and tanh of f16 and bf16, singly or in pairs. */
LANE uint32_t half_sfu(enum opcode op, uint32_t h, bool bf, bool ftz)
{
    const float a = bf ? f32_from_bf16(h & 0xffff) : f32_from_f16(h);
    const float r = op == OP_EX2 ? ex2_lane(ftz ? load_f32(bits_f32(a), true) : a) : tanh_lane(a);
    return bf ? bf16_from_f32(ftz ? load_f32(bits_f32(r), true) : r) : f16_from_f32(r);
}
static void sfu_half(EXEC_ARGS)
{
    ROWS_1(uint32_t, uint32_t);
    const bool bf = in->type == VT_BF16 || in->type == VT_BF16X2, ftz = in->flags & INST_FTZ;
    const bool pair = in->type == VT_F16X2 || in->type == VT_BF16X2;
    ACTIVE_LOOP
    {
        const uint32_t high = pair ? half_sfu(in->op, ra[i] >> 16, bf, ftz) : 0;
        d[i] = high << 16 | half_sfu(in->op, ra[i] & 0xffff, bf, ftz);
    }
}

#define BOTH(op)                           \
    {                                      \
        IMPL(op##_f32), IMPL(op##_f32_ftz) \
    }
static const struct exec_impl f32_table[OP_COUNT][2] = {
    [OP_RCP] = BOTH(rcp),
    [OP_SQRT] = BOTH(sqrt),
    [OP_RSQRT] = BOTH(rsqrt),
    [OP_EX2] = BOTH(ex2),
    [OP_LG2] = BOTH(lg2),
    [OP_TANH] = BOTH(tanh),
    [OP_SIN] = {IMPL(sin_f32_any), IMPL(sin_f32_ftz_any)},
    [OP_COS] = {IMPL(cos_f32_any), IMPL(cos_f32_ftz_any)},
};
static const struct exec_impl f64_table[OP_COUNT][2] = {
    [OP_RCP] = {IMPL(rcp_f64), IMPL(rcp_f64_ftz)},
    [OP_SQRT] = {IMPL(sqrt_f64)},
    [OP_RSQRT] = {IMPL(rsqrt_f64), IMPL(rsqrt_f64_ftz)},
};

static bool is_half(enum vtype t)
{
    return t == VT_F16 || t == VT_F16X2 || t == VT_BF16 || t == VT_BF16X2;
}

exec_fn exec_lookup_sfu(const struct inst *in)
{
    const bool sink = in->dst[0].off == OPND_NONE, ftz = in->flags & INST_FTZ;
    if (in->rnd == RND_RZ || in->rnd == RND_RM || in->rnd == RND_RP)
        return in->op == OP_RCP || in->op == OP_SQRT ? exec_lookup_round(in) : NULL;
    if (is_half(in->type) && (in->op == OP_EX2 || in->op == OP_TANH))
        return sink ? exec_nothing : sfu_half;
    if (in->type != VT_F32 && in->type != VT_F64)
        return NULL;
    const struct exec_impl *impl =
        in->type == VT_F32 ? &f32_table[in->op][ftz] : &f64_table[in->op][ftz];
    return !impl->base ? NULL : sink ? exec_nothing : exec_pick(impl);
}
