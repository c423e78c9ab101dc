/* Launches whose CTAs wait for each other: all of them are simulated, or a part of their work. */
#include "model/estimate.h"
#include "sampler/representative.h"
#include "tests/sampler/launch_rig.h"

/* Each CTA waits until all have come: 60 on 15 cores. */
static const char meet[] =
    HEADER KERNEL("setp.ne.u32 %p1, %r1, 0; @%p1 bra M; atom.global.add.u32 %r2, [%rd1], 1;\n"
                  "W: ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p2, %r3, 60; @%p2 bra W;\n"
                  "M: bar.sync 0;");

static bool searched(struct rig *x, int jobs)
{
    x->o.effort = EFFORT_THOROUGH;
    x->o.jobs = jobs;
    begin_sample(x);
    return sample_waiting(&x->cfg, &x->o, &x->facts, &x->r.l, &x->d, &x->cost, &x->e);
}

/* What a launch executes counts as it was simulated: who waits longer executes more. */
static void ctas_that_wait_are_simulated_at_every_degree(void)
{
    struct rig x;
    rig_with(&x, meet, NULL, 60);
    struct rig y = x;
    CU_ASSERT_TRUE_FATAL(searched(&x, 1));
    CU_ASSERT_TRUE(sample_searched(&x.d));
    CU_ASSERT_EQUAL(sample_least(&x.d), 4);
    for (int n = 1; n <= 4; n++) { /* a core gets no more */
        CU_ASSERT_EQUAL(x.d.pilot_cycles[n - 1], x.d.pilot_cycles[3]);
        CU_ASSERT_EQUAL(x.d.pilot_insts[n - 1] > 0, n == 4);
    }
    CU_ASSERT_EQUAL(x.d.pilot_cycles[4], 0);
    CU_ASSERT_EQUAL(x.d.launch_warp_insts, x.d.pilot_insts[3]);
    CU_ASSERT_EQUAL(x.d.total_warp_insts, x.d.launch_warp_insts);
    CU_ASSERT_EQUAL(x.d.total_thread_insts, x.d.launch_thread_insts);
    CU_ASSERT_TRUE(x.cost.pilot_warp_insts > x.d.pilot_insts[3]); /* what never ended costs, too */
    CU_ASSERT_TRUE_FATAL(searched(&y, 3));
    CU_ASSERT_EQUAL(memcmp(x.d.pilot_cycles, y.d.pilot_cycles, sizeof x.d.pilot_cycles), 0);
    ptxrun_close(&x.r);
    rig_open(&x, NULL, 450);
    CU_ASSERT_FALSE(sample_waits(&x.o, &x.facts, &x.r.l, &x.cost));
    ptxrun_close(&x.r);
}

/* Each takes a number, and `rounds` times reads, adds `work` times and waits for the one before it.
 */
static void waiting(struct rig *x, int ctas, int rounds, int work)
{
    char text[2400], body[1600];
    snprintf(body, sizeof body,
             ".shared .u32 mine; mov.u32 %%r9, 0;\n"
             "setp.ne.u32 %%p1, %%r1, 0; @%%p1 bra GO; atom.global.add.u32 %%r2, [%%rd1], 1;\n"
             "st.shared.u32 [mine], %%r2;\nGO: bar.sync 0; ld.shared.u32 %%r2, [mine];\n"
             "mad.lo.u32 %%r3, %%r2, 64, %%r1; mul.wide.u32 %%rd5, %%r3, 4;\n"
             "add.u64 %%rd5, %%rd1, %%rd5; mul.wide.u32 %%rd6, %%r2, 4;\n"
             "add.u64 %%rd6, %%rd6, %%rd1;\n"
             "NEXT: ld.global.u32 %%r4, [%%rd5+2097152]; add.u32 %%r4, %%r4, %%r4;\n"
             "mov.u32 %%r6, 0; ADD: add.u32 %%r6, %%r6, 1; setp.lt.u32 %%p4, %%r6, %d;\n"
             "@%%p4 bra ADD;\n"
             "st.global.u32 [%%rd5+2097152], %%r4; add.u32 %%r9, %%r9, 1;\n"
             "@%%p1 bra MET; setp.eq.u32 %%p2, %%r2, 0; @%%p2 bra TELL;\n"
             "WAIT: ld.volatile.global.u32 %%r5, [%%rd6+1048572]; setp.lt.u32 %%p3, %%r5, %%r9;\n"
             "@%%p3 bra WAIT;\nTELL: st.volatile.global.u32 [%%rd6+1048576], %%r9;\n"
             "MET: bar.sync 0; setp.lt.u32 %%p4, %%r9, %d; @%%p4 bra NEXT;",
             work, rounds);
    KERNEL_TEXT(text, body);
    rig_with(x, text, NULL, ctas);
    begin_sample(x);
    x->o.program_insts = 1e9;
    x->o.pilots.budget_two = 2; /* a second one, however long */
}

/* A part of its work at some degrees tells what it takes at these. */
static void ctas_that_wait_are_simulated_in_part(void)
{
    static const struct {
        int ctas, rounds, work;
        bool in_order;
    } of[] = {{1500, 1, 1, false}, {30, 100, 1, false}, {100, 1, 500, true}};
    /* many waves; one, of CTAs that wait again and again; two, of others: the first ones alone */
    for (int i = SANITIZED; i < 3; i++) {
        struct rig x, y;
        double insts;
        waiting(&x, of[i].ctas, of[i].rounds, of[i].work);
        waiting(&y, of[i].ctas, of[i].rounds, of[i].work);
        CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
        CU_ASSERT_TRUE(sample_searched(&x.d) && !sample_whole(&x.d));
        CU_ASSERT_TRUE(pilots(&x.d, &insts) >= 2);
        CU_ASSERT_TRUE(insts < x.d.launch_warp_insts);
        CU_ASSERT_EQUAL(x.facts.in_order, of[i].in_order);
        CU_ASSERT_EQUAL(x.facts.in_order, x.facts.hop > 0);
        const double hop = (double)x.cost.pilot_warp_insts - insts; /* found with 15 CTAs */
        CU_ASSERT_TRUE(of[i].in_order ? hop > 0 && hop < 0.3 * x.d.launch_warp_insts : hop == 0);
        y.o.effort = EFFORT_THOROUGH;
        CU_ASSERT_TRUE_FATAL(sample_waiting(&y.cfg, &y.o, &y.facts, &y.r.l, &y.d, &y.cost, &y.e));
        CU_ASSERT_TRUE(sample_whole(&y.d));
        for (int n = 1; n <= 8; n++)
            if (x.d.pilot_cycles[n - 1] > 0)
                CU_ASSERT_DOUBLE_EQUAL(x.d.pilot_cycles[n - 1] / y.d.pilot_cycles[n - 1], 1,
                                       of[i].in_order ? 0.25 : 0.15);
        CU_ASSERT_DOUBLE_EQUAL(x.d.launch_thread_insts / y.d.launch_thread_insts, 1, 0.1);
        if (!of[i].in_order) /* who waits in a shorter chain asks less often, with one lane */
            CU_ASSERT_DOUBLE_EQUAL(x.d.launch_warp_insts / y.d.launch_warp_insts, 1, 0.25);
        char *text = representative_text(&x.r.l, &x.facts, &x.d, true);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "are simulated at some degrees"));
        CU_ASSERT_EQUAL(strstr(text, "on a part of the GPU") != NULL, of[i].in_order);
        free(text);
        const struct sample before = x.d; /* another pilot, later */
        struct pilot_rest rest = {.insts = 1e9, .cycles = 1e12};
        x.o.rest = &rest;
        x.o.pilots.worth = 0;
        CU_ASSERT_TRUE(sample_more(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
        const int more = pilots(&before, &insts) < sample_degrees(&x.d);
        CU_ASSERT_EQUAL(pilots(&x.d, &insts), pilots(&before, &insts) + more);
        ptxrun_close(&x.r);
        ptxrun_close(&y.r);
    }
}

/* Nothing is simulated but one CTA, as it runs among the others: what it does, not how long it
 * waits.
 */
static void a_window_has_one_of_them_and_leaves_out_waiting(void)
{
    double insts;
    struct rig x;
    rig_with(&x, meet, NULL, 60);
    x.o.effort = EFFORT_WINDOW;
    begin_sample(&x);
    CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_FALSE(sample_searched(&x.d));
    CU_ASSERT_TRUE(sample_leaves_out_waiting(&x.d));
    CU_ASSERT_EQUAL(sample_least(&x.d), 4);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 0);
    CU_ASSERT_EQUAL(x.cost.pilot_warp_insts, 0);
    CU_ASSERT_EQUAL(x.cost.warp_insts, x.d.window_insts);
    /* Head, branch, atomic, a look before and one after the other path's turn, both paths' barrier,
     * the end; the other warp does not wait. */
    CU_ASSERT_EQUAL(x.d.warp_insts, (5 + 2 + 1 + 2 * 3 + 2 + 1) + (5 + 2 + 1 + 1));
    CU_ASSERT_TRUE(x.d.cta_cycles > 0 && x.d.l1d_misses_at[0] >= 0);
    CU_ASSERT_DOUBLE_EQUAL(x.d.launch_warp_insts, 60 * x.d.warp_insts, 60); /* they are alike */
    CU_ASSERT_DOUBLE_EQUAL(x.d.launch_thread_insts, 60 * x.d.thread_insts, 60);
    CU_ASSERT_TRUE(x.d.launch_warp_insts < (double)x.facts.warp_insts);
    CU_ASSERT_EQUAL(x.d.longest_cta, 1); /* who waits for longest executes most */
    CU_ASSERT_EQUAL(x.d.launch_warp_insts, x.d.total_warp_insts);
    struct prediction part, all;
    posterior_free(estimate(&hilly, &x.o.pilots, &x.d, 1, &part, &all));
    CU_ASSERT_TRUE(all.least == 4 && all.chosen_n >= 4); /* its best would be 3 */
    CU_ASSERT_STRING_EQUAL(all.bound[3], "never ends");
    CU_ASSERT_TRUE(all.deviation[8] >=
                   x.o.pilots.unknown_error); /* nobody knows how far off it is */
    char *text = representative_text(&x.r.l, &x.facts, &x.d, true);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "a window has one as it runs among the others"));
    free(text);
    ptxrun_close(&x.r);
    /* As that of the same kernel whose CTAs find what they wait for. */
    struct rig waits, finds;
    waiting(&waits, 100, 1, 500);
    waits.o.effort = EFFORT_WINDOW;
    CU_ASSERT_TRUE_FATAL(sample_waiting(&waits.cfg, &waits.o, &waits.facts, &waits.r.l, &waits.d,
                                        &waits.cost, &waits.e));
    CU_ASSERT_EQUAL(sample_least(&waits.d), 1);
    waiting(&finds, 100, 1, 500);
    static const uint32_t told[100] = {[0 ... 99] = 1};
    devmem_write(finds.r.mem, finds.r.out + (1 << 20), told, sizeof told);
    finds.o.effort = EFFORT_WINDOW;
    CU_ASSERT_TRUE_FATAL(take(&finds));
    CU_ASSERT_FALSE(sample_leaves_out_waiting(&finds.d));
    CU_ASSERT_EQUAL(waits.d.warp_insts, finds.d.warp_insts + 3); /* a look more, likewise */
    CU_ASSERT_DOUBLE_EQUAL(waits.d.cta_cycles, finds.d.cta_cycles, 0.03 * finds.d.cta_cycles);
    CU_ASSERT_EQUAL(waits.d.load_lines, finds.d.load_lines);
    ptxrun_close(&waits.r);
    ptxrun_close(&finds.r);
}

/* Of a chain with one CTA that is far longer than the others the first ones do not tell, nor of one
 * in which each has several places, taken by numbers; and a short one is not worth it. */
static void a_chain_of_unlike_ctas_is_simulated_whole(void)
{
    struct rig x;
    waiting(&x, 100, 5, 100);
    CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_FALSE(x.facts.in_order);
    ptxrun_close(&x.r);
    waiting(&x, 100, 1, 500);
    x.facts.most_insts = 10 * x.facts.warp_insts / 100;
    CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_FALSE(x.facts.in_order);
    ptxrun_close(&x.r);
    waiting(&x, 100, 1, 100);
    CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_FALSE(x.facts.in_order);
    ptxrun_close(&x.r);
}

/* CTA 0 waits for nobody, CTA 1 for the last one: the first ones alone would never end. */
static void who_waits_for_later_ones_is_simulated_with_them(void)
{
    static const char ahead[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; mov.u32 %r4, 0;\n"
        "L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 100; @%p1 bra L;\n"
        "setp.eq.u32 %p2, %r2, 89; @%p2 bra LAST; setp.ne.u32 %p1, %r2, 1; @%p1 bra END;\n"
        "W: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W; bra.uni END;\n"
        "LAST: mov.u32 %r5, 1; st.volatile.global.u32 [%rd1], %r5;\nEND:");
    struct rig x;
    rig_with(&x, ahead, NULL, 90);
    begin_sample(&x);
    x.o.program_insts = 1e9;
    CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_FALSE(x.facts.in_order);
    CU_ASSERT_TRUE(x.d.pilot_cycles[5] > 0);
    ptxrun_close(&x.r);
}

/* Twice each thread adds `work` times, and its CTA waits until all have. */
static void meeting(struct rig *x, int ctas, int work)
{
    char text[2400], body[1600];
    snprintf(body, sizeof body,
             "mov.u32 %%r9, 0; setp.ne.u32 %%p1, %%r1, 0;\n"
             "NEXT: add.u32 %%r9, %%r9, %d; mov.u32 %%r6, 0;\n"
             "ADD: add.u32 %%r6, %%r6, 1; setp.lt.u32 %%p4, %%r6, %d; @%%p4 bra ADD;\n"
             "@%%p1 bra M; red.global.add.u32 [%%rd1], 1;\n"
             "W: ld.volatile.global.u32 %%r3, [%%rd1]; setp.lt.u32 %%p2, %%r3, %%r9; @%%p2 bra W;\n"
             "M: bar.sync 0; setp.lt.u32 %%p3, %%r9, %d; @%%p3 bra NEXT;",
             ctas, work, 2 * ctas);
    KERNEL_TEXT(text, body);
    rig_with(x, text, NULL, ctas);
    begin_sample(x);
    x->o.program_insts = 1e9;
}

/* Behind the work there is no chain: no CTA's end is waited for, though all end together. All
 * have to be there: nothing is to be chosen, and half of the work will do. */
static void ctas_that_meet_are_simulated_in_part(void)
{
    static const int ctas[] = {60, 15};
    for (int i = SANITIZED; i < 2; i++) {
        struct rig x, y;
        meeting(&x, ctas[i], 3000);
        meeting(&y, ctas[i], 3000);
        x.o.pilots.budget = x.o.pilots.budget_two = 0; /* the default's alone */
        CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
        y.o.effort = EFFORT_THOROUGH;
        CU_ASSERT_TRUE_FATAL(sample_waiting(&y.cfg, &y.o, &y.facts, &y.r.l, &y.d, &y.cost, &y.e));
        const int most = sample_degrees(&x.d);
        CU_ASSERT_EQUAL(most, ctas[i] / 15);
        CU_ASSERT_EQUAL(sample_least(&x.d), most);
        CU_ASSERT_FALSE(x.facts.in_order || x.facts.by_completed);
        const double part = x.d.pilot_insts[most - 1] / y.d.launch_warp_insts;
        CU_ASSERT_TRUE(part >= 0.5 && part <= 0.55);
        CU_ASSERT_DOUBLE_EQUAL(x.d.pilot_cycles[most - 1] / y.d.pilot_cycles[most - 1], 1, 0.15);
        ptxrun_close(&x.r);
        ptxrun_close(&y.r);
    }
}

SUITE("sampled launches whose CTAs wait", T(ctas_that_wait_are_simulated_at_every_degree),
      T(ctas_that_wait_are_simulated_in_part), T(a_window_has_one_of_them_and_leaves_out_waiting),
      T(who_waits_for_later_ones_is_simulated_with_them),
      T(a_chain_of_unlike_ctas_is_simulated_whole), T(ctas_that_meet_are_simulated_in_part))
