/* A launch of chosen CTAs, and what is told when CTAs end. */
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

/* The first thread of each CTA: out[CTA] = how many came before it, and 1; out[1000] counts. Then
 * as many rounds of a loop as `in` says of the CTA. A grid of two rows. */
static const char ticket[] = HEADER KERNEL(
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; mov.u32 %r4, %nctaid.x;\n"
    "mad.lo.u32 %r2, %r3, %r4, %r2; setp.ne.u32 %p1, %r1, 0; @%p1 bra WORK;\n"
    "atom.global.add.u32 %r5, [%rd1+4000], 1; add.u32 %r5, %r5, 1;\n"
    "mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r5;\n"
    "WORK: mul.wide.u32 %rd6, %r2, 4; add.u64 %rd6, %rd2, %rd6; ld.global.u32 %r6, [%rd6];\n"
    "LOOP: setp.eq.u32 %p2, %r6, 0; @%p2 bra DONE; sub.u32 %r6, %r6, 1; bra LOOP;\n"
    "DONE:");

struct rig {
    struct ptxrun r;
    struct gpu *gpu;
    struct run_stats st;
};

static void rig_with(struct rig *x, const char *text, int cores, int ctas)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct err e = {""};
    cfg.top.cores = cores;
    *x = (struct rig){.gpu = gpu_new(&cfg, &e)};
    CU_ASSERT_PTR_NOT_NULL_FATAL(x->gpu);
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&x->r, text, 64, 4096));
    x->r.l.grid[0] = ctas / 2;
    x->r.l.grid[1] = 2;
}

static void rig_open(struct rig *x, int cores, int ctas)
{
    rig_with(x, ticket, cores, ctas);
}

static bool rig_run(struct rig *x, struct gpu_opts o)
{
    struct err e = {""};
    o.only_core = -1;
    const bool ok = gpu_launch(x->gpu, &x->r.l, &o, &x->st, &e);
    if (!ok)
        printf("\n  %s\n", e.msg);
    return ok;
}

static void rig_close(struct rig *x)
{
    gpu_free(x->gpu);
    ptxrun_close(&x->r);
}

/* One core, one CTA at once: the order in which they run is that of the list. */
static void the_ctas_of_a_list_run_in_its_order(void)
{
    static const uint64_t list[] = {7, 2, 11, 0, 4};
    struct rig x;
    rig_open(&x, 1, 12);
    CU_ASSERT_TRUE(rig_run(&x, (struct gpu_opts){.n = 1, .cta_list = list, .num_ctas = 5}));
    static const uint32_t want[12] = {4, 0, 2, 0, 5, 0, 0, 1, 0, 0, 0, 3};
    for (uint32_t i = 0; i < 12; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&x.r, i), want[i]);
    CU_ASSERT_EQUAL(x.st.ctas, 5);
    rig_close(&x);
}

/* Of a list that is longer, those that are named. */
static void a_part_of_a_list_may_run(void)
{
    static const uint64_t list[] = {7, 2, 11, 0, 4};
    struct rig x;
    rig_open(&x, 3, 12);
    CU_ASSERT_TRUE(
        rig_run(&x, (struct gpu_opts){.n = 2, .cta_list = list, .first_cta = 1, .num_ctas = 3}));
    for (uint32_t i = 0; i < 12; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&x.r, i) != 0, i == 0 || i == 2 || i == 11);
    CU_ASSERT_EQUAL(ptxrun_u32(&x.r, 1000), 3);
    rig_close(&x);
}

static void a_list_of_all_is_the_launch(void)
{
    enum { CTAS = 100 };
    struct run_stats st[2];
    uint64_t list[CTAS];
    for (uint64_t i = 0; i < CTAS; i++)
        list[i] = i;
    for (int k = 0; k < 2; k++) {
        struct rig x;
        rig_open(&x, 15, CTAS);
        CU_ASSERT_TRUE(rig_run(
            &x, (struct gpu_opts){.n = 3, .cta_list = k ? list : NULL, .num_ctas = k ? CTAS : 0}));
        st[k] = x.st;
        rig_close(&x);
    }
    CU_ASSERT_TRUE(whole_same(&st[0], &st[1]));
}

struct seen {
    int calls, stop_at; /* done; 0: never */
    uint64_t done[100], insts[100];
    cycle_t cycles[100];
};

static bool on_done(void *user, const struct gpu_work *w)
{
    struct seen *s = user;
    CU_ASSERT_TRUE_FATAL(s->calls < 100);
    CU_ASSERT_EQUAL(w->polls, 0);
    CU_ASSERT_EQUAL(w->waiting, 0);
    s->done[s->calls] = w->ctas;
    s->cycles[s->calls] = w->cycles;
    s->insts[s->calls++] = w->warp_insts;
    return !s->stop_at || w->ctas < (uint64_t)s->stop_at;
}

/* One after another on one core, alike but for their number of rounds: each end is told once, when
 * all instructions so far are of CTAs that have ended. 4 warp instructions a round of 2 warps. */
static void each_end_of_a_cta_is_told(void)
{
    static const uint64_t list[] = {3, 3, 5}; /* in[i] = i rounds */
    struct rig x;
    struct seen s = {0};
    rig_open(&x, 1, 12);
    CU_ASSERT_TRUE(rig_run(
        &x, (struct gpu_opts){
                .n = 1, .cta_list = list, .num_ctas = 3, .work = on_done, .work_user = &s}));
    CU_ASSERT_EQUAL_FATAL(s.calls, 3);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(s.done[i], i + 1);
    CU_ASSERT_EQUAL(s.insts[1], 2 * s.insts[0]);
    CU_ASSERT_EQUAL(s.insts[2] - s.insts[1], s.insts[0] + 2 * 2 * 4);
    CU_ASSERT_EQUAL(s.insts[2], x.st.warp_insts);
    CU_ASSERT(s.cycles[0] > 0 && s.cycles[1] > s.cycles[0] && s.cycles[2] > s.cycles[1]);
    CU_ASSERT(s.cycles[2] <= x.st.cycles);
    rig_close(&x);
}

static bool on_waiting(void *user, const struct gpu_work *w)
{
    struct seen *s = user;
    s->cycles[s->calls] = w->cycles;
    s->done[s->calls++] = w->waiting;
    return true;
}

/* The second CTA waits until the first has gone round its loop, in the upper row of the grid: both
 * of its warps do, which is counted once, from soon after the launch's begin. It ends soon after
 * the first, which finds the flag that it waits for itself: one read long, 300 to 600 cycles. */
static void what_ctas_wait_is_counted(void)
{
    static const char text[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.y; setp.ne.u32 %p1, %r2, 0; @%p1 bra WAIT; mov.u32 %r6, 0;\n"
        "LOOP: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 2000; @%p2 bra LOOP;\n"
        "mov.u32 %r7, 1; st.volatile.global.u32 [%rd1], %r7; membar.gl;\n"
        "WAIT: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p3, %r3, 0; @%p3 bra WAIT;");
    struct rig x;
    struct seen s = {0};
    rig_with(&x, text, 1, 2);
    CU_ASSERT_TRUE(rig_run(&x, (struct gpu_opts){.n = 2, .work = on_waiting, .work_user = &s}));
    CU_ASSERT_EQUAL_FATAL(s.calls, 2);
    CU_ASSERT_TRUE(s.cycles[1] > 2000 * 3 && s.cycles[1] - s.cycles[0] < 600);
    const uint64_t first = 600, begins = 1000;
    CU_ASSERT_TRUE(s.done[1] > s.cycles[1] - begins);
    CU_ASSERT_TRUE(s.done[1] < s.cycles[1] + first);
    rig_close(&x);
    /* The next launch begins with none; alone the first one waits for its read. */
    rig_with(&x, text, 1, 2);
    s.calls = 0;
    CU_ASSERT_TRUE(
        rig_run(&x, (struct gpu_opts){.n = 1, .num_ctas = 1, .work = on_waiting, .work_user = &s}));
    CU_ASSERT_TRUE(s.calls == 1 && s.done[0] > 100 && s.done[0] < first);
    CU_ASSERT_TRUE(
        rig_run(&x, (struct gpu_opts){.n = 1, .num_ctas = 1, .work = on_waiting, .work_user = &s}));
    CU_ASSERT_TRUE(s.calls == 2 && s.done[1] > 100 && s.done[1] < first);
    rig_close(&x);
}

/* Nobody else sees it: the same with and without. */
static void telling_changes_nothing(void)
{
    struct run_stats st[2];
    struct seen s = {0};
    for (int k = 0; k < 2; k++) {
        struct rig x;
        rig_open(&x, 15, 90);
        CU_ASSERT_TRUE(
            rig_run(&x, (struct gpu_opts){.n = 2, .work = k ? on_done : NULL, .work_user = &s}));
        st[k] = x.st;
        rig_close(&x);
    }
    CU_ASSERT_TRUE(whole_same(&st[0], &st[1]));
    CU_ASSERT_EQUAL(s.done[s.calls - 1], 90);
    for (int i = 1; i < s.calls; i++)
        CU_ASSERT(s.done[i] > s.done[i - 1] && s.cycles[i] > s.cycles[i - 1] &&
                  s.insts[i] >= s.insts[i - 1]);
}

/* Every so many cycles, or at the next one in which something happens. */
static void work_is_told_between_ends_too(void)
{
    struct rig x;
    struct seen s = {0};
    rig_open(&x, 1, 4);
    CU_ASSERT_TRUE(rig_run(
        &x, (struct gpu_opts){.n = 1, .work = on_done, .work_user = &s, .work_every = 100}));
    CU_ASSERT_TRUE_FATAL(s.calls > 4 + 2 && s.done[0] == 0);
    CU_ASSERT_EQUAL(s.done[s.calls - 1], 4);
    for (int i = 1; i < s.calls; i++) {
        CU_ASSERT(s.cycles[i] > s.cycles[i - 1] && s.insts[i] >= s.insts[i - 1]);
        CU_ASSERT(s.done[i] > s.done[i - 1] || s.cycles[i] >= s.cycles[i - 1] + 100);
    }
    rig_close(&x);
}

/* It ends in the cycle in which the answer is no: true, and what was counted until then. */
static void who_has_seen_enough_ends_the_launch(void)
{
    struct rig x;
    struct seen s = {.stop_at = 4};
    rig_open(&x, 1, 12);
    CU_ASSERT_TRUE(rig_run(&x, (struct gpu_opts){.n = 1, .work = on_done, .work_user = &s}));
    CU_ASSERT_EQUAL_FATAL(s.calls, 4);
    CU_ASSERT_EQUAL(x.st.ctas, 4);
    CU_ASSERT_EQUAL(x.st.warp_insts, s.insts[3]);
    CU_ASSERT_EQUAL(x.st.cycles, s.cycles[3]);
    CU_ASSERT_EQUAL(ptxrun_u32(&x.r, 1000), 4);
    rig_close(&x);
}

SUITE("chosen CTAs", T(the_ctas_of_a_list_run_in_its_order), T(a_part_of_a_list_may_run),
      T(a_list_of_all_is_the_launch), T(each_end_of_a_cta_is_told), T(telling_changes_nothing),
      T(work_is_told_between_ends_too), T(who_has_seen_enough_ends_the_launch),
      T(what_ctas_wait_is_counted))
