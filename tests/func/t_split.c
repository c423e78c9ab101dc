/* Independent threads: paths of a warp that wait for each other, at barriers of the CTA, in
 * instructions that name lanes, and in loops. */
#include "tests/func/ptxrun.h"

#define SHARED HEADER ".shared .align 4 .b8 s[512];\n"
/* s[tid] = tid; %r2 = address of s[tid ^ 33]: another warp's, and another half's */
#define PUT                                                                    \
    "mov.u32 %r9, s; mad.lo.u32 %r8, %r1, 4, %r9; st.shared.u32 [%r8], %r1;\n" \
    "xor.b32 %r7, %r1, 33; mad.lo.u32 %r2, %r7, 4, %r9;\n"

static void halves_of_a_warp_wait_at_barriers_of_their_own(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              SHARED KERNEL(PUT
                            "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra X;\n"
                            "bar.sync 0; ld.shared.u32 %r4, [%r2]; add.u32 %r4, %r4, 1000; bra E;\n"
                            "X: bar.sync 0; ld.shared.u32 %r4, [%r2]; add.u32 %r4, %r4, 2000;\n"
                            "E: st.global.u32 [%rd3], %r4;"),
              64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), (t ^ 33) + (t & 1 ? 1000 : 2000));
    ptxrun_close(&r);
}

/* The others go round the barrier, do something more, and exit. */
static void lanes_that_never_come_are_not_waited_for(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              SHARED KERNEL(PUT "setp.ge.u32 %p1, %r1, 40; mov.u32 %r4, 5; @%p1 bra E;\n"
                                "bar.sync 0; ld.shared.u32 %r4, [s+4];\n"
                                "E: add.u32 %r4, %r4, 10; st.global.u32 [%rd3], %r4;"),
              64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t < 40 ? 11 : 15);
    ptxrun_close(&r);
}

/* Thread t goes round (t & 3) + 1 times, a barrier in each; all meet behind. */
static void trips_round_a_loop_may_differ(void)
{
    struct ptxrun r;
    ptxrun_ok(
        &r,
        SHARED KERNEL("and.b32 %r3, %r1, 3; mov.u32 %r4, 0;\n"
                      "L: bar.sync 0; add.u32 %r4, %r4, 1; setp.le.u32 %p1, %r4, %r3; @%p1 bra L;\n"
                      "st.global.u32 [%rd3], %r4;"),
        64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), (t & 3) + 1);
    ptxrun_close(&r);
}

/* Thread t takes the lock as the t-th of its warp or later, and meets the others behind. */
#define LOCK                                                                                 \
    ".global .u32 lock, count;\n" KERNEL("mov.u64 %rd5, lock; mov.u64 %rd6, count;\n"        \
                                         "L: atom.global.cas.b32 %r2, [%rd5], 0, 1;\n"       \
                                         "setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"            \
                                         "ld.global.u32 %r3, [%rd6]; add.u32 %r4, %r3, 1;\n" \
                                         "st.global.u32 [%rd6], %r4;\n"                      \
                                         "atom.global.exch.b32 %r5, [%rd5], 0;\n"            \
                                         "st.global.u32 [%rd3], %r3;\n"                      \
                                         "shfl.sync.bfly.b32 %r6, %r1, 3, 31, -1;\n"         \
                                         "bar.warp.sync -1; activemask.b32 %r7;\n"           \
                                         "vote.sync.ballot.b32 %r8, %p1, -1;\n"              \
                                         "st.global.u32 [%rd3+256], %r6;\n"                  \
                                         "st.global.u32 [%rd3+512], %r7;")

static void lanes_that_hold_a_lock_get_their_turn(void)
{
    struct ptxrun r;
    ptxrun_ok(&r, HEADER LOCK, 64);
    bool taken[64] = {false};
    for (uint32_t t = 0; t < 64; t++) {
        const uint32_t turn = ptxrun_u32(&r, t);
        CU_ASSERT_FATAL(turn < 64 && !taken[turn]);
        taken[turn] = true;
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 64 + t), t ^ 3);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 128 + t), UINT32_MAX); /* together again */
    }
    ptxrun_close(&r);
}

/* Without memory in the loop nobody can help: the loop runs to its end before what is behind it. */
static void loops_that_only_count_are_left_alone(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("mov.u32 %r2, 0; mul.lo.u32 %r4, %r1, 200;\n"
                            "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r4; @%p1 bra L;\n"
                            "activemask.b32 %r3; st.global.u32 [%rd3], %r3;"),
              32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), UINT32_MAX);
    ptxrun_close(&r);
}

/* -- lanes that meet */

/* What lanes 0 to 15 do and what the others do; each stores its %r4 then. */
#define BRANCHES(low, high)                                                             \
    HEADER KERNEL("setp.lt.u32 %p1, %r1, 16; @%p1 bra L;\n" high " bra.uni E;\nL: " low \
                  "\nE: st.global.u32 [%rd3], %r4;")

static void expect_halves(const char *text, uint32_t low, uint32_t high)
{
    struct ptxrun r;
    ptxrun_ok(&r, text, 32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t < 16 ? low : high);
    ptxrun_close(&r);
}

/* The result goes where the source was, so that one side must not read the other's result. shfl:
 * lane 20 gives 3 * 120, lane 3 2 * 103. vote: lanes 3, 30 and 31. redux: 0 + ... + 15 and
 * 100 * (16 + ... + 31). elect: lane 0. */
static void both_sides_of_a_branch_exchange(void)
{
    expect_halves(BRANCHES("add.u32 %r2, %r1, 100; mul.lo.u32 %r4, %r2, 2;\n"
                           "shfl.sync.idx.b32 %r4, %r4, 20, 31, -1;",
                           "add.u32 %r2, %r1, 100; mul.lo.u32 %r4, %r2, 3;\n"
                           "shfl.sync.idx.b32 %r4, %r4, 3, 31, -1;"),
                  360, 206);
    expect_halves(BRANCHES("setp.eq.u32 %p2, %r1, 3; vote.sync.ballot.b32 %r4, %p2, -1;",
                           "setp.gt.u32 %p2, %r1, 29; vote.sync.ballot.b32 %r4, %p2, -1;"),
                  0xc0000008, 0xc0000008);
    expect_halves(BRANCHES("vote.sync.all.pred %p3, %p1, -1; selp.u32 %r4, 1, 2, %p3;",
                           "vote.sync.all.pred %p3, !%p1, -1; selp.u32 %r4, 1, 2, %p3;"),
                  1, 1);
    expect_halves(BRANCHES("mov.u32 %r4, %r1; redux.sync.add.s32 %r4, %r4, -1;",
                           "mul.lo.u32 %r4, %r1, 100; redux.sync.add.s32 %r4, %r4, -1;"),
                  37720, 37720);
    expect_halves(BRANCHES("mov.u32 %r4, 7; elect.sync %r4|%p2, -1;\n"
                           "@%p2 add.u32 %r4, %r4, 0;",
                           "mov.u32 %r4, 7; elect.sync %r4|%p2, -1;\n"
                           "@%p2 add.u32 %r4, %r4, 100;"),
                  0, 0);
}

static void matches_count_lanes_of_both_sides(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              BRANCHES("and.b32 %r4, %r1, 1; match.any.sync.b32 %r4, %r4, -1;",
                       "and.b32 %r5, %r1, 1; match.any.sync.b32 %r4, %r5, -1;"),
              32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), 0x55555555u << (t & 1));
    ptxrun_close(&r);
}

/* Each side by itself; none waits for the other, which comes back to no such instruction. */
static void masks_say_who_is_waited_for(void)
{
    expect_halves(BRANCHES("redux.sync.add.s32 %r4, %r1, 0xffff;", "mov.u32 %r4, 5;"), 120, 5);
}

/* Odd lanes execute the first, even ones the second; a source is the lane beside. */
static void guards_hold_lanes_back_as_branches_do(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; add.u32 %r3, %r1, 50;\n"
                            "@%p1 shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;\n"
                            "@!%p1 shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1;\n"
                            "st.global.u32 [%rd3], %r4;"),
              32);
    for (uint32_t t = 0; t < 32; t++) /* an odd lane gets what the even one gave, t - 1 + 50 */
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t & 1 ? t - 1 + 50 : t + 1);
    ptxrun_close(&r);
}

/* In one instruction, lanes of several masks: 0, 1 of theirs, the others wait for lanes 2 and 3. */
static void lanes_of_one_instruction_may_name_different_ones(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("setp.lt.u32 %p1, %r1, 2; mov.u32 %r2, 3; @!%p1 mov.u32 %r2, -4;\n"
                            "sub.u32 %r5, %r1, 2; setp.lt.u32 %p2, %r5, 2; @%p2 bra L;\n"
                            "redux.sync.add.s32 %r4, %r1, %r2; bra.uni E;\n"
                            "L: mul.lo.u32 %r4, %r1, 10; redux.sync.add.s32 %r4, %r4, %r2;\n"
                            "E: st.global.u32 [%rd3], %r4;"),
              32);
    for (uint32_t t = 0; t < 32; t++) /* 20 + 30 + 4 + ... + 31 */
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t < 2 ? 1 : 540);
    ptxrun_close(&r);
}

/* Lane t goes t + 1 times round and exits; ballots count the lanes that are still there. */
static void lanes_that_exit_are_not_waited_for(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("mov.u32 %r2, 0; setp.eq.u32 %p2, %r2, 0;\n"
                            "L: vote.sync.ballot.b32 %r4, %p2, -1;\n"
                            "add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r1; @%p1 bra L;\n"
                            "st.global.u32 [%rd3], %r4;"),
              32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), UINT32_MAX << t);
    ptxrun_close(&r);
}

/* Behind the loop the lanes that left it execute the same as those in it: those that are done give
 * 1000, each in its own time. Every lane does 8 shuffles in all. */
static void lanes_meet_those_that_have_left_the_loop(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER KERNEL("and.b32 %r3, %r1, 7; mov.u32 %r2, 0; mov.u32 %r4, 0;\n"
                            "L: setp.ge.u32 %p1, %r2, %r3; @%p1 bra M;\n"
                            "shfl.sync.bfly.b32 %r5, %r2, 7, 31, -1; add.u32 %r4, %r4, %r5;\n"
                            "add.u32 %r2, %r2, 1; bra.uni L;\n"
                            "M: mov.u32 %r6, 1000;\n"
                            "N: setp.ge.u32 %p1, %r2, 8; @%p1 bra E;\n"
                            "shfl.sync.bfly.b32 %r5, %r6, 7, 31, -1; add.u32 %r4, %r4, %r5;\n"
                            "add.u32 %r2, %r2, 1; bra.uni N;\n"
                            "E: st.global.u32 [%rd3], %r4;"),
              32);
    for (uint32_t t = 0; t < 32; t++) {
        /* The other one, o = 7 - (t & 7), gives 0 ... o - 1, then 8 - o times 1000. */
        const uint32_t o = 7 - (t & 7);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), o * (o - 1) / 2 + (8 - o) * 1000);
    }
    ptxrun_close(&r);
}

/* Four ways: lanes by t & 3, two branches deep; lane t gets the value of lane t ^ 3. */
static void nested_branches_meet(void)
{
    struct ptxrun r;
    ptxrun_ok(
        &r,
        HEADER KERNEL(
            "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; and.b32 %r2, %r1, 2;\n"
            "setp.eq.u32 %p2, %r2, 2; @%p1 bra A; @%p2 bra B;\n"
            "add.u32 %r3, %r1, 100; shfl.sync.bfly.b32 %r4, %r3, 3, 31, -1; bra.uni J;\n"
            "B: add.u32 %r3, %r1, 200; shfl.sync.bfly.b32 %r4, %r3, 3, 31, -1;\n"
            "J: bra.uni E;\n"
            "A: @%p2 bra C;\n"
            "add.u32 %r3, %r1, 300; shfl.sync.bfly.b32 %r4, %r3, 3, 31, -1; bra.uni K;\n"
            "C: add.u32 %r3, %r1, 400; shfl.sync.bfly.b32 %r4, %r3, 3, 31, -1;\n"
            "K: add.u32 %r4, %r4, 0;\n"
            "E: activemask.b32 %r5; st.global.u32 [%rd3], %r4; st.global.u32 [%rd3+128], %r5;"),
        32);
    static const uint32_t base[] = {100, 300, 200, 400};
    for (uint32_t t = 0; t < 32; t++) {
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), (t ^ 3) + base[(t ^ 3) & 3]);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 32 + t), UINT32_MAX); /* they go on together */
    }
    ptxrun_close(&r);
}

/* -- in functions */

#define FUNCTION(name, code)                                                                \
    ".func (.param .b32 res) " name "(.param .b32 x)\n{\n.reg .b32 %a<5>; .reg .pred %q;\n" \
    "ld.param.b32 %a1, [x]; " code " st.param.b32 [res], %a2; ret;\n}\n"
#define CALL(function, arg, to)                                                          \
    "{ .param .b32 p0; .param .b32 p1; st.param.b32 [p0], " arg "; call (p1), " function \
    ", (p0); ld.param.b32 " to ", [p1]; }\n"

/* From two places, and in two functions by their addresses. */
static void lanes_meet_in_functions(void)
{
    expect_halves(
        ".version 7.0\n.target sm_80\n.address_size 64\n" FUNCTION(
            "sum", "redux.sync.add.s32 %a2, %a1, -1; add.u32 %a2, %a2, %a1;")
            KERNEL("setp.lt.u32 %p1, %r1, 16; @%p1 bra L;\n" CALL(
                "sum", "3", "%r4") " bra.uni E;\nL:" CALL("sum", "2",
                                                          "%r4") "E: st.global.u32 [%rd3], %r4;"),
        82, 83); /* 16 * 2 + 16 * 3, and the lane's own */
    expect_halves(".version 7.0\n.target sm_80\n.address_size 64\n" FUNCTION(
                      "one", "setp.eq.u32 %q, %a1, 1; vote.sync.ballot.b32 %a2, %q, -1;")
                      FUNCTION("two", "setp.eq.u32 %q, %a1, 2; vote.sync.ballot.b32 %a2, %q, -1;")
                          KERNEL("setp.lt.u32 %p1, %r1, 16; mov.u64 %rd5, one; mov.u64 %rd6, two;\n"
                                 "selp.u64 %rd7, %rd5, %rd6, %p1; and.b32 %r2, %r1, 3;\n"
                                 "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                                 "{ .param .b32 p0; .param .b32 p1; st.param.b32 [p0], %r2;\n"
                                 "call (p1), %rd7, (p0), P; ld.param.b32 %r4, [p1]; }\n"
                                 "st.global.u32 [%rd3], %r4;"),
                  0x44442222, 0x44442222);
}

/* down(n) = n + down(n - 1), and down(0) waits for all lanes: each lane does so n calls deep. */
static void lanes_meet_at_different_depths(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              ".version 7.0\n.target sm_80\n.address_size 64\n"
              ".func (.param .b32 res) down(.param .b32 x)\n{\n.reg .b32 %a<5>; .reg .pred %q;\n"
              "ld.param.b32 %a1, [x]; setp.eq.u32 %q, %a1, 0; @%q bra B;\n"
              "sub.u32 %a3, %a1, 1;\n" CALL(
                  "down", "%a3", "%a2") "add.u32 %a2, %a2, %a1; bra.uni E;\n"
                                        "B: mov.u32 %a4, 1; redux.sync.add.s32 %a2, %a4, -1;\n"
                                        "E: st.param.b32 [res], %a2; ret;\n}\n" KERNEL(
                                            "and.b32 %r2, %r1, 7;\n" CALL(
                                                "down", "%r2", "%r4") "st.global.u32 [%rd3], %r4;"),
              32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), 32 + (t & 7) * ((t & 7) + 1) / 2);
    ptxrun_close(&r);
}

/* The whole loop in the function, and one try in it with the loop around the call; who has the lock
 * is behind the call. Every thread takes a number of its own. */
static void locks_are_taken_in_functions(void)
{
    static const char *const text[] = {
        HEADER ".global .u32 lock, count;\n" FUNCTION(
            "take", "mov.u32 %a2, 0;\n.reg .b64 %l; mov.u64 %l, lock;\n"
                    "L: atom.global.cas.b32 %a3, [%l], 0, 1; setp.ne.u32 %q, %a3, 0; @%q bra L;")
            KERNEL(
                CALL("take", "0", "%r2") "ld.global.u32 %r4, [count]; add.u32 %r5, %r4, 1;\n"
                                         "st.global.u32 [count], %r5; st.global.u32 [%rd3], %r4;\n"
                                         "atom.global.exch.b32 %r6, [lock], 0;"),
        HEADER ".global .u32 lock, count;\n" FUNCTION(
            "try", ".reg .b64 %l; mov.u64 %l, lock; atom.global.cas.b32 %a2, [%l], 0, 1;")
            KERNEL("L:" CALL("try", "0",
                             "%r2") "setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"
                                    "ld.global.u32 %r4, [count]; add.u32 %r5, %r4, 1;\n"
                                    "st.global.u32 [count], %r5; st.global.u32 [%rd3], %r4;\n"
                                    "atom.global.exch.b32 %r6, [lock], 0;")};
    for (int i = 0; i < 2; i++) {
        struct ptxrun r;
        ptxrun_ok(&r, text[i], 96);
        bool taken[96] = {false};
        for (uint32_t t = 0; t < 96; t++) {
            const uint32_t turn = ptxrun_u32(&r, t);
            CU_ASSERT_FATAL(turn < 96 && !taken[turn]);
            taken[turn] = true;
        }
        ptxrun_close(&r);
    }
}

/* -- loops */

/* A plain load, which no compiler leaves in such a loop: the others have their turn in the end. */
static void even_plain_loads_are_waited_for(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              HEADER ".global .u32 flag;\n" KERNEL(
                  "setp.eq.u32 %p1, %r1, 31; @%p1 bra S; mov.u32 %r4, 0;\n"
                  "L: ld.global.u32 %r2, [flag]; add.u32 %r4, %r4, 1; setp.eq.u32 %p2, %r2, 0;\n"
                  "@%p2 bra L; bra.uni E;\n"
                  "S: mov.u32 %r3, 9; st.global.u32 [flag], %r3; mov.u32 %r2, 1;\n"
                  "E: st.global.u32 [%rd3], %r2;"),
              32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t == 31 ? 1 : 9);
    ptxrun_close(&r);
}

/* Two loops in each other, so that no branch closes round after round: lanes wait for the one after
 * them, back from lane 31. */
static void loops_in_loops_give_way(void)
{
    struct ptxrun r;
    ptxrun_ok(
        &r,
        HEADER KERNEL("setp.eq.u32 %p1, %r1, 31; @%p1 bra S;\n"
                      "L: mov.u32 %r5, 0;\n"
                      "I: add.u32 %r5, %r5, 1; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r5, 3;\n"
                      "@%p2 bra I; ld.volatile.global.u32 %r2, [%rd3+4];\n"
                      "setp.eq.u32 %p2, %r2, 0; @%p2 bra L;\n"
                      "S: add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd3], %r2;"),
        32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), 32 - t);
    ptxrun_close(&r);
}

/* -- the CTA's barriers, and matrices */

/* 64 threads: those with an odd number bring a true predicate. */
static void reductions_hear_all_sides(void)
{
    expect_halves(BRANCHES("and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 1;\n"
                           "barrier.red.popc.u32 %r4, 0, %p2; add.u32 %r4, %r4, 100;",
                           "and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 1;\n"
                           "barrier.red.popc.u32 %r4, 0, %p2; add.u32 %r4, %r4, 200;"),
                  116, 216);
}

/* Lanes 8 to 31 exit after the others have come to the barrier; warp 1 waits there, too. */
static void a_barrier_needs_no_lane_that_exits(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              SHARED KERNEL(PUT "setp.lt.u32 %p1, %r1, 8; @%p1 bra B; setp.lt.u32 %p1, %r1, 32;\n"
                                "@%p1 exit;\n"
                                "B: bar.sync 0; ld.shared.u32 %r4, [s+8];\n"
                                "add.u32 %r4, %r4, %r1; st.global.u32 [%rd3], %r4;"),
              64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t < 8 || t >= 32 ? t + 2 : 0);
    ptxrun_close(&r);
}

/* Behind a lock every lane goes on alone; the rows of an 8 x 8 matrix are loaded together. */
static void lanes_meet_for_a_matrix(void)
{
    struct ptxrun r;
    ptxrun_ok(&r,
              ".version 7.0\n.target sm_80\n.address_size 64\n.global .u32 lock;\n"
              ".shared .align 16 .b8 s[128];\n" KERNEL(
                  "mov.u32 %r9, s; mad.lo.u32 %r8, %r1, 4, %r9; st.shared.u32 [%r8], %r1;\n"
                  "L: atom.global.cas.b32 %r2, [lock], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"
                  "atom.global.exch.b32 %r5, [lock], 0;\n"
                  "and.b32 %r3, %r1, 7; mad.lo.u32 %r8, %r3, 16, %r9;\n"
                  "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r8];\n"
                  "st.global.u32 [%rd3], %r4;"),
              32);
    for (uint32_t t = 0; t < 32; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), t);
    ptxrun_close(&r);
}

/* -- never */

static void lanes_that_never_come_are_a_fault(void)
{
    ptxrun_fails(HEADER KERNEL("setp.lt.u32 %p1, %r1, 16; @%p1 bra L;\n"
                               "bar.sync 0; bra.uni E;\n"
                               "L: shfl.sync.idx.b32 %r4, %r1, 0, 31, -1;\nE:"),
                 32,
                 "kernel k, test.ptx:12: shfl.sync.idx.b32: CTA (0,0,0) thread (0,0,0): waits for "
                 "ever: its mask 0xffffffff names lane 16, which waits at line 11 (bar.sync)");
    ptxrun_fails(
        HEADER KERNEL("setp.lt.u32 %p1, %r1, 4; @%p1 bra L;\n"
                      "bar.warp.sync 0xff; bra.uni E;\n"
                      "L: bar.warp.sync 0xf; bar.warp.sync 0xfff;\nE:"),
        32,
        "kernel k, test.ptx:12: bar.warp.sync: CTA (0,0,0) thread (0,0,0): waits for ever: "
        "its mask 0x00000fff names lane 4, which waits at line 11 (bar.warp.sync)");
    ptxrun_fails(HEADER KERNEL("setp.lt.u32 %p1, %r1, 16; @%p1 bra L;\n"
                               "bar.sync 1; bra.uni E;\nL: bar.sync 2;\nE:"),
                 32,
                 "kernel k, test.ptx:11: bar.sync: CTA (0,0,0) thread (16,0,0): lanes of the warp "
                 "name different barriers or thread counts");
}

/* -- threads in step */

/* By the target, or as the launch says: lane 20 is not there, and its register holds 120. */
static void a_reconvergence_stack_runs_one_side_after_the_other(void)
{
#define SIDES(header)                                                                    \
    header KERNEL("add.u32 %r4, %r1, 100; setp.lt.u32 %p1, %r1, 16; @%p1 bra L;\n"       \
                  "mul.lo.u32 %r4, %r4, 3; shfl.sync.idx.b32 %r4, %r4, 3, 31, -1;\n"     \
                  "bra.uni E;\nL: shfl.sync.idx.b32 %r4, %r4, 20, 31, -1; add.u32 %r4, " \
                  "%r4, 1;\nE: st.global.u32 [%rd3], %r4;")
    static const struct {
        const char *text;
        enum threads threads;
        uint32_t low;
    } rows[] = {{SIDES(HEADER), THREADS_BY_TARGET, 361},
                {SIDES(HEADER), THREADS_INDEPENDENT, 361},
                {SIDES(HEADER), THREADS_IN_STEP, 121},
                {SIDES(HEADER_IN_STEP), THREADS_BY_TARGET, 121},
                {SIDES(HEADER_IN_STEP), THREADS_INDEPENDENT, 361}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ptxrun r;
        if (!ptxrun_open(&r, rows[i].text, 32, 8192))
            continue;
        r.l.threads = rows[i].threads;
        CU_ASSERT_TRUE(ptxrun_go(&r));
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 0), rows[i].low);
        ptxrun_close(&r);
    }
}

SUITE("independent threads", T(halves_of_a_warp_wait_at_barriers_of_their_own),
      T(lanes_that_never_come_are_not_waited_for), T(trips_round_a_loop_may_differ),
      T(lanes_that_hold_a_lock_get_their_turn), T(loops_that_only_count_are_left_alone),
      T(both_sides_of_a_branch_exchange), T(matches_count_lanes_of_both_sides),
      T(masks_say_who_is_waited_for), T(guards_hold_lanes_back_as_branches_do),
      T(lanes_of_one_instruction_may_name_different_ones), T(lanes_that_exit_are_not_waited_for),
      T(lanes_meet_those_that_have_left_the_loop), T(nested_branches_meet),
      T(lanes_meet_in_functions), T(lanes_meet_at_different_depths),
      T(locks_are_taken_in_functions), T(even_plain_loads_are_waited_for),
      T(loops_in_loops_give_way), T(reductions_hear_all_sides),
      T(a_barrier_needs_no_lane_that_exits), T(lanes_meet_for_a_matrix),
      T(lanes_that_never_come_are_a_fault), T(a_reconvergence_stack_runs_one_side_after_the_other))
