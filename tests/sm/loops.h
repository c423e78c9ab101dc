/* tests/sm/loops.h -- what an instruction costs in a loop on one core. Each figure is a difference
 * of differences: more rounds less fewer rounds of a loop with many copies, less the same of one
 * with few, so that neither the loop's own instructions nor the first fetch of the code is in it.
 */
#ifndef MDP_TESTS_SM_LOOPS_H
#define MDP_TESTS_SM_LOOPS_H

#include "tests/sm/fixture.h"

/* Copies instruction text i of n, in turn, `copies` times into a loop, and times it. */
static inline cycle_t loop(const char *const *settings, const char *setup, const char *const *inst,
                           int copies, int rounds, int warps)
{
    struct fix f;
    char *body = xcalloc(1, 200000);
    int n = 0;
    while (inst[n])
        n++;
    char *at = body + sprintf(body, "%s\nmov.u32 %%r80, 0;\nL:\n", setup);
    for (int i = 0; i < copies; i++)
        at += sprintf(at, "%s\n", inst[i % n]);
    sprintf(at, "add.s32 %%r80, %%r80, 1;\nsetp.lt.s32 %%p9, %%r80, %d;\n@%%p9 bra L;\nret;",
            rounds);
    fix_init(&f, settings);
    fix_kernel(&f, body);
    fix_run(&f, 1, 32 * warps, 1);
    const cycle_t cycles = f.cycles;
    fix_fini(&f);
    free(body);
    return cycles;
}

/* Cycles in which every one of the warps executes one of the instructions. */
static inline double cycles_each_of(const char *const *settings, const char *setup,
                                    const char *const *inst, int warps)
{
    const int few = 32, many = 64, rounds = 10;
    const cycle_t d_many = loop(settings, setup, inst, many, 2 * rounds, warps) -
                           loop(settings, setup, inst, many, rounds, warps);
    const cycle_t d_few = loop(settings, setup, inst, few, 2 * rounds, warps) -
                          loop(settings, setup, inst, few, rounds, warps);
    return (double)(d_many - d_few) / ((many - few) * rounds);
}

static inline double cycles_each(const char *const *settings, const char *setup,
                                 const char *const *inst)
{
    return cycles_each_of(settings, setup, inst, 1);
}

static inline double chain(const char *setup, const char *inst)
{
    return cycles_each(NULL, setup, (const char *const[]){inst, NULL});
}

/* `inst` with every `@` replaced by 1 .. 8 in turn. */
static inline double row_of_eight_on(const char *const *settings, const char *setup,
                                     const char *inst, int warps)
{
    char text[8][128];
    const char *list[9] = {NULL};
    for (int i = 0; i < 8; i++) {
        char *to = text[i];
        for (const char *c = inst; *c; c++)
            *to++ = *c == '@' ? (char)('1' + i) : *c;
        *to = 0;
        list[i] = text[i];
    }
    return cycles_each_of(settings, setup, list, warps);
}

static inline double row_of_eight(const char *setup, const char *inst)
{
    return row_of_eight_on(NULL, setup, inst, 1);
}

static inline void near(double got, double want)
{
    if (got < want - 0.011 || got > want + 0.011)
        fprintf(stderr, "  got %.3f, want %.3f\n", got, want);
    CU_ASSERT_DOUBLE_EQUAL(got, want, 0.011);
}

#define FLOATS  "mov.f32 %f1, 0f3F800000; mov.f32 %f40, 0f3F800000;"
#define DOUBLES "mov.f64 %fd1, 0d3FF0000000000000; mov.f64 %fd40, 0d3FF0000000000000;"
#define INTS    "mov.u32 %r1, 1; mov.u32 %r40, 1;"

#endif
