/* Registers of large kernels: what is live, and what finding that out takes. */
#include <stdlib.h>
#include <sys/resource.h>

#include "tests/ptx/fixture.h"

static size_t peak_megabytes(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (size_t)u.ru_maxrss >> 10;
}

/* A text that grows. */
struct text {
    char *s;
    size_t n, cap;
};

#define ADD(t, ...)                                                   \
    do {                                                              \
        if ((t)->cap < (t)->n + 400)                                  \
            (t)->s = xrealloc((t)->s, (t)->cap = 2 * (t)->cap + 400); \
        (t)->n += (size_t)sprintf((t)->s + (t)->n, __VA_ARGS__);      \
    } while (0)

/* Each block has a register of its own, which the next one reads. A bit
 * for every register in every block would take 33,000 x 33,000 / 8 = 136 MB a set, of which the
 * usual equations have four. */
static void new_registers_in_each_block_take_little_memory(void)
{
    enum { BLOCKS = 33000 };
    struct text t = {0};
    ADD(&t, HEAD ".entry k(.param .u32 n) {\n.reg .pred p; .reg .b32 a0; ld.param.u32 a0, [n];\n"
                 "setp.eq.u32 p, a0, 0;\n");
    for (int i = 1; i < BLOCKS; i++)
        ADD(&t, "@p bra L%d;\nL%d: .reg .b32 a%d; add.u32 a%d, a%d, %d;\n", i, i, i, i, i - 1, i);
    ADD(&t, "st.global.u32 [a0], a%d;\nret;\n}\n", BLOCKS - 1);
    const size_t before = peak_megabytes();
    struct fix f = fix_new(t.s, "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    CU_ASSERT_EQUAL(f.k->ninst, 2 * BLOCKS + 2);
    CU_ASSERT_EQUAL(f.k->func[0].max_live, 2); /* a0, and one or the next */
    CU_ASSERT_TRUE(f.k->reg_bytes < 1024);     /* they share rows */
    CU_ASSERT_TRUE(peak_megabytes() - before < 400);
    fix_free(&f);
    free(t.s);
}

/* Loops in loops, each with a counter: all counters are live in the innermost. */
static void counters_of_nested_loops_live_together(void)
{
    enum { DEPTH = 3000 };
    struct text t = {0};
    ADD(&t, HEAD ".entry k() {\n.reg .pred p; .reg .b32 c<%d>;\n", DEPTH);
    for (int i = 0; i < DEPTH; i++)
        ADD(&t, "mov.u32 c%d, 0;\nL%d:\n", i, i);
    for (int i = DEPTH - 1; i >= 0; i--)
        ADD(&t, "add.u32 c%d, c%d, 1; setp.lt.u32 p, c%d, 3; @p bra L%d;\n", i, i, i, i);
    ADD(&t, "ret;\n}\n");
    struct fix f = fix_new(t.s, "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.k);
    CU_ASSERT_EQUAL(f.k->func[0].max_live, DEPTH);
    CU_ASSERT_EQUAL(f.k->regs, 255);
    /* every loop's branch reconverges right behind it */
    for (uint32_t i = 0; i < f.k->ninst; i++)
        if (f.k->inst[i].op == OP_BRA)
            CU_ASSERT_EQUAL(f.k->inst[i].reconv, i + 1);
    fix_free(&f);
    free(t.s);
}

SUITE("registers of large kernels", T(new_registers_in_each_block_take_little_memory),
      T(counters_of_nested_loops_live_together))
