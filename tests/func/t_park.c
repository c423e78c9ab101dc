/* Barriers that parts of a warp reach at different places, where a launch allows that: a thread
 * waits for every thread of the CTA that has not exited, wherever they wait. */
#include "tests/func/ptxrun.h"

#define SHARED HEADER ".shared .align 4 .b8 s[512];\n"
/* s[tid] = tid; %r2 = address of s[tid ^ 33]: another warp's, and another half's */
#define PUT                                                                    \
    "mov.u32 %r9, s; mad.lo.u32 %r8, %r1, 4, %r9; st.shared.u32 [%r8], %r1;\n" \
    "xor.b32 %r7, %r1, 33; mad.lo.u32 %r2, %r7, 4, %r9;\n"

static void lenient(struct ptxrun *r, const char *text, int threads)
{
    if (!ptxrun_open(r, text, threads, 8192))
        return;
    r->l.lenient_barriers = true;
    bool ok = ptxrun_go(r);
    if (!ok)
        printf("\n%s\n", r->err.msg);
    CU_ASSERT_TRUE(ok);
}

static void halves_of_a_warp_wait_at_barriers_of_their_own(void)
{
    struct ptxrun r;
    lenient(&r,
            SHARED KERNEL(PUT
                          "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra X;\n"
                          "bar.sync 0; ld.shared.u32 %r4, [%r2]; add.u32 %r4, %r4, 1000; bra E;\n"
                          "X: bar.sync 0; ld.shared.u32 %r4, [%r2]; add.u32 %r4, %r4, 2000;\n"
                          "E: st.global.u32 [%rd3], %r4;"),
            64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), (t ^ 33) + (t & 1 ? 1000 : 2000));
    ptxrun_close(&r);
}

/* The others go round the barrier, do something more, and exit. */
static void lanes_that_never_come_are_not_waited_for(void)
{
    struct ptxrun r;
    lenient(&r,
            SHARED KERNEL(PUT "setp.ge.u32 %p1, %r1, 40; mov.u32 %r4, 5; @%p1 bra E;\n"
                              "bar.sync 0; ld.shared.u32 %r4, [s+4];\n"
                              "E: add.u32 %r4, %r4, 10; st.global.u32 [%rd3], %r4;"),
            64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t < 40 ? 11 : 15);
    ptxrun_close(&r);
}

/* Thread t goes round (t & 3) + 1 times, a barrier in each; all meet behind. */
static void trips_round_a_loop_may_differ(void)
{
    struct ptxrun r;
    lenient(
        &r,
        SHARED KERNEL("and.b32 %r3, %r1, 3; mov.u32 %r4, 0;\n"
                      "L: bar.sync 0; add.u32 %r4, %r4, 1; setp.le.u32 %p1, %r4, %r3; @%p1 bra L;\n"
                      "st.global.u32 [%rd3], %r4;"),
        64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), (t & 3) + 1);
    ptxrun_close(&r);
}

/* Thread t takes the lock as the t-th of its warp or later, and meets the others behind. */
#define LOCK                                                                                 \
    ".global .u32 lock, count;\n" KERNEL("mov.u64 %rd5, lock; mov.u64 %rd6, count;\n"        \
                                         "L: atom.global.cas.b32 %r2, [%rd5], 0, 1;\n"       \
                                         "setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"            \
                                         "ld.global.u32 %r3, [%rd6]; add.u32 %r4, %r3, 1;\n" \
                                         "st.global.u32 [%rd6], %r4;\n"                      \
                                         "atom.global.exch.b32 %r5, [%rd5], 0;\n"            \
                                         "st.global.u32 [%rd3], %r3;\n"                      \
                                         "shfl.sync.bfly.b32 %r6, %r1, 3, 31, -1;\n"         \
                                         "bar.warp.sync -1; activemask.b32 %r7;\n"           \
                                         "vote.sync.ballot.b32 %r8, %p1, -1;\n"              \
                                         "st.global.u32 [%rd3+256], %r6;\n"                  \
                                         "st.global.u32 [%rd3+512], %r7;")

static void lanes_that_hold_a_lock_get_their_turn(void)
{
    struct ptxrun r;
    lenient(&r, HEADER LOCK, 64);
    bool taken[64] = {false};
    for (uint32_t t = 0; t < 64; t++) {
        const uint32_t turn = ptxrun_u32(&r, t);
        CU_ASSERT_FATAL(turn < 64 && !taken[turn]);
        taken[turn] = true;
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + t), t ^ 3);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 128 + t), UINT32_MAX); /* together again */
    }
    ptxrun_close(&r);
}

/* Without memory in the loop nobody can help: the loop runs to its end before what is behind it. */
static void loops_that_only_count_are_left_alone(void)
{
    struct ptxrun r;
    lenient(&r,
            HEADER KERNEL("mov.u32 %r2, 0; mul.lo.u32 %r4, %r1, 200;\n"
                          "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r4; @%p1 bra L;\n"
                          "activemask.b32 %r3; st.global.u32 [%rd3], %r3;"),
            32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), UINT32_MAX);
    ptxrun_close(&r);
}

SUITE("barriers in diverged code", T(halves_of_a_warp_wait_at_barriers_of_their_own),
      T(lanes_that_never_come_are_not_waited_for), T(trips_round_a_loop_may_differ),
      T(lanes_that_hold_a_lock_get_their_turn), T(loops_that_only_count_are_left_alone))
