/* Logic, shifts and bit fields against the definitions, bit by bit. */
#include "tests/func/alu_values.h"

static int width(const struct inst *in)
{
    return alu_bits(in->type);
}
static uint64_t trim(const struct inst *in, uint64_t v)
{
    return width(in) == 64 ? v : v & ((UINT64_C(1) << width(in)) - 1);
}
static bool bit(uint64_t v, int k)
{
    return v >> k & 1;
}

static uint64_t ref_logic(const struct inst *in, const uint64_t v[])
{
    switch ((enum opcode)in->op) {
    case OP_AND:
        return trim(in, v[0] & v[1]);
    case OP_OR:
        return trim(in, v[0] | v[1]);
    case OP_XOR:
        return trim(in, v[0] ^ v[1]);
    case OP_NOT:
        return trim(in, ~v[0]);
    default:
        return v[0] == 0;
    }
}
static void logic(void)
{
    static const enum vtype types[] = {VT_B16, VT_B32, VT_B64};
    static const enum opcode ops[] = {OP_AND, OP_OR, OP_XOR, OP_NOT, OP_CNOT};
    for (int k = 0; k < 15; k++) {
        const struct inst in = alu_inst(ops[k / 3], types[k % 3], 0, k < 9 ? 2 : 1);
        alu_check_all(&in, exec_lookup_bits, ref_logic, values_of(types[k % 3]));
    }
}

static uint64_t ref_shift(const struct inst *in, const uint64_t v[])
{
    const int n = width(in);
    const bool fill = type_is_signed(in->type) && bit(v[0], n - 1);
    const uint64_t by = (uint32_t)v[1];
    uint64_t r = 0;
    for (int k = 0; k < n; k++) {
        const int64_t from = in->op == OP_SHL ? k - (int64_t)by : k + (int64_t)by;
        const bool set = from < 0    ? false
                         : from >= n ? in->op == OP_SHR && fill
                                     : bit(v[0], (int)from);
        r |= (uint64_t)set << k;
    }
    return r;
}
static void shifts_past_the_width(void)
{
    static const enum vtype types[] = {VT_B16, VT_B32, VT_B64, VT_U16, VT_U32,
                                       VT_U64, VT_S16, VT_S32, VT_S64};
    for (int k = 0; k < 9; k++)
        for (int right = 0; right < 2; right++) {
            struct inst in = alu_inst(right ? OP_SHR : OP_SHL, types[k], 0, 2);
            alu_src(&in, 1, 32);
            const struct set amounts = SET(values_32), values = values_of(types[k]);
            alu_check(&in, exec_lookup_bits, ref_shift,
                      (const struct set[ALU_OPS]){values, amounts});
            if (alu_bits(types[k]) == 64) { /* an immediate amount in a row of 64 bits */
                alu_src(&in, 1, 64);
                alu_check(&in, exec_lookup_bits, ref_shift,
                          (const struct set[ALU_OPS]){values, amounts});
            }
        }
}

static uint64_t ref_funnel(const struct inst *in, const uint64_t v[])
{
    const uint64_t both = v[1] << 32 | v[0];
    const unsigned n = in->flags & INST_WRAP ? v[2] & 31 : v[2] < 32 ? (unsigned)v[2] : 32;
    uint64_t r = 0;
    for (unsigned k = 0; k < 32; k++)
        r |= (uint64_t)bit(both, (int)(in->flags & INST_LEFT ? 32 + k - n : k + n)) << k;
    return r;
}
static void funnel_shifts(void)
{
    for (int k = 0; k < 4; k++) {
        const struct inst in =
            alu_inst(OP_SHF, VT_B32, (k & 1 ? INST_LEFT : 0) | (k & 2 ? INST_WRAP : 0), 3);
        alu_check_all(&in, exec_lookup_bits, ref_funnel, SET(values_32));
    }
}

static const uint64_t positions[] = {
    0,  1,  2,   7,   8,   15,  16,  30,  31,  32,         33,         62,         63,
    64, 65, 127, 128, 254, 255, 256, 257, 300, 0xffffffff, 0x80000000, 0x10000001f};
static uint64_t ref_bfe(const struct inst *in, const uint64_t v[])
{
    const int msb = width(in) - 1;
    const uint32_t pos = v[1] & 0xff, len = v[2] & 0xff;
    const uint32_t last = pos + len - 1 < (uint32_t)msb ? pos + len - 1 : (uint32_t)msb;
    const bool sign = type_is_signed(in->type) && len && bit(v[0], (int)last);
    uint64_t r = 0;
    for (int k = 0; k <= msb; k++) {
        const bool inside = (uint32_t)k < len && pos + (uint32_t)k <= (uint32_t)msb;
        r |= (uint64_t)(inside ? bit(v[0], (int)pos + k) : sign) << k;
    }
    return r;
}
static void extracts_fields_that_reach_beyond_the_word(void)
{
    static const enum vtype types[] = {VT_U32, VT_S32, VT_U64, VT_S64};
    for (int k = 0; k < 4; k++) {
        struct inst in = alu_inst(OP_BFE, types[k], 0, 3);
        alu_src(&in, 1, 32), alu_src(&in, 2, 32);
        alu_check(&in, exec_lookup_bits, ref_bfe,
                  (const struct set[ALU_OPS]){values_of(types[k]), SET(positions), SET(positions)});
    }
}
static uint64_t ref_bfi(const struct inst *in, const uint64_t v[])
{
    const int msb = width(in) - 1;
    const int pos = v[2] & 0xff, len = v[3] & 0xff;
    uint64_t r = v[1];
    for (int k = 0; k < len && pos + k <= msb; k++)
        r = (r & ~(UINT64_C(1) << (pos + k))) | (uint64_t)(k <= msb && bit(v[0], k)) << (pos + k);
    return r;
}
static void inserts_fields_that_reach_beyond_the_word(void)
{
    static const enum vtype types[] = {VT_B32, VT_B64};
    for (int k = 0; k < 2; k++) {
        struct inst in = alu_inst(OP_BFI, types[k], 0, 4);
        alu_src(&in, 2, 32), alu_src(&in, 3, 32);
        const struct set some = {20, values_of(types[k]).v};
        alu_check(&in, exec_lookup_bits, ref_bfi,
                  (const struct set[ALU_OPS]){some, some, SET(positions), SET(positions)});
    }
}

static uint64_t ref_count(const struct inst *in, const uint64_t v[])
{
    const int n = width(in);
    uint64_t ones = 0, reversed = 0, lead = 0;
    for (int k = 0; k < n; k++) {
        ones += bit(v[0], k);
        reversed |= (uint64_t)bit(v[0], k) << (n - 1 - k);
    }
    while (lead < (uint64_t)n && !bit(v[0], n - 1 - (int)lead))
        lead++;
    return in->op == OP_POPC ? ones : in->op == OP_CLZ ? lead : reversed;
}
static uint64_t ref_bfind(const struct inst *in, const uint64_t v[])
{
    const int n = width(in);
    const uint64_t a = type_is_signed(in->type) && bit(v[0], n - 1) ? ~v[0] : v[0];
    for (int k = n - 1; k >= 0; k--)
        if (bit(a, k))
            return (uint64_t)(in->flags & INST_SHIFTAMT ? n - 1 - k : k);
    return UINT32_MAX;
}
static void counts_and_finds_bits(void)
{
    static const enum vtype types[] = {VT_B32, VT_B64};
    static const enum opcode ops[] = {OP_POPC, OP_CLZ, OP_BREV};
    for (int k = 0; k < 6; k++) {
        struct inst in = alu_inst(ops[k / 2], types[k % 2], 0, 1);
        if (in.op != OP_BREV)
            alu_dst(&in, 0, 32);
        alu_check_all(&in, exec_lookup_bits, ref_count, values_of(types[k % 2]));
    }
    static const enum vtype words[] = {VT_U32, VT_S32, VT_U64, VT_S64};
    for (int k = 0; k < 8; k++) {
        struct inst in = alu_inst(OP_BFIND, words[k % 4], k < 4 ? 0 : INST_SHIFTAMT, 1);
        alu_dst(&in, 0, 32);
        alu_check_all(&in, exec_lookup_bits, ref_bfind, values_of(words[k % 4]));
    }
}

/* The pseudo-code of the PTX manual for fns, bmsk and szext. */
static uint64_t ref_fns(const struct inst *in, const uint64_t v[])
{
    (void)in;
    const int32_t offset = (int32_t)v[2];
    if (v[1] > 31)
        return UINT32_MAX;
    if (offset == 0)
        return bit(v[0], (int)v[1]) ? v[1] : UINT32_MAX;
    int64_t pos = (int64_t)v[1], count = (offset < 0 ? -(int64_t)offset : offset) - 1;
    for (; pos >= 0 && pos<32; pos += offset> 0 ? 1 : -1)
        if (bit(v[0], (int)pos)) {
            if (count == 0)
                return (uint64_t)pos;
            count--;
        }
    return UINT32_MAX;
}
static uint64_t ref_bmsk(const struct inst *in, const uint64_t v[])
{
    const uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], a1 = a & 31, b1 = b & 31, sum = a1 + b1;
    uint32_t mask0 = UINT32_MAX << a1, mask1 = sum < 32 ? UINT32_MAX << sum : 0;
    bool overflow = sum >= 32;
    if (!(in->flags & INST_WRAP)) {
        if (a >= 32)
            overflow = true, mask0 = 0;
        overflow |= b >= 32;
    }
    if (overflow)
        mask1 = 0;
    else if (b1 == 0)
        mask1 = UINT32_MAX;
    return mask0 & ~mask1;
}
static uint64_t ref_szext(const struct inst *in, const uint64_t v[])
{
    const uint32_t a = (uint32_t)v[0], b1 = v[1] & 31;
    const bool too_large = v[1] >= 32 && !(in->flags & INST_WRAP);
    const uint32_t mask = too_large ? 0 : UINT32_MAX << b1;
    const uint32_t sign_pos = (b1 - 1) & 31;
    const bool sign = !(b1 == 0 || too_large || in->type != VT_S32) && bit(a, (int)sign_pos);
    return sign ? a | mask : a & ~mask;
}
static void masks_and_extensions(void)
{
    const struct inst fns = alu_inst(OP_FNS, VT_B32, 0, 3);
    static const uint64_t offsets[] = {
        0, 1, 2, 3, 8, 31, 32, 0xffffffff, 0xfffffffe, 0xfffffff0, 0x80000000, 0x7fffffff};
    alu_check(&fns, exec_lookup_bits, ref_fns,
              (const struct set[ALU_OPS]){SET(values_32), SET(positions), SET(offsets)});
    for (int k = 0; k < 2; k++) {
        const uint32_t mode = k ? INST_WRAP : 0;
        struct inst in = alu_inst(OP_BMSK, VT_B32, mode, 2);
        alu_check_all(&in, exec_lookup_bits, ref_bmsk, SET(positions));
        in = alu_inst(OP_SZEXT, VT_U32, mode, 2);
        alu_check(&in, exec_lookup_bits, ref_szext,
                  (const struct set[ALU_OPS]){SET(values_32), SET(positions)});
        in.type = VT_S32;
        alu_check(&in, exec_lookup_bits, ref_szext,
                  (const struct set[ALU_OPS]){SET(values_32), SET(positions)});
    }
}

static uint32_t byte_of(const uint64_t v[], unsigned selector)
{
    const uint64_t both = v[1] << 32 | v[0];
    const uint32_t b = both >> 8 * (selector & 7) & 0xff;
    return selector & 8 ? (b & 0x80 ? 0xff : 0) : b;
}
static uint64_t ref_prmt(const struct inst *in, const uint64_t v[])
{
    /* byte numbers of d.b3 d.b2 d.b1 d.b0 for c = 0..3, as the manual's table prints them */
    static const char *const rows[][4] = {[PRMT_F4E] = {"3210", "4321", "5432", "6543"},
                                          [PRMT_B4E] = {"5670", "6701", "7012", "0123"},
                                          [PRMT_RC8] = {"0000", "1111", "2222", "3333"},
                                          [PRMT_ECL] = {"3210", "3211", "3222", "3333"},
                                          [PRMT_ECR] = {"0000", "1110", "2210", "3210"},
                                          [PRMT_RC16] = {"1010", "3232", "1010", "3232"}};
    uint32_t r = 0;
    for (int k = 0; k < 4; k++) {
        const unsigned selector = in->mode == PRMT_INDEX
                                      ? v[2] >> 4 * k & 15
                                      : (unsigned)(rows[in->mode][v[2] & 3][3 - k] - '0');
        r |= byte_of(v, selector) << 8 * k;
    }
    return r;
}
static void permutes_bytes_in_every_mode(void)
{
    static const uint64_t selectors[] = {0x3210, 0x7654, 0x0123, 0xfedc, 0x1032, 0x5140,    0xffff,
                                         0x88,   1,      2,      3,      0x4321, 0xdeadbeef};
    for (int mode = PRMT_INDEX; mode <= PRMT_RC16; mode++) {
        struct inst in = alu_inst(OP_PRMT, VT_B32, 0, 3);
        in.mode = (uint8_t)mode;
        alu_check(&in, exec_lookup_bits, ref_prmt,
                  (const struct set[ALU_OPS]){SET(values_32), SET(values_32), SET(selectors)});
    }
}

static void immediate_selectors(void)
{
    for (int mode = PRMT_INDEX; mode <= PRMT_RC16; mode++)
        for (uint64_t c = 0; c < 0x10000; c += mode == PRMT_INDEX ? 0x357 : 0x5555) {
            struct inst in = alu_inst(OP_PRMT, VT_B32, 0, 3);
            in.mode = (uint8_t)mode;
            in.src[2].bank = BANK_CONST;
            alu_check(&in, exec_lookup_bits, ref_prmt,
                      (const struct set[ALU_OPS]){SET(values_32), SET(values_32), {1, &c}});
        }
}

static uint64_t ref_lop3(const struct inst *in, const uint64_t v[])
{
    uint64_t r = 0;
    for (int k = 0; k < 32; k++)
        r |= (uint64_t)bit((uint64_t)in->imm, bit(v[0], k) << 2 | bit(v[1], k) << 1 | bit(v[2], k))
             << k;
    return r;
}
static void every_lop3_table(void)
{
    static const uint64_t some[] = {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x12345678, 0, 0xffffffff};
    for (int lut = 0; lut < 256; lut++) {
        struct inst in = alu_inst(OP_LOP3, VT_B32, 0, 3);
        in.imm = lut;
        alu_check_all(&in, exec_lookup_bits, ref_lop3, SET(some));
    }
}
static void lop3_with_a_predicate(void)
{
    struct alu a;
    alu_init(&a);
    struct inst in = alu_inst(OP_LOP3, VT_B32, 0, 3);
    in.imm = 0x80; /* a & b & c */
    alu_dst(&in, 1, 1), alu_src(&in, 3, 1);
    for (int i = 0; i < WARP_SIZE; i++)
        for (int k = 0; k < 3; k++)
            alu_put(&a, &in.src[k], i, i & 1 ? 0xff : (1u << k));
    *pred_ref(&a.w, &in.src[3]) = 0x0f0f0f0f;
    static const lanes_t want[] = {[BOOL_AND] = 0x0a0a0a0a, [BOOL_OR] = 0xafafafaf};
    for (int op = BOOL_AND; op <= BOOL_OR; op++) {
        in.bop = (uint8_t)op;
        in.exec = exec_lookup_bits(&in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
        *pred_ref(&a.w, &in.dst[1]) = 0;
        in.exec(&a.w, &in, 0x00ffffff);
        CU_ASSERT_EQUAL(*pred_ref(&a.w, &in.dst[1]), want[op] & 0x00ffffff);
        CU_ASSERT_EQUAL(alu_get(&a, &in.dst[0], 3), 0xff);
    }
    in.bop = BOOL_XOR;
    alu_refused(&in, exec_lookup_bits);
}

static void what_ptx_lacks_is_refused(void)
{
    struct inst in = alu_inst(OP_AND, VT_F32, 0, 2);
    alu_refused(&in, exec_lookup_bits);
    in = alu_inst(OP_AND, VT_PRED, 0, 2);
    alu_refused(&in, exec_lookup_bits);
    in = alu_inst(OP_POPC, VT_B16, 0, 1);
    alu_refused(&in, exec_lookup_bits);
    in = alu_inst(OP_SHF, VT_B64, 0, 3);
    alu_refused(&in, exec_lookup_bits);
    in = alu_inst(OP_PRMT, VT_B64, 0, 3);
    alu_refused(&in, exec_lookup_bits);
    in = alu_inst(OP_LOP3, VT_B64, 0, 3);
    alu_refused(&in, exec_lookup_bits);
    in = alu_inst(OP_ADD, VT_U32, 0, 2);
    alu_refused(&in, exec_lookup_bits);
}

SUITE("bits", T(logic), T(shifts_past_the_width), T(funnel_shifts),
      T(extracts_fields_that_reach_beyond_the_word), T(inserts_fields_that_reach_beyond_the_word),
      T(counts_and_finds_bits), T(masks_and_extensions), T(permutes_bytes_in_every_mode),
      T(immediate_selectors), T(every_lop3_table), T(lop3_with_a_predicate),
      T(what_ptx_lacks_is_refused))
