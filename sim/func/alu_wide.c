/* alu_wide.c -- integer arithmetic that reads or leaves more than one word: carry chains (extended
 * precision), dot products. */
#include "sim/func/alu_int.h"
#include "sim/func/lanes.h"

static lanes_t *carry_flag(struct warp *w)
{
    return (lanes_t *)(w->bank[BANK_REG] + w->cta->kernel->cc_off);
}

/* One link of a carry chain. A difference is left + ~right + 1 as on the hardware: the flag is its
 * carry, clear after a borrow. Compiled code relies on it where addc follows sub.cc (nvcc's 128-bit
 * division). */
#define DEF_CARRY(bits, R, C, HIGH)                                                     \
    static void carry_##bits(EXEC_ARGS)                                                 \
    {                                                                                   \
        const bool mad = in->op == OP_MAD || in->op == OP_MADC;                         \
        const bool sub = in->op == OP_SUB || in->op == OP_SUBC;                         \
        const bool takes = in->op == OP_ADDC || in->op == OP_SUBC || in->op == OP_MADC; \
        const bool is_signed = type_is_signed(in->type), high = in->flags & INST_HI;    \
        const lanes_t before = takes ? *carry_flag(w) : sub ? LANES_ALL : 0;            \
        const R *ra = row_of(w, &in->src[0]), *rb = row_of(w, &in->src[1]);             \
        const R *rc = mad ? row_of(w, &in->src[2]) : rb;                                \
        const bool sink = in->dst[0].off == OPND_NONE;                                  \
        R *d = sink ? NULL : row_of(w, &in->dst[0]);                                    \
        lanes_t out = 0;                                                                \
        ACTIVE_LOOP                                                                     \
        {                                                                               \
            const R left_side = !mad   ? ra[i]                                          \
                                : high ? HIGH(ra[i], rb[i], is_signed)                  \
                                       : ra[i] * rb[i];                                 \
            const R part = left_side + (sub ? ~rc[i] : rc[i]);                          \
            const R all = part + (R)(before >> i & 1);                                  \
            out |= (lanes_t)(part < left_side || all < part) << i;                      \
            if (!sink)                                                                  \
                d[i] = all;                                                             \
        }                                                                               \
        if (in->flags & INST_CC_OUT)                                                    \
            *carry_flag(w) = (*carry_flag(w) & ~active) | out;                          \
    }

static uint32_t high_32(uint32_t a, uint32_t b, bool is_signed)
{
    return is_signed ? (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32)
                     : (uint32_t)((uint64_t)a * b >> 32);
}
static uint64_t high_64(uint64_t a, uint64_t b, bool is_signed)
{
    return is_signed ? (uint64_t)((unsigned __int128)((__int128)(int64_t)a * (int64_t)b) >> 64)
                     : (uint64_t)((unsigned __int128)a * b >> 64);
}
DEF_CARRY(32, uint32_t, int32_t, high_32)
DEF_CARRY(64, uint64_t, int64_t, high_64)

/* Element k of v, `bits` wide. */
LANE int64_t element(uint32_t v, int k, int bits, bool is_signed)
{
    const uint32_t up = v << (32 - bits * (k + 1));
    return is_signed ? (int32_t)up >> (32 - bits) : (int64_t)(up >> (32 - bits));
}

static void dp4a(EXEC_ARGS)
{
    ROWS_3(uint32_t, uint32_t, uint32_t, uint32_t);
    const bool sa = type_is_signed(in->type), sb = type_is_signed(in->stype);
    ACTIVE_LOOP
    {
        uint32_t sum = rc[i];
        for (int k = 0; k < 4; k++)
            sum += (uint32_t)(element(ra[i], k, 8, sa) * element(rb[i], k, 8, sb));
        d[i] = sum;
    }
}

static void dp2a(EXEC_ARGS)
{
    ROWS_3(uint32_t, uint32_t, uint32_t, uint32_t);
    const bool sa = type_is_signed(in->type), sb = type_is_signed(in->stype);
    const int first = in->flags & INST_HI ? 2 : 0;
    ACTIVE_LOOP
    {
        uint32_t sum = rc[i];
        for (int k = 0; k < 2; k++)
            sum += (uint32_t)(element(ra[i], k, 16, sa) * element(rb[i], first + k, 8, sb));
        d[i] = sum;
    }
}

static bool is_chain(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_ADDC:
    case OP_SUBC:
    case OP_MADC:
        return true;
    case OP_ADD:
    case OP_SUB:
    case OP_MAD:
        return in->flags & INST_CC_OUT;
    default:
        return false;
    }
}

static bool is_word(enum vtype t)
{
    return t == VT_U32 || t == VT_S32;
}

exec_fn exec_lookup_wide(const struct inst *in)
{
    if (is_chain(in)) {
        if (in->flags & (INST_SAT | INST_WIDE))
            return NULL;
        if (is_word(in->type))
            return carry_32;
        return in->type == VT_U64 || in->type == VT_S64 ? carry_64 : NULL;
    }
    const bool words = is_word(in->type) && is_word(in->stype);
    const bool sink = in->dst[0].off == OPND_NONE;
    switch ((enum opcode)in->op) {
    case OP_DP4A:
        return !words ? NULL : sink ? exec_nothing : dp4a;
    case OP_DP2A:
        return !words ? NULL : sink ? exec_nothing : dp2a;
    default:
        return NULL;
    }
}
