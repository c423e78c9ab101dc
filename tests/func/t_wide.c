/* 128-bit registers and atomics, accesses of 32 bytes, pairs of singles, cache policies, and memory
 * that a thread takes from its stack. */
#include "tests/func/forms.h"

#define Q ".reg .b128 %q<4>; mov.u64 %rd5, 0x1122334455667788; mov.u64 %rd6, 0x99aabbccddeeff00;\n"

static void registers_of_128_bits(void)
{
    static const struct form rows[] = {
        {Q "mov.b128 %q1, {%rd5, %rd6}; mov.b128 %q2, %q1; mov.b128 {%rd7, %rd8}, %q2;\n"
           "mov.b64 {%r2, %r3}, %rd8;",
         0xddeeff00},
        {Q "mov.b128 %q1, {%rd5, %rd6}; mov.b128 {_, %rd8}, %q1; mov.b64 {_, %r2}, %rd8;",
         0x99aabbcc},
        {Q "mov.b128 %q1, {%rd5, %rd6}; mov.b128 {%r3, %r2, _, %r4}, %q1;", 0x11223344},
        {Q "mov.b128 %q1, {1, 2, 3, 4}; mov.b128 {%rd7, %rd8}, %q1; mov.b64 {_, %r2}, %rd8;\n", 4},
        {Q "mov.b128 %q1, -5; mov.b128 {%rd7, %rd8}, %q1; mov.b64 {_, %r2}, %rd8;", 0xffffffff},
        {Q "mov.b128 %q1, {%rd5, %rd6}; st.global.b128 [%rd1+4096], %q1;\n"
           "ld.global.b128 %q3, [%rd1+4096]; mov.b128 {%rd7, %rd8}, %q3; mov.b64 {%r2, _}, %rd7;",
         0x55667788},
        {Q "mov.b128 %q1, {%rd5, %rd6}; st.b128 [%rd1+4096], %q1; ld.global.u32 %r2, [%rd1+4108];",
         0x99aabbcc},
        {"{ .shared .b128 s; .reg .b128 q; mov.b128 q, {7, 8}; st.shared.b128 [s], q;\n"
         "ld.shared.u32 %r2, [s+8]; }",
         8},
    };
    RUN(rows);
}

/* Lanes take their turns: 31 gets what 30 left. */
static void atomics_of_128_bits(void)
{
    static const struct form rows[] = {
        {".reg .b128 %q<4>; cvt.u64.u32 %rd5, %r1; mov.b128 %q1, {7, %rd5};\n"
         "atom.global.exch.b128 %q2, [%rd2], %q1; mov.b128 {%rd6, %rd7}, %q2;\n"
         "cvt.u32.u64 %r2, %rd7;",
         30},
        /* in[] begins with 0, 1, 2, 3: lane 0 finds them and stores, the others find that */
        {".reg .b128 %q<4>; mov.b128 %q1, {0, 1, 2, 3}; mov.b128 %q2, {5, 6};\n"
         "atom.global.cas.b128 %q3, [%rd2], %q1, %q2; mov.b128 {%rd6, %rd7}, %q3;\n"
         "cvt.u32.u64 %r2, %rd7;",
         6},
        /* the upper half differs: nothing is stored */
        {".reg .b128 %q<4>; mov.b128 %q1, {0, 1, 2, 4}; mov.b128 %q2, {5, 6};\n"
         "atom.global.cas.b128 %q3, [%rd2], %q1, %q2; mov.b128 {%rd6, %rd7}, %q3;\n"
         "cvt.u32.u64 %r2, %rd7;",
         2},
        {".reg .b128 %q<4>; mov.b128 %q1, {5, 6}; atom.global.exch.b128 _, [%rd2], %q1;\n"
         "ld.global.u32 %r2, [%rd2+8];",
         6},
    };
    RUN(rows);
}

static void an_access_of_16_bytes_is_aligned(void)
{
    ptxrun_fails(
        KERNEL(".reg .b128 %q; ld.global.b128 %q, [%rd1+8];"), 1,
        "kernel k, test.ptx:7: ld.global.b128: CTA (0,0,0) thread (0,0,0): misaligned: reads "
        "16 bytes at 0x80000008 in global memory, not a multiple of 16, in buffer 'out' "
        "[0x80000000,0x80002000)");
}

static void accesses_of_32_bytes(void)
{
    static const struct form rows[] = {
        {"mov.u32 %r3, 5; mov.u32 %r4, 9;\n"
         "st.global.v8.b32 [%rd2], {%r3,_,%r3,%r3,%r3,%r3,%r3,%r4}; ld.global.u32 %r2, [%rd2+4];",
         1},
        {"ld.global.v8.b32 {%r10,%r11,%r12,_,%r14,%r15,%r16,%r2}, [%rd2];", 7},
        {"ld.global.v8.f32 {%f1,_,_,_,_,%f2,_,_}, [%rd2]; mov.b32 %r2, %f2;", 5},
        {"ld.v4.b64 {%rd5,%rd6,_,%rd7}, [%rd2+32]; cvt.u32.u64 %r2, %rd7;", 14},
        {"ld.global.nc.v4.u64 {%rd5,%rd6,_,%rd7}, [%rd2+32]; cvt.u32.u64 %r2, %rd6;", 10},
        {"mov.f64 %fd1, 0d3ff0000000000000; st.global.v4.f64 [%rd2], {%fd1,_,%fd1,%fd1};\n"
         "ld.global.u32 %r2, [%rd2+28];",
         0x3ff00000},
        {"mov.f64 %fd1, 0d3ff0000000000000; st.global.v4.f64 [%rd2], {%fd1,_,%fd1,%fd1};\n"
         "ld.global.u32 %r2, [%rd2+12];",
         3},
    };
    RUN(rows);
}

#define PAIR(low, high) "mov.b64 %rd5, {" low ", " high "};\n"
#define LOW             " mov.b64 {%r2, _}, %rd7;"
#define HIGH            " mov.b64 {_, %r2}, %rd7;"

/* 1 and 2 are 3f800000 and 40000000; 33800000 is 2^-24, half of the last place of 1. */
static void pairs_of_singles(void)
{
    static const struct form rows[] = {
        {PAIR("0x3f800000", "0x40000000") "add.rn.f32x2 %rd7, %rd5, %rd5;" LOW, 0x40000000},
        {PAIR("0x3f800000", "0x40000000") "add.f32x2 %rd7, %rd5, %rd5;" HIGH, 0x40800000},
        {PAIR("0x3f800000", "0x40000000") "mul.f32x2 %rd7, %rd5, %rd5;" HIGH, 0x40800000},
        {PAIR("0x3f800000", "0x40000000") "sub.f32x2 %rd7, %rd5, %rd5;" HIGH, 0},
        {PAIR("0x3f800000", "0x40000000") "fma.rn.f32x2 %rd7, %rd5, %rd5, %rd5;" HIGH, 0x40c00000},
        {PAIR("0x3f800000", "0x3f800000") "mov.b64 %rd6, {0x33800000, 0x33800000};\n"
                                          "add.rp.f32x2 %rd7, %rd5, %rd6;" LOW,
         0x3f800001},
        {PAIR("0x3f800000", "0x3f800000") "mov.b64 %rd6, {0x33800000, 0x33800000};\n"
                                          "add.rz.f32x2 %rd7, %rd5, %rd6;" HIGH,
         0x3f800000},
        {PAIR("0x3f800000", "0x3f800000") "mov.b64 %rd6, {0xb3800000, 0xb3800000};\n"
                                          "fma.rm.f32x2 %rd7, %rd5, %rd5, %rd6;" HIGH,
         0x3f7fffff},
        {PAIR("1", "1") "add.f32x2 %rd7, %rd5, %rd5;" LOW, 2}, /* subnormal */
        {PAIR("1", "1") "add.ftz.f32x2 %rd7, %rd5, %rd5;" LOW, 0},
        {PAIR("0x7fc00001", "0") "mul.rn.f32x2 %rd7, %rd5, %rd5;" LOW, 0x7fffffff},
    };
    RUN(rows);
}

/* A policy and a hint change no value: in[] is 0, 1, 2 ... */
static void hints_change_no_value(void)
{
    static const struct form rows[] = {
        {"createpolicy.fractional.L2::evict_last.b64 %rd5, 1.0;\n"
         "ld.global.L2::cache_hint.u32 %r2, [%rd2+28], %rd5;",
         7},
        {"createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd5;\n"
         "createpolicy.cvt.L2.b64 %rd6, %rd5;\n"
         "ld.global.L1::evict_last.L2::cache_hint.L2::256B.v2.u32 {%r3, %r2}, [%rd2+24], %rd6;",
         7},
        {"createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %rd5, [%rd2], 0x1000, %r1;\n"
         "st.global.L2::cache_hint.u32 [%rd2], 9, %rd5; ld.global.u32 %r2, [%rd2];",
         9},
        {"createpolicy.fractional.L2::evict_first.b64 %rd5, 0.5;\n"
         "red.global.L2::cache_hint.add.u32 [%rd2+4], 2, %rd5; ld.global.u32 %r2, [%rd2+4];",
         65},
        {"prefetch.global.L2::evict_last [%rd2]; prefetch.global.L2::evict_normal [%rd2];\n"
         "ld.global.L1::no_allocate.L2::128B.u32 %r2, [%rd2+12];",
         3},
        {"{ .shared .align 16 .b32 s[4]; createpolicy.fractional.L2::evict_last.b64 %rd5;\n"
         "cp.async.cg.shared.global.L2::cache_hint.L2::128B [s], [%rd2+16], 16, %rd5;\n"
         "cp.async.wait_all; ld.shared.u32 %r2, [s+12]; }",
         7},
    };
    RUN(rows);
}

static void threads_take_memory_from_their_stacks(void)
{
    static const struct form rows[] = {
        {"alloca.u64 %rd5, 64, 16; cvta.local.u64 %rd6, %rd5; st.u32 [%rd6+60], 123;\n"
         "ld.local.u32 %r2, [%rd5+60];",
         123},
        /* sizes differ by thread; two pieces are apart: a thread's own number is kept */
        {"cvt.u64.u32 %rd6, %r1; mad.lo.u64 %rd6, %rd6, 4, 4; alloca.u64 %rd5, %rd6;\n"
         "alloca.u64 %rd7, %rd6, 64; st.local.u32 [%rd5], %r1; st.local.u32 [%rd7], 5;\n"
         "ld.local.u32 %r2, [%rd5];",
         31},
        {"alloca.u64 %rd5, 4, 256; cvt.u32.u64 %r3, %rd5; and.b32 %r2, %r3, 255;", 0},
        /* what is given back is taken again */
        {"stacksave.u64 %rd5; alloca.u64 %rd6, 100; stackrestore.u64 %rd5; alloca.u64 %rd7, 100;\n"
         "sub.u64 %rd8, %rd7, %rd6; cvt.u32.u64 %r2, %rd8;",
         0},
        {"stacksave.u32 %r5; alloca.u32 %r6, 100; stacksave.u32 %r7; setp.ne.u32 %p1, %r5, %r7;\n"
         "selp.u32 %r2, 1, 0, %p1;",
         1},
        /* more than a stack in all, but never at once */
        {"mov.u32 %r3, 0; stacksave.u64 %rd5;\n"
         "L: alloca.u64 %rd6, 8000; st.local.u32 [%rd6+7996], %r3; ld.local.u32 %r2, [%rd6+7996];\n"
         "stackrestore.u64 %rd5; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 100; @%p1 bra L;",
         99},
    };
    RUN(rows);
}

/* A function's memory is gone when it returns, so that a hundred calls fit. */
static void a_function_gives_its_memory_back(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER_100
              ".func (.param .b32 r) f(.param .b32 n)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
              "ld.param.b32 %r1, [n]; alloca.u64 %rd1, 4000; st.local.u32 [%rd1], %r1;\n"
              "ld.local.u32 %r2, [%rd1]; st.param.b32 [r], %r2; ret;\n}\n" KERNEL_HEAD
              "mov.u32 %r3, 0; mov.u32 %r2, 0;\n"
              "L: { .param .b32 a, b; st.param.b32 [a], %r3; call (b), f, (a);\n"
              "ld.param.b32 %r4, [b]; } add.u32 %r2, %r2, %r4; add.u32 %r3, %r3, 1;\n"
              "setp.lt.u32 %p1, %r3, 100; @%p1 bra L; st.global.u32 [%rd3], %r2;" KERNEL_TAIL,
              32);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 4950); /* 0 + 1 + ... + 99 */
    ptxrun_close(&r);
}

/* Clusters of 2 x 2 CTAs in a grid of 4 x 2: of CTA (3, 1) this is cluster 1 of 2, place (1, 1). */
static void ctas_know_their_place_in_the_cluster(void)
{
    struct ptxrun r;
    ptxrun_open(&r,
                HEADER_100 ".visible .entry k(.param .u64 out, .param .u64 in)\n"
                           ".reqnctapercluster 2, 2, 1\n{ .reg .b32 %r<9>; .reg .b64 %rd<3>;\n"
                           "mov.u32 %r1, %clusterid.x; mov.u32 %r2, %nclusterid.x;\n"
                           "mov.u32 %r3, %cluster_ctaid.y; mov.u32 %r4, %cluster_ctarank;\n"
                           "mov.u32 %r5, %cluster_nctarank; mov.u32 %r6, %cluster_nctaid.x;\n"
                           "ld.param.u64 %rd1, [out]; st.global.v2.u32 [%rd1], {%r1, %r2};\n"
                           "st.global.v4.u32 [%rd1+16], {%r3, %r4, %r5, %r6}; ret; }\n",
                1, 4096);
    r.l.grid[0] = 4; /* the last CTA's stores stay */
    r.l.grid[1] = 2;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    static const uint32_t want[] = {1, 2, 0, 0, 1, 3, 4, 2};
    for (uint32_t i = 0; i < 8; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), want[i]);
    ptxrun_close(&r);
}

static void a_stack_has_an_end(void)
{
    ptxrun_fails(KERNEL("alloca.u64 %rd5, 20000;"), 1,
                 "kernel k, test.ptx:7: alloca.u64: CTA (0,0,0) thread (0,0,0): stack overflow: "
                 "alloca of 20000 bytes; a thread has 16384");
}

SUITE("wide registers, hints and stacks", T(registers_of_128_bits), T(atomics_of_128_bits),
      T(an_access_of_16_bytes_is_aligned), T(accesses_of_32_bytes), T(pairs_of_singles),
      T(hints_change_no_value), T(threads_take_memory_from_their_stacks),
      T(a_function_gives_its_memory_back), T(a_stack_has_an_end),
      T(ctas_know_their_place_in_the_cluster))
