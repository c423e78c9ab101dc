/* Comparisons of every type with every operator, boolean operands, selection, predicate logic. */
#include "tests/func/alu_exact.h"

/* How a and b compare, as numbers: -1, 0, 1, or 2 where one is NaN. */
static int order(const struct inst *in, enum vtype t, uint64_t a, uint64_t b)
{
    mpfr_t x, y;
    mpfr_init2(x, 70), mpfr_init2(y, 70);
    if (type_is_float(t)) {
        const bool ftz = in->flags & INST_FTZ && (t == VT_F32 || t == VT_F16);
        exact_set(x, t, a, ftz), exact_set(y, t, b, ftz);
    } else {
        const int n = 64 - alu_bits(t);
        if (type_is_signed(t))
            mpfr_set_si(x, (int64_t)(a << n) >> n, MPFR_RNDN),
                mpfr_set_si(y, (int64_t)(b << n) >> n, MPFR_RNDN);
        else
            mpfr_set_ui(x, a << n >> n, MPFR_RNDN), mpfr_set_ui(y, b << n >> n, MPFR_RNDN);
    }
    const int c = mpfr_unordered_p(x, y) ? 2 : mpfr_less_p(x, y) ? -1 : mpfr_equal_p(x, y) ? 0 : 1;
    mpfr_clear(x), mpfr_clear(y);
    return c;
}
static bool holds(const struct inst *in, enum vtype t, uint64_t a, uint64_t b)
{
    const int c = order(in, t, a, b);
    const bool un = c == 2;
    switch ((enum cmp)in->cmp) {
    case CMP_EQ:
        return c == 0;
    case CMP_NE:
        return c == -1 || c == 1;
    case CMP_LT:
        return c == -1;
    case CMP_LE:
        return c == -1 || c == 0;
    case CMP_GT:
        return c == 1;
    case CMP_GE:
        return c == 1 || c == 0;
    case CMP_EQU:
        return un || c == 0;
    case CMP_NEU:
        return c != 0;
    case CMP_LTU:
        return un || c == -1;
    case CMP_LEU:
        return un || c <= 0;
    case CMP_GTU:
        return un || c == 1;
    case CMP_GEU:
        return un || c >= 0;
    case CMP_NUM:
        return !un;
    default:
        return un;
    }
}
static bool joined(const struct inst *in, bool m, bool c)
{
    return in->bop == BOOL_NONE  ? m
           : in->bop == BOOL_AND ? m && c
           : in->bop == BOOL_OR  ? m || c
                                 : m != c;
}
static uint64_t ref_setp(const struct inst *in, const uint64_t v[])
{
    const bool c = in->ns > 2 && (bool)v[2] != in->src[2].neg;
    return joined(in, holds(in, in->stype, v[0], v[1]), c);
}

static const enum vtype types[] = {VT_U16, VT_S16, VT_U32, VT_S32,  VT_U64, VT_S64, VT_B16,
                                   VT_B32, VT_B64, VT_F16, VT_BF16, VT_F32, VT_F64};
#define TYPES (int)(sizeof types / sizeof *types)
static int last_cmp(enum vtype t)
{
    return type_is_float(t) ? CMP_NAN : t <= VT_B64 ? CMP_NE : CMP_GE;
}
static struct inst compare(enum opcode op, enum vtype t, enum cmp c, uint32_t flags)
{
    struct inst in = alu_inst(op, VT_PRED, flags, 0);
    in.stype = (uint8_t)t, in.cmp = (uint8_t)c;
    alu_src(&in, 0, alu_bits(t)), alu_src(&in, 1, alu_bits(t));
    return in;
}
static void every_operator_on_every_type(void)
{
    for (int t = 0; t < TYPES; t++)
        for (int c = CMP_EQ; c <= last_cmp(types[t]); c++)
            for (int ftz = 0; ftz < (types[t] == VT_F32 || types[t] == VT_F16 ? 2 : 1); ftz++) {
                const struct inst in = compare(OP_SETP, types[t], c, ftz ? INST_FTZ : 0);
                alu_check_all(&in, exec_lookup_cmp, ref_setp, values_of(types[t]));
            }
}
static const uint64_t truths[] = {0, 1};
static void boolean_operands(void)
{
    for (int k = 0; k < 6; k++) {
        struct inst in = compare(OP_SETP, VT_S32, CMP_LT, 0);
        in.bop = (uint8_t)(BOOL_AND + k % 3);
        alu_src(&in, 2, 1);
        in.src[2].neg = k >= 3;
        alu_check(&in, exec_lookup_cmp, ref_setp,
                  (const struct set[ALU_OPS]){SET(values_32), SET(values_32), SET(truths)});
    }
}

/* The second predicate is the complement of the comparison, joined with the same operand. */
static void second_destination(void)
{
    struct alu a;
    alu_init(&a);
    for (int bop = BOOL_NONE; bop <= BOOL_XOR; bop++) {
        struct inst in = compare(OP_SETP, VT_U32, CMP_LT, 0);
        in.bop = (uint8_t)bop;
        alu_dst(&in, 1, 1), alu_src(&in, 2, 1);
        in.exec = exec_lookup_cmp(&in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
        for (int i = 0; i < WARP_SIZE; i++)
            alu_put(&a, &in.src[0], i, (uint64_t)i), alu_put(&a, &in.src[1], i, 16);
        const lanes_t m = 0xffff, c = 0x00ffff00, old = 0xdeadbeef, active = 0x7ffffffe;
        *pred_ref(&a.w, &in.src[2]) = c;
        *pred_ref(&a.w, &in.dst[0]) = *pred_ref(&a.w, &in.dst[1]) = old;
        in.exec(&a.w, &in, active);
        const lanes_t p = bop == BOOL_NONE  ? m
                          : bop == BOOL_AND ? m & c
                          : bop == BOOL_OR  ? m | c
                                            : m ^ c;
        const lanes_t q = bop == BOOL_NONE  ? ~m
                          : bop == BOOL_AND ? ~m & c
                          : bop == BOOL_OR  ? ~m | c
                                            : ~m ^ c;
        CU_ASSERT_EQUAL(*pred_ref(&a.w, &in.dst[0]), (p & active) | (old & ~active));
        CU_ASSERT_EQUAL(*pred_ref(&a.w, &in.dst[1]), (q & active) | (old & ~active));
        in.dst[0].off = OPND_NONE; /* setp _|q */
        *pred_ref(&a.w, &in.dst[1]) = 0;
        in.exec(&a.w, &in, LANES_ALL);
        CU_ASSERT_EQUAL(*pred_ref(&a.w, &in.dst[1]), q);
    }
}

static uint64_t ref_set(const struct inst *in, const uint64_t v[])
{
    if (!ref_setp(in, v))
        return 0;
    switch ((enum vtype)in->type) {
    case VT_F16:
        return 0x3c00;
    case VT_BF16:
        return 0x3f80;
    case VT_F32:
        return 0x3f800000;
    case VT_U16:
    case VT_S16:
        return 0xffff;
    default:
        return 0xffffffff;
    }
}
static void set_writes_ones_or_one(void)
{
    static const enum vtype to[] = {VT_U32, VT_S32, VT_F32, VT_U16, VT_S16, VT_F16, VT_BF16};
    for (int t = 0; t < TYPES; t++)
        for (int d = 0; d < 7; d++)
            for (int c = CMP_EQ; c <= last_cmp(types[t]); c += 3) {
                struct inst in = compare(OP_SET, types[t], c, 0);
                in.type = (uint8_t)to[d];
                alu_dst(&in, 0, alu_bits(to[d]));
                alu_check_all(&in, exec_lookup_cmp, ref_set, values_of(types[t]));
                in.bop = BOOL_AND;
                alu_src(&in, 2, 1);
                const struct set s = values_of(types[t]);
                alu_check(&in, exec_lookup_cmp, ref_set,
                          (const struct set[ALU_OPS]){s, s, SET(truths)});
            }
}

static uint64_t halves[2][64];
static struct set pairs(int which, enum vtype t)
{
    const struct set s = values_of(t);
    for (int k = 0; k < s.n; k++)
        halves[which][k] = s.v[k] << 16 | s.v[(k * 11 + which * 3) % s.n];
    return (struct set){s.n, halves[which]};
}
static uint64_t ref_set_pair(const struct inst *in, const uint64_t v[])
{
    const enum vtype t = in->stype == VT_F16X2 ? VT_F16 : VT_BF16;
    const uint64_t yes = in->type == VT_F16X2 ? 0x3c00 : in->type == VT_BF16X2 ? 0x3f80 : 0xffff;
    uint64_t r = 0;
    for (int k = 0; k < 2; k++)
        r |= holds(in, t, v[0] >> 16 * k & 0xffff, v[1] >> 16 * k & 0xffff) ? yes << 16 * k : 0;
    return r;
}
static uint64_t ref_setp_low(const struct inst *in, const uint64_t v[])
{
    return holds(in, in->stype == VT_F16X2 ? VT_F16 : VT_BF16, v[0] & 0xffff, v[1] & 0xffff);
}
static void packed_pairs(void)
{
    static const enum vtype packed[] = {VT_F16X2, VT_BF16X2};
    for (int t = 0; t < 2; t++)
        for (int c = CMP_EQ; c <= CMP_NAN; c++)
            for (int ftz = 0; ftz < 2 - t; ftz++) {
                const enum vtype half = t ? VT_BF16 : VT_F16;
                const struct set sets[ALU_OPS] = {pairs(0, half), pairs(1, half)};
                struct inst in = compare(OP_SET, packed[t], c, ftz ? INST_FTZ : 0);
                in.type = (uint8_t)packed[t];
                alu_dst(&in, 0, 32);
                alu_check(&in, exec_lookup_cmp, ref_set_pair, sets);
                in.type = VT_U32;
                alu_check(&in, exec_lookup_cmp, ref_set_pair, sets);
                in = compare(OP_SETP, packed[t], c, ftz ? INST_FTZ : 0);
                alu_dst(&in, 1, 1);
                alu_check(&in, exec_lookup_cmp, ref_setp_low, sets);
            }
}

static uint64_t ref_selp(const struct inst *in, const uint64_t v[])
{
    return (bool)v[2] != in->src[2].neg ? v[0] : v[1];
}
static uint64_t ref_slct(const struct inst *in, const uint64_t v[])
{
    const uint64_t c = v[2];
    if (in->stype == VT_S32)
        return c >> 31 & 1 ? v[1] : v[0];
    const bool negative =
        c >> 31 && c != 0x80000000 && !(in->flags & INST_FTZ && !(c & 0x7f800000));
    return is_nan_bits(VT_F32, c) || negative ? v[1] : v[0];
}
static void selection(void)
{
    static const enum vtype to[] = {VT_B16, VT_B32, VT_B64, VT_S32, VT_U64, VT_F32, VT_F64};
    for (int t = 0; t < 7; t++) {
        const struct set s = values_of(to[t]);
        for (int neg = 0; neg < 2; neg++) {
            struct inst in = alu_inst(OP_SELP, to[t], 0, 2);
            alu_src(&in, 2, 1);
            in.src[2].neg = (uint8_t)neg;
            alu_check(&in, exec_lookup_cmp, ref_selp,
                      (const struct set[ALU_OPS]){s, s, SET(truths)});
        }
        for (int k = 0; k < 3; k++) {
            struct inst in = alu_inst(OP_SLCT, to[t], k == 2 ? INST_FTZ : 0, 2);
            in.stype = k ? VT_F32 : VT_S32;
            alu_src(&in, 2, 32);
            alu_check(&in, exec_lookup_cmp, ref_slct,
                      (const struct set[ALU_OPS]){s, s, k ? SET(values_f32) : SET(values_32)});
        }
    }
}

static uint64_t ref_logic(const struct inst *in, const uint64_t v[])
{
    const bool a = (bool)v[0] != in->src[0].neg, b = in->ns > 1 && (bool)v[1] != in->src[1].neg;
    return in->op == OP_NOT ? !a : in->op == OP_AND ? a && b : in->op == OP_OR ? a || b : a != b;
}
static void predicate_logic(void)
{
    static const enum opcode ops[] = {OP_AND, OP_OR, OP_XOR, OP_NOT};
    for (int k = 0; k < 16; k++) {
        struct inst in = alu_inst(ops[k % 4], VT_PRED, 0, ops[k % 4] == OP_NOT ? 1 : 2);
        in.src[0].neg = k >> 2 & 1, in.src[1].neg = k >> 3;
        alu_check_all(&in, exec_lookup_cmp, ref_logic, SET(truths));
    }
}

static void what_ptx_lacks_is_refused(void)
{
    struct inst in = compare(OP_SETP, VT_B32, CMP_LT, 0);
    alu_refused(&in, exec_lookup_cmp);
    in = compare(OP_SETP, VT_S32, CMP_LTU, 0);
    alu_refused(&in, exec_lookup_cmp);
    in = compare(OP_SETP, VT_U8, CMP_EQ, 0);
    alu_refused(&in, exec_lookup_cmp);
    in = compare(OP_SETP, VT_S32, CMP_LT, 0);
    in.bop = BOOL_AND; /* without its operand */
    alu_refused(&in, exec_lookup_cmp);
    in = compare(OP_SET, VT_S32, CMP_LT, 0);
    in.type = VT_F64;
    alu_refused(&in, exec_lookup_cmp);
    in = alu_inst(OP_SLCT, VT_U32, 0, 3);
    alu_refused(&in, exec_lookup_cmp);
    in = alu_inst(OP_SELP, VT_PRED, 0, 3);
    alu_refused(&in, exec_lookup_cmp);
    in = alu_inst(OP_AND, VT_B32, 0, 2);
    alu_refused(&in, exec_lookup_cmp);
}

SUITE("comparisons", T(every_operator_on_every_type), T(boolean_operands), T(second_destination),
      T(set_writes_ones_or_one), T(packed_pairs), T(selection), T(predicate_logic),
      T(what_ptx_lacks_is_refused))
