/* Floating-point arithmetic in its newer forms: three operands of min and max (PTX ISA 8.8), a
 * single mixed with halves (8.6). Values by hand. */
#include "tests/func/forms.h"

/* 1, 2, 3 and 4 are 3f800000, 40000000, 40400000 and 40800000; a sign is the top bit. */
static void the_least_and_largest_of_three(void)
{
    static const struct form rows[] = {
        {"min.f32 %f1, 0f40000000, 0f3f800000, 0f40400000; mov.b32 %r2, %f1;", 0x3f800000},
        {"min.f32 %f1, 0f40000000, 0f40400000, 0fbf800000; mov.b32 %r2, %f1;", 0xbf800000},
        {"max.f32 %f1, 0f40000000, 0f3f800000, 0f40400000; mov.b32 %r2, %f1;", 0x40400000},
        {"max.f32 %f1, 0f40800000, 0f3f800000, 0f40400000; mov.b32 %r2, %f1;", 0x40800000},
        /* a NaN is left out, or is the result */
        {"max.f32 %f1, 0f7fc00000, 0f3f800000, 0f40400000; mov.b32 %r2, %f1;", 0x40400000},
        {"min.f32 %f1, 0f7fc00001, 0f7fc00000, 0f40400000; mov.b32 %r2, %f1;", 0x40400000},
        {"max.NaN.f32 %f1, 0f3f800000, 0f40400000, 0fffc00000; mov.b32 %r2, %f1;", 0x7fffffff},
        {"min.NaN.f32 %f1, 0f7fc00000, 0f3f800000, 0f40400000; mov.b32 %r2, %f1;", 0x7fffffff},
        /* of the magnitudes 2, 3 and 4, with the sign of the product: - + + and - - + */
        {"min.xorsign.abs.f32 %f1, 0fc0000000, 0f40400000, 0f40800000; mov.b32 %r2, %f1;",
         0xc0000000},
        {"max.xorsign.abs.f32 %f1, 0fc0000000, 0fc0400000, 0f40800000; mov.b32 %r2, %f1;",
         0x40800000},
        /* the smallest subnormal becomes 0 */
        {"max.ftz.f32 %f1, 0fbf800000, 0f00000001, 0fc0400000; mov.b32 %r2, %f1;", 0},
        {"max.f32 %f1, 0fbf800000, 0f00000001, 0fc0400000; mov.b32 %r2, %f1;", 1},
    };
    RUN(rows);
}

/* Halves: 1 is 3c00, 2 4000, 2^-24 0001, 1 + 2^-10 3c01; as bfloat 1 is 3f80, 2^-30 3080. */
static void halves_are_added_to_a_single(void)
{
    static const struct form rows[] = {
        {"mov.b16 %h1, 0x3c00; add.f32.f16 %f1, %h1, 0f3f800000; mov.b32 %r2, %f1;", 0x40000000},
        {"mov.b16 %h1, 0x4000; sub.f32.f16 %f1, %h1, 0f3f800000; mov.b32 %r2, %f1;", 0x3f800000},
        {"mov.b16 %h1, 0x3f80; add.f32.bf16 %f1, %h1, 0f40000000; mov.b32 %r2, %f1;", 0x40400000},
        /* 2^-24 is half of the last place of 1: to even, and up */
        {"mov.b16 %h1, 1; add.rn.f32.f16 %f1, %h1, 0f3f800000; mov.b32 %r2, %f1;", 0x3f800000},
        {"mov.b16 %h1, 1; add.rp.f32.f16 %f1, %h1, 0f3f800000; mov.b32 %r2, %f1;", 0x3f800001},
        {"mov.b16 %h1, 0x3080; sub.rz.f32.bf16 %f1, %h1, 0f3f800000; mov.b32 %r2, %f1;",
         0xbf7fffff},
        {"mov.b16 %h1, 0x3c00; add.sat.f32.f16 %f1, %h1, 0f3f800000; mov.b32 %r2, %f1;",
         0x3f800000},
        /* (1 + 2^-10)^2 - 1 = 2^-9 + 2^-20, which no half holds: 2^-9 (1 + 2^-11) */
        {"mov.b16 %h1, 0x3c01; fma.rn.f32.f16 %f1, %h1, %h1, 0fbf800000; mov.b32 %r2, %f1;",
         0x3b001000},
        {"mov.b16 %h2, 0x3f80; fma.rn.f32.bf16 %f1, %h2, %h2, 0f3f800000; mov.b32 %r2, %f1;",
         0x40000000},
        {"mov.b16 %h2, 0x4000; mov.b16 %h1, 0x4000; fma.rn.sat.f32.bf16 %f1, %h1, %h2, "
         "0f00000000;\n"
         "mov.b32 %r2, %f1;",
         0x3f800000},
    };
    RUN(rows);
}

SUITE("newer floating-point forms", T(the_least_and_largest_of_three),
      T(halves_are_added_to_a_single))
