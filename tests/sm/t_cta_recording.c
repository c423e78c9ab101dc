/* CTAs that wait for each other, recorded in memory: run from the record none waits any more. */
#include "sim/sm/cta_recording.h"
#include "sim/sm/inst_run.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

static bool of_core(void *user, uint64_t cta)
{
    return cta % 4 == *(const uint64_t *)user;
}

struct steps {                                               /* that are read from a record */
    uint64_t warp_insts, polls, branches, arrivals, looking; /* looking: lanes */
    addr_t shared;                                           /* largest address */
    uint64_t accesses;                                       /* of shared memory */
};

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct steps *c = user;
    (void)w;
    c->warp_insts++;
    c->polls += s->inst->polls;
    c->looking += s->inst->polls && s->is_load ? (uint64_t)__builtin_popcount(s->active) : 0;
    c->branches += s->inst->polls && s->inst->op == OP_BRA;
    c->arrivals += s->arrives;
    if (s->bytes && s->space == SP_SHARED && s->active)
        c->shared = s->addr[__builtin_ctz(s->active)] > c->shared
                        ? s->addr[__builtin_ctz(s->active)]
                        : c->shared;
    c->accesses += s->bytes && s->space == SP_SHARED && s->active;
}

struct taken {
    struct ptxrun r;
    struct func_counts counts;
    struct cta_recording *recording;
    struct launch from;
    struct err e;
};

static void take(struct taken *x, const char *text, int ctas, int threads, uint64_t core)
{
    static uint64_t of;
    of = core;
    const struct cta_recording_opts o = {.resident = ctas, .follows = of_core, .user = &of};
    *x = (struct taken){0};
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&x->r, text, threads, 1 << 16));
    x->r.l.grid[0] = ctas;
    CU_ASSERT_TRUE_FATAL(launch_init(&x->r.l, &x->e));
    x->recording = cta_recording_take(&x->r.l, &o, &x->counts, &x->e);
    if (!x->recording)
        printf("\n  %s\n", x->e.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x->recording);
    x->from = cta_recording_launch(x->recording, &x->r.l);
}

static void done(struct taken *x)
{
    cta_recording_free(x->recording);
    ptxrun_close(&x->r);
}

static bool run(struct taken *x, uint64_t cta, struct steps *s)
{
    *s = (struct steps){0};
    const struct func_opts o = {
        .first_cta = cta, .num_ctas = 1, .alone = true, .on_step = on_step, .user = s};
    return inst_run(&x->from, &o, NULL, &x->e);
}

/* Each of 8 CTAs waits until the next one has come; the last one works first, for long. */
static const char before_the_next[] = HEADER KERNEL(
    "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5;\n"
    "mov.u32 %r4, 0; setp.ne.u32 %p1, %r2, 7; @%p1 bra WAIT;\n"
    "WORK: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 30000; @%p1 bra WORK; bra.uni COME;\n"
    "WAIT: ld.volatile.global.u32 %r3, [%rd5+4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;\n"
    "COME: mov.u32 %r6, 1; st.volatile.global.u32 [%rd5], %r6;");

static void a_wait_is_one_look(void)
{
    struct taken x;
    struct steps s;
    double warp, thread;
    take(&x, before_the_next, 8, 32, 1);
    CU_ASSERT_EQUAL(x.counts.ctas, 8);
    CU_ASSERT_TRUE_FATAL(run(&x, 5, &s));
    CU_ASSERT_EQUAL(s.polls, 3);
    CU_ASSERT_EQUAL(s.branches, 1);
    CU_ASSERT_EQUAL(s.warp_insts, 5 + 6 + 3 + 2 + 1);
    cta_recording_work(x.recording, &x.counts, &warp, &thread);
    /* The last CTA has 30,000 rounds of work; a look of its own is taken for granted. */
    CU_ASSERT_EQUAL(warp, 7 * 17 + (5 + 6 + 3 * 30000 + 1 + 2 + 1) + 3);
    CU_ASSERT_DOUBLE_EQUAL(thread / (32 * warp), 1, 0.01);
    CU_ASSERT_TRUE(warp < (double)x.counts.warp_insts - 100);
    CU_ASSERT_TRUE(run(&x, 1, &s));
    CU_ASSERT_EQUAL(s.polls, 3);
    CU_ASSERT_FALSE(run(&x, 2, &s)); /* was not recorded */
    CU_ASSERT_PTR_NOT_NULL(strstr(x.e.msg, "CTA 2"));
    done(&x);
}

/* One warp of a CTA alone on a GPU, where executing it would never end. */
static void it_is_simulated_alone(void)
{
    struct taken x;
    struct run_stats st = {0};
    const struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    const struct gpu_opts o = {
        .n = 1, .max_cycles = 100000, .first_cta = 5, .num_ctas = 1, .only_core = 0};
    take(&x, before_the_next, 8, 32, 1);
    struct gpu *g = gpu_new(&cfg, &x.e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    CU_ASSERT_TRUE(gpu_launch(g, &x.from, &o, &st, &x.e));
    CU_ASSERT_EQUAL(st.warp_insts, 17);
    CU_ASSERT_EQUAL(st.ctas, 1);
    gpu_free(g);
    done(&x);
}

/* Lanes that leave a wait before others have looked, too: each of 8 at a word of its own. */
static void all_lanes_look(void)
{
    static const char words[] = HEADER_IN_STEP KERNEL(
        "mov.u32 %r2, %ctaid.x; mov.u32 %r4, 0; mov.u32 %r6, 1; setp.eq.u32 %p1, %r2, 3;\n"
        "shl.b32 %r7, %r1, 7; cvt.u64.u32 %rd5, %r7; add.u64 %rd5, %rd1, %rd5;\n"
        "@%p1 bra WORK;\n"
        "WAIT: ld.volatile.global.u32 %r3, [%rd5]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;\n"
        "bra.uni END;\n"
        "WORK: mov.u32 %r5, 0; setp.eq.u32 %p3, %r4, %r1; @%p3 st.volatile.global.u32 [%rd5], "
        "%r6;\n"
        "MORE: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 9000; @%p1 bra MORE;\n"
        "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 8; @%p1 bra WORK;\nEND:");
    struct taken x;
    struct steps s;
    take(&x, words, 4, 8, 1);
    CU_ASSERT_TRUE_FATAL(run(&x, 1, &s));
    CU_ASSERT_EQUAL(s.polls, 3);
    CU_ASSERT_EQUAL(s.looking, 8);
    done(&x);
}

/* Two loops that only wait, one behind the other: a look of each. */
static void each_wait_has_its_look(void)
{
    static const char two[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; mov.u32 %r4, 0; mov.u32 %r6, 1; setp.ne.u32 %p1, %r2, 3;\n"
        "@%p1 bra ONE; bra.uni WORK;\n"
        "ONE: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra ONE;\n"
        "TWO: ld.volatile.global.u32 %r3, [%rd1+4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra TWO;\n"
        "bra.uni END;\n"
        "WORK: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 30000; @%p1 bra WORK;\n"
        "st.volatile.global.u32 [%rd1], %r6; mov.u32 %r4, 0;\n"
        "MORE: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 30000; @%p1 bra MORE;\n"
        "st.volatile.global.u32 [%rd1+4], %r6;\nEND:");
    struct taken x;
    struct steps s;
    take(&x, two, 4, 32, 0);
    CU_ASSERT_TRUE_FATAL(run(&x, 0, &s));
    CU_ASSERT_EQUAL(s.polls, 6);
    CU_ASSERT_EQUAL(s.branches, 2);
    done(&x);
}

/* It counts a while between looks: a round of the wait has a loop in it. Another warp than the
 * first one waits, and half a warp at that. */
static void a_wait_may_have_a_loop_in_it(void)
{
    static const char back_off[] = HEADER KERNEL(
        "mov.u32 %r2, %ctaid.x; mov.u32 %r4, 0; setp.lt.u32 %p1, %r1, 32; @%p1 bra END;\n"
        "setp.eq.u32 %p1, %r2, 3; @%p1 bra WORK;\n"
        "WAIT: ld.volatile.global.u32 %r3, [%rd1]; mov.u32 %r5, 0;\n"
        "IDLE: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 10; @%p2 bra IDLE;\n"
        "setp.eq.u32 %p3, %r3, 0; @%p3 bra WAIT; bra.uni END;\n"
        "WORK: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 30000; @%p1 bra WORK;\n"
        "mov.u32 %r6, 1; st.volatile.global.u32 [%rd1], %r6;\nEND:");
    struct taken x;
    struct steps s;
    double warp, thread;
    take(&x, back_off, 4, 48, 2);
    cta_recording_work(x.recording, &x.counts, &warp, &thread);
    CU_ASSERT_TRUE(warp < (double)x.counts.warp_insts - 3 * 33);
    CU_ASSERT_TRUE(thread < (double)x.counts.thread_insts - 3 * 33 * 15); /* of 16 lanes */
    CU_ASSERT_TRUE_FATAL(run(&x, 2, &s));
    CU_ASSERT_EQUAL(s.polls, 2 + 10 * 3 + 2);
    CU_ASSERT_EQUAL(s.branches, 10 + 1);
    done(&x);
}

/* One thread looks for all of its CTA: rounds with barriers, as many in each warp. */
static void barriers_of_the_looks_are_met(void)
{
    static const char together[] = HEADER KERNEL(
        ".shared .u32 seen; mov.u32 %r2, %ctaid.x; mov.u32 %r4, 0; setp.eq.u32 %p1, %r2, 3;\n"
        "@%p1 bra WORK;\n"
        "AGAIN: setp.ne.u32 %p2, %r1, 0; @%p2 bra SAID;\n"
        "ld.volatile.global.u32 %r3, [%rd1]; st.shared.u32 [seen], %r3;\n"
        "SAID: bar.sync 0; ld.shared.u32 %r5, [seen]; bar.sync 0; setp.eq.u32 %p3, %r5, 0;\n"
        "@%p3 bra AGAIN; bra.uni END;\n"
        "WORK: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 30000; @%p1 bra WORK;\n"
        "mov.u32 %r6, 1; st.volatile.global.u32 [%rd1], %r6;\nEND:");
    struct taken x;
    struct steps s;
    double warp, thread;
    take(&x, together, 4, 64, 1);
    CU_ASSERT_TRUE(run(&x, 1, &s));
    CU_ASSERT_EQUAL(s.arrivals, 2 * 2);
    cta_recording_work(x.recording, &x.counts, &warp, &thread);
    CU_ASSERT_TRUE(warp < (double)x.counts.warp_insts - 100);
    done(&x);
}

/* Of a cluster one runs without the others, and finds their memory in its own. */
static void a_cta_of_a_cluster_runs_alone(void)
{
    static const char pair[] =
        ".version 7.8\n.target sm_90\n.address_size 64\n" KERNEL_HEAD
        ".shared .u32 mine; mov.u32 %r2, %cluster_ctarank; xor.b32 %r3, %r2, 1;\n"
        "st.shared.u32 [mine], %r2; barrier.cluster.arrive; barrier.cluster.wait;\n"
        "mov.u32 %r4, mine; mapa.shared::cluster.u32 %r5, %r4, %r3;\n"
        "ld.shared::cluster.u32 %r6, [%r5]; barrier.cluster.arrive; barrier.cluster.wait;\n"
        "st.global.u32 [%rd3], %r6;" KERNEL_TAIL;
    struct taken x;
    struct steps s;
    static uint64_t of = 2;
    const struct cta_recording_opts o = {.resident = 8, .follows = of_core, .user = &of};
    x = (struct taken){0};
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&x.r, pair, 32, 1 << 16));
    x.r.l.grid[0] = 8;
    x.r.l.cluster[0] = 2;
    x.r.l.cluster[1] = x.r.l.cluster[2] = 1;
    CU_ASSERT_TRUE_FATAL(launch_init(&x.r.l, &x.e));
    x.recording = cta_recording_take(&x.r.l, &o, &x.counts, &x.e);
    if (!x.recording)
        printf("\n  %s\n", x.e.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x.recording);
    x.from = cta_recording_launch(x.recording, &x.r.l);
    CU_ASSERT_TRUE(run(&x, 6, &s));
    CU_ASSERT_EQUAL(s.accesses, 2); /* both of `mine` */
    CU_ASSERT_EQUAL(s.shared, 0);
    CU_ASSERT_EQUAL(s.warp_insts, x.counts.warp_insts / 8);
    done(&x);
}

/* What does not end is said, and nothing is left. */
static void what_never_ends_is_an_error(void)
{
    static const char never[] = HEADER KERNEL(
        "W: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W;");
    static uint64_t of = 0;
    const struct cta_recording_opts o = {
        .resident = 4, .max_warp_insts = 100000, .follows = of_core, .user = &of};
    struct ptxrun r;
    struct func_counts c;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&r, never, 32, 256));
    r.l.grid[0] = 4;
    CU_ASSERT_TRUE_FATAL(launch_init(&r.l, &e));
    CU_ASSERT_PTR_NULL(cta_recording_take(&r.l, &o, &c, &e));
    CU_ASSERT_TRUE(strlen(e.msg) > 0);
    ptxrun_close(&r);
}

SUITE("cta_recording", T(a_wait_is_one_look), T(it_is_simulated_alone), T(all_lanes_look),
      T(each_wait_has_its_look), T(a_wait_may_have_a_loop_in_it), T(barriers_of_the_looks_are_met),
      T(a_cta_of_a_cluster_runs_alone), T(what_never_ends_is_an_error))
