#include "sampler/window/depend.h"
#include "tests/func/ptxrun.h"

struct watch {
    struct depend d;
    bool ready;
};

/* Loads of global memory count, others do not. */
static void on_step(void *user, const struct warp *w, const struct step *s)
{
    struct watch *t = user;
    if (!t->ready)
        depend_init(&t->d, w->cta->kernel, w->cta->nwarps);
    t->ready = true;
    bool load = (s->is_load || s->is_atomic) && s->space == SP_GLOBAL && s->inst->nd;
    depend_step(&t->d, w->index, s, load);
}

/* body behind the head of KERNEL, whose instructions depend on each other so:
 *   1 ld.param rd1   2 ld.param rd2   3 mov r1   4 mul.wide rd4 (3: 1)   5 add rd3 (4: 1, 1: 4) */
static struct watch watched(const char *body, int threads)
{
    struct watch t = {0};
    char text[4096];
    struct ptxrun r;
    KERNEL_TEXT(text, body);
    ptxrun_open(&r, text, threads, 8192);
    r.opts.on_step = on_step;
    r.opts.user = &t;
    CU_ASSERT_TRUE(ptxrun_go(&r));
    ptxrun_close(&r);
    depend_end(&t.d);
    return t;
}

/* Two loads, then a use of the first: one round of two loads. Two warps do the same. */
static void loads_before_the_first_use_are_one_round(void)
{
    struct watch t = watched("ld.global.u32 %r2, [%rd2]; ld.global.u32 %r3, [%rd2+128];"
                             "add.u32 %r4, %r2, 1; add.u32 %r5, %r3, 1;",
                             64);
    CU_ASSERT_EQUAL(t.d.rounds, 2);
    depend_fini(&t.d);
}

/* A load whose address the one before it loaded: a round each; the last one, that nothing uses,
 * ends with the warp. */
static void a_chain_of_loads_is_a_round_each(void)
{
    struct watch t = watched("ld.global.u64 %rd5, [%rd2]; and.b64 %rd5, %rd5, 0; add.s64 %rd6, "
                             "%rd2, %rd5; ld.global.u32 %r2, [%rd6];",
                             32);
    CU_ASSERT_EQUAL(t.d.rounds, 2);
    depend_fini(&t.d);
}

/* Overwriting what a load is to write waits for it as well; that is no use. */
static void overwriting_a_loaded_register_ends_a_round(void)
{
    struct watch t = watched("ld.global.u32 %r2, [%rd2]; mov.u32 %r2, 3;"
                             "ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, %r2;",
                             32);
    CU_ASSERT_EQUAL(t.d.rounds, 2);
    depend_fini(&t.d);
}

/* A second use of a load is neither a first use nor, its round being over, a wait. */
static void a_later_use_does_not_wait(void)
{
    struct watch t = watched("ld.global.u32 %r2, [%rd2]; add.u32 %r3, %r2, 1;"
                             "ld.global.u32 %r4, [%rd2]; add.u32 %r5, %r2, 2;"
                             "ld.global.u32 %r6, [%rd2]; add.u32 %r7, %r4, %r6;",
                             32);
    CU_ASSERT_EQUAL(t.d.rounds, 2);
    depend_fini(&t.d);
}

/* An atomic with a result is waited for, one without is not; neither is a store. */
static void atomics_count_when_they_return_something(void)
{
    struct watch t = watched("atom.global.add.u32 %r2, [%rd3], 1; red.global.add.u32 [%rd3], 1;"
                             "st.global.u32 [%rd3], %r1;",
                             32);
    CU_ASSERT_EQUAL(t.d.rounds, 1);
    depend_fini(&t.d);
}

SUITE("depend", T(loads_before_the_first_use_are_one_round), T(a_chain_of_loads_is_a_round_each),
      T(overwriting_a_loaded_register_ends_a_round), T(a_later_use_does_not_wait),
      T(atomics_count_when_they_return_something))
