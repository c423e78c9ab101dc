/* Video instructions: values by hand from PTX ISA 9.7.17 and 9.7.18. */
#include "tests/func/forms.h"

/* %r4, %r5 and %r6 are a, b and c. */
#define ABC(a, b, c) "mov.b32 %r4, " #a "; mov.b32 %r5, " #b "; mov.b32 %r6, " #c ";\n"

static void scalars_add_select_saturate_and_merge(void)
{
    static const struct form rows[] = {
        /* 2^32 - 1 + 0x7fff0001 is above the largest signed number */
        {ABC(-1, 0x7fff0001, 0) "vadd.s32.u32.s32.sat %r2, %r4, %r5;", 0x7fffffff},
        {ABC(-1, 0x7fff0001, 0) "vadd.s32.u32.s32 %r2, %r4, %r5;", 0x7fff0000},
        {ABC(3, 5, 0) "vsub.u32.u32.u32.sat %r2, %r4, %r5;", 0},
        {ABC(3, 5, 0) "vsub.s32.u32.u32.sat %r2, %r4, %r5;", 0xfffffffe},
        /* bytes and halves: 0x80 is 128 or -128 */
        {ABC(0x00008000, 0x00050000, 0) "vadd.s32.u32.u32 %r2, %r4.b1, %r5.h1;", 133},
        {ABC(0x00008000, 0x00050000, 0) "vadd.s32.s32.u32 %r2, %r4.b1, %r5.b2;", 0xffffff85},
        {ABC(0x80000000, 1, 0) "vabsdiff.u32.s32.s32 %r2, %r4, %r5;", 0x80000001},
        {ABC(0x80000000, 1, 0) "vabsdiff.s32.s32.s32.sat %r2, %r4, %r5;", 0x7fffffff},
        /* -1 is less than any unsigned number */
        {ABC(-1, 7, 0) "vmin.s32.s32.u32 %r2, %r4, %r5;", 0xffffffff},
        {ABC(-1, 7, 0) "vmax.u32.u32.u32 %r2, %r4, %r5;", 0xffffffff},
        {ABC(-1, 7, 0) "vmax.s32.s32.u32 %r2, %r4, %r5;", 7},
        /* a second operation with c */
        {ABC(1, 2, 100) "vadd.s32.s32.s32.add %r2, %r4, %r5, %r6;", 103},
        {ABC(1, 2, -5) "vadd.s32.s32.s32.min %r2, %r4, %r5, %r6;", 0xfffffffb},
        {ABC(1, 2, -5) "vadd.u32.s32.s32.min %r2, %r4, %r5, %r6;", 3},
        {ABC(1, 2, -5) "vadd.s32.s32.s32.max %r2, %r4, %r5, %r6;", 3},
        /* a part of c is replaced; saturation is to its size */
        {ABC(100, 100, 0x11223344) "vadd.s32.s32.s32.sat %r2.b2, %r4, %r5, %r6;", 0x117f3344},
        {ABC(100, 100, 0x11223344) "vadd.u32.s32.s32.sat %r2.b0, %r4, %r5, %r6;", 0x112233c8},
        {ABC(0x12345, 1, 0x11223344) "vadd.u32.s32.s32 %r2.h1, %r4, %r5, %r6;", 0x23463344},
        {ABC(1, 2, 7) "vadd.s32.s32.s32 %r2, %r4, %r5, %r6;", 3},
    };
    RUN(rows);
}

static void scalars_shift_and_compare(void)
{
    static const struct form rows[] = {
        {ABC(1, 31, 0) "vshl.u32.u32.u32.clamp %r2, %r4, %r5;", 0x80000000},
        {ABC(1, 40, 0) "vshl.u32.u32.u32.clamp %r2, %r4, %r5;", 0},
        {ABC(1, 33, 0) "vshl.u32.u32.u32.wrap %r2, %r4, %r5;", 2},
        {ABC(0x40000000, 4, 0) "vshl.s32.s32.u32.sat.clamp %r2, %r4, %r5;", 0x7fffffff},
        {ABC(-64, 0x300, 0) "vshr.s32.s32.u32.clamp %r2, %r4, %r5.b1;", 0xfffffff8},
        {ABC(-64, 99, 0) "vshr.s32.s32.u32.clamp %r2, %r4, %r5;", 0xffffffff},
        {ABC(-64, 28, 0) "vshr.u32.u32.u32.wrap.add %r2, %r4, %r5, 5;", 20},
        {ABC(-1, 1, 0) "vset.s32.s32.lt %r2, %r4, %r5;", 1},
        {ABC(-1, 1, 0) "vset.u32.s32.lt %r2, %r4, %r5;", 0},
        {ABC(-1, 1, 0) "vset.u32.u32.ne %r2, %r4, %r5;", 1},
        {ABC(5, 0x500, 10) "vset.u32.u32.eq.add %r2, %r4, %r5.b1, %r6;", 11},
        {ABC(5, 4, 0xffffffff) "vset.u32.u32.ge %r2.h0, %r4, %r5, %r6;", 0xffff0001},
    };
    RUN(rows);
}

static void products_are_scaled_and_negated(void)
{
    static const struct form rows[] = {
        {ABC(3, 5, 7) "vmad.u32.u32.u32 %r2, %r4, %r5, %r6;", 22},
        {ABC(3, 5, 7) "vmad.s32.u32.u32 %r2, -%r4, %r5, %r6;", 0xfffffff8},
        {ABC(3, 5, 7) "vmad.s32.u32.u32 %r2, -%r4, -%r5, %r6;", 22},
        {ABC(3, 5, 7) "vmad.s32.u32.u32 %r2, %r4, %r5, -%r6;", 8},
        {ABC(3, 5, 7) "vmad.u32.u32.u32.po %r2, %r4, %r5, %r6;", 23},
        {ABC(0x10000, 0x10000, 0) "vmad.u32.u32.u32.sat %r2, %r4, %r5, %r6;", 0xffffffff},
        {ABC(0x10000, 0x10000, 0) "vmad.s32.s32.s32.sat %r2, -%r4, %r5, %r6;", 0x80000000},
        /* 2^32 >> 7, >> 15; (-1000 * 1000 + 3) >> 7 */
        {ABC(0x10000, 0x10000, 0) "vmad.u32.u32.u32.shr7 %r2, %r4, %r5, %r6;", 0x02000000},
        {ABC(0x10000, 0x10000, 0) "vmad.u32.u32.u32.shr15 %r2, %r4, %r5, %r6;", 0x00020000},
        {ABC(-1000, 1000, 3) "vmad.s32.s32.s32.shr7 %r2, %r4, %r5, %r6;", 0xffffe17b},
        {ABC(0x0000ff00, 0x00020000, 1) "vmad.s32.s32.u32 %r2, %r4.b1, %r5.h1, %r6;", 0xffffffff},
    };
    RUN(rows);
}

static void halves_and_bytes_at_once(void)
{
    static const struct form rows[] = {
        {ABC(0x00010002, 0x00030004, 0) "vadd2.u32.u32.u32 %r2, %r4, %r5, %r6;", 0x00040006},
        {ABC(0x7fff8000, 0x0001ffff, 0) "vadd2.s32.s32.s32.sat %r2, %r4, %r5, %r6;", 0x7fff8000},
        {ABC(0x7fff8000, 0x0001ffff, 0) "vadd2.s32.s32.s32 %r2, %r4, %r5, %r6;", 0x80007fff},
        {ABC(0x00010002, 0x00030004, 0) "vsub2.u32.u32.u32.sat %r2, %r4, %r5, %r6;", 0},
        /* which half of which operand: .h20 is the low half of b, then that of a */
        {ABC(0x00010002, 0x00300040, 0) "vadd2.u32.u32.u32 %r2, %r4.h20, %r5.h13, %r6;",
         0x00410032},
        {ABC(0x00010002, 0x00030004, 0xaaaabbbb) "vadd2.u32.u32.u32 %r2.h1, %r4, %r5, %r6;",
         0x0004bbbb},
        {ABC(0x00010002, 0x00030004, 100) "vadd2.u32.u32.u32.add %r2, %r4, %r5, %r6;", 110},
        {ABC(0x00010002, 0x00030004, 100) "vadd2.u32.u32.u32.add %r2.h0, %r4, %r5, %r6;", 106},
        /* rounded up, but below zero down: (1 + 2) / 2, (-1 - 2) / 2 */
        {ABC(0x0001ffff, 0x0002fffe, 0) "vavrg2.s32.s32.s32 %r2, %r4, %r5, %r6;", 0x0002fffe},
        {ABC(0x01ff7f80, 0x02fe7f80, 0) "vavrg4.s32.s32.s32 %r2, %r4, %r5, %r6;", 0x02fe7f80},
        {ABC(0x01020304, 0x04030201, 0) "vabsdiff4.u32.u32.u32.add %r2, %r4, %r5, %r6;", 8},
        {ABC(0x01020304, 0x04030201, 0) "vabsdiff4.u32.u32.u32 %r2, %r4, %r5, %r6;", 0x03010103},
        {ABC(0x80017fff, 0x7fff0001, 0) "vabsdiff2.u32.s32.s32 %r2, %r4, %r5, %r6;", 0xfffe7ffe},
        {ABC(0xff01ff01, 0x01ff01ff, 0) "vmin4.s32.s32.s32 %r2, %r4, %r5, %r6;", 0xffffffff},
        {ABC(0xff01ff01, 0x01ff01ff, 0) "vmax4.u32.u32.u32 %r2, %r4, %r5, %r6;", 0xffffffff},
        {ABC(0xff01ff01, 0x01ff01ff, 0) "vmin2.u32.u32.u32 %r2, %r4, %r5, %r6;", 0x01ff01ff},
        {ABC(0xff7f0180, 0x01010101, 0) "vadd4.u32.u32.u32.sat %r2, %r4, %r5, %r6;", 0xff800281},
        {ABC(0x11223344, 0x55667788, 0) "vadd4.u32.u32.u32 %r2.b310, %r4.b7654, %r5.b0000, %r6;",
         0x9900bbcc},
        {ABC(0x01020304, 0x01030204, 0) "vset4.u32.u32.eq %r2, %r4, %r5, %r6;", 0x01000001},
        {ABC(0x01020304, 0x01030204, 7) "vset4.u32.u32.eq.add %r2, %r4, %r5, %r6;", 9},
        {ABC(0xffff0001, 0x00010001, 0) "vset2.s32.s32.lt %r2, %r4, %r5, %r6;", 0x00010000},
    };
    RUN(rows);
}

SUITE("video", T(scalars_add_select_saturate_and_merge), T(scalars_shift_and_compare),
      T(products_are_scaled_and_negated), T(halves_and_bytes_at_once))
