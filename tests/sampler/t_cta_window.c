/* Several CTAs, warm-up and limit of a window. vecadd: 320 equal CTAs of 38 warp instructions, 4
 * lines each. nbf: 121 CTAs of equal length that read different neighbours. 15 cores. */
#include "sampler/sampler.h"
#include "tests/gpu/whole.h"

static struct sample_set taken(const char *name, int64_t cta, struct cta_window_opts w)
{
    struct sample_set s;
    struct err e = {""};
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct sampler_opts o = {.cta = cta, .sample = {.effort = EFFORT_WINDOW, .window = w}};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE_FATAL(sampler_run(t, &cfg, &o, &s, &e));
    CU_ASSERT_EQUAL_FATAL(s.nkernels, 1);
    target_free(t);
    return s;
}

/* Its numbers alone. */
static struct sample one(const char *name, int64_t cta, struct cta_window_opts w)
{
    struct sample_set s = taken(name, cta, w);
    struct sample k = *s.kernel;
    sample_set_release(&s);
    return k;
}

/* 15 cores, 40 CTAs: core 2 gets 2, 17, 32; core 12 gets 12 and 27. */
static void ctas_follow_each_other_as_on_a_core(void)
{
    static const struct {
        uint64_t cta;
        int k;
        uint64_t is;
    } row[] = {{2, 0, 2},    {2, 1, 17},  {2, 2, 32},   {2, 3, 2},   {17, 1, 32}, {17, 2, 2},
               {17, -1, 2},  {2, -1, 32}, {2, -2, 17},  {2, -4, 32}, {12, 1, 27}, {12, 2, 12},
               {12, -1, 27}, {27, 5, 12}, {14, -1, 29}, {39, 0, 39}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CU_ASSERT_EQUAL(cta_window_number(row[i].cta, 15, 40, row[i].k), row[i].is);
    CU_ASSERT_EQUAL(cta_window_number(3, 15, 4, 7), 3); /* the core's only one */
}

static void counters_are_means_of_the_ctas(void)
{
    struct sample_set s = taken("vecadd", -1, (struct cta_window_opts){.ctas = 5});
    const struct sample *k = s.kernel;
    CU_ASSERT_EQUAL(k->window_insts, 5 * 38);
    CU_ASSERT_EQUAL(k->warp_insts, 38);
    CU_ASSERT_EQUAL(k->dram_reads, 4);
    CU_ASSERT_EQUAL(s.cost.warp_insts, 5 * 38); /* the cost is of all */
    sample_set_release(&s);
}

/* Two values a and b, of mean m. a is what CTA 0 takes alone, and b = 2 m - a what CTA 15 takes
 * after it: the same as with CTA 0 for a warm-up. */
static void a_warm_up_is_what_came_before(void)
{
    struct sample a = one("nbf", 0, (struct cta_window_opts){0});
    struct sample m = one("nbf", 0, (struct cta_window_opts){.ctas = 2});
    struct sample b = one("nbf", 15, (struct cta_window_opts){.warm_up = 1});
    struct sample cold = one("nbf", 15, (struct cta_window_opts){0});
    CU_ASSERT_EQUAL(b.cta_cycles, 2 * m.cta_cycles - a.cta_cycles);
    CU_ASSERT_EQUAL(b.dram_reads, 2 * m.dram_reads - a.dram_reads);
    CU_ASSERT(b.cta_cycles < cold.cta_cycles); /* instructions are cached, rows are open */
    CU_ASSERT_EQUAL(b.window_insts, b.warp_insts);
}

/* GPUs that flush L1D between kernels do not flush it between the CTAs of a window. */
static void a_window_is_one_launch_to_its_caches(void)
{
    struct sample_set s[2];
    struct err e = {""};
    const char *const flush[] = {"flush_l1=true", NULL};
    struct sampler_opts o = {.sample = {.effort = EFFORT_WINDOW, .window = {.ctas = 4}}};
    struct target *t = target_open("nbf", NULL, &e);
    for (int i = 0; i < 2; i++) {
        struct gpu_cfg cfg = whole_gpu("yen2014", i ? flush : NULL);
        CU_ASSERT_TRUE_FATAL(sampler_run(t, &cfg, &o, &s[i], &e));
    }
    target_free(t);
    CU_ASSERT_EQUAL(s[0].kernel->cta_cycles, s[1].kernel->cta_cycles);
    sample_set_release(&s[0]);
    sample_set_release(&s[1]);
}

/* More CTAs than the core gets (121 CTAs: core 0 gets 9): those that there are. */
static void no_more_ctas_than_the_core_gets(void)
{
    const struct sample s = one("nbf", 0, (struct cta_window_opts){.ctas = 100, .warm_up = 100});
    CU_ASSERT_DOUBLE_EQUAL(s.window_insts / s.warp_insts, 9, 1e-9);
}

/* It ends with the instruction beyond the limit, or the one that the second scheduler issued with
 * it. */
static void a_limit_ends_a_cta_and_counters_are_extrapolated(void)
{
    struct sample_set s = taken("vecadd", 0, (struct cta_window_opts){.max_insts = 10});
    const struct sample *k = s.kernel;
    CU_ASSERT(s.cost.warp_insts == 11 || s.cost.warp_insts == 12);
    CU_ASSERT_EQUAL(k->window_insts, (double)s.cost.warp_insts);
    CU_ASSERT_DOUBLE_EQUAL(k->warp_insts, 38, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(k->thread_insts, 38 * 32, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(k->issue_cycles, 38, 1e-9);
    CU_ASSERT(k->cta_cycles > 0);
    sample_set_release(&s);
}

/* 2 x 38 + 5: two whole CTAs, and a part of a third, which costs and does not count. */
static void a_limit_leaves_whole_ctas(void)
{
    struct sample_set s = taken("vecadd", 0, (struct cta_window_opts){.ctas = 4, .max_insts = 81});
    CU_ASSERT_EQUAL(s.kernel->window_insts, 2 * 38);
    CU_ASSERT_EQUAL(s.kernel->warp_insts, 38);
    CU_ASSERT(s.cost.warp_insts == 82 || s.cost.warp_insts == 83);
    sample_set_release(&s);
    s = taken("vecadd", 0, (struct cta_window_opts){.ctas = 4, .warm_up = 1, .max_insts = 76});
    CU_ASSERT_EQUAL(s.kernel->window_insts, 2 * 38);
    CU_ASSERT_EQUAL(s.cost.warp_insts, 3 * 38); /* the warm-up is not limited */
    sample_set_release(&s);
}

SUITE("window", T(ctas_follow_each_other_as_on_a_core), T(counters_are_means_of_the_ctas),
      T(a_warm_up_is_what_came_before), T(a_window_is_one_launch_to_its_caches),
      T(no_more_ctas_than_the_core_gets), T(a_limit_ends_a_cta_and_counters_are_extrapolated),
      T(a_limit_leaves_whole_ctas))
