/* A texture cache, replayed: of tests/data/texture_chain, whose threads make 20 accesses each,
 * every one where the last one says. */
#include <math.h>

#include "sampler/sampler.h"
#include "sim/gpu/gpu.h"
#include "tests/gpu/whole.h"

static struct target *chain(void)
{
    struct err e = {""};
    struct target *t = target_open("tests/data/texture_chain", NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    return t;
}

/* Of its only kernel. */
static struct sample sampled(const struct target *t, const struct gpu_cfg *cfg)
{
    const struct sampler_opts o = {.cta = -1};
    struct err e = {""};
    struct sample_set s;
    CU_ASSERT_TRUE_FATAL(sampler_run(t, cfg, &o, &s, &e));
    CU_ASSERT_EQUAL_FATAL(s.nkernels, 1);
    const struct sample d = *s.kernel;
    sample_set_release(&s);
    return d;
}

struct simulation {
    const struct gpu_cfg *cfg;
    int n;
    double cycles;
};

static bool simulate_launch(void *self, struct launch *l, struct err *e)
{
    struct simulation *s = self;
    const struct gpu_opts o = {.n = s->n, .only_core = -1};
    struct run_stats st = {0};
    struct gpu *g = gpu_new(s->cfg, e);
    const bool ok = g && gpu_launch(g, l, &o, &st, e);
    s->cycles = (double)st.cycles;
    gpu_free(g);
    return ok;
}

static double simulated(const struct target *t, const struct gpu_cfg *cfg, int n)
{
    struct simulation s = {.cfg = cfg, .n = n};
    struct executor x = {.launch = simulate_launch, .self = &s};
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(target_run(t, &x, true, &e));
    return s.cycles;
}

static void compare(const char *gpu, const char *const *settings, double off)
{
    const struct gpu_cfg cfg = whole_gpu(gpu, settings);
    struct target *t = chain();
    const struct sample d = sampled(t, &cfg);
    for (int n = 1; n <= d.n_max; n += 3) {
        const double x = d.replay_launch[n - 1] / simulated(t, &cfg, n);
        if (fabs(x - 1) > off)
            printf("\n  %s, %s, n = %d: %.3f of what is simulated", gpu,
                   settings[0] ? settings[0] : "", n, x);
        CU_ASSERT_DOUBLE_EQUAL(x, 1, off);
    }
    target_free(t);
}

static void texture_latency_is_that_of_the_simulator(void)
{
    compare("yen2014", (const char *const[]){NULL}, 0.05);
    compare("yen2014", (const char *const[]){"l1t.latency=50", NULL}, 0.05);
    compare("yen2014", (const char *const[]){"l1t.latency=500", NULL}, 0.05);
    compare("kayiran2013", (const char *const[]){"l1t.latency=500", NULL}, 0.05);
}

/* Accesses that wait for data take places; with a few of them they bound the rate. */
static void places_of_the_fifo_bound_the_rate(void)
{
    compare("yen2014", (const char *const[]){"l1t.fragments=8", NULL}, 0.05);
    compare("yen2014", (const char *const[]){"l1t.fragments=8", "l1t.latency=200", NULL}, 0.05);
    compare("yen2014", (const char *const[]){"l1t.rob=2", NULL}, 0.06);
    compare("yen2014", (const char *const[]){"l1t.rob=8", "l1t.latency=500", NULL}, 0.05);
    compare("yen2014", (const char *const[]){"l1t.enabled=false", NULL}, 0.05);
}

/* A warp's accesses, one line after another of each, wait for the one before: latency is in each of
 * 20 once. 500 cycles are more than a miss takes. */
static void a_chain_waits_for_the_latency_at_every_access(void)
{
    struct target *t = chain();
    double alone[2];
    for (int i = 0; i < 2; i++) {
        const struct gpu_cfg cfg = whole_gpu(
            "yen2014", (const char *const[]){i ? "l1t.latency=900" : "l1t.latency=500", NULL});
        alone[i] = sampled(t, &cfg).replay_alone;
    }
    CU_ASSERT_DOUBLE_EQUAL(alone[1] - alone[0], 20 * 400, 40);
    target_free(t);
}

SUITE("replay tex", T(texture_latency_is_that_of_the_simulator),
      T(places_of_the_fifo_bound_the_rate), T(a_chain_waits_for_the_latency_at_every_access))
