/* Which CTAs of a functional run go on at once. */
#include "tests/func/ptxrun.h"

/* Every CTA adds 1 to out[0] and goes round until all have; then it stores, in its own place, how
 * many had begun after it: out[1 + ctaid] = gridDim - (value before its own addition). */
#define ALL_MEET                                                                                  \
    HEADER KERNEL("mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x;\n"                              \
                  "atom.global.add.u32 %r4, [%rd1], 1;\n"                                         \
                  "L: ld.volatile.global.u32 %r5, [%rd1]; setp.lt.u32 %p1, %r5, %r2;\n"           \
                  "@%p1 bra L;\n"                                                                 \
                  "sub.u32 %r4, %r2, %r4; mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd1, %rd5;\n" \
                  "st.global.u32 [%rd5+4], %r4;")

static bool meet(struct ptxrun *r, int ctas, int resident)
{
    ptxrun_open(r, ALL_MEET, 1, 8192);
    r->l.grid[0] = ctas;
    r->opts.resident = resident;
    return ptxrun_go(r);
}

static void ctas_that_are_resident_may_wait_for_each_other(void)
{
    struct ptxrun r;
    CU_ASSERT_TRUE(meet(&r, 5, 5));
    CU_ASSERT_EQUAL(r.counts.ctas, 5);
    for (uint32_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 1 + i), 5 - i); /* begun in order */
    ptxrun_close(&r);
}

static void ctas_that_find_no_room_are_waited_for_in_vain(void)
{
    struct ptxrun r;
    CU_ASSERT_FALSE(meet(&r, 5, 4));
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.msg, "never ends: all threads that are left wait"));
    CU_ASSERT_PTR_NOT_NULL(strstr(r.err.msg, "; 1 CTAs have not begun, for want of room"));
    CU_ASSERT_TRUE(r.counts.warp_insts < 200000); /* it is seen at once */
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 4);
    ptxrun_close(&r);
}

/* A CTA is done within its turn: the next begins when it has ended. `out[1 + ctaid]` is what the
 * CTA before it left in out[0], so any overlap would show. */
static void short_ctas_run_one_after_another(void)
{
    struct ptxrun r;
    ptxrun_open(&r,
                HEADER KERNEL("mov.u32 %r3, %ctaid.x; ld.global.u32 %r4, [%rd1];\n"
                              "mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd1, %rd5;\n"
                              "st.global.u32 [%rd5+4], %r4; mov.u32 %r6, 1000;\n"
                              "L: sub.u32 %r6, %r6, 1; setp.gt.u32 %p1, %r6, 0; @%p1 bra L;\n"
                              "add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;"),
                1, 8192);
    r.l.grid[0] = 20;
    r.opts.resident = 8;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t i = 0; i < 20; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 1 + i), i);
    ptxrun_close(&r);
}

/* Diverged loops, guards, a barrier, the clock, early exits: two warps a CTA. */
#define ALL_SORTS                                                                     \
    HEADER KERNEL("mov.u32 %r2, 0; mov.u32 %r6, %laneid;\n"                           \
                  "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r6;\n"              \
                  "@%p1 mul.lo.u32 %r5, %r2, %r6; @%p1 bra L;\n"                      \
                  "bar.sync 0; mov.u32 %r4, %clock; add.u32 %r5, %r5, %r4;\n"         \
                  "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd1, %rd5;\n"            \
                  "st.global.u32 [%rd5], %r5; setp.gt.u32 %p1, %r6, 20; @%p1 exit;\n" \
                  "ld.global.u32 %r5, [%rd5]; add.u32 %r5, %r5, 1; st.global.u32 [%rd5], %r5;")

static void look(void *user, const struct warp *w, const struct step *s)
{
    (void)w;
    *(uint64_t *)user += (uint64_t)__builtin_popcount(s->active);
}

/* Nobody looks at the instructions, and they are done in one go up to the next branch: whatever a
 * turn is and wherever the limit falls, all is as with one step after another. */
static void watched_or_not_a_run_is_the_same(void)
{
    struct ptxrun r;
    CU_ASSERT_TRUE(ptxrun_open(&r, ALL_SORTS, 64, 8192));
    CU_ASSERT_TRUE(ptxrun_go(&r));
    const uint64_t all = r.counts.warp_insts;
    ptxrun_close(&r);
    for (uint64_t n = 1; n <= all + 1; n += n < 40 ? 1 : 7) {
        struct ptxrun a, b;
        uint64_t lanes = 0;
        ptxrun_open(&a, ALL_SORTS, 64, 8192);
        ptxrun_open(&b, ALL_SORTS, 64, 8192);
        a.opts.turn = b.opts.turn = n % 30;
        a.opts.max_warp_insts = b.opts.max_warp_insts = n;
        b.opts.on_step = look;
        b.opts.user = &lanes;
        CU_ASSERT_EQUAL(ptxrun_go(&a), n >= all);
        CU_ASSERT_EQUAL(ptxrun_go(&b), n >= all);
        CU_ASSERT_STRING_EQUAL(a.err.msg, b.err.msg);
        CU_ASSERT_EQUAL(a.counts.warp_insts, n < all ? n : all);
        CU_ASSERT_EQUAL(b.counts.warp_insts, a.counts.warp_insts);
        CU_ASSERT_EQUAL(a.counts.thread_insts, lanes);
        CU_ASSERT_EQUAL(b.counts.thread_insts, lanes);
        for (uint32_t i = 0; i < 64; i++)
            CU_ASSERT_EQUAL(ptxrun_u32(&a, i), ptxrun_u32(&b, i));
        ptxrun_close(&a);
        ptxrun_close(&b);
    }
}

struct told {
    uint64_t stepped[9], done[9]; /* of each CTA: times on_step was called; warp instructions */
};

static bool is_odd(void *user, uint64_t cta)
{
    (void)user;
    return cta % 2;
}

static void on_step(void *user, const struct warp *w, const struct step *s)
{
    (void)s;
    ((struct told *)user)->stepped[w->cta->linear]++;
}

static void on_done(void *user, uint64_t cta, uint64_t warp_insts)
{
    ((struct told *)user)->done[cta] += warp_insts;
}

/* CTA i goes round 4000 i times, so that some take several turns, beside each other. */
static void ctas_that_are_not_followed_are_counted(void)
{
    for (int resident = 1; resident < 10; resident += 4) {
        struct ptxrun r;
        struct told told = {0};
        uint64_t sum = 0;
        ptxrun_open(
            &r,
            HEADER KERNEL("mov.u32 %r3, %ctaid.x; mul.lo.u32 %r3, %r3, 4000; mov.u32 %r4, 0;"
                          "L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r3;\n"
                          "@%p1 bra L;"),
            64, 8192);
        r.l.grid[0] = 9;
        r.opts = (struct func_opts){.resident = resident,
                                    .turn = 150,
                                    .on_step = on_step,
                                    .follows = is_odd,
                                    .on_done = on_done,
                                    .user = &told};
        CU_ASSERT_TRUE(ptxrun_go(&r));
        for (int i = 0; i < 9; i++) {
            CU_ASSERT_EQUAL(told.stepped[i], i % 2 ? told.done[i] : 0);
            CU_ASSERT_EQUAL(told.done[i] - told.done[0], i ? 2 * 3 * (4000 * (uint64_t)i - 1) : 0);
            sum += told.done[i];
        }
        CU_ASSERT_EQUAL(sum, r.counts.warp_insts);
        ptxrun_close(&r);
    }
}

/* -- the warps of a CTA */

static void expect_out(const char *text, int threads, uint64_t turn, uint32_t (*want)(uint32_t i))
{
    struct ptxrun r;
    ptxrun_open(&r, text, threads, 8192);
    r.opts.turn = turn;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    for (uint32_t i = 0; i < (uint32_t)threads; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), want(i));
    ptxrun_close(&r);
}

/* Warp 0 spins on shared memory until warp 1 writes, and looks once in a turn. */
static void a_warp_that_spins_lets_others_write(void)
{
    struct ptxrun r;
    ptxrun_open(&r,
                HEADER KERNEL(".shared .b32 flag; setp.ge.u32 %p1, %r1, 32; @%p1 bra WRITE;\n"
                              "L: ld.volatile.shared.u32 %r2, [flag]; setp.eq.u32 %p2, %r2, 0;\n"
                              "@%p2 bra L; st.global.u32 [%rd3], %r2; bra DONE;\n"
                              "WRITE: st.volatile.shared.u32 [flag], 7;\n"
                              "st.global.u32 [%rd3], 9; DONE:"),
                64, 8192);
    CU_ASSERT_TRUE(ptxrun_go(&r));
    CU_ASSERT_TRUE(r.counts.warp_insts < 60);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i < 32 ? 7 : 9);
    ptxrun_close(&r);
}

/* Four warps without any barrier: each thread writes s[tid], reads what the next warp has written,
 * and puts the sum back: all have written before one reads, and read before one writes again. */
#define NEXT_WARP(space, at)                                                      \
    HEADER KERNEL(".shared .b32 s[128]; mov.u32 %r5, s; cvt.u64.u32 %rd5, %r5;\n" \
                  "cvta.shared.u64 %rd5, %rd5; add.s64 %rd6, %rd1, 4096;\n"       \
                  "add.u32 %r2, %r1, 32; and.b32 %r2, %r2, 127;\n"                \
                  "mul.wide.u32 %rd7, %r1, 4; add.s64 %rd7, %rd7, " at ";\n"      \
                  "mul.wide.u32 %rd8, %r2, 4; add.s64 %rd8, %rd8, " at ";\n"      \
                  "add.u32 %r6, %r1, 1000; st" space ".u32 [%rd7], %r6; ld" space \
                  ".u32 %r7, [%rd8];\n"                                           \
                  "add.u32 %r6, %r6, %r7; st" space ".u32 [%rd7], %r6; ld" space  \
                  ".u32 %r8, [%rd8]; st.global.u32 [%rd3], %r8;")

/* Of the next thread's and the one's behind it. */
static uint32_t next_two(uint32_t i)
{
    return 2000 + (i + 32) % 128 + (i + 64) % 128;
}

static void warps_that_race_are_in_step(void)
{
    expect_out(NEXT_WARP("", "%rd5"), 128, 0, next_two);
    expect_out(NEXT_WARP(".global", "%rd6"), 128, 0, next_two);
}

/* The sum of 128 elements by half as many threads each time; nothing but the warps' own way keeps
 * them apart. */
static uint32_t sum_in_all(uint32_t i)
{
    (void)i;
    return 127 * 128 / 2;
}

static void a_tree_without_barriers_sums_up(void)
{
    expect_out(
        HEADER KERNEL(".shared .b32 s[128]; mov.u32 %r5, s; shl.b32 %r2, %r1, 2;\n"
                      "add.u32 %r2, %r2, %r5; st.shared.u32 [%r2], %r1; mov.u32 %r3, 64;\n"
                      "L: shl.b32 %r4, %r3, 2; add.u32 %r4, %r4, %r2; setp.lt.u32 %p1, %r1, %r3;\n"
                      "@!%p1 bra NEXT; ld.shared.u32 %r6, [%r4]; ld.shared.u32 %r7, [%r2];\n"
                      "add.u32 %r6, %r6, %r7; st.shared.u32 [%r2], %r6;\n"
                      "NEXT: shr.u32 %r3, %r3, 1; setp.gt.u32 %p2, %r3, 0; @%p2 bra L;\n"
                      "bar.sync 0; ld.shared.u32 %r6, [s]; st.global.u32 [%rd3], %r6;"),
        128, 0, sum_in_all);
}

/* In long turns a warp goes to its next barrier, or end: warp w reads nothing, and warp 3 what warp
 * 0 has left. That is the order in which samples are taken. */
static uint32_t alone(uint32_t i)
{
    return i < 96 ? 0 : 1000 + i % 32;
}

static void in_long_turns_warps_go_to_their_barriers(void)
{
    expect_out(NEXT_WARP("", "%rd5"), 128, FUNC_LONG_TURN, alone);
}

/* CTA 0 looks between two barriers whether CTA 1 has come, and counts how often it does: no turn of
 * its warps is long, and no loop only waits. It gives way all the same, the sooner the more often.
 */
static void a_cta_that_looks_between_barriers_gives_way(void)
{
    char text[2000];
    struct ptxrun r;
    struct func_counts n;
    KERNEL_TEXT(
        text,
        "mov.u32 %r2, %ctaid.x; mov.u32 %r5, 0;\n"
        "L: mov.u32 %r6, %r5; xor.b32 %r6, %r6, %r2; and.b32 %r6, %r6, 1;\n"
        "setp.ne.u32 %p1, %r6, 0; add.u32 %r4, %r5, 1; @%p1 bra MINE;\n" /* whose turn it is */
        "ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p2, %r3, %r4;\n"
        "add.u32 %r7, %r7, 1; bar.sync 0; @%p2 bra L; bra.uni NEXT;\n"
        "MINE: bar.sync 0; st.volatile.global.u32 [%rd1], %r4;\n"
        "NEXT: add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 40; @%p3 bra L;");
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&r, text, 64, 4096));
    r.l.grid[0] = 2;
    r.opts.resident = 2;
    r.opts.max_warp_insts = 4000000;
    CU_ASSERT_TRUE(func_run(&r.l, &r.opts, &n, &r.err));
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 40);
    CU_ASSERT_TRUE(n.ctas == 2 && n.warp_insts > 100000); /* or nobody had to wait */
    ptxrun_close(&r);
}

/* By the clock of warp 0, from one look to the next, with an instruction between them; the others
 * come to their end first, or to a barrier, or go on as long. */
static uint32_t pace_of(const char *others, int threads)
{
    char text[2000], body[800];
    struct ptxrun r;
    snprintf(body, sizeof body,
             "setp.ge.u32 %%p1, %%r1, 32; mov.u32 %%r7, 0; mov.u32 %%r6, 0; @%%p1 bra OTHERS;\n"
             "L: mov.u32 %%r4, %%clock; add.u32 %%r7, %%r7, 1; mov.u32 %%r5, %%clock;\n"
             "sub.u32 %%r5, %%r5, %%r4; setp.lt.u32 %%p2, %%r7, 5000; @%%p2 bra L;\n"
             "st.global.u32 [%%rd1], %%r5; bra.uni END;\nOTHERS: %s\nEND: bar.sync 0;",
             others);
    KERNEL_TEXT(text, body);
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&r, text, threads, 256));
    CU_ASSERT_TRUE(ptxrun_go(&r));
    const uint32_t cycles = ptxrun_u32(&r, 0);
    ptxrun_close(&r);
    return cycles / 2;
}

static void the_clock_is_slow_where_many_warps_run(void)
{
    const char *const as_long = "O: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 30000; @%p2 bra O;";
    CU_ASSERT_EQUAL(pace_of("", 32), 8);
    CU_ASSERT_EQUAL(pace_of(as_long, 64), 4);
    CU_ASSERT_EQUAL(pace_of(as_long, 128), 2);
    CU_ASSERT_EQUAL(pace_of(as_long, 256), 1);
    CU_ASSERT_EQUAL(pace_of(as_long, 1024), 1);
    CU_ASSERT_EQUAL(pace_of("", 1024), 8);
    CU_ASSERT_EQUAL(pace_of("exit;", 1024), 8);
}

/* 30,000 warp instructions that nobody sees, and then one that others do, once or again and again.
 */
static void what_nobody_sees_may_be_limited(void)
{
    static const struct {
        const char *body;
        uint64_t quiet;
        bool ends;
    } cases[] = {
        {"L: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 10000; @%p1 bra L; st.global.u32 [%rd1], "
         "1;",
         20000, false},
        {"L: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 10000; @%p1 bra L; st.global.u32 [%rd1], "
         "1;",
         40000, true},
        {"L: red.global.add.u32 [%rd1], 1; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 10000;"
         "@%p1 bra L;",
         20000, true},
        {"L: atom.global.cas.b32 %r2, [%rd1], 7, 8; add.u32 %r5, %r5, 1;"
         "setp.lt.u32 %p1, %r5, 10000; @%p1 bra L;",
         20000, false},
        {"L: atom.global.cas.b32 %r2, [%rd1], 7, 8; st.shared.u32 [mine], %r2; add.u32 %r5, %r5, 1;"
         "setp.lt.u32 %p1, %r5, 10000; @%p1 bra L;",
         20000, true},
        {"L: st.shared.u32 [mine], %r5; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 10000; @%p1 bra "
         "L;",
         20000, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000], body[400];
        struct ptxrun r;
        snprintf(body, sizeof body, ".shared .u32 mine; mov.u32 %%r5, 0;\n%s", cases[i].body);
        KERNEL_TEXT(text, body);
        CU_ASSERT_TRUE_FATAL(ptxrun_open(&r, text, 32, 256));
        r.l.grid[0] = 3; /* a CTA's end is seen */
        r.opts.max_unpublished = cases[i].quiet;
        CU_ASSERT_EQUAL(ptxrun_go(&r), cases[i].ends);
        ptxrun_close(&r);
    }
}

SUITE("a functional run", T(the_clock_is_slow_where_many_warps_run),
      T(what_nobody_sees_may_be_limited), T(a_cta_that_looks_between_barriers_gives_way),
      T(ctas_that_are_resident_may_wait_for_each_other),
      T(ctas_that_find_no_room_are_waited_for_in_vain), T(short_ctas_run_one_after_another),
      T(a_warp_that_spins_lets_others_write), T(warps_that_race_are_in_step),
      T(a_tree_without_barriers_sums_up), T(in_long_turns_warps_go_to_their_barriers),
      T(watched_or_not_a_run_is_the_same), T(ctas_that_are_not_followed_are_counted))
