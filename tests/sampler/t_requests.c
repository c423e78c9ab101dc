#include "sampler/window/requests.h"
#include "sim/sm/line_set.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

struct seen { /* transactions by path; of loads from local memory apart */
    struct requests req;
    uint64_t of[REQUEST_TEXTURE + 1], local_loads;
    addr_t first;
};

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct seen *c = user;
    requests_make(&c->req, w, s);
    if (c->req.path == REQUEST_NONE)
        return;
    c->of[c->req.path] += (uint64_t)c->req.n;
    c->local_loads += c->req.path == REQUEST_LOAD && s->space == SP_LOCAL ? (uint64_t)c->req.n : 0;
    c->first = c->req.t[0].addr;
}

/* Two warps run the body without timing and then, on the same memory, in detail. */
static struct seen both(const char *body, const char *const *settings, struct run_stats *st)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", settings);
    struct seen c = {.req.cfg = &cfg};
    struct gpu_opts o = {.n = 1, .only_core = 0, .max_cycles = 1000000};
    struct ptxrun r;
    char text[4096];
    KERNEL_TEXT(text, body);
    ptxrun_open(&r, text, 64, 65536);
    r.opts.on_step = on_step;
    r.opts.user = &c;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    struct gpu *g = gpu_new(&cfg, &r.err);
    *st = (struct run_stats){0};
    CU_ASSERT_TRUE(gpu_launch(g, &r.l, &o, st, &r.err));
    gpu_free(g);
    ptxrun_close(&r);
    return c;
}

/* &in[tid * 64]: 16 bytes every 64, two lanes a line of 128 */
#define APART "shl.b32 %r2, %r1, 6; cvt.u64.u32 %rd5, %r2; add.s64 %rd6, %rd1, %rd5;"

/* Per warp. Whole vectors: 32 lanes x 64 bytes apart = 16 lines. */
static void as_many_as_the_core_sends(void)
{
    static const char *const whole[] = {"vector_first_element=false", NULL};
    static const char *const halves[] = {"shared_parts=2", NULL};
    static const char *const small[] = {"l1d.line=64", "l1d.size=16384", NULL};
    static const struct {
        const char *body;
        const char *const *settings;
        uint64_t loads, stores; /* of both warps */
    } row[] = {
        {"ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd3], %r3;", NULL, 2, 2},
        {"ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd3], %r3;", halves, 4, 4},
        {"ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd3], %r3;", small, 4, 4},
        {APART "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd6];", NULL, 32, 0},
        /* words of 4 bytes, 4 apart, lie in one line; vectors of 16 bytes 4 lines, once aligned */
        {"mul.wide.u32 %rd5, %r1, 16; add.s64 %rd6, %rd1, %rd5; ld.global.v4.u32 {%r3, %r4, %r5, "
         "%r6}, [%rd6];",
         whole, 8, 0},
        /* bytes go in transactions of 32 */
        {"mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd1, %rd5; "
         "ld.global.u8 %r3, [%rd6];",
         NULL, 8, 0},
        {"setp.lt.u32 %p1, %r1, 40; @%p1 ld.global.u32 %r3, [%rd3];", NULL, 2, 0},
        {"setp.lt.u32 %p1, %r1, 32; @%p1 ld.global.u32 %r3, [%rd3];", NULL, 1, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct run_stats st;
        struct seen c = both(row[i].body, row[i].settings, &st);
        CU_ASSERT_EQUAL(c.of[REQUEST_LOAD], row[i].loads);
        CU_ASSERT_EQUAL(c.of[REQUEST_STORE], row[i].stores);
        CU_ASSERT_EQUAL(st.l1d_accesses, row[i].loads);
        CU_ASSERT_EQUAL(st.l1d_write_accesses, row[i].stores);
    }
}

/* Uncached and volatile loads; four lines of atomics, half a warp at a time. */
static void what_goes_past_l1d_is_told_apart(void)
{
    struct run_stats st;
    struct seen c = both("ld.global.cg.u32 %r3, [%rd3]; ld.volatile.global.u32 %r4, [%rd3];"
                         "ld.global.u32 %r5, [%rd3];",
                         NULL, &st);
    CU_ASSERT_EQUAL(c.of[REQUEST_PAST], 4);
    CU_ASSERT_EQUAL(c.of[REQUEST_LOAD], 2);
    CU_ASSERT_EQUAL(st.l1d_accesses, 2);
    CU_ASSERT_EQUAL(st.mem_reads, 4 + st.l1d_misses);
    c = both(APART "red.global.add.u32 [%rd6], 1;", NULL, &st);
    CU_ASSERT_EQUAL(c.of[REQUEST_PAST], st.mem_atomics);
    CU_ASSERT_EQUAL(c.of[REQUEST_PAST], 32);
}

/* A word of local memory of 32 lanes is a line; an 8-byte one is two. Words lie 15 cores x 64
 * threads x 4 bytes apart. */
static void local_memory_is_interleaved_by_thread(void)
{
    static const char body[] = ".local .align 8 .b8 a[64]; st.local.u32 [a+4], %r1; "
                               "ld.local.u32 %r2, [a+4]; ld.local.u64 %rd5, [a+8];";
    struct run_stats st;
    struct seen c = both(body, NULL, &st);
    CU_ASSERT_EQUAL(c.of[REQUEST_LOCAL_STORE], 2);
    CU_ASSERT_EQUAL(c.local_loads, 2 * (1 + 2));
    CU_ASSERT_EQUAL(st.l1d_accesses, 2 * (1 + 2));
    CU_ASSERT_EQUAL(c.first, (1ull << 62) + 128 + 3 * 15 * 64 * 4); /* word 3, the second warp */
}

/* ---- the first CTA of a workload's launches ---- */

struct counted {
    struct requests req;
    struct line_set loaded;
    uint64_t accesses; /* as the core's L1D counts them: loads, and local stores that hit */
};

static void count_step(void *user, const struct warp *w, const struct step *s)
{
    struct counted *c = user;
    requests_make(&c->req, w, s);
    for (int i = 0; i < c->req.n; i++) {
        const addr_t line = c->req.t[i].addr / 128;
        if (c->req.path == REQUEST_LOAD)
            line_set_add(&c->loaded, line);
        c->accesses += c->req.path == REQUEST_LOAD ||
                       (c->req.path == REQUEST_LOCAL_STORE && line_set_has(&c->loaded, line));
    }
}

/* Executed or simulated, on memory as the launch finds it. */
static bool one_cta(const struct launch *l, const struct gpu_cfg *cfg, struct counted *c,
                    struct run_stats *st, struct err *e)
{
    const struct func_opts fo = {.num_ctas = 1, .turn = 1, .on_step = count_step, .user = c};
    const struct gpu_opts go = {.n = 1, .num_ctas = 1, .only_core = 0, .max_cycles = 10000000};
    struct func_counts counts = {0};
    struct launch copy = *l;
    copy.mem = devmem_share(l->mem);
    bool ok = func_run(&copy, &fo, &counts, e);
    devmem_free(copy.mem);
    copy.mem = devmem_share(l->mem);
    struct gpu *g = gpu_new(cfg, e);
    ok = ok && gpu_launch(g, &copy, &go, st, e);
    gpu_free(g);
    devmem_free(copy.mem);
    CU_ASSERT_EQUAL(counts.warp_insts, st->warp_insts);
    return ok;
}

static bool compare_launch(void *user, struct launch *l, struct err *e)
{
    const struct gpu_cfg *cfg = user;
    struct counted c = {.req.cfg = cfg};
    struct run_stats st = {0};
    struct func_counts counts = {0};
    if (!launch_init(l, e) || !one_cta(l, cfg, &c, &st, e))
        return false;
    CU_ASSERT_EQUAL(c.accesses, st.l1d_accesses);
    line_set_fini(&c.loaded);
    return func_run(l, &(struct func_opts){0}, &counts, e);
}

/* Regular and irregular kernels, with stores to lines that are loaded again (cp, euler), local
 * arrays, shared memory and textures. bfs is left out: how many its CTA executes depends on when
 * its warps see what others wrote. */
static void of_workloads_as_many_as_the_core_sends(void)
{
    static const char *const names[] = {"vecadd", "nbf",    "spmv", "euler", "cp",
                                        "matmul", "moldyn", "pvc",  "fft",   "tests/data/textures"};
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    const struct executor x = {.launch = compare_launch, .self = &cfg};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct err e = {""};
        struct target *t = target_open(names[i], NULL, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_TRUE(target_run(t, &x, true, &e));
        target_free(t);
    }
}

SUITE("requests", T(as_many_as_the_core_sends), T(of_workloads_as_many_as_the_core_sends),
      T(what_goes_past_l1d_is_told_apart), T(local_memory_is_interleaved_by_thread))
