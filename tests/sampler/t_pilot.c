/* A launch's share of CTAs on a scale model, and what it says of the whole launch. */
#include "sampler/pilot/pilot.h"

#include <math.h>

#include "base/pool.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

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

struct rig {
    struct gpu_cfg cfg;
    struct ptxrun r;
    struct pilot pilot;
};

static void rig_open(struct rig *x, const char *gpu, const char *text, int threads, int ctas)
{
    struct func_counts n;
    *x = (struct rig){.cfg = whole_gpu(gpu, NULL)};
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&x->r, text, threads, 4 << 20));
    x->r.l.grid[0] = ctas;
    CU_ASSERT_TRUE_FATAL(launch_init(&x->r.l, &x->r.err));
    struct launch copy = x->r.l;
    copy.mem = devmem_share(x->r.mem);
    CU_ASSERT_TRUE_FATAL(func_run(&copy, &x->r.opts, &n, &x->r.err));
    devmem_free(copy.mem);
    x->pilot = (struct pilot){.full = &x->cfg, .launch_insts = n.warp_insts, .whole = true};
}

static struct pilot_result pilot(struct rig *x, int cores, int n)
{
    struct pilot_result p;
    struct err e = {""};
    x->pilot.cores = cores;
    const bool ok = pilot_run(&x->pilot, &x->r.l, n, &p, &e);
    if (!ok)
        printf("\n  %s\n", e.msg);
    CU_ASSERT_TRUE_FATAL(ok);
    return p;
}

/* The same in one simulation of the whole GPU. */
static struct run_stats simulated(const struct gpu_cfg *cfg, const struct launch *l, int n)
{
    struct run_stats st = {0};
    struct err e = {""};
    struct gpu *g = gpu_new(cfg, &e);
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    CU_ASSERT_TRUE(gpu_launch(g, &copy, &(struct gpu_opts){.n = n, .only_core = -1}, &st, &e));
    devmem_free(copy.mem);
    gpu_free(g);
    return st;
}

/* The cores do the same on a slice as on the whole GPU, but for the code, which each fetches once:
 * some hundred cycles. Where CTAs take what one takes, T, whatever runs beside them, 12 CTAs a core
 * take 12 / n times T. */
static void without_memory_a_slice_takes_what_the_gpu_takes(void)
{
    static const char *const gpus[] = {"yen2014", "kayiran2013"};
    for (int g = 0; g < 2; g++) {
        struct rig x;
        rig_open(&x, gpus[g], chain, 32, 12 * whole_gpu(gpus[g], NULL).top.cores);
        const int cores = g ? 15 : 5;
        double once = 0;
        for (int n = 1; n <= 8; n = n < 4 ? n + 1 : 2 * n) {
            const struct pilot_result p = pilot(&x, cores, n);
            const double all = (double)simulated(&x.cfg, &x.r.l, n).cycles;
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

/* Of 16 CTAs the slice gets 5 and 1 more, of which the whole launch has 16 / 15 * 5 = 5.33: what
 * the share's instructions are too many its time is taken to be too long. */
static void a_launch_is_extrapolated_by_its_instructions(void)
{
    struct rig x;
    rig_open(&x, "yen2014", chain, 32, 16);
    const struct pilot_result p = pilot(&x, 5, 2);
    CU_ASSERT_EQUAL(p.share, 6);
    x.pilot.launch_insts *= 3;
    CU_ASSERT_DOUBLE_EQUAL(pilot(&x, 5, 2).cycles, 3 * p.cycles, 1e-6);
    struct rig y;
    rig_open(&y, "yen2014", chain, 32, 15);
    const double one = pilot(&y, 5, 2).cycles; /* a CTA on each core: so do the 6, two on one */
    CU_ASSERT_TRUE(fabs(p.cycles / (one * 5.3333 / 6) - 1) < 0.02);
    ptxrun_close(&y.r);
    ptxrun_close(&x.r);
}

/* A share is cut when CTAs have ended twice for each place and go on at the same rate. All are
 * alike: the rate is that of the rest, and what the beginning took more is known. */
static void a_long_launch_is_cut(void)
{
    for (int n = 1; n <= 4; n++) {
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
    const struct run_stats st = simulated(b->cfg, l, b->n);
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
    static const char *const names[] = {"nbf", "matmul", "vecadd"};
    for (int g = 0; g < 2; g++)
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

SUITE("pilot simulations", T(without_memory_a_slice_takes_what_the_gpu_takes),
      T(a_launch_is_extrapolated_by_its_instructions), T(a_long_launch_is_cut),
      T(a_short_launch_is_not_cut), T(memory_is_as_it_was), T(all_cores_are_one_simulation),
      T(pilots_side_by_side_are_the_same), T(a_fault_names_the_kernel),
      T(what_takes_too_long_is_an_error))
