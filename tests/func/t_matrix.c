/* mma against products of whole matrices, with the places of elements as the PTX ISA tells them
 * (9.7.14.5: groupID = lane / 4, threadID = lane % 4); ldmatrix, stmatrix, movmatrix. wmma is in
 * tests/cuda/matrices.cu, since where its elements lie is nobody's business. */
#include <math.h>

#include "sim/func/fpbits.h"
#include "tests/func/ptxrun.h"

enum kind { HALF, BFLOAT, TF32, DOUBLE, SIGNED, UNSIGNED };

struct shape {
    const char *name, *types;
    enum kind kind;
    int m, k, a_regs, b_regs;
    bool saturate, narrow; /* narrow: c and d are halves */
};
static const struct shape shapes[] = {
    {"m16n8k8", "f32.f16.f16.f32", HALF, 16, 8, 2, 1, false, false},
    {"m16n8k16", "f32.f16.f16.f32", HALF, 16, 16, 4, 2, false, false},
    {"m16n8k16", "f16.f16.f16.f16", HALF, 16, 16, 4, 2, false, true},
    {"m16n8k8", "f32.bf16.bf16.f32", BFLOAT, 16, 8, 2, 1, false, false},
    {"m16n8k16", "f32.bf16.bf16.f32", BFLOAT, 16, 16, 4, 2, false, false},
    {"m16n8k4", "f32.tf32.tf32.f32", TF32, 16, 4, 2, 1, false, false},
    {"m16n8k8", "f32.tf32.tf32.f32", TF32, 16, 8, 4, 2, false, false},
    {"m8n8k4", "f64.f64.f64.f64", DOUBLE, 8, 4, 1, 1, false, false},
    {"m16n8k4", "f64.f64.f64.f64", DOUBLE, 16, 4, 2, 1, false, false},
    {"m16n8k8", "f64.f64.f64.f64", DOUBLE, 16, 8, 4, 2, false, false},
    {"m8n8k16", "s32.s8.s8.s32", SIGNED, 8, 16, 1, 1, false, false},
    {"m16n8k16", "s32.s8.s8.s32", SIGNED, 16, 16, 2, 1, false, false},
    {"m16n8k32", "s32.s8.s8.s32", SIGNED, 16, 32, 4, 2, false, false},
    {"m16n8k32", "s32.u8.u8.s32", UNSIGNED, 16, 32, 4, 2, false, false},
};

static int per_reg(enum kind k)
{
    return k == HALF || k == BFLOAT ? 2 : k == SIGNED || k == UNSIGNED ? 4 : 1;
}

/* A small whole number as an element, in the lowest bits. */
static uint64_t element(enum kind k, int v)
{
    switch (k) {
    case HALF:
        return f16_from_f32((float)v);
    case BFLOAT:
        return bf16_from_f32((float)v);
    case TF32:
        return bits_f32((float)v) | 0x1fff; /* what is below tf32 counts for nothing */
    case DOUBLE:
        return bits_f64(v);
    default:
        return (uint8_t)v;
    }
}

static int a_of(const struct shape *s, int row, int col)
{
    return (row * 5 + col * 3) % 13 - (s->kind == UNSIGNED ? 0 : 6);
}
static int b_of(const struct shape *s, int row, int col)
{
    return (row * 7 + col) % 11 - (s->kind == UNSIGNED ? 0 : 5);
}
static int c_of(int row, int col)
{
    return row * 8 + col - 50;
}

/* Element i of a fragment of a, as the ISA counts them. */
static void a_place(const struct shape *s, int lane, int i, int *row, int *col)
{
    const int group = lane / 4, thread = lane % 4, n = per_reg(s->kind);
    if (s->m == 8) {
        *row = group;
        *col = thread * n + i;
        return;
    }
    *row = i / n % 2 ? group + 8 : group;
    *col = thread * n + i % n + (i < 2 * n ? 0 : 4 * n);
}

static uint64_t a_bits(const struct shape *s, int lane, int reg)
{
    const int n = per_reg(s->kind);
    uint64_t v = 0;
    for (int e = 0; e < n; e++) {
        int row, col;
        a_place(s, lane, reg * n + e, &row, &col);
        v |= element(s->kind, a_of(s, row, col)) << e * 32 / n;
    }
    return v;
}

static uint64_t b_bits(const struct shape *s, int lane, int reg)
{
    const int n = per_reg(s->kind);
    uint64_t v = 0;
    for (int e = 0; e < n; e++)
        v |= element(s->kind, b_of(s, lane % 4 * n + e + reg * 4 * n, lane / 4)) << e * 32 / n;
    return v;
}

static uint64_t sum_bits(const struct shape *s, int v)
{
    return s->kind == DOUBLE                          ? bits_f64(v)
           : s->kind == SIGNED || s->kind == UNSIGNED ? (uint32_t)v
           : s->narrow                                ? f16_from_f32((float)v)
                                                      : bits_f32((float)v);
}

/* Register `reg` of an accumulator, from the matrix's numbers. */
static uint64_t c_bits(const struct shape *s, int lane, int reg,
                       int (*number)(const struct shape *, int, int))
{
    const int group = lane / 4, col = lane % 4 * 2;
    if (s->narrow)
        return sum_bits(s, number(s, group + 8 * reg, col)) |
               sum_bits(s, number(s, group + 8 * reg, col + 1)) << 16;
    return sum_bits(s, number(s, group + reg / 2 * 8, col + reg % 2));
}
static int before(const struct shape *s, int row, int col)
{
    (void)s;
    return c_of(row, col);
}
static int after(const struct shape *s, int row, int col)
{
    int v = c_of(row, col);
    for (int k = 0; k < s->k; k++)
        v += a_of(s, row, k) * b_of(s, k, col);
    return v;
}

/* "r7, r8": `n` registers from `first` on; loads or stores of them at 8-byte places `at` and on. */
static char *list(char *to, const char *reg, int first, int n)
{
    to += sprintf(to, "{");
    for (int i = 0; i < n; i++)
        to += sprintf(to, "%s%s%d", i ? ", " : "", reg, first + i);
    return to + sprintf(to, "}");
}
static char *loads(char *to, const char *reg, const char *type, int first, int n)
{
    for (int i = 0; i < n; i++)
        to += sprintf(to, "ld.global.%s %s%d, [%%rd6+%d];\n", type, reg, first + i,
                      256 * (first + i - 10));
    return to;
}

static void check(const struct shape *s)
{
    const bool wide = s->kind == DOUBLE;
    const char *ab = wide ? "%fd" : "%r", *cd = wide                             ? "%fd"
                                                : s->kind < DOUBLE && !s->narrow ? "%f"
                                                                                 : "%r";
    const char *ab_type = wide ? "f64" : "b32", *cd_type = wide               ? "f64"
                                                           : *(cd + 1) == 'f' ? "f32"
                                                                              : "b32";
    const int sums = s->narrow || s->m == 8 ? 2 : 4, all = s->a_regs + s->b_regs + sums;
    char text[6000], body[5000], *to = body;
    to += sprintf(to, ".reg .f32 %%f<40>; .reg .f64 %%fd<40>; mul.wide.u32 %%rd4, %%r1, 8;\n"
                      "add.s64 %%rd6, %%rd2, %%rd4; add.s64 %%rd7, %%rd1, %%rd4;\n");
    to = loads(to, ab, ab_type, 10, s->a_regs + s->b_regs);
    to = loads(to, cd, cd_type, 10 + s->a_regs + s->b_regs, sums);
    to += sprintf(to, "mma.sync.aligned.%s.row.col.%s ", s->name, s->types);
    to = list(to, cd, 30, sums);
    to = list(to + sprintf(to, ", "), ab, 10, s->a_regs);
    to = list(to + sprintf(to, ", "), ab, 10 + s->a_regs, s->b_regs);
    to = list(to + sprintf(to, ", "), cd, 10 + s->a_regs + s->b_regs, sums);
    to += sprintf(to, ";\n");
    for (int i = 0; i < sums; i++)
        to += sprintf(to, "st.global.%s [%%rd7+%d], %s%d;\n", cd_type, 256 * i, cd, 30 + i);
    snprintf(text, sizeof text, "%s.visible .entry k(.param .u64 out, .param .u64 in)\n{\n%s%s%s",
             HEADER,
             ".reg .b32 %r<40>; .reg .b64 %rd<20>;\n"
             "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x;\n",
             body, KERNEL_TAIL);
    struct ptxrun r;
    if (!ptxrun_open(&r, text, 32, 8192))
        return;
    for (int reg = 0; reg < all; reg++)
        for (int lane = 0; lane < 32; lane++) {
            const int b = reg - s->a_regs, c = b - s->b_regs;
            const uint64_t v = b < 0   ? a_bits(s, lane, reg)
                               : c < 0 ? b_bits(s, lane, b)
                                       : c_bits(s, lane, c, before);
            devmem_write(r.mem, r.in + (addr_t)(256 * reg + 8 * lane), &v, 8);
        }
    const bool ok = ptxrun_go(&r);
    if (!ok)
        printf("\n%s\n", r.err.msg);
    CU_ASSERT_TRUE(ok);
    for (int reg = 0; reg < sums; reg++)
        for (int lane = 0; lane < 32; lane++)
            CU_ASSERT_EQUAL(ptxrun_u64(&r, (uint32_t)(32 * reg + lane)),
                            c_bits(s, lane, reg, after));
    ptxrun_close(&r);
}

static void every_shape_multiplies(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check(&shapes[i]);
}

/* 16 products of 127 x 127 = 258064, from 2^31 - 1: beyond the largest number, or around. */
static void sums_of_bytes_wrap_or_saturate(void)
{
    static const uint32_t want[] = {INT32_MAX, (uint32_t)INT32_MAX + 258064};
    for (int k = 0; k < 2; k++) {
        char text[3000], body[1000];
        snprintf(body, sizeof body,
                 "mov.u32 %%r2, 0x7f7f7f7f; mov.u32 %%r3, 0x7fffffff;\n"
                 "mma.sync.aligned.m8n8k16.row.col%s.s32.s8.s8.s32 {%%r4,%%r5}, {%%r2}, {%%r2}, "
                 "{%%r3,%%r3};\n"
                 "st.global.u32 [%%rd3], %%r4; st.global.u32 [%%rd3+128], %%r5;",
                 k ? "" : ".satfinite");
        KERNEL_TEXT(text, body);
        struct ptxrun r;
        ptxrun_ok(&r, text, 32);
        for (uint32_t i = 0; i < 64; i++)
            CU_ASSERT_EQUAL(ptxrun_u32(&r, i), want[k]);
        ptxrun_close(&r);
    }
}

/* Shared memory holds halves 0, 1, 2 ...: matrix j is rows 8 j and on, of 8 halves. */
#define FILL                                                                                      \
    ".shared .align 16 .b8 s[512]; mov.u32 %r2, s; shl.b32 %r3, %r1, 4; add.u32 %r4, %r2, %r3;\n" \
    "shl.b32 %r5, %r1, 3; mad.lo.u32 %r6, %r5, 65537, 65536; add.u32 %r7, %r6, 131074;\n"         \
    "add.u32 %r8, %r7, 131074; add.u32 %r9, %r8, 131074;\n"                                       \
    "st.shared.v4.b32 [%r4], {%r6, %r7, %r8, %r9}; bar.warp.sync -1;\n"

#define ROWS_OF(TRANS)                                                                     \
    HEADER KERNEL(FILL "ldmatrix.sync.aligned.m8n8.x4" TRANS                               \
                       ".shared.b16 {%r10, %r11, %r12, %r13}, [%r4];\n"                    \
                       "st.global.u32 [%rd3], %r10; st.global.u32 [%rd3+128], %r11;\n"     \
                       "st.global.u32 [%rd3+256], %r12; st.global.u32 [%rd3+384], %r13;\n" \
                       "movmatrix.sync.aligned.m8n8.trans.b16 %r14, %r10;\n"               \
                       "st.global.u32 [%rd3+512], %r14;")

static void rows_are_spread_over_lanes(void)
{
    static const char *const text[] = {ROWS_OF(""), ROWS_OF(".trans")};
    for (int trans = 0; trans < 2; trans++) {
        struct ptxrun r;
        ptxrun_ok(&r, text[trans], 32);
        for (uint32_t i = 0; i < 160; i++) {
            const uint32_t lane = i % 32, j = i / 32 % 4, up = lane / 4, along = lane % 4 * 2;
            const bool flip = (i >= 128) != trans;
            const uint32_t first = 64 * j + (flip ? 8 * along + up : 8 * up + along);
            CU_ASSERT_EQUAL(ptxrun_u32(&r, i), first | (first + (flip ? 8 : 1)) << 16);
        }
        ptxrun_close(&r);
    }
}

static void stmatrix_undoes_ldmatrix(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL(
                  FILL "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r10, %r11}, [%r4];\n"
                       "add.u32 %r10, %r10, 65537;\n"
                       "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r4+256], {%r10, %r11};\n"
                       "shl.b32 %r12, %r1, 2; add.u32 %r12, %r12, %r2;\n"
                       "ld.shared.u32 %r13, [%r12+256]; st.global.u32 [%rd3], %r13;\n"
                       "ld.shared.u32 %r13, [%r12+384]; st.global.u32 [%rd3+128], %r13;"),
              32);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), (2 * i | (2 * i + 1) << 16) + (i < 32 ? 65537 : 0));
    ptxrun_close(&r);
}

static void what_is_not_modelled_names_itself(void)
{
    ptxrun_fails(
        HEADER KERNEL("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%r2,%r3,%r4,%r5}, "
                      "{%r6,%r7,%r8,%r9}, {%r10,%r11}, {%r2,%r3,%r4,%r5};"),
        32,
        "kernel k uses mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 at test.ptx:10, which is "
        "not supported");
    ptxrun_fails(
        HEADER KERNEL("setp.lt.u32 %p1, %r1, 16;\n"
                      "@%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r14, %r10;"),
        32,
        "kernel k, test.ptx:11: movmatrix.sync.aligned.m8n8.trans.b16: CTA (0,0,0) thread (0,0,0): "
        "only 16 of 32 lanes execute a matrix instruction together");
}

SUITE("matrices", T(every_shape_multiplies), T(sums_of_bytes_wrap_or_saturate),
      T(rows_are_spread_over_lanes), T(stmatrix_undoes_ldmatrix),
      T(what_is_not_modelled_names_itself))
