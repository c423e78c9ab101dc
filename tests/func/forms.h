/* tests/func/forms.h -- tables of instructions, each with the word that it leaves in %r2. */
#ifndef MDP_TESTS_FUNC_FORMS_H
#define MDP_TESTS_FUNC_FORMS_H

#include "tests/func/ptxrun.h"

#define HEADER_100 ".version 8.8\n.target sm_100a\n.address_size 64\n"

struct form {
    const char *code; /* leaves its result in %r2 */
    uint32_t result;
};

static inline void check_forms(const struct form *f, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[2048];
        struct ptxrun r;
        snprintf(text, sizeof text, "%s%s%s\nst.global.u32 [%%rd3], %%r2;%s", HEADER_100,
                 KERNEL_HEAD, f[i].code, KERNEL_TAIL);
        ptxrun_ok(&r, text, 32);
        if (ptxrun_u32(&r, 31) != f[i].result)
            printf("\n  %s: 0x%08x, not 0x%08x\n", f[i].code, ptxrun_u32(&r, 31), f[i].result);
        CU_ASSERT_EQUAL(ptxrun_u32(&r, 31), f[i].result);
        ptxrun_close(&r);
    }
}

#define RUN(rows) check_forms(rows, sizeof rows / sizeof *rows)

#endif
