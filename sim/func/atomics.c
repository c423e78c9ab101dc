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
        return type_bytes(t) <= 8 ? op_exch : NULL;
    case ATOM_CAS:
        return type_bytes(t) <= 8 ? op_cas : NULL;
    case ATOM_INC:
        return t == VT_U32 ? op_inc : NULL;
    case ATOM_DEC:
        return t == VT_U32 ? op_dec : NULL;
    default:
        return NULL;
    }
}

static uint64_t operand(struct warp *w, const struct inst *in, int src, int lane, unsigned bytes)
{
    if (src >= in->ns)
        return 0;
    const struct opnd *o = &in->src[src];
    uint64_t v = o->width == 8 ? row64(w, o)[lane] : row32(w, o)[lane];
    return bytes == 8 ? v : v & ((1ull << 8 * bytes) - 1);
}

static void exec_atom(struct warp *w, const struct inst *in, lanes_t active)
{
    unsigned bytes = (unsigned)type_bytes(in->type);
    struct access a = {.bytes = bytes, .write = true};
    if (!access_memory(w, in, active, &a))
        return;
    w->out->is_atomic = true;
    atom_fn op = combine(in, a.space);
    const struct opnd *d = in->op == OP_ATOM && in->dst[0].off != OPND_NONE ? &in->dst[0] : NULL;
    for (lanes_t m = active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        uint8_t *at = access_at(&a, i);
        uint64_t old = 0;
        memcpy(&old, at, bytes);
        uint64_t now = op(old, operand(w, in, 1, i, bytes), operand(w, in, 2, i, bytes));
        memcpy(at, &now, bytes);
        if (d && d->width == 8)
            row64(w, d)[i] = old;
        else if (d)
            row32(w, d)[i] = (uint32_t)old;
    }
}

exec_fn exec_lookup_atom(const struct inst *in)
{
    if (in->op != OP_ATOM && in->op != OP_RED)
        return NULL;
    return in->vec <= 1 && combine(in, SP_GLOBAL) ? exec_atom : NULL;
}
