/* Analytic kernels on one core: chains of dependent instructions, and rows of independent ones.
 *
 * A dependent instruction follows the one it waits for after
 *   1 collector unit + 1 operand read + 1 to the execution unit's register + 1 into the unit
 *   + latency + 2 (result bus, write-back; the scoreboard is free in that cycle) = latency + 6;
 * one more for each further register operand, since a collector unit receives one a cycle. A load
 * has no unit latency and is released by the LD/ST unit in the cycle after dispatch: 4. One warp
 * alone cannot issue more than two instructions in three cycles: a block of two is fetched when the
 * buffer is empty, decoded in the next cycle and issued from the one after that. */
#include "tests/sm/loops.h"

static void a_dependent_operation_waits_latency_plus_six(void)
{
    near(chain(INTS, "add.s32 %r1, %r1, 1;"), 4 + 6);
    near(chain(INTS, "shl.b32 %r1, %r1, 1;"), 1 + 6);
    near(chain(INTS, "mov.u32 %r1, %r1;"), 1 + 6);
    near(chain(INTS, "rem.s32 %r1, %r1, 3;"), 1 + 6);
    near(chain(INTS, "max.s32 %r1, %r1, 5;"), 13 + 6);
    near(chain(INTS, "mul.lo.s32 %r1, %r1, 3;"), 4 + 6);
    near(chain(INTS, "mad.lo.s32 %r1, %r1, 3, 5;"), 5 + 6);
    near(chain(INTS, "div.s32 %r1, %r1, 3;"), 145 + 6);
    near(chain(FLOATS, "div.rn.f32 %f1, %f1, 0f40000000;"), 39 + 6);
    near(chain(FLOATS, "sin.approx.f32 %f1, %f1;"), 8 + 6);
    near(chain(DOUBLES, "add.f64 %fd1, %fd1, 0d3FF0000000000000;"), 8 + 6);
    near(chain(DOUBLES, "mul.f64 %fd1, %fd1, 0d3FF0000000000000;"), 8 + 6);
    near(chain(DOUBLES, "div.rn.f64 %fd1, %fd1, 0d3FF0000000000000;"), 330 + 6);
}

static void a_collector_unit_receives_one_operand_a_cycle(void)
{
    near(chain(INTS, "add.s32 %r1, %r1, %r40;"), 4 + 7);
    near(chain(FLOATS, "mul.f32 %f1, %f1, %f40;"), 4 + 7);
    near(chain(FLOATS, "fma.rn.f32 %f1, %f1, %f40, %f40;"), 1 + 8);
    near(chain(DOUBLES, "fma.rn.f64 %fd1, %fd1, %fd40, %fd40;"), 1 + 8);
    near(chain("", "{ mov.u32 %r1, 7; mov.u32 %r1, 8; }"), 2 * (1 + 5)); /* no operand at all */
}

static void independent_operations_are_limited_by_the_narrowest_resource(void)
{
    near(row_of_eight(INTS, "add.s32 %r@, %r@, 1;"), 1.5);       /* fetch */
    near(row_of_eight(INTS, "mad.lo.s32 %r@, %r@, 3, 5;"), 1.5); /* fetch */
    near(row_of_eight(INTS, "mul.lo.s32 %r@, %r@, 3;"), 2);      /* one SFU, interval 2 */
    near(row_of_eight(INTS, "max.s32 %r@, %r@, 5;"), 19 / 8.0);  /* latency, 8 registers */
    near(row_of_eight(INTS, "div.s32 %r@, %r@, 3;"), 151 / 8.0); /* latency */
    near(row_of_eight(FLOATS, "sin.approx.f32 %f@, %f@;"), 8);   /* interval */
    near(row_of_eight(DOUBLES, "add.f64 %fd@, %fd@, 0d3FF0000000000000;"), 4); /* 8, two units */
    /* 16 reads of one bank in 8 instructions, and the result of %f8, which goes first */
    near(row_of_eight(FLOATS, "fma.rn.f32 %f@, %f40, %f24, 0f3F800000;"), 17 / 8.0);
}

static void loads_that_hit_are_back_after_four_cycles(void)
{
    const char *setup = "ld.param.u64 %rd1, [p]; mov.u64 %rd2, ctab; mov.u64 %rd4, %rd1;\n"
                        "st.global.u64 [%rd1], %rd1; ld.global.u64 %rd1, [%rd1];";
    near(chain(setup, "ld.global.u64 %rd1, [%rd1];"), 4);
    near(chain("mov.u64 %rd2, ctab; ld.const.u64 %rd3, [%rd2];",
               "ld.const.u64 %rd3, [%rd2]; add.s64 %rd2, %rd2, %rd3;"),
         4 + 4 + 7);
}

/* Three stages behind the shared memory, then the write-back port: 8. */
static void shared_memory_takes_eight_cycles_and_one_more_a_conflict(void)
{
    near(chain("mov.u32 %r1, sh; st.shared.u32 [%r1], %r1;", "ld.shared.u32 %r1, [%r1];"), 8);
    near(chain("mov.u32 %r3, %tid.x; shl.b32 %r3, %r3, 3; mov.u32 %r1, sh; add.s32 %r1, %r1, %r3;\n"
               "st.shared.u32 [%r1], %r1;",
               "ld.shared.u32 %r1, [%r1];"),
         9); /* stride of two words: two lanes a bank */
    near(chain("mov.u32 %r3, %tid.x; shl.b32 %r3, %r3, 7; mov.u32 %r1, sh; add.s32 %r1, %r1, %r3;\n"
               "st.shared.u32 [%r1], %r1;",
               "ld.shared.u32 %r1, [%r1];"),
         8 + 31);
}

/* Lane i reads word i 2^k: 2^k lanes a bank, each a cycle. */
static void a_ladder_of_bank_conflicts_climbs_by_powers_of_two(void)
{
    for (int k = 0; k <= 5; k++) {
        char setup[256];
        snprintf(setup, sizeof setup,
                 "mov.u32 %%r3, %%tid.x; shl.b32 %%r3, %%r3, %d; mov.u32 %%r1, sh;\n"
                 "add.s32 %%r1, %%r1, %%r3; st.shared.u32 [%%r1], %%r1;",
                 2 + k);
        near(chain(setup, "ld.shared.u32 %r1, [%r1];"), 8 + (1 << k) - 1);
    }
}

/* 4 cycles until it is sent, 100 in the mock memory, then: 1 in the buffer in front of the core,
 * 1 until it is chosen for write-back, 1 write-back. */
static void a_load_past_l1_takes_the_network_and_seven_cycles(void)
{
    near(chain("ld.param.u64 %rd1, [p]; st.global.u64 [%rd1], %rd1;",
               "ld.global.cg.u64 %rd1, [%rd1];"),
         100 + 7);
}

/* Blocked: the warp may go on when the last reply is chosen for write-back, a cycle before that;
 * but the next atom writes the same register. Otherwise reductions only share the LD/ST unit, which
 * sends one of 32 transactions a cycle. */
static void an_atomic_holds_the_warp_if_told_to(void)
{
    const char *const block[] = {"atomics_block=true", NULL}, *const go[] = {NULL};
    const char *const red[] = {"red.global.add.u32 [%rd1], 1;", NULL};
    const char *const atom[] = {"atom.global.add.u32 %r1, [%rd1], 1;", NULL};
    const char *same = "ld.param.u64 %rd1, [p];";
    const char *own = "ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 4;\n"
                      "add.s64 %rd1, %rd1, %rd2;";
    near(cycles_each(block, same, red), 32 - 1 + 100 + 6);
    near(cycles_each(go, same, red), 32);
    near(cycles_each(block, own, atom), 2 - 1 + 100 + 7); /* half warps */
    near(cycles_each(go, own, atom), 2 - 1 + 100 + 7);
}

/* All lanes at one word: together, as a load, or in 32 turns. */
static void a_shared_atomic_takes_turns_unless_told_otherwise(void)
{
    const char *const together[] = {"shared_atomic_turns=false", NULL}, *const turns[] = {NULL};
    const char *const atom[] = {"atom.shared.add.u32 %r2, [%r1], 1;", NULL};
    near(cycles_each(together, "mov.u32 %r1, sh;", atom), 8);
    near(cycles_each(turns, "mov.u32 %r1, sh;", atom), 8 + 31);
}

/* The branch is the second of its block (A, bra): the block behind it is fetched first (1 fetch,
 * 1 decode, 1 to find that it is wrong), then the right one. */
static void a_taken_branch_costs_a_fetch_of_the_wrong_block(void)
{
    near(row_of_eight("", "{ bra.uni A; mov.u32 %r15, 1; A: mov.u32 %r@, 2; }"), 5);
}

static void latencies_come_from_the_configuration(void)
{
    const char *const slow[] = {"latency.int_add=20", "interval.int_add=3", NULL};
    near(cycles_each(slow, INTS, (const char *const[]){"add.s32 %r1, %r1, 1;", NULL}), 26);
    /* 8 lanes: four passes of interval 1 in front of the latency of the last */
    const char *const narrow[] = {"simd_width=8", NULL};
    near(cycles_each(narrow, INTS, (const char *const[]){"add.s32 %r1, %r1, 1;", NULL}), 13);
    const char *const fma[] = {"latency.fp_fma=5", NULL};
    near(cycles_each(fma, FLOATS, (const char *const[]){"fma.rn.f32 %f1, %f1, %f2, %f3;", NULL}),
         13);
    const char *const late[] = {"l1d.hit_latency=20", NULL};
    near(cycles_each(late, "ld.param.u64 %rd1, [p]; st.global.u64 [%rd1], %rd1;",
                     (const char *const[]){"ld.global.u64 %rd1, [%rd1];", NULL}),
         24);
}

/* W lanes hold an instruction of interval i for i * 32 / W cycles. */
static void few_lanes_hold_a_unit_longer(void)
{
    const char *const list[] = {
        "add.s32 %r1, %r40, 1;", "add.s32 %r2, %r40, 1;", "add.s32 %r3, %r40, 1;",
        "add.s32 %r4, %r40, 1;", "add.s32 %r5, %r40, 1;", "add.s32 %r6, %r40, 1;",
        "add.s32 %r7, %r40, 1;", "add.s32 %r9, %r40, 1;", NULL};
    const char *const eight[] = {"simd_width=8", "sp_units=1", NULL};
    const char *const four[] = {"simd_width=4", "sp_units=1", NULL};
    const char *const two_units[] = {"simd_width=8", "sp_units=2", NULL};
    const char *const slow[] = {"simd_width=8", "sp_units=1", "interval.int_add=2", NULL};
    near(cycles_each(eight, INTS, list), 4);
    near(cycles_each(four, INTS, list), 8);
    near(cycles_each(two_units, INTS, list), 2);
    near(cycles_each(slow, INTS, list), 8);
    const char *const sines[] = {"sin.approx.f32 %f1, %f41;", "sin.approx.f32 %f2, %f42;", NULL};
    near(cycles_each(eight, FLOATS, sines), 32); /* interval 8 on the SFU */
}

/* 8 lanes are busy for 4 cycles with an addition; an access to shared memory goes beside it, unless
 * the scheduler itself waits 4 cycles, as in one pipeline for all instructions. */
static void a_scheduler_keeps_its_interval_whatever_it_issues(void)
{
    const char *const list[] = {
        "add.s32 %r1, %r40, 1;",      "ld.shared.u32 %r2, [%r41];", "add.s32 %r3, %r40, 1;",
        "ld.shared.u32 %r4, [%r41];", "add.s32 %r5, %r40, 1;",      "ld.shared.u32 %r6, [%r41];",
        "add.s32 %r7, %r40, 1;",      "ld.shared.u32 %r9, [%r41];", NULL};
    const char *const eight[] = {"simd_width=8", "sp_units=1", NULL};
    const char *const paced[] = {"simd_width=8", "sp_units=1", "issue_interval=4", NULL};
    const char *const slow[] = {"issue_interval=7", NULL};
    near(cycles_each(eight, INTS "mov.u32 %r41, sh;", list), 2);
    near(cycles_each(paced, INTS "mov.u32 %r41, sh;", list), 4);
    near(cycles_each(slow, INTS "mov.u32 %r41, sh;", list), 7);
}

/* Transactions of one load of the warp's lanes: `address` puts lane %r1's address into %rd2. */
static uint64_t accesses(const char *const *settings, const char *address)
{
    struct fix f;
    char *body = xasprintf("ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\n%s\n"
                           "cvt.u64.u32 %%rd3, %%r1;\nadd.u64 %%rd2, %%rd1, %%rd3;\n"
                           "ld.global.u32 %%r2, [%%rd2];\nret;",
                           address);
    fix_init(&f, settings);
    fix_kernel(&f, body);
    fix_run(&f, 1, 32, 1);
    const uint64_t n = f.st.l1d_accesses;
    fix_fini(&f);
    free(body);
    return n;
}

static void coalescing_follows_lines_and_half_warps(void)
{
    const char *const fermi[] = {NULL}, *const short_lines[] = {"l1d.line=64", NULL};
    const char *const halves[] = {"shared_parts=2", NULL};
    const char *own = "shl.b32 %r1, %r1, 2;", *same = "mov.u32 %r1, 64;";
    CU_ASSERT_EQUAL(accesses(fermi, own), 1); /* 32 words of one line of 128 bytes */
    CU_ASSERT_EQUAL(accesses(short_lines, own), 2);
    CU_ASSERT_EQUAL(accesses(halves, own), 2); /* 64 bytes each */
    CU_ASSERT_EQUAL(accesses(fermi, same), 1);
    CU_ASSERT_EQUAL(accesses(short_lines, same), 1);
    CU_ASSERT_EQUAL(accesses(halves, same), 2); /* one each */
}

SUITE("core timing", T(a_dependent_operation_waits_latency_plus_six),
      T(a_collector_unit_receives_one_operand_a_cycle),
      T(independent_operations_are_limited_by_the_narrowest_resource),
      T(loads_that_hit_are_back_after_four_cycles),
      T(shared_memory_takes_eight_cycles_and_one_more_a_conflict),
      T(a_ladder_of_bank_conflicts_climbs_by_powers_of_two),
      T(a_load_past_l1_takes_the_network_and_seven_cycles), T(an_atomic_holds_the_warp_if_told_to),
      T(a_shared_atomic_takes_turns_unless_told_otherwise),
      T(a_taken_branch_costs_a_fetch_of_the_wrong_block), T(latencies_come_from_the_configuration),
      T(few_lanes_hold_a_unit_longer), T(a_scheduler_keeps_its_interval_whatever_it_issues),
      T(coalescing_follows_lines_and_half_warps))
