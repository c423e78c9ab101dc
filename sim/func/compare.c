/* compare.c -- comparisons (set, setp), selection (selp, slct), and logic on predicates.
 *
 * An ordered comparison is false and an unordered one true where an operand is NaN, so each
 * unordered one is the complement of an ordered one; NAN is the complement of NUM. */
#include "sim/func/fpbits.h"

typedef lanes_t (*test_fn)(struct warp *w, const struct inst *in);

LANE lanes_t join(enum bool_op op, lanes_t a, lanes_t c)
{
    return op == BOOL_AND ? a & c : op == BOOL_OR ? a | c : a ^ c;
}
LANE void pred_set(struct warp *w, const struct opnd *o, lanes_t v, lanes_t active)
{
    if (o->off == OPND_NONE)
        return;
    lanes_t *d = pred_ref(w, o);
    *d = (*d & ~active) | (v & active);
}
LANE bool complements(enum cmp c)
{
    return c >= CMP_EQU && c != CMP_NUM;
}
LANE void setp_write(struct warp *w, const struct inst *in, lanes_t active, lanes_t m)
{
    lanes_t no = ~m;
    if (in->bop != BOOL_NONE) {
        const lanes_t c = pred_get(w, &in->src[2]);
        m = join(in->bop, m, c);
        no = join(in->bop, no, c);
    }
    pred_set(w, &in->dst[0], m, active);
    if (in->nd > 1)
        pred_set(w, &in->dst[1], no, active);
}

/* Which lanes satisfy EXPR over x, y; lanes that are not active are computed and ignored. */
#define TEST_BODY(R, V, LOAD, EXPR)                                     \
    const R *ra = row_of(w, &in->src[0]), *rb = row_of(w, &in->src[1]); \
    lanes_t m = 0;                                                      \
    LANE_LOOP                                                           \
    {                                                                   \
        const V x = LOAD(ra[i]), y = LOAD(rb[i]);                       \
        m |= (EXPR) ? lane_bit[i] : 0;                                  \
    }
#define DEF_TEST(name, R, V, LOAD, EXPR)                              \
    static lanes_t test_##name(struct warp *w, const struct inst *in) \
    {                                                                 \
        TEST_BODY(R, V, LOAD, EXPR)                                   \
        return m;                                                     \
    }                                                                 \
    static void setp_##name##_base(EXEC_ARGS)                         \
    {                                                                 \
        TEST_BODY(R, V, LOAD, EXPR)                                   \
        setp_write(w, in, active, complements(in->cmp) ? ~m : m);     \
    }                                                                 \
    WIDE_TARGET static void setp_##name##_wide(EXEC_ARGS)             \
    {                                                                 \
        TEST_BODY(R, V, LOAD, EXPR)                                   \
        setp_write(w, in, active, complements(in->cmp) ? ~m : m);     \
    }

#define DEF_TESTS(t, R, V, LOAD)         \
    DEF_TEST(eq_##t, R, V, LOAD, x == y) \
    DEF_TEST(lt_##t, R, V, LOAD, x < y)  \
    DEF_TEST(le_##t, R, V, LOAD, x <= y) \
    DEF_TEST(gt_##t, R, V, LOAD, x > y)  \
    DEF_TEST(ge_##t, R, V, LOAD, x >= y)
#define DEF_INT_TESTS(t, R, V) \
    DEF_TESTS(t, R, V, (V))    \
    DEF_TEST(ne_##t, R, V, (V), x != y)
#define DEF_FLOAT_TESTS(t, R, V, LOAD)              \
    DEF_TESTS(t, R, V, LOAD)                        \
    DEF_TEST(ne_##t, R, V, LOAD, (x < y) | (x > y)) \
    DEF_TEST(num_##t, R, V, LOAD, (x == x) & (y == y))

LANE float load_ftz(uint32_t b)
{
    return f32_of(flush_f32(b));
}
LANE float load_f16_ftz(uint32_t h)
{
    return f32_from_f16(flush_f16(h));
}
LANE float load_f16_hi(uint32_t h)
{
    return f32_from_f16(h >> 16);
}
LANE float load_f16_hi_ftz(uint32_t h)
{
    return f32_from_f16(flush_f16(h >> 16));
}
LANE float load_bf16_hi(uint32_t h)
{
    return f32_of(h & 0xffff0000u);
}

DEF_INT_TESTS(u16, uint32_t, uint16_t)
DEF_INT_TESTS(s16, uint32_t, int16_t)
DEF_INT_TESTS(u32, uint32_t, uint32_t)
DEF_INT_TESTS(s32, uint32_t, int32_t)
DEF_INT_TESTS(u64, uint64_t, uint64_t)
DEF_INT_TESTS(s64, uint64_t, int64_t)
DEF_FLOAT_TESTS(f32, uint32_t, float, f32_of)
DEF_FLOAT_TESTS(f32_ftz, uint32_t, float, load_ftz)
DEF_FLOAT_TESTS(f64, uint64_t, double, f64_of)
DEF_FLOAT_TESTS(f16, uint32_t, float, f32_from_f16)
DEF_FLOAT_TESTS(f16_ftz, uint32_t, float, load_f16_ftz)
DEF_FLOAT_TESTS(f16_hi, uint32_t, float, load_f16_hi)
DEF_FLOAT_TESTS(f16_hi_ftz, uint32_t, float, load_f16_hi_ftz)
DEF_FLOAT_TESTS(bf16, uint32_t, float, f32_from_bf16)
DEF_FLOAT_TESTS(bf16_hi, uint32_t, float, load_bf16_hi)

struct test {
    struct exec_impl setp;
    test_fn test;
};
enum family {
    C_U16,
    C_S16,
    C_U32,
    C_S32,
    C_U64,
    C_S64,
    C_F32,
    C_F32_FTZ,
    C_F64,
    C_F16,
    C_F16_FTZ,
    C_F16_HI,
    C_F16_HI_FTZ,
    C_BF16,
    C_BF16_HI,
    C_NONE
};

#define TEST(name)                     \
    {                                  \
        IMPL(setp_##name), test_##name \
    }
#define INT_TESTS(t)                                                                     \
    {                                                                                    \
        [CMP_EQ] = TEST(eq_##t), TEST(ne_##t), TEST(lt_##t), TEST(le_##t), TEST(gt_##t), \
        TEST(ge_##t)                                                                     \
    }
#define FLOAT_TESTS(t)                                                                    \
    {                                                                                     \
        [CMP_EQ] = TEST(eq_##t), TEST(ne_##t), TEST(lt_##t), TEST(le_##t), TEST(gt_##t),  \
        TEST(ge_##t), /* complemented: */                                                 \
            [CMP_EQU] = TEST(ne_##t), [CMP_NEU] = TEST(eq_##t), [CMP_LTU] = TEST(ge_##t), \
        [CMP_LEU] = TEST(gt_##t), [CMP_GTU] = TEST(le_##t), [CMP_GEU] = TEST(lt_##t),     \
        [CMP_NUM] = TEST(num_##t), [CMP_NAN] = TEST(num_##t)                              \
    }
static const struct test test_table[C_NONE][CMP_NAN + 1] = {
    [C_U16] = INT_TESTS(u16),
    [C_S16] = INT_TESTS(s16),
    [C_U32] = INT_TESTS(u32),
    [C_S32] = INT_TESTS(s32),
    [C_U64] = INT_TESTS(u64),
    [C_S64] = INT_TESTS(s64),
    [C_F32] = FLOAT_TESTS(f32),
    [C_F32_FTZ] = FLOAT_TESTS(f32_ftz),
    [C_F64] = FLOAT_TESTS(f64),
    [C_F16] = FLOAT_TESTS(f16),
    [C_F16_FTZ] = FLOAT_TESTS(f16_ftz),
    [C_F16_HI] = FLOAT_TESTS(f16_hi),
    [C_F16_HI_FTZ] = FLOAT_TESTS(f16_hi_ftz),
    [C_BF16] = FLOAT_TESTS(bf16),
    [C_BF16_HI] = FLOAT_TESTS(bf16_hi),
};

/* high: the upper element of a packed pair. */
static enum family family_of(enum vtype t, bool ftz, bool high)
{
    switch (t) {
    case VT_U16:
    case VT_B16:
        return C_U16;
    case VT_S16:
        return C_S16;
    case VT_U32:
    case VT_B32:
        return C_U32;
    case VT_S32:
        return C_S32;
    case VT_U64:
    case VT_B64:
        return C_U64;
    case VT_S64:
        return C_S64;
    case VT_F32:
        return ftz ? C_F32_FTZ : C_F32;
    case VT_F64:
        return C_F64;
    case VT_F16:
        return ftz ? C_F16_FTZ : C_F16;
    case VT_F16X2:
        return high ? (ftz ? C_F16_HI_FTZ : C_F16_HI) : ftz ? C_F16_FTZ : C_F16;
    case VT_BF16:
        return C_BF16;
    case VT_BF16X2:
        return high ? C_BF16_HI : C_BF16;
    default:
        return C_NONE;
    }
}

static enum vtype compared(const struct inst *in)
{
    return in->stype != VT_NONE ? in->stype : in->type;
}
static bool is_pair(const struct inst *in)
{
    return compared(in) == VT_F16X2 || compared(in) == VT_BF16X2;
}
static const struct test *find_test(const struct inst *in, bool high)
{
    const enum family f = family_of(compared(in), in->flags & INST_FTZ, high);
    if (f == C_NONE || in->cmp > CMP_NAN)
        return NULL;
    const enum vtype t = compared(in);
    const bool bits_only = t == VT_B16 || t == VT_B32 || t == VT_B64;
    if (bits_only && in->cmp != CMP_EQ && in->cmp != CMP_NE)
        return NULL;
    const struct test *test = &test_table[f][in->cmp];
    return test->test ? test : NULL;
}
/* The lanes for which the comparison and the boolean operand together hold. */
static lanes_t holds(struct warp *w, const struct inst *in, bool high)
{
    lanes_t m = find_test(in, high)->test(w, in);
    if (complements(in->cmp))
        m = ~m;
    return in->bop == BOOL_NONE ? m : join(in->bop, m, pred_get(w, &in->src[2]));
}

/* Packed pairs: one predicate for each element. */
static void setp_pair(EXEC_ARGS)
{
    const lanes_t low = holds(w, in, false), high = holds(w, in, true);
    pred_set(w, &in->dst[0], low, active);
    if (in->nd > 1)
        pred_set(w, &in->dst[1], high, active);
}

/* What `set` writes for true: all ones, or 1.0 of a float type. */
static uint64_t truth(enum vtype t)
{
    switch (t) {
    case VT_F32:
        return bits_f32(1.0f);
    case VT_F64:
        return bits_f64(1.0);
    case VT_F16:
    case VT_F16X2:
        return 0x3c00;
    case VT_BF16:
    case VT_BF16X2:
        return 0x3f80;
    case VT_U16:
    case VT_S16:
        return 0xffff;
    default:
        return UINT64_MAX;
    }
}

static void set(EXEC_ARGS)
{
    const lanes_t m = holds(w, in, false);
    const uint64_t yes = truth(in->type);
    uint32_t *d = row_of(w, &in->dst[0]);
    ACTIVE_LOOP
    d[i] = m >> i & 1 ? (uint32_t)yes : 0;
}

static void set_pair(EXEC_ARGS)
{
    const lanes_t low = holds(w, in, false), high = holds(w, in, true);
    const uint32_t yes = type_is_float(in->type) ? (uint32_t)truth(in->type) : 0xffff;
    uint32_t *d = row_of(w, &in->dst[0]);
    ACTIVE_LOOP
    d[i] = (low >> i & 1 ? yes : 0) | (high >> i & 1 ? yes << 16 : 0);
}

#define SELP_ROWS(R) \
    ROWS_2(R, R, R); \
    const lanes_t c = pred_get(w, &in->src[2])
EXEC_PAIR(selp_32, uint32_t, SPREAD(SELP_ROWS(uint32_t)), SPREAD(LOAD_2(uint32_t, uint32_t)),
          c &lane_bit[i] ? x : y)
EXEC_PAIR(selp_64, uint64_t, SPREAD(SELP_ROWS(uint64_t)), SPREAD(LOAD_2(uint64_t, uint64_t)),
          c &lane_bit[i] ? x : y)

EXEC3(slct_s32_32, uint32_t, uint32_t, uint32_t, uint32_t, (int32_t)z >= 0 ? x : y)
EXEC3(slct_s32_64, uint64_t, uint64_t, uint64_t, uint32_t, (int32_t)z >= 0 ? x : y)
EXEC3(slct_f32_32, uint32_t, uint32_t, uint32_t, uint32_t, f32_of(z) >= 0.0f ? x : y)
EXEC3(slct_f32_64, uint64_t, uint64_t, uint64_t, uint32_t, f32_of(z) >= 0.0f ? x : y)
EXEC3(slct_ftz_32, uint32_t, uint32_t, uint32_t, uint32_t, load_ftz(z) >= 0.0f ? x : y)
EXEC3(slct_ftz_64, uint64_t, uint64_t, uint64_t, uint32_t, load_ftz(z) >= 0.0f ? x : y)

static void pred_logic(EXEC_ARGS)
{
    const lanes_t a = pred_get(w, &in->src[0]);
    const lanes_t b = in->op == OP_NOT ? LANES_ALL : pred_get(w, &in->src[1]);
    lanes_t *d = pred_ref(w, &in->dst[0]);
    const lanes_t r = in->op == OP_AND ? a & b : in->op == OP_OR ? a | b : a ^ b;
    *d = (*d & ~active) | (r & active);
}

static exec_fn lookup_set(const struct inst *in)
{
    if (!find_test(in, false) || (in->bop != BOOL_NONE && in->ns < 3))
        return NULL;
    if (in->op == OP_SETP)
        return is_pair(in) ? setp_pair : exec_pick(&find_test(in, false)->setp);
    if (type_bytes(in->type) != 4 && type_bytes(in->type) != 2)
        return NULL;
    return in->dst[0].off == OPND_NONE ? exec_nothing : is_pair(in) ? set_pair : set;
}

static exec_fn lookup_select(const struct inst *in)
{
    static const struct exec_impl selp[2] = {IMPL(selp_32), IMPL(selp_64)};
    static const struct exec_impl slct[3][2] = {{IMPL(slct_s32_32), IMPL(slct_s32_64)},
                                                {IMPL(slct_f32_32), IMPL(slct_f32_64)},
                                                {IMPL(slct_ftz_32), IMPL(slct_ftz_64)}};
    const int bytes = type_bytes(in->type);
    if (bytes < 2 || bytes > 8)
        return NULL;
    if (in->dst[0].off == OPND_NONE)
        return exec_nothing;
    if (in->op == OP_SELP)
        return exec_pick(&selp[bytes == 8]);
    if (in->stype != VT_S32 && in->stype != VT_F32)
        return NULL;
    const int kind = in->stype == VT_S32 ? 0 : in->flags & INST_FTZ ? 2 : 1;
    return exec_pick(&slct[kind][bytes == 8]);
}

exec_fn exec_lookup_cmp(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_SET:
    case OP_SETP:
        return lookup_set(in);
    case OP_SELP:
    case OP_SLCT:
        return lookup_select(in);
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
        if (in->type != VT_PRED)
            return NULL;
        return in->dst[0].off == OPND_NONE ? exec_nothing : pred_logic;
    default:
        return NULL;
    }
}
