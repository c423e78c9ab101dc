/* What a launch is refused for, and what special registers say. */
#include "tests/func/ptxrun.h"

static void expect_refusal(const char *text, const struct launch *shape, const char *message)
{
    struct ptxrun r;
    if (ptxrun_open(&r, text, 1, 8192)) {
        memcpy(r.l.grid, shape->grid, sizeof r.l.grid);
        memcpy(r.l.block, shape->block, sizeof r.l.block);
        r.l.dyn_shared = shape->dyn_shared;
        CU_ASSERT_FALSE(launch_init(&r.l, &r.err));
        if (strcmp(r.err.msg, message) != 0)
            printf("\nexpected: %s\nfound:    %s\n", message, r.err.msg);
        CU_ASSERT_STRING_EQUAL(r.err.msg, message);
    }
    ptxrun_close(&r);
}

#define PLAIN HEADER KERNEL("")
#define ENTRY(directives, body) \
    HEADER ".entry k(.param .u64 out)\n" directives "\n{\n" body "\nret;\n}\n"
#define SHAPE(gx, gy, gz, bx, by, bz) \
    (&(struct launch){.grid = {gx, gy, gz}, .block = {bx, by, bz}})

static void shapes_outside_the_limits_are_refused(void)
{
    expect_refusal(PLAIN, SHAPE(1, 1, 1, 1025, 1, 1), "kernel k: block.x = 1025, allowed 1..1024");
    expect_refusal(PLAIN, SHAPE(1, 1, 1, 1, 1, 65), "kernel k: block.z = 65, allowed 1..64");
    expect_refusal(PLAIN, SHAPE(1, 1, 1, 1, 0, 1), "kernel k: block.y = 0, allowed 1..1024");
    expect_refusal(PLAIN, SHAPE(1, 1, 1, 32, 32, 2),
                   "kernel k: block of 32 x 32 x 2 = 2048 threads, at most 1024");
    expect_refusal(PLAIN, SHAPE(0, 1, 1, 1, 1, 1), "kernel k: grid.x = 0, allowed 1..2147483647");
    expect_refusal(PLAIN, SHAPE(1, 65536, 1, 1, 1, 1),
                   "kernel k: grid.y = 65536, allowed 1..65535");
    expect_refusal(PLAIN, SHAPE(1, 1, -1, 1, 1, 1), "kernel k: grid.z = -1, allowed 1..65535");
}

static void directives_bind_the_block(void)
{
    expect_refusal(ENTRY(".reqntid 64, 2", ""), SHAPE(1, 1, 1, 128, 1, 1),
                   "kernel k: block 128 x 1 x 1, but .reqntid asks for 64 x 2 x 1");
    expect_refusal(ENTRY(".maxntid 8, 8", ""), SHAPE(1, 1, 1, 65, 1, 1),
                   "kernel k: block of 65 threads, but .maxntid allows 64");
    struct ptxrun r;
    /* A product beyond any number is no limit below the 1024 threads that a CTA may have. */
    ptxrun_open(&r, ENTRY(".maxntid 4294967295, 4294967295, 4294967295", ""), 64, 64);
    CU_ASSERT_EQUAL(launch_most_threads(r.l.kernel), 1024);
    ptxrun_close(&r);
    ptxrun_open(&r, ENTRY(".maxntid 8, 8", ""), 64, 64);
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    ptxrun_close(&r);
}

static void too_much_memory_is_refused(void)
{
    struct launch l = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .dyn_shared = 232400};
    expect_refusal(ENTRY("", ".shared .b8 s[100];"), &l,
                   "kernel k: 112 + 232400 bytes of shared memory a CTA (static + dynamic), at "
                   "most 232448");
}

static void unsupported_instructions_are_named_at_the_launch(void)
{
    expect_refusal(ENTRY("", ".reg .b32 %r<5>; .reg .b64 %rd<2>;\n"
                             "sured.b.add.2d.u32.trap [%rd1, {%r1, %r2}], %r3;"),
                   SHAPE(1, 1, 1, 1, 1, 1),
                   "kernel k uses sured.b.add.2d.u32.trap at test.ptx:8, which is not supported");
}

/* Three dimensions, a partial last warp, everything that is fixed while a warp runs. */
static void special_registers_tell_where_a_thread_is(void)
{
    static const char *const names[] = {"tid.x",       "tid.y",       "tid.z",       "ctaid.x",
                                        "ctaid.y",     "ctaid.z",     "ntid.x",      "ntid.y",
                                        "ntid.z",      "nctaid.x",    "nctaid.y",    "nctaid.z",
                                        "laneid",      "warpid",      "lanemask_eq", "lanemask_le",
                                        "lanemask_lt", "lanemask_ge", "lanemask_gt"};
    enum { N = sizeof names / sizeof *names };
    char text[8000];
    int n = snprintf(
        text, sizeof text, "%s",
        HEADER ".entry k(.param .u64 out, .param .u64 in)\n{\n"
               ".reg .b32 %r<40>; .reg .b64 %rd<5>; .reg .pred %p; ld.param.u64 %rd1, [out];\n"
               "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;\n"
               "mad.lo.u32 %r4, %r3, 3, %r2; mad.lo.u32 %r4, %r4, 5, %r1;\n"
               "mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
               "mov.u32 %r6, %ctaid.z; setp.ne.u32 %p, %r6, 1; @%p exit;\n");
    for (int i = 0; i < N; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "mov.u32 %%r5, %%%s; st.global.u32 [%%rd3+%d], %%r5;\n", names[i], 256 * i);
    snprintf(text + n, sizeof text - (size_t)n, "ret;\n}\n");
    struct ptxrun r;
    if (ptxrun_open(&r, text, 1, 8192)) {
        memcpy(r.l.block, (int[3]){5, 3, 4}, sizeof r.l.block);
        memcpy(r.l.grid, (int[3]){1, 1, 2}, sizeof r.l.grid);
        CU_ASSERT_TRUE(ptxrun_go(&r));
        unsigned wrong = 0;
        for (uint32_t t = 0; t < 60; t++) {
            uint32_t lane = t % 32, bit = 1u << lane;
            const uint32_t expect[N] = {t % 5,
                                        t / 5 % 3,
                                        t / 15,
                                        0,
                                        0,
                                        1,
                                        5,
                                        3,
                                        4,
                                        1,
                                        1,
                                        2,
                                        lane,
                                        t / 32,
                                        bit,
                                        bit | (bit - 1),
                                        bit - 1,
                                        ~(bit - 1),
                                        ~(bit | (bit - 1))};
            for (uint32_t i = 0; i < N; i++)
                wrong += ptxrun_u32(&r, 64 * i + t) != expect[i];
        }
        CU_ASSERT_EQUAL(wrong, 0);
    }
    ptxrun_close(&r);
}

static void sizes_of_a_cta(void)
{
    struct ptxrun r;
    ptxrun_open(&r,
                HEADER ".extern .shared .align 4 .b8 d[];\n" KERNEL(
                    ".shared .align 1 .b8 s[33]; mov.u32 %r2, d;\n"
                    "mov.u32 %r3, %dynamic_smem_size; mov.u32 %r4, "
                    "%total_smem_size;\n"
                    "st.global.v2.u32 [%rd1], {%r3, %r4};"),
                100, 8192);
    r.l.dyn_shared = 10;
    r.l.grid[1] = 7;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    CU_ASSERT_EQUAL(launch_threads(&r.l), 100);
    CU_ASSERT_EQUAL(launch_warps(&r.l), 4);
    CU_ASSERT_EQUAL(launch_ctas(&r.l), 7);
    CU_ASSERT_EQUAL(launch_shared(&r.l), 48 + 10);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 10);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 1), 58);
    CU_ASSERT_EQUAL(launch_regs(&r.l), (int)r.l.kernel->regs);
    r.l.regs_override = 33;
    CU_ASSERT_EQUAL(launch_regs(&r.l), 33);
    ptxrun_close(&r);
}

SUITE("launch", T(shapes_outside_the_limits_are_refused), T(directives_bind_the_block),
      T(too_much_memory_is_refused), T(unsupported_instructions_are_named_at_the_launch),
      T(special_registers_tell_where_a_thread_is), T(sizes_of_a_cta))
