/* Barriers: whole CTA, named with counts, reductions, exits, and every way to get them wrong. */
#include "tests/func/ptxrun.h"

/* Each thread writes its number, waits, reads its mirror image's. */
static void threads_see_what_was_written_before_the_barrier(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER ".shared .align 4 .b8 s[1024];\n" KERNEL(
                  "mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;\n"
                  "st.shared.u32 [%r4], %r1; bar.sync 0;\n"
                  "mov.u32 %r5, 255; sub.u32 %r5, %r5, %r1; shl.b32 %r5, %r5, 2;\n"
                  "add.u32 %r5, %r5, %r2; ld.shared.u32 %r6, [%r5]; barrier.sync 0;\n"
                  "st.global.u32 [%rd3], %r6;"),
              256);
    for (uint32_t i = 0; i < 256; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 255 - i);
    ptxrun_close(&r);
}

static void exited_warps_count_as_arrived(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.ge.u32 %p1, %r1, 64; @%p1 exit;\n"
                            "st.global.u32 [%rd3], 1; bar.sync 0; bar.sync 3;\n"
                            "ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd3], %r2;"),
              128);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 63), 1);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 64), 0);
    ptxrun_close(&r);
}

/* A warp whose first lanes have exited still synchronises with the rest. */
static void exited_lanes_do_not_divide_a_warp(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.lt.u32 %p1, %r1, 5; @%p1 exit; bar.sync 0;\n"
                            "st.global.u32 [%rd3], 1;"),
              64);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 4), 0);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 5), 1);
    ptxrun_close(&r);
}

/* Warps 0 and 1 meet at barrier 1, warp 2 produces for warp 3 through barrier 2. */
static void named_barriers_count_their_threads(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("shr.u32 %r2, %r1, 5; mov.u32 %r9, 64;\n"
                            "setp.ge.u32 %p1, %r2, 2; @%p1 bra X; mov.u32 %r3, 1;\n"
                            "bar.sync %r3, %r9; st.global.u32 [%rd3], 11; bra.uni E;\n"
                            "X: setp.eq.u32 %p2, %r2, 3; @%p2 bra Y;\n"
                            "st.global.u32 [%rd1+1024], 42; bar.arrive 2, 64; bra.uni E;\n"
                            "Y: barrier.sync 2, 64; ld.global.u32 %r4, [%rd1+1024];\n"
                            "st.global.u32 [%rd3], %r4;\n"
                            "E:"),
              128);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 11);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 63), 11);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 96), 42);
    ptxrun_close(&r);
}

static void reductions_reach_every_thread(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.ge.u32 %p1, %r1, 3; setp.lt.u32 %p2, %r1, 200; setp.eq.u32 %p3, "
                            "%r1, 77;\n"
                            "bar.red.popc.u32 %r2, 0, %p1;\n"
                            "bar.red.and.pred %p4, 0, %p2; bar.red.and.pred %p5, 1, %p1;\n"
                            "bar.red.or.pred %p6, 0, %p3; bar.red.or.pred %p7, 0, !%p2;\n"
                            "selp.u32 %r3, 1, 0, %p4; selp.u32 %r4, 2, 0, %p5;\n"
                            "selp.u32 %r5, 4, 0, %p6; selp.u32 %r6, 8, 0, %p7;\n"
                            "or.b32 %r3, %r3, %r4; or.b32 %r3, %r3, %r5; or.b32 %r3, %r3, %r6;\n"
                            "shl.b32 %r2, %r2, 8; or.b32 %r3, %r3, %r2;\n"
                            "st.global.u32 [%rd3], %r3;"),
              100);
    for (uint32_t i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 97 << 8 | 1 | 4);
    ptxrun_close(&r);
}

/* The end of the CTA leaves before the barrier, in the middle of a warp. */
static void threads_that_only_leave_hold_no_barrier_up(void)
{
    static const char *const leave[] = {"bra E", "ret", "exit"};
    for (int i = 0; i < 3; i++) {
        char text[4096], body[1024];
        snprintf(body, sizeof body,
                 "setp.ge.u32 %%p1, %%r1, 70; @%%p1 %s;\n"
                 "mul.lo.u32 %%r2, %%r1, 4; mov.u32 %%r3, s; add.u32 %%r3, %%r3, %%r2;\n"
                 "st.shared.u32 [%%r3], %%r1; setp.lt.u32 %%p2, %%r1, 66; @%%p2 bra L;\n"
                 "add.u32 %%r4, %%r1, 0;\nL: barrier.sync 0;\n"
                 "sub.u32 %%r2, 276, %%r2; mov.u32 %%r3, s; add.u32 %%r3, %%r3, %%r2;\n"
                 "ld.shared.u32 %%r4, [%%r3]; barrier.sync 0; st.global.u32 [%%rd3], %%r4; E:",
                 leave[i]);
        snprintf(text, sizeof text, "%s.shared .align 4 .b8 s[280];\n%s", HEADER, KERNEL_HEAD);
        strcat(strcat(text, body), KERNEL_TAIL);
        struct ptxrun r;
        ptxrun_ok(&r, text, 100);
        for (uint32_t t = 0; t < 100; t++)
            CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t < 70 ? 69 - t : 0);
        ptxrun_close(&r);
    }
}

static void a_divided_warp_of_threads_in_step_is_a_fault(void)
{
    ptxrun_fails(HEADER_IN_STEP KERNEL("setp.lt.u32 %p1, %r1, 40; @!%p1 bra E;\n"
                                       "bar.sync 0;\n"
                                       "E: add.u32 %r1, %r1, 1;"),
                 64,
                 "kernel k, test.ptx:11: bar.sync: CTA (0,0,0) thread (32,0,0): divergent barrier: "
                 "only 8 of the warp's 32 running threads reach it together");
    ptxrun_fails(HEADER_IN_STEP KERNEL("setp.lt.u32 %p1, %r1, 16; @!%p1 bra E; bar.sync 0; E:"), 32,
                 "kernel k, test.ptx:10: bar.sync: CTA (0,0,0) thread (0,0,0): divergent barrier: "
                 "only 16 of the warp's 32 running threads reach it together");
    ptxrun_fails(HEADER_IN_STEP KERNEL("setp.lt.u32 %p1, %r1, 4; @%p1 bar.sync 0;"), 32,
                 "kernel k, test.ptx:10: bar.sync: CTA (0,0,0) thread (0,0,0): divergent barrier: "
                 "only 4 of the warp's 32 running threads reach it together");
}

static void a_barrier_that_cannot_complete_is_a_fault(void)
{
    ptxrun_fails(HEADER KERNEL("setp.ge.u32 %p1, %r1, 32; @%p1 bra X; bar.sync 1; bra.uni E;\n"
                               "X: bar.sync 2;\n"
                               "E: add.u32 %r1, %r1, 1;"),
                 96,
                 "kernel k, test.ptx:10: bar.sync: CTA (0,0,0) thread (0,0,0): waits for ever at "
                 "barrier 1: 32 of 96 threads have arrived, and no warp of the CTA can go on");
    ptxrun_fails(HEADER KERNEL("bar.sync 4, 128;"), 64,
                 "kernel k, test.ptx:10: bar.sync: CTA (0,0,0) thread (0,0,0): waits for ever at "
                 "barrier 4: 64 of 128 threads have arrived, and no warp of the CTA can go on");
}

static void barriers_that_do_not_exist_are_faults(void)
{
    ptxrun_fails(HEADER KERNEL("mov.u32 %r2, 16; bar.sync %r2;"), 32,
                 "kernel k, test.ptx:10: bar.sync: CTA (0,0,0) thread (0,0,0): barrier 16 does not "
                 "exist, only 0..15 do");
    ptxrun_fails(HEADER KERNEL("and.b32 %r2, %r1, 1; bar.sync %r2;"), 32,
                 "kernel k, test.ptx:10: bar.sync: CTA (0,0,0) thread (1,0,0): lanes of the warp "
                 "name different barriers or thread counts");
}

SUITE("barriers", T(threads_see_what_was_written_before_the_barrier),
      T(exited_warps_count_as_arrived), T(exited_lanes_do_not_divide_a_warp),
      T(named_barriers_count_their_threads), T(reductions_reach_every_thread),
      T(threads_that_only_leave_hold_no_barrier_up),
      T(a_divided_warp_of_threads_in_step_is_a_fault), T(a_barrier_that_cannot_complete_is_a_fault),
      T(barriers_that_do_not_exist_are_faults))
