/* tests/func/ptxrun.h -- runs a PTX kernel on a few buffers and reads what it left there.
 *
 * KERNEL(body): registers are declared, %r1 = tid.x, %rd1 = out, %rd2 = in, %rd3 = &out[tid]
 * (32-bit elements). The kernel is called k; its first two parameters are `out` and `in`. */
#ifndef MDP_TESTS_FUNC_PTXRUN_H
#define MDP_TESTS_FUNC_PTXRUN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/func/run.h"
#include "tests/suite.h"

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
/* of a GPU without independent threads */
#define HEADER_IN_STEP ".version 7.0\n.target sm_60\n.address_size 64\n"
#define KERNEL_HEAD                                                              \
    ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"                    \
    ".reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<10>;\n" \
    ".reg .f64 %fd<10>; .reg .pred %p<10>;\n"                                    \
    "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x;\n"  \
    "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd3, %rd1, %rd4;\n"
#define KERNEL_TAIL  "\nret;\n}\n"
#define KERNEL(body) KERNEL_HEAD body KERNEL_TAIL

/* The same around a body that is made at run time. */
#define KERNEL_TEXT(to, body) \
    snprintf(to, sizeof to, "%s%s%s", HEADER KERNEL_HEAD, body, KERNEL_TAIL)

struct ptxrun {
    struct devmem *mem;
    struct module *module;
    struct launch l;
    struct func_opts opts;
    struct func_counts counts;
    struct err err;
    addr_t out, in;
    uint64_t params[2];
};

static inline bool ptxrun_load(struct ptxrun *r, const char *text)
{
    r->module = module_parse("test.ptx", text, strlen(text), &r->err);
    if (!r->module)
        return false;
    for (int i = 0; i < module_nvars(r->module); i++) {
        struct module_var *v = module_var_at(r->module, i);
        v->addr = devmem_alloc_global(r->mem, v->bytes, v->align, v->space == SP_CONST, v->name);
    }
    if (!module_place(r->module, &r->err))
        return false;
    for (int i = 0; i < module_nvars(r->module); i++) {
        struct module_var *v = module_var_at(r->module, i);
        if (v->init)
            devmem_write(r->mem, v->addr, v->init, v->bytes);
    }
    r->l.kernel = kernel_get(r->module, "k", &r->err);
    return r->l.kernel != NULL;
}

/* Buffers `out` of out_bytes (zero) and `in` of 4096 bytes (in[i] = i), one CTA of `threads`. */
static inline bool ptxrun_open(struct ptxrun *r, const char *text, int threads, uint64_t out_bytes)
{
    *r = (struct ptxrun){.mem = devmem_new()};
    r->l = (struct launch){.grid = {1, 1, 1}, .block = {threads, 1, 1}, .mem = r->mem};
    r->out = devmem_alloc(r->mem, out_bytes, "out");
    r->in = devmem_alloc(r->mem, 4096, "in");
    for (uint32_t i = 0; i < 1024; i++)
        devmem_write(r->mem, r->in + 4 * i, &i, 4);
    r->params[0] = r->out;
    r->params[1] = r->in;
    r->l.params = (uint8_t *)r->params;
    r->opts.max_warp_insts = 10000000;
    bool ok = ptxrun_load(r, text);
    if (!ok)
        printf("\n%s\n", r->err.msg);
    CU_ASSERT_TRUE(ok);
    return ok;
}

static inline bool ptxrun_go(struct ptxrun *r)
{
    return r->l.kernel && func_run(&r->l, &r->opts, &r->counts, &r->err);
}

static inline void ptxrun_close(struct ptxrun *r)
{
    module_free(r->module);
    devmem_free(r->mem);
}

static inline uint32_t ptxrun_u32(struct ptxrun *r, uint32_t i)
{
    uint32_t v = 0xdeadbeef;
    devmem_read(r->mem, r->out + 4 * i, &v, 4);
    return v;
}

static inline uint64_t ptxrun_u64(struct ptxrun *r, uint32_t i)
{
    uint64_t v = 0xdeadbeef;
    devmem_read(r->mem, r->out + 8 * i, &v, 8);
    return v;
}

/* Opens, runs, expects success; the caller reads and closes. */
static inline void ptxrun_ok(struct ptxrun *r, const char *text, int threads)
{
    if (!ptxrun_open(r, text, threads, 8192))
        return;
    bool ok = ptxrun_go(r);
    if (!ok)
        printf("\n%s\n", r->err.msg);
    CU_ASSERT_TRUE(ok);
}

/* Runs and expects exactly this message. */
static inline void ptxrun_fails(const char *text, int threads, const char *message)
{
    struct ptxrun r;
    if (ptxrun_open(&r, text, threads, 8192)) {
        CU_ASSERT_FALSE(ptxrun_go(&r));
        if (strcmp(r.err.msg, message) != 0)
            printf("\nexpected: %s\nfound:    %s\n", message, r.err.msg);
        CU_ASSERT_STRING_EQUAL(r.err.msg, message);
    }
    ptxrun_close(&r);
}

#endif
