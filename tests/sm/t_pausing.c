/* Paused CTAs: their warps issue while no warp of a running CTA is ready (Kayiran et al. 2013,
 * IV-C), or when their patience is at an end. */
#include "tests/sm/fixture.h"

#define ROUNDS 200

/* Two CTAs, of which the younger is paused from the start: what it has issued when the older one
 * ends, over what that one has. Of 8 warps and with one scheduler; or of one warp each, with a
 * scheduler for each. */
static double share_of(bool apart, bool pause, cycle_t patience, const char *loop)
{
    static const char *const one[] = {"schedulers=1", "warp_scheduler=lrr", NULL},
                             *const two[] = {"schedulers=2", "warp_scheduler=lrr", NULL};
    struct fix f;
    struct err e;
    struct sm_cta_end end[2];
    int ended = 0;
    char body[1024];
    snprintf(body, sizeof body,
             "ld.param.u64 %%rd1, [p]; mov.u32 %%r1, 0; L: %s add.s32 %%r1, %%r1, 1;\n"
             "setp.lt.s32 %%p1, %%r1, %d; @%%p1 bra L; ret;",
             loop, ROUNDS);
    fix_init(&f, apart ? two : one);
    fix_kernel(&f, body);
    for (int d = 0; d < 3; d++)
        f.launch.grid[d] = f.launch.block[d] = 1;
    f.launch.grid[0] = 2;
    f.launch.block[0] = apart ? 32 : 256;
    CU_ASSERT_TRUE_FATAL(launch_init(&f.launch, &e));
    fix_launch(&f, 2, false);
    for (; ended < 2 && f.net.now < 1000000; f.net.now++) {
        fix_step(&f);
        if (f.net.now < 2)
            sm_start_cta(f.sm, f.net.now, f.net.now);
        if (pause)
            sm_run_oldest(f.sm, 1, patience);
        for (int i = 0; ended < 2 && sm_ended_cta(f.sm, i, &end[ended]); i++)
            ended++;
        sm_forget_ended(f.sm);
    }
    CU_ASSERT_EQUAL_FATAL(ended, 2);
    fix_fini(&f);
    return (double)(end[0].core_insts - end[0].warp_insts) / (double)end[0].warp_insts;
}

static double share(bool pause, cycle_t patience, const char *loop)
{
    return share_of(false, pause, patience, loop);
}

/* 8 warps of independent additions keep one scheduler busy. */
static void a_paused_cta_gets_what_is_left(void)
{
    const char *add = "add.s32 %r2, %r3, 1; add.s32 %r4, %r3, 1; add.s32 %r5, %r3, 1;";
    CU_ASSERT_TRUE(share(false, 0, add) > 0.95);
    CU_ASSERT_TRUE(share(true, 0, add) < 0.25);
}

/* While the older CTA waits for its loads, the paused one goes on. */
static void a_paused_cta_runs_while_the_others_wait(void)
{
    const char *load = "ld.global.cg.u32 %r2, [%rd1]; add.s32 %r3, %r2, 1;";
    CU_ASSERT_TRUE(share(true, 0, load) > 0.9);
}

/* The schedulers are asked when something of their own warps changes; that the others wait is news
 * for a paused warp all the same. */
static void a_paused_cta_runs_while_warps_of_another_scheduler_wait(void)
{
    const char *loop =
        "sin.approx.f32 %f1, %f5; sin.approx.f32 %f2, %f5; sin.approx.f32 %f3, %f5;"
        "sin.approx.f32 %f4, %f5; ld.global.cg.u32 %r2, [%rd1]; add.s32 %r3, %r2, 1;";
    CU_ASSERT_TRUE(share_of(true, true, 0, loop) > 0.9);
}

/* 8 paused warps that may each issue once in 64 cycles: an eighth of the slots, which is a seventh
 * of what the others have; a warp that the LD/ST unit never holds up takes its turn at once. */
static void patience_lets_a_paused_warp_issue(void)
{
    const char *add = "add.s32 %r2, %r3, 1; add.s32 %r4, %r3, 1; add.s32 %r5, %r3, 1;";
    const double never = share(true, 0, add), soon = share(true, 64, add),
                 now = share(true, 1, add);
    CU_ASSERT_TRUE(soon > never + 0.05);
    CU_ASSERT_TRUE(now > 0.95);
}

SUITE("pausing", T(a_paused_cta_gets_what_is_left), T(a_paused_cta_runs_while_the_others_wait),
      T(a_paused_cta_runs_while_warps_of_another_scheduler_wait),
      T(patience_lets_a_paused_warp_issue))
