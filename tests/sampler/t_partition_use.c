/* Partition camping, by hand. Each is one warp whose lanes touch one
 * word, in six partitions of 256 bytes. */
#include "sampler/profile/partition_use.h"
#include "sim/gpu/gpu_cfg.h"
#include "tests/func/ptxrun.h"

#define PARTITIONS 6
#define GRID       (PARTITIONS * 4)

/* So many TIMES: what IT does with [%rd5], which NEXT moves on; it begins at partition FIRST (%r4).
 */
#define ROUNDS(TIMES, FIRST, IT, NEXT)                                                    \
    HEADER KERNEL("mov.u32 %r2, %ctaid.x;" FIRST                                          \
                  "shl.b32 %r4, %r4, 8; cvt.u64.u32 %rd5, %r4; add.s64 %rd5, %rd1, %rd5;" \
                  "mov.u32 %r3, 0;\n"                                                     \
                  "again: " IT NEXT "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, " TIMES   \
                  "; @%p1 bra again;")
#define SAME    "mov.u32 %r4, 0;"
#define OWN     "rem.u32 %r4, %r2, 6;"
#define IN_BANK "rem.u32 %r4, %r2, 6; mul.lo.u32 %r4, %r4, 97;" /* of its number, 96 x 256 on */
#define STORE   "st.global.u32 [%rd5], %r2;"
#define ATOMIC  "atom.global.add.u32 %r5, [%rd5], 1;"
#define LOAD    "ld.global.u32 %r5, [%rd5];"
#define PAST    "ld.global.cg.u32 %r5, [%rd5];"
#define STAY    ""
/* To the next partition after each phase of 32; there, to the next bank, too; each time. */
#define PHASE     "and.b32 %r6, %r3, 31; setp.eq.u32 %p2, %r6, 31; @%p2 "
#define NEXT      PHASE "add.s64 %rd5, %rd5, 256;"
#define NEXT_BANK PHASE "add.s64 %rd5, %rd5, 24832;"
#define EACH      "add.s64 %rd5, %rd5, 256;"

static void step(void *user, const struct warp *w, const struct step *st)
{
    partition_watch_step(user, w, st);
}

/* Of so many CTAs, all of which run at once. */
static struct partition_watch *watched(const char *text, int grid)
{
    static struct gpu_cfg cfg; /* the watch borrows it */
    struct ptxrun r;
    gpu_cfg_default(&cfg);
    CU_ASSERT_EQUAL_FATAL(cfg.mem.partition.count, PARTITIONS);
    ptxrun_open(&r, text, 32, 1 << 19);
    r.l.grid[0] = grid;
    struct partition_watch *u = partition_watch_new(&cfg, (uint64_t)grid, (uint64_t)grid,
                                                    &sampling_or_default(NULL)->watch);
    struct func_opts o = {.on_step = step, .user = u};
    struct func_counts c = {0};
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err) && func_run(&r.l, &o, &c, &r.err));
    ptxrun_close(&r);
    const double first = partition_watch_correlation(u);
    CU_ASSERT_EQUAL(partition_watch_correlation(u), first); /* asking changes nothing */
    return u;
}

static void is(const char *text, double want)
{
    struct partition_watch *u = watched(text, GRID);
    CU_ASSERT_DOUBLE_EQUAL(partition_watch_correlation(u), want, 1e-12);
    CU_ASSERT_EQUAL(partition_watch_camping(u, &sampling_or_default(NULL)->similarity), want > 0.1);
    partition_watch_free(u);
}

/* CTAs that all do as each are 1. Where each has a partition of its own, as many each, together
 * they are spread evenly: the most that can be is 23 x what each is from even, and they lack 1 x.
 */
static void of_one_partition_or_of_each_its_own(void)
{
    is(ROUNDS("64", SAME, STORE, STAY), 1);
    is(ROUNDS("64", SAME, ATOMIC, STAY), 1);
    is(ROUNDS("64", SAME, PAST, STAY), 1);
    is(ROUNDS("64", OWN, STORE, STAY), -1.0 / (GRID - 1));
    is(ROUNDS("64", OWN, ATOMIC, STAY), -1.0 / (GRID - 1));
}

/* All go through six partitions, in the same phases: over all their work, that is even. Each begins
 * with another: no two are in one at once. */
static void together_from_one_partition_to_the_next(void)
{
    is(ROUNDS("192", SAME, STORE, NEXT), 1);
    is(ROUNDS("192", OWN, STORE, NEXT), 0);
}

/* Each is in a partition of its own at any time. But of a bank all use the same partition, one
 * after the other: of the 11 banks the first and the last have 4 CTAs each, the next 8, and so on.
 */
static void one_after_the_other_in_one_bank(void)
{
    is(ROUNDS("192", IN_BANK, STORE, NEXT_BANK), 1);
}

/* 32 stores to six partitions in turn: two have six of them, four have five. CTAs that begin with
 * the same one agree in that, however little it is: shares of what is spread evenly hold nobody. */
static void what_each_spreads_evenly_is_compared_all_the_same(void)
{
    is(ROUNDS("64", SAME, STORE, EACH), 1);
}

/* Each CTA loads one line, 64 times; 23 of 24 that of partition 0, the last another: of the one
 * request of each, 5/6 from even, squared distances are 5/6. Together (23 - 4)^2 + (1 - 4)^2 +
 * 4 x 4^2 = 434. */
static void a_line_is_asked_for_once(void)
{
    const double each = 5.0 / 6;
    is(ROUNDS("64", "setp.eq.u32 %p3, %r2, 5; selp.u32 %r4, 1, 0, %p3;", LOAD, STAY),
       (434 - GRID * each) / ((GRID - 1) * GRID * each));
}

/* Its own stack, wherever that lies: nothing is left to compare. */
static void local_memory_does_not_count(void)
{
    is(ROUNDS("64", ".local .b32 stack[4];" SAME, "st.local.u32 [stack], %r2;", STAY), 1);
    is(ROUNDS("64", ".local .b32 stack[4];" OWN, "st.local.u32 [stack], %r2;" STORE, STAY),
       -1.0 / (GRID - 1));
}

/* All are in one partition from the 4096th request on, which is not seen; or from the 384th, which
 * is: in 113 of 125 phases all together have 23 x what each has, in 12 they lack 1 x. Of the bank,
 * as of 24 CTAs with 3616 requests in one partition and 384 in their own, it is more. */
static void no_more_than_the_first_requests_count(void)
{
    is(ROUNDS("6000", OWN, STORE, "setp.eq.u32 %p2, %r3, 4095; @%p2 mov.u64 %rd5, %rd1;"),
       -1.0 / (GRID - 1));
    struct partition_watch *u = watched(
        ROUNDS("4000", OWN, STORE, "setp.eq.u32 %p2, %r3, 383; @%p2 mov.u64 %rd5, %rd1;"), GRID);
    CU_ASSERT_TRUE(partition_watch_correlation(u) > (113.0 * 23 - 12) / (125 * 23));
    partition_watch_free(u);
}

/* Nothing to compare, or nobody who looked: shares stay. */
static void one_cta_may_camp(void)
{
    struct partition_watch *u = watched(ROUNDS("64", SAME, STORE, STAY), 1);
    CU_ASSERT_EQUAL(partition_watch_correlation(u), 1);
    partition_watch_free(u);
    CU_ASSERT_TRUE(partition_watch_camping(NULL, &sampling_or_default(NULL)->similarity));
    partition_watch_free(NULL);
}

/* 32 of a wave of 90 in the middle of 1000, one in each of equal parts. */
static void the_middle_of_the_grid_is_looked_at(void)
{
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    struct partition_watch *u =
        partition_watch_new(&cfg, 1000, 90, &sampling_or_default(NULL)->watch);
    int part[32] = {0}, all = 0;
    for (uint64_t cta = 0; cta < 1000; cta++)
        if (partition_watch_follows(u, cta)) {
            CU_ASSERT_TRUE_FATAL(cta >= 455 && cta < 545);
            part[(cta - 455) * 32 / 90]++;
            all++;
        }
    CU_ASSERT_EQUAL(all, 32);
    for (int i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(part[i], 1);
    partition_watch_free(u);
    u = partition_watch_new(&cfg, 5, 90, &sampling_or_default(NULL)->watch); /* all of few */
    for (uint64_t cta = 0; cta < 5; cta++)
        CU_ASSERT_TRUE(partition_watch_follows(u, cta));
    partition_watch_free(u);
}

/* 24 CTAs store to one word 64 times each: a row of one bank that stays open, and four DRAM cycles
 * of the bus for each, of a channel that the others cannot help. Nobody has looked: nothing. */
static void what_banks_take_is_known(void)
{
    struct gpu_cfg cfg;
    gpu_cfg_default(&cfg);
    struct partition_watch *u = watched(ROUNDS("64", SAME, STORE, STAY), GRID);
    const double requests = 64.0 * GRID, cycles = cfg.mem.dram.tRCD + 4 * requests;
    CU_ASSERT_DOUBLE_EQUAL(partition_watch_bank_cycles(u) * requests,
                           cycles * cfg.clock.core / cfg.clock.dram, 1e-6);
    partition_watch_free(u);
    u = watched(ROUNDS("64", SAME, STORE, STAY), 1);
    CU_ASSERT_EQUAL(partition_watch_bank_cycles(u), 0);
    partition_watch_free(u);
    CU_ASSERT_EQUAL(partition_watch_bank_cycles(NULL), 0);
}

SUITE("partition camping", T(of_one_partition_or_of_each_its_own),
      T(together_from_one_partition_to_the_next), T(one_after_the_other_in_one_bank),
      T(what_each_spreads_evenly_is_compared_all_the_same), T(a_line_is_asked_for_once),
      T(local_memory_does_not_count), T(no_more_than_the_first_requests_count), T(one_cta_may_camp),
      T(the_middle_of_the_grid_is_looked_at), T(what_banks_take_is_known))
