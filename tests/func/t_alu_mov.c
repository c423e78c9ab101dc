/* Moves, packing, special registers that change, and addresses between spaces. */
#include "sim/func/cta_cluster.h"
#include "tests/func/alu_values.h"

static uint64_t ref_mov(const struct inst *in, const uint64_t v[])
{
    return (in->src[0].width == 0 && in->src[0].neg) ? !v[0]
           : in->type == VT_B16                      ? v[0] & 0xffff
                                                     : v[0];
}
static void moves(void)
{
    static const enum vtype types[] = {VT_B16, VT_B32, VT_B64, VT_U32, VT_F32, VT_F64, VT_S64};
    for (int k = 0; k < 7; k++) {
        const struct inst in = alu_inst(OP_MOV, types[k], 0, 1);
        alu_check_all(&in, exec_lookup_mov, ref_mov, values_of(types[k]));
    }
    struct inst in = alu_inst(OP_MOV, VT_U64, 0, 1);
    alu_src(&in, 0, 32); /* an address of 32 bits */
    alu_check_all(&in, exec_lookup_mov, ref_mov, SET(values_32));
    in = alu_inst(OP_MOV, VT_U32, 0, 1);
    alu_src(&in, 0, 64);
    alu_check_all(&in, exec_lookup_mov, ref_mov, SET(values_64));
    static const uint64_t truths[] = {0, 1};
    for (int neg = 0; neg < 2; neg++) {
        in = alu_inst(OP_MOV, VT_PRED, 0, 1);
        in.src[0].neg = (uint8_t)neg;
        alu_check_all(&in, exec_lookup_mov, ref_mov, SET(truths));
    }
}

static uint64_t ref_pack(const struct inst *in, const uint64_t v[])
{
    const int bits = alu_bits(in->type) / in->ns;
    uint64_t r = 0;
    for (int k = 0; k < in->ns; k++)
        r |= (v[k] & (UINT64_MAX >> (64 - bits))) << k * bits;
    return r;
}
static void packs_the_first_part_lowest(void)
{
    static const struct {
        enum vtype type;
        int parts;
    } forms[] = {{VT_B32, 2}, {VT_B64, 2}, {VT_B64, 4}, {VT_B32, 4}};
    for (int f = 0; f < 4; f++) {
        struct inst in = alu_inst(OP_MOV, forms[f].type, 0, 0);
        const int bits = alu_bits(forms[f].type) / forms[f].parts;
        for (int k = 0; k < forms[f].parts; k++)
            alu_src(&in, k, bits);
        const struct set s = {12, bits == 32 ? values_32 + 10 : values_16 + 5};
        alu_check_all(&in, exec_lookup_mov, ref_pack, s);
    }
}

static void unpacks_into_registers_and_sinks(void)
{
    struct alu a;
    alu_init(&a);
    for (int parts = 2; parts <= 4; parts += 2)
        for (int sink = 0; sink <= parts; sink++) {
            struct inst in = alu_inst(OP_MOV, VT_B64, 0, 1);
            in.nd = 0;
            const int bits = 64 / parts;
            for (int k = 0; k < parts; k++)
                alu_dst(&in, k, bits);
            in.exec = exec_lookup_mov(&in);
            CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
            for (int i = 0; i < WARP_SIZE; i++) {
                alu_put(&a, &in.src[0], i, values_64[i % SET(values_64).n]);
                for (int k = 0; k < parts; k++)
                    alu_put(&a, &in.dst[k], i, OLD);
            }
            struct inst with_sink = in;
            if (sink < parts)
                with_sink.dst[sink].off = OPND_NONE;
            in.exec(&a.w, &with_sink, 0xfffffff0);
            for (int i = 0; i < WARP_SIZE; i++)
                for (int k = 0; k < parts; k++) {
                    const uint64_t v =
                        values_64[i % SET(values_64).n] >> k * bits & (UINT64_MAX >> (64 - bits));
                    CU_ASSERT_EQUAL(alu_get(&a, &in.dst[k], i),
                                    k == sink || i < 4 ? (uint32_t)OLD : v);
                }
        }
}

static void clocks_and_timers(void)
{
    struct alu a;
    alu_init(&a);
    a.cta.now = 0x123456789abcdefull, a.cta.now_ps = 0x7000000000123ull;
    const uint64_t ns = a.cta.now_ps / 1000;
    const struct {
        enum sreg r;
        int bits;
        uint64_t want;
    } cases[] = {{SREG_CLOCK, 32, 0x89abcdef},
                 {SREG_CLOCK_HI, 32, 0x1234567},
                 {SREG_CLOCK64, 64, a.cta.now},
                 {SREG_GLOBALTIMER, 64, ns},
                 {SREG_GLOBALTIMER_LO, 32, (uint32_t)ns},
                 {SREG_GLOBALTIMER_HI, 32, ns >> 32},
                 {SREG_PM, 32, 0}};
    for (int k = 0; k < 7; k++) {
        struct inst in = alu_inst(OP_MOVSREG, cases[k].bits == 64 ? VT_U64 : VT_U32, 0, 0);
        in.mode = (uint8_t)cases[k].r;
        in.exec = exec_lookup_mov(&in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
        alu_put(&a, &in.dst[0], 0, OLD);
        in.exec(&a.w, &in, 0xfffffffe);
        CU_ASSERT_EQUAL(alu_get(&a, &in.dst[0], 31), cases[k].want);
        CU_ASSERT_EQUAL(alu_get(&a, &in.dst[0], 0), alu_trim(&in.dst[0], OLD));
    }
}

static uint64_t window(enum space s)
{
    return s == SP_SHARED  ? SHARED_WINDOW
           : s == SP_LOCAL ? LOCAL_WINDOW
           : s == SP_PARAM ? PARAM_WINDOW
                           : 0;
}
static uint64_t ref_cvta(const struct inst *in, const uint64_t v[])
{
    const uint64_t r = in->flags & INST_TO ? v[0] - window(in->space) : v[0] + window(in->space);
    return in->type == VT_U32 ? (uint32_t)r : r;
}
static const enum space spaces[] = {SP_GLOBAL, SP_SHARED, SP_LOCAL, SP_CONST, SP_PARAM};
static void addresses_to_generic_and_back(void)
{
    for (int k = 0; k < 20; k++) {
        struct inst in = alu_inst(OP_CVTA, k & 1 ? VT_U32 : VT_U64, k & 2 ? INST_TO : 0, 1);
        in.space = (uint8_t)spaces[k / 4];
        alu_check_all(&in, exec_lookup_mov, ref_cvta, values_of(in.type));
    }
}
static uint64_t ref_isspacep(const struct inst *in, const uint64_t v[])
{
    bool in_any = false;
    for (int k = 0; k < 5; k++)
        in_any |= window(spaces[k]) && v[0] >= window(spaces[k]) &&
                  v[0] < window(spaces[k]) + WINDOW_BYTES;
    if (!window(in->space))
        return !in_any;
    /* its own, and its own again as that of rank 0 */
    const uint64_t cta = 2 * CTA_SHARED_STRIDE;
    const uint64_t bytes = in->space == SP_SHARED && !in->mode ? cta : WINDOW_BYTES;
    return v[0] >= window(in->space) && v[0] < window(in->space) + bytes;
}
static void spaces_of_addresses(void)
{
    static const uint64_t addresses[] = {0,
                                         SHARED_WINDOW - 1,
                                         SHARED_WINDOW,
                                         SHARED_WINDOW + 2 * CTA_SHARED_STRIDE - 1,
                                         SHARED_WINDOW + 2 * CTA_SHARED_STRIDE,
                                         SHARED_WINDOW + WINDOW_BYTES - 1,
                                         SHARED_WINDOW + WINDOW_BYTES,
                                         LOCAL_WINDOW,
                                         LOCAL_WINDOW + 4096,
                                         PARAM_WINDOW + 8,
                                         GLOBALS_BASE,
                                         HEAP_BASE,
                                         HEAP_BASE + 0x123456};
    for (int k = 0; k < 10; k++) {
        struct inst in = alu_inst(OP_ISSPACEP, VT_PRED, 0, 0);
        in.space = (uint8_t)spaces[k / 2];
        alu_src(&in, 0, k & 1 ? 32 : 64);
        alu_check_all(&in, exec_lookup_mov, ref_isspacep, SET(addresses));
        in.mode = 1; /* of any CTA of the cluster */
        alu_check_all(&in, exec_lookup_mov, ref_isspacep, SET(addresses));
    }
}

static void sinks_take_anything(void)
{
    static const struct {
        enum opcode op;
        enum vtype type, stype;
        alu_lookup lookup;
    } cases[] = {{OP_MOV, VT_B32, VT_B32, exec_lookup_mov},
                 {OP_MOV, VT_PRED, VT_PRED, exec_lookup_mov},
                 {OP_MOVSREG, VT_U32, VT_U32, exec_lookup_mov},
                 {OP_CVTA, VT_U64, VT_U64, exec_lookup_mov},
                 {OP_ISSPACEP, VT_PRED, VT_U64, exec_lookup_mov},
                 {OP_ADD, VT_U32, VT_U32, exec_lookup_int},
                 {OP_DP4A, VT_U32, VT_U32, exec_lookup_int},
                 {OP_AND, VT_B32, VT_B32, exec_lookup_bits},
                 {OP_SHF, VT_B32, VT_B32, exec_lookup_bits},
                 {OP_PRMT, VT_B32, VT_B32, exec_lookup_bits},
                 {OP_LOP3, VT_B32, VT_B32, exec_lookup_bits},
                 {OP_FMA, VT_F32, VT_F32, exec_lookup_float},
                 {OP_ADD, VT_F16, VT_F16, exec_lookup_float},
                 {OP_TESTP, VT_F32, VT_F32, exec_lookup_float},
                 {OP_EX2, VT_F32, VT_F32, exec_lookup_sfu},
                 {OP_TANH, VT_F16, VT_F16, exec_lookup_sfu},
                 {OP_SELP, VT_B32, VT_B32, exec_lookup_cmp},
                 {OP_SLCT, VT_B32, VT_S32, exec_lookup_cmp},
                 {OP_NOT, VT_PRED, VT_PRED, exec_lookup_cmp},
                 {OP_CVT, VT_F32, VT_S32, exec_lookup_cvt}};
    struct alu a;
    alu_init(&a);
    const struct alu before = a;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct inst in = alu_inst(cases[k].op, cases[k].type, 0, 3);
        in.stype = (uint8_t)cases[k].stype;
        in.dst[0].off = OPND_NONE;
        in.exec = cases[k].lookup(&in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(in.exec);
        in.exec(&a.w, &in, LANES_ALL);
    }
    CU_ASSERT_EQUAL(memcmp(a.bank, before.bank, sizeof a.bank), 0);
}

static void what_ptx_lacks_is_refused(void)
{
    struct inst in = alu_inst(OP_MOV, VT_B8, 0, 1);
    alu_refused(&in, exec_lookup_mov);
    in = alu_inst(OP_MOV, VT_B32, 0, 3);
    alu_refused(&in, exec_lookup_mov);
    in = alu_inst(OP_ADD, VT_B32, 0, 2);
    alu_refused(&in, exec_lookup_mov);
}

SUITE("moves", T(moves), T(packs_the_first_part_lowest), T(unpacks_into_registers_and_sinks),
      T(clocks_and_timers), T(addresses_to_generic_and_back), T(spaces_of_addresses),
      T(sinks_take_anything), T(what_ptx_lacks_is_refused))
