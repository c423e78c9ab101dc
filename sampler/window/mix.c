#include "sampler/window/mix.h"

/* By what it touched; where no lane was active, by what it says. */
static enum mix_class of_memory(const struct step *s)
{
    const struct inst *in = s->inst;
    switch (s->active && s->bytes ? s->space : (enum space)in->space) {
    case SP_SHARED:
        return MIX_shared;
    case SP_CONST:
    case SP_PARAM:
        return MIX_const;
    case SP_LOCAL:
        return MIX_local;
    case SP_TEX:
        return MIX_texture;
    case SP_FRAME:
        return MIX_int;
    default:
        return in->flags & INST_STORE ? MIX_global_store : MIX_global_load;
    }
}

static enum mix_class of_arithmetic(const struct inst *in)
{
    const bool compares = in->op == OP_SET || in->op == OP_SETP;
    const enum vtype t = (enum vtype)(compares ? in->stype : in->type);
    if (!type_is_float(t))
        return MIX_int;
    if (in->lat == LAT_SFU || in->lat == LAT_DIV)
        return MIX_sfu;
    return t == VT_F64 ? MIX_double : MIX_float;
}

enum mix_class mix_of(const struct step *s)
{
    const struct inst *in = s->inst;
    if (in->flags & INST_ATOMIC)
        return MIX_atomic;
    switch ((enum opcode)in->op) {
    case OP_MOV:
    case OP_MOVSREG:
    case OP_SELP:
    case OP_SHFL:
        return MIX_int;
    case OP_PREFETCH:
    case OP_PREFETCHU:
    case OP_DISCARD:
    case OP_APPLYPRIORITY:
        return MIX_control;
    case OP_BAR_WARP:
    case OP_MEMBAR:
    case OP_CP_ASYNC_COMMIT:
    case OP_CP_ASYNC_WAIT:
        return MIX_barrier;
    default:
        break;
    }
    if (in->flags & INST_BARRIER)
        return MIX_barrier;
    if (in->unit == UNIT_CONTROL)
        return MIX_control;
    return in->unit == UNIT_MEM ? of_memory(s) : of_arithmetic(in);
}
