/* What executing a CTA tells, beside what simulating it measures. */
#include "sampler/sampler.h"
#include "sampler/window/cta_profile.h"
#include "tests/func/ptxrun.h"
#include "tests/gpu/whole.h"

static struct sample_set taken(const char *name, const char *const *settings)
{
    struct sample_set s;
    struct err e = {""};
    struct gpu_cfg cfg = whole_gpu("yen2014", settings);
    struct sampler_opts o = {.cta = -1};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE_FATAL(sampler_run(t, &cfg, &o, &s, &e));
    target_free(t);
    return s;
}

/* Each cycle of each scheduler has one cause. */
static void causes_of_a_scheduler_add_up(void)
{
    struct sample_set s = taken("nbf", NULL);
    const struct sample *k = s.kernel;
    double all = k->issue_cycles + k->mem_dep_cycles + k->alu_dep_cycles + k->fetch_cycles +
                 k->barrier_cycles + k->mem_unit_cycles + k->alu_unit_cycles + k->idle_cycles;
    CU_ASSERT(all >= k->schedulers * k->cta_cycles);
    CU_ASSERT(all <= k->schedulers * (k->cta_cycles + 2)); /* a cycle before and one after it */
    sample_set_release(&s);
}

/* vecadd (20480 threads, CTAs of 64): each warp loads two lines of its own, once, and adds what it
 * loaded: it waits once, for both loads. */
static void vecadd_by_hand(void)
{
    struct sample_set s = taken("vecadd", NULL);
    const struct sample *k = s.kernel;
    CU_ASSERT_EQUAL(k->memory_rounds, 1);
    CU_ASSERT_EQUAL(k->reused_lines, 0);
    CU_ASSERT_EQUAL(k->shared_core, 0);
    sample_set_release(&s);
}

/* ---- kernels of one CTA ---- */

static struct sample profile_of(const char *body, const char *const *settings, int ctas)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", settings);
    struct cta_profile a = {
        .cfg = &cfg, .by = &sampling_or_default(NULL)->window, .max_warp_insts = 1000};
    struct sample d = {0};
    struct ptxrun r;
    char text[4096];
    KERNEL_TEXT(text, body);
    ptxrun_open(&r, text, 32, 65536);
    r.l.grid[0] = ctas;
    CU_ASSERT_TRUE(launch_init(&r.l, &r.err));
    CU_ASSERT_TRUE(cta_profile_take(&a, &r.l, &d, &r.err));
    ptxrun_close(&r);
    return d;
}

/* Lines at 0, 128 and 256 bytes; which are asked for twice. */
static void reused_lines_are_those_of_more_than_one_request(void)
{
    static const char *const off[] = {"l1d.enabled=false", NULL};
    static const struct {
        const char *body;
        const char *const *settings;
        double reused;
    } row[] = {
        {"ld.global.u32 %r2, [%rd3]; ld.global.u32 %r2, [%rd3+128];", NULL, 0},
        {"ld.global.u32 %r2, [%rd3]; ld.global.u32 %r2, [%rd3+128]; ld.global.u32 %r2, [%rd3];",
         NULL, 1},
        {"ld.global.u32 %r2, [%rd3]; ld.global.u32 %r2, [%rd3]; ld.global.u32 %r2, [%rd3];", NULL,
         1},
        /* What a store took away is loaded again. */
        {"ld.global.u32 %r2, [%rd3]; st.global.u32 [%rd3], %r2; ld.global.u32 %r2, [%rd3];", NULL,
         1},
        {"st.global.u32 [%rd3], %r1; st.global.u32 [%rd3], %r1;", NULL, 0},
        {"ld.global.u32 %r2, [%rd3]; ld.global.u32 %r2, [%rd3];", off, 0},
        /* A local store asks for a line only if that is there. */
        {".local .align 4 .b8 a[8]; st.local.u32 [a], %r1; st.local.u32 [a], %r1;", NULL, 0},
        {".local .align 4 .b8 a[8]; st.local.u32 [a], %r1; ld.local.u32 %r2, [a];", NULL, 0},
        {".local .align 4 .b8 a[8]; ld.local.u32 %r2, [a]; st.local.u32 [a], %r1;", NULL, 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CU_ASSERT_EQUAL(profile_of(row[i].body, row[i].settings, 1).reused_lines, row[i].reused);
}

/* Every CTA loads the same line; of 16 CTAs on 15 cores the first core has two. */
static void sharing_is_with_the_next_cta_of_the_core(void)
{
    CU_ASSERT_EQUAL(profile_of("ld.global.u32 %r2, [%rd3];", NULL, 16).shared_core, 1);
    CU_ASSERT_EQUAL(profile_of("ld.global.u32 %r2, [%rd3];", NULL, 15).shared_core, 0);
}

/* An instruction is 8 bytes, a line of code 128: 16 of them. What a branch leaves out is not
 * executed, what a loop executes again is the same line. */
static void lines_of_code_are_those_executed(void)
{
#define FOUR "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;\n"
#define LINE FOUR FOUR FOUR FOUR
    const double own = profile_of(FOUR, NULL, 1).code_lines;
    CU_ASSERT_EQUAL(profile_of(LINE LINE FOUR, NULL, 1).code_lines, own + 2);
    CU_ASSERT_EQUAL(profile_of("mov.u32 %r3, 0; L:" LINE LINE FOUR "add.u32 %r3, %r3, 1;\n"
                               "setp.lt.u32 %p1, %r3, 5; @%p1 bra L;",
                               NULL, 1)
                        .code_lines,
                    own + 2);
    CU_ASSERT_EQUAL(profile_of("bra E;" LINE LINE LINE LINE "E:" FOUR, NULL, 1).code_lines,
                    own + 1);
}

SUITE("cta_profile", T(lines_of_code_are_those_executed), T(causes_of_a_scheduler_add_up),
      T(vecadd_by_hand), T(reused_lines_are_those_of_more_than_one_request),
      T(sharing_is_with_the_next_cta_of_the_core))
