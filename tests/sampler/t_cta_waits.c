#include "sampler/window/cta_waits.h"
#include "sampler/window/cta_window.h"
#include "tests/func/ptxrun.h"

/* out[0] is a counter or a lock, out[1 + c] what CTA c has published. */
#define TICKET "atom.global.add.u32 %r2, [%rd1], 1;"
#define NUMBER "mov.u32 %r2, %ctaid.x;"
#define PUBLISH \
    "mul.wide.u32 %rd5, %r2, 4; add.s64 %rd5, %rd1, %rd5; st.volatile.global.u32 [%rd5+4], 1;"
/* For what the CTA before it publishes, if it has one. */
#define LOOK_BACK                                                              \
    "setp.eq.u32 %p1, %r2, 0; @%p1 bra FIRST; mul.wide.u32 %rd6, %r2, 4;"      \
    "add.s64 %rd6, %rd1, %rd6;\nWAIT: ld.relaxed.gpu.global.u32 %r3, [%rd6]; " \
    "setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;\nFIRST:"
#define LOCK   "\nTRY: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TRY;"
#define UNLOCK "membar.gl; atom.global.exch.b32 %r2, [%rd1], 0;"
/* A ticket lock: out[1] is the number that has its turn. */
#define SERVED                                                                \
    "\nASK: ld.volatile.global.u32 %r3, [%rd1+4]; setp.ne.u32 %p1, %r3, %r2;" \
    "@%p1 bra ASK; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd1+4], %r3;"
/* Items 0 .. 999, drawn one after the other. */
#define QUEUE \
    "\nTAKE: atom.global.add.u32 %r2, [%rd1], 1; setp.lt.u32 %p1, %r2, 1000; @%p1 bra TAKE;"

/* 8 CTAs of one thread; the limit is that of a CTA of 10 instructions and a launch of 4000. */
static struct cta_waits found(const char *body, uint64_t cta, int grid, bool *waits)
{
    char text[2000];
    struct ptxrun r;
    KERNEL_TEXT(text, body);
    ptxrun_open(&r, text, 1, 256);
    r.l.grid[0] = grid;
    struct cta_waits w = {.cta = cta,
                          .max_warp_insts =
                              cta_window_alone(10, 4000, &sampling_or_default(NULL)->window)};
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    *waits = cta_waits_find(&w, &r.l);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 0); /* memory is as it was */
    ptxrun_close(&r);
    return w;
}

static bool waits(const char *body, uint64_t cta, int grid)
{
    bool is;
    found(body, cta, grid, &is);
    return is;
}

static void ctas_that_look_back_wait(void)
{
    CU_ASSERT_TRUE(waits(TICKET LOOK_BACK PUBLISH, 3, 8));
    CU_ASSERT_TRUE(waits(NUMBER LOOK_BACK PUBLISH, 0, 8)); /* CTA 0 alone would not */
    CU_ASSERT_TRUE(waits(NUMBER LOOK_BACK PUBLISH, 7, 8));
    CU_ASSERT_TRUE(waits(TICKET LOOK_BACK PUBLISH, 0, 2));
}

/* Who has a lock gives it back without help; who has a number may wait for the one before it. */
static void a_lock_is_given_back(void)
{
    CU_ASSERT_FALSE(waits(LOCK UNLOCK, 3, 8));
    CU_ASSERT_TRUE(waits(TICKET SERVED, 3, 8));
}

static void who_takes_work_or_counts_does_not_wait(void)
{
    CU_ASSERT_FALSE(waits(QUEUE, 3, 8));
    CU_ASSERT_FALSE(waits(TICKET PUBLISH, 3, 8));
    CU_ASSERT_FALSE(waits("ld.volatile.global.u32 %r2, [%rd1]; st.global.u32 [%rd3], %r2;", 3, 8));
}

static void a_lone_cta_waits_for_nobody(void)
{
    CU_ASSERT_FALSE(waits(TICKET LOOK_BACK PUBLISH, 0, 1));
}

/* Of the head there are 5 instructions, the atomic is the sixth; with what else the CTA executes
 * (PUBLISH: 3, ret), 10 to find it, 6 up to it, and 10 of the other one. */
static void executed_are_a_cta_its_part_and_another(void)
{
    bool is;
    CU_ASSERT_EQUAL(found(TICKET PUBLISH, 3, 8, &is).warp_insts, 10 + 6 + 10);
    CU_ASSERT_EQUAL(found(NUMBER PUBLISH, 3, 8, &is).warp_insts, 0); /* nothing to wait by */
}

/* 8192 rounds of 3 instructions before it: not among the first 4096, but of 24589 in all (5, 1,
 * 24576, the atomic, 2, 3, ret). The 24583 up to it are executed again, and then another CTA,
 * until it is asked for the first time whether it waits: in the turn in which it has executed
 * 65536. */
static void what_is_taken_late_is_found(void)
{
    bool is;
    const struct cta_waits w = found(
        "mov.u32 %r5, 8192;\nGO: sub.u32 %r5, %r5, 1; setp.ne.u32 %p3, %r5, 0; @%p3 bra GO;" TICKET
            LOOK_BACK PUBLISH,
        3, 8, &is);
    CU_ASSERT_TRUE(is);
    CU_ASSERT_EQUAL(w.warp_insts, 4096 + 24589 + 24583 + 65627);
}

/* Past a barrier each time that it looks, so that nothing proves that it waits for ever. */
#define LOOK_BACK_ALL                                                                   \
    "setp.eq.u32 %p1, %r2, 0; @%p1 bra FIRST; mul.wide.u32 %rd6, %r2, 4;"               \
    "add.s64 %rd6, %rd1, %rd6; mov.u32 %r5, 0;\nWAIT: bar.sync 0; add.u32 %r5, %r5, 1;" \
    "ld.relaxed.gpu.global.u32 %r3, [%rd6]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;\nFIRST:"

/* It has long done nothing that others could see: far fewer instructions than the launch may have.
 * What has not taken anything until then waits itself. */
static void what_asks_quietly_is_soon_found(void)
{
    static const char *const bodies[] = {TICKET LOOK_BACK_ALL PUBLISH,
                                         NUMBER LOOK_BACK_ALL TICKET PUBLISH};
    for (int i = 0; i < 2; i++) {
        char text[2000];
        struct ptxrun r;
        KERNEL_TEXT(text, bodies[i]);
        ptxrun_open(&r, text, 1, 256);
        r.l.grid[0] = 8;
        struct cta_waits w = {
            .cta = 3,
            .max_unpublished = 20000,
            .max_warp_insts = cta_window_alone(10, 100000000, &sampling_or_default(NULL)->window)};
        CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
        CU_ASSERT_TRUE(cta_waits_find(&w, &r.l));
        CU_ASSERT_TRUE(w.warp_insts > 20000 && w.warp_insts < 60000);
        ptxrun_close(&r);
    }
}

/* A barrier of the first `all` of 12 CTAs, on 2 cores, of which each holds 6. */
static int least(const char *before, int all)
{
    char body[600], text[2000];
    struct ptxrun r;
    snprintf(body, sizeof body,
             "%s mov.u32 %%r5, %%ctaid.x; setp.ge.u32 %%p3, %%r5, %d; @%%p3 bra END;\n"
             "atom.global.add.u32 %%r2, [%%rd1], 1;\n"
             "MEET: ld.volatile.global.u32 %%r3, [%%rd1]; setp.lt.u32 %%p2, %%r3, %d;\n"
             "@%%p2 bra MEET;\nEND:",
             before, all, all);
    KERNEL_TEXT(text, body);
    ptxrun_open(&r, text, 1, 256);
    r.l.grid[0] = 12;
    struct cta_waits w = {.max_warp_insts =
                              cta_window_alone(20, 4000, &sampling_or_default(NULL)->window)};
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    bool in_order;
    const int n = cta_waits_least(&w, &r.l, 2, 6, &in_order);
    CU_ASSERT_EQUAL(in_order, all == 1);
    CU_ASSERT_TRUE(w.warp_insts > 0);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 0); /* memory is as it was */
    ptxrun_close(&r);
    return n;
}

static void a_barrier_needs_its_ctas_at_once(void)
{
    CU_ASSERT_EQUAL(least("", 12), 6);
    CU_ASSERT_EQUAL(least("", 11), 6);
    CU_ASSERT_EQUAL(least("", 10), 5);
    CU_ASSERT_EQUAL(least("", 5), 3);
    CU_ASSERT_EQUAL(least("", 1), 1);
    CU_ASSERT_EQUAL(least("", 13), 0); /* there are 12 */
}

/* Of 8 CTAs on 2 cores, of which each holds 4; 0: not in order. */
static int in_order_least(const char *body)
{
    char text[2000];
    struct ptxrun r;
    bool in_order;
    KERNEL_TEXT(text, body);
    ptxrun_open(&r, text, 1, 256);
    r.l.grid[0] = 8;
    struct cta_waits w = {.max_warp_insts =
                              cta_window_alone(20, 400, &sampling_or_default(NULL)->window)};
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    const int least = cta_waits_least(&w, &r.l, 2, 4, &in_order);
    CU_ASSERT_TRUE(w.warp_insts > 0);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 0); /* memory is as it was */
    ptxrun_close(&r);
    return in_order ? 0 : least;
}

/* CTAs 2 and 3 wait for those 3 behind them, past a barrier each time that they look. */
#define LOOK_AHEAD                                                                 \
    "shr.u32 %r4, %r2, 1; setp.ne.u32 %p1, %r4, 1; @%p1 bra FIRST;"                \
    "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd6, %rd1, %rd6;\nWAIT: bar.sync 0;"      \
    "ld.relaxed.gpu.global.u32 %r3, [%rd6+16]; setp.eq.u32 %p2, %r3, 0; @%p2 bra " \
    "WAIT;\nFIRST:"

/* CTA 0 comes to its end alone either way. With 2 at once, 2 and 3 wait for ever. */
static void who_looks_back_is_in_order(void)
{
    CU_ASSERT_EQUAL(in_order_least(TICKET LOOK_BACK PUBLISH), 0);
    CU_ASSERT_EQUAL(in_order_least(NUMBER LOOK_BACK PUBLISH), 0);
    CU_ASSERT_EQUAL(in_order_least(NUMBER LOOK_AHEAD PUBLISH), 2);
}

SUITE("CTAs that wait", T(who_looks_back_is_in_order), T(ctas_that_look_back_wait),
      T(a_lock_is_given_back), T(who_takes_work_or_counts_does_not_wait),
      T(a_lone_cta_waits_for_nobody), T(executed_are_a_cta_its_part_and_another),
      T(what_is_taken_late_is_found), T(what_asks_quietly_is_soon_found),
      T(a_barrier_needs_its_ctas_at_once))
