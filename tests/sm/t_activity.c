/* What each core cycle is: a warp issues, one is refused, all wait for data, or there is nothing to
 * do (Kayiran et al. 2013, III-A). */
#include "tests/sm/fixture.h"

struct cycles {
    uint64_t active, stalled, mem, idle;
};

static struct cycles run(const char *const *settings, const char *body, int warps)
{
    struct fix f;
    fix_init(&f, settings);
    fix_kernel(&f, body);
    fix_run(&f, 1, 32 * warps, 1);
    const struct cycles c = {f.st.active_cycles, f.st.stalled_cycles, f.st.c_mem_cycles,
                             f.st.c_idle_cycles};
    CU_ASSERT_EQUAL(c.active + c.stalled + c.mem + c.idle, f.cycles);
    fix_fini(&f);
    return c;
}

/* What `copies` more of an instruction add: the start, the parameters and the end are the same. */
static struct cycles more(const char *const *settings, const char *setup, const char *inst,
                          int copies, int warps)
{
    struct cycles c[2];
    for (int k = 0; k < 2; k++) {
        char *body = xcalloc(1, 20000), *at = body + sprintf(body, "%s\n", setup);
        for (int i = 0; i < 32 + k * copies; i++)
            at += sprintf(at, "%s\n", inst);
        strcpy(at, "ret;");
        c[k] = run(settings, body, warps);
        free(body);
    }
    return (struct cycles){c[1].active - c[0].active, c[1].stalled - c[0].stalled,
                           c[1].mem - c[0].mem, c[1].idle - c[0].idle};
}

/* One warp, each add waits for the one before, 10 cycles apart (t_timing.c): 1 active, 9 idle. Code
 * comes a line of 16 instructions at a time, 100 cycles and more apart, which is idle too. */
static void results_are_no_data(void)
{
    const struct cycles c = more(NULL, "mov.u32 %r1, 1;", "add.s32 %r1, %r1, 1;", 64, 1);
    CU_ASSERT_EQUAL(c.active, 64);
    CU_ASSERT_EQUAL(c.stalled, 0);
    CU_ASSERT_EQUAL(c.mem, 0);
    CU_ASSERT_TRUE(c.idle >= 64 * 9);
}

/* Each load needs the one before. 4 cycles lie between issue and use of a hit (t_timing.c); what
 * goes past L1D waits for the fixture, 100 cycles longer at 200 than at 100. */
static void a_chain_of_loads_waits_for_data(void)
{
    const char *setup = "ld.param.u64 %rd1, [p]; st.global.u64 [%rd1], %rd1;";
    struct cycles c[2];
    for (int k = 0; k < 2; k++) {
        struct fix f;
        char *body = xcalloc(1, 20000), *at = body + sprintf(body, "%s\n", setup);
        for (int i = 0; i < 16; i++)
            at += sprintf(at, "ld.global.cg.u64 %%rd1, [%%rd1];\n");
        strcpy(at, "st.global.u64 [%rd1+8], %rd1; ret;");
        fix_init(&f, NULL);
        f.net.latency = 1000 + 1000 * (cycle_t)k;
        fix_kernel(&f, body);
        fix_run(&f, 1, 32, 1);
        c[k] = (struct cycles){f.st.active_cycles, f.st.stalled_cycles, f.st.c_mem_cycles,
                               f.st.c_idle_cycles};
        free(body);
        fix_fini(&f);
    }
    CU_ASSERT_EQUAL(c[0].active, c[1].active);
    CU_ASSERT_EQUAL(c[0].stalled, c[1].stalled);
    /* Code comes while a load waits, or the other way round: from the second line of code on the
     * longer of the two is the load. */
    CU_ASSERT_TRUE(c[1].mem - c[0].mem >= 14 * 1000 && c[1].mem - c[0].mem <= 16 * 1000);
}

/* 32 banks for 32 lanes of one bank: the LD/ST unit takes 32 cycles a load. Two warps: one has its
 * load in the unit, one in front of it, and both have the next in the buffer. */
static void a_full_unit_stalls(void)
{
    const char *setup = "mov.u32 %r3, %tid.x; and.b32 %r3, %r3, 31; shl.b32 %r3, %r3, 7;\n"
                        "mov.u32 %r1, sh; add.s32 %r1, %r1, %r3;";
    const struct cycles c = more(NULL, setup, "st.shared.u32 [%r1], %r3;", 32, 4);
    CU_ASSERT_EQUAL(c.active + c.stalled + c.idle, 4 * 32 * 32);
    CU_ASSERT_EQUAL(c.mem, 0);
    CU_ASSERT_TRUE(c.stalled >= 4 * 32 * 30);
}

/* Shared memory is near: its loads take 8 cycles, and none of them is memory waiting time. */
static void shared_memory_is_no_data(void)
{
    const struct cycles c = more(NULL, "mov.u32 %r1, sh; st.shared.u32 [%r1], %r1;",
                                 "ld.shared.u32 %r1, [%r1];", 32, 1);
    CU_ASSERT_EQUAL(c.active, 32);
    CU_ASSERT_EQUAL(c.mem, 0);
}

/* A scheduler that takes an instruction every 4 cycles is active in all of them. */
static void the_issue_interval_is_active(void)
{
    const char *const every_4[] = {"schedulers=1", "issue_interval=4", NULL};
    const struct cycles c = more(every_4, "mov.u32 %r1, 1;", "add.s32 %r2, %r1, 1;", 64, 1);
    CU_ASSERT_EQUAL(c.active, 4 * 64);
}

/* Warps at a barrier wait for the one that waits for data: that one decides. */
static void one_that_waits_for_data_makes_it_memory(void)
{
    const char *body = "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 31;\n"
                       "@%p1 bra B; ld.global.cg.u32 %r2, [%rd1]; add.s32 %r2, %r2, 1;\n"
                       "B: bar.sync 0; ret;";
    struct fix f;
    struct cycles c[2];
    for (int k = 0; k < 2; k++) {
        fix_init(&f, NULL);
        f.net.latency = 1000 + 500 * (cycle_t)k;
        fix_kernel(&f, body);
        fix_run(&f, 1, 96, 1);
        c[k] = (struct cycles){.mem = f.st.c_mem_cycles};
        fix_fini(&f);
    }
    CU_ASSERT_EQUAL(c[1].mem - c[0].mem, 500);
}

/* A core without a CTA is idle. */
static void an_empty_core_is_idle(void)
{
    struct fix f;
    fix_init(&f, NULL);
    sm_stats(f.sm, 1000, &f.st);
    CU_ASSERT_EQUAL(f.st.c_idle_cycles, 1000);
    CU_ASSERT_EQUAL(f.st.busy_core_cycles, 0);
    fix_fini(&f);
}

/* sm_counters() shows what sm_stats() hands out, whenever that is called. */
static void counters_are_what_statistics_add_up_to(void)
{
    struct fix f;
    struct run_stats seen;
    fix_init(&f, NULL);
    fix_kernel(&f, "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; ret;");
    fix_run(&f, 2, 64, 1);
    sm_counters(f.sm, f.net.now, &seen);
    CU_ASSERT_EQUAL(memcmp(&seen, &f.st, sizeof seen), 0);
    struct run_stats both = f.st;
    fix_run(&f, 2, 64, 1);
    stats_add(&both, &f.st);
    sm_counters(f.sm, f.net.now, &seen);
    CU_ASSERT_EQUAL(memcmp(&seen, &both, sizeof seen), 0);
    fix_fini(&f);
}

SUITE("core cycles", T(results_are_no_data), T(a_chain_of_loads_waits_for_data),
      T(a_full_unit_stalls), T(shared_memory_is_no_data), T(the_issue_interval_is_active),
      T(one_that_waits_for_data_makes_it_memory), T(an_empty_core_is_idle),
      T(counters_are_what_statistics_add_up_to))
