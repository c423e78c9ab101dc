/* alu_wide.c -- integer arithmetic that reads or leaves more than one word: carry chains (extended
 * precision), dot products and the video instruction vabsdiff. */
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

static int64_t clamp_to(int64_t v, int bits, bool is_signed)
{
    const int64_t hi = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    const int64_t lo = is_signed ? -hi - 1 : 0;
    return v > hi ? hi : v < lo ? lo : v;
}

/* |a - b| over `parts` elements; joined with c when the instruction says so. */
static uint32_t absdiff(const struct inst *in, int parts, const uint32_t v[3])
{
    const bool sa = type_is_signed(in->stype), sb = type_is_signed(in->mode);
    const bool sd = type_is_signed(in->type);
    const int bits = 32 / parts;
    uint32_t packed = 0, sum = 0;
    for (int k = 0; k < parts; k++) {
        const int64_t a = element(v[0], k, bits, sa);
        const int64_t b = element(v[1], k, bits, sb);
        int64_t r = a < b ? b - a : a - b;
        if (in->flags & INST_SAT)
            r = clamp_to(r, bits, sd);
        sum += (uint32_t)r;
        packed |= (uint32_t)((uint64_t)r & (UINT32_MAX >> (32 - bits))) << (bits * k);
    }
    const uint32_t c = v[2];
    switch ((enum atom_op)in->aop) {
    case ATOM_ADD:
        return c + sum;
    case ATOM_MIN:
        return sd ? ((int32_t)packed < (int32_t)c ? packed : c) : packed < c ? packed : c;
    case ATOM_MAX:
        return sd ? ((int32_t)packed > (int32_t)c ? packed : c) : packed > c ? packed : c;
    default:
        return packed;
    }
}

static void vabsdiff(EXEC_ARGS)
{
    ROWS_2(uint32_t, uint32_t, uint32_t);
    const uint32_t *rc = in->ns > 2 ? row_of(w, &in->src[2]) : ra;
    const int parts = in->op == OP_VABSDIFF4 ? 4 : in->op == OP_VABSDIFF2 ? 2 : 1;
    ACTIVE_LOOP
    d[i] = absdiff(in, parts, (const uint32_t[]){ra[i], rb[i], rc[i]});
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
    case OP_VABSDIFF:
    case OP_VABSDIFF2:
    case OP_VABSDIFF4:
        if (!words || !is_word(in->mode) || (in->aop && in->ns < 3))
            return NULL;
        return sink ? exec_nothing : vabsdiff;
    default:
        return NULL;
    }
}
