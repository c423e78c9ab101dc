/* sim/ptx/opcodes.c -- names and sizes of types and opcodes. */
#include "sim/ptx/inst.h"

static const struct {
    const char *name;
    uint8_t bytes;
    bool is_signed, is_float;
} types[VT_COUNT] = {
    [VT_NONE] = {"", 0, false, false},        [VT_PRED] = {"pred", 0, false, false},
    [VT_B8] = {"b8", 1, false, false},        [VT_B16] = {"b16", 2, false, false},
    [VT_B32] = {"b32", 4, false, false},      [VT_B64] = {"b64", 8, false, false},
    [VT_B128] = {"b128", 16, false, false},   [VT_U8] = {"u8", 1, false, false},
    [VT_U16] = {"u16", 2, false, false},      [VT_U32] = {"u32", 4, false, false},
    [VT_U64] = {"u64", 8, false, false},      [VT_S8] = {"s8", 1, true, false},
    [VT_S16] = {"s16", 2, true, false},       [VT_S32] = {"s32", 4, true, false},
    [VT_S64] = {"s64", 8, true, false},       [VT_F16] = {"f16", 2, false, true},
    [VT_F16X2] = {"f16x2", 4, false, true},   [VT_BF16] = {"bf16", 2, false, true},
    [VT_BF16X2] = {"bf16x2", 4, false, true}, [VT_F32] = {"f32", 4, false, true},
    [VT_F64] = {"f64", 8, false, true},       [VT_U16X2] = {"u16x2", 4, false, false},
    [VT_S16X2] = {"s16x2", 4, true, false},   [VT_F32X2] = {"f32x2", 8, false, true},
    [VT_E4M3X2] = {"e4m3x2", 2, false, true}, [VT_E5M2X2] = {"e5m2x2", 2, false, true},
    [VT_E2M3X2] = {"e2m3x2", 2, false, true}, [VT_E3M2X2] = {"e3m2x2", 2, false, true},
    [VT_E2M1X2] = {"e2m1x2", 1, false, true}, [VT_UE8M0X2] = {"ue8m0x2", 2, false, true},
    [VT_E4M3X4] = {"e4m3x4", 4, false, true}, [VT_E5M2X4] = {"e5m2x4", 4, false, true},
    [VT_E2M3X4] = {"e2m3x4", 4, false, true}, [VT_E3M2X4] = {"e3m2x4", 4, false, true},
    [VT_E2M1X4] = {"e2m1x4", 2, false, true},
};

int type_bytes(enum vtype t)
{
    return types[t].bytes;
}

bool type_is_signed(enum vtype t)
{
    return types[t].is_signed;
}

bool type_is_float(enum vtype t)
{
    return types[t].is_float;
}

const char *type_name(enum vtype t)
{
    return types[t].name;
}

const char *opcode_name(enum opcode op)
{
    static const char *const names[] = {
#define OP(id, name, cls) name,
#include "sim/ptx/opcodes.def"
#undef OP
    };
    return (unsigned)op < OP_COUNT ? names[op] : "?";
}
