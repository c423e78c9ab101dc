/* Pilots of launches whose CTAs wait for earlier ones, as in a scan that looks back. */
#include "tests/sampler/pilot_rig.h"

#include <math.h>

/* Each adds 10 times `own` in a chain, waits for the one before it, and adds 10 times `hop` more.
 */
static void look_back(struct rig *x, int own, int hop, int ctas)
{
    char text[2400], body[1600];
    snprintf(body, sizeof body,
             "mov.u32 %%r2, %%ctaid.x; mul.wide.u32 %%rd5, %%r2, 4; add.u64 %%rd5, %%rd1, %%rd5;\n"
             "mov.u32 %%r4, 0;\n"
             "OWN: add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1;\n"
             "add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1;\n"
             "add.u32 %%r3, %%r3, 1; add.u32 %%r4, %%r4, 1; setp.lt.u32 %%p1, %%r4, %d;\n"
             "@%%p1 bra OWN; setp.eq.u32 %%p2, %%r2, 0; @%%p2 bra FIRST;\n"
             "WAIT: ld.volatile.global.u32 %%r5, [%%rd5+1048572]; setp.eq.u32 %%p3, %%r5, 0;\n"
             "@%%p3 bra WAIT;\nFIRST: mov.u32 %%r4, 0;\n"
             "HOP: add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1;\n"
             "add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1; add.u32 %%r3, %%r3, 1;\n"
             "add.u32 %%r3, %%r3, 1; add.u32 %%r4, %%r4, 1; setp.lt.u32 %%p1, %%r4, %d;\n"
             "@%%p1 bra HOP; add.u32 %%r3, %%r3, 1; st.volatile.global.u32 [%%rd5+1048576], %%r3;",
             own, hop);
    KERNEL_TEXT(text, body);
    rig_open(x, "yen2014", text, 32, ctas);
    x->pilot.whole = false;
    x->pilot.work = (double)x->pilot.launch_insts;
    x->pilot.most_part = INFINITY;
}

static double found_hop(struct rig *x)
{
    struct pilot_result p;
    struct err e;
    double hop;
    x->pilot.cores = 5;
    CU_ASSERT_TRUE_FATAL(pilot_hop(&x->pilot, &x->r.l, &hop, &p, &e));
    CU_ASSERT_TRUE(p.warp_insts > 0 && p.warp_insts < 2 * x->pilot.launch_insts * 15 / 120);
    return hop;
}

/* One takes some thousand cycles in front of the place where it waits, and from there to the next
 * one's twice 10 * hop instructions of 18 cycles each and a look at memory, or hardly any. */
static void the_hop_is_how_much_later_the_next_one_ends(void)
{
    struct rig x;
    look_back(&x, 300, 1, 120);
    const double least = found_hop(&x);
    ptxrun_close(&x.r);
    look_back(&x, 300, 51, 120);
    const double more = found_hop(&x);
    ptxrun_close(&x.r);
    look_back(&x, 30, 101, 120);
    const double most = found_hop(&x);
    ptxrun_close(&x.r);
    CU_ASSERT_TRUE(least > 100 && least < 3000);
    CU_ASSERT_TRUE(more > least + 3000);
    CU_ASSERT_DOUBLE_EQUAL((most - more) / (more - least), 1, 0.1);
}

/* Bound by work, by the chain, and by both. */
static void the_first_ctas_tell_of_a_chain(void)
{
    static const struct {
        int own, hop, n;
    } of[] = {{1000, 1, 2}, {10, 40, 8}, {300, 10, 8}, {300, 10, 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct rig x;
        look_back(&x, of[i].own, of[i].hop, 120);
        const double all = (double)whole_stats(&x.cfg, &x.r.l, of[i].n).cycles;
        x.pilot.in_order = x.pilot.by_completed = true;
        x.pilot.hop = found_hop(&x);
        const struct pilot_result p = pilot(&x, 5, of[i].n);
        CU_ASSERT_EQUAL(p.share, 40);
        CU_ASSERT_TRUE(p.ctas <= 40);
        CU_ASSERT_DOUBLE_EQUAL(p.part / (double)p.ctas, 1.0 / 120, 0.002);
        CU_ASSERT_DOUBLE_EQUAL(p.cycles / all, 1, 0.15);
        ptxrun_close(&x.r);
    }
}

/* CTA 0 waits for nobody, the others for the one behind them. */
static void first_ctas_that_wait_for_later_ones_say_nothing(void)
{
    static const char ahead[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5;\n"
        "setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r2, 59; or.pred %p1, %p1, %p2; @%p1 bra TELL;\n"
        "WAIT: ld.volatile.global.u32 %r5, [%rd5+1048580]; setp.eq.u32 %p3, %r5, 0; @%p3 bra "
        "WAIT;\n"
        "TELL: add.u32 %r3, %r2, 1; st.volatile.global.u32 [%rd5+1048576], %r3;");
    struct rig x;
    rig_open(&x, "yen2014", ahead, 32, 60);
    x.pilot.work = (double)x.pilot.launch_insts;
    x.pilot.in_order = x.pilot.by_completed = true;
    x.pilot.whole = false;
    const struct pilot_result p = pilot(&x, 5, 4);
    CU_ASSERT_TRUE(p.waits && p.stopped && !p.never_ends && p.cycles <= 0);
    ptxrun_close(&x.r);
}

/* Where CTAs are asked, too, it waits for nine of ten of them, but not for ever. */
static void it_stops_at_its_part_in_any_case(void)
{
    static const double end_part[] = {0, 0.6};
    double part[2];
    for (int i = 0; i < 2; i++) {
        struct rig x;
        look_back(&x, 1000, 1, 120);
        x.pilot.most_part = 0.5;
        x.pilot.end_part = end_part[i];
        x.pilot.by_completed = true;
        const struct pilot_result p = pilot(&x, 15, 8); /* all run at once, and end at once */
        part[i] = (double)p.warp_insts / (double)x.pilot.launch_insts;
        CU_ASSERT_TRUE(p.cycles > 0);
        ptxrun_close(&x.r);
    }
    CU_ASSERT_TRUE(part[0] > 0.9);
    CU_ASSERT_DOUBLE_EQUAL(part[1], 0.6, 0.05);
}

SUITE("pilots of chains", T(the_hop_is_how_much_later_the_next_one_ends),
      T(the_first_ctas_tell_of_a_chain), T(first_ctas_that_wait_for_later_ones_say_nothing),
      T(it_stops_at_its_part_in_any_case))
