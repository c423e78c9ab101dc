/* Floating-point arithmetic against MPFR, which rounds the exact result once in the same mode. */
#include "tests/func/alu_exact.h"

static const enum vtype formats[] = {VT_F16, VT_BF16, VT_F32, VT_F64};

static int operate(enum opcode op, mpfr_t r, mpfr_t v[3], mpfr_rnd_t m)
{
    switch (op) {
    case OP_ADD:
        return mpfr_add(r, v[0], v[1], m);
    case OP_SUB:
        return mpfr_sub(r, v[0], v[1], m);
    case OP_MUL:
        return mpfr_mul(r, v[0], v[1], m);
    case OP_DIV:
        return mpfr_div(r, v[0], v[1], m);
    case OP_RCP:
        return mpfr_ui_div(r, 1, v[0], m);
    case OP_SQRT:
        return mpfr_sqrt(r, v[0], m);
    default:
        return mpfr_fma(r, v[0], v[1], v[2], m);
    }
}

/* f64 keeps the payload of its first NaN operand. */
static uint64_t nan_of(enum vtype t, const uint64_t v[], int ns)
{
    for (int k = 0; k < ns && t == VT_F64; k++)
        if (is_nan_bits(t, v[k]))
            return v[k] | 0x0008000000000000;
    return format_of(t).nan;
}

static uint64_t ref_arith_in(const struct inst *in, enum vtype t, const uint64_t v[])
{
    const bool ftz = in->flags & INST_FTZ;
    mpfr_t x[3], r;
    mpfr_init2(r, 60);
    for (int k = 0; k < 3; k++) {
        mpfr_init2(x[k], 60);
        exact_set(x[k], t, k < in->ns ? v[k] : 0, ftz);
    }
    format_begin(r, t);
    const int inexact = operate(in->op, r, x, mpfr_mode(in->rnd));
    const bool nan = mpfr_nan_p(r);
    uint64_t b = format_end(r, t, inexact, in->rnd, ftz);
    for (int k = 0; k < 3; k++)
        mpfr_clear(x[k]);
    mpfr_clear(r);
    if (nan)
        b = nan_of(t, v, in->ns);
    if (in->flags & INST_SAT)
        b = exact_saturate(t, b);
    if (in->flags & INST_RELU && !nan && b >> (format_of(t).bits - 1))
        b = 0;
    return b;
}
static uint64_t ref_arith(const struct inst *in, const uint64_t v[])
{
    if (in->type != VT_F16X2 && in->type != VT_BF16X2)
        return ref_arith_in(in, in->type, v);
    const enum vtype t = in->type == VT_F16X2 ? VT_F16 : VT_BF16;
    uint64_t low[ALU_OPS], high[ALU_OPS];
    for (int k = 0; k < in->ns; k++)
        low[k] = v[k] & 0xffff, high[k] = v[k] >> 16;
    return ref_arith_in(in, t, high) << 16 | ref_arith_in(in, t, low);
}

static exec_fn lookup(const struct inst *in)
{
    return in->op == OP_RCP || in->op == OP_SQRT ? exec_lookup_sfu(in) : exec_lookup_float(in);
}

static int operands(enum opcode op)
{
    return op == OP_FMA ? 3 : op == OP_RCP || op == OP_SQRT ? 1 : 2;
}
static void check_arith(enum opcode op, enum vtype t, uint32_t flags, int rnd)
{
    struct inst in = alu_inst(op, t, flags, operands(op));
    in.rnd = (uint8_t)rnd;
    const struct set s = values_of(t);
    /* three operands of 64 values each are 262,144 cases: a third of the addends tells as much, and
     * with sanitizers a twelfth */
    static uint64_t addends[64];
    struct set third = {0, addends};
    for (int k = 0; k < s.n; k += SANITIZED ? 12 : 3)
        addends[third.n++] = s.v[k];
    alu_check(&in, lookup, ref_arith, (const struct set[ALU_OPS]){s, s, third});
}

static const enum opcode ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_FMA, OP_DIV, OP_RCP, OP_SQRT};
static void single_and_double_in_every_rounding(void)
{
    for (int t = 2; t < 4; t++)
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
            for (int rnd = RND_RN; rnd <= RND_RP; rnd++)
                check_arith(ops[k], formats[t], 0, rnd);
}
static void flush_to_zero_of_operands_and_results(void)
{
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        for (int rnd = RND_RN; rnd <= RND_RP; rnd++)
            check_arith(ops[k], VT_F32, INST_FTZ, rnd);
}
static void saturation(void)
{
    for (size_t k = 0; k < 4; k++)
        for (int rnd = RND_RN; rnd <= RND_RP; rnd++) {
            check_arith(ops[k], VT_F32, INST_SAT, rnd);
            check_arith(ops[k], VT_F32, INST_SAT | INST_FTZ, rnd);
        }
}
static void half_precision(void)
{
    for (size_t k = 0; k < 4; k++) {
        check_arith(ops[k], VT_F16, 0, RND_RN);
        check_arith(ops[k], VT_F16, INST_FTZ, RND_RN);
        check_arith(ops[k], VT_F16, INST_SAT, RND_RN);
        check_arith(ops[k], VT_BF16, 0, RND_RN);
    }
    check_arith(OP_FMA, VT_F16, INST_RELU, RND_RN);
    check_arith(OP_FMA, VT_BF16, INST_RELU, RND_RN);
}
static void packed_pairs(void)
{
    static uint64_t pairs[3][40];
    for (int t = 0; t < 2; t++) {
        const struct set s = values_of(formats[t]);
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < s.n; k++)
                pairs[j][k] = s.v[k] << 16 | s.v[(k * 7 + j * 5 + 3) % s.n];
        for (size_t k = 0; k < 4; k++) {
            const struct inst in = alu_inst(ops[k], t ? VT_BF16X2 : VT_F16X2, 0, operands(ops[k]));
            alu_check(
                &in, lookup, ref_arith,
                (const struct set[ALU_OPS]){{s.n, pairs[0]}, {s.n, pairs[1]}, {s.n, pairs[2]}});
        }
    }
}

/* Random operands of like exponents, where sums and products meet halfway cases and cancellation.
 */
static uint64_t random_float(uint64_t *state, enum vtype t)
{
    const struct format f = format_of(t);
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t r = *state ^ *state >> 29;
    const uint64_t bias = (UINT64_C(1) << (f.bits - f.digits - 1)) - 1;
    const uint64_t e = bias + (r >> 56 & 31) - 16 + (r >> 61 ? 0 : r >> 40 & 15);
    const uint64_t m = r & ((UINT64_C(1) << (f.digits - 1)) - 1);
    const uint64_t sparse = r >> 33 & 1 ? m : m & ~(((UINT64_C(1) << (f.digits / 2)) - 1));
    return (r >> 60 & 1) << (f.bits - 1) | (e & (2 * bias + 1)) << (f.digits - 1) | sparse;
}
static void random_operands(void)
{
    static uint64_t v[3][96];
    const int n = SANITIZED ? 32 : 96;
    uint64_t state = 20240607;
    for (int t = 0; t < 4; t++) {
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 96; k++)
                v[j][k] = random_float(&state, formats[t]);
        for (size_t k = 0; k < (t < 2 ? 4 : 5); k++)
            for (int rnd = RND_RN; rnd <= (t < 2 ? RND_RN : RND_RP); rnd++) {
                struct inst in = alu_inst(ops[k], formats[t], 0, operands(ops[k]));
                in.rnd = (uint8_t)rnd;
                alu_check(&in, lookup, ref_arith,
                          (const struct set[ALU_OPS]){{n, v[0]}, {n, v[1]}, {24, v[2]}});
            }
    }
}

static uint64_t ref_minmax(const struct inst *in, const uint64_t v[])
{
    const enum vtype t = in->type;
    const struct format f = format_of(t);
    const uint64_t top = UINT64_C(1) << (f.bits - 1);
    const bool ftz = in->flags & INST_FTZ, swap = in->flags & INST_XORSIGN;
    uint64_t a = v[0], b = v[1];
    const uint64_t sign = swap ? (a ^ b) & top : 0;
    if (swap)
        a &= ~top, b &= ~top;
    const bool na = is_nan_bits(t, a), nb = is_nan_bits(t, b);
    if ((na && nb) || (in->flags & INST_NANOUT && (na || nb)))
        return f.nan;
    mpfr_t x, y;
    mpfr_init2(x, 60), mpfr_init2(y, 60);
    exact_set(x, t, a, ftz), exact_set(y, t, b, ftz);
    a = exact_bits(x, t, ftz), b = exact_bits(y, t, ftz);
    bool less = mpfr_less_p(x, y) || (mpfr_equal_p(x, y) && a > b); /* -0 before +0 */
    mpfr_clear(x), mpfr_clear(y);
    if (na || nb)
        return (na ? b : a) | sign;
    return (less == (in->op == OP_MIN) ? a : b) | sign;
}
static void minimum_and_maximum(void)
{
    static const uint32_t flags[] = {0, INST_FTZ, INST_NANOUT, INST_XORSIGN,
                                     INST_XORSIGN | INST_NANOUT | INST_FTZ};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 5; k++)
            for (int op = 0; op < 2; op++) {
                if ((t == 3 && k) || (t == 1 && flags[k] & INST_FTZ))
                    continue;
                const struct inst in = alu_inst(op ? OP_MIN : OP_MAX, formats[t], flags[k], 2);
                alu_check_all(&in, exec_lookup_float, ref_minmax, values_of(formats[t]));
            }
}

static uint64_t ref_sign(const struct inst *in, const uint64_t v[])
{
    const struct format f = format_of(in->type);
    const uint64_t top = UINT64_C(1) << (f.bits - 1);
    const uint64_t exponent = ((UINT64_C(1) << (f.bits - f.digits)) - 1) << (f.digits - 1);
    const uint64_t a = in->flags & INST_FTZ && !(v[0] & exponent) ? v[0] & top : v[0];
    if (in->op == OP_COPYSIGN)
        return (v[0] & top) | (v[1] & ~top);
    return in->op == OP_ABS ? a & ~top : a ^ top;
}
static void signs(void)
{
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 4; k++) {
            if (k & 2 && formats[t] != VT_F32 && formats[t] != VT_F16)
                continue;
            const struct inst in =
                alu_inst(k & 1 ? OP_ABS : OP_NEG, formats[t], k & 2 ? INST_FTZ : 0, 1);
            alu_check_all(&in, exec_lookup_float, ref_sign, values_of(formats[t]));
        }
    for (int t = 2; t < 4; t++) {
        const struct inst in = alu_inst(OP_COPYSIGN, formats[t], 0, 2);
        alu_check_all(&in, exec_lookup_float, ref_sign, values_of(formats[t]));
    }
}

static uint64_t ref_testp(const struct inst *in, const uint64_t v[])
{
    const struct format f = format_of(in->stype);
    const uint64_t top = UINT64_C(1) << (f.bits - 1), a = v[0] & ~top;
    const uint64_t inf = ((UINT64_C(1) << (f.bits - f.digits)) - 1) << (f.digits - 1);
    const uint64_t least = UINT64_C(1) << (f.digits - 1);
    const bool answers[] = {
        [TESTP_FINITE] =
            a<inf, [TESTP_INFINITE] = a == inf, [TESTP_NUMBER] = a <= inf, [TESTP_NOTANUMBER] = a>
                inf,
        [TESTP_NORMAL] = a >= least && a < inf,
        [TESTP_SUBNORMAL] = a && a < least};
    return answers[in->mode];
}
static void classes(void)
{
    for (int t = 2; t < 4; t++)
        for (int mode = TESTP_FINITE; mode <= TESTP_SUBNORMAL; mode++) {
            struct inst in = alu_inst(OP_TESTP, formats[t], 0, 1);
            in.mode = (uint8_t)mode;
            alu_dst(&in, 0, 1);
            alu_check_all(&in, exec_lookup_float, ref_testp, values_of(formats[t]));
        }
}

/* div.approx: within 2 ulp, except that a divisor beyond 2^126 gives zero or NaN. */
static uint64_t ref_div_approx(const struct inst *in, const uint64_t v[])
{
    const uint64_t b = v[1] & 0x7fffffff;
    const bool huge = b > 0x7e800000 && b < 0x7f800000;
    struct inst exact = *in;
    exact.op = huge ? OP_MUL : OP_DIV;
    const uint64_t by_zero[] = {v[0], v[1] & 0x80000000};
    return ref_arith(&exact, huge ? by_zero : v);
}
static void approximate_division(void)
{
    struct inst in = alu_inst(OP_DIV, VT_F32, INST_APPROX, 2);
    alu_check_all(&in, exec_lookup_float, ref_div_approx, SET(values_f32));
    in.flags = INST_APPROX | INST_FTZ;
    alu_check_all(&in, exec_lookup_float, ref_div_approx, SET(values_f32));
    in.flags = INST_FULL;
    alu_check_all(&in, exec_lookup_float, ref_arith, SET(values_f32));
}

static void what_ptx_lacks_is_refused(void)
{
    struct inst in = alu_inst(OP_ADD, VT_F64, INST_SAT, 2);
    alu_refused(&in, exec_lookup_float);
    in = alu_inst(OP_DIV, VT_F16, 0, 2);
    alu_refused(&in, exec_lookup_float);
    in = alu_inst(OP_ADD, VT_F16, 0, 2);
    in.rnd = RND_RZ;
    alu_refused(&in, exec_lookup_float);
    in = alu_inst(OP_REM, VT_F32, 0, 2);
    alu_refused(&in, exec_lookup_float);
    in = alu_inst(OP_ADD, VT_S32, 0, 2);
    alu_refused(&in, exec_lookup_float);
    in = alu_inst(OP_MIN, VT_F32, 0, 2);
    in.rnd = RND_RZ;
    alu_refused(&in, exec_lookup_float);
}

SUITE("floating-point arithmetic", T(single_and_double_in_every_rounding),
      T(flush_to_zero_of_operands_and_results), T(saturation), T(half_precision), T(packed_pairs),
      T(random_operands), T(minimum_and_maximum), T(signs), T(classes), T(approximate_division),
      T(what_ptx_lacks_is_refused))
