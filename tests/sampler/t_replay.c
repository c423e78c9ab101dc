/* Traced kernels, replayed. A core that is warm (the same launch was replayed before) fetches from
 * its L1I and finds parameters in its L1C; then
 *   a dependent operation issues latency + 5 + its register operands later, a load that hits 4,
 *   one of shared memory 8 and a cycle a conflict (as in tests/sm/t_timing.c, but without banks);
 *   a read that leaves the core takes its way through networks and partition. */
#include "sampler/replay.h"

#include <math.h>

#include "tests/sampler/traced.h"

/* Of a read: two cycles until the network has it, two through it; in the partition, whose row is
 * open, 120 in the ROP, one into each of two queues, 100 to DRAM and one to its scheduler, tCCDL 3
 * to the second column command, tCL 12 to its data, one out of each of two queues; 5 flits back. */
#define READ (2 + 2 + 120 + 2 + 100 + 1 + 3 + 12 + 2 + 5)
#define EVEN "clock.icnt=1400", "clock.l2=1400", "clock.dram=1400", "partition.count=1"

static const char *const even[] = {EVEN, NULL};

/* &out[32 * 16 * ctaid + tid * 16], lines of its own for each CTA */
#define OWN_LINES                                                                        \
    "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 2048; mul.wide.u32 %rd6, %r1, 64;\n" \
    "add.s64 %rd6, %rd6, %rd5; add.s64 %rd6, %rd6, %rd1;"

struct how {
    int n, ctas;
    bool cold;   /* else the same was replayed before */
    bool others; /* the other cores run as well */
};

static struct replay_result replayed(const struct traced *x, struct how h)
{
    const struct replay_opts o = {.n = h.n ? h.n : 1, .alone = !h.others};
    struct replay_result r;
    struct replay *p = replay_new(&x->cfg, &o);
    const int ctas = h.ctas ? h.ctas : x->t.ctas;
    if (!h.cold)
        replay_run(p, &x->t, ctas, &r);
    replay_run(p, &x->t, ctas, &r);
    replay_free(p);
    return r;
}

#define MOST_LOGGED 64

/* The CTAs of a core, as the last launch ran them; their number. */
struct log {
    struct replay_cta cta[MOST_LOGGED];
    int ctas;
};

static struct log log_of(const struct replay *p, int core)
{
    struct log l;
    const struct replay_cta *of = replay_ctas(p, core, &l.ctas);
    CU_ASSERT_TRUE_FATAL(l.ctas <= MOST_LOGGED && (of != NULL) == (l.ctas > 0));
    for (int i = 0; i < l.ctas; i++)
        l.cta[i] = of[i];
    return l;
}

static double last_end(const struct log *l)
{
    double last = 0;
    for (int i = 0; i < l->ctas; i++)
        last = fmax(last, l->cta[i].end);
    return last;
}

/* `copies` of an instruction text behind `setup`, and then `tail`. */
static void open_row(struct traced *x, const char *const *settings, struct traced_shape s,
                     const char *const text[3], int copies)
{
    static char body[60000];
    char *at = body + sprintf(body, "%s\n", text[0]);
    for (int i = 0; i < copies; i++)
        at += sprintf(at, "%s\n", text[1]);
    sprintf(at, "%s", text[2]);
    traced_open(x, body, settings, s);
}

static double warm_cycles(const char *const *settings, struct traced_shape s,
                          const char *const text[3], int copies)
{
    struct traced x;
    open_row(&x, settings, s, text, copies);
    const struct replay_result r = replayed(&x, (struct how){.n = s.want});
    CU_ASSERT_EQUAL(r.ctas, s.want);
    CU_ASSERT_EQUAL(r.insts * (uint64_t)traced_ctas(&x), x.t.insts * r.ctas);
    traced_close(&x);
    return r.cycles;
}

/* What one copy costs: 60 less 20, so that all of the code lies in the L1I (256 instructions). */
static double each(const char *const *settings, const char *setup, const char *inst)
{
    const struct traced_shape one = {.ctas = 1, .threads = 32, .want = 1};
    const char *const text[] = {setup, inst, ""};
    return (warm_cycles(settings, one, text, 60) - warm_cycles(settings, one, text, 20)) / 40;
}

/* ---- The core ---- */

static void a_chain_waits_latency_operands_and_five(void)
{
    static const char *const slow[] = {EVEN, "latency.int_add=20", NULL};
    CU_ASSERT_EQUAL(each(even, "", "add.s32 %r1, %r1, 1;"), 4 + 6);
    CU_ASSERT_EQUAL(each(even, "", "add.s32 %r1, %r1, %r9;"), 4 + 7);
    CU_ASSERT_EQUAL(each(even, "", "mad.lo.s32 %r1, %r1, %r9, %r9;"), 5 + 8);
    CU_ASSERT_EQUAL(each(even, "", "mov.u32 %r1, %r1;"), 1 + 6);
    CU_ASSERT_EQUAL(each(even, "", "sin.approx.f32 %f1, %f1;"), 8 + 6);
    CU_ASSERT_EQUAL(each(slow, "", "add.s32 %r1, %r1, 1;"), 20 + 6);
}

static void loads_that_hit_wait_four_cycles_and_shared_ones_eight(void)
{
    const char *own = "st.global.u64 [%rd1], %rd1; ld.global.u64 %rd1, [%rd1];";
    CU_ASSERT_EQUAL(each(even, own, "ld.global.u64 %rd1, [%rd1];"), 4);
    CU_ASSERT_EQUAL(each(even,
                         ".shared .align 4 .b8 sh[256]; mov.u32 %r2, sh;\n"
                         "st.shared.u32 [%r2], %r2;",
                         "ld.shared.u32 %r2, [%r2];"),
                    8);
    CU_ASSERT_EQUAL(each(even,
                         ".shared .align 4 .b8 sh[4096]; shl.b32 %r2, %r1, 7;\n"
                         "mov.u32 %r3, sh; add.s32 %r2, %r2, %r3; st.shared.u32 [%r2], %r2;",
                         "ld.shared.u32 %r2, [%r2];"),
                    8 + 31);
}

/* A warp alone issues two in three cycles: a block of two is fetched, decoded, issued. */
static void independent_operations_wait_for_fetch_or_their_unit(void)
{
    CU_ASSERT_DOUBLE_EQUAL(each(even, "",
                                "mov.u32 %r2, 1; mov.u32 %r3, 2;\n"
                                "mov.u32 %r4, 3; mov.u32 %r5, 4;"),
                           4 * 1.5, 1e-9);
    /* one SFU, 8 cycles each */
    CU_ASSERT_DOUBLE_EQUAL(each(even, "",
                                "sin.approx.f32 %f1, %f5; sin.approx.f32 %f2, %f5;\n"
                                "sin.approx.f32 %f3, %f5;"),
                           3 * 8, 1e-9);
}

/* 8 warps, or 32, in a chain of additions. 4 a scheduler: each waits its 10 cycles, and all go side
 * by side. 16 a scheduler, in turn: it issues one a cycle, 16 for each addition. */
static void ctas_go_side_by_side_until_the_schedulers_are_busy(void)
{
    static const char *const lrr[] = {EVEN, "warp_scheduler=lrr", NULL};
    const char *const text[] = {"", "add.s32 %r2, %r2, 1;", ""};
    for (int n = 1; n <= 4; n *= 4) {
        const struct traced_shape s = {.ctas = 15 * n, .threads = 256, .want = n};
        const double d = warm_cycles(lrr, s, text, 200) - warm_cycles(lrr, s, text, 100);
        CU_ASSERT_DOUBLE_EQUAL(d / 100, n == 1 ? 10 : 16, n == 1 ? 0.05 : 0.3);
    }
}

/* The second warp's chain begins when the first one's is done. */
static void a_barrier_holds_warps_together(void)
{
    static char body[20000];
    double cycles[2];
    for (int bar = 0; bar < 2; bar++) {
        struct traced x;
        char *at = body + sprintf(body, "setp.lt.u32 %%p1, %%r1, 32; @!%%p1 bra B;\n");
        for (int i = 0; i < 100; i++)
            at += sprintf(at, "add.s32 %%r2, %%r2, 1;\n");
        at += sprintf(at, "B: %s @%%p1 bra E;\n", bar ? "bar.sync 0;" : "");
        for (int i = 0; i < 100; i++)
            at += sprintf(at, "add.s32 %%r3, %%r3, 1;\n");
        sprintf(at, "E:");
        traced_open(&x, body, even, (struct traced_shape){.ctas = 1, .threads = 64, .want = 1});
        cycles[bar] = replayed(&x, (struct how){.n = 1}).cycles;
        traced_close(&x);
    }
    CU_ASSERT_DOUBLE_EQUAL(cycles[1] - cycles[0], 100 * 10, 60);
}

/* 4 CTAs of 8 warps in a chain of 200 additions, 16 warps a scheduler. In turn: an addition of all
 * every 16 cycles, and all end together. Oldest first: 10 of the 16 fill the 10 cycles that each of
 * them waits; the others go when these are done, 10 cycles an addition again. */
static void the_policy_decides_who_ends_first(void)
{
    static const char *const gto[] = {EVEN, "warp_scheduler=gto", NULL};
    static const char *const lrr[] = {EVEN, "warp_scheduler=lrr", NULL};
    const char *const text[] = {"", "add.s32 %r2, %r2, 1;", ""};
    const struct traced_shape s = {.ctas = 60, .threads = 256, .want = 4};
    const struct replay_opts o = {.n = 4, .alone = true};
    double first[2], cycles[2];
    for (int i = 0; i < 2; i++) {
        struct traced x;
        struct replay_result r;
        open_row(&x, i ? lrr : gto, s, text, 200);
        struct replay *p = replay_new(&x.cfg, &o);
        replay_run(p, &x.t, 4, &r); /* its code is there afterwards */
        replay_run(p, &x.t, 4, &r);
        const struct log l = log_of(p, 0);
        CU_ASSERT_EQUAL(l.ctas, 4);
        cycles[i] = r.cycles;
        first[i] = cycles[i];
        for (int k = 0; k < l.ctas; k++)
            first[i] = fmin(first[i], l.cta[k].end);
        replay_free(p);
        traced_close(&x);
    }
    CU_ASSERT_TRUE(first[0] < 0.7 * cycles[0]);
    CU_ASSERT_TRUE(first[1] > 0.95 * cycles[1]);
    CU_ASSERT_TRUE(cycles[0] > 200 * 20 && cycles[0] < 1.1 * 200 * 20 + 100);
    CU_ASSERT_TRUE(cycles[1] > 200 * 16 && cycles[1] < 1.1 * 200 * 16 + 100);
}

/* 12 CTAs of one length, 3 at once: in waves of that length, a cycle between two CTAs. */
static void waves_follow_each_other(void)
{
    struct traced x;
    const char *const text[] = {"", "add.s32 %r2, %r2, 1;", ""};
    open_row(&x, even, (struct traced_shape){.ctas = 12 * 15, .threads = 32, .want = 12}, text,
             200);
    const struct replay_result one = replayed(&x, (struct how){.n = 1, .ctas = 1});
    const struct replay_result r = replayed(&x, (struct how){.n = 3});
    CU_ASSERT_EQUAL(r.ctas, 12);
    CU_ASSERT_EQUAL(r.first_ctas, 3);
    CU_ASSERT_DOUBLE_EQUAL(r.wave, one.cycles + 1, 0.03 * one.cycles);
    CU_ASSERT_DOUBLE_EQUAL(r.cycles, 4 * one.cycles + 3, 0.03 * one.cycles);
    CU_ASSERT_DOUBLE_EQUAL(r.cta_cycles, one.cta_cycles, 0.03 * one.cycles);
    CU_ASSERT_EQUAL(r.insts, 12 * one.insts);
    traced_close(&x);
}

/* CTAs that go 1 to 63 times round a loop, and so do not end as they began. The log is that of the
 * second launch, in cycles from its start: a CTA in front of each place at a cycle of its own, each
 * other at one's end; the last end is the launch's time; nothing is there of a core that is not. A
 * wave is what the second three take to the starts that their ends allow. */
static void the_log_says_when_ctas_ran(void)
{
    struct traced x;
    traced_open(
        &x,
        "mov.u32 %r9, %ctaid.x; and.b32 %r9, %r9, 7; mul.lo.u32 %r9, %r9, 9; mov.u32 %r2, 0;\n"
        "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r9; @%p1 bra L;",
        even, (struct traced_shape){.ctas = 15 * 10 + 3, .threads = 32, .want = 11});
    const struct replay_opts o = {.n = 3};
    struct replay_result r;
    struct replay *p = replay_new(&x.cfg, &o);
    replay_run(p, &x.t, 11, &r);
    replay_run(p, &x.t, 11, &r);
    double last = 0, stays = 0, wave = 0, ctas = 0;
    for (int core = 0; core < 15; core++) {
        const struct log l = log_of(p, core);
        CU_ASSERT_EQUAL_FATAL(l.ctas, core < 3 ? 11 : 10);
        for (int i = 0; i < l.ctas; i++, ctas++) {
            bool follows = i < 3 && l.cta[i].start == 15 * i + core;
            for (int k = 0; k < i; k++)
                follows |= l.cta[k].end == l.cta[i].start;
            CU_ASSERT_TRUE(follows);
            CU_ASSERT_TRUE(i == 0 || l.cta[i].start >= l.cta[i - 1].start);
            CU_ASSERT_TRUE(l.cta[i].end > l.cta[i].start);
            stays += l.cta[i].end - l.cta[i].start;
        }
        if (core == 0) /* CTAs 0, 15 and 30: 1, 63 and 54 times */
            CU_ASSERT(l.cta[0].end < l.cta[2].end && l.cta[2].end < l.cta[1].end);
        for (int i = 3; i < 6; i++)
            wave += (l.cta[i + 3].start - l.cta[i].start) / (3 * 15);
        last = fmax(last, last_end(&l));
    }
    CU_ASSERT_EQUAL(r.last, last);
    CU_ASSERT_DOUBLE_EQUAL(r.wave, wave, 1e-9);
    CU_ASSERT_EQUAL(r.ctas, ctas);
    CU_ASSERT_DOUBLE_EQUAL(r.cta_cycles, stays / ctas, 1e-9);
    CU_ASSERT_EQUAL(log_of(p, 15).ctas, 0);
    replay_free(p);
    traced_close(&x);
}

/* 32 CTAs of a warp keep the SFU busy with 200 operations each, of 8 cycles, and end with one that
 * takes it for 2. It is not the last in the queue for that: the oldest warps, which the scheduler
 * prefers, end when two fifths of the work are done. */
static void a_short_operation_waits_like_a_long_one(void)
{
    struct traced x;
    traced_open(&x,
                "mov.u32 %r2, 0; cvt.rn.f32.u32 %f1, %r1;\n"
                "L: rsqrt.approx.f32 %f1, %f1; add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 200;\n"
                "@%p1 bra L; mul.lo.s32 %r3, %r2, %r2; add.s32 %r3, %r3, 1;",
                even, (struct traced_shape){.ctas = 32 * 15, .threads = 32, .want = 32});
    const struct replay_opts o = {.n = 32, .alone = true};
    struct replay_result r;
    struct replay *p = replay_new(&x.cfg, &o);
    replay_run(p, &x.t, 32, &r);
    const struct log l = log_of(p, 0);
    double first = INFINITY;
    for (int i = 0; i < l.ctas; i++)
        first = fmin(first, l.cta[i].end);
    CU_ASSERT_TRUE(r.cycles >= 32 * 200 * 8);
    CU_ASSERT_TRUE(r.cycles < 1.05 * 32 * 200 * 8);
    CU_ASSERT_TRUE(first < 0.45 * r.cycles);
    replay_free(p);
    traced_close(&x);
}

/* ---- L1D, and what leaves the core ---- */

/* Their row is open: parameters, from 0 on, and `out`, the first buffer, at a multiple of 2^28, lie
 * in row 0 of bank 0. */
static void a_read_takes_its_way(void)
{
    struct traced x;
    traced_open(&x,
                "ld.global.u32 %r3, [%rd1]; add.s32 %r4, %r3, 1;\n"
                "mul.wide.u32 %rd7, %r4, 0; add.s64 %rd6, %rd1, %rd7;\n"
                "ld.global.u32 %r5, [%rd6+128];",
                even, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
    const struct replay_result r = replayed(&x, (struct how){.n = 1, .cold = true});
    CU_ASSERT_EQUAL(r.l1d_accesses, 2);
    CU_ASSERT_EQUAL(r.l1d_misses, 2);
    CU_ASSERT_EQUAL(r.dram_reads_first, 2);
    CU_ASSERT_EQUAL(r.dram_reads_later, 0);
    CU_ASSERT_EQUAL(r.read_latency, READ);
    const struct replay_result again = replayed(&x, (struct how){.n = 1});
    CU_ASSERT_EQUAL(again.l1d_misses, 0);
    CU_ASSERT_EQUAL(again.read_latency, 0);
    CU_ASSERT_TRUE(again.cycles < r.cycles - 2 * (READ - 40));
    traced_close(&x);
}

static void ctas_share_lines(void)
{
    struct traced x;
    traced_open(&x, "ld.global.u32 %r3, [%rd3];", even,
                (struct traced_shape){.ctas = 30, .threads = 32, .want = 2});
    const struct replay_result one = replayed(&x, (struct how){.n = 1, .cold = true});
    CU_ASSERT(one.l1d_accesses == 2 && one.l1d_misses == 1 && one.l1d_merges == 0);
    CU_ASSERT(one.dram_reads_first == 1 && one.dram_reads_later == 0);
    const struct replay_result two = replayed(&x, (struct how){.n = 2, .cold = true});
    CU_ASSERT(two.l1d_accesses == 2 && two.l1d_misses == 1 && two.l1d_merges == 1);
    CU_ASSERT_EQUAL(two.dram_reads_first, 1);
    traced_close(&x);
}

/* A CTA goes 8 times over 96 lines of its own; L1D has 128. Alone it misses each line once; of two
 * at once each finds its lines gone. */
static void a_cache_that_holds_one_cta_may_not_hold_two(void)
{
    struct traced x;
    traced_open(&x,
                "mov.u32 %r9, %ctaid.x; mul.wide.u32 %rd5, %r9, 12288; add.s64 %rd6, %rd3, %rd5;\n"
                "mov.u32 %r2, 0; L: mov.u32 %r3, 0; mov.u64 %rd7, %rd6;\n"
                "M: ld.global.u32 %r4, [%rd7]; add.s32 %r5, %r5, %r4; add.s64 %rd7, %rd7, 128;\n"
                "add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 96; @%p1 bra M;\n"
                "add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 8; @%p1 bra L;",
                even, (struct traced_shape){.ctas = 60, .threads = 32, .want = 4});
    const struct replay_result one = replayed(&x, (struct how){.n = 1, .cold = true});
    CU_ASSERT_EQUAL(one.l1d_accesses, 4 * 8 * 96);
    CU_ASSERT_EQUAL(one.l1d_misses, 4 * 96);
    CU_ASSERT_EQUAL(one.dram_reads_first, 96);
    CU_ASSERT_EQUAL(one.dram_reads_later, 3 * 96);
    const struct replay_result two = replayed(&x, (struct how){.n = 2, .cold = true});
    CU_ASSERT_TRUE(two.l1d_misses > 4 * 8 * 96 * 9 / 10);
    CU_ASSERT_TRUE(two.cycles > 2 * one.cycles);
    traced_close(&x);
}

/* 16 lines of one instruction. With one MSHR each goes when the one before is back, its row
 * open; with 32 all are on their way at once. */
static void misses_wait_for_mshrs(void)
{
    static const char *const one[] = {EVEN, "l1d.mshrs=1", NULL};
    double cycles[2];
    for (int i = 0; i < 2; i++) {
        struct traced x;
        traced_open(&x, OWN_LINES "ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;", i ? one : even,
                    (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
        cycles[i] = replayed(&x, (struct how){.n = 1, .cold = true}).cycles;
        traced_close(&x);
    }
    CU_ASSERT_DOUBLE_EQUAL(cycles[1] - cycles[0], 15 * (READ), 16 * 6);
}

/* Store, then load: the line has left L1D. A local store stays in it. */
static void stores_put_lines_out_of_l1d(void)
{
    struct traced x;
    traced_open(&x,
                "ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd3], %r3; ld.global.u32 %r4, [%rd3];",
                even, (struct traced_shape){.ctas = 1, .threads = 32, .want = 1});
    CU_ASSERT_EQUAL(replayed(&x, (struct how){.cold = true}).l1d_misses, 2);
    traced_close(&x);
    traced_open(&x,
                ".local .align 4 .b8 a[16]; ld.local.u32 %r3, [a]; add.s32 %r3, %r3, 1;\n"
                "st.local.u32 [a], %r3; ld.local.u32 %r4, [a];",
                even, (struct traced_shape){.ctas = 30, .threads = 32, .want = 2});
    const struct replay_result r = replayed(&x, (struct how){.n = 2, .cold = true});
    CU_ASSERT_EQUAL(r.l1d_accesses, 4);
    CU_ASSERT_EQUAL(r.l1d_misses, 2); /* local memory of two places is not the same */
    traced_close(&x);
}

/* ---- Memory ---- */

/* Every CTA reads 16 lines of its own: the bus holds at most a line every two column commands. */
static void dram_bounds_a_stream(void)
{
    double before = 0;
    for (int ccd = 2; ccd <= 8; ccd++) {
        char apart[32];
        snprintf(apart, sizeof apart, "dram.tCCD=%d", ccd);
        const char *const settings[] = {EVEN, apart, "dram.tCCDL=1", NULL};
        struct traced x;
        traced_open(&x, OWN_LINES "ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;", settings,
                    (struct traced_shape){.ctas = 15 * 64, .threads = 32, .want = 64});
        const struct replay_result r = replayed(&x, (struct how){.n = 8, .cold = true});
        const double bound = 64 * 16 * 2 * ccd;
        CU_ASSERT_EQUAL(r.l1d_misses, 64 * 16);
        CU_ASSERT_EQUAL(r.dram_reads_first + r.dram_reads_later, 64 * 16);
        CU_ASSERT_TRUE(r.cycles > bound);
        CU_ASSERT_TRUE(ccd < 8 || r.cycles < 1.1 * bound);
        CU_ASSERT_TRUE(r.cycles > 0.99 * before); /* slower DRAM makes nothing faster */
        before = r.cycles;
        traced_close(&x);
    }
}

/* 15 cores ask for 15 times as many lines of the same DRAM. */
static void the_other_cores_take_their_part_of_dram(void)
{
    struct traced x;
    traced_open(&x, OWN_LINES "ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;", even,
                (struct traced_shape){.ctas = 15 * 16, .threads = 32, .want = 16});
    const struct replay_result alone = replayed(&x, (struct how){.n = 8, .cold = true});
    const struct replay_result all =
        replayed(&x, (struct how){.n = 8, .cold = true, .others = true});
    CU_ASSERT_TRUE(all.cycles > 0.9 * 15 * 16 * 16 * 4);
    CU_ASSERT_TRUE(all.cycles > 4 * alone.cycles);
    CU_ASSERT_EQUAL(all.cores, 15);
    CU_ASSERT_EQUAL(all.ctas, 15 * 16);
    CU_ASSERT_EQUAL(all.dram_reads_first + all.dram_reads_later, 15 * 16 * 16);
    traced_close(&x);
}

/* With an L2 the second launch reads nothing from DRAM, though the L1D (8 KB) holds none of it:
 * the 100 in front of DRAM are saved, less what more of them wait for the port of replies. */
static void what_l2_holds_is_not_read_again(void)
{
    static const char *const l2[] = {EVEN, "l2.enabled=true", "l1d.size=8192", NULL};
    static const char *const no_l2[] = {EVEN, "l1d.size=8192", NULL};
    for (int i = 0; i < 2; i++) {
        struct traced x;
        traced_open(&x, OWN_LINES "ld.global.u32 %r3, [%rd6]; add.s32 %r3, %r3, 1;", i ? no_l2 : l2,
                    (struct traced_shape){.ctas = 15 * 16, .threads = 32, .want = 16});
        const struct replay_result cold = replayed(&x, (struct how){.n = 4, .cold = true});
        const struct replay_result warm = replayed(&x, (struct how){.n = 4});
        CU_ASSERT_EQUAL(cold.dram_reads_first + cold.dram_reads_later, 256);
        CU_ASSERT_EQUAL(warm.l1d_misses, 256);
        CU_ASSERT_EQUAL(warm.dram_reads_first + warm.dram_reads_later, i ? 256 : 0);
        CU_ASSERT_EQUAL(warm.read_latency < cold.read_latency - 50, !i);
        traced_close(&x);
    }
}

/* Warps that fetch textures and touch no other memory. */
static void textures_alone_reach_dram(void)
{
    struct traced x;
    traced_open(&x, OWN_LINES "ld.global.u32 %r3, [%rd6];", even,
                (struct traced_shape){.ctas = 30, .threads = 32, .want = 2});
    const int ctas = traced_ctas(&x);
    CU_ASSERT_EQUAL(ctas, 15 * 2);
    for (int c = 0; c < ctas; c++) { /* as if a texture unit had asked */
        struct trace_warp *w = &x.t.warp[c];
        for (uint32_t i = 0; i < w->insts; i++)
            if (w->inst[i].kind == TRACE_READ)
                w->inst[i].kind = TRACE_TEXTURE;
    }
    const struct replay_result r = replayed(&x, (struct how){.n = 2, .cold = true, .others = true});
    CU_ASSERT_EQUAL(r.l1d_accesses, 0);
    CU_ASSERT_EQUAL(r.dram_reads_first, 15 * 2 * 16);
    traced_close(&x);
}

/* ---- Cores ---- */

/* 32 CTAs on 15 cores: all run, wherever the first one is; the cores of CTAs 0 and 1 have a third.
 */
static void cores_run_what_they_get(void)
{
    for (uint64_t first = 0; first < 5; first++) {
        struct traced x;
        traced_open(&x, "add.s32 %r2, %r2, 1;", even,
                    (struct traced_shape){.ctas = 32, .threads = 32, .first = first, .want = 3});
        const struct replay_opts o = {.n = 1};
        struct replay_result r;
        struct replay *p = replay_new(&x.cfg, &o);
        replay_run(p, &x.t, 3, &r);
        CU_ASSERT_EQUAL(r.cores, 15);
        CU_ASSERT_EQUAL(r.ctas, 32);
        CU_ASSERT_EQUAL(r.insts, 32 * (HEAD_INSTS + 2));
        CU_ASSERT_EQUAL(r.first_ctas, 15);
        for (int core = 0; core < 15; core++)
            CU_ASSERT_EQUAL(log_of(p, core).ctas, ((uint64_t)core + first) % 15 < 2 ? 3 : 2);
        replay_free(p);
        traced_close(&x);
    }
}

/* CTA 0 goes 4000 times round a loop, the others not at all. Two CTAs a core at most: the slowest
 * core says how long it takes; more: the mean of the cores. */
static void the_slowest_core_decides_when_ctas_are_few(void)
{
    for (int few = 0; few < 2; few++) {
        struct traced x;
        traced_open(&x,
                    "mov.u32 %r9, %ctaid.x; mov.u32 %r2, 0; setp.ne.u32 %p1, %r9, 0; @%p1 bra E;\n"
                    "L: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4000; @%p1 bra L;\nE:",
                    even, (struct traced_shape){.ctas = few ? 30 : 45, .threads = 32, .want = 3});
        const struct replay_result r = replayed(&x, (struct how){.n = 1, .others = true});
        CU_ASSERT_TRUE(r.last > 4000 * 10);
        CU_ASSERT_DOUBLE_EQUAL(r.cycles / r.last, few ? 1 : 1.0 / 15, few ? 0 : 0.02);
        traced_close(&x);
    }
}

/* Every CTA reads the same 16 lines. L1D holds them: each core asks once, 15 times 16 requests, of
 * which L2 passes 16 on. */
static void what_cores_share_is_read_once(void)
{
    static const char *const l2[] = {EVEN, "l2.enabled=true", NULL};
    struct traced x;
    traced_open(&x,
                "shl.b32 %r2, %r1, 6; cvt.u64.u32 %rd5, %r2; add.s64 %rd6, %rd1, %rd5;\n"
                "ld.global.u32 %r3, [%rd6];",
                l2, (struct traced_shape){.ctas = 45, .threads = 32, .want = 3});
    const struct replay_result r = replayed(&x, (struct how){.n = 1, .cold = true, .others = true});
    CU_ASSERT_EQUAL(r.ctas, 45);
    CU_ASSERT_EQUAL(r.l1d_misses, 15 * 16);
    CU_ASSERT_EQUAL(r.dram_reads_first, 16);
    CU_ASSERT_EQUAL(r.dram_reads_later, 0);
    traced_close(&x);
}

static void the_same_bits_every_time(void)
{
    struct traced x;
    traced_open(&x, OWN_LINES "ld.global.u32 %r3, [%rd6]; st.global.u32 [%rd6+4], %r3;", NULL,
                (struct traced_shape){.ctas = 200, .threads = 64, .want = 9});
    for (int n = 1; n <= 8; n++) {
        const struct how h = {.n = n, .others = true};
        const struct replay_result a = replayed(&x, h), b = replayed(&x, h);
        CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
    }
    traced_close(&x);
}

SUITE("replay", T(a_chain_waits_latency_operands_and_five),
      T(loads_that_hit_wait_four_cycles_and_shared_ones_eight),
      T(independent_operations_wait_for_fetch_or_their_unit),
      T(ctas_go_side_by_side_until_the_schedulers_are_busy), T(a_barrier_holds_warps_together),
      T(the_policy_decides_who_ends_first), T(waves_follow_each_other),
      T(the_log_says_when_ctas_ran), T(a_short_operation_waits_like_a_long_one),

      T(a_read_takes_its_way), T(ctas_share_lines), T(a_cache_that_holds_one_cta_may_not_hold_two),
      T(misses_wait_for_mshrs), T(stores_put_lines_out_of_l1d), T(dram_bounds_a_stream),
      T(the_other_cores_take_their_part_of_dram), T(what_l2_holds_is_not_read_again),
      T(textures_alone_reach_dram), T(cores_run_what_they_get),
      T(the_slowest_core_decides_when_ctas_are_few), T(what_cores_share_is_read_once),
      T(the_same_bits_every_time))
