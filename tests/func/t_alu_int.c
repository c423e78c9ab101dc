/* Integer arithmetic of 32 lanes against 128-bit arithmetic of one. */
#include "tests/func/alu_values.h"

typedef __int128 big;
static const enum vtype int_types[] = {VT_U16, VT_S16, VT_U32, VT_S32, VT_U64, VT_S64};
#define EACH_TYPE(t)                                                              \
    for (size_t t##_i = 0; t##_i < sizeof int_types / sizeof *int_types; t##_i++) \
        for (int once = 1, t = int_types[t##_i]; once; once = 0)

static big value(enum vtype t, uint64_t bits)
{
    const int n = alu_bits(t);
    const big v = (big)(n == 64 ? bits : bits & ((UINT64_C(1) << n) - 1));
    return type_is_signed(t) && v >> (n - 1) & 1 ? v - ((big)1 << n) : v;
}
static uint64_t stored(enum vtype t, big v)
{
    const int n = alu_bits(t);
    return n == 64 ? (uint64_t)v : (uint64_t)v & ((UINT64_C(1) << n) - 1);
}
static big magnitude(big v)
{
    return v < 0 ? -v : v;
}
static big saturated(big v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}
static big product_part(const struct inst *in, big a, big b)
{
    /* the product of two u64 needs all 128 bits: shift it as unsigned there */
    if (in->flags & INST_HI)
        return in->type == VT_U64 ? (big)((unsigned __int128)a * (unsigned __int128)b >> 64)
                                  : a * b >> alu_bits(in->type);
    return (big)((unsigned __int128)a * (unsigned __int128)b);
}

static uint64_t ref_int(const struct inst *in, const uint64_t v[])
{
    const enum vtype t = in->type;
    const big a = value(t, v[0]), b = value(t, v[1]);
    big r = 0;
    switch ((enum opcode)in->op) {
    case OP_ADD:
        r = a + b;
        break;
    case OP_SUB:
        r = a - b;
        break;
    case OP_MUL:
        r = product_part(in, a, b);
        break;
    case OP_MAD:
        r = (big)((unsigned __int128)product_part(in, a, b) + (unsigned __int128)value(t, v[2]));
        break;
    case OP_DIV:
        r = b ? a / b : -1;
        break;
    case OP_REM:
        r = b ? a % b : -1;
        break;
    case OP_SAD:
        r = value(t, v[2]) + magnitude(a - b);
        break;
    case OP_MIN:
        r = a < b ? a : b;
        break;
    case OP_MAX:
        r = a > b ? a : b;
        break;
    case OP_ABS:
        r = magnitude(a);
        break;
    case OP_NEG:
        r = -a;
        break;
    default:
        CU_FAIL("not an operation of this test");
    }
    if (in->flags & INST_RELU && r < 0)
        r = 0;
    return stored(t, in->flags & INST_SAT ? saturated(r) : r);
}

/* Each half as the operation on 16 bits. */
static uint64_t ref_pair(const struct inst *in, const uint64_t v[])
{
    struct inst half = *in;
    half.type = in->type == VT_S16X2 ? VT_S16 : VT_U16;
    const uint64_t low[] = {v[0] & 0xffff, v[1] & 0xffff}, high[] = {v[0] >> 16, v[1] >> 16};
    return ref_int(&half, low) | ref_int(&half, high) << 16;
}

static void pairs_of_halves(void)
{
    static const struct {
        enum opcode op;
        enum vtype type;
        uint32_t flags;
    } ops[] = {{OP_ADD, VT_U16X2, 0},         {OP_ADD, VT_S16X2, 0},        {OP_MIN, VT_U16X2, 0},
               {OP_MIN, VT_S16X2, 0},         {OP_MAX, VT_U16X2, 0},        {OP_MAX, VT_S16X2, 0},
               {OP_MIN, VT_S16X2, INST_RELU}, {OP_MAX, VT_S16X2, INST_RELU}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        const struct inst in = alu_inst(ops[k].op, ops[k].type, ops[k].flags, 2);
        alu_check_all(&in, exec_lookup_int, ref_pair, SET(values_32));
    }
}

static void every_operation_on_every_type(void)
{
    static const struct {
        enum opcode op;
        uint32_t flags;
        int ns;
    } ops[] = {{OP_ADD, 0, 2}, {OP_SUB, 0, 2},       {OP_MUL, 0, 2}, {OP_MUL, INST_HI, 2},
               {OP_MAD, 0, 3}, {OP_MAD, INST_HI, 3}, {OP_DIV, 0, 2}, {OP_REM, 0, 2},
               {OP_SAD, 0, 3}, {OP_MIN, 0, 2},       {OP_MAX, 0, 2}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        EACH_TYPE(t)
        {
            const struct inst in = alu_inst(ops[k].op, t, ops[k].flags, ops[k].ns);
            alu_check_all(&in, exec_lookup_int, ref_int, values_of(t));
        }
}

static void absolute_value_and_negation_wrap(void)
{
    static const enum vtype types[] = {VT_S16, VT_S32, VT_S64};
    for (int k = 0; k < 3; k++) {
        struct inst in = alu_inst(OP_ABS, types[k], 0, 1);
        alu_check_all(&in, exec_lookup_int, ref_int, values_of(types[k]));
        in.op = OP_NEG;
        alu_check_all(&in, exec_lookup_int, ref_int, values_of(types[k]));
    }
}

static void saturation_and_relu_of_s32(void)
{
    struct inst in = alu_inst(OP_ADD, VT_S32, INST_SAT, 2);
    alu_check_all(&in, exec_lookup_int, ref_int, SET(values_32));
    in.op = OP_SUB;
    alu_check_all(&in, exec_lookup_int, ref_int, SET(values_32));
    in = alu_inst(OP_MIN, VT_S32, INST_RELU, 2);
    alu_check_all(&in, exec_lookup_int, ref_int, SET(values_32));
    in.op = OP_MAX;
    alu_check_all(&in, exec_lookup_int, ref_int, SET(values_32));
    in = alu_inst(OP_MAD, VT_S32, INST_SAT | INST_HI, 3);
    alu_check_all(&in, exec_lookup_int, ref_int, SET(values_32));
}

/* Quotients next to integers, operands of every size. */
static void division_of_random_numbers(void)
{
    static uint64_t v[2][300];
    uint64_t state = 99;
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 300; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            v[j][k] = state >> (state >> 58);
            if (j && k % 3 == 0 && v[0][k]) /* a divisor of a number beside the dividend */
                v[1][k] = v[0][k] / (k + 1) + (uint64_t)(k & 1);
        }
    EACH_TYPE(t)
    {
        struct inst in = alu_inst(OP_DIV, t, 0, 2);
        const struct set sets[ALU_OPS] = {{300, v[0]}, {300, v[1]}};
        alu_check(&in, exec_lookup_int, ref_int, sets);
        in.op = OP_REM;
        alu_check(&in, exec_lookup_int, ref_int, sets);
    }
}

static uint64_t ref_wide(const struct inst *in, const uint64_t v[])
{
    const big p = value(in->stype, v[0]) * value(in->stype, v[1]);
    const uint64_t r = (uint64_t)p + (in->op == OP_MAD ? v[2] : 0);
    return alu_bits(in->stype) == 16 ? (uint32_t)r : r;
}
static void wide_products_keep_every_bit(void)
{
    static const enum vtype types[] = {VT_U16, VT_S16, VT_U32, VT_S32};
    for (int k = 0; k < 4; k++) {
        const int bits = alu_bits(types[k]);
        struct inst in = alu_inst(OP_MUL, types[k], INST_WIDE, 2);
        alu_dst(&in, 0, 2 * bits);
        alu_check_all(&in, exec_lookup_int, ref_wide, values_of(types[k]));
        in.op = OP_MAD;
        alu_src(&in, 2, 2 * bits);
        const struct set n = values_of(types[k]),
                         wide = bits == 16 ? SET(values_32) : SET(values_64);
        alu_check(&in, exec_lookup_int, ref_wide, (const struct set[ALU_OPS]){n, n, wide});
    }
}

static uint64_t ref_24(const struct inst *in, const uint64_t v[])
{
    big a = (big)(v[0] & 0xffffff), b = (big)(v[1] & 0xffffff);
    if (in->type == VT_S32)
        a -= a >> 23 ? 1 << 24 : 0, b -= b >> 23 ? 1 << 24 : 0;
    const big part = in->flags & INST_HI ? a * b >> 16 : a * b;
    if (in->flags & INST_SAT)
        return (uint32_t)saturated((int32_t)(uint32_t)part + value(in->type, v[2]));
    return (uint32_t)part + (in->op == OP_MAD24 ? (uint32_t)v[2] : 0u);
}
static void products_of_24_bits(void)
{
    static const enum vtype types[] = {VT_U32, VT_S32};
    for (int k = 0; k < 4; k++) {
        struct inst in = alu_inst(OP_MUL24, types[k & 1], k & 2 ? INST_HI : 0, 2);
        alu_check_all(&in, exec_lookup_int, ref_24, SET(values_32));
        in = alu_inst(OP_MAD24, types[k & 1], k & 2 ? INST_HI : 0, 3);
        alu_check_all(&in, exec_lookup_int, ref_24, SET(values_32));
    }
    const struct inst sat = alu_inst(OP_MAD24, VT_S32, INST_HI | INST_SAT, 3);
    alu_check_all(&sat, exec_lookup_int, ref_24, SET(values_32));
}

/* 128-bit sums, differences and products from 32-bit and 64-bit links. */
static uint64_t chain_link(struct alu *a, enum opcode op, enum vtype t, uint32_t flags,
                           const uint64_t *v)
{
    struct inst in = alu_inst(op, t, flags, op == OP_MAD || op == OP_MADC ? 3 : 2);
    in.exec = exec_lookup_int(&in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
    for (int k = 0; k < in.ns; k++)
        for (int i = 0; i < WARP_SIZE; i++)
            alu_put(a, &in.src[k], i, v[k]);
    in.exec(&a->w, &in, LANES_ALL);
    return alu_get(a, &in.dst[0], 17);
}
static void carries_travel_through_a_chain(void)
{
    struct alu a;
    alu_init(&a);
    for (int x = 0; x < SET(values_64).n; x++)
        for (int y = 0; y < SET(values_64).n; y++) {
            const unsigned __int128 p = (unsigned __int128)values_64[x] << 64 | values_64[y];
            const unsigned __int128 q = (unsigned __int128)values_64[y] << 64 | ~values_64[x];
            unsigned __int128 sum = 0, difference = 0;
            for (int k = 0; k < 4; k++) {
                const uint64_t v[] = {(uint32_t)(p >> 32 * k), (uint32_t)(q >> 32 * k)};
                sum |=
                    (unsigned __int128)chain_link(&a, k ? OP_ADDC : OP_ADD, VT_U32, INST_CC_OUT, v)
                    << 32 * k;
            }
            for (int k = 0; k < 4; k++) {
                const uint64_t v[] = {(uint32_t)(p >> 32 * k), (uint32_t)(q >> 32 * k)};
                difference |= (unsigned __int128)chain_link(&a, k ? OP_SUBC : OP_SUB, VT_S32,
                                                            k < 3 ? INST_CC_OUT : 0, v)
                              << 32 * k;
            }
            CU_ASSERT_TRUE(sum == p + q);
            CU_ASSERT_TRUE(difference == p - q);
            unsigned __int128 wide = chain_link(&a, OP_ADD, VT_U64, INST_CC_OUT,
                                                (const uint64_t[]){(uint64_t)p, (uint64_t)q});
            wide |= (unsigned __int128)chain_link(
                        &a, OP_ADDC, VT_U64, 0,
                        (const uint64_t[]){(uint64_t)(p >> 64), (uint64_t)(q >> 64)})
                    << 64;
            CU_ASSERT_TRUE(wide == p + q);
        }
}
static void multiply_add_with_carry(void)
{
    struct alu a;
    alu_init(&a);
    for (int x = 0; x < SET(values_32).n; x++)
        for (int y = 0; y < SET(values_32).n; y++)
            for (int z = 0; z < SET(values_64).n; z++) {
                const uint64_t p = values_32[x], q = values_32[y], c = values_64[z];
                const uint64_t lo = chain_link(&a, OP_MAD, VT_U32, INST_CC_OUT,
                                               (const uint64_t[]){p, q, (uint32_t)c});
                const uint64_t hi =
                    chain_link(&a, OP_MADC, VT_U32, INST_HI, (const uint64_t[]){p, q, c >> 32});
                CU_ASSERT_EQUAL(hi << 32 | lo, p * q + c);
            }
}
static void carry_of_inactive_lanes_is_kept(void)
{
    struct alu a;
    alu_init(&a);
    struct inst in = alu_inst(OP_ADD, VT_U32, INST_CC_OUT, 2);
    in.exec = exec_lookup_int(&in);
    lanes_t *cc = (lanes_t *)(a.bank + a.kernel.cc_off);
    *cc = 0xff00ff00;
    for (int i = 0; i < WARP_SIZE; i++)
        alu_put(&a, &in.src[0], i, UINT32_MAX), alu_put(&a, &in.src[1], i, i & 1);
    in.exec(&a.w, &in, 0x0000ffff);
    CU_ASSERT_EQUAL(*cc, 0xff00aaaa);
}

static int64_t part(uint64_t v, int k, int bits, bool is_signed)
{
    const int64_t u = (int64_t)(v >> (k * bits) & ((UINT64_C(1) << bits) - 1));
    return is_signed && u >> (bits - 1) ? u - (INT64_C(1) << bits) : u;
}
static uint64_t ref_dot(const struct inst *in, const uint64_t v[])
{
    const bool sa = in->type == VT_S32, sb = in->stype == VT_S32, two = in->op == OP_DP2A;
    int64_t sum = (int64_t)v[2];
    for (int k = 0; k < (two ? 2 : 4); k++)
        sum += part(v[0], k, two ? 16 : 8, sa) *
               part(v[1], k + (two && in->flags & INST_HI ? 2 : 0), 8, sb);
    return (uint32_t)sum;
}
static void dot_products(void)
{
    static const enum vtype words[] = {VT_U32, VT_S32};
    for (int k = 0; k < 8; k++) {
        struct inst in = alu_inst(k & 4 ? OP_DP2A : OP_DP4A, words[k & 1], 0, 3);
        in.stype = (uint8_t)words[k >> 1 & 1];
        alu_check_all(&in, exec_lookup_int, ref_dot, SET(values_32));
        in.flags = INST_HI;
        if (in.op == OP_DP2A)
            alu_check_all(&in, exec_lookup_int, ref_dot, SET(values_32));
    }
}

static void what_ptx_lacks_is_refused(void)
{
    struct inst in = alu_inst(OP_ADD, VT_U32, INST_SAT, 2);
    alu_refused(&in, exec_lookup_int);
    in = alu_inst(OP_ABS, VT_U32, 0, 1);
    alu_refused(&in, exec_lookup_int);
    in = alu_inst(OP_ADD, VT_U8, 0, 2);
    alu_refused(&in, exec_lookup_int);
    in = alu_inst(OP_MUL, VT_U64, INST_WIDE, 2);
    alu_refused(&in, exec_lookup_int);
    in = alu_inst(OP_MUL24, VT_U16, 0, 2);
    alu_refused(&in, exec_lookup_int);
    in = alu_inst(OP_ADDC, VT_U16, 0, 2);
    alu_refused(&in, exec_lookup_int);
    in = alu_inst(OP_ADD, VT_F32, 0, 2);
    alu_refused(&in, exec_lookup_int);
    in = alu_inst(OP_DP4A, VT_U16, 0, 3);
    alu_refused(&in, exec_lookup_int);
}

SUITE("integer arithmetic", T(every_operation_on_every_type), T(pairs_of_halves),
      T(absolute_value_and_negation_wrap), T(division_of_random_numbers),
      T(saturation_and_relu_of_s32), T(wide_products_keep_every_bit), T(products_of_24_bits),
      T(carries_travel_through_a_chain), T(multiply_add_with_carry),
      T(carry_of_inactive_lanes_is_kept), T(dot_products), T(what_ptx_lacks_is_refused))
