/* Special functions: within the error that the PTX manual promises, and much nearer where this
 * implementation promises it; exact at the edges. */
#include "tests/func/alu_exact.h"

static int function(enum opcode op, mpfr_t r, mpfr_t x)
{
    switch (op) {
    case OP_RCP:
        return mpfr_ui_div(r, 1, x, MPFR_RNDN);
    case OP_SQRT:
        return mpfr_sqrt(r, x, MPFR_RNDN);
    case OP_RSQRT:
        return mpfr_rec_sqrt(r, x, MPFR_RNDN);
    case OP_EX2:
        return mpfr_exp2(r, x, MPFR_RNDN);
    case OP_LG2:
        return mpfr_log2(r, x, MPFR_RNDN);
    case OP_SIN:
        return mpfr_sin(r, x, MPFR_RNDN);
    case OP_COS:
        return mpfr_cos(r, x, MPFR_RNDN);
    default:
        return mpfr_tanh(r, x, MPFR_RNDN);
    }
}
/* The correctly rounded value. */
static uint64_t nearest(const struct inst *in, uint64_t a)
{
    const bool ftz = in->flags & INST_FTZ;
    mpfr_t x, r;
    mpfr_init2(x, 60), mpfr_init2(r, 60);
    exact_set(x, in->type, a, ftz);
    /* MPFR has no sign for 1/sqrt(-0) */
    const bool minus_zero = mpfr_zero_p(x) && mpfr_signbit(x);
    format_begin(r, in->type);
    const int inexact = function(in->op, r, x);
    uint64_t b = format_end(r, in->type, inexact, RND_RN, ftz);
    if (in->op == OP_RSQRT && minus_zero)
        b = in->type == VT_F64 ? 0xfff0000000000000 : 0xff800000;
    mpfr_clear(x), mpfr_clear(r);
    return b;
}

/* Distance in units of the last place of numbers of one sign. */
static uint64_t distance(uint64_t a, uint64_t b)
{
    if ((a ^ b) >> 31)
        return (a & 0x7fffffff) + (b & 0x7fffffff);
    return a > b ? a - b : b - a;
}
static struct alu machine;
static uint64_t value_of(const struct inst *in, uint64_t a)
{
    for (int i = 0; i < WARP_SIZE; i++)
        alu_put(&machine, &in->src[0], i, a);
    in->exec(&machine.w, in, LANES_ALL);
    return alu_get(&machine, &in->dst[0], 13);
}

static const enum opcode ops[] = {OP_RCP, OP_SQRT, OP_RSQRT, OP_EX2,
                                  OP_LG2, OP_SIN,  OP_COS,   OP_TANH};
#define OPS (int)(sizeof ops / sizeof *ops)
static void nearest_float_or_its_neighbour(void)
{
    alu_init(&machine);
    uint64_t state = 7;
    for (int k = 0; k < 4 * OPS; k++) {
        setenv("MDPREDICT_SIMD", k & 1 ? "base" : "best", 1);
        struct inst in = alu_inst(ops[k / 4], VT_F32, INST_APPROX | (k & 2 ? INST_FTZ : 0), 1);
        in.exec = exec_lookup_sfu(&in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
        uint64_t worst = 0;
        for (int n = 0; n < 4000 + SET(values_f32).n; n++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const uint64_t any = state >> 32, near_one = 0x3f000000 + (any & 0x81ffffff);
            const uint64_t a = n < SET(values_f32).n ? values_f32[n] : n & 1 ? any : near_one;
            const uint64_t found = value_of(&in, a), want = nearest(&in, a);
            const uint64_t d = distance(found, want);
            if (d > 1)
                alu_report(&in, (const uint64_t[ALU_OPS]){a}, found, want, "ulp");
            worst = d > worst ? d : worst;
        }
        CU_ASSERT(worst <= 1);
    }
    unsetenv("MDPREDICT_SIMD");
}

static uint64_t ref_nearest(const struct inst *in, const uint64_t v[])
{
    return nearest(in, v[0]);
}
/* Where the value is exact, or an infinity, zero or NaN, nothing but it will do. */
static void edges_are_exact(void)
{
    static const uint64_t edges[] = {0x00000000, 0x80000000, 0x3f800000, 0x7f800000,
                                     0xff800000, 0x7fc00000, 0xff812345, 0x40800000,
                                     0x41800000, 0x00000001, 0x80000001, 0x007fffff};
    for (int k = 0; k < 2 * OPS; k++) {
        const struct inst in =
            alu_inst(ops[k / 2], VT_F32, INST_APPROX | (k & 1 ? INST_FTZ : 0), 1);
        const bool trig = in.op == OP_SIN || in.op == OP_COS;
        alu_check(&in, exec_lookup_sfu, ref_nearest,
                  (const struct set[ALU_OPS]){{trig ? 2 : 12, edges}});
    }
    static uint64_t powers[300];
    for (int e = -150; e < 150; e++) {
        const float f = (float)e;
        uint32_t b;
        memcpy(&b, &f, 4);
        powers[e + 150] = b;
    }
    struct inst in = alu_inst(OP_EX2, VT_F32, INST_APPROX, 1);
    alu_check(&in, exec_lookup_sfu, ref_nearest, (const struct set[ALU_OPS]){{300, powers}});
}

static void partial_masks_and_large_angles(void)
{
    static const uint64_t angles[] = {0x49000000, 0x49000001, 0x4b800000, 0x5f000000, 0x7f7fffff,
                                      0xff7fffff, 0x3f800000, 0xc0490fdb, 0x48ffffff, 0x7f800000};
    for (int k = 0; k < 2; k++) {
        const struct inst in = alu_inst(k ? OP_COS : OP_SIN, VT_F32, INST_APPROX, 1);
        alu_check_all(&in, exec_lookup_sfu, ref_nearest, SET(angles));
    }
}

/* The upper words alone take part: result within 2^-20, lower word zero. */
static void approximate_double_reciprocals(void)
{
    alu_init(&machine);
    for (int k = 0; k < 2; k++) {
        struct inst in = alu_inst(k ? OP_RSQRT : OP_RCP, VT_F64, INST_APPROX | INST_FTZ, 1);
        in.exec = exec_lookup_sfu(&in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
        for (int n = 0; n < SET(values_f64).n; n++) {
            const uint64_t a = values_f64[n] & 0xffffffff00000000;
            const uint64_t found = value_of(&in, values_f64[n]), want = nearest(&in, a);
            CU_ASSERT_EQUAL(found & 0xffffffff, 0);
            if (is_nan_bits(VT_F64, want))
                CU_ASSERT_TRUE(is_nan_bits(VT_F64, found))
            else
                CU_ASSERT(want - found <= 0xffffffff);
        }
    }
    struct inst in = alu_inst(OP_RSQRT, VT_F64, INST_APPROX, 1);
    in.exec = exec_lookup_sfu(&in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
    CU_ASSERT_EQUAL(value_of(&in, 0x4010000000000000), 0x3fe0000000000000);
    CU_ASSERT_EQUAL(value_of(&in, 0x8000000000000000), 0xfff0000000000000);
    CU_ASSERT_EQUAL(value_of(&in, 0xbff0000000000000), 0xfff8000000000000);
}

static uint64_t ref_half(const struct inst *in, const uint64_t v[])
{
    const bool pair = in->type == VT_F16X2 || in->type == VT_BF16X2;
    struct inst one = *in;
    one.type = in->type == VT_F16 || in->type == VT_F16X2 ? VT_F16 : VT_BF16;
    one.flags = 0;
    const uint64_t low = nearest(&one, v[0] & 0xffff);
    return pair ? nearest(&one, v[0] >> 16) << 16 | low : low;
}
static void halves_are_rounded_once(void)
{
    static uint64_t all[65536];
    for (int n = 0; n < 65536; n++)
        all[n] = (uint64_t)n << 16 | ((uint64_t)n * 40503 & 0xffff);
    static const enum vtype types[] = {VT_F16, VT_F16X2, VT_BF16, VT_BF16X2};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < 2; k++) {
            const struct inst in = alu_inst(k ? OP_EX2 : OP_TANH, types[t], INST_APPROX, 1);
            alu_check(&in, exec_lookup_sfu, ref_half,
                      (const struct set[ALU_OPS]){{2048, all + t * 16384 + 3000}});
        }
}

static void what_ptx_lacks_is_refused(void)
{
    struct inst in = alu_inst(OP_SIN, VT_F64, INST_APPROX, 1);
    alu_refused(&in, exec_lookup_sfu);
    in = alu_inst(OP_LG2, VT_F16, INST_APPROX, 1);
    alu_refused(&in, exec_lookup_sfu);
    in = alu_inst(OP_RSQRT, VT_F32, 0, 1);
    in.rnd = RND_RZ;
    alu_refused(&in, exec_lookup_sfu);
    in = alu_inst(OP_ADD, VT_F32, 0, 2);
    alu_refused(&in, exec_lookup_sfu);
}

SUITE("special functions", T(nearest_float_or_its_neighbour), T(edges_are_exact),
      T(partial_masks_and_large_angles), T(approximate_double_reciprocals),
      T(halves_are_rounded_once), T(what_ptx_lacks_is_refused))
