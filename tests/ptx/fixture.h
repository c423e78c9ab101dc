/* tests/ptx/fixture.h -- PTX text to a decoded kernel, for tests. */
#ifndef MDP_TESTS_PTX_FIXTURE_H
#define MDP_TESTS_PTX_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "sim/ptx/module.h"
#include "tests/suite.h"

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"

struct fix {
    struct module *m;
    struct kernel *k;
    struct err e;
};

/* Parses, places variables from 0x40000000 on, decodes entry `name` (NULL: the module alone). */
static inline struct fix fix_new(const char *text, const char *name)
{
    struct fix f = {0};
    f.m = module_parse("t.ptx", text, strlen(text), &f.e);
    for (int i = 0; f.m && i < module_nvars(f.m); i++)
        module_var_at(f.m, i)->addr = 0x40000000u + 0x1000u * (unsigned)i;
    if (f.m && module_place(f.m, &f.e) && name)
        f.k = kernel_get(f.m, name, &f.e);
    return f;
}

static inline void fix_free(struct fix *f)
{
    module_free(f->m);
    *f = (struct fix){0};
}

/* A kernel `k` with a set of registers and this body. */
static inline struct fix fix_body(const char *body)
{
    static const char *const head =
        HEAD ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
             ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"
             ".reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n.reg .u32 %u<4>;\n";
    char *text = xasprintf("%s%s\n}\n", head, body);
    struct fix f = fix_new(text, "k");
    free(text);
    return f;
}
#define BODY_LINE 12 /* of the first line of the body; column 1 */

/* The decoded instruction i, or a failed assertion and an instruction of zeros. */
static inline const struct inst *fix_inst(const struct fix *f, uint32_t i)
{
    static const struct inst none;
    if (!f->k)
        printf("\n%s\n", f->e.msg);
    CU_ASSERT_PTR_NOT_NULL(f->k);
    return f->k && i < f->k->ninst ? &f->k->inst[i] : &none;
}

#endif
