/* atom and red: read, combine, write, one lane after the other in increasing order. */
#include <string.h>

#include "sim/func/access.h"
#include "sim/func/exec.h"
#include "sim/func/fpbits.h"

/* New value from the old one and the operands b, c; all zero-extended to 64 bits. */
typedef uint64_t (*atom_fn)(uint64_t old, uint64_t b, uint64_t c);

#define ATOM(name, EXPR)                                       \
    static uint64_t name(uint64_t old, uint64_t b, uint64_t c) \
    {                                                          \
        (void)c;                                               \
        return EXPR;                                           \
    }

ATOM(op_add32, (uint32_t)(old + b))
ATOM(op_add64, old + b)
ATOM(op_min_u, old < b ? old : b)
ATOM(op_max_u, old > b ? old : b)
ATOM(op_min_s32, (int32_t)old < (int32_t)b ? old : b)
ATOM(op_max_s32, (int32_t)old > (int32_t)b ? old : b)
ATOM(op_min_s64, (int64_t)old < (int64_t)b ? old : b)
ATOM(op_max_s64, (int64_t)old > (int64_t)b ? old : b)
ATOM(op_and, old &b)
ATOM(op_or, old | b)
ATOM(op_xor, old ^ b)
ATOM(op_exch, ((void)old, b))
ATOM(op_cas, old == b ? c : old)
ATOM(op_inc, old >= b ? 0 : old + 1)
ATOM(op_dec, old == 0 || old > b ? b : old - 1)

ATOM(op_add_f32, canon_f32(f32_of((uint32_t)old) + f32_of((uint32_t)b)))
/* PTX ISA, atom: add.f32 on global memory flushes subnormal inputs and results. */
ATOM(op_add_f32_ftz,
     flush_f32(canon_f32(f32_of(flush_f32((uint32_t)old)) + f32_of(flush_f32((uint32_t)b)))))
ATOM(op_add_f64, bits_f64(f64_of(old) + f64_of(b)))
/* A sum of two halves (or bfloats) in single precision rounds once more without harm: single has
 * more than twice their digits. */
ATOM(op_add_f16, f16_from_f32(f32_from_f16((uint32_t)old) + f32_from_f16((uint32_t)b)))
ATOM(op_add_bf16, bf16_from_f32(f32_from_bf16((uint32_t)old) + f32_from_bf16((uint32_t)b)))
ATOM(op_add_f16x2, op_add_f16(old & 0xffff, b & 0xffff, 0) | op_add_f16(old >> 16, b >> 16, 0)
                                                                 << 16)
ATOM(op_add_bf16x2, op_add_bf16(old & 0xffff, b & 0xffff, 0) | op_add_bf16(old >> 16, b >> 16, 0)
                                                                   << 16)

static atom_fn add_of(enum vtype t, bool flush)
{
    switch (t) {
    case VT_U32:
    case VT_S32:
    case VT_B32:
        return op_add32;
    case VT_U64:
    case VT_S64:
    case VT_B64:
        return op_add64;
    case VT_F32:
        return flush ? op_add_f32_ftz : op_add_f32;
    case VT_F64:
        return op_add_f64;
    case VT_F16:
        return op_add_f16;
    case VT_F16X2:
        return op_add_f16x2;
    case VT_BF16:
        return op_add_bf16;
    case VT_BF16X2:
        return op_add_bf16x2;
    default:
        return NULL;
    }
}

static atom_fn order_of(enum vtype t, bool max)
{
    switch (t) {
    case VT_U32:
    case VT_U64:
        return max ? op_max_u : op_min_u;
    case VT_S32:
        return max ? op_max_s32 : op_min_s32;
    case VT_S64:
        return max ? op_max_s64 : op_min_s64;
    default:
        return NULL;
    }
}

static atom_fn combine(const struct inst *in, enum space s)
{
    enum vtype t = in->type;
    bool sized = type_bytes(t) >= 2;
    bool integer = !type_is_float(t) && type_bytes(t) >= 4;
    switch (in->aop) {
    case ATOM_ADD:
        return add_of(t, s != SP_SHARED);
    case ATOM_MIN:
        return order_of(t, false);
    case ATOM_MAX:
        return order_of(t, true);
    case ATOM_AND:
        return integer ? op_and : NULL;
    case ATOM_OR:
        return integer ? op_or : NULL;
    case ATOM_XOR:
        return integer ? op_xor : NULL;
    case ATOM_EXCH:
        return sized ? op_exch : NULL;
    case ATOM_CAS:
        return sized ? op_cas : NULL;
    case ATOM_INC:
        return t == VT_U32 ? op_inc : NULL;
    case ATOM_DEC:
        return t == VT_U32 ? op_dec : NULL;
    default:
        return NULL;
    }
}

static uint64_t operand(struct warp *w, const struct opnd *o, int lane)
{
    return o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
}

static void write_row(struct warp *w, const struct opnd *o, int lane, uint64_t v)
{
    if (o->off == OPND_NONE)
        return;
    if (o->width == 8)
        row64(w, o)[lane] = v;
    else
        row32(w, o)[lane] = (uint32_t)v;
}

/* Element e of a vector, or the only one. */
#define TURNS(name, elem)                                                                     \
    static void name(struct warp *w, const struct inst *in, lanes_t active, struct access *a, \
                     atom_fn op, int e)                                                       \
    {                                                                                         \
        const struct opnd *b = &in->src[1 + e];                                               \
        const struct opnd *c = in->aop == ATOM_CAS ? &in->src[2] : b;                         \
        for (lanes_t m = active; m; m &= m - 1) {                                             \
            int i = __builtin_ctz(m);                                                         \
            uint8_t *at = access_at(a, i) + (size_t)e * sizeof(elem);                         \
            elem old;                                                                         \
            memcpy(&old, at, sizeof old);                                                     \
            elem now = (elem)op(old, (elem)operand(w, b, i), (elem)operand(w, c, i));         \
            memcpy(at, &now, sizeof now);                                                     \
            if (in->op == OP_ATOM)                                                            \
                write_row(w, &in->dst[e], i, old);                                            \
        }                                                                                     \
    }
TURNS(turns_16, uint16_t)
TURNS(turns_32, uint32_t)
TURNS(turns_64, uint64_t)

/* exch and cas of 16 bytes. */
static void turns_128(struct warp *w, const struct inst *in, lanes_t active, struct access *a)
{
    for (lanes_t m = active; m; m &= m - 1) {
        const int i = __builtin_ctz(m);
        uint64_t old[2], v[2][2];
        memcpy(old, access_at(a, i), sizeof old);
        for (int k = 0; k < in->ns - 1; k++)
            v[k / 2][k % 2] = operand(w, &in->src[1 + k], i);
        const uint64_t *now = in->aop == ATOM_EXCH                     ? v[0]
                              : old[0] == v[0][0] && old[1] == v[0][1] ? v[1]
                                                                       : old;
        memcpy(access_at(a, i), now, sizeof old);
        for (int k = 0; k < 2; k++)
            write_row(w, &in->dst[k], i, old[k]);
    }
}

static void exec_atom(struct warp *w, const struct inst *in, lanes_t active)
{
    struct access a;
    const int bytes = type_bytes(in->type);
    a.bytes = (unsigned)(bytes * in->vec);
    a.write = true;
    if (!access_memory(w, in, active, &a))
        return;
    w->out->is_atomic = true;
    w->spin.polled |= in->op == OP_ATOM && in->dst[0].off != OPND_NONE;
    if (bytes == 16) {
        turns_128(w, in, active, &a);
        return;
    }
    atom_fn op = combine(in, a.space);
    for (int e = 0; e < in->vec; e++)
        (bytes == 2 ? turns_16 : bytes == 4 ? turns_32 : turns_64)(w, in, active, &a, op, e);
}

exec_fn exec_lookup_atom(const struct inst *in)
{
    if (in->op != OP_ATOM && in->op != OP_RED)
        return NULL;
    return combine(in, SP_GLOBAL) ? exec_atom : NULL;
}
