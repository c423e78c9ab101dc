/* Numbers of a byte and less: conversions from and to f32, f16 and bf16. Values by hand from the
 * formats: e4m3 1.0 is 0x38, the largest 448 0x7e; e5m2 1.0 is 0x3c, the largest 57344 0x7b; e2m3
 * 1.0 is 0x08, the largest 7.5 0x1f; e3m2 1.0 is 0x0c, the largest 28 0x1f; e2m1 1.0 is 2, the
 * largest 6 is 7. */
#include "tests/func/forms.h"

#define TO16(cvt, a, b) cvt " %h1, " a ", " b "; cvt.u32.u16 %r2, %h1;"
#define TO8(cvt, a, b)  ".reg .b8 %b; " cvt " %b, " a ", " b "; cvt.u32.u8 %r2, %b;"
#define FROM16(cvt, x)  "mov.b16 %h1, " x "; " cvt " %r2, %h1;"
#define FROM8(cvt, x)   ".reg .b8 %b; mov.b16 %h1, " x "; cvt.u8.u16 %b, %h1; " cvt " %r2, %b;"

#define E4M3 "cvt.rn.satfinite.e4m3x2.f32"
#define E5M2 "cvt.rn.satfinite.e5m2x2.f32"
#define E2M3 "cvt.rn.satfinite.e2m3x2.f32"
#define E3M2 "cvt.rn.satfinite.e3m2x2.f32"
#define E2M1 "cvt.rn.satfinite.e2m1x2.f32"

static void singles_become_bytes(void)
{
    static const struct form rows[] = {
        {TO16(E4M3, "0f48000000", "0fc0000000"), 0x7ec0}, /* 2^17, -2 */
        {TO16(E4M3, "0f3f800000", "0f80000000"), 0x3880}, /* 1, -0 */
        {TO16(E4M3, "0f3fd9999a", "0f3f880000"), 0x3e38}, /* 1.7 to 1.75; 1.0625 is a tie: even */
        {TO16(E4M3, "0f3f980000", "0f7fc00000"), 0x3a7f}, /* 1.1875, a tie; NaN */
        {TO16(E4M3, "0fff800000", "0f3b000000"), 0xfe01}, /* -infinity; 2^-9, the least */
        {TO16(E4M3, "0f3a800000", "0f3a800001"), 0x0001}, /* 2^-10, a tie; just above */
        {TO16(E4M3, "0f3c700000", "0f3c7f0000"), 0x0808}, /* 15/1024, a tie; both to 2^-6 */
        {TO16("cvt.rn.relu.satfinite.e4m3x2.f32", "0fc0000000", "0f40000000"), 0x0040},
        {TO16(E5M2, "0f447a0000", "0f47700000"), 0x647b}, /* 1000 to 1024; above 57344 */
        {TO16(E5M2, "0f7f800000", "0fffc00000"), 0x7b7f},
        {TO16(E5M2, "0f37800000", "0f37000000"), 0x0100}, /* 2^-16, 2^-17 (a tie) */
        {"mov.b32 %r3, 0x3c00c000; cvt.rn.satfinite.e4m3x2.f16x2 %h1, %r3; cvt.u32.u16 %r2, %h1;",
         0x38c0},
        {"mov.b32 %r3, 0x7bff7c00; cvt.rn.satfinite.e5m2x2.f16x2 %h1, %r3; cvt.u32.u16 %r2, %h1;",
         0x7b7b},
    };
    RUN(rows);
}

static void singles_become_six_and_four_bits(void)
{
    static const struct form rows[] = {
        {TO16(E2M3, "0f3f800000", "0fc0f00000"), 0x083f}, /* 1, -7.5 */
        {TO16(E2M3, "0f42c80000", "0f7fc00000"), 0x1f1f}, /* 100; NaN is the largest */
        {TO16(E2M3, "0f3e000000", "0f3d800000"), 0x0100}, /* 1/8, the least; 1/16, a tie */
        {TO16(E3M2, "0f3f800000", "0fc1e00000"), 0x0c3f}, /* 1, -28 */
        {TO16(E3M2, "0f3d800000", "0fbd800000"), 0x0121}, /* 1/16, the least */
        {TO8(E2M1, "0f3f800000", "0fc0c00000"), 0x2f},    /* 1, -6 */
        {TO8(E2M1, "0f40200000", "0f40600000"), 0x46},    /* 2.5 and 3.5, ties: 2 and 4 */
        {TO8(E2M1, "0f7fc00000", "0f3e800000"), 0x70},    /* NaN; 1/4, a tie */
        {TO8("cvt.rn.satfinite.relu.e2m1x2.f32", "0fbf800000", "0f3f000000"), 0x01},
        {".reg .b8 %b; mov.b32 %r3, 0x3c00c600; cvt.rn.satfinite.e2m1x2.f16x2 %b, %r3;\n"
         "cvt.u32.u8 %r2, %b;",
         0x2f},
    };
    RUN(rows);
}

static void bytes_become_halves(void)
{
    static const struct form rows[] = {
        {FROM16("cvt.rn.f16x2.e4m3x2", "0x38c0"), 0x3c00c000},
        {FROM16("cvt.rn.f16x2.e4m3x2", "0x7f01"), 0x7fff1800}, /* NaN, 2^-9 */
        {FROM16("cvt.rn.f16x2.e4m3x2", "0xfe80"), 0xdf008000}, /* -448, -0 */
        {FROM16("cvt.rn.relu.f16x2.e4m3x2", "0xfe38"), 0x00003c00},
        {FROM16("cvt.rn.f16x2.e5m2x2", "0x7cfd"), 0x7c007fff}, /* infinity, NaN */
        {FROM16("cvt.rn.f16x2.e5m2x2", "0x3c01"), 0x3c000100},
        {FROM16("cvt.rn.f16x2.e2m3x2", "0x083f"), 0x3c00c780}, /* 1, -7.5 */
        {FROM16("cvt.rn.f16x2.e3m2x2", "0x0c21"), 0x3c00ac00}, /* 1, -1/16 */
        {FROM8("cvt.rn.f16x2.e2m1x2", "0x2f"), 0x3c00c600},
        {FROM8("cvt.rn.relu.f16x2.e2m1x2", "0x19"), 0x38000000},
    };
    RUN(rows);
}

static void scales_are_powers_of_two(void)
{
    static const struct form rows[] = {
        {TO16("cvt.rz.ue8m0x2.f32", "0f3f800000", "0f3fffffff"), 0x7f7f},
        {TO16("cvt.rp.ue8m0x2.f32", "0f3f800000", "0f3f800001"), 0x7f80},
        {TO16("cvt.rp.ue8m0x2.f32", "0fc0400000", "0f00000000"), 0x8100}, /* |-3| to 4; 0 */
        {TO16("cvt.rp.satfinite.ue8m0x2.f32", "0f7f7fffff", "0f7fc00000"), 0xfeff},
        {TO16("cvt.rp.ue8m0x2.f32", "0f7f7fffff", "0f00400000"), 0xff00}, /* 2^-127 */
        {TO16("cvt.rz.satfinite.ue8m0x2.f32", "0f7f800000", "0f00400001"), 0xfe00},
        {"mov.b32 %r3, 0x3f804040; cvt.rp.ue8m0x2.bf16x2 %h1, %r3; cvt.u32.u16 %r2, %h1;", 0x7f81},
        {FROM16("cvt.rn.bf16x2.ue8m0x2", "0x7f81"), 0x3f804080},
        {FROM16("cvt.rn.bf16x2.ue8m0x2", "0x00ff"), 0x00407fff},
    };
    RUN(rows);
}

static void results_stay_finite(void)
{
    static const struct form rows[] = {
        {"cvt.rn.satfinite.f16.f32 %h1, 0f7f800000; cvt.u32.u16 %r2, %h1;", 0x7bff},
        {"cvt.rz.satfinite.relu.f16.f32 %h1, 0fff800000; cvt.u32.u16 %r2, %h1;", 0},
        {"cvt.rn.satfinite.bf16.f32 %h1, 0fff7fffff; cvt.u32.u16 %r2, %h1;", 0xff7f},
        {"cvt.rn.satfinite.f16x2.f32 %r2, 0f47800000, 0f3f800000;", 0x7bff3c00},
        {"cvt.rn.relu.satfinite.bf16x2.f32 %r2, 0f7fc00000, 0fbf800000;", 0x7fff0000},
        {"cvt.rna.satfinite.tf32.f32 %r2, 0f7f7fffff;", 0x7f7fe000},
        {"cvt.rn.satfinite.relu.tf32.f32 %r2, 0f3f801000;", 0x3f800000},
        {"cvt.rn.tf32.f32 %r2, 0f3f803000;", 0x3f804000}, /* 1.5 units: a tie, to even */
        {"cvt.rz.tf32.f32 %r2, 0fbf803fff;", 0xbf802000},
        {"cvt.rna.tf32.f32 %r2, 0f3f801000;", 0x3f802000},
        {"cvt.rn.relu.tf32.f32 %r2, 0fbf801000;", 0},
    };
    RUN(rows);
}

/* 1 + 2^-11 lies half between two halves: 4096 of 8192 random values round it up. */
static void random_bits_round(void)
{
    static const struct form rows[] = {
        {"mov.b32 %r3, 0x0fff1000; cvt.rs.f16x2.f32 %r2, 0f3f801000, 0f3f801000, %r3;", 0x3c003c01},
        {"mov.b32 %r3, 0xe000f000; cvt.rs.f16x2.f32 %r2, 0f3f801000, 0f3f801000, %r3;", 0x3c003c01},
        {"mov.b32 %r3, 0x7fff8000; cvt.rs.bf16x2.f32 %r2, 0f3f808000, 0f3f808000, %r3;",
         0x3f803f81},
        {"mov.b32 %r3, 0x7fff8000; cvt.rs.satfinite.e4m3x4.f32 %r2, {0f3f880000, 0f3f880000, "
         "0f3f880000, 0fbf880000}, %r3;",
         0x383938b9},
        {"mov.b32 %r3, 0x7f808080; cvt.rs.satfinite.e2m1x4.f32 %h1, {0f3fa00000, 0f3fa00000, "
         "0f3fa00000, 0f3fa00000}, %r3; cvt.u32.u16 %r2, %h1;",
         0x2333},
        {"mov.b32 %r3, -1; cvt.rs.relu.satfinite.e5m2x4.f32 %r2, {0f7f800000, 0fbf800000, "
         "0f3f800000, 0f40000000}, %r3;",
         0x7b003c40},
    };
    RUN(rows);
}

/* Each code of e4m3 and e5m2, by way of f16, is itself again. */
static void every_byte_comes_back(void)
{
    static const char *const names[] = {"e4m3", "e5m2"};
    for (int k = 0; k < 2; k++) {
        char text[2048];
        struct ptxrun r;
        char body[400];
        snprintf(body, sizeof body,
                 "cvt.u16.u32 %%h1, %%r1; cvt.rn.f16x2.%sx2 %%r2, %%h1;\n"
                 "cvt.rn.satfinite.%sx2.f16x2 %%h2, %%r2; cvt.u32.u16 %%r3, %%h2;\n"
                 "st.global.u32 [%%rd3], %%r3;",
                 names[k], names[k]);
        snprintf(text, sizeof text, "%s%s%s%s", HEADER_100, KERNEL_HEAD, body, KERNEL_TAIL);
        ptxrun_ok(&r, text, 256);
        for (uint32_t i = 0; i < 256; i++) {
            const uint32_t mag = i & 0x7f;
            const uint32_t want = k ? (mag == 0x7c  ? (i & 0x80) | 0x7b
                                       : mag > 0x7c ? 0x7f
                                                    : i)
                                    : (mag == 0x7f ? 0x7f : i);
            CU_ASSERT_EQUAL(ptxrun_u32(&r, i), want);
        }
        ptxrun_close(&r);
    }
}

SUITE("numbers of a byte and less", T(singles_become_bytes), T(singles_become_six_and_four_bits),
      T(bytes_become_halves), T(scales_are_powers_of_two), T(results_stay_finite),
      T(random_bits_round), T(every_byte_comes_back))
