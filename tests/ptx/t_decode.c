/* Spelling and operands to struct inst: what inst.h says about each opcode. */
#include "tests/ptx/fixture.h"

static uint64_t constant(const struct fix *f, const struct opnd *o)
{
    uint64_t v = 0;
    CU_ASSERT_EQUAL(o->bank, BANK_CONST);
    if (f->k && o->bank == BANK_CONST && o->off != OPND_NONE)
        memcpy(&v, f->k->cbank + o->off, o->width ? o->width : 4);
    return v;
}

/* One instruction a row; fields not named must be 0 (vec: 1). */
static const struct {
    const char *text;
    struct inst want;
} rows[] = {
    {"add.s32 %r1, %r2, 3;", {.op = OP_ADD, .type = VT_S32, .stype = VT_S32, .nd = 1, .ns = 2}},
    {"add.f32 %f1, %f2, %f3;",
     {.op = OP_ADD,
      .type = VT_F32,
      .stype = VT_F32,
      .rnd = RND_RN,
      .nd = 1,
      .ns = 2,
      .num = NUM_FP,
      .lat = LAT_ADD}},
    {"fma.rz.ftz.sat.f32 %f1, %f2, %f3, %f4;",
     {.op = OP_FMA,
      .type = VT_F32,
      .stype = VT_F32,
      .rnd = RND_RZ,
      .flags = INST_FTZ | INST_SAT,
      .nd = 1,
      .ns = 3}},
    {"mul.wide.s16 %r1, %h1, %h2;",
     {.op = OP_MUL, .type = VT_S32, .stype = VT_S16, .flags = INST_WIDE, .nd = 1, .ns = 2}},
    {"mad.wide.u32 %rd1, %r1, %r2, %rd2;",
     {.op = OP_MAD, .type = VT_U64, .stype = VT_U32, .flags = INST_WIDE, .nd = 1, .ns = 3}},
    {"mad.hi.cc.u32 %r1, %r1, %r2, %r3;",
     {.op = OP_MAD,
      .type = VT_U32,
      .stype = VT_U32,
      .flags = INST_HI | INST_CC_OUT,
      .nd = 1,
      .ns = 3}},
    {"subc.cc.u32 %r1, %r1, %r2;",
     {.op = OP_SUBC,
      .type = VT_U32,
      .stype = VT_U32,
      .flags = INST_CC_IN | INST_CC_OUT,
      .nd = 1,
      .ns = 2}},
    {"setp.lt.or.f32 %p1|%p2, %f1, %f2, !%p3;",
     {.op = OP_SETP,
      .type = VT_PRED,
      .stype = VT_F32,
      .cmp = CMP_LT,
      .bop = BOOL_OR,
      .nd = 2,
      .ns = 3}},
    {"setp.hi.u32 %p1, %r1, %r2;",
     {.op = OP_SETP, .type = VT_PRED, .stype = VT_U32, .cmp = CMP_GT, .nd = 1, .ns = 2}},
    {"set.geu.f32.f64 %f1, %fd1, %fd2;",
     {.op = OP_SET, .type = VT_F32, .stype = VT_F64, .cmp = CMP_GEU, .nd = 1, .ns = 2}},
    {"slct.f32.s32 %f1, %f2, %f3, %r1;",
     {.op = OP_SLCT, .type = VT_F32, .stype = VT_S32, .nd = 1, .ns = 3}},
    {"lop3.b32 %r1, %r2, %r3, %r4, 0x96;",
     {.op = OP_LOP3, .type = VT_B32, .stype = VT_B32, .nd = 1, .ns = 3, .imm = 0x96}},
    {"lop3.and.b32 %r1|%p1, %r2, %r3, %r4, 1, %p2;",
     {.op = OP_LOP3, .type = VT_B32, .stype = VT_B32, .nd = 2, .ns = 4, .imm = 1, .bop = BOOL_AND}},
    {"shf.l.wrap.b32 %r1, %r2, %r3, 4;",
     {.op = OP_SHF,
      .type = VT_B32,
      .stype = VT_B32,
      .flags = INST_LEFT | INST_WRAP,
      .nd = 1,
      .ns = 3}},
    {"prmt.b32.f4e %r1, %r2, %r3, 4;",
     {.op = OP_PRMT, .type = VT_B32, .stype = VT_B32, .mode = PRMT_F4E, .nd = 1, .ns = 3}},
    {"testp.subnormal.f64 %p1, %fd1;",
     {.op = OP_TESTP, .type = VT_F64, .stype = VT_F64, .mode = TESTP_SUBNORMAL, .nd = 1, .ns = 1}},
    {"dp4a.u32.s32 %r1, %r2, %r3, %r4;",
     {.op = OP_DP4A, .type = VT_U32, .stype = VT_S32, .nd = 1, .ns = 3}},
    {"vabsdiff4.u32.s32.u32.add %r1, %r2, %r3, %r4;",
     {.op = OP_VIDEO, .type = VT_U32, .stype = VT_U32, .aop = ATOM_ADD, .nd = 1, .ns = 3}},
    {"cvt.rmi.ftz.sat.f32.f32 %f1, %f2;",
     {.op = OP_CVT,
      .type = VT_F32,
      .stype = VT_F32,
      .rnd = RND_RMI,
      .flags = INST_FTZ | INST_SAT,
      .nd = 1,
      .ns = 1}},
    {"cvt.u8.u32 %h1, %r1;", {.op = OP_CVT, .type = VT_U8, .stype = VT_U32, .nd = 1, .ns = 1}},
    {"cvt.rzi.s32.f32 %r1, %f1;",
     {.op = OP_CVT, .type = VT_S32, .stype = VT_F32, .rnd = RND_RZI, .nd = 1, .ns = 1}},
    {"cvt.rn.f16x2.f32 %r1, %f1, %f2;",
     {.op = OP_CVT, .type = VT_F16X2, .stype = VT_F32, .rnd = RND_RN, .nd = 1, .ns = 2}},
    {"cvt.rna.tf32.f32 %r1, %f1;",
     {.op = OP_CVT, .type = VT_B32, .stype = VT_F32, .rnd = RND_RNA, .nd = 1, .ns = 1}},
    {"cvt.pack.sat.u4.s32.b32 %r1, %r2, %r3, %r4;",
     {.op = OP_CVT,
      .type = VT_U8,
      .stype = VT_S32,
      .aop = ATOM_EXCH,
      .imm = 4,
      .flags = INST_SAT,
      .nd = 1,
      .ns = 3}},
    {"cvta.to.shared.u64 %rd1, %rd2;",
     {.op = OP_CVTA,
      .type = VT_U64,
      .stype = VT_U64,
      .space = SP_SHARED,
      .flags = INST_TO,
      .nd = 1,
      .ns = 1}},
    {"isspacep.local %p1, %rd2;",
     {.op = OP_ISSPACEP, .type = VT_U64, .stype = VT_U64, .space = SP_LOCAL, .nd = 1, .ns = 1}},
    {"ld.global.nc.L2::128B.v2.f32 {%f1, %f2}, [%rd1+-8];",
     {.op = OP_LD,
      .type = VT_F32,
      .stype = VT_F32,
      .space = SP_GLOBAL,
      .vec = 2,
      .imm = -8,
      .flags = INST_LOAD | INST_NC,
      .nd = 2,
      .ns = 1}},
    {"ld.acquire.gpu.u32 %r1, [%rd1];",
     {.op = OP_LD,
      .type = VT_U32,
      .stype = VT_U32,
      .flags = INST_LOAD | INST_VOLATILE,
      .nd = 1,
      .ns = 1}},
    {"ld.global.cg.u8 %r1, [%rd1];",
     {.op = OP_LD,
      .type = VT_U8,
      .stype = VT_U8,
      .space = SP_GLOBAL,
      .cache = CACHE_CG,
      .flags = INST_LOAD,
      .nd = 1,
      .ns = 1}},
    {"st.volatile.shared.v4.b8 [%r1], {%h1, %h2, %h3, 7};",
     {.op = OP_ST,
      .type = VT_B8,
      .stype = VT_B8,
      .space = SP_SHARED,
      .vec = 4,
      .cache = CACHE_WB,
      .flags = INST_STORE | INST_VOLATILE,
      .ns = 5}},
    {"atom.shared.cas.b64 %rd1, [%r1+16], %rd2, 7;",
     {.op = OP_ATOM,
      .type = VT_B64,
      .stype = VT_B64,
      .space = SP_SHARED,
      .aop = ATOM_CAS,
      .imm = 16,
      .flags = INST_ATOMIC,
      .nd = 1,
      .ns = 3}},
    {"atom.global.sys.add.f64 %fd1, [%rd1], %fd2;",
     {.op = OP_ATOM,
      .type = VT_F64,
      .stype = VT_F64,
      .space = SP_GLOBAL,
      .aop = ATOM_ADD,
      .flags = INST_ATOMIC,
      .nd = 1,
      .ns = 2}},
    {"red.and.release.cta.b32 [%rd1], %r2;",
     {.op = OP_RED,
      .type = VT_B32,
      .stype = VT_B32,
      .aop = ATOM_AND,
      .flags = INST_ATOMIC | INST_VOLATILE,
      .ns = 2}},
    {"cp.async.cg.shared.global.L2::128B [%r1+4], [%rd1+64], 16, %r2;",
     {.op = OP_CP_ASYNC,
      .type = VT_B32,
      .stype = VT_B32,
      .space = SP_SHARED,
      .vec = 4,
      .cache = CACHE_CG,
      .imm = 4,
      .flags = INST_LOAD,
      .ns = 4}},
    {"cp.async.wait_group 2;", {.op = OP_CP_ASYNC_WAIT, .ns = 1}},
    {"shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;",
     {.op = OP_SHFL,
      .type = VT_B32,
      .stype = VT_B32,
      .mode = SHFL_BFLY,
      .flags = INST_SYNC,
      .nd = 2,
      .ns = 4}},
    {"match.all.sync.b64 %r1|%p1, %rd2, -1;",
     {.op = OP_MATCH,
      .type = VT_B64,
      .stype = VT_B64,
      .flags = INST_ALL | INST_SYNC,
      .nd = 2,
      .ns = 2}},
    {"redux.sync.max.s32 %r1, %r2, -1;",
     {.op = OP_REDUX,
      .type = VT_S32,
      .stype = VT_S32,
      .aop = ATOM_MAX,
      .flags = INST_SYNC,
      .nd = 1,
      .ns = 2}},
    {"elect.sync _|%p1, -1;", {.op = OP_ELECT, .flags = INST_SYNC, .nd = 2, .ns = 1}},
    {"bar.sync 1, 64;",
     {.op = OP_BAR, .flags = INST_SYNC | INST_BARRIER | INST_ALWAYS | INST_ALIGNED, .ns = 2}},
    {"bar.red.popc.u32 %r1, 0, 64, !%p1;",
     {.op = OP_BAR_RED,
      .type = VT_U32,
      .stype = VT_U32,
      .aop = ATOM_ADD,
      .mode = ATOM_ADD,
      .flags = INST_BARRIER | INST_ALWAYS | INST_ALIGNED,
      .nd = 1,
      .ns = 3}},
    {"bar.warp.sync -1;", {.op = OP_BAR_WARP, .flags = INST_SYNC | INST_ALIGNED, .ns = 1}},
    {"fence.acq_rel.gpu;", {.op = OP_MEMBAR, .flags = INST_VOLATILE}},
    {"mov.u64 %rd1, %clock64;",
     {.op = OP_MOVSREG, .type = VT_U64, .stype = VT_U64, .mode = SREG_CLOCK64, .nd = 1}},
    {"mov.u64 %rd1, %gridid;", {.op = OP_CVT, .type = VT_U64, .stype = VT_U32, .nd = 1, .ns = 1}},
    {"mov.u16 %h1, %tid.x;", {.op = OP_MOV, .type = VT_U16, .stype = VT_U16, .nd = 1, .ns = 1}},
    {"mov.b64 %rd1, {%r1, 7};", {.op = OP_MOV, .type = VT_B64, .stype = VT_B64, .nd = 1, .ns = 2}},
    {"mov.b32 {%h1, _}, %r1;", {.op = OP_MOV, .type = VT_B32, .stype = VT_B32, .nd = 2, .ns = 1}},
    {"exit;", {.op = OP_EXIT, .flags = INST_BRANCH | INST_ALWAYS}},
};

#define SAME(field)                                                                     \
    do {                                                                                \
        if ((long)in->field != (long)w->field)                                          \
            printf("\n%s: " #field " is %ld, not %ld\n", rows[i].text, (long)in->field, \
                   (long)w->field);                                                     \
        CU_ASSERT_EQUAL(in->field, w->field);                                           \
    } while (0)

static void fields_follow_the_spelling(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fix f = fix_body(rows[i].text);
        const struct inst *in = fix_inst(&f, 0), *w = &rows[i].want;
        SAME(op);
        SAME(type);
        SAME(stype);
        SAME(flags);
        SAME(space);
        SAME(cmp);
        SAME(bop);
        SAME(rnd);
        SAME(aop);
        SAME(mode);
        SAME(nd);
        SAME(ns);
        SAME(imm);
        if (w->cache)
            SAME(cache);
        CU_ASSERT_EQUAL(in->vec, w->vec ? w->vec : 1);
        CU_ASSERT_EQUAL(in->line, BODY_LINE + 1);
        fix_free(&f);
    }
}

static const struct {
    const char *text;
    uint8_t unit, lat, num;
} timing[] = {
    {"add.s32 %r1, %r2, %r3;", UNIT_SP, LAT_ADD, NUM_INT},
    {"mul.lo.s32 %r1, %r2, %r3;", UNIT_SFU, LAT_MUL, NUM_INT},
    {"mul.f32 %f1, %f2, %f3;", UNIT_SP_OR_SFU, LAT_MUL, NUM_FP},
    {"mul.f64 %fd1, %fd2, %fd3;", UNIT_SP_OR_SFU, LAT_MUL, NUM_DP},
    {"mad.lo.s32 %r1, %r2, %r3, 1;", UNIT_SFU, LAT_MAD, NUM_INT},
    {"mad.rn.f32 %f1, %f2, %f3, %f4;", UNIT_SP, LAT_MAD, NUM_FP},
    {"div.s32 %r1, %r2, %r3;", UNIT_SFU, LAT_DIV, NUM_INT},
    {"div.rn.f64 %fd1, %fd2, %fd3;", UNIT_SFU, LAT_DIV, NUM_DP},
    {"max.f32 %f1, %f2, %f3;", UNIT_SP, LAT_MAX, NUM_FP},
    {"sin.approx.f32 %f1, %f2;", UNIT_SFU, LAT_SFU, NUM_FP},
    {"fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", UNIT_SP, LAT_OTHER, NUM_DP},
    {"rem.s32 %r1, %r2, %r3;", UNIT_SP, LAT_OTHER, NUM_INT},
    {"shl.b32 %r1, %r2, 1;", UNIT_SP, LAT_OTHER, NUM_INT},
    {"ld.global.f32 %f1, [%rd1];", UNIT_MEM, LAT_OTHER, NUM_FP},
    {"membar.gl;", UNIT_MEM, LAT_OTHER, NUM_INT},
    {"bar.sync 0;", UNIT_CONTROL, LAT_OTHER, NUM_INT},
};

static void timing_classes_are_gpgpusims(void)
{
    for (size_t i = 0; i < sizeof timing / sizeof *timing; i++) {
        struct fix f = fix_body(timing[i].text);
        const struct inst *in = fix_inst(&f, 0);
        CU_ASSERT_EQUAL(in->unit, timing[i].unit);
        CU_ASSERT_EQUAL(in->lat, timing[i].lat);
        CU_ASSERT_EQUAL(in->num, timing[i].num);
        fix_free(&f);
    }
}

static const struct {
    const char *text;
    uint64_t value;
    uint8_t width;
} constants[] = {
    {"mov.u32 %r1, -1;", 0xffffffff, 4},
    {"mov.u16 %h1, -1;", 0xffff, 4},
    {"mov.u64 %rd1, -1;", UINT64_MAX, 8},
    {"mov.u64 %rd1, 0x8000000000000000U;", UINT64_C(1) << 63, 8},
    {"mov.b32 %f1, 0f3F800000;", 0x3f800000, 4},
    {"mov.f32 %f1, 0d3FF0000000000000;", 0x3f800000, 4},
    {"mov.f32 %f1, 1.5;", 0x3fc00000, 4},
    {"mov.f32 %f1, -1.5e0;", 0xbfc00000, 4},
    {"mov.f32 %f1, 0f7FC00001;", 0x7fc00001, 4},
    {"mov.f64 %fd1, 0f3F800000;", 0x3ff0000000000000, 8},
    {"mov.b16 %h1, 0.5;", 0x3800, 4},
    {"mov.b16 %h1, 65520.0;", 0x7c00, 4},
    {"mov.b16 %h1, 0.00000005960464477539063;", 1, 4},
    {"mov.u32 %r1, 017;", 15, 4},
    {"mov.u32 %r1, 0b101;", 5, 4},
    {"mov.u32 %r1, WARP_SZ*2;", 64, 4},
    {"mov.u32 %r1, (1<<4)|3&2^1;", 19, 4},
    {"mov.u32 %r1, ~0>>1;", 0xffffffff, 4},
    {"mov.u32 %r1, 2 > 1 ? 7/2 : 7 % 2;", 3, 4},
    {"mov.u32 %r1, !(3 == 3) + (1 && 2) * (.u64) 5;", 5, 4},
    {"mov.u32 %r1, 7 - 3*2 + 9/4;", 3, 4},
    {"mov.u32 %r1, (-7)/2;", 0xfffffffd, 4},
    {"mov.u32 %r1, (-7) % 4;", 0xfffffffd, 4},
    {"mov.u64 %rd1, 0xfffffffffffffff9U / 2;", 0x7ffffffffffffffc, 8},
    {"mov.u64 %rd1, 0xfffffffffffffff9U >> 60;", 15, 8},
    {"mov.u64 %rd1, (.s64) 0xfffffffffffffff9U >> 1;", UINT64_MAX - 3, 8},
    {"mov.u64 %rd1, 1 << 64;", 0, 8},
    {"mov.u64 %rd1, (.s64) 0x8000000000000000U / -1;", UINT64_C(1) << 63, 8},
    {"mov.u32 %r1, (1 <= 2) + (3 >= 4) + (1 != 2) + (1 < 2) + (0 || 2) + (+5);", 9, 4},
    {"mov.u32 %r1, (-1 < 1U) + (-1 < 1)*2;", 2, 4},
    {"mov.f32 %f1, 1.5*2.0 + 3.0/2.0 - 1;", 0x40600000, 4},
    {"mov.f32 %f1, -0f3F800000;", 0xbf800000, 4},
    {"mov.b32 %f1, 0f3F800000 + 0f3F800000;", 0x40000000, 4},
    {"mov.u32 %r1, 3+s1;", 7, 4},
    {"mov.u32 %r1, s1-1;", 3, 4},
    {"mov.pred %p1, 1;", 0xffffffff, 0},
    {"mov.u32 %r1, s1+4;", 8, 4},
    {"mov.u64 %rd1, s1;", 4, 8},
    {"mov.u64 %rd1, l1;", 8, 8},
    {"mov.u64 %rd1, n;", 8, 8},
};

static void constants_take_the_operands_type(void)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        char body[300];
        snprintf(body, sizeof body,
                 ".shared .b8 s0;\n.shared .b32 s1[3];\n.local .b8 l0[5]; .local .b64 l1;\n%s",
                 constants[i].text);
        struct fix f = fix_body(body);
        const struct opnd *o = &fix_inst(&f, 0)->src[0];
        const uint64_t v = constant(&f, o);
        if (v != constants[i].value)
            printf("\n%s: 0x%llx\n", constants[i].text, (unsigned long long)v);
        CU_ASSERT_EQUAL(v, constants[i].value);
        CU_ASSERT_EQUAL(o->width, constants[i].width);
        fix_free(&f);
    }
}

static void equal_constants_share_a_row(void)
{
    struct fix f = fix_body("mov.u32 %r1, 7; mov.b32 %r2, 7; mov.u64 %rd1, 7; mov.u32 %r3, 8;");
    const uint32_t off = fix_inst(&f, 0)->src[0].off;
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->src[0].off, off);
    CU_ASSERT_NOT_EQUAL(fix_inst(&f, 2)->src[0].off, off);
    CU_ASSERT_NOT_EQUAL(fix_inst(&f, 3)->src[0].off, off);
    CU_ASSERT_EQUAL(off % 64, 0);
    for (int lane = 0; f.k && lane < WARP_SIZE; lane++)
        CU_ASSERT_EQUAL(((const uint32_t *)(f.k->cbank + off))[lane], 7);
    fix_free(&f);
}

static void registers_are_numbered_in_order_of_declaration(void)
{
    struct fix f = fix_body("add.u32 %r3, %u1, %r0; @!%p2 mov.f64 %fd1, %fd0;");
    const struct inst *in = fix_inst(&f, 0);
    CU_ASSERT_EQUAL(in->dst[0].reg, 9 + 9 + 1 + 3);
    CU_ASSERT_EQUAL(in->dst[0].num, 3);
    CU_ASSERT_EQUAL(in->src[0].reg, 9 + 9 + 20 + 9 + 9 + 9 + 1 + 1);
    in = fix_inst(&f, 1);
    CU_ASSERT_EQUAL(in->guard.reg, 3);
    CU_ASSERT_EQUAL(in->guard.neg, 1);
    CU_ASSERT_EQUAL(in->guard.width, 0);
    CU_ASSERT_EQUAL(in->dst[0].width, 8);
    CU_ASSERT_EQUAL(f.k ? f.k->nregnum : 0, 9 + 9 + 20 + 9 + 9 + 9 + 4);
    fix_free(&f);
}

static void scopes_hide_registers_and_labels(void)
{
    struct fix f = fix_body("L: mov.u32 %r1, 1;\n"
                            "{ .reg .b32 %r<3>; .reg .pred q;\n"
                            "  L: add.u32 %r1, %r2, %r3; @q bra L; bra M;\n"
                            "}\n"
                            "M: mov.u32 %r1, 2; bra L;");
    const uint16_t outer = fix_inst(&f, 0)->dst[0].reg;
    CU_ASSERT_NOT_EQUAL(fix_inst(&f, 1)->dst[0].reg, outer);
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->src[1].reg, outer + 2); /* %r3: only outside */
    CU_ASSERT_EQUAL(fix_inst(&f, 2)->target, 1);
    CU_ASSERT_EQUAL(fix_inst(&f, 3)->target, 4);
    CU_ASSERT_EQUAL(fix_inst(&f, 4)->dst[0].reg, outer);
    CU_ASSERT_EQUAL(fix_inst(&f, 5)->target, 0);
    fix_free(&f);
}

static void vector_registers_have_members(void)
{
    struct fix f = fix_body(".reg .v4 .f32 v;\nadd.f32 v.y, v.x, v.w;");
    const struct inst *in = fix_inst(&f, 0);
    CU_ASSERT_EQUAL(in->dst[0].reg, in->src[0].reg + 1);
    CU_ASSERT_EQUAL(in->src[1].reg, in->src[0].reg + 3);
    fix_free(&f);
}

static void vector_registers_are_loaded_and_stored_whole(void)
{
    struct fix f = fix_body(".reg .v4 .f32 v; .reg .v2 .b64 w;\nld.global.v4.f32 v, [%rd1+16];\n"
                            "st.shared.v2.u32 [%rd1], w;\n");
    const struct inst *in = fix_inst(&f, 0);
    CU_ASSERT_EQUAL(in->nd, 4);
    CU_ASSERT_EQUAL(in->dst[3].reg, in->dst[0].reg + 3);
    in = fix_inst(&f, 1);
    CU_ASSERT_EQUAL(in->ns, 3);
    CU_ASSERT_EQUAL(in->src[2].reg, in->src[1].reg + 1);
    fix_free(&f);
}

static void special_registers_are_rows(void)
{
    struct fix f = fix_body("mov.u32 %r1, %tid.x; add.u32 %r2, %clock, %laneid;");
    const struct inst *in = fix_inst(&f, 0);
    CU_ASSERT_EQUAL(in->src[0].bank, BANK_REG);
    CU_ASSERT_EQUAL(in->src[0].off, f.k ? f.k->sreg_off[SREG_TID_X] : 0);
    CU_ASSERT_EQUAL(in->src[0].reg, 0);
    CU_ASSERT_EQUAL(f.k ? f.k->sreg_off[SREG_TID_Y] : 0, OPND_NONE);
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->op, OP_MOVSREG); /* read before it is used */
    CU_ASSERT_EQUAL(fix_inst(&f, 2)->src[0].off, fix_inst(&f, 1)->dst[0].off);
    fix_free(&f);
}

static void only_control_flow_and_barriers_run_with_no_lane(void)
{
    struct fix f = fix_body("L: @%p1 bra L; @%p1 ret; @%p1 bar.sync 0; @%p1 bar.arrive 0, 32;\n"
                            "@%p1 bar.warp.sync -1; @%p1 trap; @%p1 st.global.u8 [%rd1], %h1;");
    static const bool always[] = {true, true, true, true, false, false, false};
    for (uint32_t i = 0; i < sizeof always; i++)
        CU_ASSERT_EQUAL((fix_inst(&f, i)->flags & INST_ALWAYS) != 0, always[i]);
    fix_free(&f);
}

/* Before sm_70 lanes need not be named. */
static void older_code_exchanges_without_sync(void)
{
    struct fix f =
        fix_new(".version 6.4\n.target sm_60\n.entry k() { .reg .b32 %r<3>; .reg .pred %p<3>;\n"
                "shfl.down.b32 %r1, %r2, 1, 31; vote.all.pred %p1, !%p2; }\n",
                "k");
    CU_ASSERT_EQUAL(fix_inst(&f, 0)->mode, SHFL_DOWN);
    CU_ASSERT_EQUAL(fix_inst(&f, 0)->ns, 3);
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->mode, VOTE_ALL);
    CU_ASSERT_EQUAL(fix_inst(&f, 1)->ns, 1);
    fix_free(&f);
}

static void what_is_not_supported_waits_for_the_launch(void)
{
    struct fix f = fix_body(
        "tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}], {%f1,%f2}, {%f1,%f2},\n"
        "{%r1,%r2};\n" /* an offset */
        "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {%r1}, [%rd1];\n"
        "cp.async.bulk.prefetch.L2.global [%rd1], 16;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        " [%r1], [%rd1], 16, [%r2], %h1;\n"
        "multimem.red.relaxed.sys.global.add.f32 [%rd1], %f1;\n");
    for (uint32_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(fix_inst(&f, i)->op, OP_UNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(fix_inst(&f, 0)->text, "tex.grad.2d.v4.f32.f32");
    CU_ASSERT_EQUAL(fix_inst(&f, 2)->line, BODY_LINE + 4);
    fix_free(&f);
}

/* Of the parameters a (8 bytes) and n (4): a bit a byte. */
static void kernels_say_which_bytes_of_parameters_they_read(void)
{
    static const struct {
        const char *body;
        unsigned read;
    } cases[] = {
        {"ret;", 0},
        {"ld.param.u64 %rd1, [a];", 0xff},
        {"ld.param.u8 %r1, [a+3]; ld.param.u16 %h1, [n];", 0x308},
        {"ld.param.v2.u16 {%h1, %h2}, [a+4];", 0xf0},
        {"mov.u64 %rd1, n;", 0xfff}, /* who has the address may read any */
        {"mov.u64 %rd1, a; cvta.param.u64 %rd1, %rd1; ld.u8 %r1, [%rd1];", 0xfff},
        {"ld.param.u8 %r1, [%rd1+2];", 0xfff},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fix f = fix_body(cases[i].body);
        fix_inst(&f, 0);
        for (unsigned b = 0; f.k && b < 12; b++)
            CU_ASSERT_EQUAL(f.k->param_read[b] != 0, cases[i].read >> b & 1);
        fix_free(&f);
    }
}

SUITE("ptx decode", T(fields_follow_the_spelling), T(timing_classes_are_gpgpusims),
      T(constants_take_the_operands_type), T(equal_constants_share_a_row),
      T(registers_are_numbered_in_order_of_declaration), T(scopes_hide_registers_and_labels),
      T(vector_registers_have_members), T(vector_registers_are_loaded_and_stored_whole),
      T(special_registers_are_rows), T(only_control_flow_and_barriers_run_with_no_lane),
      T(older_code_exchanges_without_sync), T(what_is_not_supported_waits_for_the_launch),
      T(kernels_say_which_bytes_of_parameters_they_read))
