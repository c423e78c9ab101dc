#include <string.h>

#include "base/datadir.h"
#include "sampler/sampler.h"
#include "sim/sm/inst_run.h"
#include "tests/suite.h"

static struct gpu_cfg yen_gpu(void)
{
    struct gpu_cfg cfg;
    struct err e = {""};
    char *data = datadir(&e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    CU_ASSERT_TRUE_FATAL(gpu_cfg_load(&cfg, data, "yen2014", &e));
    free(data);
    return cfg;
}

static bool take(const char *name, struct sampler_opts o, struct sample_set *out, struct err *e)
{
    struct gpu_cfg cfg = yen_gpu();
    struct target *t = target_open(name, NULL, e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    bool ok = sampler_run(t, &cfg, &o, out, e);
    target_free(t);
    return ok;
}

/* A model that has all degrees alike. */
static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    (void)coeff;
    *p = (struct prediction){
        .n_max = (int)s->n_max, .error = 0.3, .error_correlation = 0.3, .correlation_length = 1};
    for (int n = 1; n <= p->n_max; n++)
        p->ipc[n] = 10;
    model_choose(p);
}

static const struct model_ops ops = {.name = "even", .predict = predict};
static const struct model_coeffs even = {.model = &ops};

static struct sample_opts with_pilots(bool every)
{
    struct sample_opts o = {.effort = EFFORT_QUICK, .model = &even, .every_pilot = every};
    params_default(model_pilots.groups, &o.pilots);
    return o;
}

/* 20480 threads in CTAs of 64; each thread loads two words: two lines a warp, none shared. */
static void vecadd_window_sees_one_cta(void)
{
    struct sample_set s;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(take("vecadd", (struct sampler_opts){.cta = -1}, &s, &e));
    CU_ASSERT_EQUAL_FATAL(s.nkernels, 1);
    const struct sample *k = s.kernel;
    CU_ASSERT_EQUAL(k->dram_reads, 4);
    CU_ASSERT_EQUAL(k->l1d_accesses, 4);
    CU_ASSERT_EQUAL(k->total_ctas, 320);
    CU_ASSERT_EQUAL(k->warps_per_cta, 2);
    CU_ASSERT_EQUAL(k->n_max, 8);
    CU_ASSERT_EQUAL(k->cores, 15);
    CU_ASSERT_EQUAL(k->total_warp_insts, 320 * k->warp_insts);
    CU_ASSERT_EQUAL(k->total_thread_insts, 32 * k->total_warp_insts);
    CU_ASSERT(k->cta_cycles > k->mf_latency && k->mf_latency > 200);
    CU_ASSERT_EQUAL(k->launches, 1);
    CU_ASSERT_EQUAL(k->grid_ctas, 320);
    CU_ASSERT_EQUAL(s.cost.warp_insts, (uint64_t)k->warp_insts);
    CU_ASSERT(s.cost.functional_warp_insts > 320 * (uint64_t)k->warp_insts);
    CU_ASSERT_EQUAL(s.program_insts, k->total_warp_insts);
    sample_set_release(&s);
}

/* The kernel of matmul: a CTA has two tiles of 16 x 16 floats. */
static void what_a_cta_takes_of_a_core(void)
{
    struct sample_set s;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(take("matmul", (struct sampler_opts){.cta = -1}, &s, &e));
    CU_ASSERT_EQUAL_FATAL(s.nkernels, 1);
    CU_ASSERT_EQUAL(s.uses->threads, 256);
    CU_ASSERT_EQUAL(s.uses->static_shared, 2048);
    CU_ASSERT_EQUAL(s.uses->all_shared, 2048);
    CU_ASSERT_EQUAL(s.uses->n_max, 4);
    CU_ASSERT_EQUAL(s.uses->limit, OCC_REGISTERS); /* 32768 of them */
    sample_set_release(&s);
}

struct count {
    uint64_t warp_insts;
};

static bool count_launch(void *self, struct launch *l, struct err *e)
{
    struct count *c = self;
    struct func_counts n = {0};
    bool ok = inst_run(l, NULL, &n, e);
    c->warp_insts += n.warp_insts;
    return ok;
}

/* Many launches, each reading what earlier ones wrote: the windows must not disturb them. */
static void launches_alike_share_a_sample(void)
{
    struct sample_set s;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(take("bfs", (struct sampler_opts){.cta = -1}, &s, &e));
    struct count c = {0};
    struct executor x = {.launch = count_launch, .self = &c};
    struct target *t = target_open("bfs", NULL, &e);
    CU_ASSERT_TRUE(target_run(t, &x, true, &e));
    target_free(t);
    double total = 0;
    for (int i = 0; i < s.nkernels; i++) {
        total += s.kernel[i].total_warp_insts;
        CU_ASSERT(s.kernel[i].warp_insts > 0 && s.kernel[i].cta_cycles > 0);
        for (int k = 0; k < i; k++)
            CU_ASSERT(strcmp(s.kernel[i].kernel, s.kernel[k].kernel) != 0 ||
                      s.kernel[i].part != s.kernel[k].part);
    }
    CU_ASSERT_EQUAL(total, (double)c.warp_insts);
    CU_ASSERT_EQUAL(s.program_insts, total);
    CU_ASSERT(s.cost.warp_insts < c.warp_insts / 10);
    sample_set_release(&s);
}

/* However many host threads run pilots of every degree, or the one that runs those worth it. */
static void same_sample_every_time(void)
{
    for (int every = 0; every < 2; every++) {
        struct sample_set set[3];
        struct err e = {""};
        for (int i = 0; i < 3; i++) {
            struct sampler_opts o = {.cta = -1, .sample = with_pilots(every)};
            o.sample.jobs = i ? 4 : 1;
            CU_ASSERT_TRUE_FATAL(take(SANITIZED ? "ssc" : "nbf", o, &set[i], &e));
            for (int k = 0; k < set[i].nkernels; k++)
                memset(set[i].kernel[k].pilot_seconds, 0, sizeof set[i].kernel[k].pilot_seconds);
            CU_ASSERT_EQUAL(set[i].nkernels, set[0].nkernels);
            CU_ASSERT_EQUAL(memcmp(set[i].kernel, set[0].kernel,
                                   (size_t)set[0].nkernels * sizeof *set[0].kernel),
                            0);
            CU_ASSERT_EQUAL(set[i].cost.pilot_warp_insts, set[0].cost.pilot_warp_insts);
            CU_ASSERT_EQUAL(set[i].cost.functional_warp_insts, set[0].cost.functional_warp_insts);
        }
        CU_ASSERT_TRUE(set[0].cost.pilot_warp_insts > 0);
        for (int i = 0; i < 3; i++)
            sample_set_release(&set[i]);
    }
}

/* Launch after launch the program goes on with what it would have without samples: its results are
 * right, and what later windows see is the same. */
static void pilots_change_nothing_for_later_launches(void)
{
    struct sample_set plain, with;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(take("bfs", (struct sampler_opts){.cta = -1}, &plain, &e));
    CU_ASSERT_TRUE_FATAL(
        take("bfs", (struct sampler_opts){.cta = -1, .sample = with_pilots(true)}, &with, &e));
    CU_ASSERT_EQUAL_FATAL(plain.nkernels, with.nkernels);
    for (int k = 0; k < plain.nkernels; k++) {
        double pilots = 0;
        for (int i = 0; i < SAMPLE_DEGREES; i++) {
            pilots += with.kernel[k].pilot_cycles[i];
            with.kernel[k].pilot_cycles[i] = with.kernel[k].pilot_insts[i] = 0;
            with.kernel[k].pilot_seconds[i] = 0;
        }
        CU_ASSERT_TRUE(pilots > 0);
        CU_ASSERT_EQUAL(memcmp(&plain.kernel[k], &with.kernel[k], sizeof *plain.kernel), 0);
    }
    CU_ASSERT_EQUAL(plain.cost.functional_warp_insts, with.cost.functional_warp_insts);
    sample_set_release(&plain);
    sample_set_release(&with);
}

static void wanted_cta_is_sampled_or_refused(void)
{
    struct sample_set s;
    struct err e = {""};
    CU_ASSERT_TRUE(take("vecadd", (struct sampler_opts){.cta = 319}, &s, &e));
    sample_set_release(&s);
    CU_ASSERT_FALSE(take("vecadd", (struct sampler_opts){.cta = 320}, &s, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "320"));
    CU_ASSERT_PTR_NULL(s.kernel);
}

static void cycle_limit_ends_a_window(void)
{
    struct sample_set s;
    struct err e = {""};
    CU_ASSERT_FALSE(
        take("vecadd", (struct sampler_opts){.cta = -1, .sample = {.max_cycles = 10}}, &s, &e));
    CU_ASSERT(*e.msg != 0);
}

static bool stop_at_once(void *user, double fraction)
{
    (void)fraction;
    ++*(int *)user;
    return false;
}

static void caller_can_stop_it(void)
{
    struct sample_set s;
    struct err e = {""};
    int calls = 0;
    CU_ASSERT_FALSE(take("vecadd",
                         (struct sampler_opts){.cta = -1, .progress = stop_at_once, .user = &calls},
                         &s, &e));
    CU_ASSERT_EQUAL(calls, 1);
}

SUITE("sampler", T(vecadd_window_sees_one_cta), T(launches_alike_share_a_sample),
      T(what_a_cta_takes_of_a_core), T(same_sample_every_time),
      T(pilots_change_nothing_for_later_launches), T(wanted_cta_is_sampled_or_refused),
      T(cycle_limit_ends_a_window), T(caller_can_stop_it))
