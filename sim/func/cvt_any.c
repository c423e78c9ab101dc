/* cvt_any.c -- conversion between any two types, in any rounding, one lane at a time.
 *
 * A source value becomes an integer of 65 bits or a double (exact for every float type). Integers
 * too long for a double go through one rounded to odd, so that only the final rounding counts.
 *
 * NaN to integer gives 0, or, from .f64 or to a 64-bit type, only the top bit set (PTX ISA 9.0,
 * cvt). Values out of range give the nearest integer of the type; .sat adds nothing there. */
#include "sim/func/cvt_any.h"
#include "sim/func/fpbits.h"
#include "sim/func/fpround.h"
#include <math.h>

typedef __int128 wide_int;

LANE uint64_t read_bits(const void *row, int width, int i)
{
    return width == 8 ? ((const uint64_t *)row)[i] : ((const uint32_t *)row)[i];
}

static wide_int int_value(uint64_t bits, enum vtype t)
{
    const int drop = 64 - 8 * type_bytes(t);
    return type_is_signed(t) ? (wide_int)((int64_t)(bits << drop) >> drop)
                             : (wide_int)(bits << drop >> drop);
}

static double float_value(uint64_t bits, enum vtype t, bool ftz)
{
    switch (t) {
    case VT_F16:
        return f32_from_f16((uint32_t)bits & 0xffff);
    case VT_BF16:
        return f32_from_bf16((uint32_t)bits & 0xffff);
    case VT_F32:
        return f32_of(ftz ? flush_f32((uint32_t)bits) : (uint32_t)bits);
    default:
        return f64_of(bits);
    }
}

/* In the current rounding mode, whatever the compiler makes of a plain cast: some turn 0 into -0
 * when rounding is downward. */
static double double_from_u64(uint64_t m)
{
    const uint64_t half = m >> 1 | (m & 1); /* the lost digit stays visible to the rounding */
    return m >> 63 ? 2.0 * (double)(int64_t)half : (double)(int64_t)m;
}
/* The double nearest to v when |v| < 2^53, else v rounded to odd. */
static double odd_double(wide_int v)
{
    const uint64_t m = (uint64_t)(v < 0 ? -v : v);
    const uint64_t low = m >> 53 ? 0x7ff : 0;
    const double kept = double_from_u64((m & ~low) | (m & low ? low + 1 : 0));
    return v < 0 ? -kept : kept;
}

static double round_integral(double v, enum rounding r)
{
    switch (r) {
    case RND_RZI:
    case RND_RZ:
        return trunc(v);
    case RND_RMI:
    case RND_RM:
        return floor(v);
    case RND_RPI:
    case RND_RP:
        return ceil(v);
    default:
        return rint(v);
    }
}

static void int_range(int bits, bool is_signed, wide_int *lo, wide_int *hi)
{
    *hi = ((wide_int)1 << (is_signed ? bits - 1 : bits)) - 1;
    *lo = is_signed ? -*hi - 1 : 0;
}
static wide_int clamp_wide(wide_int v, int bits, bool is_signed)
{
    wide_int lo, hi;
    int_range(bits, is_signed, &lo, &hi);
    return v < lo ? lo : v > hi ? hi : v;
}

static wide_int int_from_float(double v, const struct inst *in)
{
    const int bits = 8 * type_bytes(in->type);
    if (isnan(v))
        return in->stype == VT_F64 || bits == 64 ? (wide_int)1 << (bits - 1) : 0;
    const double whole = round_integral(v, in->rnd);
    const double beyond = 0x1p65;
    const double bounded = whole > beyond ? beyond : whole < -beyond ? -beyond : whole;
    return clamp_wide((wide_int)bounded, bits, type_is_signed(in->type));
}

/* v to 16 bits in the current rounding mode, which is in->rnd. */
static uint32_t half_from_double(double v, bool bf, enum rounding r)
{
    if (isnan(v))
        return F16_NAN;
    const double q = bf ? round_digits(v, 8, -126) : round_digits(v, 11, -14);
    if (isinf(v) || fabs(q) < (bf ? 0x1p128 : 0x1p16))
        return bf ? bits_f32((float)q) >> 16 : f16_from_f32((float)q);
    const bool nearest = r == RND_NONE || r == RND_RN;
    const bool to_inf = nearest || r == (q > 0 ? RND_RP : RND_RM);
    const uint32_t inf = bf ? 0x7f80 : 0x7c00;
    return (to_inf ? inf : inf - 1) | (q < 0 ? 0x8000 : 0);
}

static uint32_t tf32_from_float(uint32_t b, enum rounding r)
{
    if (nan_f32(b))
        return F32_NAN;
    const uint32_t dropped = 0x1fff, half = 0x1000;
    const uint32_t up = r == RND_RZ ? 0 : r == RND_RNA ? half : half - 1 + (b >> 13 & 1);
    return (b & 0x7f800000u) == 0x7f800000u ? b : (b + up) & ~dropped;
}

static uint64_t float_bits(double v, const struct inst *in)
{
    const bool integral = in->rnd >= RND_RNI && in->rnd <= RND_RPI;
    if (integral && !isnan(v))
        v = copysign(round_integral(v, in->rnd), v);
    if (in->flags & INST_SAT)
        v = saturate_f64(v);
    if (in->flags & INST_RELU)
        v = v <= 0.0 ? 0.0 : v;
    switch ((enum vtype)in->type) {
    case VT_F16:
    case VT_F16X2:
        return half_from_double(v, false, in->rnd);
    case VT_BF16:
    case VT_BF16X2:
        return half_from_double(v, true, in->rnd);
    case VT_F32: {
        const uint32_t b = canon_f32((float)v);
        return in->flags & INST_FTZ ? flush_f32(b) : b;
    }
    case VT_B32:
        return tf32_from_float(bits_f32((float)v), in->rnd);
    default:
        return bits_f64(isnan(v) ? f64_of(bits_f64(v) | F64_QUIET) : v);
    }
}

/* Integers fill the register: a signed one extends its sign into a wider register. */
static uint64_t fill_register(wide_int v, const struct inst *in)
{
    const int drop = 64 - 8 * type_bytes(in->type), bits = in->dst[0].bits;
    const uint64_t u = (uint64_t)v << drop;
    const uint64_t all = type_is_signed(in->type) ? (uint64_t)((int64_t)u >> drop) : u >> drop;
    return bits == 8 || bits == 16 ? all & (UINT64_MAX >> (64 - bits)) : all;
}

static uint64_t convert(uint64_t bits, const struct inst *in)
{
    const bool to_float = type_is_float(in->type) || in->type == VT_B32;
    if (type_is_float(in->stype)) {
        const double v = float_value(bits, in->stype, in->flags & INST_FTZ);
        return to_float ? float_bits(v, in) : fill_register(int_from_float(v, in), in);
    }
    const wide_int v = int_value(bits, in->stype);
    if (!to_float) {
        const int to = 8 * type_bytes(in->type);
        const bool sat = in->flags & INST_SAT;
        return fill_register(sat ? clamp_wide(v, to, type_is_signed(in->type)) : v, in);
    }
    if (in->type != VT_F64)
        return float_bits(odd_double(v), in);
    return float_bits(v < 0 ? (double)(int64_t)v : double_from_u64((uint64_t)v), in);
}

static void cvt_any(EXEC_ARGS)
{
    const void *a = row_of(w, &in->src[0]);
    void *d = row_of(w, &in->dst[0]);
    const int from = in->src[0].width, to = in->dst[0].width;
    round_begin(in->rnd);
    ACTIVE_LOOP
    {
        const uint64_t r = convert(read_bits(a, from, (int)i), in);
        if (to == 8)
            ((uint64_t *)d)[i] = r;
        else
            ((uint32_t *)d)[i] = (uint32_t)r;
    }
    round_end();
}

/* cvt.rn.f16x2.f32 d, a, b: a goes into the upper half. */
static void cvt_pair(EXEC_ARGS)
{
    ROWS_2(uint32_t, uint32_t, uint32_t);
    round_begin(in->rnd);
    ACTIVE_LOOP
    {
        const double high = float_value(ra[i], VT_F32, in->flags & INST_FTZ);
        const double low = float_value(rb[i], VT_F32, in->flags & INST_FTZ);
        d[i] = (uint32_t)(float_bits(high, in) << 16 | float_bits(low, in));
    }
    round_end();
}

/* cvt.pack.sat d, a, b {, c}: b lowest, then a, then what fits of c. */
static void cvt_pack(EXEC_ARGS)
{
    ROWS_2(uint32_t, uint32_t, uint32_t);
    const uint32_t *rc = in->ns > 2 ? row_of(w, &in->src[2]) : NULL;
    const int bits = in->imm ? (int)in->imm : 8 * type_bytes(in->type);
    const bool sd = type_is_signed(in->type);
    const uint32_t mask = (1u << bits) - 1;
    ACTIVE_LOOP
    {
        const wide_int high = clamp_wide(int_value(ra[i], in->stype), bits, sd);
        const wide_int low = clamp_wide(int_value(rb[i], in->stype), bits, sd);
        const uint32_t pair = ((uint32_t)high & mask) << bits | ((uint32_t)low & mask);
        d[i] = rc ? rc[i] << (2 * bits) | pair : pair;
    }
}

static bool is_scalar_number(enum vtype t)
{
    return (t >= VT_U8 && t <= VT_F16) || t == VT_BF16 || t == VT_F32 || t == VT_F64;
}

exec_fn exec_lookup_cvt_any(const struct inst *in)
{
    if (in->op != OP_CVT)
        return NULL;
    const bool words = in->stype == VT_S32 || in->stype == VT_U32;
    if (in->aop == ATOM_EXCH)
        return words && in->ns >= 2 && type_bytes(in->type) <= 2 ? cvt_pack : NULL;
    if (in->type == VT_F16X2 || in->type == VT_BF16X2)
        return in->stype == VT_F32 && in->ns == 2 ? cvt_pair : NULL;
    if (in->type == VT_B32)
        return in->stype == VT_F32 ? cvt_any : NULL;
    return is_scalar_number(in->type) && is_scalar_number(in->stype) ? cvt_any : NULL;
}
