/* Divergence, loops, calls, early exits: results and instruction counts. */
#include "tests/func/ptxrun.h"

static void every_lane_takes_its_side_of_a_branch(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.lt.u32 %p1, %r1, 10; @%p1 bra A;\n"
                            "and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 0; @%p2 bra B;\n"
                            "mov.u32 %r3, 300; bra.uni C;\n"
                            "B: mov.u32 %r3, 200;\n"
                            "C: bra.uni D;\n"
                            "A: mov.u32 %r3, 100;\n"
                            "D: add.u32 %r3, %r3, %r1; st.global.u32 [%rd3], %r3;"),
              64);
    for (uint32_t i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i + (i < 10 ? 100 : i % 2 ? 300 : 200));
    ptxrun_close(&r);
}

static void lanes_leave_a_loop_after_their_own_trip_count(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                            "L: setp.gt.u32 %p1, %r2, %r1; @%p1 bra E;\n"
                            "add.u32 %r3, %r3, %r2; add.u32 %r2, %r2, 1; bra.uni L;\n"
                            "E: st.global.u32 [%rd3], %r3;"),
              40);
    for (uint32_t i = 0; i < 40; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i * (i + 1) / 2);
    ptxrun_close(&r);
}

/* Warp instructions and active lanes, counted by hand. A guarded branch counts the lanes that take
 * it; the path of the highest lane runs last. */
static void instructions_are_counted_after_the_guard(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
                     ".reg .b32 %r<4>; .reg .pred %p<2>;\n"
                     "mov.u32 %r1, %tid.x;\n"       /* 32 */
                     "setp.lt.u32 %p1, %r1, 8;\n"   /* 32 */
                     "@%p1 bra A;\n"                /* 8 */
                     "@!%p1 add.u32 %r2, %r1, 1;\n" /* 24 */
                     "@%p1 add.u32 %r2, %r1, 1;\n"  /* 0 */
                     "A: mov.u32 %r3, 1;\n"         /* 32 */
                     "ret;\n}\n",                   /* 32 */
              32);
    CU_ASSERT_EQUAL(r.counts.warp_insts, 7);
    CU_ASSERT_EQUAL(r.counts.thread_insts, 32 + 32 + 8 + 24 + 0 + 32 + 32);
    CU_ASSERT_EQUAL(r.counts.ctas, 1);
    ptxrun_close(&r);
}

static void early_exit_leaves_the_others_running(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("and.b32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 1; @%p1 exit;\n"
                            "setp.eq.u32 %p2, %r2, 2; @%p2 ret;\n"
                            "st.global.u32 [%rd3], 7;"),
              48);
    for (uint32_t i = 0; i < 48; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i % 4 == 1 || i % 4 == 2 ? 0 : 7);
    ptxrun_close(&r);
}

static void jump_tables_send_lanes_to_several_targets(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("and.b32 %r2, %r1, 3; mov.u32 %r3, 0;\n"
                            "T: .branchtargets L0, L1, L2, L1;\n"
                            "brx.idx %r2, T;\n"
                            "L0: add.u32 %r3, %r3, 10; bra.uni E;\n"
                            "L1: add.u32 %r3, %r3, 20; bra.uni E;\n"
                            "L2: add.u32 %r3, %r3, 30;\n"
                            "E: st.global.u32 [%rd3], %r3;"),
              32);
    static const uint32_t expect[4] = {10, 20, 30, 20};
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), expect[i % 4]);
    ptxrun_close(&r);
}

#define FUNCS                                                                            \
    ".func (.param .b32 res) twice(.param .b32 x)\n{\n.reg .b32 %a<4>; .reg .pred %q;\n" \
    "ld.param.b32 %a1, [x]; setp.gt.s32 %q, %a1, 20; @%q bra BIG;\n"                     \
    "add.u32 %a2, %a1, %a1; st.param.b32 [res], %a2; ret;\n"                             \
    "BIG: st.param.b32 [res], 1; ret;\n}\n"                                              \
    ".func (.param .b32 res) plus1(.param .b32 x)\n{\n.reg .b32 %a<4>;\n"                \
    "ld.param.b32 %a1, [x]; add.u32 %a2, %a1, 1; st.param.b32 [res], %a2; ret;\n}\n"     \
    ".func (.param .b32 res) both(.param .b32 x)\n{\n.reg .b32 %a<4>;\n"                 \
    "ld.param.b32 %a1, [x];\n"                                                           \
    "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %a1; call (q), twice, (p);\n"     \
    "ld.param.b32 %a2, [q]; }\n"                                                         \
    "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %a2; call (q), plus1, (p);\n"     \
    "ld.param.b32 %a2, [q]; }\n"                                                         \
    "add.u32 %a2, %a2, %a1; st.param.b32 [res], %a2; ret;\n}\n"
#define CALL(f)                                                                               \
    "{ .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r1; call.uni (q0), " f ", (p0);\n" \
    "ld.param.b32 %r2, [q0]; }\n"

static uint32_t twice(uint32_t x)
{
    return x > 20 ? 1 : 2 * x;
}

static void calls_pass_arguments_and_results_by_lane(void)
{
    struct ptxrun r;
    ptxrun_ok(&r, HEADER FUNCS KERNEL(CALL("both") "st.global.u32 [%rd3], %r2;"), 40);
    for (uint32_t i = 0; i < 40; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), twice(i) + 1 + i);
    ptxrun_close(&r);
}

/* What nvcc makes of a structure by value that is indexed, and written: each call has its own copy,
 * behind the function's .local variables. */
static void formals_are_addressed_in_local_memory(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER
              ".func (.param .b32 res) pick(.param .align 4 .b8 s[40], .param .b32 n)\n{\n"
              ".local .align 8 .b8 own[24]; .reg .b32 %a<4>; .reg .b64 %q<6>;\n"
              "mov.b64 %q1, s; cvta.local.u64 %q2, %q1; cvta.to.local.u64 %q3, %q2;\n"
              "ld.param.b32 %a1, [n]; mul.wide.u32 %q4, %a1, 4; add.s64 %q5, %q3, %q4;\n"
              "st.local.u32 [own+20], 9; ld.local.u32 %a2, [%q5]; add.u32 %a2, %a2, 7;\n"
              "st.local.u32 [%q5], %a2; add.s64 %q2, %q2, %q4; ld.u32 %a3, [%q2];\n"
              "ld.param.b32 %a1, [%q1+36]; add.u32 %a3, %a3, %a1; ld.param.b32 %a1, [s+36];\n"
              "sub.u32 %a3, %a3, %a1; st.param.b32 [res], %a3; ret;\n}\n" KERNEL(
                  "mov.b32 %r9, 3; rem.u32 %r3, %r1, 9; mul.lo.u32 %r4, %r1, 100;\n"
                  "L: { .param .align 4 .b8 p[40]; .param .b32 i; .param .b32 q;\n"
                  "st.param.b32 [p], %r4; st.param.b32 [p+4], 1; st.param.b32 [p+8], 2;\n"
                  "st.param.b32 [p+12], 3; st.param.b32 [p+16], 4; st.param.b32 [p+20], %r1;\n"
                  "st.param.b32 [p+24], 6; st.param.b32 [p+28], 7; st.param.b32 [p+32], 8;\n"
                  "st.param.b32 [p+36], 50; st.param.b32 [i], %r3;\n"
                  "call (q), pick, (p, i); ld.param.b32 %r2, [q]; }\n"
                  "sub.u32 %r9, %r9, 1; setp.ne.u32 %p1, %r9, 0; @%p1 bra L;\n"
                  "st.global.u32 [%rd3], %r2;"),
              40);
    for (uint32_t i = 0; i < 40; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), 7 + (i % 9 == 0 ? 100 * i : i % 9 == 5 ? i : i % 9));
    ptxrun_close(&r);
}

static void diverged_lanes_call_the_same_function_one_after_the_other(void)
{
    struct ptxrun r;
    ptxrun_ok(
        &r,
        HEADER FUNCS KERNEL("and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra A;\n" CALL(
            "plus1") "bra.uni B;\n"
                     "A: " CALL("plus1") "add.u32 %r2, %r2, 100;\n"
                                         "B: st.global.u32 [%rd3], %r2;"),
        32);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i + 1 + (i % 2 ? 0 : 100));
    ptxrun_close(&r);
}

static void guarded_call_and_exit_inside_a_function(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER ".func leave(.param .b32 x)\n{\n.reg .b32 %a<2>; .reg .pred %q;\n"
                     "ld.param.b32 %a1, [x]; setp.ge.u32 %q, %a1, 16; @%q exit; ret;\n}\n" KERNEL(
                         "st.global.u32 [%rd3], 1; setp.ge.u32 %p1, %r1, 8;\n"
                         "{ .param .b32 p0; st.param.b32 [p0], %r1; @%p1 call leave, (p0); }\n"
                         "st.global.u32 [%rd3], 2;"),
              32);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i < 16 ? 2 : 1);
    ptxrun_close(&r);
}

static void indirect_calls_find_each_lane_its_function(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER FUNCS ".global .align 8 .u64 table[2] = {twice, plus1};\n" KERNEL(
                  "and.b32 %r5, %r1, 1; mul.wide.u32 %rd5, %r5, 8; mov.u64 %rd6, table;\n"
                  "add.s64 %rd6, %rd6, %rd5; ld.global.u64 %rd7, [%rd6];\n"
                  "{ .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r1;\n"
                  "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                  "call (q0), %rd7, (p0), P; ld.param.b32 %r2, [q0]; }\n"
                  "st.global.u32 [%rd3], %r2;"),
              32);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i % 2 ? i + 1 : twice(i));
    ptxrun_close(&r);
}

static void a_call_to_no_function_is_a_fault(void)
{
    ptxrun_fails(HEADER FUNCS KERNEL("mov.u64 %rd7, 64;\n"
                                     "{ .param .b32 p0; .param .b32 q0;\n"
                                     "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                                     "call (q0), %rd7, (p0), P; }\n"),
                 32,
                 "kernel k, test.ptx:35: call: CTA (0,0,0) thread (0,0,0): calls an address that "
                 "is not a function's");
}

static void trap_names_its_thread(void)
{
    ptxrun_fails(HEADER KERNEL("setp.eq.u32 %p1, %r1, 37; @%p1 trap;"), 64,
                 "kernel k, test.ptx:10: trap: CTA (0,0,0) thread (37,0,0): trap");
}

static void endless_loop_ends_at_the_limit(void)
{
    struct ptxrun r;
    ptxrun_open(&r, HEADER KERNEL("L: bra.uni L;"), 32, 8192);
    r.opts.max_warp_insts = 1000;
    CU_ASSERT_FALSE(ptxrun_go(&r));
    CU_ASSERT_EQUAL(r.counts.warp_insts, 1000);
    CU_ASSERT_STRING_EQUAL(r.err.msg,
                           "kernel k, test.ptx:10: bra.uni: CTA (0,0,0) thread (0,0,0): still "
                           "running after 1000 warp instructions, the limit of this run");
    ptxrun_close(&r);
}

/* Warp 0 spins on a flag that warp 1 sets. */
static void a_spinning_warp_lets_the_others_run(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.ge.u32 %p1, %r1, 32; @%p1 bra S;\n"
                            "L: ld.volatile.global.u32 %r2, [%rd1+512]; setp.eq.u32 %p2, %r2, 0;\n"
                            "@%p2 bra L; st.global.u32 [%rd3], %r2; bra.uni E;\n"
                            "S: st.volatile.global.u32 [%rd1+512], 5;\n"
                            "E:"),
              64);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), 5);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 31), 5);
    ptxrun_close(&r);
}

static void ctas_run_in_order_and_can_be_cut(void)
{
    struct ptxrun r;
    ptxrun_open(&r,
                HEADER KERNEL("mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; mov.u32 %r4, "
                              "%nctaid.x;\n"
                              "mad.lo.u32 %r5, %r3, %r4, %r2; mul.wide.u32 %rd5, %r5, 4;\n"
                              "add.s64 %rd6, %rd1, %rd5; atom.global.add.u32 %r6, [%rd1+4000], 1;\n"
                              "st.global.u32 [%rd6], %r6;"),
                1, 8192);
    r.l.grid[0] = 5;
    r.l.grid[1] = 4;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    CU_ASSERT_EQUAL(r.counts.ctas, 20);
    for (uint32_t i = 0; i < 20; i++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, i), i);
    r.opts.first_cta = 18;
    r.opts.num_ctas = 7;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    CU_ASSERT_EQUAL(r.counts.ctas, 2);
    CU_ASSERT_EQUAL(ptxrun_u32(&r, 19), 21);
    ptxrun_close(&r);
}

SUITE("control flow", T(every_lane_takes_its_side_of_a_branch),
      T(lanes_leave_a_loop_after_their_own_trip_count), T(instructions_are_counted_after_the_guard),
      T(early_exit_leaves_the_others_running), T(jump_tables_send_lanes_to_several_targets),
      T(calls_pass_arguments_and_results_by_lane), T(formals_are_addressed_in_local_memory),
      T(diverged_lanes_call_the_same_function_one_after_the_other),
      T(guarded_call_and_exit_inside_a_function), T(indirect_calls_find_each_lane_its_function),
      T(a_call_to_no_function_is_a_fault), T(trap_names_its_thread),
      T(endless_loop_ends_at_the_limit), T(a_spinning_warp_lets_the_others_run),
      T(ctas_run_in_order_and_can_be_cut))
