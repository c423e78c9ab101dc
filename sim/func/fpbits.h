/* sim/func/fpbits.h -- lane helpers on floating-point bit patterns: bit casts, flushing, canonical
 * NaNs, half and bfloat16 to and from wider formats. All of them vectorise.
 *
 * Rounding to a narrower format twice is exact when the first rounding is "to odd" (an inexact
 * result gets an odd last digit) and has two digits more than the second: odd_sum() gives such a
 * sum. */
#ifndef MDP_SIM_FUNC_FPBITS_H
#define MDP_SIM_FUNC_FPBITS_H

#include "sim/func/lanes.h"

#define F32_NAN 0x7fffffffu /* the canonical NaNs of the hardware */
#define F16_NAN 0x7fffu     /* also bfloat16's */
#define F64_NAN \
    0xfff8000000000000ull /* of invalid operations; a NaN operand passes through, quiet */
#define F64_QUIET 0x0008000000000000ull

LANE float f32_of(uint32_t b)
{
    float f;
    memcpy(&f, &b, 4);
    return f;
}
LANE uint32_t bits_f32(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
}
LANE double f64_of(uint64_t b)
{
    double f;
    memcpy(&f, &b, 8);
    return f;
}
LANE uint64_t bits_f64(double f)
{
    uint64_t b;
    memcpy(&b, &f, 8);
    return b;
}

/* Subnormals to zero of the same sign. */
LANE uint32_t flush_f32(uint32_t b)
{
    return b & 0x7f800000u ? b : b & 0x80000000u;
}
LANE uint32_t flush_f16(uint32_t h)
{
    return h & 0x7c00u ? h : h & 0x8000u;
}
LANE uint32_t canon_f32(float f)
{
    return f != f ? F32_NAN : bits_f32(f);
}
/* [0, 1], NaN to +0. */
LANE float saturate_f32(float f)
{
    return f > 0.0f ? (f < 1.0f ? f : 1.0f) : 0.0f;
}
LANE double saturate_f64(double f)
{
    return f > 0.0 ? (f < 1.0 ? f : 1.0) : 0.0;
}
LANE bool nan_f32(uint32_t b)
{
    return (b & 0x7fffffffu) > 0x7f800000u;
}
LANE bool nan_f64(uint64_t b)
{
    return (b & INT64_MAX) > 0x7ff0000000000000ull;
}

/* A double v with |v| < 2^51 plus this is v rounded to an integer, whose low bits are the integer:
 * that rounds and converts without leaving the vector unit. */
#define INTEGER_MAGIC 0x1.8p52
/* Masks instead of branches, which would keep a loop from being vectorised. */
LANE double one_if(bool c)
{
    return f64_of(bits_f64(1.0) & -(uint64_t)c);
}
/* Of v in [0, 2^51). */
LANE double integral_part(double v)
{
    const double n = v + INTEGER_MAGIC - INTEGER_MAGIC;
    return n - one_if(n > v);
}

LANE float f32_from_f16(uint32_t h)
{
    const uint32_t sign = (h & 0x8000u) << 16, mag = (h & 0x7fffu) << 13;
    const uint32_t normal = mag + (112u << 23), special = mag | 0x7f800000u;
    const float tiny = f32_of(mag + (113u << 23)) - f32_of(113u << 23);
    const uint32_t v = mag >= 31u << 23 ? special : mag < 1u << 23 ? bits_f32(tiny) : normal;
    return f32_of((v & 0x7fffffffu) | sign); /* rounded down, the zero of `tiny` is negative */
}
/* Round to nearest even; NaN becomes the canonical one. */
LANE uint32_t f16_from_f32(float f)
{
    const uint32_t b = bits_f32(f), mag = b & 0x7fffffffu, sign = b >> 16 & 0x8000u;
    /* adding 0.5 moves a result's last subnormal digit, 2^-24, to the last digit of the sum */
    const uint32_t tiny = bits_f32(f32_of(mag) + 0.5f) - bits_f32(0.5f);
    const uint32_t normal = (mag - (112u << 23) + 0xfff + (mag >> 13 & 1)) >> 13;
    const uint32_t big = mag > 0x7f800000u ? F16_NAN : 0x7c00u;
    const uint32_t v = mag >= 143u << 23 ? big : mag < 113u << 23 ? tiny : normal;
    return v | (mag > 0x7f800000u ? 0 : sign);
}
LANE float f32_from_bf16(uint32_t h)
{
    return f32_of(h << 16);
}
LANE uint32_t bf16_from_f32(float f)
{
    const uint32_t b = bits_f32(f), rounded = (b + 0x7fff + (b >> 16 & 1)) >> 16;
    return nan_f32(b) ? F16_NAN : rounded;
}

/* a + b rounded to odd. Knuth's two-sum gives the error of the rounded sum exactly. */
LANE double odd_sum(double a, double b)
{
    const double s = a + b, t = s - a, e = (a - (s - t)) + (b - t);
    const uint64_t u = bits_f64(s), even = ~u & 1;
    const uint64_t inexact = -(uint64_t)((e > 0.0) | (e < 0.0));
    const uint64_t opposite = (bits_f64(e) ^ u) >> 63; /* the exact sum is nearer to zero than s */
    return f64_of(u + ((1 - 2 * opposite) & inexact & -even));
}
/* v rounded in the current direction to `digits` binary digits, not below 2^(emin - digits + 1);
 * exact in the narrow format afterwards unless it overflows there. Needs |v| < 2^900. */
LANE double round_digits(double v, int digits, int emin)
{
    const int exponent = (int)(bits_f64(v) >> 52 & 0x7ff) - 1023;
    const int e = exponent < emin ? emin : exponent;
    /* 1.5 x 2^52 units in the last place, of v's sign so that rounding toward zero stays that: the
     * sum drops every digit below */
    const uint64_t sign = bits_f64(v) & ~(uint64_t)INT64_MAX;
    const double magic =
        f64_of((uint64_t)(1023 + e - digits + 1 + 52) << 52 | UINT64_C(1) << 51 | sign);
    const double r = v + magic - magic;
    return exponent > 900 ? v : f64_of((bits_f64(r) & INT64_MAX) | sign);
}
/* Correct for any double that is exact or rounded to odd. */
LANE uint32_t f16_from_f64(double v)
{
    return f16_from_f32((float)round_digits(v, 11, -14));
}
LANE uint32_t bf16_from_f64(double v)
{
    return bf16_from_f32((float)round_digits(v, 8, -126));
}

#endif
