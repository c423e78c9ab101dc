/* alu_round.c -- f32 and f64 arithmetic rounded toward zero, down or up, by the host's own rounding
 * mode. Operands are loaded after the mode is set and results stored before it is restored, and
 * neither passes an opaque call, so the compiler cannot move the arithmetic out of the bracket. */
#include "sim/func/alu_float.h"
#include "sim/func/fpbits.h"
#include "sim/func/fpround.h"
#include <math.h>

#define DEF_ROUNDED(T)                                                                       \
    static T rounded_##T(enum opcode op, T a, T b, T c)                                      \
    {                                                                                        \
        switch (op) {                                                                        \
        case OP_ADD:                                                                         \
            return a + b;                                                                    \
        case OP_SUB:                                                                         \
            return a - b;                                                                    \
        case OP_MUL:                                                                         \
            return a * b;                                                                    \
        case OP_DIV:                                                                         \
            return a / b;                                                                    \
        case OP_RCP:                                                                         \
            return 1 / a;                                                                    \
        case OP_SQRT:                                                                        \
            return sizeof(T) == 4 ? (T)sqrtf((float)a) : (T)sqrt(a);                         \
        default:                                                                             \
            return sizeof(T) == 4 ? (T)fmaf((float)a, (float)b, (float)c) : (T)fma(a, b, c); \
        }                                                                                    \
    }
DEF_ROUNDED(float)
DEF_ROUNDED(double)

static void round_f32(EXEC_ARGS)
{
    const bool ftz = in->flags & INST_FTZ, sat = in->flags & INST_SAT;
    uint32_t *d = row_of(w, &in->dst[0]);
    const uint32_t *r[3];
    for (int k = 0; k < 3; k++)
        r[k] = row_of(w, &in->src[k < in->ns ? k : 0]);
    round_begin(in->rnd);
    ACTIVE_LOOP
    {
        float v[3];
        for (int k = 0; k < 3; k++)
            v[k] = f32_of(ftz ? flush_f32(r[k][i]) : r[k][i]);
        const float f = rounded_float(in->op, v[0], v[1], v[2]);
        const uint32_t b = sat ? bits_f32(saturate_f32(f)) : canon_f32(f);
        d[i] = ftz ? flush_f32(b) : b;
    }
    round_end();
}

/* add, sub d, a, c and fma d, a, b, c: all but c are narrow; rounded once. */
static void mixed(EXEC_ARGS)
{
    const bool sat = in->flags & INST_SAT, bf16 = in->stype == VT_BF16;
    uint32_t *d = row_of(w, &in->dst[0]);
    const uint32_t *r[3];
    for (int k = 0; k < 3; k++)
        r[k] = row_of(w, &in->src[k < in->ns ? k : 0]);
    round_begin(in->rnd);
    ACTIVE_LOOP
    {
        float v[3];
        for (int k = 0; k < 3; k++)
            v[k] = k == in->ns - 1 ? f32_of(r[k][i])
                   : bf16          ? f32_from_bf16(r[k][i])
                                   : f32_from_f16(r[k][i]);
        const float f = rounded_float(in->op, v[0], v[1], v[2]);
        d[i] = sat ? bits_f32(saturate_f32(f)) : canon_f32(f);
    }
    round_end();
}

exec_fn exec_lookup_mixed(const struct inst *in)
{
    return in->dst[0].off == OPND_NONE ? exec_nothing : mixed;
}

/* Two singles in 64 bits. */
static void round_f32x2(EXEC_ARGS)
{
    const bool ftz = in->flags & INST_FTZ;
    uint64_t *d = row_of(w, &in->dst[0]);
    const uint64_t *r[3];
    for (int k = 0; k < 3; k++)
        r[k] = row_of(w, &in->src[k < in->ns ? k : 0]);
    round_begin(in->rnd);
    ACTIVE_LOOP
    {
        uint64_t both = 0;
        for (int half = 0; half < 64; half += 32) {
            float v[3];
            for (int k = 0; k < 3; k++) {
                const uint32_t bits = (uint32_t)(r[k][i] >> half);
                v[k] = f32_of(ftz ? flush_f32(bits) : bits);
            }
            const uint32_t b = canon_f32(rounded_float(in->op, v[0], v[1], v[2]));
            both |= (uint64_t)(ftz ? flush_f32(b) : b) << half;
        }
        d[i] = both;
    }
    round_end();
}

exec_fn exec_lookup_f32x2(const struct inst *in)
{
    return in->dst[0].off == OPND_NONE ? exec_nothing : round_f32x2;
}

static void round_f64(EXEC_ARGS)
{
    uint64_t *d = row_of(w, &in->dst[0]);
    const uint64_t *r[3];
    for (int k = 0; k < 3; k++)
        r[k] = row_of(w, &in->src[k < in->ns ? k : 0]);
    round_begin(in->rnd);
    ACTIVE_LOOP
    {
        const double f = rounded_double(in->op, f64_of(r[0][i]), f64_of(r[1][i]), f64_of(r[2][i]));
        uint64_t b = bits_f64(f);
        for (int k = 2; k >= 0 && f != f; k--)
            b = nan_f64(r[k][i]) ? r[k][i] | F64_QUIET : k == 2 ? F64_NAN : b;
        d[i] = b;
    }
    round_end();
}

exec_fn exec_lookup_round(const struct inst *in)
{
    switch ((enum opcode)in->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_FMA:
    case OP_MAD:
    case OP_RCP:
    case OP_SQRT:
        break;
    default:
        return NULL;
    }
    if (in->dst[0].off == OPND_NONE)
        return exec_nothing;
    if (in->type == VT_F32)
        return round_f32;
    return in->type == VT_F64 && !(in->flags & INST_SAT) ? round_f64 : NULL;
}
