/* tests/func/alu_values.h -- the edge values of every type, as bit patterns. */
#ifndef MDP_TESTS_FUNC_ALU_VALUES_H
#define MDP_TESTS_FUNC_ALU_VALUES_H

#include "tests/func/alu_fixture.h"

static const uint64_t values_16[] = {
    0,      1,      2,      3,      7,      15,     16,     17,     0x7f,   0x80,   0xff, 0x100,
    0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x1234, 0xabcd, 0x5555, 0xaaaa, 31,   0xff80};
static const uint64_t values_32[] = {
    0,          1,          2,          3,          5,          7,          31,
    32,         33,         0x7f,       0x80,       0xff,       0x100,      0x7fff,
    0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x1000000,
    0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678,
    0xdeadbeef, 0x55555555, 0xaaaaaaaa, 0xffff8000, 0xffffff80, 0x00ff00ff, 0x0badf00d};
static const uint64_t values_64[] = {0,
                                     1,
                                     2,
                                     3,
                                     63,
                                     64,
                                     65,
                                     0xff,
                                     0x7fff,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000,
                                     0x100000001,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0x8000000000000001,
                                     0xfffffffffffffffe,
                                     0xffffffffffffffff,
                                     0x123456789abcdef0,
                                     0xfedcba9876543210,
                                     0x5555555555555555,
                                     0xffffffff80000000,
                                     0xffffffffffff8000,
                                     0x0020000000000001,
                                     0x00000000ffffff80,
                                     0x8000008000000001,
                                     0x7fffffbfffffffff,
                                     0x7ffffffffffffc00,
                                     0xfffffffffffff400};
/* Zeros, subnormals, around 1, halfway cases, integer limits, the largest, infinities, NaNs. */
static const uint64_t values_f32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00400000, 0x00ffffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0xbf000000,
    0x3fc00000, 0x40200000, 0xc0200000, 0x40490fdb, 0x3eaaaaab, 0x4b000001, 0x4b7fffff, 0x4affffff,
    0x33800000, 0x34000000, 0x33800001, 0x477fe000, 0x477ff000, 0x477fefff, 0x38800000, 0x387fffff,
    0x33000000, 0x33000001, 0x42fe0000, 0x43000000, 0xc3008000, 0x46fffe00, 0x47000000, 0x4effffff,
    0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000, 0x5effffff,
    0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7e800001, 0x7f800000, 0xff800000, 0x7fc00000,
    0xffc00001, 0x7f800001, 0x20000001, 0x1f800003, 0x60000001, 0xa0123457, 0x12345678, 0xc2f6e979};
static const uint64_t values_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001,
    0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000, 0x0008000000000000,
    0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
    0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000,
    0xc004000000000000, 0x400921fb54442d18, 0x3fd5555555555555, 0x4330000000000001,
    0x432fffffffffffff, 0x433fffffffffffff, 0x3ca0000000000000, 0x3cb0000000000000,
    0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000,
    0x41efffffffe00000, 0x41efffffffffffff, 0x41f0000000000000, 0x43dfffffffffffff,
    0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x43efffffffffffff,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7fe0000000000000, 0x7ff0000000000000,
    0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000123, 0x7ff0000000000001,
    0x36a0000000000000, 0x3690000000000001, 0x380fffffffffffff, 0x380fffffe0000000,
    0x380fffffc0000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000,
    0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0x40effc0000000000,
    0x40effe0000000000, 0x3e6fffffffffffff, 0x3e70000000000000, 0x3f10040000000000,
    0x405fc00000000000, 0xc060100000000000, 0x20123456789abcde, 0x5fedcba987654321};
static const uint64_t values_f16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x0401, 0x0200, 0x3c00, 0xbc00, 0x3c01,
    0x3bff, 0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x4248, 0x3555, 0x1000, 0x1400, 0x6400, 0x63ff,
    0x57f0, 0x5800, 0xd804, 0x7bff, 0xfbff, 0x7800, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7d00, 0x5bf8};
static const uint64_t values_bf16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x0040, 0x3f80, 0xbf80, 0x3f81, 0x3f7f, 0x3f00,
    0xbf00, 0x3fc0, 0x4020, 0xc020, 0x4049, 0x3eab, 0x3b80, 0x3c00, 0x42fe, 0x4300, 0xc301, 0x477f,
    0x4f00, 0xcf00, 0x4f7f, 0x5f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0x2081};

static inline struct set values_of(enum vtype t)
{
    switch (t) {
    case VT_F16:
        return SET(values_f16);
    case VT_BF16:
        return SET(values_bf16);
    case VT_F32:
        return SET(values_f32);
    case VT_F64:
        return SET(values_f64);
    default:
        return type_bytes(t) == 8   ? SET(values_64)
               : type_bytes(t) >= 4 ? SET(values_32)
                                    : SET(values_16);
    }
}

#endif
