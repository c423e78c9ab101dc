/* Functions that are on the stack more than once. */
#include "tests/func/ptxrun.h"

#define FACTORIAL                                                                      \
    ".func (.param .u32 r) factorial(.param .u32 n)\n{\n"                              \
    ".reg .u32 %n, %m, %f; .reg .pred %p;\n"                                           \
    "ld.param.u32 %n, [n]; setp.gt.u32 %p, %n, 1; mov.u32 %f, 1; @!%p bra DONE;\n"     \
    "sub.u32 %m, %n, 1;\n"                                                             \
    "{ .param .u32 a; .param .u32 b; st.param.u32 [a], %m; call (b), factorial, (a); " \
    "ld.param.u32 %f, [b]; }\n"                                                        \
    "mul.lo.u32 %f, %f, %n;\nDONE: st.param.u32 [r], %f; ret;\n}\n"
#define CALL(function)                                                                     \
    "{ .param .u32 a; .param .u32 b; st.param.u32 [a], %r2; call (b), " function ", (a); " \
    "ld.param.u32 %r3, [b]; } st.global.u32 [%rd3], %r3;"

/* Lane t goes down t % 10 calls. */
static void every_lane_goes_as_deep_as_it_needs(void)
{
    static const uint32_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};
    struct ptxrun r;
    ptxrun_ok(&r, HEADER FACTORIAL KERNEL("rem.u32 %r2, %r1, 10;" CALL("factorial")), 64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), factorial[t % 10]);
    ptxrun_close(&r);
}

/* down(n): own = n, then own += down(n - 1) behind the call. So it is n + (n - 1) + ... while no
 * call writes into the variable of another. */
#define DOWN                                                                        \
    ".func (.param .u32 r) down(.param .u32 n)\n{\n"                                \
    ".local .u32 own; .reg .u32 %n, %m, %f, %own; .reg .u64 %at; .reg .pred %p;\n"  \
    "ld.param.u32 %n, [n]; st.local.u32 [own], %n; mov.u64 %at, own;\n"             \
    "setp.eq.u32 %p, %n, 0; @%p bra DONE; sub.u32 %m, %n, 1;\n"                     \
    "{ .param .u32 a; .param .u32 b; st.param.u32 [a], %m; call (b), down, (a); "   \
    "ld.param.u32 %f, [b]; }\n"                                                     \
    "ld.local.u32 %own, [%at]; add.u32 %own, %own, %f; st.local.u32 [own], %own;\n" \
    "DONE: ld.local.u32 %f, [own]; st.param.u32 [r], %f; ret;\n}\n"

static void every_call_has_local_variables_of_its_own(void)
{
    struct ptxrun r;
    ptxrun_ok(&r, HEADER DOWN KERNEL("and.b32 %r2, %r1, 31;" CALL("down")), 64);
    for (uint32_t t = 0; t < 64; t++)
        CU_ASSERT_EQUAL(ptxrun_u32(&r, t), (t & 31) * ((t & 31) + 1) / 2);
    ptxrun_close(&r);
}

/* `own` takes 16 bytes a call, of which there are 16 KB and the first call's: 1025 calls, the first
 * not nested. */
static void the_stack_ends(void)
{
    struct ptxrun r;
    ptxrun_open(&r, HEADER DOWN KERNEL("mov.u32 %r2, 100000;" CALL("down")), 1, 8192);
    CU_ASSERT_FALSE(ptxrun_go(&r));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(r.err.msg, "stack overflow: function down is called by itself, 1025 deep"));
    ptxrun_close(&r);
}

SUITE("recursion", T(every_lane_goes_as_deep_as_it_needs),
      T(every_call_has_local_variables_of_its_own), T(the_stack_ends))
