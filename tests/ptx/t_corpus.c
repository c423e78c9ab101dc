/* Whole files as nvcc 13 and clang 14 emit them, and PTX of older kinds. */
#include "tests/ptx/fixture.h"

#define DATA "tests/data/ptx/"

static const struct {
    const char *path, *entry;
    int nfunc, unsupported;
} kernels[] = {
    {DATA "calls_nvcc13_sm75.ptx", "_Z5callsPi6recordPFiiE", 5, 0},
    {DATA "calls_nvcc13_sm75.ptx", "_Z6choosePii", 2, 0},
    {DATA "calls_nvcc13_sm80_debug.ptx", "_Z5callsPi6recordPFiiE", 6, 0},
    {DATA "calls_nvcc13_sm80_debug.ptx", "_Z6choosePii", 2, 0},
    {DATA "maths_nvcc13_sm90_lineinfo.ptx", "_Z5mathsPKfPKdPiPfPd", 1, 0},
    {DATA "maths_nvcc13_sm90_lineinfo.ptx", "_Z8assemblyPi", 1, 0},
    {DATA "maths_nvcc13_sm90_lineinfo.ptx", "_Z8texturesyyPf", 1, 0},
    {DATA "generic_clang14_sm60_O0.ptx", "generic", 4, 0},
    {DATA "generic_clang14_sm60_O0.ptx", "vectors", 1, 0},
    {DATA "generic_clang14_sm60_O0.ptx", "endless", 1, 0},
    {DATA "generic_clang14_sm20_O2.ptx", "generic", 4, 0},
    {DATA "generic_clang14_sm20_O2.ptx", "vectors", 1, 0},
    {DATA "generic_clang14_sm20_O2.ptx", "endless", 1, 0},
    {DATA "open64_ptx14_sm10.ptx", "k", 2, 0},
    {DATA "textures_nvcc13_sm75.ptx", "sample_acube", 1, 0},
    {DATA "textures_nvcc13_sm75.ptx", "clamp_surface", 1, 0},
};

/* What every decoded kernel keeps: targets inside the function, rows inside the areas. */
static void check_opnd(const struct kernel *k, const struct opnd *o)
{
    if (o->off == OPND_NONE)
        return;
    const uint32_t bytes = o->width ? o->width * WARP_SIZE : 4;
    CU_ASSERT(o->bank == BANK_REG || o->bank == BANK_CONST);
    CU_ASSERT(o->off + bytes <= (o->bank == BANK_REG ? k->reg_bytes : k->cbank_bytes));
    CU_ASSERT_EQUAL(o->off % (o->width ? 64 : 4), 0);
    CU_ASSERT(o->reg <= k->nregnum);
}

static void check_inst(const struct kernel *k, const struct inst *in)
{
    for (int i = 0; i < in->nd; i++)
        check_opnd(k, &in->dst[i]);
    for (int i = 0; i < in->ns; i++)
        check_opnd(k, &in->src[i]);
    check_opnd(k, &in->guard);
    const struct function *f = in->func;
    if (in->op == OP_BRA)
        CU_ASSERT(in->target >= f->first && in->target < f->first + f->n);
    if (in->op == OP_CALL && in->call->callee)
        CU_ASSERT_EQUAL(in->target, in->call->callee->first);
    CU_ASSERT(in->reconv == RECONV_EXIT ||
              (in->reconv >= f->first && in->reconv < f->first + f->n));
}

static void check_kernel(const struct kernel *k, int unsupported)
{
    for (uint32_t i = 0; i < k->ninst; i++) {
        check_inst(k, &k->inst[i]);
        unsupported -= k->inst[i].op == OP_UNSUPPORTED;
    }
    CU_ASSERT_EQUAL(unsupported, 0);
    for (int i = 0; i < k->nfunc; i++) {
        const struct inst *last = &k->inst[k->func[i].first + k->func[i].n - 1];
        CU_ASSERT(last->op == OP_RET || last->op == OP_EXIT || last->op == OP_BRA ||
                  last->op == OP_BRX);
    }
    CU_ASSERT(k->regs >= 1 && k->regs <= 255);
}

static void compilers_output_decodes(void)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct err e = {""};
        struct module *m = module_load(kernels[i].path, &e);
        for (int v = 0; m && v < module_nvars(m); v++)
            module_var_at(m, v)->addr = 0x40000000u + 0x1000u * (unsigned)v;
        const struct kernel *k =
            m && module_place(m, &e) ? kernel_get(m, kernels[i].entry, &e) : NULL;
        if (!k)
            printf("\n%s\n", e.msg);
        CU_ASSERT_PTR_NOT_NULL_FATAL(k);
        CU_ASSERT_EQUAL(k->nfunc, kernels[i].nfunc);
        check_kernel(k, kernels[i].unsupported);
        module_free(m);
    }
}

static void a_kernel_is_decoded_once(void)
{
    struct fix f = fix_body("ret;");
    CU_ASSERT_PTR_EQUAL(kernel_get(f.m, "k", &f.e), f.k);
    fix_free(&f);
}

static void an_error_in_one_kernel_leaves_the_others(void)
{
    struct fix f = fix_new(HEAD ".entry bad() { .reg .b32 x; { .reg .b64 x; add.u32 x, x, 1; } }\n"
                                ".entry good() { .reg .b32 x; add.u32 x, x, 1; }\n",
                           "bad");
    CU_ASSERT_PTR_NULL(f.k);
    CU_ASSERT_PTR_NOT_NULL(kernel_get(f.m, "good", &f.e));
    CU_ASSERT_PTR_NULL(kernel_get(f.m, "bad", &f.e));
    CU_ASSERT_EQUAL(module_nentries(f.m), 2);
    CU_ASSERT_STRING_EQUAL(module_entry_name(f.m, 1), "good");
    CU_ASSERT_PTR_NULL(module_entry_name(f.m, 2));
    fix_free(&f);
}

/* PTX 1.4 as nvcc 2 and 3 emitted it: 32-bit addresses, registers as formals, no .sync. */
static void old_ptx_decodes(void)
{
    static const char *const text =
        "\t.version 1.4\n\t.target sm_10, map_f64_to_f32\n\t.file 1 \"<command-line>\"\n"
        "\t.tex .u32 tex_ref;\n"
        "\t.const .align 4 .b8 weights[8] = {0,0,128,63,0,0,0,64};\n"
        "\t.shared .align 4 .b8 tile[256];\n"
        "\t.func (.reg .s32 %rval) twice (.reg .s32 %rarg)\n\t{\n"
        "\t.reg .u32 %r<4>;\n\t.loc 1 3 0\n$LBB1_twice:\n"
        "\tshl.b32 %r2, %rarg, 1;\n\tmov.s32 %rval, %r2;\n\tret;\n\t}\n"
        "\t.entry old (\n\t\t.param .u32 __cudaparm_old_a,\n\t\t.param .s16 __cudaparm_old_n)\n"
        "\t{\n\t.reg .u16 %rh<4>;\n\t.reg .u32 %r<16>;\n\t.reg .f32 %f<6>;\n\t.reg .pred %p<4>;\n"
        "\t.loc 1 9 0\n$LBB1_old:\n"
        "\tmov.u16 %rh1, %ctaid.x;\n\tmul.wide.u16 %r1, %rh1, 4;\n\tcvt.u32.u16 %r2, %tid.x;\n"
        "\tld.param.s16 %r3, [__cudaparm_old_n];\n\tsetp.le.s32 %p1, %r3, %r2;\n"
        "\t@%p1 bra $Lt_0_1026;\n\tcall (%r4), twice, (%r2);\n\tmul24.lo.u32 %r5, %r4, 4;\n"
        "\tld.param.u32 %r6, [__cudaparm_old_a];\n\tadd.u32 %r7, %r6, %r5;\n"
        "\tld.global.f32 %f1, [%r7+-4];\n\tld.const.f32 %f2, [weights+4];\n"
        "\tdiv.full.f32 %f3, %f1, %f2;\n\tst.shared.f32 [tile+8], %f3;\n\tbar.sync 0;\n"
        "\tvote.all.pred %p2, %p1;\n\tst.global.f32 [%r7+0], %f3;\n$Lt_0_1026:\n\texit;\n"
        "\t} // old\n";
    struct fix f = fix_new(text, "old");
    const struct inst *in = fix_inst(&f, 6);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    CU_ASSERT_EQUAL(f.k->param_bytes, 6);
    CU_ASSERT_EQUAL(f.k->shared_bytes, 256);
    /* st.param, call, ld.param stand for the call with registers */
    CU_ASSERT_EQUAL(in[0].op, OP_ST);
    CU_ASSERT_EQUAL(in[0].space, SP_FRAME);
    CU_ASSERT_EQUAL(in[1].op, OP_CALL);
    CU_ASSERT_EQUAL(in[2].op, OP_LD);
    CU_ASSERT_EQUAL(in[1].call->arg_bytes[0], 4);
    const struct function *g = in[1].call->callee;
    CU_ASSERT_EQUAL(f.k->inst[g->first].op, OP_LD);
    CU_ASSERT_EQUAL(f.k->inst[g->first + g->n - 2].op, OP_ST);
    CU_ASSERT_EQUAL(f.k->inst[g->first + g->n - 1].op, OP_RET);
    check_kernel(f.k, 0);
    fix_free(&f);
    f = fix_new(".version 1.2\n.entry k() { .reg .f32 %f<3>; rcp.f32 %f1, %f2; }", "k");
    CU_ASSERT_EQUAL(fix_inst(&f, 0)->flags, INST_APPROX | INST_FTZ);
    fix_free(&f);
}

static void initialisers_fill_bytes_and_addresses(void)
{
    struct fix f =
        fix_new(HEAD ".extern .global .align 4 .b8 elsewhere[];\n"
                     ".global .align 4 .u32 grid[2][3] = {{1, 2}, {-1, (5+3)*2, 'x'}};\n",
                NULL);
    CU_ASSERT_PTR_NULL(f.m); /* no character constants in PTX */
    f = fix_new(HEAD ".extern .global .align 4 .b8 elsewhere[];\n"
                     ".global .align 4 .u32 grid[2][3] = {{1, 2}, {-1, (5+3)*2}};\n"
                     ".const .f32 half = 0.5;\n.global .b16 open[] = {1, 2, 3};\n"
                     ".global .u64 table[3] = {f, generic(grid)+4, half};\n"
                     ".global .b8 split[4] = {0xFF(grid), 0xFF00(grid), 7, 0xFF000000(grid)};\n"
                     ".global .v4 .f32 four = {1.0, 2.0, 3, 4.0};\n.global .s64 none;\n"
                     ".visible .global .attribute(.managed) .align 8 .u64 host;\n"
                     ".func f() { ret; }\n.entry k() { ret; }\n",
                NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.m);
    CU_ASSERT(module_var_find(f.m, "elsewhere")->is_extern);
    const struct module_var *grid = module_var_find(f.m, "grid");
    static const uint32_t grid_want[] = {1, 2, 0, UINT32_MAX, 16, 0};
    CU_ASSERT_EQUAL(grid->bytes, 24);
    CU_ASSERT(!memcmp(grid->init, grid_want, 24));
    const struct module_var *half = module_var_find(f.m, "half");
    CU_ASSERT_EQUAL(half->space, SP_CONST);
    CU_ASSERT(!memcmp(half->init, "\0\0\0\x3f", 4));
    CU_ASSERT_EQUAL(module_var_find(f.m, "open")->bytes, 6);
    const uint64_t table_want[] = {FUNC_ADDR_BASE, grid->addr + 4, half->addr};
    CU_ASSERT(!memcmp(module_var_find(f.m, "table")->init, table_want, 24));
    CU_ASSERT(!memcmp(module_var_find(f.m, "split")->init, "\0\x10\x07\x40", 4));
    static const float four[] = {1, 2, 3, 4};
    CU_ASSERT(!memcmp(module_var_find(f.m, "four")->init, four, 16));
    CU_ASSERT_EQUAL(module_var_find(f.m, "four")->align, 16);
    CU_ASSERT_PTR_NULL(module_var_find(f.m, "none")->init);
    CU_ASSERT(module_var_find(f.m, "host")->is_managed);
    CU_ASSERT_PTR_NULL(module_var_find(f.m, "f"));
    CU_ASSERT_STRING_EQUAL(module_name(f.m), "t.ptx");
    fix_free(&f);
}

static void variables_get_places_in_their_spaces(void)
{
    struct fix f = fix_new(
        HEAD
        ".extern .shared .align 16 .b8 dyn[];\n.shared .b8 unused[999];\n"
        ".shared .align 8 .b8 used[12];\n"
        ".func f() { .shared .b32 in_f; .local .b8 l[3]; .reg .b32 r; mov.u32 r, in_f; ret; }\n"
        ".entry k(.param .u32 a, .param .align 8 .b8 b[16]) .reqntid 32, 2\n"
        "{ .shared .b8 first; .reg .b32 r; .reg .b64 d; .local .b64 x;\n"
        " mov.u32 r, used; mov.u32 r, dyn; mov.u64 d, x; ld.param.u32 r, [b+4]; call f; }\n",
        "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    CU_ASSERT_EQUAL(f.k->shared_bytes, 32); /* first 0, in_f 4..7, used 8..19, then rounded */
    CU_ASSERT_EQUAL(f.k->local_bytes, 16);
    CU_ASSERT_EQUAL(f.k->param[1].off, 8);
    CU_ASSERT_EQUAL(f.k->param_bytes, 24);
    CU_ASSERT_EQUAL(f.k->reqntid[1], 2);
    CU_ASSERT_EQUAL(f.k->reqntid[2], 1);
    uint32_t v;
    memcpy(&v, f.k->cbank + f.k->inst[1].src[0].off, 4);
    CU_ASSERT_EQUAL(v, 32); /* dynamic shared memory starts behind the static variables */
    fix_free(&f);
}

static void calls_say_where_arguments_lie(void)
{
    struct fix f = fix_new(
        HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
             ".extern .func (.param .b64 r) cudaMystery(.param .b64 a);\n"
             ".weak .func (.param .b64 r) g(.param .b32 x, .param .align 8 .b8 s[24])\n"
             "{ .reg .b64 %rd<3>; ld.param.u64 %rd1, [s+8]; st.param.b64 [r], %rd1; ret; }\n"
             ".alias h, g;\n"
             ".entry k() { .reg .b64 %rd<4>; .reg .b32 %r<3>;\n"
             " { .param .b32 a0; .param .align 8 .b8 a1[24]; .param .b64 r0;\n"
             "   call.uni (r0), h, (a0, a1); }\n"
             " { .param .b64 a0; .param .b64 a1; .param .b32 r0;\n"
             "   call.uni (r0), vprintf, (a0, a1); }\n"
             " { .param .b64 a0; .param .b64 r0; call (r0), cudaMystery, (a0); }\n"
             " mov.u64 %rd1, g;\n"
             " { .param .b32 a0; .param .align 8 .b8 a1[24]; .param .b64 r0;\n"
             "   P: .callprototype (.param .b64 _) _ (.param .b32 _, .param .align 8 .b8 _[24]);\n"
             "   call (r0), %rd1, (a0, a1), P; }\n"
             "}\n",
        "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    const struct inst *in = f.k->inst;
    const struct function *g = in[0].call->callee;
    CU_ASSERT_STRING_EQUAL(g->name, "g");
    CU_ASSERT_EQUAL(in[0].call->nargs, 2);
    CU_ASSERT_EQUAL(in[0].call->arg_bytes[1], 24);
    CU_ASSERT_EQUAL(in[0].call->arg_off[1] % 8, 0);
    CU_ASSERT_EQUAL(g->nargs, 2);
    CU_ASSERT_EQUAL(g->nrets, 1);
    CU_ASSERT_EQUAL(g->ret_bytes[0], 8);
    CU_ASSERT_EQUAL(in[1].call->builtin, BUILTIN_VPRINTF);
    CU_ASSERT_EQUAL(in[2].op, OP_UNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(in[2].text, "call cudaMystery");
    CU_ASSERT_EQUAL(in[4].op, OP_CALL);
    CU_ASSERT_PTR_NULL(in[4].call->callee);
    CU_ASSERT_EQUAL(in[4].call->builtin, BUILTIN_NONE);
    CU_ASSERT_EQUAL(in[4].src[0].width, 8);
    uint64_t addr;
    memcpy(&addr, f.k->cbank + in[3].src[0].off, 8);
    CU_ASSERT_EQUAL(addr, g->addr);
    check_kernel(f.k, 1);
    fix_free(&f);
}

static void addresses_of_parameters_are_offsets(void)
{
    struct fix f = fix_new(
        HEAD
        ".entry k(.param .u64 a, .param .align 8 .b8 s[32]) { .reg .b64 %rd<5>; .reg .b32 %r<3>;\n"
        " mov.b64 %rd1, s; ld.param.u32 %r1, [%rd1+4]; cvta.param.u64 %rd2, %rd1;\n"
        " { .param .b32 x; st.param.b32 [x], %r1; } }\n",
        "k");
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->space, SP_PARAM);
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->imm, 4);
    CU_ASSERT_EQUAL(fix_inst(&f, 2)->space, SP_PARAM);
    CU_ASSERT_EQUAL(fix_inst(&f, 3)->space, SP_FRAME);
    fix_free(&f);
}

static void directives_that_mean_nothing_here_are_skipped(void)
{
    struct fix f =
        fix_new(".version 8.0\n.target sm_90a, texmode_independent, debug\n.address_size 64\n"
                "@@DWARF .byte 0x01\n"
                ".global .texref t; .global .surfref s;\n"
                ".global .samplerref p = { addr_mode_0 = wrap, filter_mode = linear };\n"
                ".weak .entry k(.param .u64 .ptr .global .align 16 a)\n"
                ".explicitcluster .reqnctapercluster 2, 1, 1 .maxnctapersm 4\n"
                "{\n.pragma \"nounroll\", \"x\";\n"
                ".loc 1 9 5, function_name $L__info_string0, inlined_at 1 6 3\n"
                ".loc 1 9 5, function_name $L__info_string0+12, inlined_at 1 6 3\n"
                "ret; /* a\n comment */ // another\n}\n"
                ".file 1 \"a.cu\", 1700000000, 4096\n"
                ".section .debug_str\n{\ninfo: .b8 116, 123 // }\n.b32 info+3\n}\n",
                "k");
    CU_ASSERT_EQUAL(fix_inst(&f, 0)->op, OP_RET);
    CU_ASSERT_EQUAL(f.k ? f.k->param[0].align : 0, 8);
    CU_ASSERT_EQUAL(module_nvars(f.m), 3);
    fix_free(&f);
}

SUITE("ptx corpus", T(compilers_output_decodes), T(a_kernel_is_decoded_once),
      T(an_error_in_one_kernel_leaves_the_others), T(old_ptx_decodes),
      T(initialisers_fill_bytes_and_addresses), T(variables_get_places_in_their_spaces),
      T(calls_say_where_arguments_lie), T(addresses_of_parameters_are_offsets),
      T(directives_that_mean_nothing_here_are_skipped))
