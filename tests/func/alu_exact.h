/* tests/func/alu_exact.h -- floating-point formats over MPFR: exact values, and results rounded
 * once in any mode, with subnormals. The reference for every arithmetic test. */
#ifndef MDP_TESTS_FUNC_ALU_EXACT_H
#define MDP_TESTS_FUNC_ALU_EXACT_H

#include <mpfr.h>

#include "tests/func/alu_values.h"

/* MPFR's exponents: a number is 0.1xxx x 2^e. */
struct format {
    int bits, digits, emin, emax;
    uint64_t nan;
};
static inline struct format format_of(enum vtype t)
{
    switch (t) {
    case VT_F16:
    case VT_F16X2:
        return (struct format){16, 11, -23, 16, 0x7fff};
    case VT_BF16:
    case VT_BF16X2:
        return (struct format){16, 8, -132, 128, 0x7fff};
    case VT_F32:
        return (struct format){32, 24, -148, 128, 0x7fffffff};
    default:
        return (struct format){64, 53, -1073, 1024, 0xfff8000000000000};
    }
}
static inline mpfr_rnd_t mpfr_mode(int rnd)
{
    switch (rnd) {
    case RND_RZ:
        return MPFR_RNDZ;
    case RND_RM:
        return MPFR_RNDD;
    case RND_RP:
        return MPFR_RNDU;
    default:
        return MPFR_RNDN;
    }
}

/* x = the value of a bit pattern; x has precision enough. */
static inline void exact_set(mpfr_t x, enum vtype t, uint64_t b, bool ftz)
{
    const struct format f = format_of(t);
    const int fraction = f.digits - 1, ebits = f.bits - f.digits;
    const uint64_t mantissa = b & ((UINT64_C(1) << fraction) - 1);
    const int exponent = (int)(b >> fraction & ((1u << ebits) - 1));
    const bool negative = b >> (f.bits - 1) & 1;
    if (exponent == (1 << ebits) - 1) {
        if (mantissa)
            mpfr_set_nan(x);
        else
            mpfr_set_inf(x, negative ? -1 : 1);
        return;
    }
    mpfr_set_emin(-5000), mpfr_set_emax(5000);
    const bool subnormal = exponent == 0;
    const uint64_t digits = subnormal ? (ftz ? 0 : mantissa) : mantissa | UINT64_C(1) << fraction;
    mpfr_set_ui_2exp(x, digits, (subnormal ? 1 : exponent) + f.emin - 2, MPFR_RNDN);
    mpfr_setsign(x, x, negative, MPFR_RNDN);
}
static inline bool is_nan_bits(enum vtype t, uint64_t b)
{
    const struct format f = format_of(t);
    const uint64_t inf = ((UINT64_C(1) << (f.bits - f.digits)) - 1) << (f.digits - 1);
    return (b & ((UINT64_C(1) << (f.bits - 1)) - 1)) > inf;
}

/* The bit pattern of r, which is exact in the format. */
static inline uint64_t exact_bits(mpfr_t r, enum vtype t, bool ftz)
{
    const struct format f = format_of(t);
    const uint64_t sign = (uint64_t)(mpfr_signbit(r) != 0) << (f.bits - 1);
    const uint64_t inf = ((UINT64_C(1) << (f.bits - f.digits)) - 1) << (f.digits - 1);
    if (mpfr_nan_p(r))
        return f.nan;
    if (mpfr_inf_p(r))
        return sign | inf;
    if (mpfr_zero_p(r))
        return sign;
    mpfr_t m;
    mpfr_init2(m, 60);
    mpfr_set_emin(-5000), mpfr_set_emax(5000);
    const int lowest = f.emin + f.digits - 1; /* MPFR exponent of the least normal number */
    const int e = (int)mpfr_get_exp(r) < lowest ? lowest : (int)mpfr_get_exp(r);
    mpfr_mul_2si(m, r, f.digits - e, MPFR_RNDN);
    mpfr_abs(m, m, MPFR_RNDN);
    const uint64_t digits = mpfr_get_ui(m, MPFR_RNDZ);
    mpfr_clear(m);
    const uint64_t one = UINT64_C(1) << (f.digits - 1);
    if (digits < one) /* subnormal */
        return ftz ? sign : sign | digits;
    return sign | (uint64_t)(e - lowest + 1) << (f.digits - 1) | (digits & (one - 1));
}

/* One operation rounded once into the format: r has the format's precision. The exponents are set
 * to the format's, MPFR rounds to its digits and to its subnormals, and `inexact` says what was
 * lost. */
static inline void format_begin(mpfr_t r, enum vtype t)
{
    const struct format f = format_of(t);
    mpfr_set_prec(r, f.digits);
    mpfr_set_emin(f.emin), mpfr_set_emax(f.emax);
}
static inline uint64_t format_end(mpfr_t r, enum vtype t, int inexact, int rnd, bool ftz)
{
    inexact = mpfr_check_range(r, inexact, mpfr_mode(rnd));
    mpfr_subnormalize(r, inexact, mpfr_mode(rnd));
    return exact_bits(r, t, ftz);
}
/* x rounded into a format. */
static inline uint64_t exact_round(mpfr_t x, enum vtype t, int rnd, bool ftz)
{
    mpfr_t r;
    mpfr_init2(r, 60);
    format_begin(r, t);
    const int inexact = mpfr_set(r, x, mpfr_mode(rnd));
    const uint64_t b = format_end(r, t, inexact, rnd, ftz);
    mpfr_clear(r);
    return b;
}
/* [0, 1], NaN to +0, on a bit pattern. */
static inline uint64_t exact_saturate(enum vtype t, uint64_t b)
{
    const struct format f = format_of(t);
    const uint64_t one = ((UINT64_C(1) << (f.bits - f.digits - 1)) - 1) << (f.digits - 1);
    if (is_nan_bits(t, b) || b >> (f.bits - 1))
        return 0;
    return b > one ? one : b;
}

#endif
