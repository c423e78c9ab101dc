/* Which CTA of a launch is sampled; degrees that fail. */
#include "program/measure.h"

#include "tests/func/ptxrun.h"

/* 100 warp instructions of 4 CTAs: 30 are nearer to 25 than 19 are. */
static void the_cta_is_the_plans_or_one_near_the_mean(void)
{
    static uint64_t insts[] = {10, 30, 19, 41};
    static const struct {
        int64_t plan;
        uint64_t *insts;
        uint64_t cta, longest, most;
    } row[] = {
        {-1, insts, 1, 3, 41}, {-1, NULL, 0, 0, 100}, {2, NULL, 2, 0, 100}, {9, NULL, 9, 0, 100}};
    struct gpu_cfg cfg;
    params_default(gpu_cfg_groups(), &cfg);
    const struct func_counts n = {.warp_insts = 100, .thread_insts = 3200, .ctas = 4};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct program_plan p = {.cta = row[i].plan};
        struct launch_watch look;
        struct func_opts fo = {0};
        launch_watch_begin(&look, &cfg, 4, 0, &fo); /* CTAs are not counted */
        look.cta_insts = row[i].insts;
        const struct launch_facts f = measure_facts(&p, &look, &n);
        CU_ASSERT_EQUAL(f.cta, row[i].cta);
        CU_ASSERT_EQUAL(f.longest, row[i].longest);
        CU_ASSERT_EQUAL(f.most_insts, row[i].most);
        CU_ASSERT_EQUAL(f.warp_insts, 100);
        CU_ASSERT_EQUAL(f.thread_insts, 3200);
        CU_ASSERT_FALSE(f.uneven); /* nothing was seen of them */
        look.cta_insts = NULL;
        launch_watch_end(&look);
    }
}

/* Four CTAs on one core, each of which waits for all: less than four at once never end. The highest
 * of those is named, however many threads try them out and whichever is the first to give up. */
static void the_highest_degree_that_fails_is_named(void)
{
    static const char text[] = HEADER KERNEL(
        "atom.global.add.u32 %r2, [%rd1], 1;\n"
        "W: ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p1, %r3, 4; @%p1 bra W;");
    for (int jobs = 1; jobs <= 3; jobs++) {
        struct program_plan p = {.jobs = jobs, .max_cycles = 20000};
        struct degrees d = {0};
        struct record_run run[5];
        struct ptxrun r;
        params_default(gpu_cfg_groups(), &p.cfg);
        p.cfg.top.cores = 1;
        if (ptxrun_open(&r, text, 1, 4096)) {
            r.l.grid[0] = 4;
            CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
            CU_ASSERT_FALSE(measure_degrees(
                &d, &p, &r.l, &(struct measured_degrees){.out = run, .n_max = 4}, &r.err));
            CU_ASSERT_EQUAL(strncmp(r.err.msg, "at n = 3: ", 10), 0);
            for (int n = 0; n <= 4; n++) /* nothing is left that depends on which were tried */
                CU_ASSERT_PTR_NULL(d.gpu[n]);
        }
        degrees_free(&d);
        ptxrun_close(&r);
    }
}

SUITE("measured launches", T(the_cta_is_the_plans_or_one_near_the_mean),
      T(the_highest_degree_that_fails_is_named))
