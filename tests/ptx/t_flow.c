/* Basic blocks, immediate post-dominators and reconvergence points of small graphs; registers live
 * at once; the text of disasm. */
#include "tests/ptx/fixture.h"

/* Reconvergence of the branch in instruction i, as the label's instruction. */
static void check_reconv(const struct fix *f, uint32_t branch, uint32_t expected)
{
    CU_ASSERT_EQUAL(fix_inst(f, branch)->reconv, expected);
}

static void if_without_else_joins_behind_it(void)
{
    struct fix f = fix_body("@%p1 bra JOIN; add.u32 %r1, %r1, 1; JOIN: ret;");
    check_reconv(&f, 0, 2);
    CU_ASSERT_EQUAL(f.k ? f.k->nblock : 0, 3);
    fix_free(&f);
}

static void if_else_joins_at_the_end_of_both(void)
{
    struct fix f = fix_body("@%p1 bra ELSE; add.u32 %r1, %r1, 1; bra JOIN;\n"
                            "ELSE: add.u32 %r1, %r1, 2;\nJOIN: ret;");
    check_reconv(&f, 0, 4);
    check_reconv(&f, 2, 4);
    CU_ASSERT_EQUAL(f.k ? f.k->block[0].ipdom : 0, 3);
    fix_free(&f);
}

static void loops_join_behind_the_loop(void)
{
    struct fix f = fix_body("TOP: add.u32 %r1, %r1, 1; @%p1 bra OUT; add.u32 %r1, %r1, 2;\n"
                            "@%p2 bra TOP; OUT: ret;");
    check_reconv(&f, 1, 4);
    check_reconv(&f, 3, 4);
    fix_free(&f);
}

static void paths_that_only_meet_at_the_exit_join_there(void)
{
    struct fix f = fix_body("@%p1 bra A; ret; A: exit;");
    check_reconv(&f, 0, RECONV_EXIT);
    CU_ASSERT_EQUAL(f.k ? f.k->block[0].ipdom : 0, -1);
    fix_free(&f);
}

static void a_guarded_return_goes_on_or_leaves(void)
{
    struct fix f = fix_body("@%p1 ret; @%p2 bra L; add.u32 %r1, %r1, 1; L: exit;");
    check_reconv(&f, 1, 3);
    CU_ASSERT_EQUAL(f.k ? f.k->block[0].nsucc : 0, 2);
    CU_ASSERT_EQUAL(f.k ? f.k->block[0].ipdom : 0, -1);
    fix_free(&f);
}

static void endless_loops_have_post_dominators(void)
{
    struct fix f = fix_body("@%p1 bra E; ret;\n"
                            "E: @%p2 bra ODD; add.u32 %r1, %r1, 1; bra E2;\n"
                            "ODD: add.u32 %r1, %r1, 2;\n"
                            "E2: bra E;");
    check_reconv(&f, 0, RECONV_EXIT);
    check_reconv(&f, 2, 6); /* both ways meet at E2, however often */
    fix_free(&f);
}

static void brx_joins_behind_all_its_targets(void)
{
    struct fix f = fix_body("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\n"
                            "A: add.u32 %r2, %r2, 1; bra J;\nB: add.u32 %r2, %r2, 2;\nJ: ret;");
    const struct inst *in = fix_inst(&f, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(in->table);
    CU_ASSERT_EQUAL(in->table->n, 3);
    CU_ASSERT_EQUAL(in->table->target[0], 1);
    CU_ASSERT_EQUAL(in->table->target[1], 3);
    CU_ASSERT_EQUAL(in->table->target[2], 1);
    check_reconv(&f, 0, 4);
    fix_free(&f);
}

static void irreducible_graphs_work(void)
{
    struct fix f = fix_body("@%p1 bra B;\nA: @%p2 bra B; bra OUT;\nB: @%p3 bra A;\nOUT: ret;");
    check_reconv(&f, 0, 4);
    check_reconv(&f, 1, 4);
    check_reconv(&f, 3, 4);
    fix_free(&f);
}

static void a_body_without_end_gets_a_ret(void)
{
    struct fix f = fix_body("add.u32 %r1, %r1, 1;");
    CU_ASSERT_EQUAL(f.k ? f.k->ninst : 0, 2);
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->op, OP_RET);
    fix_free(&f);
    f = fix_body("@%p1 bra END; exit; END:");
    CU_ASSERT_EQUAL(fix_inst(&f, 0)->target, 2);
    CU_ASSERT_EQUAL(fix_inst(&f, 2)->op, OP_RET);
    fix_free(&f);
    f = fix_body("");
    CU_ASSERT_EQUAL(f.k ? f.k->ninst : 0, 1);
    fix_free(&f);
}

/* ---- liveness ---- */

static int live(const char *body)
{
    struct fix f = fix_body(body);
    const int n = f.k ? f.k->func[0].max_live : -1;
    fix_free(&f);
    return n;
}

static void liveness_counts_what_is_live_at_once(void)
{
    CU_ASSERT_EQUAL(live("mov.u32 %r1, 1; st.global.u32 [%rd1], %r1;"), 3);
    CU_ASSERT_EQUAL(live("mov.u32 %r1, 1; mov.u32 %r2, 2; add.u32 %r3, %r1, %r2;"), 2);
    CU_ASSERT_EQUAL(live("mov.u32 %r1, 1; mov.u32 %r1, 2;"), 1); /* dead, but written somewhere */
    CU_ASSERT_EQUAL(live("mov.b16 %h1, 1; mov.b16 %h2, 2; add.s16 %h3, %h1, %h2;"), 2);
    CU_ASSERT_EQUAL(live("mov.f64 %fd1, 1.0; mov.u32 %r1, 1; add.f64 %fd1, %fd1, %fd1;\n"
                         "add.u32 %r1, %r1, 1;"),
                    3);
    CU_ASSERT_EQUAL(live("setp.lt.u32 %p1, %r1, 3; @%p1 bra L; L: ret;"), 1); /* predicates: none */
}

static void values_live_around_loops(void)
{
    CU_ASSERT_EQUAL(live("mov.u32 %r1, 0; mov.u32 %r2, 5;\n"
                         "L: add.u32 %r1, %r1, 1; mov.u32 %r3, 7; add.u32 %r4, %r3, %r1;\n"
                         "setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; st.global.u32 [%rd1], %r1;"),
                    2 + 1 + 1 + 1);
}

static void a_guarded_write_keeps_the_old_value_alive(void)
{
    CU_ASSERT_EQUAL(live("mov.u32 %r1, 1; mov.u32 %r2, 2; @%p1 mov.u32 %r1, %r2;\n"
                         "add.u32 %r3, %r1, %r2;"),
                    2);
}

static void calls_add_what_the_callers_keep(void)
{
    struct fix f = fix_new(
        HEAD ".func (.param .b32 r) leaf(.param .b32 x) {\n .reg .b32 %r<9>;\n"
             " ld.param.b32 %r1, [x]; mov.u32 %r2, 1; mov.u32 %r3, 2; add.u32 %r4, %r1, %r2;\n"
             " add.u32 %r4, %r4, %r3; st.param.b32 [r], %r4; ret; }\n"
             ".entry k(.param .u64 a) {\n .reg .b32 %r<9>; .reg .b64 %rd<3>; .param .b32 x, y;\n"
             " ld.param.u64 %rd1, [a]; mov.u32 %r1, 7; st.param.b32 [x], %r1;\n"
             " call (y), leaf, (x); ld.param.b32 %r2, [y]; st.global.u32 [%rd1], %r2; ret; }\n",
        "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    CU_ASSERT_EQUAL(f.k->func[0].max_live, 3);
    CU_ASSERT_EQUAL(f.k->func[1].max_live, 3);
    CU_ASSERT_EQUAL(f.k->regs, 2 + 3 + 2); /* kept, the callee's, reserved: liveness.h */
    fix_free(&f);
    f = fix_new(HEAD ".entry k() .maxnreg 1 { .reg .b32 %r<9>; mov.u32 %r1, 1; }", "k");
    CU_ASSERT_EQUAL(f.k ? f.k->regs : 0, 1);
    fix_free(&f);
}

static void rows_are_shared_only_by_registers_that_never_live_together(void)
{
    struct fix f =
        fix_body("mov.u32 %r1, 1; mov.u32 %r2, 2; add.u32 %r3, %r1, %r2;\n"
                 "add.u32 %r4, %r3, 1; add.u32 %r5, %r4, %r4; mov.b64 %rd1, {%r5, %r4};");
    const struct inst *in = fix_inst(&f, 2);
    CU_ASSERT_NOT_EQUAL(in->dst[0].off, in->src[0].off);
    CU_ASSERT_NOT_EQUAL(in->dst[0].off, in->src[1].off);
    CU_ASSERT_NOT_EQUAL(in->src[0].off, in->src[1].off);
    CU_ASSERT(f.k && f.k->reg_bytes <= 3 * 128 + 256); /* five registers in three rows */
    CU_ASSERT_EQUAL(in->dst[0].off % 64, 0);
    fix_free(&f);
}

/* ---- disasm ---- */

static void disasm_shows_blocks_and_joins(void)
{
    struct fix f = fix_new(HEAD ".shared .align 4 .b8 tile[64];\n"
                                ".entry k(.param .u64 a, .param .u32 n) .maxntid 64 {\n"
                                ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
                                "ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
                                "setp.ge.s32 %p1, %r2, %r1; @%p1 bra DONE;\n"
                                "st.shared.u32 [tile+8], -3; lop3.b32 %r3, %r1, %r2, 0, 0x1e;\n"
                                "DONE: ret; }\n",
                           "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    char *s = kernel_disasm(f.k, NULL);
    static const char *const golden =
        "t.ptx: kernel k\n"
        "registers a thread: 4; declared: 9; bytes of register rows a warp: 576\n"
        "shared: 64 bytes; local: 0; frame: 0\n"
        "param 0    a: 8 bytes, .u64\n"
        "param 8    n: 4 bytes, .u32\n"
        "maxntid: 64, 1, 1\n"
        "\n"
        "k: 7 instructions, 2 registers live at most\n"
        "  B0:  -> B2, B1; post-dominated by B2\n"
        "     0  ld.param.u32 r4, [8]\n"
        "     1  mov.u32 r5, %tid.x\n"
        "     2  setp.ge.s32 p2, r5, r4\n"
        "     3  @p2 bra B2  // joins at B2\n"
        "  B1:  -> B2; post-dominated by B2\n"
        "     4  st.shared.u32 [0+8], -3\n"
        "     5  lop3.b32 r6, r4, r5, 0, 0x1e\n"
        "  B2:  -> exit; post-dominated by the exit\n"
        "     6  ret\n";
    if (strcmp(s, golden))
        printf("\n%s\n", s);
    CU_ASSERT_STRING_EQUAL(s, golden);
    free(s);
    fix_free(&f);
}

SUITE("ptx flow", T(if_without_else_joins_behind_it), T(if_else_joins_at_the_end_of_both),
      T(loops_join_behind_the_loop), T(paths_that_only_meet_at_the_exit_join_there),
      T(a_guarded_return_goes_on_or_leaves), T(endless_loops_have_post_dominators),
      T(brx_joins_behind_all_its_targets), T(irreducible_graphs_work),
      T(a_body_without_end_gets_a_ret), T(liveness_counts_what_is_live_at_once),
      T(values_live_around_loops), T(a_guarded_write_keeps_the_old_value_alive),
      T(calls_add_what_the_callers_keep),
      T(rows_are_shared_only_by_registers_that_never_live_together),
      T(disasm_shows_blocks_and_joins))
