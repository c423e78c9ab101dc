/* A launch at every degree; degrees that fail. */
#include "program/measure.h"

#include "tests/func/ptxrun.h"

/* Each CTA waits until four have come. */
static const char meet[] =
    HEADER KERNEL("atom.global.add.u32 %r2, [%rd1], 1;\n"
                  "W: ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p1, %r3, 4; @%p1 bra W;");

struct meeting { /* of four CTAs on one core */
    struct program_plan plan;
    struct degrees d;
    struct record_run run[9];
    struct ptxrun r;
};

/* At every degree, by so many threads. */
static bool they_meet(struct meeting *m, int jobs, uint64_t max_cycles, int n_max)
{
    *m = (struct meeting){
        .plan = {.rules = *sampling_or_default(NULL), .jobs = jobs, .max_cycles = max_cycles}};
    gpu_cfg_default(&m->plan.cfg);
    m->plan.cfg.top.cores = 1;
    CU_ASSERT_TRUE_FATAL(ptxrun_open(&m->r, meet, 1, 4096));
    m->r.l.grid[0] = 4;
    CU_ASSERT_TRUE(launch_init(&m->r.l, &m->r.err));
    const struct measured_degrees all = {.out = m->run, .n_max = n_max};
    return measure_degrees(&m->d, &m->plan, &m->r.l, &all, &m->r.err);
}

static void they_part(struct meeting *m)
{
    degrees_free(&m->d);
    ptxrun_close(&m->r);
}

/* Less than four at once never end, which is found out late. The highest of those is named, however
 * many threads try them out and whichever is the first to give up. */
static void the_highest_degree_that_fails_is_named(void)
{
    for (int jobs = 1; jobs <= 3; jobs++) {
        struct meeting m;
        CU_ASSERT_FALSE(they_meet(&m, jobs, 20000, 4));
        CU_ASSERT_EQUAL(strncmp(m.r.err.msg, "at n = 3: ", 10), 0);
        CU_ASSERT_PTR_NULL(m.d.before); /* nothing is left that depends on which were tried */
        they_part(&m);
    }
}

/* With 3 at once three wait for one that has no room: with fewer than 4 it is taken to be as
 * with 4.
 */
static void with_too_few_it_is_as_with_enough(void)
{
    for (int jobs = 1; jobs <= 3; jobs++) {
        struct meeting m;
        CU_ASSERT_TRUE_FATAL(they_meet(&m, jobs, 10000000, 8));
        for (int n = 1; n <= 8; n++) {
            CU_ASSERT_EQUAL(m.run[n].n, n);
            CU_ASSERT_EQUAL(m.run[n].ran, n < 4 ? 4 : n);
            CU_ASSERT_EQUAL(m.run[n].stats.ctas, 4);
            CU_ASSERT_EQUAL(m.run[n].stats.cycles, m.run[4].stats.cycles);
        }
        CU_ASSERT_TRUE(m.run[3].host_seconds > 0); /* of finding that out */
        they_part(&m);
    }
}

/* Each thread reads its own word, four lines a CTA. */
#define READS                                                                     \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r2, %r2, 7;"            \
    "add.u32 %r1, %r1, %r2; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;" \
    "ld.global.u32 %r3, [%rd3];"

static struct program_plan plan_of(int cores)
{
    struct program_plan p = {.rules = *sampling_or_default(NULL), .jobs = 2, .max_cycles = 100000};
    gpu_cfg_default(&p.cfg);
    p.cfg.top.cores = cores;
    return p;
}

/* Of two CTAs a core never has three: n = 3 and 4 are n = 2. So they are in the launches after it,
 * and each degree finds what the launch before has left in L1D. */
static void degrees_that_are_the_same_measure_the_same(void)
{
    const struct program_plan p = plan_of(1);
    struct degrees d = {0};
    struct record_run first[5], again[5];
    struct ptxrun r;
    if (ptxrun_open(&r, HEADER KERNEL(READS), 128, 4096)) {
        r.l.grid[0] = 2;
        CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
        CU_ASSERT_TRUE(measure_degrees(
            &d, &p, &r.l, &(struct measured_degrees){.out = first, .n_max = 4}, &r.err));
        CU_ASSERT_TRUE(measure_degrees(
            &d, &p, &r.l, &(struct measured_degrees){.out = again, .n_max = 4}, &r.err));
        for (int n = 1; n <= 4; n++) {
            CU_ASSERT_EQUAL(first[n].n, n);
            CU_ASSERT_EQUAL(first[n].stats.l1d_misses, 8);
            CU_ASSERT_EQUAL(again[n].stats.l1d_misses, 0);
            CU_ASSERT_TRUE(again[n].stats.l1i_misses < first[n].stats.l1i_misses);
            CU_ASSERT_TRUE(n < 2 || n == 4 || again[n].host_seconds == 0);
        }
        CU_ASSERT_EQUAL(first[2].stats.cycles, first[4].stats.cycles);
        CU_ASSERT_EQUAL(again[2].stats.cycles, again[4].stats.cycles);
        CU_ASSERT_EQUAL(again[3].stats.cycles, again[4].stats.cycles);
    }
    degrees_free(&d);
    ptxrun_close(&r);
}

/* A kernel of at most two CTAs a core runs between two launches of one that has more: the caches
 * are what it left, at every degree of the next. */
static void a_kernel_of_fewer_degrees_leaves_the_same_to_all(void)
{
    const struct program_plan p = plan_of(1);
    struct degrees d = {0};
    struct record_run run[5];
    struct ptxrun r;
    if (ptxrun_open(&r, HEADER KERNEL(READS), 128, 4096)) {
        r.l.grid[0] = 1;
        CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
        CU_ASSERT_TRUE(measure_degrees(&d, &p, &r.l,
                                       &(struct measured_degrees){.out = run, .n_max = 2}, &r.err));
        CU_ASSERT_TRUE(measure_degrees(&d, &p, &r.l,
                                       &(struct measured_degrees){.out = run, .n_max = 4}, &r.err));
        for (int n = 1; n <= 4; n++) {
            CU_ASSERT_EQUAL(run[n].stats.l1d_misses, 0);
            CU_ASSERT_EQUAL(run[n].stats.cycles, run[4].stats.cycles);
        }
    }
    degrees_free(&d);
    ptxrun_close(&r);
}

SUITE("measured launches", T(the_highest_degree_that_fails_is_named),
      T(with_too_few_it_is_as_with_enough), T(degrees_that_are_the_same_measure_the_same),
      T(a_kernel_of_fewer_degrees_leaves_the_same_to_all))
