#include <string.h>

#include "base/datadir.h"
#include "sampler/sampler.h"
#include "sim/func/run.h"
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
    CU_ASSERT(k->working_set_lines >= 4 && k->working_set_lines <= 6);
    CU_ASSERT_EQUAL(s.warp_insts, (uint64_t)k->warp_insts);
    sample_set_release(&s);
}

struct count {
    uint64_t warp_insts;
};

static bool count_launch(void *self, struct launch *l, struct err *e)
{
    struct count *c = self;
    struct func_opts fo = {0};
    struct func_counts n = {0};
    bool ok = func_run(l, &fo, &n, e);
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
    CU_ASSERT(s.warp_insts < c.warp_insts / 10);
    sample_set_release(&s);
}

/* However many host threads replay, and whether from the first launch to the last or not. */
static void same_sample_every_time(void)
{
    for (int by_group = 0; by_group < 2; by_group++) {
        struct sample_set a, b;
        struct err e = {""};
        CU_ASSERT_TRUE_FATAL(
            take("nbf", (struct sampler_opts){.cta = -1, .by_group = by_group}, &a, &e));
        CU_ASSERT_TRUE_FATAL(
            take("nbf", (struct sampler_opts){.cta = -1, .by_group = by_group, .jobs = 3}, &b, &e));
        CU_ASSERT_EQUAL(a.nkernels, b.nkernels);
        CU_ASSERT_EQUAL(memcmp(a.kernel, b.kernel, (size_t)a.nkernels * sizeof *a.kernel), 0);
        CU_ASSERT_EQUAL(a.replayed_warp_insts, b.replayed_warp_insts);
        sample_set_release(&a);
        sample_set_release(&b);
    }
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
    CU_ASSERT_FALSE(take("vecadd", (struct sampler_opts){.cta = -1, .max_cycles = 10}, &s, &e));
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
      T(same_sample_every_time), T(wanted_cta_is_sampled_or_refused), T(cycle_limit_ends_a_window),
      T(caller_can_stop_it))
