/* cvt.c -- the conversions that compilers emit often, vectorised; all others: cvt_any.c. */
#include "sim/func/cvt_any.h"
#include "sim/func/fpbits.h"

/* The low `keep` bits of v, extended; drop = bits of the row - keep. */
LANE uint32_t extend_32(uint32_t v, int drop, bool is_signed)
{
    const uint32_t up = v << drop;
    return is_signed ? (uint32_t)((int32_t)up >> drop) : up >> drop;
}
LANE uint64_t extend_64(uint64_t v, int drop, bool is_signed)
{
    const uint64_t up = v << drop;
    return is_signed ? (uint64_t)((int64_t)up >> drop) : up >> drop;
}
static int dropped(enum vtype t, int row_bits)
{
    const int bits = 8 * type_bytes(t);
    return bits < row_bits ? row_bits - bits : 0;
}
static uint64_t register_mask(int bits)
{
    return bits == 8 || bits == 16 ? UINT64_MAX >> (64 - bits) : UINT64_MAX;
}
/* Read as the source type, wrapped to the destination type, extended into the register. */
#define INT_ROWS(D, A, ROW, V)                 \
    ROWS_1(D, A);                              \
    const int ds = dropped(in->stype, ROW);    \
    const int dd = dropped(in->type, ROW);     \
    const bool ss = type_is_signed(in->stype); \
    const bool sd = type_is_signed(in->type);  \
    const V kept = (V)register_mask(in->dst[0].bits)
#define DEF_INT(name, ROW, D, A, V)                                       \
    EXEC_PAIR(name, D, SPREAD(INT_ROWS(D, A, ROW, V)), SPREAD(LOAD_1(A)), \
              extend_##ROW(extend_##ROW((V)x, ds, ss), dd, sd) & kept)
DEF_INT(int_32_32, 32, uint32_t, uint32_t, uint32_t)
DEF_INT(int_32_64, 32, uint32_t, uint64_t, uint32_t)
DEF_INT(int_64_32, 64, uint64_t, uint32_t, uint64_t)
DEF_INT(int_64_64, 64, uint64_t, uint64_t, uint64_t)
EXEC1(s64_s32, uint64_t, uint32_t, (int64_t)(int32_t)x)
EXEC1(u64_u32, uint64_t, uint32_t, x)
EXEC1(u32_u64, uint32_t, uint64_t, x)

EXEC1(f32_s32, uint32_t, uint32_t, bits_f32((float)(int32_t)x))
EXEC1(f32_u32, uint32_t, uint32_t, bits_f32((float)x))
EXEC1(f32_s16, uint32_t, uint32_t, bits_f32((float)(int16_t)x))
EXEC1(f32_u16, uint32_t, uint32_t, bits_f32((float)(uint16_t)x))
EXEC1(f32_u8, uint32_t, uint32_t, bits_f32((float)(uint8_t)x))
EXEC1(f32_s64, uint32_t, uint64_t, bits_f32((float)(int64_t)x))
EXEC1(f32_u64, uint32_t, uint64_t, bits_f32((float)x))
EXEC1(f64_s32, uint64_t, uint32_t, bits_f64((int32_t)x))
EXEC1(f64_u32, uint64_t, uint32_t, bits_f64(x))
EXEC1(f64_s64, uint64_t, uint64_t, bits_f64((double)(int64_t)x))
EXEC1(f64_u64, uint64_t, uint64_t, bits_f64((double)x))

/* v in (-2^51, 2^51) to an integral value. */
LANE double integral(double v, enum rounding r)
{
    const double n = v + INTEGER_MAGIC - INTEGER_MAGIC;
    switch (r) {
    case RND_RMI:
        return n - one_if(n > v);
    case RND_RPI:
        return n + one_if(n < v);
    case RND_RZI:
        return __builtin_copysign(integral_part(__builtin_fabs(v)), v);
    default:
        return n;
    }
}
LANE uint32_t word_from_double(double v, enum rounding r, bool is_signed, uint32_t nan)
{
    const double lo = is_signed ? -0x1p31 : 0, hi = is_signed ? 0x1.fffffffcp30 : 0x1.fffffffep31;
    const double below = v < hi ? v : hi, in_range = below > lo ? below : lo;
    const uint64_t whole = bits_f64(integral(in_range, r) + INTEGER_MAGIC);
    return (uint32_t)(v != v ? nan : whole);
}
/* Toward zero, the commonest, the host does in one step for what is in range. */
LANE uint32_t s32_toward_zero(float f)
{
    const float limit = 2147483648.0f; /* 2^31 */
    const float below = f < limit ? f : 0.0f, in_range = below > -limit ? below : -limit;
    const uint32_t whole = (uint32_t)(int32_t)in_range;
    return f >= limit ? INT32_MAX : f == f ? whole : 0;
}
/* The nearest integral float; from 2^23 on every float is one. */
LANE uint32_t integral_float(uint32_t b, enum rounding r, bool ftz)
{
    b = ftz ? flush_f32(b) : b;
    const float f = f32_of(b);
    const bool small = (b & 0x7fffffffu) < 0x4b000000u;
    const uint32_t whole = bits_f32((float)integral(small ? (double)f : 0.0, r));
    return small ? (whole & 0x7fffffffu) | (b & 0x80000000u) : f != f ? F32_NAN : b;
}
#define FTZ_ROWS                \
    ROWS_1(uint32_t, uint32_t); \
    const bool ftz = in->flags & INST_FTZ
#define EXEC_FTZ(name, EXPR) \
    EXEC_LONG(name, uint32_t, SPREAD(FTZ_ROWS), SPREAD(LOAD_1(uint32_t)), EXPR)
LANE double from_f32(uint32_t b, bool ftz)
{
    return f32_of(ftz ? flush_f32(b) : b);
}
#define DEF_ROUND(r, R)                                                                        \
    EXEC_FTZ(s32_f32_##r, R == RND_RZI ? s32_toward_zero(f32_of(x))                            \
                                       : word_from_double(from_f32(x, ftz), R, true, 0))       \
    EXEC_FTZ(u32_f32_##r, word_from_double(from_f32(x, ftz), R, false, 0))                     \
    LONG1(s32_f64_##r, uint32_t, uint64_t, word_from_double(f64_of(x), R, true, 0x80000000u))  \
    LONG1(u32_f64_##r, uint32_t, uint64_t, word_from_double(f64_of(x), R, false, 0x80000000u)) \
    EXEC_FTZ(f32_f32_##r, integral_float(x, R, ftz))
DEF_ROUND(rni, RND_RNI)
DEF_ROUND(rzi, RND_RZI)
DEF_ROUND(rmi, RND_RMI)
DEF_ROUND(rpi, RND_RPI)

EXEC_FTZ(f32_f32, canon_f32(f32_of(ftz ? flush_f32(x) : x)))
EXEC_FTZ(f32_sat_f32, bits_f32(saturate_f32(f32_of(ftz ? flush_f32(x) : x))))
LONG1(f32_f16, uint32_t, uint32_t, canon_f32(f32_from_f16(x)))
EXEC_FTZ(f16_f32, f16_from_f32(f32_of(ftz ? flush_f32(x) : x)))
EXEC1(f32_bf16, uint32_t, uint32_t, canon_f32(f32_from_bf16(x)))
LONG1(bf16_f32, uint32_t, uint32_t, bf16_from_f32(f32_of(x)))
EXEC1(f32_f64, uint32_t, uint64_t, canon_f32((float)f64_of(x)))
EXEC_PAIR(f64_f32, uint64_t, ROWS_1(uint64_t, uint32_t); const bool ftz = in->flags & INST_FTZ,
                                                         SPREAD(LOAD_1(uint32_t)),
                                                         bits_f64(from_f32(x, ftz)))

/* Conversions with an executor of their own; sat: flags that must match, ftz: allowed. */
struct fast {
    uint8_t type, stype, rnd;
    bool sat, ftz;
    struct exec_impl impl;
};
#define ROUNDED(r, R)                                         \
    {VT_S32, VT_F32, R, false, true, IMPL(s32_f32_##r)},      \
        {VT_U32, VT_F32, R, false, true, IMPL(u32_f32_##r)},  \
        {VT_S32, VT_F64, R, false, false, IMPL(s32_f64_##r)}, \
        {VT_U32, VT_F64, R, false, false, IMPL(u32_f64_##r)}, \
    {                                                         \
        VT_F32, VT_F32, R, false, true, IMPL(f32_f32_##r)     \
    }
static const struct fast fast_table[] = {
    ROUNDED(rni, RND_RNI),
    ROUNDED(rzi, RND_RZI),
    ROUNDED(rmi, RND_RMI),
    ROUNDED(rpi, RND_RPI),
    {VT_F32, VT_S32, RND_RN, false, true, IMPL(f32_s32)},
    {VT_F32, VT_U32, RND_RN, false, true, IMPL(f32_u32)},
    {VT_F32, VT_S16, RND_RN, false, true, IMPL(f32_s16)},
    {VT_F32, VT_U16, RND_RN, false, true, IMPL(f32_u16)},
    {VT_F32, VT_U8, RND_RN, false, true, IMPL(f32_u8)},
    {VT_F32, VT_S64, RND_RN, false, true, IMPL(f32_s64)},
    {VT_F32, VT_U64, RND_RN, false, true, IMPL(f32_u64)},
    {VT_F64, VT_S32, RND_RN, false, false, IMPL(f64_s32)},
    {VT_F64, VT_U32, RND_RN, false, false, IMPL(f64_u32)},
    {VT_F64, VT_S64, RND_RN, false, false, IMPL(f64_s64)},
    {VT_F64, VT_U64, RND_RN, false, false, IMPL(f64_u64)},
    {VT_F32, VT_F32, RND_NONE, false, true, IMPL(f32_f32)},
    {VT_F32, VT_F32, RND_NONE, true, true, IMPL(f32_sat_f32)},
    {VT_F32, VT_F16, RND_NONE, false, true, IMPL(f32_f16)},
    {VT_F32, VT_BF16, RND_NONE, false, false, IMPL(f32_bf16)},
    {VT_F16, VT_F32, RND_RN, false, true, IMPL(f16_f32)},
    {VT_BF16, VT_F32, RND_RN, false, false, IMPL(bf16_f32)},
    {VT_F32, VT_F64, RND_RN, false, false, IMPL(f32_f64)},
    {VT_F64, VT_F32, RND_NONE, false, true, IMPL(f64_f32)},
};

static int row_width(enum vtype t)
{
    return type_bytes(t) == 8 ? 8 : 4;
}

static const struct exec_impl *find_fast(const struct inst *in)
{
    const bool sat = in->flags & INST_SAT, ftz = in->flags & INST_FTZ;
    if (in->dst[0].width != row_width(in->type) || in->src[0].width != row_width(in->stype) ||
        in->flags & INST_RELU)
        return NULL;
    for (size_t k = 0; k < sizeof fast_table / sizeof *fast_table; k++) {
        const struct fast *f = &fast_table[k];
        if (f->type == in->type && f->stype == in->stype && f->rnd == in->rnd && f->sat == sat &&
            (f->ftz || !ftz))
            return &f->impl;
    }
    return NULL;
}

static const struct exec_impl *find_int(const struct inst *in)
{
    static const struct exec_impl by_width[2][2] = {{IMPL(int_32_32), IMPL(int_32_64)},
                                                    {IMPL(int_64_32), IMPL(int_64_64)}};
    static const struct exec_impl widen_s = IMPL(s64_s32), widen_u = IMPL(u64_u32),
                                  narrow = IMPL(u32_u64);
    const bool to_wide = in->dst[0].width == 8, from_wide = in->src[0].width == 8;
    const int to = type_bytes(in->type), from = type_bytes(in->stype);
    if (to_wide && !from_wide && to == 8 && from == 4)
        return in->stype == VT_S32 ? &widen_s : &widen_u;
    if (!to_wide && from_wide && to >= 4 && from == 8 && in->dst[0].bits >= 32)
        return &narrow;
    return &by_width[to_wide][from_wide];
}

static bool is_int(enum vtype t)
{
    return t >= VT_U8 && t <= VT_S64;
}

exec_fn exec_lookup_cvt(const struct inst *in)
{
    if (in->op != OP_CVT)
        return exec_lookup_cvt_narrow(in);
    const exec_fn any = exec_lookup_cvt_any(in);
    if (!any || in->dst[0].off == OPND_NONE)
        return any ? exec_nothing : NULL;
    if (in->aop == ATOM_EXCH || in->ns > 1)
        return any;
    const bool plain_int = is_int(in->type) && is_int(in->stype) && !(in->flags & INST_SAT);
    const struct exec_impl *impl = plain_int ? find_int(in) : find_fast(in);
    return impl ? exec_pick(impl) : any;
}
