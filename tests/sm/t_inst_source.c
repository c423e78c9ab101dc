#include "base/fnv.h"
#include "sim/sm/inst_run.h"
#include "sim/sm/trace_code.h"
#include "tests/sm/recording.h"

/* What a warp may do that timing sees; out has 64 KB, in 4 KB. */
static const char *const bodies[] = {
    "st.global.u32 [%rd3], %r1;",
    /* paths of unlike length, within each other; a loop that lanes leave one by one */
    "and.b32 %r2, %r1, 7; L: setp.eq.u32 %p1, %r2, 0; @%p1 bra D; sub.u32 %r2, %r2, 1;\n"
    "setp.gt.u32 %p2, %r2, 3; @%p2 bra L; add.u32 %r3, %r3, %r2; bra L; D: st.global.u32 [%rd3], "
    "%r3;",
    /* lanes exit early, then a whole warp; the others meet at a barrier */
    "setp.lt.u32 %p1, %r1, 5; @%p1 ret; setp.gt.u32 %p2, %r1, 63; @%p2 ret;\n"
    "barrier.sync 0; st.global.u32 [%rd3], %r1;",
    /* every warp comes at another time */
    "shr.u32 %r2, %r1, 5; L: ld.global.u32 %r3, [%rd3]; add.u32 %r4, %r4, %r3;\n"
    "setp.eq.u32 %p1, %r2, 0; sub.u32 %r2, %r2, 1; @!%p1 bra L; bar.sync 0; st.global.u32 [%rd3], "
    "%r4;",
    /* producers go on, consumers wait */
    "setp.lt.u32 %p1, %r1, 32; @%p1 bra P; bar.sync 3, 96; bra E; P: bar.arrive 3, 96;\n"
    "E: setp.gt.u32 %p2, %r1, 63; @%p2 bra X; bar.sync 7, 64; X: st.global.u32 [%rd3], %r1;",
    "setp.gt.u32 %p1, %r1, 40; bar.red.popc.u32 %r2, 0, %p1; st.global.u32 [%rd3], %r2;",
    /* fences, atomics in both memories, past the caches */
    ".shared .align 8 .b8 sh[512]; mov.u64 %rd5, sh; and.b32 %r2, %r1, 3;\n"
    "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6; atom.shared.add.u32 %r3, [%rd7], 1;\n"
    "st.global.u32 [%rd3], %r1; membar.gl; ld.volatile.global.u32 %r4, [%rd3];\n"
    "ld.global.cg.u32 %r5, [%rd3]; red.global.add.u32 [%rd1+4096], 1;",
    /* strides, vectors, spread and generic addresses, constants of parameters */
    "mul.wide.u32 %rd5, %r1, 128; add.s64 %rd6, %rd1, %rd5; st.global.v4.u32 [%rd6], {%r1, %r1, "
    "%r1, %r1};\n"
    "mul.lo.u32 %r2, %r1, %r1; and.b32 %r2, %r2, 1020; cvt.u64.u32 %rd7, %r2; add.s64 %rd8, %rd2, "
    "%rd7;\nld.u32 %r3, [%rd8]; ld.param.u32 %r4, [in];",
    /* local memory, bytes and words; shared memory with conflicts */
    ".local .align 8 .b8 lo[64]; st.local.u32 [lo+4], %r1; ld.local.u64 %rd5, [lo+8];\n"
    "ld.local.u8 %r3, [lo+5]; .shared .align 8 .b8 sh[8192]; mov.u64 %rd6, sh;\n"
    "mul.wide.u32 %rd7, %r1, 64; add.s64 %rd8, %rd6, %rd7; st.shared.u64 [%rd8], %rd5;",
};
#define BODIES (sizeof bodies / sizeof *bodies)

static void both_sources_take_the_same_cycles(void)
{
    static const char *const fences[] = {"fence_stores=true", "shared_parts=2", NULL};
    const struct gpu_cfg cfg[] = {whole_gpu("yen2014", NULL), whole_gpu("kayiran2013", fences)};
    for (size_t i = 0; i < 2 * BODIES; i++) {
        char text[4096];
        struct ptxrun r;
        struct recording rec;
        struct run_stats executed, traced;
        KERNEL_TEXT(text, bodies[i / 2]);
        ptxrun_open(&r, text, i % 2 ? 96 : 82, 65536); /* 82: 18 lanes in the last warp */
        r.l.grid[0] = 40;
        recording_make(&rec, &r, 1);
        for (int k = 0; k < 2; k++) {
            CU_ASSERT_TRUE(recording_run(&r, &cfg[k], NULL, &executed));
            CU_ASSERT_TRUE(recording_run(&r, &cfg[k], &rec.file->launch[0], &traced));
            CU_ASSERT_TRUE(executed.cycles > 0 && executed.ctas == 40);
            const bool same = whole_same(&executed, &traced);
            if (!same)
                printf("  of kernel %zu: %s\n", i / 2, r.err.msg);
            CU_ASSERT_TRUE(same);
        }
        recording_free(&rec);
        ptxrun_close(&r);
    }
}

/* What who looks on is told, in order. */
struct seen {
    uint64_t hash, steps, done;
};

static void look(void *user, const struct warp *w, const struct step *st)
{
    struct seen *s = user;
    const ptrdiff_t at = st->inst - w->cta->kernel->inst;
    const int place[] = {w->cta->linear, w->index, w->cta->nwarps, st->bytes, st->at_barrier};
    s->hash = fnv(fnv(s->hash, place, sizeof place), &at, sizeof at);
    s->hash = fnv(s->hash, &st->active, sizeof st->active);
    for (int i = 0; st->bytes && trace_sees_memory(st->inst) && i < WARP_SIZE; i++)
        if (st->active >> i & 1 && st->space != SP_TEX)
            s->hash = fnv(s->hash, &st->addr[i], sizeof st->addr[i]);
    s->steps++;
}

static void count_done(void *user, uint64_t cta, uint64_t warp_insts)
{
    ((struct seen *)user)->done += (cta + 1) * warp_insts;
}

static bool is_third(void *user, uint64_t cta)
{
    (void)user;
    return cta % 3 == 0;
}

static struct seen run_untimed(struct ptxrun *r, const struct trace_launch *recorded,
                               const struct func_opts *how, struct func_counts *c)
{
    struct seen s = {.hash = FNV_NONE};
    struct func_opts o = *how;
    o.on_step = look;
    o.on_done = count_done;
    o.user = &s;
    r->l.recorded = recorded;
    CU_ASSERT_TRUE(inst_run(&r->l, &o, c, &r->err));
    r->l.recorded = NULL;
    return s;
}

/* Turns of one instruction and long ones; some CTAs; of some only the counts. */
static void both_sources_tell_the_same_without_timing(void)
{
    static const struct func_opts how[] = {
        {.turn = 1}, {0}, {.first_cta = 7, .num_ctas = 2, .turn = 1}, {.follows = is_third}};
    for (size_t i = 0; i < 4 * BODIES; i++) {
        char text[4096];
        struct ptxrun r;
        struct recording rec;
        struct func_counts of[2];
        KERNEL_TEXT(text, bodies[i / 4]);
        ptxrun_open(&r, text, 82, 65536);
        r.l.grid[0] = 10;
        recording_make(&rec, &r, 1);
        const struct seen a = run_untimed(&r, NULL, &how[i % 4], &of[0]);
        const struct seen b = run_untimed(&r, &rec.file->launch[0], &how[i % 4], &of[1]);
        CU_ASSERT_TRUE(a.steps > 0 && a.steps == b.steps && a.done == b.done);
        CU_ASSERT_EQUAL(a.hash, b.hash);
        CU_ASSERT_EQUAL(of[0].warp_insts, of[1].warp_insts);
        CU_ASSERT_EQUAL(of[0].thread_insts, of[1].thread_insts);
        CU_ASSERT_EQUAL(of[0].ctas, of[1].ctas);
        recording_free(&rec);
        ptxrun_close(&r);
    }
}

/* The body stores: one instruction of several. */
static void a_limit_ends_a_recorded_launch(void)
{
    char text[4096];
    struct ptxrun r;
    struct recording rec;
    struct func_counts c;
    KERNEL_TEXT(text, bodies[0]);
    ptxrun_open(&r, text, 64, 4096);
    recording_make(&rec, &r, 1);
    r.l.recorded = &rec.file->launch[0];
    CU_ASSERT_FALSE(inst_run(&r.l, &(struct func_opts){.max_warp_insts = 3}, &c, &r.err));
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.msg, "still running after 3 warp instructions"));
    CU_ASSERT_EQUAL(c.warp_insts, 3);
    recording_free(&rec);
    ptxrun_close(&r);
}

static void a_launch_that_was_recorded_has_no_values(void)
{
    char text[4096];
    struct ptxrun r;
    struct recording rec;
    KERNEL_TEXT(text, bodies[0]);
    ptxrun_open(&r, text, 64, 4096);
    recording_make(&rec, &r, 1);
    r.l.recorded = &rec.file->launch[0];
    CU_ASSERT_FALSE(ptxrun_go(&r));
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.msg, "kernel k: a trace has no values"));
    recording_free(&rec);
    ptxrun_close(&r);
}

/* Clocks read another time; the instruction that reads one is the same. */
static void time_is_not_recorded(void)
{
    static const char body[] = "mov.u32 %r2, %clock; st.global.u32 [%rd3], %r2;";
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    char text[4096];
    struct ptxrun r;
    struct recording rec;
    struct run_stats executed, traced;
    KERNEL_TEXT(text, body);
    ptxrun_open(&r, text, 64, 4096);
    recording_make(&rec, &r, 1);
    CU_ASSERT_TRUE(recording_run(&r, &cfg, NULL, &executed));
    CU_ASSERT_TRUE(recording_run(&r, &cfg, &rec.file->launch[0], &traced));
    CU_ASSERT_TRUE(whole_same(&executed, &traced));
    recording_free(&rec);
    ptxrun_close(&r);
}

static void one_that_goes_on_too_long_says_where_it_is(void)
{
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    char text[4096];
    struct ptxrun r;
    struct recording rec;
    struct run_stats st = {0};
    KERNEL_TEXT(text, bodies[3]);
    ptxrun_open(&r, text, 64, 4096);
    recording_make(&rec, &r, 1);
    const struct gpu_opts o = {.n = 1, .only_core = -1, .max_cycles = 200};
    for (int k = 0; k < 2; k++) {
        struct gpu *g = gpu_new(&cfg, &r.err);
        r.l.recorded = k ? &rec.file->launch[0] : NULL;
        CU_ASSERT_FALSE(gpu_launch(g, &r.l, &o, &st, &r.err));
        CU_ASSERT_PTR_NOT_NULL(strstr(r.err.msg, "CTA (0,0,0) thread (0,0,0): still running"));
        gpu_free(g);
    }
    recording_free(&rec);
    ptxrun_close(&r);
}

SUITE("inst_source", T(both_sources_take_the_same_cycles),
      T(both_sources_tell_the_same_without_timing), T(a_limit_ends_a_recorded_launch),
      T(a_launch_that_was_recorded_has_no_values), T(time_is_not_recorded),
      T(one_that_goes_on_too_long_says_where_it_is))
