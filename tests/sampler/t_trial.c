/* Trials: the first instructions of a launch, simulated on all cores and replayed. */
#include "sampler/trial.h"

#include <math.h>
#include <string.h>

#include "tests/gpu/whole.h"

#define MOST_DEGREES 8

static struct target *opened(const char *name)
{
    struct err e = {""};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    return t;
}

static struct sample_set sampled(const struct target *t, const struct gpu_cfg *cfg, double beyond)
{
    const struct sampler_opts o = {.cta = -1, .tried_beyond = beyond};
    struct err e = {""};
    struct sample_set s;
    CU_ASSERT_TRUE_FATAL(sampler_run(t, cfg, &o, &s, &e));
    return s;
}

/* A launch of the target, simulated by itself until more than so many instructions were issued. */
struct alone {
    const struct gpu_cfg *cfg;
    uint64_t insts;
    int at, launch, n;
    struct run_stats st;
};

static bool simulate_launch(void *self, struct launch *l, struct err *e)
{
    struct alone *a = self;
    const bool is_it = a->at++ == a->launch;
    const struct gpu_opts o = {
        .n = is_it ? a->n : MOST_DEGREES, .max_warp_insts = is_it ? a->insts : 0, .only_core = -1};
    struct run_stats other = {0};
    struct gpu *g = gpu_new(a->cfg, e);
    const bool ok = launch_init(l, e) && gpu_launch(g, l, &o, is_it ? &a->st : &other, e);
    gpu_free(g);
    return ok && (!is_it || err_set(e, "enough"));
}

static struct run_stats simulated(const struct target *t, const struct gpu_cfg *cfg,
                                  const struct sample_set *s, uint64_t insts, int n)
{
    struct alone a = {.cfg = cfg, .insts = insts, .launch = s->tried_launch, .n = n};
    struct executor x = {.launch = simulate_launch, .self = &a};
    struct err e = {""};
    target_run(t, &x, false, &e);
    CU_ASSERT_STRING_EQUAL(e.msg, "enough");
    return a.st;
}

/* Of nbf's only kernel a 64th, give or take what the cores issue in one cycle. */
static void a_trial_is_the_launchs_beginning_simulated_and_replayed(void)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct target *t = opened("nbf");
    struct sample_set s = sampled(t, &cfg, 1);
    const struct sample *d = s.kernel;
    const uint64_t insts = (uint64_t)(d->total_warp_insts / 64);
    const double a_cycle = d->cores * d->schedulers;
    CU_ASSERT_EQUAL(s.program_insts, d->total_warp_insts);
    CU_ASSERT_TRUE_FATAL(d->n_max <= MOST_DEGREES);
    for (int n = 1; n <= d->n_max; n++) {
        const struct run_stats st = simulated(t, &cfg, &s, insts, n);
        CU_ASSERT_EQUAL(d->trial_insts[n - 1], (double)st.warp_insts);
        CU_ASSERT_EQUAL(d->trial_cycles[n - 1], (double)st.cycles);
        CU_ASSERT_TRUE(d->trial_insts[n - 1] > (double)insts);
        CU_ASSERT_TRUE(d->trial_insts[n - 1] <= (double)insts + a_cycle);
        CU_ASSERT_DOUBLE_EQUAL(d->trial_replayed[n - 1] / d->trial_cycles[n - 1], 1, 0.06);
    }
    CU_ASSERT_EQUAL(d->trial_insts[(int)d->n_max], 0);
    sample_set_release(&s);
    target_free(t);
}

/* Nothing else of the sample changes, but for what it costs. */
static void a_trial_leaves_the_sample_as_it_is(void)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct target *t = opened("gaussian");
    struct sample_set plain = sampled(t, &cfg, 0), tried = sampled(t, &cfg, 1);
    double insts = 0;
    CU_ASSERT_EQUAL_FATAL(plain.nkernels, tried.nkernels);
    for (int i = 0; i < tried.nkernels; i++) {
        struct sample *d = &tried.kernel[i];
        CU_ASSERT_EQUAL(d->trial_insts[0] > 0, i == tried.tried_kernel);
        CU_ASSERT_TRUE(d->total_warp_insts <= tried.kernel[tried.tried_kernel].total_warp_insts);
        for (int n = 0; n < SAMPLE_DEGREES; n++)
            insts += d->trial_insts[n];
        memset(d->trial_insts, 0, sizeof d->trial_insts);
        memset(d->trial_cycles, 0, sizeof d->trial_cycles);
        memset(d->trial_replayed, 0, sizeof d->trial_replayed);
        CU_ASSERT_EQUAL(memcmp(d, &plain.kernel[i], sizeof *d), 0);
    }
    CU_ASSERT_EQUAL(tried.warp_insts, plain.warp_insts + (uint64_t)insts);
    CU_ASSERT_TRUE(tried.replayed_warp_insts > plain.replayed_warp_insts);
    CU_ASSERT_TRUE(tried.functional_warp_insts > plain.functional_warp_insts);
    sample_set_release(&plain);
    sample_set_release(&tried);
    target_free(t);
}

/* Programs of so many instructions or fewer are not tried. */
static void short_programs_are_not_tried(void)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct target *t = opened("vecadd");
    struct sample_set s = sampled(t, &cfg, 0);
    const double all = s.program_insts;
    CU_ASSERT_EQUAL(all, s.kernel->total_warp_insts);
    sample_set_release(&s);
    s = sampled(t, &cfg, all);
    CU_ASSERT_EQUAL(s.kernel->trial_insts[0], 0);
    sample_set_release(&s);
    s = sampled(t, &cfg, all - 1);
    CU_ASSERT_TRUE(s.kernel->trial_insts[0] > 0);
    sample_set_release(&s);
    target_free(t);
}

/* The same numbers as at every degree; of a kernel with room for fewer CTAs, as with as many as it
 * has room for. bfs launches its kernel many times, and the data of the one that is tried depends
 * on all before. */
static void one_degree_is_tried_as_all_are(void)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct target *t = opened("bfs");
    struct sample_set all = sampled(t, &cfg, 1), one = sampled(t, &cfg, 0);
    const struct sampler_opts o = {.cta = -1};
    struct err e = {""};
    const struct sample *want = &all.kernel[all.tried_kernel], *d = &one.kernel[one.tried_kernel];
    const uint64_t before = one.warp_insts;
    const int last = (int)want->n_max;
    CU_ASSERT_TRUE_FATAL(last > 2 && one.tried_launch > 0);
    CU_ASSERT_TRUE(sampler_try(t, &cfg, &o, 2, &one, &e));
    CU_ASSERT_EQUAL(one.warp_insts, before + (uint64_t)want->trial_insts[1]);
    CU_ASSERT_TRUE(sampler_try(t, &cfg, &o, last + 3, &one, &e));
    for (int n = 1; n <= last; n++) {
        const bool tried = n == 2 || n == last;
        CU_ASSERT_EQUAL(d->trial_insts[n - 1], tried ? want->trial_insts[n - 1] : 0);
        CU_ASSERT_EQUAL(d->trial_cycles[n - 1], tried ? want->trial_cycles[n - 1] : 0);
        CU_ASSERT_EQUAL(d->trial_replayed[n - 1], tried ? want->trial_replayed[n - 1] : 0);
    }
    sample_set_release(&all);
    sample_set_release(&one);
    target_free(t);
}

/* A launch with fewer instructions than a 64th of the program's is simulated to its end. */
static void a_short_launch_is_tried_whole(void)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct target *t = opened("pvc");
    struct sample_set s = sampled(t, &cfg, 0);
    struct sample *d = &s.kernel[s.tried_kernel];
    struct err e = {""};
    s.program_insts = 128 * d->total_warp_insts; /* as if the others had so many more */
    CU_ASSERT_TRUE(sampler_try(t, &cfg, &(struct sampler_opts){.cta = -1}, 2, &s, &e));
    const struct run_stats st = simulated(t, &cfg, &s, 0, 2);
    CU_ASSERT_EQUAL(d->trial_insts[1], (double)st.warp_insts);
    CU_ASSERT_EQUAL(d->trial_cycles[1], (double)st.cycles);
    CU_ASSERT_TRUE(d->trial_insts[1] < s.program_insts / 64);
    CU_ASSERT_DOUBLE_EQUAL(d->trial_replayed[1] / d->trial_cycles[1], 1, 0.06);
    sample_set_release(&s);
    target_free(t);
}

/* nw's first launch has one CTA of one warp, which executes all of the trial's instructions: more
 * than is recorded of a warp, 8 / 15 of them on 15 cores. */
static void what_is_not_recorded_is_not_known(void)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct target *t = opened("nw");
    struct sample_set s = sampled(t, &cfg, 0);
    const struct sample *d = s.kernel;
    struct err e = {""};
    s.tried_kernel = s.tried_launch = 0;
    s.program_insts = 64 * 300;
    CU_ASSERT_TRUE(sampler_try(t, &cfg, &(struct sampler_opts){.cta = -1}, 1, &s, &e));
    CU_ASSERT_EQUAL(d->trial_insts[0], 301);
    CU_ASSERT_TRUE(d->trial_cycles[0] > 0);
    CU_ASSERT_EQUAL(d->trial_replayed[0], 0);
    s.program_insts = 64 * 60; /* 64 are recorded at least */
    CU_ASSERT_TRUE(sampler_try(t, &cfg, &(struct sampler_opts){.cta = -1}, 1, &s, &e));
    CU_ASSERT_EQUAL(d->trial_insts[0], 61);
    CU_ASSERT_DOUBLE_EQUAL(d->trial_replayed[0] / d->trial_cycles[0], 1, 0.06);
    sample_set_release(&s);
    target_free(t);
}

static void a_trial_that_takes_too_long_is_an_error(void)
{
    struct gpu_cfg cfg = whole_gpu("yen2014", NULL);
    struct target *t = opened("nbf");
    struct sample_set s = sampled(t, &cfg, 0);
    struct err e = {""};
    const struct sampler_opts o = {.cta = -1, .max_cycles = 1000};
    CU_ASSERT_FALSE(sampler_try(t, &cfg, &o, 3, &s, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "still running after"));
    sample_set_release(&s);
    target_free(t);
}

SUITE("trial", T(a_trial_is_the_launchs_beginning_simulated_and_replayed),
      T(a_trial_leaves_the_sample_as_it_is), T(short_programs_are_not_tried),
      T(one_degree_is_tried_as_all_are), T(a_short_launch_is_tried_whole),
      T(what_is_not_recorded_is_not_known), T(a_trial_that_takes_too_long_is_an_error))
