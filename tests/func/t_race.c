/* Which accesses to shared memory race, by kernels of a few lines each. */
#include "sim/func/race.h"
#include "tests/func/ptxrun.h"

/* %r2 = &s[tid], %r3 = &s[tid ^ 32], %r4 = &s[tid ^ 1] of 32-bit elements; %r5 = s. */
#define PLACES                                                                       \
    ".shared .align 8 .b32 s[64]; .shared .b32 flag;\n"                              \
    "mov.u32 %r5, s; shl.b32 %r2, %r1, 2; add.u32 %r2, %r2, %r5;\n"                  \
    "xor.b32 %r3, %r1, 32; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r5;\n"            \
    "xor.b32 %r4, %r1, 1; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r5;\n"             \
    "setp.lt.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r1, 0; setp.eq.u32 %p3, %r1, 32;\n" \
    "and.b32 %r6, %r1, 16; setp.eq.u32 %p4, %r6, 0;\n"

#define IN_STEP     HEADER_IN_STEP
#define INDEPENDENT HEADER

static struct races *look(const char *text, int threads)
{
    struct ptxrun r;
    struct races *found = races_new();
    ptxrun_open(&r, text, threads, 8192);
    races_begin(found, &r.l);
    const bool ok = ptxrun_go(&r);
    if (!ok)
        printf("\n%s\n", r.err.msg);
    CU_ASSERT_TRUE(ok);
    ptxrun_close(&r);
    return found;
}

struct want {
    const char *what;
    int threads, races;
    uint64_t count; /* of the first */
    const char *text;
};

static void expect(const struct want *w, int n)
{
    for (int i = 0; i < n; i++) {
        struct races *found = look(w[i].text, w[i].threads);
        const uint64_t count = races_count(found) ? races_all(found)[0].count : 0;
        if (races_count(found) != w[i].races || count != w[i].count)
            printf("\n%s: %d races, the first found %llu times\n", w[i].what, races_count(found),
                   (unsigned long long)count);
        CU_ASSERT_EQUAL(races_count(found), w[i].races);
        CU_ASSERT_EQUAL(count, w[i].count);
        races_free(found);
    }
}
#define EXPECT(table) expect(table, (int)(sizeof(table) / sizeof *(table)))

/* Counts: every thread of two warps; or those of the warp that comes later. */
static void warps_race_unless_a_barrier_is_between(void)
{
    static const struct want w[] = {
        {"written, then read", 64, 1, 64,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1; ld.shared.u32 %r7, [%r3];")},
        {"with a barrier", 64, 0, 0,
         INDEPENDENT KERNEL(PLACES
                            "st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r7, [%r3];")},
        {"read, then written", 64, 1, 64,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1; bar.sync 0;\n"
                                   "ld.shared.u32 %r7, [%r3]; st.shared.u32 [%r2], %r7;")},
        {"read, then written behind a barrier", 64, 0, 0,
         INDEPENDENT KERNEL(PLACES
                            "st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r7, [%r3];\n"
                            "bar.sync 0; st.shared.u32 [%r2], %r7;")},
        {"written twice", 64, 1, 32, INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r5], %r1;")},
        {"each its own", 64, 0, 0,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1; ld.shared.u32 %r7, [%r2];\n"
                                   "st.shared.u32 [%r2], %r7;")},
        {"in a loop without a barrier at its end", 64, 1, 64,
         INDEPENDENT KERNEL(PLACES
                            "mov.u32 %r8, 0;\n"
                            "L: st.shared.u32 [%r2], %r8; bar.sync 0; ld.shared.u32 %r7, [%r3];\n"
                            "add.u32 %r8, %r8, 1; setp.lt.u32 %p5, %r8, 2; @%p5 bra L;")},
        {"in step too", 64, 1, 64,
         IN_STEP KERNEL(PLACES "st.shared.u32 [%r2], %r1; ld.shared.u32 %r7, [%r3];")},
        {"generic addresses", 64, 1, 64,
         INDEPENDENT KERNEL(PLACES "cvt.u64.u32 %rd5, %r2; cvta.shared.u64 %rd5, %rd5;\n"
                                   "st.u32 [%rd5], %r1; ld.shared.u32 %r7, [%r3];")},
        {"elements of two", 32, 0, 0,
         IN_STEP KERNEL(PLACES "shl.b32 %r7, %r1, 3; add.u32 %r7, %r7, %r5;\n"
                               "st.shared.v2.u32 [%r7], {%r1, %r1};")},
        {"bytes of a word, each its own", 64, 0, 0,
         INDEPENDENT KERNEL(PLACES "add.u32 %r7, %r5, %r1; st.shared.u8 [%r7], %r1;\n"
                                   "ld.shared.u8 %r8, [%r7];")},
        {"bytes of words of the other warp", 64, 1, 64,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1; ld.shared.u8 %r8, [%r3+1];")},
        {"an asynchronous copy", 64, 1, 64,
         INDEPENDENT KERNEL(PLACES "cp.async.ca.shared.global [%r2], [%rd3], 4;\n"
                                   "cp.async.wait_all; ld.shared.u32 %r7, [%r3];")},
        {"a warp that has ended", 64, 0, 0,
         INDEPENDENT KERNEL(PLACES "@!%p1 st.shared.u32 [%r2], %r1; @!%p1 exit; bar.sync 0;\n"
                                   "ld.shared.u32 %r7, [%r3];")},
    };
    EXPECT(w);
}

static void atomics_race_with_others_alone(void)
{
    static const struct want w[] = {
        {"atomics", 64, 0, 0,
         INDEPENDENT KERNEL(PLACES
                            "atom.shared.add.u32 %r7, [%r5], 1; red.shared.add.u32 [%r5], 1;")},
        {"an atomic and a load", 64, 1, 32,
         INDEPENDENT KERNEL(PLACES "@%p1 atom.shared.add.u32 %r7, [%r5], 1;\n"
                                   "@!%p1 ld.shared.u32 %r7, [%r5];")},
        {"an atomic and a store", 64, 1, 32,
         INDEPENDENT KERNEL(PLACES "@%p1 atom.shared.add.u32 %r7, [%r5], 1;\n"
                                   "@!%p1 st.shared.u32 [%r5], %r1;")},
    };
    EXPECT(w);
}

/* Warp 0 writes s[0..31] and then the flag that warp 1 waits for. */
#define FLAG(fence)                                                               \
    PLACES "@!%p1 bra READ; st.shared.u32 [%r2], %r1; " fence "\n"                \
           "@%p2 st.volatile.shared.u32 [flag], 1; bra DONE;\n"                   \
           "READ: ld.volatile.shared.u32 %r7, [flag]; setp.eq.u32 %p5, %r7, 0;\n" \
           "@%p5 bra READ; ld.shared.u32 %r7, [%r3]; DONE:"

static void flags_order_behind_a_fence(void)
{
    static const struct want w[] = {
        {"with a fence", 64, 0, 0, INDEPENDENT KERNEL(FLAG("membar.cta;"))},
        {"without", 64, 1, 32, INDEPENDENT KERNEL(FLAG(""))},
        {"released", 64, 0, 0,
         INDEPENDENT KERNEL(
             PLACES "@!%p1 bra READ; st.shared.u32 [%r2], %r1; bar.warp.sync -1;\n"
                    "@%p2 st.release.cta.shared.u32 [flag], 1; bra DONE;\n"
                    "READ: ld.acquire.cta.shared.u32 %r7, [flag]; setp.eq.u32 %p5, %r7, 0;\n"
                    "@%p5 bra READ; ld.shared.u32 %r7, [%r3]; DONE:")},
    };
    EXPECT(w);
}

static void named_barriers_order_those_who_come(void)
{
    static const struct want w[] = {
        /* The reader waits for the writer, which does not wait for it. */
        {"one direction", 64, 0, 0,
         INDEPENDENT KERNEL(PLACES
                            "@!%p1 bra READ; st.shared.u32 [%r2], %r1; bar.arrive 1, 64;\n"
                            "bra DONE; READ: bar.sync 1, 64; ld.shared.u32 %r7, [%r3]; DONE:")},
        {"and not the other", 64, 1, 32,
         INDEPENDENT KERNEL(PLACES "@!%p1 bra READ; st.shared.u32 [%r2], %r1; bar.arrive 1, 64;\n"
                                   "mov.u32 %r8, 0; L: add.u32 %r8, %r8, 1;\n"
                                   "setp.lt.u32 %p5, %r8, 900; @%p5 bra L;\n"
                                   "st.shared.u32 [%r2], %r1; bra DONE;\n"
                                   "READ: bar.sync 1, 64; ld.shared.u32 %r7, [%r3]; DONE:")},
        /* Each warp of four by itself, then two of them. */
        {"of other warps", 64, 1, 64,
         INDEPENDENT KERNEL(PLACES "shr.u32 %r6, %r1, 5; add.u32 %r6, %r6, 1;\n"
                                   "st.shared.u32 [%r2], %r1; bar.sync %r6, 32;\n"
                                   "ld.shared.u32 %r7, [%r3];")},
    };
    EXPECT(w);
}

static void lanes_race_where_they_are_independent(void)
{
    static const struct want w[] = {
        {"in step", 32, 0, 0,
         IN_STEP KERNEL(PLACES "st.shared.u32 [%r2], %r1; ld.shared.u32 %r7, [%r4];")},
        {"independent", 32, 1, 32,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1; ld.shared.u32 %r7, [%r4];")},
        {"volatile", 32, 1, 32,
         INDEPENDENT KERNEL(
             PLACES "st.volatile.shared.u32 [%r2], %r1; ld.volatile.shared.u32 %r7, [%r4];")},
        {"behind bar.warp.sync", 32, 0, 0,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1; bar.warp.sync -1;\n"
                                   "ld.shared.u32 %r7, [%r4];")},
        {"behind shfl.sync, which orders no memory", 32, 1, 32,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1;\n"
                                   "shfl.sync.idx.b32 %r7, %r1, 0, 31, -1;\n"
                                   "ld.shared.u32 %r7, [%r4];")},
        {"behind a barrier of the CTA", 32, 0, 0,
         INDEPENDENT KERNEL(PLACES
                            "st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r7, [%r4];")},
        {"what one instruction writes", 32, 0, 0,
         INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r5], %r1;")},
        /* Lanes 0 to 15 and 16 to 31, each half by itself: neighbours are in one, lane 0 is not. */
        {"halves", 32, 0, 0,
         INDEPENDENT KERNEL(PLACES "selp.b32 %r8, 0xffff, 0xffff0000, %p4;\n"
                                   "st.shared.u32 [%r2], %r1; @%p4 bra LOW;\n"
                                   "bar.warp.sync %r8; ld.shared.u32 %r7, [%r4]; bra DONE;\n"
                                   "LOW: bar.warp.sync %r8; ld.shared.u32 %r7, [%r4]; DONE:")},
        {"of the other half", 32, 1, 16,
         INDEPENDENT KERNEL(PLACES "selp.b32 %r8, 0xffff, 0xffff0000, %p4;\n"
                                   "st.shared.u32 [%r2], %r1; bar.warp.sync %r8;\n"
                                   "ld.shared.u32 %r7, [%r5];")},
    };
    EXPECT(w);
}

/* Lines of the text above: HEADER has three, KERNEL_HEAD six, PLACES six. */
static void a_race_is_told_by_its_lines(void)
{
    struct races *found = look(INDEPENDENT KERNEL(PLACES "st.shared.u32 [%r2], %r1;\n"
                                                         "ld.shared.u32 %r7, [%r3];\n"
                                                         "ld.shared.u32 %r8, [%r3];"),
                               64);
    CU_ASSERT_EQUAL_FATAL(races_count(found), 2);
    const struct race *r = races_all(found);
    CU_ASSERT_EQUAL(r[0].side[1].ptx, r[0].side[0].ptx + 1);
    CU_ASSERT_EQUAL(r[1].side[1].ptx, r[0].side[0].ptx + 2);
    CU_ASSERT_STRING_EQUAL(r[0].kernel, "k");
    CU_ASSERT_STRING_EQUAL(r[0].module, "test.ptx");
    CU_ASSERT_STRING_EQUAL(r[0].side[0].text, "st.shared.u32 [%r2], %r1;");
    CU_ASSERT_STRING_EQUAL(race_kind_name(r[0].side[0].kind), "writes");
    CU_ASSERT_STRING_EQUAL(race_kind_name(r[0].side[1].kind), "reads");
    /* Both warps have stored when warp 0 loads: its lane 0 what thread 32 wrote. */
    CU_ASSERT_EQUAL(r[0].addr, 32 * 4);
    CU_ASSERT_EQUAL(r[0].side[0].thread, 32);
    CU_ASSERT_EQUAL(r[0].side[1].thread, 0);
    CU_ASSERT_PTR_NULL(r[0].side[0].source);
    races_free(found);
}

SUITE("races in shared memory", T(warps_race_unless_a_barrier_is_between),
      T(atomics_race_with_others_alone), T(flags_order_behind_a_fence),
      T(named_barriers_order_those_who_come), T(lanes_race_where_they_are_independent),
      T(a_race_is_told_by_its_lines))
