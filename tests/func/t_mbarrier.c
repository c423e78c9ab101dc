/* mbarrier: phases, counts and transactions of the object; the instructions on shared memory. */
#include "sim/func/mbarrier.h"
#include "tests/func/ptxrun.h"

static void a_phase_ends_with_the_last_arrival(void)
{
    uint64_t b = mbarrier_make(3);
    CU_ASSERT_EQUAL(mbarrier_pending(b), 3);
    b = mbarrier_arrive(b, 2, 0);
    CU_ASSERT_EQUAL(mbarrier_pending(b), 1);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 0);
    b = mbarrier_arrive(b, 1, 0);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 1);
    CU_ASSERT_EQUAL(mbarrier_pending(b), 3);
    b = mbarrier_arrive(b, 3, 0);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 0);
}

static void who_drops_out_is_not_waited_for_again(void)
{
    uint64_t b = mbarrier_make(3);
    b = mbarrier_arrive(b, 1, 1);
    CU_ASSERT_EQUAL(mbarrier_pending(b), 2);
    b = mbarrier_arrive(b, 2, 0);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 1);
    CU_ASSERT_EQUAL(mbarrier_pending(b), 2);
}

static void a_phase_waits_for_its_transactions(void)
{
    uint64_t b = mbarrier_expect(mbarrier_make(1), 64);
    b = mbarrier_arrive(b, 1, 0);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 0);
    b = mbarrier_complete(b, 48);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 0);
    b = mbarrier_complete(b, 16);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 1);
    CU_ASSERT_EQUAL(mbarrier_pending(b), 1);
    b = mbarrier_complete(b, 16); /* before they are expected: the count is below zero */
    b = mbarrier_arrive(mbarrier_expect(b, 16), 1, 0);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 0);
}

static void counts_may_be_the_largest(void)
{
    uint64_t b = mbarrier_make(MBARRIER_COUNT_MAX);
    b = mbarrier_arrive(b, MBARRIER_COUNT_MAX - 1, 0);
    CU_ASSERT_EQUAL(mbarrier_pending(b), 1);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 0);
    b = mbarrier_arrive(b, 1, 0);
    CU_ASSERT_EQUAL(mbarrier_pending(b), MBARRIER_COUNT_MAX);
    CU_ASSERT_EQUAL(mbarrier_phase(b), 1);
}

#define OBJECT                                                 \
    ".shared .align 8 .b64 b; .shared .align 4 .b32 s[128];\n" \
    "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [b], 128; bar.sync 0;\n"
#define NEXT /* %r3: what thread 127 - tid stored */                                       \
    "shl.b32 %r4, %r1, 2; mov.u32 %r5, s; add.u32 %r6, %r5, %r4; add.u32 %r7, %r1, 500;\n" \
    "st.shared.u32 [%r6], %r7;\n"
#define OTHER                                                                                \
    "sub.u32 %r4, 127, %r1; shl.b32 %r4, %r4, 2; add.u32 %r6, %r5, %r4; ld.shared.u32 %r3, " \
    "[%r6];\n"

/* Four warps: the first three go round the loop until the fourth has arrived. */
static void warps_wait_for_each_other(void)
{
    static const char *const waits[] = {
        "mbarrier.test_wait.shared.b64 %p2, [b], %rd5;",
        "mbarrier.try_wait.acquire.cta.shared::cta.b64 %p2, [b], %rd5, 1000;",
        "mbarrier.test_wait.parity.shared.b64 %p2, [b], 0;",
        "mbarrier.try_wait.parity.shared::cta.b64 %p2, [b], 0;",
        "mov.u32 %r9, b; cvt.u64.u32 %rd6, %r9; cvta.shared.u64 %rd6, %rd6;\n"
        "mbarrier.test_wait.b64 %p2, [%rd6], %rd5;"};
    for (size_t k = 0; k < sizeof waits / sizeof *waits; k++) {
        struct ptxrun r;
        char text[3000], body[2000];
        snprintf(body, sizeof body, "%s%s\nL: %s @!%%p2 bra L;\n%s%s", OBJECT NEXT,
                 "mbarrier.arrive.shared.b64 %rd5, [b];", waits[k], OTHER,
                 "st.global.u32 [%rd3], %r3;");
        KERNEL_TEXT(text, body);
        ptxrun_ok(&r, text, 128);
        for (uint32_t i = 0; i < 128; i++)
            CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 127 - i + 500);
        ptxrun_close(&r);
    }
}

/* Lanes arrive in increasing order: the state that lane i gets has 128 - i arrivals pending. */
static void a_state_says_how_many_were_pending(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL(OBJECT
                            "mbarrier.arrive.noComplete.shared.b64 %rd5, [b], 1;\n"
                            "mbarrier.pending_count.b64 %r3, %rd5; st.global.u32 [%rd3], %r3;"),
              32);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 128 - i);
    ptxrun_close(&r);
}

/* One arrival and 32 times 4 bytes; each lane sees the phase that the lanes before it have left. */
static void transactions_of_lanes_add_up(void)
{
    struct ptxrun r;
    ptxrun_ok(
        &r,
        HEADER KERNEL(".shared .align 8 .b64 b; setp.eq.u32 %p1, %r1, 0;\n"
                      "@%p1 mbarrier.init.shared.b64 [b], 1; bar.sync 0;\n"
                      "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [b], 128;\n"
                      "mbarrier.test_wait.parity.shared.b64 %p2, [b], 0; selp.u32 %r2, 1, 0, %p2;\n"
                      "mbarrier.complete_tx.shared.b64 [b], 4;\n"
                      "mbarrier.test_wait.parity.shared.b64 %p2, [b], 0; selp.u32 %r3, 2, 0, %p2;\n"
                      "cp.async.mbarrier.arrive.shared.b64 [b];\n" /* no more than before */
                      "mbarrier.test_wait.parity.shared.b64 %p2, [b], 1; selp.u32 %r4, 4, 0, %p2;\n"
                      "@%p1 cp.async.mbarrier.arrive.noinc.shared.b64 [b];\n"
                      "mbarrier.test_wait.parity.shared.b64 %p2, [b], 1; selp.u32 %r5, 8, 0, %p2;\n"
                      "add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5;\n"
                      "st.global.u32 [%rd3], %r2;"),
        32);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 2 + 8);
    ptxrun_close(&r);
}

/* 64 bytes from `in` (0, 1, 2 ...) + 16, 32 of them on to out + 256; the phase ends with the bytes.
 */
static void bulk_copies_tell_their_mbarrier(void)
{
    struct ptxrun r;
    ptxrun_ok(
        &r,
        HEADER KERNEL(".shared .align 8 .b64 b; .shared .align 16 .b8 s[64]; mov.u32 %r2, 64;\n"
                      "mbarrier.init.shared.b64 [b], 1;\n"
                      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], "
                      "[%rd2+16], %r2, [b];\n"
                      "mbarrier.arrive.expect_tx.shared.b64 %rd5, [b], %r2;\n"
                      "mbarrier.test_wait.shared.b64 %p1, [b], %rd5; selp.u32 %r3, 1, 0, %p1;\n"
                      "st.global.u32 [%rd1], %r3;\n"
                      "cp.async.bulk.global.shared::cta.bulk_group [%rd1+256], [s+32], 32;\n"
                      "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;"),
        1);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 1);
    for (uint32_t i = 0; i < 9; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + i), i < 8 ? 12 + i : 0);
    ptxrun_close(&r);
}

static void objects_lie_in_shared_memory(void)
{
    ptxrun_fails(
        HEADER KERNEL("mbarrier.init.b64 [%rd1], 1;"), 1,
        "kernel k, test.ptx:10: mbarrier.init.b64: CTA (0,0,0) thread (0,0,0): out of bounds: "
        "writes 8 bytes at 0x80000000 in shared memory (0 bytes a CTA)");
    ptxrun_fails(
        HEADER KERNEL(".shared .align 8 .b64 b[2]; mbarrier.init.shared.b64 [b+4], 1;"), 1,
        "kernel k, test.ptx:10: mbarrier.init.shared.b64: CTA (0,0,0) thread (0,0,0): "
        "misaligned: writes 8 bytes at 0x4 in shared memory, not a multiple of 8 (16 bytes a CTA)");
}

SUITE("mbarrier", T(a_phase_ends_with_the_last_arrival), T(who_drops_out_is_not_waited_for_again),
      T(a_phase_waits_for_its_transactions), T(counts_may_be_the_largest),
      T(warps_wait_for_each_other), T(a_state_says_how_many_were_pending),
      T(transactions_of_lanes_add_up), T(objects_lie_in_shared_memory),
      T(bulk_copies_tell_their_mbarrier))
