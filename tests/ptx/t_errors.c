/* What is wrong in a text is said with file, line, column, the source line and a caret. */
#include "tests/ptx/fixture.h"

static void check_message(const char *text, const char *entry, const char *expected)
{
    struct fix f = fix_new(text, entry);
    CU_ASSERT(!f.m || !f.k);
    if (strcmp(f.e.msg, expected))
        printf("\nexpected: %s\nfound:    %s\n", expected, f.e.msg);
    CU_ASSERT_STRING_EQUAL(f.e.msg, expected);
    fix_free(&f);
}

static void syntax_errors_show_the_place(void)
{
    check_message(HEAD ".entry k()\n{\n\tret\n}\n", "k",
                  "t.ptx:7:1: syntax error, unexpected '}', expecting ';'\n}\n^");
    check_message(".version 7.8\n.target sm_80\n.adress_size 64\n", NULL,
                  "t.ptx:3:1: unknown directive or type .adress_size\n.adress_size 64\n^");
    check_message(HEAD ".global .b32 x = 0x;\n", NULL,
                  "t.ptx:4:18: malformed number\n.global .b32 x = 0x;\n                 ^");
    check_message(HEAD "/* never\nclosed", NULL, "t.ptx:4:1: comment is never closed\n/* never\n^");
    check_message(HEAD ".file 1 \"x\n", NULL,
                  "t.ptx:4:9: string is never closed\n.file 1 \"x\n        ^");
    check_message(HEAD ".section .debug_info\n{ {\n", NULL,
                  "t.ptx:4:1: section is never closed\n.section .debug_info\n^");
    check_message(HEAD ".global .b32 x;\x01\n", NULL,
                  "t.ptx:4:16: unexpected byte 0x01\n.global .b32 x;?\n               ^");
}

static void tabs_keep_the_caret_below_its_column(void)
{
    check_message(HEAD ".entry k()\n{\n\t.reg .u32\t%r<3>;\n\tadd.u32\t%r1, %r9, 1;\n}\n", "k",
                  "t.ptx:7:15: %r9 is not declared\n\tadd.u32\t%r1, %r9, 1;\n\t       \t     ^");
}

/* Errors in a body: line and column count from its own first line. */
static const struct {
    const char *body;
    int line, col;
    const char *message;
} rows[] = {
    {"foo.u32 %r1, %r2;", 1, 1, "the instruction foo is unknown to mdpredict"},
    {"add.u31 %r1, %r2, 1;", 1, 4, "add: the modifier .u31 is unknown to mdpredict"},
    {"add.wide.s32 %r1, %r2, 1;", 1, 4, "add: the modifier .wide is unknown to mdpredict"},
    {"add.ftz.f64 %fd1, %fd2, %fd3;", 1, 1, "add.f64 with these modifiers is unknown to mdpredict"},
    {"add.s8 %r1, %r2, 1;", 1, 1, "add for type .s8 is unknown to mdpredict"},
    {"add %r1, %r2, 1;", 1, 1, "add needs a type"},
    {"add.u32.u32 %r1, %r2, 1;", 1, 1, "add for types .u32 is unknown to mdpredict"},
    {"mul.s32 %r1, %r2, 1;", 1, 1, "mul.s32 needs .lo, .hi or .wide"},
    {"mul.wide.s64 %rd1, %rd2, 1;", 1, 1, "mul.wide.s64: no type is wider"},
    {"setp.s32 %p1, %r2, 1;", 1, 1, "setp lacks a modifier that it needs"},
    {"setp.lt.lt.s32 %p1, %r2, 1;", 1, 8, "setp: a second modifier of the same kind, .lt"},
    {"add.u32 %r1, %r2;", 1, 1, "add.u32 takes 3 operands, not 2"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3}, [%rd1,{%f1,%f2}];", 1, 19,
     "tex.2d.v4.f32.f32 returns 4 values, not 3"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1,{%f1}];", 1, 44,
     "tex.2d.v4.f32.f32 takes 2 coordinates, not 1"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1];", 1, 38,
     "tex.2d.v4.f32.f32 reads [texture, coordinates]"},
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [a,{%f1,%f2}];", 1, 39, "a is no texture reference"},
    {"tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1,{%r1,%f2}];", 1, 49,
     "%f2 is .f32; .s32 is needed here"},
    {"tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1,{%f1,%f2}];", 1, 1,
     "tex.level.2d.v4.f32.f32 needs a level"},
    {"tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1,{%f1,%f2}], {%f1,%f2};", 1, 1,
     "tex.grad.2d.v4.f32.f32 needs two gradients"},
    {"tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1,{%f1,%f2}], {%f1,%f2}, {%f1};", 1, 72,
     "a gradient of tex.grad.2d.v4.f32.f32 has 2 numbers, not 1"},
    {"tex.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1,{%f1,%f2}];", 1, 1,
     "tex lacks a modifier that it needs"},
    {"suld.b.2d.v4.b64.trap {%rd1,%rd2,%rd3,%rd4}, [%rd1,{%r1,%r2}];", 1, 1,
     "suld.b.2d.v4.b64.trap moves more than 16 bytes"},
    {"suld.b.cube.b32.trap %r1, [%rd1,{%r1,%r2,%r2}];", 1, 1, "there is no suld.b.cube.b32.trap"},
    {"txq.width.b32 %r1, [%rd1, %r2];", 1, 20, "txq.width.b32 asks about [texture]"},
    {"ret %r1;", 1, 1, "ret takes 0 operands, not 1"},
    {"bar.sync 0, 32, 3;", 1, 1, "bar.sync takes 1 to 2 operands, not 3"},
    {"add.u32 %r1, %r2, %rd1;", 1, 19, "%rd1 is .b64; .u32 is needed here"},
    {"add.u32 %r1, %r2, %f1;", 1, 19, "%f1 is .f32; .u32 is needed here"},
    {"add.f32 %f1, %f2, %u1;", 1, 19, "%u1 is .u32; .f32 is needed here"},
    {"add.f32 %f1, %f2, 1;", 1, 19, "a floating-point value is needed here"},
    {"add.s32 %r1, %r2, 1.5;", 1, 19, "an integer is needed here"},
    {"add.s32 5, %r2, 1;", 1, 9, "a register is needed here"},
    {"add.s32 %tid.x, %r2, 1;", 1, 9, "a register that can be written is needed here"},
    {"and.pred %p1, %p2, %r1;", 1, 20, "%r1 is .b32; .pred is needed here"},
    {"@%r1 ret;", 1, 2, "%r1 is .b32; .pred is needed here"},
    {"@%p99 ret;", 1, 2, "%p99 is not declared"},
    {"ld.global.u64 %r1, [%rd1];", 1, 15, "%r1 is .b32; .u64 is needed here"},
    {"ld.global.u32 %r1, [%h1];", 1, 21, "%h1 is .b16; an address has 32 or 64 bits"},
    {"ld.global.u32 %r1, %rd1;", 1, 20, "an address in brackets is needed here"},
    {"ld.global.v2.u32 {%r1}, [%rd1];", 1, 18, "ld.global.v2.u32 moves 2 values, not 1"},
    {"ld.shared.v4.u64 {%rd1,%rd2,%rd1,%rd1}, [%rd1];", 1, 1,
     "ld.shared.v4.u64: 32 bytes at once are for .global"},
    {"ld.shared.u32 %r1, [a];", 1, 21, "a is in .param, not in .shared"},
    {"st.param.u32 [a], %r1;", 1, 1, "st.param.u32: the parameters of a kernel are not written"},
    {"st.const.u32 [%rd1], %r1;", 1, 1, "st.const.u32: constant memory is not written"},
    {"ld.shared.nc.u32 %r1, [%rd1];", 1, 1, "ld.shared.nc.u32: .nc goes with .global"},
    {"atom.global.add.b32 %r1, [%rd1], %r2;", 1, 1, "there is no atom.global.add.b32"},
    {"red.global.exch.b32 [%rd1], %r2;", 1, 1, "there is no red.global.exch.b32"},
    {"atom.local.add.u32 %r1, [%rd1], %r2;", 1, 1,
     "atom.local.add.u32: atomics work on .global and .shared"},
    {"bra nowhere;", 1, 5, "there is no label nowhere here"},
    {"{ X: ret; }\nbra X;", 2, 5, "there is no label X here"},
    {"X: ret;\nX: ret;", 2, 1, "label X is there twice"},
    {"brx.idx %r1, none;", 1, 14, "there is no list of targets none here"},
    {".reg .b32 x;\n.reg .b64 x;", 2, 11, "x is declared twice"},
    {".reg .b32 %z<4000000000>;", 1, 14, "a range of 4000000000 registers; the limit is 1048576"},
    {".reg .b32 %z<1000000>;\n.reg .b32 %y<1000000>;", 2, 11, "more than 1048576 registers"},
    {".local .b8 big[1000000];", 1, 12, "big: the limit of its state space is 524288 bytes"},
    {".local .b8 big[99999][99999][99999];", 1, 23, "array of more than 4294967296 bytes"},
    {".global .b32 x;", 1, 14, "x: this state space is for module scope"},
    {".reg .v2 .b128 x;", 1, 16, "x: a vector has at most 128 bits"},
    {".reg .f32x2 x;", 1, 13, "x: .f32x2 is a type of instructions only"},
    {".reg .b128 x;\nmov.b64 %rd1, x;", 2, 15, "a register of another size is needed here"},
    {".reg .b128 x;\nmov.b128 x, {%rd1, %rd2, %rd3};", 2, 13, ".b128 is no vector of 3 members"},
    {".reg .b128 x;\nld.global.v2.u64 x, [%rd1];", 2, 18, "a vector of registers is needed here"},
    {"ld.global.b128 %rd1, [%rd2];", 1, 16, "a register of 128 bits is needed here"},
    {"red.global.exch.b128 [%rd1], %rd2;", 1, 1, "there is no red.global.exch.b128"},
    {"st.global.v2.b32 [%rd1], {%r1, _};", 1, 32, "_ is not declared"},
    {"ld.shared.v4.b64 {%rd1, %rd2, %rd3, _}, [%r1];", 1, 1,
     "ld.shared.v4.b64: 32 bytes at once are for .global"},
    {"ld.global.v8.b16 {%h1, %h2, %h3, %h4, %h5, %h6, %h7, _}, [%rd1];", 1, 1,
     "ld.global.v8.b16: .v8 goes with types of 32 bits"},
    {"ld.global.L1::sometimes.b32 %r1, [%rd1];", 1, 10,
     "ld: the modifier .L1::sometimes is unknown to mdpredict"},
    {"createpolicy.fractional.L2::evict_last.b64 %rd1, %r2, 1;", 1, 1,
     "createpolicy.fractional.L2::evict_last.b64 takes 1 to 2 operands, not 3"},
    {"cvt.rn.e4m3x2.f32 %h1, %f1, %f2;", 1, 1, "there is no conversion cvt.rn.e4m3x2.f32"},
    {"cvt.rn.satfinite.e2m1x2.f32 %h1, %f1, %f2;", 1, 29, "%h1 is .b16; .e2m1x2 is needed here"},
    {"cvt.rn.ue8m0x2.f32 %h1, %f1, %f2;", 1, 1, "there is no conversion cvt.rn.ue8m0x2.f32"},
    {"cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f3}, %r2;", 1, 1,
     "cvt.rs.satfinite.e4m3x4.f32 takes 4 numbers"},
    {"cvt.rp.tf32.f32 %r1, %f1;", 1, 1, "cvt.rp.tf32.f32: .rn, .rz or .rna rounds to .tf32"},
    {"alloca.u64 %rd1, %rd2, 3;", 1, 24, "an alignment is a power of two up to 8388608"},
    {"alloca.u64 %rd1, %r2;", 1, 18, "%r2 is .b32; .u64 is needed here"},
    {"cvt.f32.u32.u32 %f1, %r1;", 1, 1, "there is no conversion cvt.f32.u32.u32"},
    {"cvt.rn.s32.f32 %r1, %f1;", 1, 1,
     "cvt.rn.s32.f32: .rni, .rzi, .rmi or .rpi rounds to an integer"},
    {"cvt.rni.s32.s64 %r1, %rd1;", 1, 1, "cvt.rni.s32.s64: integers are not rounded"},
    {"cvt.u32.f32 %r1, %f1;", 1, 1, "cvt.u32.f32 needs a rounding mode"},
    {"cvt.rn.f64.f32 %fd1, %f1;", 1, 1, "cvt.rn.f64.f32: nothing is rounded"},
    {"cvt.u32.u32 %f1, %r1;", 1, 13, "%f1 is .f32; .u32 is needed here"},
    {"ld.global.u32 %f1, [%rd1];", 1, 15, "%f1 is .f32; .u32 is needed here"},
    {"ld.global.f32 %u1, [%rd1];", 1, 15, "%u1 is .u32; .f32 is needed here"},
    {"st.global.f64 [%rd1], %f1;", 1, 23, "%f1 is .f32; .f64 is needed here"},
    {"ld.global.u32 %r1, [8];", 1, 21, "a register or a variable is needed here"},
    {"fma.f32 %f1, %f2, %f3, %f4;", 1, 1, "fma.f32 needs a rounding mode"},
    {"sin.f32 %f1, %f2;", 1, 1, "sin.f32 needs .approx"},
    {"setp.lt.b32 %p1, %r1, %r2;", 1, 1, "setp.lt.b32: bits are compared by .eq or .ne"},
    {"setp.lo.s32 %p1, %r1, %r2;", 1, 1, "setp.lo.s32: this comparison is for unsigned integers"},
    {"set.num.u32.s32 %r1, %r1, %r2;", 1, 1,
     "set.num.u32.s32: this comparison is for floating-point numbers"},
    {"mov.u64 %rd1, %tid.x;", 1, 15, "%tid.x has 32 bits"},
    {"atom.global.add.s64 %rd1, [%rd2], %rd3;", 1, 1, "there is no atom.global.add.s64"},
    {"bar.sync 16;", 1, 1, "bar.sync: a barrier's number is 0 to 15"},
    {"bar.sync 0, 33;", 1, 1, "bar.sync: the number of threads is a multiple of 32"},
    {"fence;", 1, 1, "fence lacks a modifier that it needs"},
    {"shfl.idx.b32 %r1, %r2, 1, 31;", 1, 1,
     "shfl.idx.b32: without .sync it is not for sm_70 and later"},
    {"prefetch.global [%rd1];", 1, 1, "prefetch.global needs a level, .L1 or .L2"},
    {"div.f32 %f1, %f2, %f3;", 1, 1, "div.f32 needs a rounding mode, .approx or .full"},
    {"mov.b64 {%r1, %r2, %r3}, %rd1;", 1, 9, ".b64 is no vector of 3 members"},
    {"call (%r1), undeclared, (%r2);", 1, 13, "undeclared is not declared"},
    {"call ();", 1, 1, "call names no function"},
    {"shfl.sync.up.b32 %r1, %r2, 1, 0;", 1, 1, "shfl.sync.up.b32: .sync takes a member mask"},
    {"vote.sync.ballot.pred %p1, %p2, -1;", 1, 1,
     "vote.sync.ballot.pred: .ballot has type .b32, the others .pred"},
    {"setp.lt.and.s32 %p1, %r1, %r2;", 1, 1,
     "setp.lt.and.s32: a boolean operator goes with a third source"},
    {"cp.async.ca.shared.global [%rd1], [%rd2], 5;", 1, 43, "cp.async copies 4, 8 or 16 bytes"},
    {"atom.global.add.u32 %r1, [%rd1], %rd2;", 1, 34, "%rd2 is .b64; .u32 is needed here"},
    {"atom.global.add.u32 %rd1, [%rd1], %r2;", 1, 21, "%rd1 is .b64; .u32 is needed here"},
    {"cp.async.ca.global.shared [%rd1], [%rd2], 4;", 1, 1,
     "cp.async.ca.global.shared copies from .global to .shared"},
    {"cp.async.cg.shared.global [%rd1], [%rd2], 4;", 1, 43, "cp.async.cg copies 16 bytes"},
    {"cp.async.wait_group %r1;", 1, 21, "an integer constant is needed here"},
    {"discard.global.L2 [%rd1], 64;", 1, 27, "the size is 128"},
    {"bar.red.add.pred %p1, 0, %p2;", 1, 1, "there is no bar.red.add.pred"},
    {"bar.red.or.pred %p1, 0;", 1, 1, "bar.red.or.pred takes 3 to 4 operands, not 2"},
    {"bra 5;", 1, 5, "a label is needed here"},
    {"T: .branchtargets X;\nbrx.idx %r1, T;", 1, 19, "there is no label X here"},
    {"mov.u16 %h1, a;", 1, 14, "the address of a does not fit in .u16"},
    {"mov.u32 %r1, %r2+1;", 1, 14, "a plain register is needed here"},
    {"mov.f32 %f1, %tid.x;", 1, 14, "%tid.x is .u32; .f32 is needed here"},
    {"mov.u32 %r1, %clock64;", 1, 14, "%clock64 has 64 bits"},
    {"add.u64 %rd1, %rd2, %tid.x;", 1, 21, "%tid.x is .u32; .u64 is needed here"},
    {"mov.b32 %r1, {%h1, %f1};", 1, 20, "%f1 is .f32; .b16 is needed here"},
    {"mov.b32 {%h1, %h2}, %rd1;", 1, 21, "%rd1 is .b64; .b32 is needed here"},
    {"mov.u32 %r1;", 1, 1, "mov.u32 takes 2 operands, not 1"},
    {"ld.global.u32 %r1, [%p1];", 1, 21, "%p1 is .pred; an address has 32 or 64 bits"},
    {"ld.global.u32 %r1, [1.5];", 1, 21, "a register or a variable is needed here"},
    {"ld.global.u32 %r1, [nix];", 1, 21, "nix is not declared"},
    {"ld.global.u32 %r1, [%tid.x];", 1, 21, "a register or a variable is needed here"},
    {"L: ld.global.u32 %r1, [L];", 1, 24, "the address of a variable is needed here"},
    {"cvt.f16x2.u32 %r1, %r2;", 1, 1, "there is no conversion cvt.f16x2.u32"},
    {"cvt.rni.f32.f64 %f1, %fd1;", 1, 1, "cvt.rni.f32.f64: .rn, .rz, .rm or .rp rounds to .f32"},
    {"cvt.rni.u32.f32 %rd1;", 1, 1, "cvt.rni.u32.f32 takes 2 operands, not 1"},
    {"cvt.pack.sat.u16.s32.b16 %r1, %r2, %r3;", 1, 1,
     "cvt.pack.sat.u16.s32.b16: the third type is .b32"},
    {"lop3.b32 %r1, %r2, %r3, %r4, %r5;", 1, 30, "an integer constant is needed here"},
    {"shf.l.b32 %r1, %r2, %r3, 4;", 1, 1, "shf lacks a modifier that it needs"},
    {"dp4a.u32 %r1, %r2, %r3, 4;", 1, 1, "dp4a.u32 names 1 type; it needs 2"},
    {"vabsdiff4.u32.u32.u32 %r1, %r2, %r3;", 1, 1, "vabsdiff4.u32.u32.u32 takes 4 operands, not 3"},
    {"vadd.s32.u32 %r1, %r2, %r3;", 1, 1, "vadd.s32.u32 names 2 types; it needs 3"},
    {"vadd.s32.u32.s32.add %r1.b0, %r2, %r3, %r4;", 1, 1,
     "vadd.s32.u32.s32.add: a selected destination does not go with a second operation"},
    {"vadd.s32.u32.s32 %r1.b0, %r2, %r3;", 1, 1, "vadd.s32.u32.s32: a third source is needed"},
    {"vadd.s32.u32.s32.and %r1, %r2, %r3, %r4;", 1, 1,
     "vadd.s32.u32.s32.and: there is no such second operation"},
    {"vadd2.s32.s32.u32.sat.add %r1, %r2, %r3, %r4;", 1, 1,
     "vadd2.s32.s32.u32.sat.add: .sat does not go with .add"},
    {"vadd.s32.u32.s32 %r1, %r2.b4, %r3;", 1, 23, ".b4 selects nothing here"},
    {"vavrg4.s32.s32.s32 %r1.b13, %r2, %r3, %r4;", 1, 20, ".b13 selects nothing here"},
    {"vmad.s32.u32.s32 %r1.b0, %r2, %r3, %r4;", 1, 18, ".b0 selects nothing here"},
    {"vmad.s32.u32.s32 %r1, -%r2, %r3, -%r4;", 1, 1,
     "vmad.s32.u32.s32: either the product is negated or what is added"},
    {"vmad.s32.u32.s32.po %r1, -%r2, %r3, %r4;", 1, 1,
     "vmad.s32.u32.s32.po: .po does not go with a negated operand"},
    {"vshl.s32.u32.s32.clamp %r1, %r2, %r3;", 1, 1,
     "vshl.s32.u32.s32.clamp: the third type is .u32"},
    {"vset.u32.u32.lo %r1, %r2, %r3;", 1, 1, "vset.u32.u32.lo: there is no such comparison"},
    {"add.sat.u32 %r1, %r2, %r3;", 1, 1, "add.sat.u32: .sat goes with .s32"},
    {"max.relu.u32 %r1, %r2, %r3;", 1, 1, "max.relu.u32: .relu goes with .s32 and .s16x2"},
    {"match.any.sync.b32 %r1|%p1, %r3, -1;", 1, 1,
     "match.any.sync.b32: only match.all writes a predicate"},
    {"setp.lt.u32 %p1|%r1, %r2, %r3;", 1, 13, "%r1 is .b32; .pred is needed here"},
    {".reg .v2 .f32 v;\nadd.f32 v, %f1, %f2;", 2, 9,
     "a register that can be written is needed here"},
    {".reg .v2 .f32 v;\nadd.f32 %f1, v, %f2;", 2, 14, "one member of the vector is needed here"},
    {".reg .v2 .f32 v;\nadd.f32 %f1, v.z, %f2;", 2, 14, "v.z is not declared"},
    {".reg .v2 .pred v;", 1, 16, "predicates are single registers"},
    {".reg .b32 x[3];", 1, 13, "registers have no array type"},
    {".shared .b32 x<3>;", 1, 16, "only registers are declared as a range"},
    {".shared .b32 x[2][];", 1, 18, "only the first dimension may be left open"},
    {".shared .b32 x[-1];", 1, 16, "a constant that is not negative is needed here"},
    {".shared x;", 1, 9, "the declaration of x names no type"},
    {".reg .b32 a.b;", 1, 11, "a.b is no name for a variable"},
    {".shared .global .b32 x;", 1, 9, "a variable has one state space"},
    {"mov.u32 %r1, generic(5);", 1, 22, "generic() takes a variable"},
    {"mov.u32 %r1, 0xff(5);", 1, 14, "a mask takes the address of a variable"},
    {"mov.u32 %r1, a*2;", 1, 14, "this is no constant expression"},
    {"mov.u32 %r1, -a;", 1, 14, "this is no constant expression"},
    {"mov.f32 %f1, 1.5 % 2.0;", 1, 20, "this is no constant expression"},
    {"mov.u32 %r1, a ? 1 : 2;", 1, 14, "this is no constant expression"},
    {"mov.u32 %r1, 1/0;", 1, 16, "division by zero in a constant expression"},
    {"mov.u32 %r1, 99999999999999999999;", 1, 14, "integer literal does not fit in 64 bits"},
};

static void errors_in_bodies_name_line_and_column(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fix f = fix_body(rows[i].body);
        char want[300];
        const size_t n = (size_t)snprintf(want, sizeof want, "t.ptx:%d:%d: %s\n",
                                          BODY_LINE + rows[i].line, rows[i].col, rows[i].message);
        if (f.k || strncmp(f.e.msg, want, n))
            printf("\n%s\nwanted %sfound  %s\n", rows[i].body, want, f.k ? "no error" : f.e.msg);
        CU_ASSERT(!f.k && !strncmp(f.e.msg, want, n));
        fix_free(&f);
    }
}

static void modules_reject_what_contradicts(void)
{
    check_message(HEAD ".global .b32 x;\n.global .b32 x;\n", NULL,
                  "t.ptx:5:14: x is declared twice\n.global .b32 x;\n             ^");
    check_message(HEAD ".global .b32 x[2] = {1, 2, 3};\n", NULL,
                  "t.ptx:4:28: x has 2 elements; this value is one too many\n"
                  ".global .b32 x[2] = {1, 2, 3};\n                           ^");
    check_message(HEAD ".shared .b32 x = 1;\n", NULL,
                  "t.ptx:4:14: x: only .global and .const variables are initialised\n"
                  ".shared .b32 x = 1;\n             ^");
    check_message(HEAD ".global .b64 x = y;\n", NULL,
                  "t.ptx:4:18: y is not declared\n.global .b64 x = y;\n                 ^");
    check_message(HEAD ".func f() { ret; }\n.func f() { ret; }\n", NULL,
                  "t.ptx:5:7: f has a body already, in line 4\n.func f() { ret; }\n      ^");
    check_message(HEAD ".func f();\n.func f(.param .b32 x) { ret; }\n", NULL,
                  "t.ptx:5:7: f was declared otherwise in line 4\n"
                  ".func f(.param .b32 x) { ret; }\n      ^");
    check_message(HEAD ".global .align 3 .b32 x;\n", NULL,
                  "t.ptx:4:16: an alignment is a power of two up to 65536\n"
                  ".global .align 3 .b32 x;\n               ^");
    check_message(HEAD ".entry k() { ret; }\n", "other", "t.ptx: there is no kernel other");
}

/* Calls from a kernel k; the function f takes a b32 and gives a b32. */
static const struct {
    const char *call;
    int col;
    const char *message;
} call_rows[] = {
    {"call (y), f, ();", 11, "f takes 1 argument, not 0"},
    {"call f, (x);", 6, "f gives 1 result, not 0"},
    {"call (y), f, (w);", 15, "8 bytes are passed where the function has 4"},
    {"call (w), f, (x);", 7, "8 bytes are passed where the function has 4"},
    {"call (y), f, (nix);", 15, "nix is not declared"},
    {"call (y), f, (L);", 15, "a register, a constant or a variable is needed here"},
    {"call (y), f, (x), 5, 6;", 19, "syntax error, unexpected integer"},
    {"call (y), f, (x), (y);", 19, "nothing is expected here"},
    {"call k;", 6, "k is a kernel"},
    {"call %r1, (x);", 6, "%r1 is .b32; .u64 is needed here"},
    {"call (1.5), f, (x);", 7, "a register is needed here"},
};

static void calls_that_do_not_fit_are_errors(void)
{
    for (size_t i = 0; i < sizeof call_rows / sizeof *call_rows; i++) {
        char text[600], want[200];
        snprintf(text, sizeof text,
                 HEAD ".func (.param .b32 r) f(.param .b32 x) { ret; }\n"
                      ".entry k() { .param .b32 x, y; .param .b64 w; .reg .b32 %%r<3>; L:\n%s\n}\n",
                 call_rows[i].call);
        struct fix f = fix_new(text, "k");
        const size_t n = (size_t)snprintf(want, sizeof want, "t.ptx:6:%d: %s", call_rows[i].col,
                                          call_rows[i].message);
        if (f.k || strncmp(f.e.msg, want, n))
            printf("\n%s\nwanted %s\nfound  %s\n", call_rows[i].call, want, f.e.msg);
        CU_ASSERT(!f.k && !strncmp(f.e.msg, want, n));
        fix_free(&f);
    }
}

static void formals_and_names_are_checked(void)
{
    check_message(HEAD ".entry k(.reg .b32 x) { ret; }\n", "k",
                  "t.ptx:4:20: the parameters of a kernel are .param\n"
                  ".entry k(.reg .b32 x) { ret; }\n                   ^");
    check_message(HEAD ".func f(.shared .b32 x) { ret; }\n.entry k() { call f, (1); }\n", "k",
                  "t.ptx:4:22: x: formals are .param or .reg\n"
                  ".func f(.shared .b32 x) { ret; }\n                     ^");
    check_message(HEAD ".reg .b32 x;\n", NULL,
                  "t.ptx:4:11: x: this state space has no place outside of functions\n"
                  ".reg .b32 x;\n          ^");
    check_message(HEAD ".global .b32 f;\n.func f() { ret; }\n", NULL,
                  "t.ptx:5:7: f is declared twice\n.func f() { ret; }\n      ^");
    check_message(HEAD ".extern .func f() { ret; }\n", NULL,
                  "t.ptx:4:15: f is .extern but has a body\n"
                  ".extern .func f() { ret; }\n              ^");
    check_message(HEAD ".alias a, b;\n", NULL,
                  "t.ptx:4:11: b is no function\n.alias a, b;\n          ^");
    check_message(".version 200.0\n", NULL,
                  "t.ptx:1:10: there is no such version of PTX\n.version 200.0\n         ^");
    check_message(".address_size 16\n", NULL,
                  "t.ptx:1:15: .address_size is 32 or 64\n.address_size 16\n              ^");
    check_message(HEAD ".entry k() .maxntid 1, 2, 3, 4 { ret; }\n", NULL,
                  "t.ptx:4:30: too many values\n.entry k() .maxntid 1, 2, 3, 4 { ret; }\n"
                  "                             ^");
    check_message(HEAD ".global .b32 x = f;\n.func f() { ret; }\n", NULL,
                  "t.ptx:4:18: an address does not fit in .b32\n"
                  ".global .b32 x = f;\n                 ^");
    check_message(HEAD ".shared .b32 s;\n.global .b64 x = s;\n", NULL,
                  "t.ptx:5:18: s has no address that is known before a launch\n"
                  ".global .b64 x = s;\n                 ^");
    check_message(HEAD ".global .b32 x = 1.5, y = {{{{{{{{{{1}}}}}}}}}};\n", NULL,
                  "t.ptx:4:36: too many braces\n"
                  ".global .b32 x = 1.5, y = {{{{{{{{{{1}}}}}}}}}};\n"
                  "                                   ^");
    check_message(HEAD ".global .u32 x = 1.5;\n", NULL,
                  "t.ptx:4:18: a floating-point value for a .u32 variable\n"
                  ".global .u32 x = 1.5;\n                 ^");
    struct err e;
    CU_ASSERT_PTR_NULL(module_load("tests/data/ptx/none.ptx", &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "none.ptx"));
}

static void deep_nesting_is_an_error(void)
{
    char text[3000] = HEAD ".entry k()\n";
    memset(text + strlen(text), '{', 1000);
    struct fix f = fix_new(text, "k");
    CU_ASSERT_PTR_NULL(f.m);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.e.msg, "t.ptx:5:201: more than 200 nested scopes"));
    fix_free(&f);
    char *parens = xmalloc(200000);
    strcpy(parens, HEAD ".global .b32 x = ");
    memset(parens + strlen(HEAD) + 17, '(', 100000);
    strcpy(parens + strlen(HEAD) + 17 + 100000, "1;");
    f = fix_new(parens, NULL);
    CU_ASSERT_PTR_NULL(f.m);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.e.msg, "memory exhausted"));
    fix_free(&f);
    free(parens);
}

static void bytes_after_a_nul_are_errors_but_trailing_nuls_are_not(void)
{
    struct err e;
    const char inside[] = HEAD "\0.entry k() { ret; }";
    CU_ASSERT_PTR_NULL(module_parse("t.ptx", inside, sizeof inside, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "t.ptx:4:1: unexpected byte 0x00"));
    const char after[] = HEAD ".entry k() { ret; }\0\0\0";
    struct module *m = module_parse("t.ptx", after, sizeof after, &e);
    CU_ASSERT_PTR_NOT_NULL(m);
    module_free(m);
}

SUITE("ptx errors", T(syntax_errors_show_the_place), T(tabs_keep_the_caret_below_its_column),
      T(errors_in_bodies_name_line_and_column), T(modules_reject_what_contradicts),
      T(calls_that_do_not_fit_are_errors), T(formals_and_names_are_checked),
      T(deep_nesting_is_an_error), T(bytes_after_a_nul_are_errors_but_trailing_nuls_are_not))
