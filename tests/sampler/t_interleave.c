/* One core, an L1D of one set of four lines of 128 bytes, CTAs of one warp. Each thread reads 16
 * bytes, a CTA four lines. */
#include "sampler/window/interleave.h"

#include <math.h>

#include "sim/gpu/gpu.h"
#include "tests/func/ptxrun.h"

#define OWN_LINES  "mov.u32 %r2, %ctaid.x; shl.b32 %r2, %r2, 9;"
#define SAME_LINES "mov.u32 %r2, 0;"
#define ADDRESS \
    "shl.b32 %r3, %r1, 4; add.u32 %r2, %r2, %r3; cvt.u64.u32 %rd5, %r2; add.s64 %rd5, %rd2, %rd5;"
#define LOAD  "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd5];"
#define AGAIN "ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%rd5];"
#define USE   "add.u32 %r4, %r4, %r5;"
#define STORE "st.global.v4.u32 [%rd5], {%r4, %r5, %r6, %r7};"

static struct gpu_cfg small_gpu(const char *scheduler)
{
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    cfg.top.cores = 1;
    cfg.sm.schedulers = 1;
    cfg.mem.l1d.size = 512;
    cfg.mem.l1d.ways = 4;
    snprintf(cfg.sm.warp_scheduler, sizeof cfg.sm.warp_scheduler, "%s", scheduler);
    return cfg;
}

static struct interleaved measured(const char *scheduler, double step, const char *text, int ctas,
                                   int n)
{
    struct ptxrun r;
    struct gpu_cfg cfg = small_gpu(scheduler);
    const struct interleave v = {&cfg, {400, 0}, step};
    struct warp_streams s;
    ptxrun_open(&r, text, 32, 8192);
    r.l.grid[0] = ctas;
    CU_ASSERT_EQUAL(r.in % 128, 0);
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    warp_streams_init(&s, &cfg, &r.l);
    for (uint64_t i = 0; i < (uint64_t)ctas; i++)
        warp_streams_add(&s, &r.l, i, 1000);
    CU_ASSERT_EQUAL(s.ctas, ctas);
    const struct interleaved m = interleave_run(&v, &s, n, ctas);
    warp_streams_fini(&s);
    ptxrun_close(&r);
    return m;
}

static double misses(const char *text, int ctas, int n)
{
    const double gto = measured("gto", 4, text, ctas, n).l1d_misses;
    CU_ASSERT_EQUAL(measured("lrr", 4, text, ctas, n).l1d_misses, gto);
    return gto;
}

/* Four misses, then four hits, as often as a CTA comes; two at once take each other's lines away
 * while they wait. */
static void two_at_once_take_each_others_lines_away(void)
{
    static const char text[] = HEADER KERNEL(OWN_LINES ADDRESS LOAD USE LOAD USE);
    CU_ASSERT_EQUAL(misses(text, 1, 1), 4);
    CU_ASSERT_EQUAL(misses(text, 4, 1), 4);
    CU_ASSERT_EQUAL(misses(text, 4, 2), 8);
}

/* What one CTA has loaded the others find: 4 misses of 4 CTAs, one after another or at once. */
static void shared_lines_are_missed_once(void)
{
    static const char text[] = HEADER KERNEL(SAME_LINES ADDRESS LOAD USE LOAD USE);
    CU_ASSERT_EQUAL(misses(text, 4, 1), 1);
    CU_ASSERT_EQUAL(misses(text, 4, 4), 1);
}

/* A global store goes through, and its lines leave. */
static void a_store_takes_its_lines_away(void)
{
    static const char text[] = HEADER KERNEL(OWN_LINES ADDRESS LOAD USE STORE LOAD USE);
    CU_ASSERT_EQUAL(misses(text, 1, 1), 8);
}

/* Nothing waits for the first load. A warp that can go on at once keeps its turn by "gto", and
 * finds the lines on their way, which no other CTA can take; by "lrr" the other's first load comes
 * between, and waits until it can. */
static void lines_on_their_way_stay(void)
{
    static const char text[] = HEADER KERNEL(OWN_LINES ADDRESS LOAD AGAIN USE);
    CU_ASSERT_EQUAL(misses(text, 2, 1), 4);
    CU_ASSERT_EQUAL(measured("gto", 0.5, text, 2, 2).l1d_misses, 4);
    CU_ASSERT_EQUAL(measured("ccws", 0.5, text, 2, 2).l1d_misses, 4); /* greedy, too */
    CU_ASSERT_EQUAL(measured("lrr", 0.5, text, 2, 2).l1d_misses, 8);
}

/* Code of one CTA is there for all: its lines of 16 instructions, of 8 CTAs. */
static void code_is_missed_once(void)
{
    static const char text[] = HEADER KERNEL(OWN_LINES ADDRESS LOAD USE LOAD USE);
    const double one = measured("gto", 4, text, 1, 1).l1i_misses;
    CU_ASSERT_EQUAL(one, 1); /* 5 of the head, 5 to the address, 4, and the return: 15 */
    CU_ASSERT_EQUAL(measured("gto", 4, text, 8, 4).l1i_misses, 1 / 8.0);
}

/* Of 8 CTAs that a core gets 4 are followed, two at once: the first two find nothing, and stand for
 * a quarter of them; the other two find what those have left, and stand for the rest. */
static void later_ctas_stand_for_all_that_follow(void)
{
    static const char text[] = HEADER KERNEL(SAME_LINES ADDRESS LOAD USE);
    struct ptxrun r;
    struct gpu_cfg cfg = small_gpu("gto");
    const struct interleave v = {&cfg, {400, 0}, 4};
    struct warp_streams s;
    ptxrun_open(&r, text, 32, 8192);
    r.l.grid[0] = 8;
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    warp_streams_init(&s, &cfg, &r.l);
    for (uint64_t i = 0; i < 4; i++)
        warp_streams_add(&s, &r.l, i, 1000);
    CU_ASSERT_EQUAL(interleave_run(&v, &s, 2, 8).l1d_misses, 0.25 * 2);
    warp_streams_fini(&s);
    ptxrun_close(&r);
}

/* The sample: 8 requests a CTA, no store, 4 lines more with each CTA. */
static void a_sample_has_what_a_cta_asks_for(void)
{
    static const char text[] = HEADER KERNEL(OWN_LINES ADDRESS LOAD USE LOAD USE);
    struct ptxrun r;
    struct gpu_cfg cfg = small_gpu("gto");
    struct sample d = {.n_max = 2, .mf_latency = 400, .warps_per_cta = 1, .schedulers = 2};
    ptxrun_open(&r, text, 32, 8192);
    r.l.grid[0] = 4;
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    const uint64_t insts =
        interleave_measure(&cfg, &r.l, 0, 0, &sampling_or_default(NULL)->window, &d);
    CU_ASSERT_EQUAL(d.followed_insts * 4, (double)insts);
    CU_ASSERT_EQUAL(d.load_lines, 8);
    CU_ASSERT_EQUAL(d.store_lines, 0);
    CU_ASSERT_EQUAL(d.next_lines, 4);
    CU_ASSERT_EQUAL(d.l1d_misses_at[0], 4);
    CU_ASSERT_EQUAL(d.l1d_misses_at[1], 8);
    CU_ASSERT_EQUAL(d.l1d_misses_at[2], 0);
    ptxrun_close(&r);
}

/* Warps of four to a CTA read at random from tables of 1 KB of their own: those of two CTAs at once
 * fit L1D, those of eight do not. */
#define TABLES                                                                          \
    "mov.u32 %r2, %ctaid.x; shl.b32 %r2, %r2, 7; add.u32 %r2, %r2, %r1;"                \
    "shr.u32 %r3, %r2, 5; mul.wide.u32 %rd5, %r3, 1024; add.s64 %rd5, %rd1, %rd5;"      \
    "mul.lo.u32 %r4, %r1, 977; add.u32 %r4, %r4, %r3; mov.u32 %r5, 40; mov.u32 %r6, 0;" \
    "again: mul.lo.u32 %r4, %r4, 1664525; add.u32 %r4, %r4, 1013904223;"                \
    "shr.u32 %r7, %r4, 24; mul.wide.u32 %rd6, %r7, 4; add.s64 %rd6, %rd5, %rd6;"        \
    "ld.global.u32 %r8, [%rd6]; add.u32 %r6, %r6, %r8; sub.u32 %r5, %r5, 1;"            \
    "setp.ne.u32 %p1, %r5, 0; @%p1 bra again; st.global.u32 [%rd3], %r6;"
enum { TABLE_CTAS = 24 };

static double simulated_misses(const struct gpu_cfg *cfg, struct ptxrun *r, int n)
{
    const struct gpu_opts o = {.n = n, .only_core = -1};
    struct run_stats st = {0};
    struct gpu *g = gpu_new(cfg, &r->err);
    CU_ASSERT_TRUE(g && gpu_launch(g, &r->l, &o, &st, &r->err));
    gpu_free(g);
    return (double)st.l1d_misses / TABLE_CTAS;
}

/* As many, within two fifths. */
static void tables_that_do_not_fit_are_missed_as_in_the_simulator(void)
{
    static const char text[] = HEADER KERNEL(TABLES);
    struct gpu_cfg cfg;
    struct ptxrun r;
    struct warp_streams s;
    gpu_cfg_default(&cfg);
    cfg.top.cores = 1;
    const struct interleave v = {&cfg, {300, 2}, 12};
    ptxrun_open(&r, text, 128, TABLE_CTAS * 4 * 1024);
    r.l.grid[0] = TABLE_CTAS;
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    warp_streams_init(&s, &cfg, &r.l);
    for (uint64_t i = 0; i < TABLE_CTAS; i++)
        warp_streams_add(&s, &r.l, i, 100000);
    for (int n = 1; n <= 8; n++) {
        const double by_tags = interleave_run(&v, &s, n, TABLE_CTAS).l1d_misses,
                     simulated = simulated_misses(&cfg, &r, n);
        if (!(fabs(log(by_tags / simulated)) < 0.35))
            printf("\n  n = %d: %.1f, simulated %.1f\n", n, by_tags, simulated);
        CU_ASSERT(fabs(log(by_tags / simulated)) < 0.35);
    }
    warp_streams_fini(&s);
    ptxrun_close(&r);
}

SUITE("interleave", T(tables_that_do_not_fit_are_missed_as_in_the_simulator),
      T(two_at_once_take_each_others_lines_away), T(shared_lines_are_missed_once),
      T(a_store_takes_its_lines_away), T(lines_on_their_way_stay), T(code_is_missed_once),
      T(later_ctas_stand_for_all_that_follow), T(a_sample_has_what_a_cta_asks_for))
