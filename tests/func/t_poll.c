/* Loops that only wait for what other CTAs write. */
#include "sim/func/poll.h"

#include "tests/func/ptxrun.h"

/* Whether the loop from L to its branch only waits; instructions outside of it never do. */
static bool only_waits(const char *loop)
{
    char body[600], text[2000];
    struct ptxrun r;
    snprintf(body, sizeof body,
             ".shared .u32 mine; mov.u32 %%r9, 1; L: %s @%%p1 bra L; st.global.u32 [%%rd3], %%r9;",
             loop);
    KERNEL_TEXT(text, body);
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&r, text, 1, 256));
    CU_ASSERT_TRUE_FATAL(launch_init(&r.l, &r.err));
    const struct kernel *k = r.l.kernel;
    uint32_t first = 0, last = k->ninst;
    while (k->inst[--last].op != OP_BRA)
        ;
    first = k->inst[last].target;
    for (uint32_t i = 0; i < k->ninst; i++)
        CU_ASSERT_EQUAL(k->inst[i].polls, k->inst[last].polls && i >= first && i <= last);
    const bool polls = k->inst[last].polls;
    ptxrun_close(&r);
    return polls;
}

#define FLAG "ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0;"

static void a_loop_that_looks_past_l1d_and_does_no_more_waits(void)
{
    CU_ASSERT_TRUE(only_waits(FLAG));
    CU_ASSERT_TRUE(only_waits("ld.acquire.gpu.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0;"));
    CU_ASSERT_TRUE(only_waits("ld.relaxed.gpu.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0;"));
    CU_ASSERT_TRUE(
        only_waits("atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p1, %r2, 0;")); /* lock */
}

static void a_loop_that_does_more_works(void)
{
    CU_ASSERT_FALSE(only_waits("add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 9;"));
    CU_ASSERT_FALSE(only_waits("ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0;"));
    CU_ASSERT_FALSE(only_waits(FLAG "st.global.u32 [%rd3], %r2;"));
    CU_ASSERT_FALSE(only_waits(FLAG "red.global.add.u32 [%rd3], 1;"));
    CU_ASSERT_FALSE(only_waits(FLAG "ld.global.u32 %r3, [%rd2]; add.u32 %r9, %r9, %r3;"));
    CU_ASSERT_FALSE(only_waits(FLAG "add.u64 %rd1, %rd1, 4;")); /* all of an array */
    CU_ASSERT_FALSE(only_waits("atom.global.add.u32 %r2, [%rd1], 1; setp.lt.u32 %p1, %r2, 9;"));
    CU_ASSERT_FALSE(only_waits("ld.volatile.shared.u32 %r2, [mine]; setp.eq.u32 %p1, %r2, 0;"));
}

#define HAND_ON FLAG "selp.u32 %r4, 1, 0, %p1; st.shared.u32 [mine], %r4; bar.sync 0;"

/* Its CTA waits with it, and hears of it. */
static void one_thread_may_look_for_all(void)
{
    CU_ASSERT_TRUE(only_waits(FLAG "bar.sync 0;"));
    CU_ASSERT_TRUE(
        only_waits("bar.sync 0;" HAND_ON "ld.shared.u32 %r3, [mine]; setp.ne.u32 %p1, %r3, 0;"));
    CU_ASSERT_TRUE(only_waits(FLAG "bar.red.or.pred %p1, 0, %p1;"));
    /* These remember something. */
    CU_ASSERT_FALSE(only_waits(FLAG "bar.sync 0; add.u32 %r9, %r9, 1;"));
    CU_ASSERT_FALSE(only_waits(FLAG "bar.sync 0; @%p1 add.u32 %r9, %r9, %r2;"));
    CU_ASSERT_FALSE(only_waits("ld.shared.u32 %r3, [mine]; add.u32 %r4, %r3, 1;"
                               "st.shared.u32 [mine], %r4;" FLAG));
    /* These may work: an item that is drawn, and a loop. */
    CU_ASSERT_FALSE(
        only_waits("atom.global.cas.b32 %r2, [%rd1], 0, 1; bar.sync 0; setp.ne.u32 %p1, %r2, 0;"));
    CU_ASSERT_FALSE(only_waits(FLAG "bar.sync 0; M: mul.lo.u32 %r3, %r2, 3;"
                                    "setp.lt.u32 %p2, %r3, 9; @%p2 bra M;"));
    /* And these share more than a word. */
    CU_ASSERT_FALSE(only_waits(HAND_ON "ld.shared.u32 %r3, [mine+4]; setp.ne.u32 %p1, %r3, 0;"));
    CU_ASSERT_FALSE(only_waits(HAND_ON "atom.shared.add.u32 %r3, [mine], 1;"));
}

/* CTA 0 waits for CTA 1; how long it does is no work. */
static void what_waits_is_counted_apart(void)
{
    struct ptxrun r;
    CU_ASSERT_TRUE_FATAL(ptxrun_open(
        &r,
        HEADER KERNEL("mov.u32 %r3, %ctaid.x; setp.ne.u32 %p2, %r3, 0; @%p2 bra TELL;\n"
                      "W: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0;\n"
                      "@%p1 bra W; bra.uni END;\n"
                      "TELL: st.volatile.global.u32 [%rd1], 1;\nEND:"),
        1, 256));
    r.l.grid[0] = 2;
    r.opts.resident = 2;
    CU_ASSERT_TRUE_FATAL(ptxrun_go(&r));
    CU_ASSERT_EQUAL(r.counts.waits, 1);
    CU_ASSERT_TRUE(r.counts.polls >= 3 && r.counts.polls % 3 == 0);
    CU_ASSERT_TRUE(r.counts.polls <= 3 * 200); /* it gives way soon */
    /* Head (5), 3, and: a jump and the end; a store and the end. */
    CU_ASSERT_EQUAL(r.counts.warp_insts - r.counts.polls, 2 * (5 + 3) + 2 + 2);
    ptxrun_close(&r);
}

/* Where a round of a wait begins: of loops within each other at the outermost. */
static void a_wait_begins_once(void)
{
    struct ptxrun r;
    int begins = 0, loops = 0;
    CU_ASSERT_TRUE_FATAL(
        ptxrun_open(&r,
                    HEADER KERNEL("OUT: ld.volatile.global.u32 %r3, [%rd2];\n"
                                  "L: " FLAG "@%p1 bra L; setp.eq.u32 %p2, %r3, 0; @%p2 bra OUT;\n"
                                  "M: " FLAG "@%p1 bra M;"),
                    1, 256));
    CU_ASSERT_TRUE_FATAL(launch_init(&r.l, &r.err));
    const struct kernel *k = r.l.kernel;
    for (uint32_t i = 0; i < k->ninst; i++) {
        const struct inst *in = &k->inst[i];
        begins += in->polls_first;
        loops += in->op == OP_BRA;
        CU_ASSERT_TRUE(in->polls || !in->polls_first);
        if (in->polls_first) /* OUT and M */
            CU_ASSERT_TRUE(in->flags & INST_LOAD && (i == 5 || i == 5 + 6));
    }
    CU_ASSERT_EQUAL(loops, 3);
    CU_ASSERT_EQUAL(begins, 2);
    ptxrun_close(&r);
}

SUITE("loops that only wait", T(a_wait_begins_once),
      T(a_loop_that_looks_past_l1d_and_does_no_more_waits), T(a_loop_that_does_more_works),
      T(one_thread_may_look_for_all), T(what_waits_is_counted_apart))
