/* What bounds launches without a window: what was counted while they were simulated tells. */
#include "tests/sampler/launch_rig.h"

/* A loop of 200 rounds. */
#define ROUNDS(body)                                                                       \
    HEADER KERNEL("mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0;\n"      \
                  "mov.f32 %f1, 0f3f000000;\nLOOP: add.u32 %r2, %r2, 1;\n" body            \
                  "setp.lt.u32 %p1, %r2, 200; @%p1 bra LOOP; st.global.u32 [%rd3], %r3;\n" \
                  "st.global.f32 [%rd3+4096], %f1;")
#define ADDS "add.u32 %r3, %r3, 1; add.u32 %r4, %r4, 1; add.u32 %r5, %r5, 1;\n"
#define SINES                                                                      \
    "sin.approx.f32 %f2, %f1; cos.approx.f32 %f3, %f1; ex2.approx.f32 %f4, %f1;\n" \
    "sin.approx.f32 %f5, %f1; cos.approx.f32 %f6, %f1; ex2.approx.f32 %f7, %f1;\n"

/* Each thread reads four words that lie 128 bytes apart, as the threads do: a line for each. */
#define READ(at) "ld.global.u32 %r4, [%rd5+" at "]; add.u32 %r5, %r5, %r4;\n"
static const char stream[] =
    HEADER KERNEL("mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1; mov.u32 %r5, 0;\n"
                  "mul.wide.u32 %rd5, %r3, 512; add.u64 %rd5, %rd1, %rd5;\n" READ("0") READ("128")
                      READ("256") READ("384") "st.global.u32 [%rd5], %r5;");

/* Simulated at every degree. */
static struct prediction searched(const char *text, const char *const *settings, int ctas,
                                  struct sample *d)
{
    struct rig x;
    struct prediction p;
    rig_with(&x, text, settings, ctas);
    x.o.effort = EFFORT_THOROUGH;
    begin_sample(&x);
    CU_ASSERT_TRUE_FATAL(sample_waiting(&x.cfg, &x.o, &x.facts, &x.r.l, &x.d, &x.cost, &x.e));
    CU_ASSERT_TRUE(sample_whole(&x.d));
    model_searched(&x.d, &p);
    *d = x.d;
    ptxrun_close(&x.r);
    return p;
}

/* 120 CTAs of two warps on 15 cores of two schedulers, of which a scheduler has one warp of one CTA
 * and eight of eight. */
static void units_and_latency_bound_what_computes(void)
{
    static const struct {
        const char *text, *one, *eight;
    } of[] = {{ROUNDS(ADDS), "latency", "issue"}, {ROUNDS(SINES), "latency", "execution units"}};
    for (int i = SANITIZED; i < 2; i++) {
        struct sample d;
        const struct prediction p = searched(of[i].text, NULL, 120, &d);
        CU_ASSERT_STRING_EQUAL(p.bound[1], of[i].one);
        CU_ASSERT_STRING_EQUAL(p.bound[8], of[i].eight);
        for (int n = 1; n <= 8; n++)
            CU_ASSERT_EQUAL(d.pilot_miss_rate[n - 1], 0);
    }
}

static void dram_bounds_what_reads(void)
{
    struct sample d;
    const struct prediction p = searched(stream, NULL, 120, &d);
    CU_ASSERT_STRING_EQUAL(p.bound[8], "DRAM bandwidth");
    CU_ASSERT_DOUBLE_EQUAL(d.pilot_miss_rate[7], 1, 1e-9);
}

/* Of four CTAs on a core the others wait until the one that counts has gone round its loop. */
static void waiting_bounds_what_meets(void)
{
    static const char text[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra WAIT; mov.u32 %r6, 0;\n"
        "LOOP: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 500; @%p2 bra LOOP;\n"
        "mov.u32 %r7, 1; st.volatile.global.u32 [%rd1], %r7; membar.gl;\n"
        "WAIT: setp.ne.u32 %p4, %r1, 0; @%p4 bra MET;\n"
        "LOOK: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p3, %r3, 0; @%p3 bra LOOK;\n"
        "MET: bar.sync 0;");
    struct sample d;
    const struct prediction p = searched(text, NULL, 60, &d);
    CU_ASSERT_STRING_EQUAL(p.bound[4], "CTAs that wait");
    CU_ASSERT_STRING_EQUAL(p.bound[5], "CTAs that wait"); /* no core gets five: as with four */
}

/* One of 30 CTAs goes round its loop ten times as often as all others together do on a core. */
static void the_longest_cta_bounds_what_waits_for_it(void)
{
    static const char text[] =
        HEADER KERNEL("mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 3; mov.u32 %r3, 50;\n"
                      "@%p1 mov.u32 %r3, 1000; mov.u32 %r4, 0;\n"
                      "LOOP: add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, %r3; @%p2 bra LOOP;");
    struct sample d;
    const struct prediction p = searched(text, NULL, 30, &d);
    CU_ASSERT_STRING_EQUAL(p.bound[1], "longest CTA");
    CU_ASSERT_STRING_EQUAL(p.bound[2], "longest CTA");
}

/* Beside a window, too, but not in a profile, which has pilots for their cycles. */
static void pilots_note_what_bounds_them(void)
{
    for (int every = 0; every < 2; every++) {
        struct rig x;
        rig_open(&x, NULL, 450);
        x.o.every_pilot = every;
        taken(&x);
        CU_ASSERT_FALSE(sample_searched(&x.d));
        CU_ASSERT_TRUE(x.d.pilot_cycles[7] > 0);
        for (int i = 0; i < SAMPLE_DEGREES; i++)
            CU_ASSERT_EQUAL(x.d.pilot_bound[i] > 0, !every && x.d.pilot_cycles[i] > 0);
        ptxrun_close(&x.r);
    }
}

SUITE("sample_bound", T(units_and_latency_bound_what_computes), T(dram_bounds_what_reads),
      T(waiting_bounds_what_meets), T(the_longest_cta_bounds_what_waits_for_it),
      T(pilots_note_what_bounds_them))
