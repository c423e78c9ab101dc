/* Which kernels can never end, and that those which may are not taken for such. */
#include "tests/func/ptxrun.h"

#define WAITS                                                                                    \
    "never ends: all threads that are left wait, as this one does here, for memory that nobody " \
    "is "                                                                                        \
    "left to write"
#define AT(line, what) "kernel k, test.ptx:" line ": " what ": CTA (0,0,0) thread (0,0,0): "

static void a_flag_that_nobody_sets_is_waited_for_in_vain(void)
{
    ptxrun_fails(HEADER KERNEL("L: ld.volatile.global.u32 %r2, [%rd1];\n"
                               "setp.eq.u32 %p1, %r2, 0; @%p1 bra L;"),
                 64, AT("10", "ld.volatile.global.u32") WAITS);
}

/* Registers change in each round, but nothing that the loop depends on. */
static void rounds_may_be_counted(void)
{
    ptxrun_fails(HEADER KERNEL("mov.u32 %r5, 0;\n"
                               "L: ld.volatile.global.u32 %r2, [%rd1]; add.u32 %r5, %r5, 1;\n"
                               "mul.lo.u32 %r6, %r5, 3; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n"
                               "st.global.u32 [%rd3], %r6;"),
                 32, AT("11", "ld.volatile.global.u32") WAITS);
}

static void a_lock_that_nobody_gives_back_is_tried_in_vain(void)
{
    ptxrun_fails(HEADER KERNEL("mov.u32 %r5, 1; st.global.u32 [%rd1], %r5;\n"
                               "L: atom.global.cas.b32 %r2, [%rd1], 0, 1;\n"
                               "setp.ne.u32 %p1, %r2, 0; @%p1 bra L;"),
                 1, AT("11", "atom.global.cas.b32") WAITS);
}

static void a_loop_that_does_nothing_is_named(void)
{
    ptxrun_fails(HEADER KERNEL("L: bra L;"), 32,
                 AT("10", "bra") "never ends: it goes round a loop that changes nothing");
}

/* The other warp waits at a barrier for the one that goes round. */
static void others_may_wait_at_a_barrier(void)
{
    ptxrun_fails(HEADER KERNEL("setp.ge.u32 %p2, %r1, 32; @%p2 bra B;\n"
                               "L: ld.volatile.global.u32 %r2, [%rd1];\n"
                               "setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n"
                               "B: bar.sync 0;"),
                 64, AT("11", "ld.volatile.global.u32") WAITS);
}

/* -- these end */

#define ROUNDS "200000" /* enough to be looked at */

static void a_loop_that_counts_its_rounds_ends(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("mov.u32 %r5, 0;\n"
                            "L: ld.volatile.global.u32 %r2, [%rd1]; add.u32 %r5, %r5, 1;\n"
                            "setp.lt.u32 %p1, %r5, " ROUNDS "; @%p1 bra L;\n"
                            "st.global.u32 [%rd3], %r5;"),
              32);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 31), 200000);
    ptxrun_close(&r);
}

static void a_loop_that_looks_at_the_clock_ends(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("mov.u64 %rd5, %clock64; add.s64 %rd5, %rd5, 500000;\n"
                            "L: mov.u64 %rd6, %clock64; setp.lt.s64 %p1, %rd6, %rd5;\n"
                            "@%p1 bra L;\n"
                            "mov.u32 %r2, 7; st.global.u32 [%rd3], %r2;"),
              32);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 31), 7);
    ptxrun_close(&r);
}

/* Warp 0 waits for the flag that warp 1 sets after long work; looking ahead leaves no trace. */
static void a_flag_that_comes_late_ends_the_wait(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.lt.u32 %p2, %r1, 32; mov.u32 %r5, 0; @%p2 bra L;\n"
                            "W: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, " ROUNDS ";\n"
                            "@%p1 bra W;\n"
                            "mov.u32 %r6, 1; st.volatile.global.u32 [%rd1+1024], %r6; bra E;\n"
                            "L: ld.volatile.global.u32 %r2, [%rd1+1024]; setp.eq.u32 %p1, %r2, 0;\n"
                            "@%p1 bra L;\n"
                            "E: atom.global.add.u32 %r7, [%rd1+2048], 1;"),
              64);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 512), 64);
    ptxrun_close(&r);
}

/* Lanes of one warp: the one that holds the lock has its turn, though the others could wait for
 * ever. Each holds it for long. */
static void lanes_that_take_turns_with_a_lock_end(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("L: atom.global.cas.b32 %r2, [%rd1], 0, 1;\n"
                            "setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"
                            "mov.u32 %r5, 0;\n"
                            "W: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 20000; @%p2 bra W;\n"
                            "ld.global.u32 %r6, [%rd1+1024]; add.u32 %r6, %r6, 1;\n"
                            "st.global.u32 [%rd1+1024], %r6;\n"
                            "atom.global.exch.b32 %r7, [%rd1], 0;"),
              32);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 256), 32);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 0);
    ptxrun_close(&r);
}

/* Who runs the launch may know of others that write: here they do when asked for the third time. */
struct helper {
    struct ptxrun *r;
    int asked;
};
static bool write_at_third(void *user, bool stuck)
{
    struct helper *h = user;
    const uint32_t one = 1;
    if (stuck && ++h->asked == 3)
        devmem_write(h->r->mem, h->r->out, &one, 4);
    return true;
}

static void others_may_write_what_a_kernel_waits_for(void)
{
    struct ptxrun r;
    struct helper h = {.r = &r};
    ptxrun_open(&r,
                HEADER KERNEL("L: ld.volatile.global.u32 %r2, [%rd1];\n"
                              "setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n"
                              "st.global.u32 [%rd3+64], %r2;"),
                64, 8192);
    r.l.others = write_at_third;
    r.l.others_user = &h;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    CU_ASSERT_EQUAL(h.asked, 3);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 16), 1);
    ptxrun_close(&r);
}

SUITE("kernels that never end", T(a_flag_that_nobody_sets_is_waited_for_in_vain),
      T(rounds_may_be_counted), T(a_lock_that_nobody_gives_back_is_tried_in_vain),
      T(a_loop_that_does_nothing_is_named), T(others_may_wait_at_a_barrier),
      T(a_loop_that_counts_its_rounds_ends), T(a_loop_that_looks_at_the_clock_ends),
      T(a_flag_that_comes_late_ends_the_wait), T(lanes_that_take_turns_with_a_lock_end),
      T(others_may_write_what_a_kernel_waits_for))
