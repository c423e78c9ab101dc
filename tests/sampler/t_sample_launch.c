/* One launch as models know it: its window, and the pilot simulations that are worth it. */
#include "sampler/pilot/pilots.h"
#include "tests/sampler/launch_rig.h"

#define START_HASH 0xcbf29ce484222325ull

static void a_sample_knows_its_launch_and_window(void)
{
    struct rig x;
    rig_open(&x, NULL, 450);
    x.o.effort = EFFORT_WINDOW;
    taken(&x);
    CU_ASSERT_EQUAL(x.d.launch_warp_insts, 450 * 2 * INSTS);
    CU_ASSERT_EQUAL(x.d.launch_thread_insts, 450 * 64 * INSTS);
    CU_ASSERT_EQUAL(x.d.cores, 15);
    CU_ASSERT_EQUAL(x.d.warps_per_cta, 2);
    CU_ASSERT_EQUAL(x.d.n_max, 8); /* CTAs a core, at most */
    CU_ASSERT_EQUAL(x.d.warp_insts, 2 * INSTS);
    CU_ASSERT_EQUAL(x.d.store_lines, 2);
    CU_ASSERT_EQUAL(x.d.past_lines, 64); /* atomics of one word: one lane at a time */
    CU_ASSERT_TRUE(x.d.cta_cycles > 300 && x.d.dram_reads >= 2);
    ptxrun_close(&x.r);
}

static void a_window_alone_needs_no_pilot(void)
{
    struct rig x;
    double insts;
    rig_open(&x, NULL, 450);
    x.o.effort = EFFORT_WINDOW;
    x.o.model = NULL;
    x.facts.bank_cycles = 7;
    taken(&x);
    CU_ASSERT_DOUBLE_EQUAL(x.d.bank_cycles, 7 * sampling_or_default(NULL)->window.in_step, 1e-12);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 0);
    CU_ASSERT_EQUAL(x.cost.pilot_warp_insts, 0);
    CU_ASSERT_EQUAL(x.cost.pilot_seconds, 0);
    CU_ASSERT_EQUAL(x.cost.warp_insts, 2 * INSTS);
    ptxrun_close(&x.r);
}

/* Of a program: what a launch leaves of its budget, or takes from what others left. */
static void what_one_leaves_others_take(void)
{
    struct rig x;
    struct pilot_rest rest = {0};
    double insts;
    rig_open(&x, NULL, 4500);
    x.o.program_insts = INFINITY;
    x.o.rest = &rest;
    x.o.pilots.worth = 0;
    x.o.pilots.budget = 0; /* one is for nothing */
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 1);
    CU_ASSERT_EQUAL(rest.insts, -insts);
    CU_ASSERT_EQUAL(rest.own_insts, 0);
    const double one = insts, cycles = x.d.pilot_cycles[7] / x.d.launch_warp_insts * one;
    rest = (struct pilot_rest){.insts = 3.5 * one, .cycles = 3.5 * cycles};
    taken(&x);
    const int some = pilots(&x.d, &insts); /* its first is paid for, too */
    CU_ASSERT_TRUE(some > 2 && insts < 4.5 * one);
    CU_ASSERT_DOUBLE_EQUAL(rest.insts, 3.5 * one - insts, 1e-6 * one);
    CU_ASSERT_DOUBLE_EQUAL(rest.cycles, (3.5 - insts / one) * cycles, 1e-6 * cycles);
    /* Others were simulated in fewer cycles: theirs buy less. */
    rest = (struct pilot_rest){.insts = 100 * one, .cycles = 3.5 * cycles};
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), some);
    CU_ASSERT_DOUBLE_EQUAL(rest.insts, 100 * one - insts, 1e-6 * one);
    rest = (struct pilot_rest){0};
    x.o.pilots.worth = 10; /* none but the first is */
    x.o.pilots.budget = 1;
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 1);
    CU_ASSERT_DOUBLE_EQUAL(rest.insts, x.d.total_warp_insts - one, 1e-6 * one);
    CU_ASSERT_DOUBLE_EQUAL(rest.own_insts, x.d.total_warp_insts, 1e-6 * one);
    CU_ASSERT_DOUBLE_EQUAL(rest.own_cycles, x.d.pilot_cycles[7], 1e-6 * cycles);
    ptxrun_close(&x.r);
}

/* When the program has ended. */
static void a_pilot_more_is_paid_from_the_rest(void)
{
    struct rig x;
    struct pilot_rest rest = {0};
    double one, two;
    rig_open(&x, NULL, 4500);
    x.o.program_insts = INFINITY;
    x.o.rest = &rest;
    x.o.pilots.worth = 10;
    x.o.pilots.budget = 1;
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &one), 1);
    CU_ASSERT_EQUAL(pilot_insts_each(&x.d), one);
    const struct pilot_rest before = rest;
    x.o.pilots.worth = 0;
    x.cost = (struct sample_cost){0};
    CU_ASSERT_TRUE(sample_more(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_EQUAL(pilots(&x.d, &two), 2);
    CU_ASSERT_EQUAL(x.cost.pilot_warp_insts, two - one);
    CU_ASSERT_DOUBLE_EQUAL(rest.insts, before.insts - (two - one), 1e-6 * one);
    CU_ASSERT_EQUAL(rest.own_insts, before.own_insts);
    CU_ASSERT_TRUE(pilot_rest_has(&rest, &x.d));
    rest.cycles = 0;
    CU_ASSERT_FALSE(pilot_rest_has(&rest, &x.d));
    ptxrun_close(&x.r);
}

static void a_short_program_may_take_more(void)
{
    const struct pilot_coeff c = {
        .budget = 0.8, .budget_short = 1.6, .short_insts = 1000, .short_cycles = 3000};
    struct pilot_rest r = {.insts = 10, .cycles = 20, .own_insts = 100, .own_cycles = 300};
    r.waited = 1;
    pilot_rest_end(&r, &c, 1000); /* those of the default that waited count, too */
    CU_ASSERT_FALSE(r.is_short);
    CU_ASSERT_EQUAL(r.insts, 10);
    r.own_cycles = 301; /* three cycles for an instruction, and more than 3000 */
    pilot_rest_end(&r, &c, 999);
    CU_ASSERT_FALSE(r.is_short);
    r.own_cycles = 300;
    pilot_rest_end(&r, &c, 999);
    CU_ASSERT_TRUE(r.is_short);
    CU_ASSERT_DOUBLE_EQUAL(r.insts, 110, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(r.cycles, 320, 1e-9);
}

/* The default, then the best that the model predicts; others as long as that is worth it. */
static void pilots_are_those_that_are_worth_it(void)
{
    struct rig x;
    double insts;
    rig_open(&x, NULL, 4500);
    x.o.pilots.worth = 1; /* none is */
    x.o.pilots.error = 0.001;
    x.o.pilots.budget = x.o.pilots.budget_short = 100;
    taken(&x);
    CU_ASSERT_TRUE(x.d.pilot_cycles[7] > 0);
    CU_ASSERT_TRUE(pilots(&x.d, &insts) >= 1 && pilots(&x.d, &insts) <= 8);
    const int all = pilots(&x.d, &insts);
    x.o.pilots.worth = 0; /* all are */
    taken(&x);
    CU_ASSERT_TRUE(pilots(&x.d, &insts) > 1 && pilots(&x.d, &insts) >= all);
    x.o.pilots.budget = x.o.pilots.budget_short = 0; /* one is for nothing */
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 1);
    CU_ASSERT_TRUE(x.d.pilot_cycles[7] > 0);
    ptxrun_close(&x.r);
}

/* 30 CTAs on 15 cores: two at most. */
static void degrees_that_a_launch_lacks_have_none(void)
{
    struct rig x;
    double insts;
    rig_open(&x, NULL, 30);
    x.o.every_pilot = true;
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 2);
    CU_ASSERT_TRUE(x.d.pilot_cycles[0] > 0 && x.d.pilot_cycles[1] > 0);
    x.r.l.grid[0] = 1;
    x.facts.cta = 0;
    x.facts.warp_insts = 2 * INSTS;
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 1);
    ptxrun_close(&x.r);
}

/* Whoever needs all of them asks no model. Costs are added up. */
static void every_pilot_can_be_had_and_costs(void)
{
    struct rig x;
    double insts;
    rig_open(&x, NULL, 90);
    x.o.every_pilot = true;
    x.o.model = NULL;
    taken(&x);
    CU_ASSERT_EQUAL(pilots(&x.d, &insts), 6);
    CU_ASSERT_EQUAL((double)x.cost.pilot_warp_insts, insts);
    CU_ASSERT_EQUAL(x.cost.warp_insts, x.cost.pilot_warp_insts + 2 * INSTS);
    CU_ASSERT_EQUAL(insts, 6 * 30 * 2 * INSTS); /* a third of the CTAs, too few to be cut */
    CU_ASSERT_TRUE(x.cost.pilot_seconds > 0 && x.cost.window_seconds > 0);
    const struct sample_cost once = x.cost;
    taken(&x);
    CU_ASSERT_EQUAL(x.cost.warp_insts, 2 * once.warp_insts);
    CU_ASSERT_EQUAL(x.cost.functional_warp_insts, 2 * once.functional_warp_insts);
    CU_ASSERT_EQUAL(x.cost.pilot_warp_insts, 2 * once.pilot_warp_insts);
    CU_ASSERT_TRUE(x.cost.pilot_seconds > once.pilot_seconds);
    ptxrun_close(&x.r);
}

static void memory_is_as_it_was(void)
{
    struct rig x;
    rig_open(&x, NULL, 450);
    x.o.every_pilot = true;
    const uint64_t before = whole_hash(x.r.mem, START_HASH);
    taken(&x);
    CU_ASSERT_EQUAL(whole_hash(x.r.mem, START_HASH), before);
    CU_ASSERT_EQUAL(ptxrun_u32(&x.r, 64), 0);
    ptxrun_close(&x.r);
}

static void threads_change_nothing(void)
{
    struct sample d[2];
    for (int i = 0; i < 2; i++) {
        struct rig x;
        rig_open(&x, NULL, 450);
        x.o.every_pilot = true;
        x.o.jobs = i ? 4 : 0;
        taken(&x);
        d[i] = x.d;
        memset(d[i].pilot_seconds, 0, sizeof d[i].pilot_seconds);
        ptxrun_close(&x.r);
    }
    CU_ASSERT_TRUE(d[0].pilot_insts[0] > 0);
    CU_ASSERT_EQUAL(memcmp(&d[0], &d[1], sizeof *d), 0);
}

/* Each CTA waits for the one before it: its window says something, CTA 0's, a slice of the GPU that
 * has some of them nothing. Trying costs. */
static void without_pilots_the_window_is_the_sample(void)
{
    static const char waits[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5;\n"
        "setp.eq.u32 %p1, %r2, 0; @%p1 bra D;\n"
        "W: ld.volatile.global.u32 %r3, [%rd5+-4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W;\n"
        "D: mov.u32 %r4, 1; st.volatile.global.u32 [%rd5], %r4;");
    for (int every = 0; every < 2; every++) {
        struct rig x;
        double insts;
        rig_with(&x, waits, NULL, 60);
        x.facts.cta = 0;
        x.o.every_pilot = every;
        taken(&x);
        CU_ASSERT_EQUAL(pilots(&x.d, &insts), 0);
        CU_ASSERT_TRUE(x.d.cta_cycles > 0);
        CU_ASSERT_TRUE(x.cost.pilot_warp_insts > 0 && x.cost.pilot_seconds > 0);
        ptxrun_close(&x.r);
    }
}

static void what_cannot_be_sampled_is_an_error(void)
{
    const char *const small[] = {"max_threads=32", NULL};
    struct rig x;
    rig_open(&x, NULL, 450);
    x.facts.cta = 450;
    CU_ASSERT_FALSE(take(&x));
    CU_ASSERT_STRING_EQUAL(x.e.msg, "kernel k has 450 CTAs; there is no CTA 450 to sample");
    x.facts.cta = 0;
    x.o.max_cycles = 100; /* of the window */
    CU_ASSERT_FALSE(take(&x));
    CU_ASSERT_PTR_NOT_NULL(strstr(x.e.msg, "kernel k"));
    ptxrun_close(&x.r);
    rig_open(&x, small, 450);
    CU_ASSERT_FALSE(take(&x));
    CU_ASSERT_PTR_NOT_NULL(strstr(x.e.msg, "kernel k: not even one CTA fits on a core"));
    ptxrun_close(&x.r);
}

/* 5 instructions of the head, 1, 60,000 of a loop and the end, of 2 warps. */
static const char one_long[] = HEADER KERNEL(
    "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 20000; @%p1 bra L;");

/* Of a long program nobody pays a whole simulation where there is nothing to choose. */
static void a_long_cta_is_simulated_in_part(void)
{
    struct rig x;
    rig_with(&x, one_long, NULL, 1);
    x.facts.cta = 0;
    x.facts.most_insts = x.facts.warp_insts;
    taken(&x); /* a short one: to its end */
    CU_ASSERT_TRUE(sample_whole(&x.d));
    CU_ASSERT_EQUAL(x.d.pilot_insts[0], (double)x.facts.warp_insts);
    const double cycles = x.d.pilot_cycles[0];
    x.o.program_insts = 1e9;
    taken(&x);
    CU_ASSERT_TRUE(sample_searched(&x.d) && !sample_whole(&x.d));
    CU_ASSERT_EQUAL(x.d.window_insts, x.d.pilot_insts[0]);
    CU_ASSERT_EQUAL(x.d.launch_warp_insts, (double)x.facts.warp_insts);
    CU_ASSERT_TRUE(x.d.pilot_insts[0] < 0.4 * (double)x.facts.warp_insts);
    CU_ASSERT_DOUBLE_EQUAL(x.d.pilot_cycles[0] / cycles, 1, 0.02);
    x.o.effort = EFFORT_WINDOW;
    taken(&x);
    CU_ASSERT_FALSE(sample_searched(&x.d));
    CU_ASSERT_DOUBLE_EQUAL(x.d.window_insts / (double)x.facts.warp_insts, 0.25, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(x.d.warp_insts / (double)x.facts.warp_insts, 1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(x.d.cta_cycles / cycles, 1, 0.02);
    ptxrun_close(&x.r);
}

/* CTA 11 of 15, or of 60 on 15 cores, goes round 600 times, the others 400 times: all run at
 * once, and the launch ends with it, whichever others the slice has. Of 900 there are waves behind
 * it: a part of them tells. */
static void a_launch_of_one_wave_ends_with_its_longest_cta(void)
{
    static const char longer[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p2, %r2, 11; selp.u32 %r5, 600, 400, %p2;\n"
        "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r5; @%p1 bra L;");
    static const int grid[] = {15, 60, 900};
    for (size_t i = 0; i < sizeof grid / sizeof *grid; i++) {
        struct rig x;
        rig_with(&x, longer, NULL, grid[i]);
        x.facts.longest = 11;
        x.facts.most_insts = x.facts.warp_insts * 3 / (2 * (uint64_t)grid[i] + 1);
        x.o.every_pilot = true;
        x.o.model = NULL;
        taken(&x);
        const double cycles = x.d.pilot_cycles[sample_degrees(&x.d) - 1];
        CU_ASSERT_EQUAL(x.d.longest_at, 11);
        CU_ASSERT_DOUBLE_EQUAL(cycles / (double)whole_stats(&x.cfg, &x.r.l, 8).cycles, 1, 0.05);
        CU_ASSERT_EQUAL(x.d.pilot_insts[0] < 0.3 * x.d.launch_warp_insts, grid[i] == 900);
        ptxrun_close(&x.r);
    }
}

/* 30,000 items, drawn one by one by 60 CTAs of one warp that has something to do: some 20
 * instructions each. Alone, a CTA would draw them all: its window has about what it draws among the
 * others, and pilots are done with their part. */
static void a_cta_that_draws_work_stands_for_its_part(void)
{
    static const char draws[] = HEADER KERNEL(
        "setp.ne.u32 %p1, %r1, 0; @%p1 bra END;\n"
        "TAKE: atom.global.add.u32 %r2, [%rd1], 1; setp.ge.u32 %p1, %r2, 30000; @%p1 bra END;\n"
        "mov.u32 %r4, 0;\n"
        "L: add.u32 %r3, %r3, 1; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 4; @%p2 bra L;\n"
        "bra.uni TAKE;\nEND:");
    struct rig x;
    double insts;
    rig_with(&x, draws, NULL, 60);
    x.facts.most_insts = x.facts.warp_insts / 5; /* as it may be among some others */
    x.facts.longest = 40;
    x.facts.cta_insts = x.facts.warp_insts / 60;
    x.o.program_insts = 1e9;
    taken(&x);
    CU_ASSERT_TRUE(x.facts.draws);
    CU_ASSERT_EQUAL(x.d.longest_cta, 1);
    CU_ASSERT_EQUAL(x.d.longest_at, 0);
    CU_ASSERT_TRUE(x.d.window_insts < 20000);
    CU_ASSERT_TRUE(x.d.followed_insts < 20000);
    CU_ASSERT_DOUBLE_EQUAL(x.d.warp_insts / (double)x.facts.cta_insts, 1, 0.01);
    const int n = pilots(&x.d, &insts);
    CU_ASSERT_TRUE(n > 0);
    CU_ASSERT_DOUBLE_EQUAL(insts / n / (double)x.facts.warp_insts, 1.0 / 3, 0.02);
    ptxrun_close(&x.r);
    rig_open(&x, NULL, 450); /* no other one does */
    x.facts.cta_insts = 2 * INSTS;
    taken(&x);
    CU_ASSERT_FALSE(x.facts.draws);
    ptxrun_close(&x.r);
}

/* No instruction more than a search has, and the memory is not measured for it. With 60 CTAs a
 * search has those of 4 degrees, which is more than one CTA and the measurement; with 45 those
 * of 3. */
static void a_short_launch_is_simulated_at_every_degree(void)
{
    struct rig x;
    rig_open(&x, NULL, 60);
    const uint64_t memory = memory_rates_insts(&x.cfg, sampling_or_default(NULL)), cta = 2 * INSTS;
    CU_ASSERT_TRUE_FATAL(4 * 60 * cta > memory + cta && 3 * 45 * cta <= memory + cta);
    taken(&x);
    CU_ASSERT_FALSE(sample_searched(&x.d));
    CU_ASSERT_EQUAL(x.cost.memory_warp_insts, memory);
    CU_ASSERT_TRUE(x.rates.known);
    ptxrun_close(&x.r);
    rig_open(&x, NULL, 45);
    taken(&x);
    CU_ASSERT_TRUE(sample_searched(&x.d));
    CU_ASSERT_EQUAL(x.cost.warp_insts, 3 * 45 * cta);
    CU_ASSERT_EQUAL(x.cost.memory_warp_insts, 0);
    CU_ASSERT_FALSE(x.rates.known);
    for (int n = 1; n <= 3; n++)
        CU_ASSERT_EQUAL(x.d.pilot_insts[n - 1], 45 * cta);
    x.o.effort = EFFORT_WINDOW; /* nothing else is simulated */
    taken(&x);
    CU_ASSERT_FALSE(sample_searched(&x.d));
    x.o.effort = EFFORT_QUICK; /* the memory is known now: a sample is cheaper */
    CU_ASSERT_TRUE(x.rates.known);
    taken(&x);
    CU_ASSERT_FALSE(sample_searched(&x.d));
    ptxrun_close(&x.r);
    rig_open(&x, NULL, 1); /* a window would be all of it */
    x.rates.known = true;
    x.facts.cta = 0;
    taken(&x);
    CU_ASSERT_TRUE(sample_searched(&x.d));
    CU_ASSERT_EQUAL(x.cost.warp_insts, cta);
    ptxrun_close(&x.r);
}

/* CTAs that wait for memory, one load after the other, and hardly for each other: two rounds, each
 * as long as with one at once, take longer than one. */
static void a_short_launch_is_not_simulated_where_it_cannot_be_best(void)
{
    static const char loads[] =
        HEADER KERNEL("ld.volatile.global.u32 %r4, [%rd1]; add.u32 %r5, %r5, %r4;\n"
                      "ld.volatile.global.u32 %r4, [%rd1]; add.u32 %r5, %r5, %r4;\n"
                      "ld.volatile.global.u32 %r4, [%rd1]; add.u32 %r5, %r5, %r4;\n"
                      "ld.volatile.global.u32 %r4, [%rd1]; add.u32 %r5, %r5, %r4;");
    struct rig x;
    rig_with(&x, loads, NULL, 45);
    CU_ASSERT_EQUAL_FATAL(x.facts.warp_insts, 45 * x.facts.most_insts);
    taken(&x);
    CU_ASSERT_TRUE(sample_searched(&x.d));
    const double two = x.d.pilot_cycles[0] * 2 / 3;
    CU_ASSERT_TRUE(x.d.pilot_cycles[2] < two);
    CU_ASSERT_DOUBLE_EQUAL(x.d.pilot_cycles[1], two, 1e-6);
    for (int n = 1; n <= 3; n++) {
        CU_ASSERT_EQUAL(sample_skipped(&x.d, n), n == 2);
        CU_ASSERT_EQUAL(x.d.pilot_insts[n - 1], n == 2 ? 0 : (double)x.facts.warp_insts);
    }
    CU_ASSERT_EQUAL(x.cost.warp_insts, 2 * x.facts.warp_insts);
    CU_ASSERT_EQUAL(sample_least(&x.d), 1);
    CU_ASSERT_DOUBLE_EQUAL(samples_search_seconds(&x.d, 1), 1.5 * x.cost.pilot_seconds, 1e-9);
    struct prediction p;
    model_searched(&x.d, &p);
    CU_ASSERT_STRING_EQUAL(p.bound[2], "cannot win");
    CU_ASSERT_EQUAL(p.chosen_n, 3);
    const struct sample_cost cost = x.cost;
    x.o.effort = EFFORT_THOROUGH;
    CU_ASSERT_TRUE(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_EQUAL(x.cost.warp_insts - cost.warp_insts, 3 * x.facts.warp_insts); /* if they wait */
    CU_ASSERT_TRUE(x.d.pilot_cycles[1] >= two && !sample_skipped(&x.d, 2));
    ptxrun_close(&x.r);
}

/* 4 CTAs of a core, of 8 or 12 loads that one warp waits for: with two at once a core takes half as
 * long as with one at least, and with four less than that. */
static void unlike_ctas_are_not_simulated_where_they_cannot_be_best(void)
{
    static const char loads[] =
        HEADER KERNEL("setp.ge.u32 %p1, %r1, 32; @%p1 bra END;\n"
                      "mov.u32 %r2, %ctaid.x; setp.lt.u32 %p1, %r2, 30; selp.u32 %r3, 8, 12, %p1;\n"
                      "mul.wide.u32 %rd5, %r2, 256; add.u64 %rd5, %rd1, %rd5;\n"
                      "L: ld.volatile.global.u32 %r4, [%rd5]; add.u32 %r5, %r5, %r4;\n"
                      "sub.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra L; END:");
    struct rig x;
    rig_with(&x, loads, NULL, 60);
    begin_sample(&x);
    x.d.n_max = 8;
    x.d.cores = 15;
    x.d.longest_cta = 1.2;
    x.d.launch_warp_insts = (double)x.facts.warp_insts;
    struct pilots p = {.full = &x.cfg, .coeff = &x.o.pilots, .program_insts = 1e6, .prunes = true};
    CU_ASSERT_TRUE_FATAL(pilots_search(&p, &x.r.l, &x.d, &x.e));
    const double *cycles = x.d.pilot_cycles;
    CU_ASSERT_TRUE(sample_skipped(&x.d, 2) && !sample_skipped(&x.d, 1) && !sample_skipped(&x.d, 4));
    CU_ASSERT_DOUBLE_EQUAL(cycles[1] / cycles[0], 0.5, 0.02);
    CU_ASSERT_TRUE(cycles[3] <= cycles[1]);
    CU_ASSERT_TRUE(p.warp_insts < 4 * x.facts.warp_insts);
    p.prunes = false;
    CU_ASSERT_TRUE_FATAL(pilots_search(&p, &x.r.l, &x.d, &x.e));
    CU_ASSERT_FALSE(sample_skipped(&x.d, 2));
    CU_ASSERT_TRUE(cycles[1] >= 0.5 * cycles[0] && cycles[3] <= cycles[1]);
    ptxrun_close(&x.r);
}

/* Pilots take no more than is left of a search of it. */
static void a_sample_takes_no_more_than_a_search(void)
{
    struct rig x;
    double insts;
    rig_open(&x, NULL, 60);
    const uint64_t search = 4 * 60 * 2 * INSTS;
    x.o.pilots.worth = 0; /* all are */
    x.o.pilots.budget = x.o.pilots.budget_short = 100;
    taken(&x);
    CU_ASSERT_TRUE(pilots(&x.d, &insts) >= 1);
    const uint64_t once = x.cost.warp_insts + x.cost.memory_warp_insts;
    CU_ASSERT_TRUE(once < search + 20 * 2 * INSTS); /* the last one is begun while any is left */
    ptxrun_close(&x.r);
}

/* Once, and where it is little of what is executed. */
static void the_network_is_measured_for_pilots_alone(void)
{
    struct rig x;
    struct sampling by = *sampling_or_default(NULL);
    rig_open(&x, NULL, 450);
    x.cfg = whole_gpu("kayiran2013", NULL);
    x.o.by = &by;
    x.o.effort = EFFORT_WINDOW;
    by.pilot.network_part = 1e9;
    taken(&x);
    CU_ASSERT_EQUAL(x.cost.memory_warp_insts, memory_rates_insts(&x.cfg, &by));
    CU_ASSERT_EQUAL(x.cost.network_seconds, 0);
    x.o.effort = EFFORT_QUICK;
    x.cost = (struct sample_cost){0};
    by.pilot.network_part = 0;
    taken(&x);
    CU_ASSERT_EQUAL(x.cost.memory_warp_insts, 0);
    by.pilot.network_part = 1e9;
    taken(&x);
    CU_ASSERT_EQUAL(x.cost.memory_warp_insts, memory_rates_network_insts(&x.cfg, &by));
    CU_ASSERT_TRUE(x.cost.network_seconds > 0);
    CU_ASSERT_EQUAL(x.cost.network_seconds, x.cost.memory_seconds);
    taken(&x);
    CU_ASSERT_EQUAL(x.cost.memory_warp_insts, memory_rates_network_insts(&x.cfg, &by));
    ptxrun_close(&x.r);
}

SUITE("sampled launch", T(a_short_launch_is_simulated_at_every_degree),
      T(a_short_launch_is_not_simulated_where_it_cannot_be_best),
      T(unlike_ctas_are_not_simulated_where_they_cannot_be_best),
      T(a_sample_takes_no_more_than_a_search), T(the_network_is_measured_for_pilots_alone),
      T(a_long_cta_is_simulated_in_part), T(a_cta_that_draws_work_stands_for_its_part),
      T(a_launch_of_one_wave_ends_with_its_longest_cta), T(a_sample_knows_its_launch_and_window),
      T(a_window_alone_needs_no_pilot), T(what_one_leaves_others_take),
      T(a_pilot_more_is_paid_from_the_rest), T(a_short_program_may_take_more),
      T(pilots_are_those_that_are_worth_it), T(degrees_that_a_launch_lacks_have_none),
      T(every_pilot_can_be_had_and_costs), T(memory_is_as_it_was), T(threads_change_nothing),
      T(without_pilots_the_window_is_the_sample), T(what_cannot_be_sampled_is_an_error))
