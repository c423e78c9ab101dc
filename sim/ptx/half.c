#include "sim/ptx/half.h"

#include <string.h>

/* Round to nearest even; a format of 16 bits with `mant` stored mantissa bits. Subnormals and
 * overflow follow from doing the rounding on an integer scaled to the format's last place. */
static uint16_t to_half(double d, int mant)
{
    const int exp_bits = 15 - mant, bias = (1 << (exp_bits - 1)) - 1;
    const uint16_t sign = (uint16_t)(__builtin_signbit(d) ? 0x8000 : 0);
    const uint16_t inf = (uint16_t)(((1 << exp_bits) - 1) << mant);
    double a = __builtin_fabs(d);
    if (__builtin_isnan(d))
        return 0x7fff;
    int exp = -bias; /* zero lies below every normal number */
    if (a != 0.0 && !__builtin_isinf(a))
        __builtin_frexp(a, &exp);
    if (__builtin_isinf(a) || exp > bias + 1)
        return sign | inf;
    int e = exp - 1 < 1 - bias ? 1 - bias : exp - 1; /* exponent of the leading bit, clamped */
    const double scaled = __builtin_rint(__builtin_ldexp(a, mant - e));
    /* A mantissa that rounds up to the next power carries into the exponent by itself. */
    const uint32_t bits = (uint32_t)scaled + ((uint32_t)(e + bias - 1) << mant);
    return (uint16_t)(sign | (bits > inf ? inf : bits));
}

static double value(const struct operand *o)
{
    if (o->kind == OPERAND_F64)
        return o->d;
    const uint32_t u = (uint32_t)o->i;
    float f;
    memcpy(&f, &u, sizeof f);
    return (double)f;
}

bool number_bits(const struct operand *o, enum vtype t, uint64_t *bits)
{
    const double d = value(o);
    const float f = (float)d;
    uint32_t u;
    switch (t) {
    case VT_F64:
    case VT_B64:
        memcpy(bits, &d, sizeof d);
        return true;
    case VT_F32:
    case VT_B32:
        memcpy(&u, &f, sizeof f);
        *bits = o->kind == OPERAND_F32 ? (uint32_t)o->i : u; /* keeps a NaN's payload */
        return true;
    case VT_F16:
    case VT_B16:
        *bits = to_half(d, 10);
        return true;
    case VT_BF16:
        *bits = to_half(d, 7);
        return true;
    default:
        return false;
    }
}
