/* A launch's share of CTAs on a scale model, and what it says of the whole launch. */
#include "tests/sampler/pilot_rig.h"

#include <math.h>

#include "base/pool.h"
#include "sampler/pilot/scale_model.h"

#define START_HASH 0xcbf29ce484222325ull

/* One warp a CTA that adds in a chain, and no memory: 6 instructions, 300 rounds of 10, and 1. On
 * yen2014 it takes as long with three others at once as alone. */
static const char chain[] =
    HEADER KERNEL("mov.u32 %r2, 0;\n"
                  "L: add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1;\n"
                  "add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1;\n"
                  "add.u32 %r3, %r3, 1; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 300;\n"
                  "@%p1 bra L;");
/* Each thread adds its CTA's number to a word of its own, and counts itself. */
static const char stores[] = HEADER KERNEL(
    "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1; mul.wide.u32 %rd5, %r3, 4;\n"
    "add.u64 %rd5, %rd1, %rd5; ld.global.u32 %r4, [%rd5]; add.u32 %r4, %r4, %r2;\n"
    "st.global.u32 [%rd5], %r4; atom.global.add.u32 %r5, [%rd2], 1;");

/* Each thread reads 8 words, each after the one before has come; a CTA has 2 KB of its own. */
static const char sweep[] = HEADER KERNEL(
    "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 512, %r1; mul.wide.u32 %rd5, %r3, 4;\n"
    "add.u64 %rd5, %rd1, %rd5; mov.u32 %r5, 0;\n"
    "L: ld.global.u32 %r4, [%rd5]; add.u32 %r5, %r5, 1; add.u32 %r6, %r6, %r4;\n"
    "cvt.u64.u32 %rd6, %r4; add.u64 %rd5, %rd5, %rd6; add.u64 %rd5, %rd5, 256; setp.lt.u32 %p1, "
    "%r5, 8; @%p1 bra L; st.global.u32 [%rd5], %r6;");

/* (With sanitizers on one GPU.) The cores do the same on a slice as on the whole GPU, but for the
 * code, which each fetches once: some hundred cycles. Where CTAs take what one takes, T, whatever
 * runs beside them, 12 CTAs a core take 12 / n times T. */
static void without_memory_a_slice_takes_what_the_gpu_takes(void)
{
    static const char *const gpus[] = {"yen2014", "kayiran2013"};
    for (int g = SANITIZED; g < 2; g++) {
        struct rig x;
        rig_open(&x, gpus[g], chain, 32, 12 * whole_gpu(gpus[g], NULL).top.cores);
        const int cores = g ? 15 : 5;
        double once = 0;
        for (int n = 1; n <= 8; n = n < 4 ? n + 1 : 2 * n) {
            const struct pilot_result p = pilot(&x, cores, n);
            const double all = (double)whole_stats(&x.cfg, &x.r.l, n).cycles;
            CU_ASSERT_EQUAL(p.ctas, 12 * (uint64_t)cores);
            CU_ASSERT_EQUAL(p.share, p.ctas);
            CU_ASSERT_EQUAL(p.warp_insts, 12 * (uint64_t)cores * (6 + 3000 + 1));
            CU_ASSERT_TRUE(fabs(p.cycles - all) < 1000 && all > 40000);
            once = n == 1 ? p.cycles : once;
            CU_ASSERT_TRUE(g || n > 4 || fabs(p.cycles * n / once - 1) < 0.03);
        }
        ptxrun_close(&x.r);
    }
}

/* Of 16 CTAs the slice gets 5 and 1 more, as one core of the GPU has two, which takes no longer
 * than one: so do 15, and a single one. Where the launch's CTAs have more instructions than those
 * of the share, it takes as much longer. */
static void a_launch_is_extrapolated_by_its_instructions(void)
{
    struct rig x, y, z;
    rig_open(&x, "yen2014", chain, 32, 16);
    rig_open(&y, "yen2014", chain, 32, 15);
    rig_open(&z, "yen2014", chain, 32, 1);
    const struct pilot_result p = pilot(&x, 5, 2);
    CU_ASSERT_EQUAL(p.share, 6);
    CU_ASSERT_TRUE(fabs(p.cycles / pilot(&y, 5, 2).cycles - 1) < 0.02);
    CU_ASSERT_TRUE(fabs(p.cycles / (double)whole_stats(&x.cfg, &x.r.l, 2).cycles - 1) < 0.02);
    CU_ASSERT_TRUE(
        fabs(pilot(&z, 5, 2).cycles / (double)whole_stats(&z.cfg, &z.r.l, 2).cycles - 1) < 0.02);
    x.pilot.launch_insts *= 3;
    CU_ASSERT_DOUBLE_EQUAL(pilot(&x, 5, 2).cycles, 3 * p.cycles, 1e-6);
    ptxrun_close(&z.r);
    ptxrun_close(&y.r);
    ptxrun_close(&x.r);
}

/* The second of two simulations on one GPU, which finds what the first left. */
static double second(const struct gpu_cfg *cfg, const struct launch *l, int n)
{
    struct run_stats st[2] = {{0}, {0}};
    struct err e = {""};
    struct gpu *g = gpu_new(cfg, &e);
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_TRUE(
            gpu_launch(g, &copy, &(struct gpu_opts){.n = n, .only_core = -1}, &st[i], &e));
    devmem_free(copy.mem);
    gpu_free(g);
    return (double)st[1].cycles;
}

/* 300 CTAs read 614 KB: more than all L1Ds hold, and less than the 786 KB of L2. With what is known
 * of the first launch the pilot of the second says what that takes; without it almost twice as
 * much.
 */
static void a_pilot_finds_what_was_left_in_l2(void)
{
    struct rig x;
    rig_open_with(&x, "park2015", sweep, 64, 300, 300 * 2048 + 256);
    const double cold = pilot(&x, 5, 2).cycles, real = second(&x.cfg, &x.r.l, 2);
    struct func_counts n;
    CU_ASSERT_TRUE_FATAL(func_run(&x.r.l, &x.r.opts, &n, &x.r.err));
    devmem_usage_end(x.r.mem);
    x.pilot.code_ran = true;
    x.pilot.code_since = 1;
    const double warm = pilot(&x, 5, 2).cycles;
    CU_ASSERT_TRUE(fabs(warm / real - 1) < 0.1);
    CU_ASSERT_TRUE(cold > 1.2 * real);
    ptxrun_close(&x.r);
}

/* A CTA of a few instructions waits for its code above all. yen2014 has no L2. */
static void a_pilot_finds_code_that_ran_before(void)
{
    struct rig x;
    rig_open(&x, "yen2014", HEADER KERNEL("add.u32 %r2, %r1, 1;"), 32, 15);
    const double cold = pilot(&x, 5, 1).cycles, real = second(&x.cfg, &x.r.l, 1);
    x.pilot.code_ran = true;
    x.pilot.code_since = (uint64_t)x.r.l.kernel->ninst * 8;
    const double warm = pilot(&x, 5, 1).cycles;
    CU_ASSERT_TRUE(fabs(warm / real - 1) < 0.1);
    CU_ASSERT_TRUE(cold > 1.2 * real);
    x.pilot.code_since = (uint64_t)x.cfg.mem.l1i.size + 1; /* others pushed it out */
    const double pushed = pilot(&x, 5, 1).cycles;
    CU_ASSERT_TRUE(pushed > 1.2 * warm && pushed < cold);
    ptxrun_close(&x.r);
}

/* A share is cut when CTAs have ended twice for each place and go on at the same rate. All are
 * alike: the rate is that of the rest, and what the beginning took more is known. */
static void a_long_launch_is_cut(void)
{
    for (int n = 1; n <= (SANITIZED ? 1 : 4); n++) {
        struct rig x;
        rig_open(&x, "yen2014", chain, 32, 15 * n * 20);
        const struct pilot_result whole = pilot(&x, 5, n);
        x.pilot.whole = false;
        const struct pilot_result cut = pilot(&x, 5, n);
        CU_ASSERT_EQUAL(whole.ctas, whole.share);
        CU_ASSERT_EQUAL(cut.share, whole.share);
        CU_ASSERT(cut.ctas >= 2 * 5 * (uint64_t)n && cut.ctas < whole.ctas / 2);
        CU_ASSERT_TRUE(cut.warp_insts < whole.warp_insts / 2);
        CU_ASSERT_TRUE(fabs(cut.cycles / whole.cycles - 1) < 0.01);
        ptxrun_close(&x.r);
    }
}

/* ... or that takes more than it may, which says nothing. */
static void what_takes_more_than_it_may_is_stopped(void)
{
    struct rig x;
    rig_open(&x, "yen2014", chain, 32, 15 * 2 * 6);
    const struct pilot_result all = pilot(&x, 5, 2);
    x.pilot.most_insts = 2e4;
    const struct pilot_result some = pilot(&x, 5, 2);
    CU_ASSERT_TRUE(some.stopped && !some.waits && !some.too_long);
    CU_ASSERT_TRUE(some.warp_insts > 20000 && some.warp_insts < 20000 + 2 * 5 * 3007);
    x.pilot.most_insts = (double)all.warp_insts;
    CU_ASSERT_FALSE(pilot(&x, 5, 2).stopped);
    ptxrun_close(&x.r);
}

/* Six CTAs a place are run to the end. */
static void a_short_launch_is_not_cut(void)
{
    struct rig x;
    rig_open(&x, "yen2014", chain, 32, 15 * 2 * 6);
    x.pilot.whole = false;
    const struct pilot_result p = pilot(&x, 5, 2);
    CU_ASSERT_EQUAL(p.ctas, p.share);
    CU_ASSERT_EQUAL(p.ctas, 5 * 2 * 6);
    ptxrun_close(&x.r);
}

static void memory_is_as_it_was(void)
{
    struct rig x;
    rig_open(&x, "yen2014", stores, 64, 450);
    const uint64_t before = whole_hash(x.r.mem, START_HASH);
    pilot(&x, 5, 2);
    pilot(&x, 15, 4);
    CU_ASSERT_EQUAL(whole_hash(x.r.mem, START_HASH), before);
    CU_ASSERT_EQUAL(ptxrun_u32(&x.r, 64), 0);
    ptxrun_close(&x.r);
}

/* All cores: one simulation of the launch, to the cycle, with whatever traffic. */
struct both {
    const struct gpu_cfg *cfg;
    int n, launches;
};

static bool both_ways(void *self, struct launch *l, struct err *e)
{
    struct both *b = self;
    const struct run_stats st = whole_stats(b->cfg, l, b->n);
    const struct pilot p = {
        .full = b->cfg, .cores = b->cfg->top.cores, .launch_insts = st.warp_insts, .whole = true};
    struct pilot_result out;
    CU_ASSERT_TRUE(pilot_run(&p, l, b->n, &out, e));
    CU_ASSERT_DOUBLE_EQUAL(out.cycles, (double)st.cycles, 1e-6);
    CU_ASSERT_EQUAL(out.warp_insts, st.warp_insts);
    CU_ASSERT_EQUAL(out.ctas, st.ctas);
    b->launches++;
    struct func_counts counts;
    return launch_init(l, e) && func_run(l, &(struct func_opts){0}, &counts, e);
}

static void all_cores_are_one_simulation(void)
{
    static const char *const gpus[] = {"yen2014", "kayiran2013"};
    static const char *const names[] = {"ssc", "transpose", "vecadd"};
    for (int g = SANITIZED; g < 2; g++)
        for (int i = 0; i < 3; i++) {
            struct err e = {""};
            const struct gpu_cfg cfg = whole_gpu(gpus[g], NULL);
            struct both b = {.cfg = &cfg, .n = 1 + i};
            const struct executor ex = {.launch = both_ways, .self = &b};
            struct target *t = target_open(names[i], NULL, &e);
            CU_ASSERT_TRUE(target_run(t, &ex, true, &e));
            CU_ASSERT_TRUE(b.launches > 0);
            target_free(t);
        }
}

struct side { /* the same launch at four degrees, by some threads */
    const struct rig *x;
    struct pilot_result at[4];
};

static bool one(void *user, int i, struct err *e)
{
    struct side *s = user;
    return pilot_run(&s->x->pilot, &s->x->r.l, i + 1, &s->at[i], e);
}

static void pilots_side_by_side_are_the_same(void)
{
    struct rig x;
    rig_open(&x, "yen2014", stores, 64, 900);
    x.pilot.cores = 5;
    struct side a = {.x = &x}, b = {.x = &x};
    struct err e = {""};
    CU_ASSERT_TRUE(pool_run(1, 4, one, &a, &e));
    CU_ASSERT_TRUE(pool_run(4, 4, one, &b, &e));
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(a.at[i].cycles, b.at[i].cycles);
        CU_ASSERT_EQUAL(a.at[i].warp_insts, b.at[i].warp_insts);
        CU_ASSERT_EQUAL(a.at[i].ctas, b.at[i].ctas);
    }
    CU_ASSERT_NOT_EQUAL(a.at[0].cycles, a.at[3].cycles);
    ptxrun_close(&x.r);
}

/* The address is in memory that the test frees before. */
static void a_fault_names_the_kernel(void)
{
    struct rig x;
    struct pilot_result p;
    struct err e = {""};
    rig_open(&x, "yen2014", stores, 64, 15);
    x.pilot.cores = 5;
    devmem_release(x.r.mem, x.r.in);
    CU_ASSERT_FALSE(pilot_run(&x.pilot, &x.r.l, 1, &p, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "kernel k, test.ptx:"));
    ptxrun_close(&x.r);
}

static void what_takes_too_long_is_an_error(void)
{
    struct rig x;
    struct pilot_result p;
    struct err e = {""};
    rig_open(&x, "yen2014", chain, 32, 15);
    x.pilot.cores = 5;
    x.pilot.max_cycles = 1000;
    CU_ASSERT_FALSE(pilot_run(&x.pilot, &x.r.l, 1, &p, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "kernel k"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "1000 cycles"));
    ptxrun_close(&x.r);
}

/* CTAs that wait for the one before them, of which a slice leaves two thirds out. */
static void who_waits_for_what_is_left_out_says_nothing(void)
{
    static const char waits[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5;\n"
        "setp.eq.u32 %p1, %r2, 0; @%p1 bra D;\n"
        "W: ld.volatile.global.u32 %r3, [%rd5+-4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W;\n"
        "D: mov.u32 %r4, 1; st.volatile.global.u32 [%rd5], %r4;");
    struct rig x;
    rig_open(&x, "yen2014", waits, 32, 60);
    const struct pilot_result p = pilot(&x, 5, 4);
    CU_ASSERT_TRUE(p.stopped);
    CU_ASSERT_EQUAL(p.cycles, 0);
    CU_ASSERT_TRUE(p.waits && !p.never_ends); /* it may be given what it waits for */
    CU_ASSERT_TRUE(p.ctas < p.share && p.warp_insts > 0 && p.warp_insts < 100000);
    const struct pilot_result all = pilot(&x, 15, 4);
    CU_ASSERT_TRUE(!all.stopped && all.cycles > 0 && all.ctas == 60);
    ptxrun_close(&x.r);
}

/* Time is looked at each 100,000 cycles. */
static void the_deadline_ends_it(void)
{
    struct rig x;
    rig_open(&x, "yen2014", chain, 32, 15 * 12);
    x.pilot.deadline = 1e-9; /* is over */
    const struct pilot_result p = pilot(&x, 5, 1);
    CU_ASSERT_TRUE(p.stopped && p.cycles == 0 && p.ctas < p.share);
    x.pilot.deadline = 1e9;
    CU_ASSERT_FALSE(pilot(&x, 5, 4).stopped);
    ptxrun_close(&x.r);
}

/* CTAs from 240 of 360 on divide where those before add, at a tenth of the rate. A share that is
 * cut before the first of them is met does not know; one that is spread does. */
static void an_uneven_launch_is_seen_all_over(void)
{
    static const char late[] =
        HEADER KERNEL("mov.u32 %r2, 0; mov.u32 %r4, %ctaid.x; setp.lt.u32 %p2, %r4, 240;\n"
                      "@!%p2 bra S;\n"
                      "L: add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1;\n"
                      "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 100; @%p1 bra L; bra E;\n"
                      "S: div.rn.f64 %fd1, %fd1, %fd2; div.rn.f64 %fd1, %fd1, %fd2;\n"
                      "div.rn.f64 %fd1, %fd1, %fd2; add.u32 %r2, %r2, 1;\n"
                      "setp.lt.u32 %p1, %r2, 100; @%p1 bra S; E:");
    struct rig x;
    rig_open(&x, "yen2014", late, 32, 360);
    const double whole = pilot(&x, 5, 1).cycles;
    x.pilot.whole = false;
    CU_ASSERT_TRUE(pilot(&x, 5, 1).cycles < 0.7 * whole);
    x.pilot.uneven = true;
    const struct pilot_result p = pilot(&x, 5, 1);
    CU_ASSERT_TRUE(fabs(p.cycles / whole - 1) < 0.15);
    ptxrun_close(&x.r);
}

/* CTA 190 of 360 adds 100 times as long as each of the others. A share without it, or one that is
 * cut before, knows nothing of it; with it the slice takes what the GPU takes. */
static void a_launch_that_ends_with_its_longest_cta(void)
{
    static const char one_long[] =
        HEADER KERNEL("mov.u32 %r2, 0; mov.u32 %r4, %ctaid.x; setp.eq.u32 %p2, %r4, 190;\n"
                      "selp.u32 %r5, 2000, 20, %p2;\n"
                      "L: add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1;\n"
                      "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r5; @%p1 bra L;");
    struct rig x;
    rig_open(&x, "yen2014", one_long, 32, 360);
    for (int n = 1; n <= 8; n += 7) {
        const double all = (double)whole_stats(&x.cfg, &x.r.l, n).cycles;
        x.pilot.longest_bounds = x.pilot.whole = false;
        CU_ASSERT_TRUE(pilot(&x, 5, n).cycles < 0.5 * all);
        x.pilot.longest_bounds = true;
        x.pilot.longest = 190;
        CU_ASSERT_TRUE(fabs(pilot(&x, 5, n).cycles / all - 1) < 0.02);
    }
    ptxrun_close(&x.r);
}

/* 3000 items, drawn one by one: those of a third of the GPU would draw all, too, and take three
 * times as long. They are done with a third. */
static void ctas_that_draw_work_are_done_with_their_part(void)
{
    static const char draws[] = HEADER KERNEL(
        "TAKE: atom.global.add.u32 %r2, [%rd1], 1; setp.ge.u32 %p1, %r2, 3000; @%p1 bra END;\n"
        "mov.u32 %r4, 0;\n"
        "L: add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r4, %r4, 1;\n"
        "setp.lt.u32 %p2, %r4, 60; @%p2 bra L; bra.uni TAKE;\nEND:");
    struct rig x;
    rig_open(&x, "yen2014", draws, 1, 60);
    x.pilot.whole = false;
    x.pilot.draws = true;
    const double all = (double)whole_stats(&x.cfg, &x.r.l, 4).cycles;
    const struct pilot_result p = pilot(&x, 5, 4);
    CU_ASSERT_DOUBLE_EQUAL(p.cycles / all, 1, 0.1);
    CU_ASSERT_DOUBLE_EQUAL((double)p.warp_insts / (double)x.pilot.launch_insts, 1.0 / 3, 0.02);
    ptxrun_close(&x.r);
}

/* CTA 200 of 360 adds 1000 times as long as each of the others, 300,000 instructions. When these
 * have ended a quarter of it tells. */
static void a_very_long_cta_is_cut(void)
{
    static const char one_long[] =
        HEADER KERNEL("mov.u32 %r2, 0; mov.u32 %r4, %ctaid.x; setp.eq.u32 %p2, %r4, 200;\n"
                      "selp.u32 %r5, 50000, 50, %p2;\n"
                      "L: add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1;\n"
                      "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r5; @%p1 bra L;");
    struct rig x;
    rig_open(&x, "yen2014", one_long, 32, 360);
    const double all = (double)whole_stats(&x.cfg, &x.r.l, 8).cycles;
    x.pilot.whole = false;
    x.pilot.longest_bounds = true;
    x.pilot.longest = 200;
    x.pilot.longest_insts = 300000;
    const struct pilot_result p = pilot(&x, 5, 8);
    CU_ASSERT_EQUAL(p.ctas, 119);
    CU_ASSERT_TRUE(p.warp_insts < x.pilot.launch_insts / 2);
    CU_ASSERT_DOUBLE_EQUAL(p.cycles / all, 1, 0.02);
    ptxrun_close(&x.r);
}

/* Each thread counts in one word, on a GPU with L2 and one without; each CTA writes 4 lines that
 * lie in one partition, as all do for some rows. A slice has as many times fewer of them as it has
 * cores, and takes what the GPU takes. */
static void one_partition_is_no_faster_on_a_slice(void)
{
    static const char count[] =
        HEADER KERNEL("mov.u32 %r2, 0; L: atom.global.add.u32 %r5, [%rd1], 1;\n"
                      "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4; @%p1 bra L;");
    static const char rows[] =
        HEADER KERNEL("mov.u32 %r2, %ctaid.x; shr.u32 %r2, %r2, 4; mul.lo.u32 %r2, %r2, 128;\n"
                      "mul.lo.u32 %r3, %r1, 7680; add.u32 %r3, %r3, %r2; cvt.u64.u32 %rd5, %r3;\n"
                      "add.u64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r3;");
    static const struct {
        const char *gpu, *text;
        double within;
    } row[] = {{"yen2014", count, 0.1},
               {"park2015", count, 0.1},
               {"kayiran2013", count, 0.35},
               {"yen2014", rows, 0.3}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i += SANITIZED ? 3 : 1) {
        struct rig x;
        rig_open(&x, row[i].gpu, row[i].text, 64, 480);
        const int cores = scale_model_slice(&x.cfg, &sampling_or_default(NULL)->pilot);
        const double all = (double)whole_stats(&x.cfg, &x.r.l, 4).cycles;
        const struct pilot_result p = pilot(&x, cores, 4);
        CU_ASSERT_TRUE(fabs(p.cycles / all - 1) < row[i].within);
        x.pilot.camping = false;
        CU_ASSERT_TRUE(pilot(&x, cores, 4).cycles < p.cycles);
        ptxrun_close(&x.r);
    }
}

/* Each CTA writes 64 x 16 lines of one partition, as its four neighbours do; 60 at once write to
 * all six partitions alike. The 20 of a slice come from four places of the grid: by chance they
 * write to some partitions more than to others. */
static void chance_makes_no_slice_slower(void)
{
    static const char columns[] =
        HEADER KERNEL("mov.u32 %r2, %ctaid.x; div.u32 %r3, %r2, 5; rem.u32 %r3, %r3, 6;\n"
                      "shl.b32 %r3, %r3, 8; mul.lo.u32 %r4, %r1, 1536; add.u32 %r3, %r3, %r4;\n"
                      "mov.u32 %r5, 0; cvt.u64.u32 %rd5, %r3; add.u64 %rd5, %rd1, %rd5;\n"
                      "L: st.global.u32 [%rd5], %r3; add.u64 %rd5, %rd5, 98304;\n"
                      "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 16; @%p1 bra L;");
    struct rig x;
    rig_open(&x, "yen2014", columns, 64, 480);
    const double all = (double)whole_stats(&x.cfg, &x.r.l, 4).cycles;
    CU_ASSERT_TRUE(pilot(&x, 5, 4).cycles > 1.3 * all);
    x.pilot.camping = false;
    CU_ASSERT_DOUBLE_EQUAL(pilot(&x, 5, 4).cycles / all, 1, 0.15);
    ptxrun_close(&x.r);
}

SUITE("pilot simulations", T(one_partition_is_no_faster_on_a_slice),
      T(chance_makes_no_slice_slower), T(a_launch_that_ends_with_its_longest_cta),
      T(without_memory_a_slice_takes_what_the_gpu_takes),
      T(a_launch_is_extrapolated_by_its_instructions), T(a_pilot_finds_what_was_left_in_l2),
      T(a_pilot_finds_code_that_ran_before), T(a_long_launch_is_cut),
      T(what_takes_more_than_it_may_is_stopped), T(a_short_launch_is_not_cut),
      T(memory_is_as_it_was), T(all_cores_are_one_simulation), T(pilots_side_by_side_are_the_same),
      T(a_fault_names_the_kernel), T(what_takes_too_long_is_an_error),
      T(who_waits_for_what_is_left_out_says_nothing), T(the_deadline_ends_it),
      T(an_uneven_launch_is_seen_all_over), T(ctas_that_draw_work_are_done_with_their_part),
      T(a_very_long_cta_is_cut))
