/* Whether CTAs ask the same partitions at once, by hand. Each is one warp whose lanes touch one
 * word, in six partitions of 256 bytes. */
#include "sampler/profile/partition_use.h"
#include "sim/gpu/gpu_cfg.h"
#include "tests/func/ptxrun.h"

#define PARTITIONS 6
#define GRID       (PARTITIONS * 4)

/* 64 times: what IT does with [%rd5], which NEXT moves on; it begins at partition FIRST (%r4). */
#define ROUNDS(FIRST, IT, NEXT)                                                           \
    HEADER KERNEL("mov.u32 %r2, %ctaid.x;" FIRST                                          \
                  "shl.b32 %r4, %r4, 8; cvt.u64.u32 %rd5, %r4; add.s64 %rd5, %rd1, %rd5;" \
                  "mov.u32 %r3, 0;\n"                                                     \
                  "again: " IT NEXT "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 64;"      \
                  "@%p1 bra again;")
#define SAME   "mov.u32 %r4, 0;"
#define OWN    "rem.u32 %r4, %r2, 6;"
#define STORE  "st.global.u32 [%rd5], %r2;"
#define ATOMIC "atom.global.add.u32 %r5, [%rd5], 1;"
#define LOAD   "ld.global.u32 %r5, [%rd5];"
#define PAST   "ld.global.cg.u32 %r5, [%rd5];"
#define STAY   ""
/* To the next partition after half of it. */
#define ON "setp.eq.u32 %p2, %r3, 31; @%p2 add.s64 %rd5, %rd5, 256;"
/* ... each time. */
#define ALL "add.s64 %rd5, %rd5, 256;"

static void step(void *user, const struct warp *w, const struct step *st)
{
    partition_watch_step(user, w, st);
}

/* Of so many CTAs, all of which run at once. */
static struct partition_watch *watched(const char *text, int grid)
{
    struct ptxrun r;
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    CU_ASSERT_EQUAL_FATAL(cfg.mem.partition.count, PARTITIONS);
    ptxrun_open(&r, text, 32, 1 << 17);
    r.l.grid[0] = grid;
    struct partition_watch *u = partition_watch_new(&cfg, (uint64_t)grid, (uint64_t)grid);
    struct func_opts o = {.on_step = step, .user = u};
    struct func_counts c = {0};
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err) && func_run(&r.l, &o, &c, &r.err));
    ptxrun_close(&r);
    const double first = partition_watch_correlation(u);
    CU_ASSERT_EQUAL(partition_watch_correlation(u), first); /* asking changes nothing */
    return u;
}

/* CTAs that all do as each are 1. Where each has a partition of its own, as many each, together
 * they are spread evenly: the most that can be is 23 x what each is from even, and they lack 1 x.
 */
static void of_one_partition_or_of_each_its_own(void)
{
    static const struct {
        const char *text;
        double want;
        bool camping;
    } cases[] = {
        {ROUNDS(SAME, STORE, STAY), 1, true},
        {ROUNDS(SAME, ATOMIC, STAY), 1, true},
        {ROUNDS(SAME, PAST, STAY), 1, true},
        {ROUNDS(OWN, STORE, STAY), -1.0 / (GRID - 1), false},
        {ROUNDS(OWN, ATOMIC, STAY), -1.0 / (GRID - 1), false},
        {ROUNDS(SAME, STORE, ON), 1, true}, /* from one to the next together */
        {ROUNDS(OWN, STORE, ON), -1.0 / (GRID - 1), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct partition_watch *u = watched(cases[i].text, GRID);
        CU_ASSERT_DOUBLE_EQUAL(partition_watch_correlation(u), cases[i].want, 1e-12);
        CU_ASSERT_EQUAL(partition_watch_camping(u), cases[i].camping);
        partition_watch_free(u);
    }
}

/* 32 stores to six partitions in turn: two have six of them, four have five. That is no crowd, but
 * CTAs that begin with the same one agree in it. */
static void what_each_spreads_evenly_is_compared_all_the_same(void)
{
    struct partition_watch *u = watched(ROUNDS(SAME, STORE, ALL), GRID);
    CU_ASSERT_DOUBLE_EQUAL(partition_watch_correlation(u), 1, 1e-12);
    partition_watch_free(u);
}

/* Each CTA loads one line, 64 times; 23 of 24 that of partition 0, the last another: of the one
 * transaction of each, 5/6 from even, squared distances are 5/6. Together (23 - 4)^2 + (1 - 4)^2 +
 * 4 x 4^2 = 434. */
static void a_line_is_asked_for_once(void)
{
    struct partition_watch *u =
        watched(ROUNDS("setp.eq.u32 %p3, %r2, 5; selp.u32 %r4, 1, 0, %p3;", LOAD, STAY), GRID);
    const double each = 5.0 / 6;
    CU_ASSERT_DOUBLE_EQUAL(partition_watch_correlation(u),
                           (434 - GRID * each) / ((GRID - 1) * GRID * each), 1e-12);
    partition_watch_free(u);
}

/* Nothing to compare, or nobody who looked: shares stay. */
static void one_cta_may_camp(void)
{
    struct partition_watch *u = watched(ROUNDS(SAME, STORE, STAY), 1);
    CU_ASSERT_EQUAL(partition_watch_correlation(u), 1);
    partition_watch_free(u);
    CU_ASSERT_TRUE(partition_watch_camping(NULL));
    partition_watch_free(NULL);
}

/* 32 of a wave of 90 in the middle of 1000, one in each of equal parts. */
static void the_middle_of_the_grid_is_looked_at(void)
{
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    struct partition_watch *u = partition_watch_new(&cfg, 1000, 90);
    int part[PARTITION_USE_CTAS] = {0}, all = 0;
    for (uint64_t cta = 0; cta < 1000; cta++)
        if (partition_watch_follows(u, cta)) {
            CU_ASSERT_TRUE_FATAL(cta >= 455 && cta < 545);
            part[(cta - 455) * PARTITION_USE_CTAS / 90]++;
            all++;
        }
    CU_ASSERT_EQUAL(all, PARTITION_USE_CTAS);
    for (int i = 0; i < PARTITION_USE_CTAS; i++)
        CU_ASSERT_EQUAL(part[i], 1);
    partition_watch_free(u);
    u = partition_watch_new(&cfg, 5, 90); /* all of few */
    for (uint64_t cta = 0; cta < 5; cta++)
        CU_ASSERT_TRUE(partition_watch_follows(u, cta));
    partition_watch_free(u);
}

SUITE("partition_use", T(of_one_partition_or_of_each_its_own),
      T(what_each_spreads_evenly_is_compared_all_the_same), T(a_line_is_asked_for_once),
      T(one_cta_may_camp), T(the_middle_of_the_grid_is_looked_at))
