/* atom and red: every operation and type, in global, shared and generic space, lanes in order. */
#include "sim/func/fpbits.h"
#include "tests/func/ptxrun.h"

/* One lane: memory holds `old`, the operation gets b (and c). */
struct atom_case {
    const char *op;  /* after "atom.global." */
    const char *reg; /* register class of b, c and the result */
    uint64_t old, b, c, now;
};

static const struct atom_case word_cases[] = {
    {"add.u32", "b32", 0xffffffff, 3, 0, 2},
    {"add.s32", "b32", 5, 0xfffffff6, 0, 0xfffffffb},
    {"min.u32", "b32", 5, 0xffffffff, 0, 5},
    {"min.s32", "b32", 5, 0xffffffff, 0, 0xffffffff},
    {"max.u32", "b32", 5, 0xffffffff, 0, 0xffffffff},
    {"max.s32", "b32", 5, 0xffffffff, 0, 5},
    {"and.b32", "b32", 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00},
    {"or.b32", "b32", 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0},
    {"xor.b32", "b32", 0xff00ff00, 0x0ff00ff0, 0, 0xf0f0f0f0},
    {"exch.b32", "b32", 1, 2, 0, 2},
    {"cas.b32", "b32", 7, 7, 9, 9},
    {"cas.b32", "b32", 7, 8, 9, 7},
    {"inc.u32", "b32", 4, 5, 0, 5},
    {"inc.u32", "b32", 5, 5, 0, 0},
    {"inc.u32", "b32", 9, 5, 0, 0},
    {"dec.u32", "b32", 4, 5, 0, 3},
    {"dec.u32", "b32", 0, 5, 0, 5},
    {"dec.u32", "b32", 9, 5, 0, 5},
    {"add.f32", "b32", 0x3f800000, 0x40000000, 0, 0x40400000}, /* 1 + 2 */
    {"add.f32", "b32", 0x3f800000, 0x33800000, 0, 0x3f800000}, /* 1 + 2^-24: to even */
    {"add.f32", "b32", 0x7f800000, 0xff800000, 0, 0x7fffffff}, /* inf - inf */
    {"add.f32", "b32", 0x00000001, 0x00000001, 0, 0x00000000}, /* global flushes subnormals */
    {"add.f32", "b32", 0x00800001, 0x80800000, 0, 0x00000000}, /* subnormal result */
    {"add.f32", "b32", 0x80000001, 0x80000001, 0, 0x80000000}, /* keeping the sign */
    {"add.noftz.f16x2", "b32", 0x3c000001, 0x40000001, 0, 0x42000002},
    {"add.noftz.f16x2", "b32", 0x7bff3c00, 0x7bff1000, 0, 0x7c003c00}, /* overflow; 1 + 2^-11 */
    {"add.noftz.bf16x2", "b32", 0x3f804000, 0x3f804000, 0, 0x40004080},
    {"add.noftz.f16", "b16", 0x3c00, 0x4000, 0, 0x4200},
    {"add.noftz.bf16", "b16", 0x3f80, 0x4000, 0, 0x4040},
    {"cas.b16", "b16", 0x1234, 0x1234, 0xffff, 0xffff},
    {"add.u64", "b64", 0xffffffffffffffff, 3, 0, 2},
    {"add.u64", "b64", 5, 0xfffffffffffffff6, 0, 0xfffffffffffffffb},
    {"min.u64", "b64", 5, 0xffffffffffffffff, 0, 5},
    {"min.s64", "b64", 5, 0xffffffffffffffff, 0, 0xffffffffffffffff},
    {"max.u64", "b64", 5, 0xffffffffffffffff, 0, 0xffffffffffffffff},
    {"max.s64", "b64", 5, 0xffffffffffffffff, 0, 5},
    {"and.b64", "b64", 0xff00ff0000000001, 0x0ff00ff000000003, 0, 0x0f000f0000000001},
    {"or.b64", "b64", 0xff00000000000000, 1, 0, 0xff00000000000001},
    {"xor.b64", "b64", 0xff00000000000001, 1, 0, 0xff00000000000000},
    {"exch.b64", "b64", 1, 0x200000000, 0, 0x200000000},
    {"cas.b64", "b64", 0x700000000, 0x700000000, 9, 9},
    {"cas.b64", "b64", 0x700000001, 0x700000000, 9, 0x700000001},
    {"add.f64", "b64", 0x3ff0000000000000, 0x4000000000000000, 0, 0x4008000000000000},
};

static void run_case(const struct atom_case *c, const char *space, const char *base)
{
    struct ptxrun r;
    char text[2500], body[1200];
    bool wide = !strcmp(c->reg, "b64"), half = !strcmp(c->reg, "b16");
    const char *v = wide ? "%rd" : half ? "%h" : "%r", *t = wide ? "64" : half ? "16" : "32";
    snprintf(
        body, sizeof body,
        "{ .shared .align 8 .b8 s[8]; mov.u64 %%rd15, s; cvta.shared.u64 %%rd16, %%rd15;\n"
        "ld.param.u64 %%rd17, [out]; add.s64 %%rd18, %%rd17, 0;\n"
        "ld.global.u64 %%rd5, [%%rd2]; st.shared.u64 [s], %%rd5; st.global.u64 [%%rd17], %%rd5;\n"
        "ld.global.b%s %s11, [%%rd2+8]; ld.global.b%s %s12, [%%rd2+16];\n"
        "atom%s.%s %s13, [%s], %s11%s%s;\n"
        "st.global.b%s [%%rd1+64], %s13; ld.b%s %s14, [%s]; st.global.b%s [%%rd1+72], %s14; }",
        t, v, t, v, space, c->op, v, base, v, strstr(c->op, "cas") ? ", " : "",
        strstr(c->op, "cas") ? wide   ? "%rd12"
                               : half ? "%h12"
                                      : "%r12"
                             : "",
        t, v, t, v, strcmp(base, "%rd15") ? base : "%rd16", t, v);
    KERNEL_TEXT(text, body);
    if (!ptxrun_open(&r, text, 1, 8192)) {
        ptxrun_close(&r);
        return;
    }
    uint64_t in[3] = {c->old, c->b, c->c};
    devmem_write(r.mem, r.in, in, sizeof in);
    CU_ASSERT_TRUE(ptxrun_go(&r));
    if (ptxrun_u64(&r, 8) != c->old || ptxrun_u64(&r, 9) != c->now)
        printf("\natom%s.%s: old %llx, now %llx, expected %llx %s\n", space, c->op,
               (unsigned long long)ptxrun_u64(&r, 8), (unsigned long long)ptxrun_u64(&r, 9),
               (unsigned long long)c->now, r.err.msg);
    CU_ASSERT_EQUAL(ptxrun_u64(&r, 8), c->old);
    CU_ASSERT_EQUAL(ptxrun_u64(&r, 9), c->now);
    ptxrun_close(&r);
}

static void every_operation_on_global_memory(void)
{
    for (size_t i = 0; i < sizeof word_cases / sizeof *word_cases; i++)
        run_case(&word_cases[i], ".global", "%rd18");
}

static void generic_addresses_reach_global_and_shared(void)
{
    for (size_t i = 0; i < 12; i++) {
        run_case(&word_cases[i], "", "%rd18");
        run_case(&word_cases[i], "", "%rd16");
        run_case(&word_cases[i], ".shared", "%rd15");
    }
}

static void shared_float_sums_keep_subnormals(void)
{
    static const struct atom_case cases[] = {
        {"add.f32", "b32", 0x00000001, 0x00000001, 0, 0x00000002},
        {"add.f32", "b32", 0x00800001, 0x80800000, 0, 0x00000001},
    };
    run_case(&cases[0], ".shared", "%rd15");
    run_case(&cases[1], "", "%rd16");
}

static void lanes_take_turns_from_the_lowest(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("add.u32 %r2, %r1, 1; atom.global.add.u32 %r3, [%rd1+2048], %r2;\n"
                            "st.global.u32 [%rd3], %r3; atom.global.exch.b32 %r4, [%rd1+2052], "
                            "%r1;\n"
                            "st.global.u32 [%rd3+256], %r4; red.global.max.u32 [%rd1+2056], %r1;\n"
                            "atom.global.add.u32 _, [%rd1+2060], 1;"),
              40);
    for (uint32_t i = 0; i < 40; i++) {
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i * (i + 1) / 2);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + i), i ? i - 1 : 0);
    }
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 513), 39);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 514), 39);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 515), 40);
    ptxrun_close(&r);
}

static void atomics_are_checked_like_stores(void)
{
    ptxrun_fails(HEADER KERNEL("atom.global.add.u32 %r2, [%rd1+8190], 1;"), 1,
                 "kernel k, test.ptx:10: atom.global.add.u32: CTA (0,0,0) thread (0,0,0): out of "
                 "bounds: writes 4 bytes at 0x80001ffe in global memory, 2 bytes too long for the "
                 "end of buffer 'out' [0x80000000,0x80002000)");
    ptxrun_fails(
        HEADER KERNEL("red.global.add.u64 [%rd1+4], 1;"), 1,
        "kernel k, test.ptx:10: red.global.add.u64: CTA (0,0,0) thread (0,0,0): "
        "misaligned: writes 8 bytes at 0x80000004 in global memory, not a multiple of 8, in "
        "buffer 'out' [0x80000000,0x80002000)");
}

/* 32 lanes add (1, lane, 2, 0.5) to the same four singles, and return what they find. */
static void vectors_add_each_element_by_itself(void)
{
    struct ptxrun r;
    ptxrun_ok(
        &r,
        HEADER KERNEL(
            "mov.f32 %f1, 0f3F800000; cvt.rn.f32.u32 %f2, %r1; mov.f32 %f3, 0f40000000;\n"
            "mov.f32 %f4, 0f3F000000;\n"
            "atom.global.add.v4.f32 {%f5, %f6, %f7, %f8}, [%rd1+1024], {%f1, %f2, %f3, %f4};\n"
            "red.relaxed.gpu.global.add.v2.f32 [%rd1+1032], {%f1, %f1};\n"
            "st.global.f32 [%rd3], %f5; st.global.f32 [%rd3+128], %f8;\n"
            "mov.b32 %r2, 0x40003c00; mov.b32 {%h1, %h2}, %r2;\n"
            "red.global.add.noftz.v2.f16x2 [%rd1+2048], {%r2, %r2};\n"
            "red.global.add.noftz.v2.f16 [%rd1+2064], {%h1, %h2};"),
        32);
    static const float sums[] = {32, 496, 64 + 32, 16 + 32};
    for (uint32_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 256 + i), bits_f32(sums[i]));
    for (uint32_t i = 0; i < 32; i++) {
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), bits_f32((float)i));
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 32 + i), bits_f32((float)i / 2));
    }
    for (uint32_t i = 512; i <= 516; i += i == 512 ? 1 : 3) /* 32 and 64 */
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 0x54005000);
    ptxrun_close(&r);
}

SUITE("atomics", T(every_operation_on_global_memory), T(generic_addresses_reach_global_and_shared),
      T(shared_float_sums_keep_subnormals), T(lanes_take_turns_from_the_lowest),
      T(atomics_are_checked_like_stores), T(vectors_add_each_element_by_itself))
