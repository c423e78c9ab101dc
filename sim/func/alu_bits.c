/* alu_bits.c -- logic, shifts and everything that treats a register as a string of bits. */
#include "sim/func/lanes.h"

/* X(bits, row type, mask of the value in the row) */
#define WORDS(X)                \
    X(16, uint32_t, 0xffffu)    \
    X(32, uint32_t, UINT32_MAX) \
    X(64, uint64_t, UINT64_MAX)

/* A shift amount is a .u32 whatever the type shifted; an immediate may lie in a 64-bit row. */
#define DEF_LOGIC(bits, R, MASK)                                                      \
    EXEC2(and_##bits, R, R, R, x &y)                                                  \
    EXEC2(or_##bits, R, R, R, x | y)                                                  \
    EXEC2(xor_##bits, R, R, R, x ^ y)                                                 \
    EXEC1(not_##bits, R, R, ~x &(R)MASK)                                              \
    EXEC1(cnot_##bits, R, R, x == 0)                                                  \
    EXEC2(shl_##bits, R, R, uint32_t, y < bits ? x << (y & (bits - 1)) & (R)MASK : 0) \
    EXEC2(shr_u##bits, R, R, uint32_t, y < bits ? x >> (y & (bits - 1)) : 0)
WORDS(DEF_LOGIC)

EXEC2(shr_s16, uint32_t, uint32_t, uint32_t, (uint16_t)((int16_t)x >> (y < 15 ? y : 15)))
EXEC2(shr_s32, uint32_t, uint32_t, uint32_t, (int32_t)x >> (y < 31 ? y : 31))
EXEC2(shr_s64, uint64_t, uint64_t, uint32_t, (int64_t)x >> (y < 63 ? y : 63))
EXEC2(shl_64x64, uint64_t, uint64_t, uint64_t, (uint32_t)y < 64 ? x << (y & 63) : 0)
EXEC2(shr_u64x64, uint64_t, uint64_t, uint64_t, (uint32_t)y < 64 ? x >> (y & 63) : 0)
EXEC2(shr_s64x64, uint64_t, uint64_t, uint64_t, (int64_t)x >> ((uint32_t)y < 63 ? (uint32_t)y : 63))

/* Funnel: x is the low word, y the high one. */
LANE uint32_t funnel_left(uint32_t x, uint32_t y, uint32_t n)
{
    return (uint32_t)((((uint64_t)y << 32 | x) << n) >> 32);
}
LANE uint32_t funnel_right(uint32_t x, uint32_t y, uint32_t n)
{
    return (uint32_t)(((uint64_t)y << 32 | x) >> n);
}
#define DEF_FUNNEL(name, EXPR) EXEC3(name, uint32_t, uint32_t, uint32_t, uint32_t, EXPR)
DEF_FUNNEL(shf_l_wrap, funnel_left(x, y, z & 31))
DEF_FUNNEL(shf_r_wrap, funnel_right(x, y, z & 31))
DEF_FUNNEL(shf_l_clamp, funnel_left(x, y, z < 32 ? z : 32))
DEF_FUNNEL(shf_r_clamp, funnel_right(x, y, z < 32 ? z : 32))

/* Field of `len` bits at `pos`, both taken modulo 256; what lies beyond the word reads as the sign.
 */
#define FIELD_ROWS(R)          \
    ROWS_3(R, R, R, uint32_t); \
    const uint32_t *rn = row_of(w, &in->src[3])
#define FIELD_LOADS(R)      \
    LOAD_3(R, R, uint32_t); \
    const uint32_t n = rn[i]
#define DEF_FIELD(bits, R, S)                                                                  \
    LANE R ones_of_##bits(uint32_t len)                                                        \
    {                                                                                          \
        return len < bits ? ((R)1 << (len & (bits - 1))) - 1 : ~(R)0;                          \
    }                                                                                          \
    LANE R bfe_lane_##bits(R a, uint32_t pos, uint32_t len, bool is_signed)                    \
    {                                                                                          \
        pos &= 0xff, len &= 0xff;                                                              \
        const R top = is_signed ? (R)((S)a >> (bits - 1)) : 0;                                 \
        const R up = is_signed ? (R)((S)a >> (pos & (bits - 1))) : a >> (pos & (bits - 1));    \
        const R field = pos < bits ? up : top, ones = ones_of_##bits(len);                     \
        const R high = ones ^ ones >> 1; /* the field's own top bit */                         \
        return (field & ones) | (is_signed && field & high ? ~ones : 0);                       \
    }                                                                                          \
    LANE R bfi_lane_##bits(R a, R b, uint32_t pos, uint32_t len)                               \
    {                                                                                          \
        pos &= 0xff, len &= 0xff;                                                              \
        const R mask = pos < bits ? ones_of_##bits(len) << (pos & (bits - 1)) : 0;             \
        return (b & ~mask) | (a << (pos & (bits - 1)) & mask);                                 \
    }                                                                                          \
    LANE uint32_t bfind_lane_##bits(R a, bool is_signed, bool shiftamt)                        \
    {                                                                                          \
        const R v = is_signed && (S)a < 0 ? ~a : a;                                            \
        if (v == 0)                                                                            \
            return UINT32_MAX;                                                                 \
        const uint32_t from_top = (uint32_t)(__builtin_clzll(v) - (64 - bits));                \
        return shiftamt ? from_top : bits - 1 - from_top;                                      \
    }                                                                                          \
    EXEC3(bfe_u##bits, R, R, uint32_t, uint32_t, bfe_lane_##bits(x, y, z, false))              \
    EXEC3(bfe_s##bits, R, R, uint32_t, uint32_t, bfe_lane_##bits(x, y, z, true))               \
    EXEC_PAIR(bfi_##bits, R, SPREAD(FIELD_ROWS(R)), SPREAD(FIELD_LOADS(R)),                    \
              bfi_lane_##bits(x, y, z, n))                                                     \
    SCALAR1(bfind_u##bits, uint32_t, R, bfind_lane_##bits(x, false, in->flags &INST_SHIFTAMT)) \
    SCALAR1(bfind_s##bits, uint32_t, R, bfind_lane_##bits(x, true, in->flags &INST_SHIFTAMT))
DEF_FIELD(32, uint32_t, int32_t)
DEF_FIELD(64, uint64_t, int64_t)

LANE uint32_t reverse_32(uint32_t v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(v);
}
LANE uint64_t reverse_64(uint64_t v)
{
    return (uint64_t)reverse_32((uint32_t)v) << 32 | reverse_32((uint32_t)(v >> 32));
}
EXEC1(brev_32, uint32_t, uint32_t, reverse_32(x))
EXEC1(brev_64, uint64_t, uint64_t, reverse_64(x))

/* Sums of ones in ever wider fields; the instruction of the host counts one lane at a time. */
LANE uint32_t ones_32(uint32_t v)
{
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    v += v >> 8;
    return (v + (v >> 16)) & 0x3f;
}
LANE uint32_t ones_64(uint64_t v)
{
    return ones_32((uint32_t)v) + ones_32((uint32_t)(v >> 32));
}
/* Every bit below the highest one set: what is clear then leads. */
LANE uint32_t lead_32(uint32_t v)
{
    v |= v >> 1, v |= v >> 2, v |= v >> 4, v |= v >> 8;
    return 32 - ones_32(v | v >> 16);
}
LANE uint32_t lead_64(uint64_t v)
{
    const uint32_t high = (uint32_t)(v >> 32), low = lead_32((uint32_t)v);
    return high ? lead_32(high) : 32 + low;
}
EXEC1(clz_32, uint32_t, uint32_t, lead_32(x))
EXEC1(clz_64, uint32_t, uint64_t, lead_64(x))
EXEC1(popc_32, uint32_t, uint32_t, ones_32(x))
EXEC1(popc_64, uint32_t, uint64_t, ones_64(x))

static uint32_t fns_lane(uint32_t mask, uint32_t base, int32_t offset)
{
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    const int step = offset > 0 ? 1 : -1;
    int64_t left = offset > 0 ? offset : -(int64_t)offset;
    for (int pos = (int)base; pos >= 0 && pos < 32; pos += step)
        if ((mask >> pos & 1) && --left == 0)
            return (uint32_t)pos;
    return UINT32_MAX;
}
SCALAR3(fns, uint32_t, uint32_t, uint32_t, uint32_t, fns_lane(x, y, (int32_t)z))

LANE uint32_t bmsk_lane(uint32_t pos, uint32_t len, bool wrap)
{
    if (wrap)
        pos &= 31, len &= 31;
    if (pos > 31)
        return 0;
    const uint32_t ones = len > 31 ? UINT32_MAX : (1u << len) - 1;
    return ones << pos;
}
SCALAR2(bmsk, uint32_t, uint32_t, uint32_t, bmsk_lane(x, y, in->flags &INST_WRAP))

LANE uint32_t szext_lane(uint32_t a, uint32_t len, bool wrap, bool is_signed)
{
    if (wrap)
        len &= 31;
    if (len > 31)
        return a;
    if (len == 0)
        return 0;
    const uint32_t drop = 32 - len;
    return is_signed ? (uint32_t)((int32_t)(a << drop) >> drop) : a << drop >> drop;
}
SCALAR2(szext, uint32_t, uint32_t, uint32_t,
        szext_lane(x, y, in->flags &INST_WRAP, type_is_signed(in->type)))

/* Selectors of the four result bytes, low byte in the low nibble, by mode and c[1:0]. */
static const uint16_t prmt_select[][4] = {
    [PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
    [PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
    [PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
};
LANE uint32_t prmt_lane(uint32_t a, uint32_t b, uint32_t select)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t nibble = select >> (4 * k);
        uint32_t byte = bytes >> (8 * (nibble & 7)) & 0xff;
        if (nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= byte << (8 * k);
    }
    return d;
}
/* An immediate selector is the same for every lane: shifts by one amount, which vectorise. */
static void prmt_uniform(EXEC_ARGS)
{
    ROWS_3(uint32_t, uint32_t, uint32_t, uint32_t);
    const uint32_t select = in->mode ? prmt_select[in->mode][rc[0] & 3] : rc[0];
    uint32_t all[WARP_SIZE] = {0};
    for (int k = 0; k < 4; k++) {
        const uint32_t nibble = select >> (4 * k);
        const uint32_t *from = nibble & 4 ? rb : ra;
        const int up = 24 - 8 * (nibble & 3), down = nibble & 8 ? 31 : 24;
        LANE_LOOP
        {
            const int32_t top = (int32_t)(from[i] << up); /* the byte, or its sign, at the top */
            all[i] |= (uint32_t)(top >> down & 0xff) << (8 * k);
        }
    }
    LANE_LOOP
    d[i] = active & lane_bit[i] ? all[i] : d[i];
}
SCALAR3(prmt_index, uint32_t, uint32_t, uint32_t, uint32_t, prmt_lane(x, y, z))
SCALAR3(prmt_mode, uint32_t, uint32_t, uint32_t, uint32_t,
        prmt_lane(x, y, prmt_select[in->mode][z & 3]))

/* Any function of three bits as the sum of its minterms: m[k] is all ones where the table has bit
 * k. */
#define LOP3_ROWS                                   \
    ROWS_3(uint32_t, uint32_t, uint32_t, uint32_t); \
    uint32_t m[8];                                  \
    for (int k = 0; k < 8; k++)                     \
    m[k] = in->imm >> k & 1 ? UINT32_MAX : 0
LANE uint32_t lop3_lane(uint32_t a, uint32_t b, uint32_t c, const uint32_t m[8])
{
    const uint32_t low = (~b & ((~c & m[0]) | (c & m[1]))) | (b & ((~c & m[2]) | (c & m[3])));
    const uint32_t high = (~b & ((~c & m[4]) | (c & m[5]))) | (b & ((~c & m[6]) | (c & m[7])));
    return (~a & low) | (a & high);
}
EXEC_PAIR(lop3, uint32_t, LOP3_ROWS, SPREAD(LOAD_3(uint32_t, uint32_t, uint32_t)),
          lop3_lane(x, y, z, m))

/* lop3.BoolOp: the predicate (d != 0) op q beside (or instead of) the value. */
static void lop3_bool(EXEC_ARGS)
{
    const uint32_t *ra = row_of(w, &in->src[0]), *rb = row_of(w, &in->src[1]);
    const uint32_t *rc = row_of(w, &in->src[2]);
    const bool sink = in->dst[0].off == OPND_NONE;
    uint32_t *d = sink ? NULL : row_of(w, &in->dst[0]);
    uint32_t m[8];
    for (int k = 0; k < 8; k++)
        m[k] = in->imm >> k & 1 ? UINT32_MAX : 0;
    const lanes_t q = pred_get(w, &in->src[3]);
    lanes_t nonzero = 0;
    ACTIVE_LOOP
    {
        const uint32_t r = lop3_lane(ra[i], rb[i], rc[i], m);
        nonzero |= (lanes_t)(r != 0) << i;
        if (!sink)
            d[i] = r;
    }
    const lanes_t p = in->bop == BOOL_AND ? nonzero & q : nonzero | q;
    if (in->dst[1].off != OPND_NONE) {
        lanes_t *dst = pred_ref(w, &in->dst[1]);
        *dst = (*dst & ~active) | (p & active);
    }
}

/* Executors by the width of the type; [3], [4], [5]: where signed types differ. */
enum { W16, W32, W64, S16, S32, S64, WIDTHS };

#define BITS3(op)                                                                                \
    {                                                                                            \
        IMPL(op##_16), IMPL(op##_32), IMPL(op##_64), IMPL(op##_16), IMPL(op##_32), IMPL(op##_64) \
    }
#define BITS2(op)                            \
    {                                        \
        [W32] = IMPL(op##_32), IMPL(op##_64) \
    }
#define FIELD(op)                                                                      \
    {                                                                                  \
        [W32] = SAME(op##_u32), SAME(op##_u64), [S32] = SAME(op##_s32), SAME(op##_s64) \
    }
#define FIELDS(op)                                                                     \
    {                                                                                  \
        [W32] = IMPL(op##_u32), IMPL(op##_u64), [S32] = IMPL(op##_s32), IMPL(op##_s64) \
    }
#define ONE32(op)                          \
    {                                      \
        [W32] = SAME(op), [S32] = SAME(op) \
    }

static const struct exec_impl bits_table[OP_COUNT][WIDTHS] = {
    [OP_AND] = BITS3(and),
    [OP_OR] = BITS3(or),
    [OP_XOR] = BITS3(xor),
    [OP_NOT] = BITS3(not ),
    [OP_CNOT] = BITS3(cnot),
    [OP_SHL] = BITS3(shl),
    [OP_SHR] = {IMPL(shr_u16), IMPL(shr_u32), IMPL(shr_u64), IMPL(shr_s16), IMPL(shr_s32),
                IMPL(shr_s64)},
    [OP_BFE] = FIELDS(bfe),
    [OP_BFIND] = FIELD(bfind),
    [OP_BFI] = BITS2(bfi),
    [OP_BREV] = BITS2(brev),
    [OP_CLZ] = BITS2(clz),
    [OP_POPC] = BITS2(popc),
    [OP_FNS] = ONE32(fns),
    [OP_BMSK] = ONE32(bmsk),
    [OP_SZEXT] = ONE32(szext),
};

static int width_of(enum vtype t)
{
    const int bytes = type_bytes(t);
    if (type_is_float(t) || bytes < 2 || bytes > 8)
        return -1;
    return (bytes == 2 ? W16 : bytes == 4 ? W32 : W64) + (type_is_signed(t) ? S16 : W16);
}

static exec_fn lookup_funnel(const struct inst *in)
{
    static const struct exec_impl table[4] = {IMPL(shf_r_clamp), IMPL(shf_r_wrap),
                                              IMPL(shf_l_clamp), IMPL(shf_l_wrap)};
    return exec_pick(&table[(in->flags & INST_LEFT ? 2 : 0) + (in->flags & INST_WRAP ? 1 : 0)]);
}

static exec_fn lookup_prmt(const struct inst *in)
{
    if (in->src[2].bank == BANK_CONST)
        return prmt_uniform;
    return in->mode ? prmt_mode : prmt_index;
}

static exec_fn lookup_lop3(const struct inst *in)
{
    static const struct exec_impl plain = IMPL(lop3);
    if (in->bop == BOOL_NONE)
        return in->dst[0].off == OPND_NONE ? exec_nothing : exec_pick(&plain);
    return in->bop == BOOL_XOR || in->nd < 2 || in->ns < 4 ? NULL : lop3_bool;
}

static const struct exec_impl *shift_by_64(const struct inst *in)
{
    static const struct exec_impl left = IMPL(shl_64x64), right = IMPL(shr_u64x64),
                                  arith = IMPL(shr_s64x64);
    return in->op == OP_SHL ? &left : in->type == VT_S64 ? &arith : &right;
}

exec_fn exec_lookup_bits(const struct inst *in)
{
    const int width = width_of(in->type);
    if (width < 0)
        return NULL;
    if (in->op == OP_LOP3)
        return width == W32 ? lookup_lop3(in) : NULL;
    const bool word = width == W32, sink = in->dst[0].off == OPND_NONE;
    if (in->op == OP_SHF)
        return !word ? NULL : sink ? exec_nothing : lookup_funnel(in);
    if (in->op == OP_PRMT)
        return !word ? NULL : sink ? exec_nothing : lookup_prmt(in);
    const struct exec_impl *impl = &bits_table[in->op][width];
    if (!impl->base)
        return NULL;
    if ((in->op == OP_SHL || in->op == OP_SHR) && in->src[1].width == 8)
        impl = shift_by_64(in);
    return sink ? exec_nothing : exec_pick(impl);
}
