/* Launches replayed whole take as long as the simulator says: kernels that each lean on one part of
 * a core, or of what lies behind it, on three GPUs. The launch is the second one of two, so that
 * its code is there on both sides. Where several warps compete the order in which two of them go
 * may be another one, and stay so: hence the bounds, about twice what is measured. */
#include "sampler/replay.h"

#include "tests/sampler/traced.h"

#define BEGIN  "mov.u32 %r20, 0;\nL: "
#define END(n) "add.s32 %r20, %r20, 1; setp.lt.u32 %p9, %r20, " #n "; @%p9 bra L;\n"

static const char *const gpus[] = {"yen2014", "park2015", "kayiran2013"};

struct launched {
    const char *setting;
    int ctas, threads, n;
};

static double simulated(const struct traced *x, int n)
{
    struct err e = {""};
    struct run_stats s[2] = {{0}};
    struct launch l = x->run.l;
    const struct gpu_opts o = {.n = n, .only_core = -1};
    struct gpu *g = gpu_new(&x->cfg, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_TRUE_FATAL(gpu_launch(g, &l, &o, &s[i], &e));
    gpu_free(g);
    return (double)s[1].cycles;
}

static double replayed(const struct traced *x, int n)
{
    const struct replay_opts o = {.n = n, .whole = true, .first = 1 % x->cfg.top.cores};
    struct replay_result r;
    struct replay *p = replay_new(&x->cfg, &o);
    for (int i = 0; i < 2; i++)
        replay_run(p, &x->t, x->t.ctas, &r);
    replay_free(p);
    return r.cycles;
}

/* within: of the simulator's cycles. */
static void takes_as_long_on(const char *body, const char *const *settings, struct launched a,
                             double within)
{
    for (int i = 0; i < 3; i++) {
        struct traced x;
        traced_on(&x, gpus[i], body, settings,
                  (struct traced_shape){.ctas = a.ctas, .threads = a.threads, .want = a.ctas});
        const double ratio = replayed(&x, a.n) / simulated(&x, a.n);
        CU_ASSERT_DOUBLE_EQUAL(ratio, 1, within);
        if (ratio < 1 - within || ratio > 1 + within)
            printf("\n  %s: %.4f of what is simulated\n", gpus[i], ratio);
        traced_close(&x);
    }
}

static void takes_as_long(const char *body, struct launched a, double within)
{
    takes_as_long_on(body, (const char *const[]){a.setting, NULL}, a, within);
}

static const char arithmetic[] =
    BEGIN "add.s32 %r2, %r2, %r1; mul.lo.s32 %r2, %r2, 3; sin.approx.f32 %f1, %f1;\n"
          "mad.lo.s32 %r3, %r2, %r2, %r3; add.f32 %f1, %f1, %f1;\n" END(200);

static void one_warp(void)
{
    takes_as_long(arithmetic, (struct launched){"cores=1", 1, 32, 1}, 0.0005);
}

static void warps_share_units_and_banks(void)
{
    takes_as_long(arithmetic, (struct launched){"cores=1", 4, 256, 2}, 0.008);
}

/* Lanes take both ways, and what was fetched behind the branches is of no use. */
static void branches(void)
{
    takes_as_long(BEGIN "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra M;\n"
                        "add.s32 %r3, %r3, 1; mul.lo.s32 %r3, %r3, 5; bra N;\n"
                        "M: sub.s32 %r3, %r3, 1;\n"
                        "N: add.s32 %r4, %r4, %r3;\n" END(100),
                  (struct launched){"cores=1", 3, 128, 3}, 0.015);
}

#define OWN_WORDS                                                             \
    ".shared .align 4 .b8 s[4096]; mov.u32 %r5, s; mul.lo.u32 %r6, %r1, 8;\n" \
    "and.b32 %r6, %r6, 2047; add.s32 %r5, %r5, %r6;\n"

static void shared_memory_and_its_atomics(void)
{
    takes_as_long(OWN_WORDS BEGIN
                  "ld.shared.u32 %r2, [%r5]; add.s32 %r2, %r2, 1; st.shared.u32 [%r5], %r2;\n"
                  "add.s32 %r7, %r7, %r2; atom.shared.add.u32 %r3, [%r5], 1;\n"
                  "add.s32 %r4, %r4, %r3;\n" END(50),
                  (struct launched){"cores=1", 4, 128, 2}, 0.03);
}

static void barriers(void)
{
    takes_as_long(OWN_WORDS BEGIN "ld.shared.u32 %r2, [%r5]; add.s32 %r2, %r2, 1;\n"
                                  "bar.sync 0; add.s32 %r4, %r4, %r2;\n" END(50),
                  (struct launched){"cores=1", 2, 64, 2}, 0.02);
}

static void many_instructions(char *at, int n)
{
    at += sprintf(at, "%s", BEGIN);
    for (int i = 0; i < n; i++)
        at += sprintf(at, "add.s32 %%r%d, %%r%d, 1;\n", 2 + i % 8, 2 + i * 3 % 8);
    sprintf(at, "%s", END(6));
}

/* Again and again, of which L1I holds fewer. */
static void code_that_does_not_fit(void)
{
    static char body[32768];
    many_instructions(body, 700);
    takes_as_long(body, (struct launched){"cores=1", 4, 96, 4}, 0.002);
}

/* Each warp reads and writes 40 lines of its own, and reads as many of all. */
static const char lines[] =
    "mov.u32 %r9, %ctaid.x; mov.u32 %r8, %ntid.x; mad.lo.u32 %r9, %r9, %r8, %r1;\n"
    "mul.wide.u32 %rd5, %r9, 4; add.s64 %rd5, %rd5, %rd1;\n" BEGIN
    "ld.global.u32 %r2, [%rd5]; ld.global.u32 %r3, [%rd1]; add.s32 %r4, %r2, %r3;\n"
    "st.global.u32 [%rd5], %r4; add.s64 %rd5, %rd5, 8192; add.s64 %rd1, %rd1, 128;\n" END(40);

static void lines_of_a_few_cores(void)
{
    takes_as_long(lines, (struct launched){"cores=3", 12, 64, 2}, 0.03);
}

static void lines_of_all_cores(void)
{
    takes_as_long(lines, (struct launched){NULL, 60, 128, 4}, 0.05);
}

#define OWN_LINES "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd5, %rd1; add.s64 %rd6, %rd5, 1024;\n"

/* Behind loads, and behind stores, for which a fence waits or not, as the setting says. */
static void fences(void)
{
    static const char *const stores[] = {"fence_stores=true", "fence_stores=false"};
    for (int i = 0; i < 2; i++) {
        takes_as_long(OWN_LINES BEGIN "st.global.u32 [%rd5], %r1; membar.gl;\n"
                                      "add.s32 %r3, %r3, 1; add.s32 %r3, %r3, 2;\n" END(50),
                      (struct launched){stores[i], 1, 32, 1}, 0.01);
        takes_as_long(OWN_LINES BEGIN "ld.global.cg.u32 %r2, [%rd6]; membar.gl;\n"
                                      "add.s32 %r3, %r3, %r2; st.global.u32 [%rd5], %r3;\n"
                                      "membar.gl; add.s32 %r3, %r3, 2;\n" END(50),
                      (struct launched){stores[i], 1, 64, 1}, 0.01);
    }
}

/* Each takes its unit for longer than all that fits in front of it can be remembered for cheaply.
 */
static void divisions(void)
{
    takes_as_long(BEGIN "div.rn.f64 %fd1, %fd1, 0d4008000000000000;\n"
                        "div.rn.f64 %fd2, %fd2, 0d4008000000000000; add.s32 %r3, %r3, 1;\n" END(20),
                  (struct launched){"cores=1", 4, 256, 2}, 0.01);
}

/* The block that is fetched holds up all others for so long. */
static void slow_fetches(void)
{
    takes_as_long(arithmetic, (struct launched){"l1i.hit_latency=7", 1, 32, 1}, 0.002);
    takes_as_long(arithmetic, (struct launched){"l1i.hit_latency=7", 2, 256, 2}, 0.02);
}

/* Without an L1I, and with one miss at a time, which others wait for. */
static void code_from_memory(void)
{
    static char body[32768];
    many_instructions(body, 300);
    takes_as_long(body, (struct launched){"l1i.enabled=false", 1, 96, 1}, 0.05);
    takes_as_long(body, (struct launched){"l1i.mshrs=1", 1, 96, 1}, 0.05);
}

/* Cores 0 to 2 and 3 to 5 share ports, 6 has one for itself. */
static void clusters(void)
{
    static const char *const sizes[] = {"cores=7", "cluster_size=3", NULL};
    takes_as_long_on(lines, sizes, (struct launched){NULL, 14, 64, 2}, 0.05);
}

/* Each thread walks through 32 words of its own, and writes what it has read: lines of L1D that
 * CTAs of a core take from each other, and that go back to DRAM when they are dirty. Where CTAs lie
 * is by core and slot, and how far a thread's words are apart by how many slots there are. */
static void local_memory(void)
{
    static const char walk[] =
        ".local .align 4 .b8 own[128]; mov.u64 %rd5, own; and.b32 %r2, %r1, 31;\n" BEGIN
        "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd6, %rd5, %rd6; ld.local.u32 %r3, [%rd6];\n"
        "add.s32 %r2, %r2, 5; and.b32 %r2, %r2, 31; add.s32 %r4, %r3, %r2;\n"
        "mul.wide.u32 %rd7, %r2, 4; add.s64 %rd7, %rd5, %rd7; st.local.u32 [%rd7], %r4;\n" END(24);
    for (int n = 1; n <= 8; n *= 2)
        takes_as_long(walk, (struct launched){"l1d.size=16384", 120, 64, n}, 0.03);
}

SUITE("replay and simulator", T(one_warp), T(fences), T(divisions), T(slow_fetches),
      T(code_from_memory), T(clusters), T(warps_share_units_and_banks), T(branches),
      T(shared_memory_and_its_atomics), T(barriers), T(code_that_does_not_fit),
      T(lines_of_a_few_cores), T(lines_of_all_cores), T(local_memory))
