/* How much code ran since a kernel ran last, and where. */
#include "sampler/profile/recent_code.h"

#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

static struct kernel a = {.name = "a", .ninst = 10}, b = {.name = "b", .ninst = 20},
                     c = {.name = "c", .ninst = 5};

static void code_that_ran_in_between_counts(void)
{
    struct recent_code r;
    recent_code_init(&r, 1, 64);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 1), 0);
    CU_ASSERT_FALSE(recent_code_has(&r, &a));
    recent_code_ran(&r, &a, 1);
    CU_ASSERT_TRUE(recent_code_has(&r, &a));
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 1), 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &b, 1), 0);
    recent_code_ran(&r, &b, 1);
    recent_code_ran(&r, &c, 1);
    recent_code_ran(&r, &b, 1);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 1), 8 * (10 + 20 + 5)); /* b once */
    CU_ASSERT_EQUAL(recent_code_since(&r, &b, 1), 160);
    recent_code_ran(&r, &a, 7);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 7), 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &c, 1), 8 * (10 + 20 + 5));
    recent_code_fini(&r);
}

/* Another kernel of that name, of another module, is another kernel. */
static void name_and_size_tell_kernels_apart(void)
{
    struct kernel other = {.name = "a", .ninst = 12};
    struct recent_code r;
    recent_code_init(&r, 1, 64);
    recent_code_ran(&r, &a, 1);
    CU_ASSERT_EQUAL(recent_code_since(&r, &other, 1), 0);
    CU_ASSERT_FALSE(recent_code_has(&r, &other));
    recent_code_fini(&r);
}

/* Of eight cores: a runs on 1 to 5, b on 6, 7, 0 and 1. The next two CTAs go to 2 and 3, where a
 * ran last and b never did; the next five to 2 to 6, of which 6 has had b alone. */
static void a_launch_goes_to_the_next_cores(void)
{
    struct recent_code r;
    recent_code_init(&r, 8, 64);
    recent_code_ran(&r, &a, 5);
    recent_code_ran(&r, &b, 4);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 2), 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &b, 2), 0);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 4), 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 5), 0);
    CU_ASSERT_TRUE(recent_code_has(&r, &b));
    recent_code_ran(&r, &c, 3); /* 2, 3, 4: behind them 5 */
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 1), 80);
    recent_code_ran(&r, &a, 100); /* everywhere; behind them 1 */
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 8), 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &c, 1), 0);
    recent_code_ran(&r, &a, 1);
    CU_ASSERT_EQUAL(recent_code_since(&r, &c, 3), 40 + 80);
    CU_ASSERT_EQUAL(recent_code_since(&r, &c, 4), 0);
    recent_code_fini(&r);
}

/* Launches on a GPU of 15 cores, no more than run at once: those that had CTAs are those that are
 * said. */
static void cores_are_those_of_the_dispatcher(void)
{
    static const int ctas[] = {1, 5, 4, 20, 7, 15, 2, 14, 3};
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct ptxrun p;
    struct recent_code r;
    struct gpu *g = gpu_new(&cfg, &p.err);
    ptxrun_open(&p, HEADER KERNEL("add.u32 %r2, %r1, 1;"), 32, 4096);
    recent_code_init(&r, cfg.top.cores, 64);
    for (size_t i = 0; i < sizeof ctas / sizeof *ctas; i++) {
        char name[16];
        struct run_stats of[15] = {{0}}, all = {0};
        const struct gpu_opts o = {.n = 8, .only_core = -1, .per_core = of};
        snprintf(name, sizeof name, "k%zu", i);
        const struct kernel k = {.name = name, .ninst = 1};
        p.l.grid[0] = ctas[i];
        CU_ASSERT_TRUE_FATAL(launch_init(&p.l, &p.err) && gpu_launch(g, &p.l, &o, &all, &p.err));
        recent_code_ran(&r, &k, (uint64_t)ctas[i]);
        for (int at = 0; at < 15; at++) {
            const bool said = r.core[at].n && strcmp(r.known[r.core[at].of[0]].name, name) == 0;
            CU_ASSERT_EQUAL(said, of[at].ctas > 0);
        }
    }
    recent_code_fini(&r);
    ptxrun_close(&p);
    gpu_free(g);
}

static void what_ran_before_many_others_is_forgotten(void)
{
    struct recent_code r;
    recent_code_init(&r, 1, 64);
    recent_code_ran(&r, &a, 1);
    for (int i = 0; i < 64; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", i);
        struct kernel k = {.name = name, .ninst = 1};
        CU_ASSERT_EQUAL(recent_code_since(&r, &a, 1), 80 + 8 * (uint64_t)i);
        recent_code_ran(&r, &k, 1);
        CU_ASSERT_EQUAL(recent_code_since(&r, &k, 1), 8);
    }
    CU_ASSERT_EQUAL(recent_code_since(&r, &a, 1), 0);
    CU_ASSERT_TRUE(recent_code_has(&r, &a));
    recent_code_fini(&r);
}

SUITE("recent code", T(code_that_ran_in_between_counts), T(name_and_size_tell_kernels_apart),
      T(a_launch_goes_to_the_next_cores), T(cores_are_those_of_the_dispatcher),
      T(what_ran_before_many_others_is_forgotten))
