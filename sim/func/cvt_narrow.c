/* cvt_narrow.c -- conversions with numbers of a byte or less (PTX ISA 9.0, cvt): e4m3 and e5m2, the
 * 6 bits of e2m3 and e3m2, the 4 of e2m1, the scales ue8m0; and those to f16, bf16 and tf32 that
 * saturate to finite numbers or round by random bits.
 *
 * A number is read as a double, which holds all of them exactly, and rounded once. e2m3, e3m2 and
 * e2m1 have neither infinity nor NaN: a NaN becomes their largest number. Random bits are added
 * below the last digit that is kept, and what is carried into it rounds up; digits below those that
 * have a random bit are dropped. */
#include "sim/func/cvt_any.h"
#include "sim/func/fpbits.h"
#include <math.h>

struct format {
    int mant, bias; /* stored digits, exponent bias */
    uint32_t max, inf, nan;
    int bits;  /* of a number where several are packed */
    int drop;  /* zeros below it (tf32) */
    int noise; /* random bits that it takes */
};

static const struct format formats[VT_COUNT] = {
    [VT_E4M3X2] = {3, 7, 0x7e, 0x7e, 0x7f, 8, 0, 16},
    [VT_E5M2X2] = {2, 15, 0x7b, 0x7c, 0x7f, 8, 0, 16},
    [VT_E2M3X2] = {3, 1, 0x1f, 0x1f, 0x1f, 8, 0, 16},
    [VT_E3M2X2] = {2, 3, 0x1f, 0x1f, 0x1f, 8, 0, 16},
    [VT_E2M1X2] = {1, 1, 0x7, 0x7, 0x7, 4, 0, 8},
    [VT_E4M3X4] = {3, 7, 0x7e, 0x7e, 0x7f, 8, 0, 16},
    [VT_E5M2X4] = {2, 15, 0x7b, 0x7c, 0x7f, 8, 0, 16},
    [VT_E2M3X4] = {3, 1, 0x1f, 0x1f, 0x1f, 8, 0, 16},
    [VT_E3M2X4] = {2, 3, 0x1f, 0x1f, 0x1f, 8, 0, 16},
    [VT_E2M1X4] = {1, 1, 0x7, 0x7, 0x7, 4, 0, 8},
    [VT_F16] = {10, 15, 0x7bff, 0x7c00, 0x7fff, 16, 0, 13},
    [VT_F16X2] = {10, 15, 0x7bff, 0x7c00, 0x7fff, 16, 0, 13},
    [VT_BF16] = {7, 127, 0x7f7f, 0x7f80, 0x7fff, 16, 0, 16},
    [VT_BF16X2] = {7, 127, 0x7f7f, 0x7f80, 0x7fff, 16, 0, 16},
    [VT_B32] = {10, 127, 0x3fbff, 0x3fc00, 0x3ffff, 32, 13, 0}, /* tf32 */
};

/* The sign is the bit above the largest of all codes of the format. */
static uint32_t sign_bit(const struct format *f)
{
    const uint32_t top = f->max | f->nan;
    return (top + 1) << f->drop;
}

/* Whether a number that lies `over` (of 1) above the last digit kept is rounded up. */
static bool rounds_up(double over, bool odd, enum rounding r, uint32_t noise, int noise_bits)
{
    switch (r) {
    case RND_RZ:
        return false;
    case RND_RNA:
        return over >= 0.5;
    case RND_RS:
        return floor(ldexp(over, noise_bits)) + (double)noise >= ldexp(1.0, noise_bits);
    default:
        return over > 0.5 || (over == 0.5 && odd);
    }
}

static uint32_t encode(double v, const struct format *f, const struct inst *in, uint32_t noise)
{
    if (isnan(v))
        return f->nan << f->drop | ((1u << f->drop) - 1);
    if (in->flags & INST_RELU && v <= 0.0)
        return 0;
    const uint32_t sign = signbit(v) ? sign_bit(f) : 0;
    const uint32_t most = in->flags & INST_SATFINITE ? f->max : f->inf;
    if (isinf(v))
        return sign | most << f->drop;
    int exponent = 0;
    frexp(v, &exponent); /* |v| in [1/2, 1) x 2^exponent */
    const int e = v == 0.0 || exponent - 1 < 1 - f->bias ? 1 - f->bias : exponent - 1;
    const double digits = ldexp(fabs(v), f->mant - e), kept = floor(digits);
    /* One digit more than are stored, but for subnormal numbers; it carries into the exponent. */
    uint32_t code = (uint32_t)kept + ((uint32_t)(e + f->bias - 1) << f->mant);
    code += rounds_up(digits - kept, code & 1, in->rnd, noise, f->noise);
    if (code > f->max)
        code = in->rnd == RND_RZ ? f->max : most;
    return sign | code << f->drop;
}

static double decode(uint32_t code, const struct format *f)
{
    const uint32_t sign = sign_bit(f), bits = code & (sign - 1);
    const int e = (int)(bits >> f->mant);
    const double digits = (double)(bits & ((1u << f->mant) - 1));
    double v = e ? ldexp(digits + ldexp(1.0, f->mant), e - f->bias - f->mant)
                 : ldexp(digits, 1 - f->bias - f->mant);
    if (f->nan > f->max && bits > f->max)
        v = bits == f->inf ? (double)INFINITY : (double)NAN;
    return code & sign ? -v : v;
}

/* A scale is a power of two, 2^(code - 127), or NaN. */
static uint32_t encode_scale(double v, const struct inst *in)
{
    if (isnan(v))
        return 0xff;
    const double a = fabs(v), least = 0x1p-127;
    int exponent = 0;
    const double half = frexp(a, &exponent);
    const bool up = in->rnd == RND_RP && half > 0.5;
    const int code = a <= least ? 0 : isinf(a) ? 255 : exponent - 1 + 127 + up;
    return code == 255 && in->flags & INST_SATFINITE ? 254 : (uint32_t)code;
}

static double decode_scale(uint32_t code)
{
    return code == 0xff ? (double)NAN : ldexp(1.0, (int)code - 127);
}

static bool is_packed(enum vtype t)
{
    return t == VT_F16X2 || t == VT_BF16X2 || (t >= VT_E4M3X2 && t <= VT_UE8M0X2);
}

/* Number k of n, the first one highest. */
static double number(struct warp *w, const struct inst *in, int k, int n, uint32_t lane)
{
    const enum vtype t = in->stype;
    if (!is_packed(t))
        return f32_of(((const uint32_t *)row_of(w, &in->src[k]))[lane]);
    const int bits = t == VT_UE8M0X2 ? 8 : formats[t].bits;
    const uint32_t all = ((const uint32_t *)row_of(w, &in->src[0]))[lane] >> (bits * (n - 1 - k));
    const uint32_t code = all & ((1u << bits) - 1);
    return t == VT_UE8M0X2 ? decode_scale(code) : decode(code, &formats[t]);
}

/* The random bits of number k of n. Halves of the operand serve the first and second number, and
 * the third and fourth again, unless the numbers take a byte each. */
static uint32_t noise_of(uint32_t all, const struct format *f, int k)
{
    const uint32_t half = k % 2 ? all & 0xffff : all >> 16;
    return f->noise == 8 ? (k < 2 ? half >> 8 : half & 0xff) : half & ((1u << f->noise) - 1);
}

static int count(enum vtype t)
{
    return t >= VT_E4M3X4 && t <= VT_E2M1X4 ? 4 : is_packed(t) ? 2 : 1;
}

static void cvt_narrow(EXEC_ARGS)
{
    uint32_t *d = row_of(w, &in->dst[0]);
    const struct format *f = &formats[in->type];
    const int n = count(in->type), bits = in->type == VT_UE8M0X2 ? 8 : f->bits;
    const uint32_t *random = in->rnd == RND_RS ? row_of(w, &in->src[in->ns - 1]) : NULL;
    ACTIVE_LOOP
    {
        uint64_t all = 0;
        for (int k = 0; k < n; k++) {
            const double v = number(w, in, k, n, i);
            const uint32_t noise = random ? noise_of(random[i], f, k) : 0;
            all = all << bits |
                  (in->type == VT_UE8M0X2 ? encode_scale(v, in) : encode(v, f, in, noise));
        }
        d[i] = (uint32_t)all;
    }
}

exec_fn exec_lookup_cvt_narrow(const struct inst *in)
{
    if (in->op != OP_CVT_NARROW)
        return NULL;
    return in->dst[0].off == OPND_NONE ? exec_nothing : cvt_narrow;
}
