/* tests/frontend/ptx.h -- a small module for these tests, and an executor that runs launches
 * functionally. */
#ifndef MDP_TESTS_FRONTEND_PTX_H
#define MDP_TESTS_FRONTEND_PTX_H

#include "sim/frontend/executor.h"
#include "sim/func/run.h"

/* scale: p[i] = (p[i] + offset) * gain * table[1], counting threads in `calls`; i < n.
 * bad: stores to address 64. */
static const char test_ptx[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".global .align 4 .u32 calls = 5;\n"
    ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};\n"
    ".visible .entry scale(.param .u64 p, .param .s32 offset, .param .s32 gain, .param .s32 n)\n"
    "{\n.reg .pred %p<2>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.s32 %r1, [offset];\nld.param.s32 %r2, [gain];\n"
    "ld.param.s32 %r3, [n];\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\nmov.u32 %r6, %tid.x;\n"
    "mad.lo.s32 %r7, %r4, %r5, %r6;\nsetp.ge.s32 %p1, %r7, %r3;\n@%p1 bra DONE;\n"
    "cvta.to.global.u64 %rd2, %rd1;\nmul.wide.s32 %rd3, %r7, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
    "ld.global.s32 %r8, [%rd4];\nadd.s32 %r9, %r8, %r1;\nmul.lo.s32 %r9, %r9, %r2;\n"
    "ld.const.u32 %r10, [table+4];\nmul.lo.s32 %r9, %r9, %r10;\nst.global.s32 [%rd4], %r9;\n"
    "atom.global.add.u32 %r11, [calls], 1;\nDONE:\nret;\n}\n"
    ".visible .entry bad()\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "mov.u64 %rd1, 64;\nmov.u32 %r1, 0;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

static bool run_functionally(void *self, struct launch *l, struct err *e)
{
    int *launches = self;
    if (launches)
        ++*launches;
    struct func_opts o = {.max_warp_insts = 1000000000};
    return func_run(l, &o, NULL, e);
}
static const struct executor functional = {.launch = run_functionally, .self = NULL};

#endif
