/* Every pair of types in every rounding, saturated and not, flushed and not, against MPFR. */
#include "tests/func/alu_exact.h"

static const enum vtype types[] = {VT_U8,  VT_S8,  VT_U16, VT_S16,  VT_U32, VT_S32,
                                   VT_U64, VT_S64, VT_F16, VT_BF16, VT_F32, VT_F64};
#define TYPES (int)(sizeof types / sizeof *types)

static bool is_float(enum vtype t)
{
    return t >= VT_F16;
}

static void exact_value(mpfr_t x, enum vtype t, uint64_t bits, bool ftz)
{
    const int n = alu_bits(t);
    if (is_float(t)) {
        exact_set(x, t, n == 64 ? bits : bits & ((UINT64_C(1) << n) - 1), ftz && t == VT_F32);
        return;
    }
    mpfr_set_emin(-5000), mpfr_set_emax(5000);
    if (type_is_signed(t))
        mpfr_set_si(x, (int64_t)(bits << (64 - n)) >> (64 - n), MPFR_RNDN);
    else
        mpfr_set_ui(x, bits << (64 - n) >> (64 - n), MPFR_RNDN);
}
static void to_integer(mpfr_t x, int rnd)
{
    switch (rnd) {
    case RND_RZI:
        mpfr_trunc(x, x);
        break;
    case RND_RMI:
        mpfr_floor(x, x);
        break;
    case RND_RPI:
        mpfr_ceil(x, x);
        break;
    default:
        mpfr_roundeven(x, x);
    }
}

/* Clamped to the type; unsaturated integer sources wrap instead. */
static uint64_t int_result(mpfr_t x, const struct inst *in)
{
    const int n = alu_bits(in->type);
    mpfr_t lo, hi;
    mpfr_init2(lo, 80), mpfr_init2(hi, 80);
    mpfr_set_si_2exp(hi, 1, type_is_signed(in->type) ? n - 1 : n, MPFR_RNDN);
    mpfr_sub_ui(hi, hi, 1, MPFR_RNDN);
    mpfr_set_si_2exp(lo, type_is_signed(in->type) ? -1 : 0, n - 1, MPFR_RNDN);
    if (is_float(in->stype) || in->flags & INST_SAT) {
        if (mpfr_less_p(x, lo))
            mpfr_set(x, lo, MPFR_RNDN);
        if (mpfr_greater_p(x, hi))
            mpfr_set(x, hi, MPFR_RNDN);
    }
    const uint64_t r =
        mpfr_sgn(x) < 0 ? (uint64_t)mpfr_get_si(x, MPFR_RNDZ) : mpfr_get_ui(x, MPFR_RNDZ);
    mpfr_clear(lo), mpfr_clear(hi);
    return r;
}

/* The register of the destination holds the value, extended as its type says. */
static uint64_t in_register(uint64_t r, const struct inst *in)
{
    const int n = alu_bits(in->type), bits = in->dst[0].bits;
    r = type_is_signed(in->type) ? (uint64_t)((int64_t)(r << (64 - n)) >> (64 - n))
                                 : r << (64 - n) >> (64 - n);
    return bits == 64 ? r : r & ((UINT64_C(1) << bits) - 1);
}

static uint64_t nan_to_int(const struct inst *in)
{
    const int n = alu_bits(in->type);
    const uint64_t top = UINT64_C(1) << (n - 1);
    return in->stype == VT_F64 || n == 64 ? in_register(top, in) : 0;
}
static uint64_t nan_to_float(const struct inst *in, uint64_t bits)
{
    if (in->flags & INST_SAT)
        return 0;
    if (in->type != VT_F64)
        return format_of(in->type).nan;
    if (in->stype == VT_F64)
        return bits | 0x0008000000000000;
    if (in->stype != VT_F32) /* f16 and bf16: all of the payload moves up */
        return (bits & 0x8000) << 48 | 0x7ff8000000000000 |
               (bits & (in->stype == VT_F16 ? 0x3ff : 0x7f)) << (in->stype == VT_F16 ? 42 : 45);
    return (bits & 0x80000000) << 32 | 0x7ff8000000000000 | (bits & 0x7fffff) << 29;
}

static uint64_t ref_cvt(const struct inst *in, const uint64_t v[])
{
    const bool ftz = in->flags & INST_FTZ;
    mpfr_t x;
    mpfr_init2(x, 80);
    exact_value(x, in->stype, v[0], ftz);
    uint64_t r;
    if (mpfr_nan_p(x)) {
        r = is_float(in->type) ? nan_to_float(in, v[0]) : nan_to_int(in);
    } else if (!is_float(in->type)) {
        if (is_float(in->stype) && !mpfr_inf_p(x))
            to_integer(x, in->rnd);
        r = in_register(int_result(x, in), in);
    } else {
        const int sign = mpfr_signbit(x);
        if (in->rnd >= RND_RNI && !mpfr_inf_p(x)) {
            to_integer(x, in->rnd);
            mpfr_setsign(x, x, sign, MPFR_RNDN);
        }
        r = exact_round(x, in->type, in->rnd, ftz && in->type == VT_F32);
        if (in->flags & INST_SAT)
            r = exact_saturate(in->type, r);
        if (in->flags & INST_RELU && r >> (alu_bits(in->type) - 1))
            r = 0;
    }
    mpfr_clear(x);
    return r;
}

static int register_bits(enum vtype t)
{
    return alu_bits(t) < 16 ? 16 : alu_bits(t);
}
static struct inst conversion(enum vtype to, enum vtype from, int rnd, uint32_t flags)
{
    struct inst in = {.op = OP_CVT,
                      .type = (uint8_t)to,
                      .stype = (uint8_t)from,
                      .rnd = (uint8_t)rnd,
                      .flags = flags};
    alu_dst(&in, 0, register_bits(to));
    alu_src(&in, 0, register_bits(from));
    return in;
}
/* A narrow integer source is drawn from the values of its register, whose upper bits do not count.
 */
static void check(const struct inst *in)
{
    alu_check_all(in, exec_lookup_cvt, ref_cvt, values_of(in->stype));
}

/* The roundings that PTX gives a pair of types. */
static void roundings(enum vtype to, enum vtype from, int *first, int *last)
{
    const bool narrows = is_float(to) && is_float(from) && to != from && !(to == VT_F64) &&
                         !(to == VT_F32 && from != VT_F64);
    *first = *last = RND_NONE;
    if (is_float(to) && (!is_float(from) || narrows))
        *first = RND_RN, *last = RND_RP;
    else if (is_float(from) && !is_float(to))
        *first = RND_RNI, *last = RND_RPI;
}
static void check_pairs(uint32_t flags)
{
    for (int t = 0; t < TYPES; t++)
        for (int f = 0; f < TYPES; f++) {
            if (flags & INST_FTZ && types[t] != VT_F32 && types[f] != VT_F32)
                continue;
            int first, last;
            roundings(types[t], types[f], &first, &last);
            for (int rnd = first; rnd <= last; rnd++) {
                const struct inst in = conversion(types[t], types[f], rnd, flags);
                check(&in);
            }
        }
}
static void every_pair_in_every_rounding(void)
{
    check_pairs(0);
}
static void every_pair_saturated(void)
{
    check_pairs(INST_SAT);
}
static void pairs_with_f32_flushed(void)
{
    check_pairs(INST_FTZ);
    check_pairs(INST_FTZ | INST_SAT);
}
static void to_integral_floats(void)
{
    static const enum vtype floats[] = {VT_F16, VT_F32, VT_F64};
    static const uint32_t flags[] = {0, INST_SAT, INST_FTZ, INST_SAT | INST_FTZ};
    for (int t = 0; t < 3; t++)
        for (int rnd = RND_RNI; rnd <= RND_RPI; rnd++)
            for (int k = 0; k < (floats[t] == VT_F32 ? 4 : 2); k++) {
                const struct inst in = conversion(floats[t], floats[t], rnd, flags[k]);
                check(&in);
            }
}
static void registers_wider_than_the_types(void)
{
    static const int widths[] = {16, 32, 64};
    for (int t = 0; t < 8; t++)
        for (int f = 0; f < TYPES; f++)
            for (int d = 0; d < 3; d++)
                for (int s = 0; s < 3; s++) {
                    if (widths[d] < alu_bits(types[t]) || widths[s] < alu_bits(types[f]) ||
                        (is_float(types[f]) && widths[s] != alu_bits(types[f])))
                        continue;
                    struct inst in =
                        conversion(types[t], types[f], is_float(types[f]) ? RND_RZI : RND_NONE, 0);
                    alu_dst(&in, 0, widths[d]), alu_src(&in, 0, widths[s]);
                    alu_check_all(&in, exec_lookup_cvt, ref_cvt,
                                  widths[s] == 64 ? SET(values_64) : values_of(types[f]));
                }
}
static void rectified(void)
{
    for (int t = 8; t < 10; t++) {
        const struct inst in = conversion(types[t], VT_F32, RND_RN, INST_RELU);
        check(&in);
    }
}

static uint64_t ref_pair(const struct inst *in, const uint64_t v[])
{
    struct inst one = *in;
    one.type = in->type == VT_F16X2 ? VT_F16 : VT_BF16;
    one.dst[0].bits = 16;
    return ref_cvt(&one, v) << 16 | ref_cvt(&one, v + 1);
}
static void packed_pairs_take_the_first_operand_up(void)
{
    for (int k = 0; k < 8; k++) {
        struct inst in = alu_inst(OP_CVT, VT_F32, k & 4 ? INST_RELU : 0, 2);
        in.type = k & 1 ? VT_BF16X2 : VT_F16X2;
        in.rnd = k & 2 ? RND_RZ : RND_RN;
        alu_check_all(&in, exec_lookup_cvt, ref_pair, SET(values_f32));
    }
}

static uint64_t ref_tf32(const struct inst *in, const uint64_t v[])
{
    if (is_nan_bits(VT_F32, v[0]))
        return 0x7fffffff;
    if ((v[0] & 0x7fffffff) == 0x7f800000)
        return v[0];
    const uint64_t magnitude = v[0] & 0x7fffffff, below = magnitude & ~UINT64_C(0x1fff),
                   rest = magnitude & 0x1fff;
    const bool odd = below >> 13 & 1;
    const bool up = in->rnd == RND_RNA  ? rest >= 0x1000
                    : in->rnd == RND_RZ ? false
                                        : rest > 0x1000 || (rest == 0x1000 && odd);
    return (v[0] & 0x80000000) | (below + (up ? 0x2000 : 0));
}
static void tf32(void)
{
    static const int modes[] = {RND_RNA, RND_RN, RND_RZ};
    for (int k = 0; k < 3; k++) {
        struct inst in = alu_inst(OP_CVT, VT_B32, 0, 1);
        in.stype = VT_F32, in.rnd = (uint8_t)modes[k];
        alu_check_all(&in, exec_lookup_cvt, ref_tf32, SET(values_f32));
    }
}

static uint64_t ref_pack(const struct inst *in, const uint64_t v[])
{
    const int n = in->imm ? (int)in->imm : alu_bits(in->type);
    const bool sd = type_is_signed(in->type);
    const int64_t hi = (INT64_C(1) << (sd ? n - 1 : n)) - 1, lo = sd ? -hi - 1 : 0;
    uint64_t r = in->ns > 2 ? v[2] << (2 * n) : 0;
    for (int k = 0; k < 2; k++) {
        const int64_t a = in->stype == VT_S32 ? (int32_t)v[k] : (int64_t)v[k];
        const int64_t c = a < lo ? lo : a > hi ? hi : a;
        r |= ((uint64_t)c & ((UINT64_C(1) << n) - 1)) << (k ? 0 : n);
    }
    return (uint32_t)r;
}
static void saturating_pack(void)
{
    static const struct {
        enum vtype t;
        int imm, ns;
    } forms[] = {{VT_U16, 0, 2}, {VT_S16, 0, 2}, {VT_U8, 0, 3}, {VT_S8, 0, 3},
                 {VT_U8, 4, 3},  {VT_S8, 4, 3},  {VT_U8, 2, 3}, {VT_S8, 2, 3}};
    for (int k = 0; k < 8; k++) {
        struct inst in = alu_inst(OP_CVT, VT_S32, INST_SAT, forms[k].ns);
        in.type = (uint8_t)forms[k].t, in.aop = ATOM_EXCH, in.imm = forms[k].imm;
        alu_check_all(&in, exec_lookup_cvt, ref_pack, SET(values_32));
    }
}

static void what_ptx_lacks_is_refused(void)
{
    struct inst in = conversion(VT_F16X2, VT_F32, RND_RN, 0);
    alu_refused(&in, exec_lookup_cvt);
    in = conversion(VT_S32, VT_PRED, RND_NONE, 0);
    alu_refused(&in, exec_lookup_cvt);
    in = conversion(VT_B32, VT_S32, RND_RNA, 0);
    alu_refused(&in, exec_lookup_cvt);
    in = alu_inst(OP_MOV, VT_B32, 0, 1);
    alu_refused(&in, exec_lookup_cvt);
}

SUITE("conversions", T(every_pair_in_every_rounding), T(every_pair_saturated),
      T(pairs_with_f32_flushed), T(to_integral_floats), T(registers_wider_than_the_types),
      T(rectified), T(packed_pairs_take_the_first_operand_up), T(tf32), T(saturating_pack),
      T(what_ptx_lacks_is_refused))
