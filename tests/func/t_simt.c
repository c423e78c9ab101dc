/* The SIMT stack by itself: who runs first, where paths meet, how deep it gets. */
#include "sim/func/simt.h"

#include "tests/suite.h"

static void expect_top(const struct warp *w, int depth, uint32_t pc, lanes_t mask)
{
    CU_ASSERT_EQUAL(w->depth, depth);
    CU_ASSERT_EQUAL(simt_top(w)->pc, pc);
    CU_ASSERT_EQUAL(simt_top(w)->mask, mask);
}

/* Moves the top to pc, as an instruction without branch at its end would. */
static void advance(struct warp *w, uint32_t pc)
{
    simt_top(w)->pc = pc;
    simt_reconverge(w);
}

static void paths_meet_at_the_post_dominator(void)
{
    struct warp w = {0};
    simt_init(&w, LANES_ALL);
    /* 0: if lanes 16..31 go to 5, others to 1; both meet at 9. The highest lane's path is pushed
     * first, so the other one runs first. */
    simt_branch(&w, 9, (struct simt_path[]){{5, 0xffff0000}, {1, 0x0000ffff}}, 2);
    expect_top(&w, 3, 1, 0x0000ffff);
    advance(&w, 9);
    expect_top(&w, 2, 5, 0xffff0000);
    advance(&w, 9);
    expect_top(&w, 1, 9, LANES_ALL);
    simt_fini(&w);
}

static void a_path_that_goes_to_the_meeting_point_has_no_entry(void)
{
    struct warp w = {0};
    simt_init(&w, LANES_ALL);
    simt_branch(&w, 9, (struct simt_path[]){{9, 0xf0000000}, {1, 0x0fffffff}}, 2);
    expect_top(&w, 2, 1, 0x0fffffff);
    advance(&w, 9);
    expect_top(&w, 1, 9, LANES_ALL);
    simt_fini(&w);
}

static void agreement_needs_no_entry(void)
{
    struct warp w = {0};
    simt_init(&w, 0xff);
    simt_branch(&w, 9, (struct simt_path[]){{5, 0xff}}, 1);
    expect_top(&w, 1, 5, 0xff);
    simt_fini(&w);
}

static void loop_that_lanes_leave_one_by_one_stays_flat(void)
{
    struct warp w = {0};
    simt_init(&w, LANES_ALL);
    lanes_t in = LANES_ALL;
    for (int i = 0; i < 31; i++) { /* 1: loop head; 7: exit and post-dominator */
        lanes_t out = 1u << i;
        in &= ~out;
        simt_branch(&w, 7, (struct simt_path[]){{1, in}, {7, out}}, 2);
        simt_reconverge(&w);
        expect_top(&w, 2, 1, in);
    }
    advance(&w, 7);
    expect_top(&w, 1, 7, LANES_ALL);
    simt_fini(&w);
}

static void nested_divergence_inside_a_shared_meeting_point(void)
{
    struct warp w = {0};
    simt_init(&w, LANES_ALL);
    simt_branch(&w, 20, (struct simt_path[]){{10, 0xffff0000}, {1, 0xffff}}, 2);
    simt_branch(&w, 20, (struct simt_path[]){{5, 0xff00}, {2, 0xff}}, 2); /* same post-dominator */
    expect_top(&w, 4, 2, 0xff);
    advance(&w, 20);
    expect_top(&w, 3, 5, 0xff00);
    simt_branch(&w, 8, (struct simt_path[]){{6, 0xf000}, {7, 0x0f00}}, 2); /* a nearer one */
    expect_top(&w, 5, 7, 0x0f00);
    advance(&w, 8);
    advance(&w, 8);
    expect_top(&w, 3, 8, 0xff00);
    advance(&w, 20);
    expect_top(&w, 2, 10, 0xffff0000);
    advance(&w, 20);
    expect_top(&w, 1, 20, LANES_ALL);
    simt_fini(&w);
}

static void exited_lanes_leave_every_entry(void)
{
    struct warp w = {0};
    simt_init(&w, LANES_ALL);
    simt_branch(&w, 9, (struct simt_path[]){{5, 0xffff0000}, {1, 0xffff}}, 2);
    simt_exit(&w, 0xffff);
    simt_reconverge(&w);
    expect_top(&w, 2, 5, 0xffff0000);
    advance(&w, 9);
    expect_top(&w, 1, 9, 0xffff0000);
    CU_ASSERT_EQUAL(w.live, 0xffff0000);
    simt_fini(&w);
}

static void a_frame_ends_when_its_last_lane_returns(void)
{
    struct warp w = {0};
    simt_init(&w, LANES_ALL);
    simt_top(&w)->pc = 4; /* after the call at 3 */
    simt_call(&w, 100, &(struct simt_call){.pc = 3, .caller = SIMT_NO_CALL, .lanes = 0xff});
    simt_branch(&w, RECONV_EXIT, (struct simt_path[]){{110, 0xf0}, {101, 0x0f}}, 2);
    expect_top(&w, 3, 101, 0x0f);
    CU_ASSERT_EQUAL(w.calls[simt_top(&w)->call].pc, 3);
    simt_return(&w, 0x0f);
    simt_reconverge(&w);
    expect_top(&w, 2, 110, 0xf0);
    simt_return(&w, 0xf0);
    simt_reconverge(&w);
    expect_top(&w, 1, 4, LANES_ALL);
    CU_ASSERT_EQUAL(simt_top(&w)->call, SIMT_NO_CALL);
    CU_ASSERT_EQUAL(w.live, LANES_ALL);
    simt_fini(&w);
}

static void the_stack_grows_as_deep_as_the_nesting(void)
{
    struct warp w = {0};
    simt_init(&w, LANES_ALL);
    lanes_t in = LANES_ALL;
    for (uint32_t i = 0; i < 31; i++) {
        lanes_t rest = in & ~(1u << i);
        simt_branch(&w, 1000 - i, (struct simt_path[]){{i + 100, rest}, {1, 1u << i}}, 2);
        advance(&w, 1000 - i);
        in = rest;
    }
    CU_ASSERT_EQUAL(w.depth, 32);
    for (uint32_t i = 31; i-- > 0;)
        advance(&w, 1000 - i);
    expect_top(&w, 1, 1000, LANES_ALL);
    simt_fini(&w);
}

SUITE("SIMT stack", T(paths_meet_at_the_post_dominator),
      T(a_path_that_goes_to_the_meeting_point_has_no_entry), T(agreement_needs_no_entry),
      T(loop_that_lanes_leave_one_by_one_stays_flat),
      T(nested_divergence_inside_a_shared_meeting_point), T(exited_lanes_leave_every_entry),
      T(a_frame_ends_when_its_last_lane_returns), T(the_stack_grows_as_deep_as_the_nesting))
