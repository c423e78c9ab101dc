/* Programs that are replayed from their first launch to their last, beside their simulation. */
#include "sampler/all_launches.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "sampler/sampler.h"
#include "sim/frontend/target.h"
#include "sim/gpu/gpu.h"
#include "tests/sampler/traced.h"
#include "tests/suite.h"

#define KERNELS 8
#define REPEATS 3 /* of a short program's replays, at least, where it is fastest */
#define MOST    9

struct simulation { /* of all launches, one GPU for all of them */
    const struct gpu_cfg *cfg;
    struct gpu *gpu;
    int n, kernels;
    struct {
        char name[64];
        double cycles, reads;
    } kernel[KERNELS];
};

static bool simulate_launch(void *self, struct launch *l, struct err *e)
{
    struct simulation *s = self;
    const int fits = gpu_occupancy(s->cfg, l, NULL);
    const struct gpu_opts o = {
        .n = s->n < fits ? s->n : fits, .max_cycles = 100000000, .only_core = -1};
    struct run_stats st = {0};
    int k = 0;
    if (!launch_init(l, e) || !gpu_launch(s->gpu, l, &o, &st, e))
        return false;
    while (k < s->kernels && strcmp(s->kernel[k].name, l->kernel->name))
        k++;
    CU_ASSERT_TRUE_FATAL(k < KERNELS);
    if (k == s->kernels)
        snprintf(s->kernel[s->kernels++].name, sizeof s->kernel[0].name, "%s", l->kernel->name);
    s->kernel[k].cycles += (double)st.cycles;
    s->kernel[k].reads += (double)st.dram_reads;
    return true;
}

static struct gpu_cfg gpu_named(const char *name)
{
    struct gpu_cfg cfg;
    struct err e = {""};
    char *data = datadir(&e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    CU_ASSERT_TRUE_FATAL(gpu_cfg_load(&cfg, data, name, &e));
    free(data);
    return cfg;
}

static struct simulation simulate(const char *name, const struct gpu_cfg *cfg, int n)
{
    struct err e = {""};
    struct simulation s = {.cfg = cfg, .gpu = gpu_new(cfg, &e), .n = n};
    struct executor x = {.launch = simulate_launch, .self = &s};
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s.gpu);
    CU_ASSERT_TRUE_FATAL(target_run(t, &x, true, &e));
    target_free(t);
    gpu_free(s.gpu);
    return s;
}

static struct sample_set sampled(const char *name, const struct gpu_cfg *cfg, bool by_group)
{
    const struct sampler_opts o = {.cta = -1, .by_group = by_group};
    struct err e = {""};
    struct sample_set set;
    struct target *t = target_open(name, NULL, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE_FATAL(sampler_run(t, cfg, &o, &set, &e));
    target_free(t);
    return set;
}

/* Each kernel's cycles over all its launches: what is replayed over what is simulated. */
static void compare(const char *name, const char *gpu, int n, double off)
{
    const struct gpu_cfg cfg = gpu_named(gpu);
    struct sample_set set = sampled(name, &cfg, false);
    const struct simulation s = simulate(name, &cfg, n);
    double all = 0, simulated = 0;
    for (int k = 0; k < s.kernels; k++) {
        double cycles = 0;
        for (int i = 0; i < set.nkernels; i++)
            if (strcmp(set.kernel[i].kernel, s.kernel[k].name) == 0)
                cycles += set.kernel[i].launches * set.kernel[i].replay_launch[n - 1];
        CU_ASSERT_DOUBLE_EQUAL(cycles / s.kernel[k].cycles, 1, 2 * off);
        all += cycles;
        simulated += s.kernel[k].cycles;
    }
    if (fabs(all / simulated - 1) > off)
        printf("\n  %s on %s, n = %d: %.3f of what is simulated", name, gpu, n, all / simulated);
    CU_ASSERT_DOUBLE_EQUAL(all / simulated, 1, off);
    sample_set_release(&set);
}

/* Launches that take as long as their code takes to come. Where the other kernel's CTAs are not all
 * dealt at once, its launches end at another core each, and gaussian_factors, a CTA, finds another
 * core that has not run it yet: with 2, 3 and 4 at once it takes a fifth longer than with 5, though
 * two at once is what it has room for. */
static void each_launch_finds_what_the_one_before_left(void)
{
    for (int n = 1; n <= 5; n += 2)
        compare("gaussian", "kayiran2013", n, 0.06);
    compare("nw", "kayiran2013", 1, 0.06);
    compare("lud", "yen2014", 8, 0.06);
}

static void a_kernel_is_replayed_at_the_degrees_of_the_others(void)
{
    const struct gpu_cfg cfg = gpu_named("kayiran2013");
    struct sample_set set = sampled("gaussian", &cfg, false);
    double three = 0, five = 0; /* at once: cycles of all 47 launches, most of them warm */
    for (int i = 0; i < set.nkernels; i++) {
        const struct sample *k = &set.kernel[i];
        const bool factors = strcmp(k->kernel, "gaussian_factors") == 0;
        CU_ASSERT_EQUAL(k->n_max, factors ? 2 : 8);
        CU_ASSERT_TRUE(k->replay_launch[7] > 0 && k->replay_launch[8] == 0);
        three += factors ? k->launches * k->replay_launch[2] : 0;
        five += factors ? k->launches * k->replay_launch[4] : 0;
    }
    CU_ASSERT_TRUE(three > 1.05 * five);
    sample_set_release(&set);
    set = sampled("gaussian", &cfg, true); /* as of a longer program: a launch for its group */
    for (int i = 0; i < set.nkernels; i++)
        CU_ASSERT_EQUAL(set.kernel[i].replay_launch[(int)set.kernel[i].n_max], 0);
    sample_set_release(&set);
}

/* The second launch of a group takes less: its code is there. The sample has the mean. */
static void a_groups_launches_are_averaged(void)
{
    const char *const settings[] = {"cores=4", NULL};
    struct traced x;
    struct sample k[2] = {{.n_max = 1}, {.n_max = 1}};
    struct all_launches w;
    traced_open(&x, "add.s32 %r2, %r1, 1;", settings,
                (struct traced_shape){.ctas = 4, .threads = 32, .want = 1});
    for (int apart = 0; apart < 2; apart++) {
        all_launches_init(&w, &x.cfg, 2);
        for (int i = 0; i < 2; i++) {
            struct trace *t = all_launches_trace(&w, i, &x.run.l, apart ? i : 0);
            struct traced one = {.cfg = x.cfg, .made.cfg = &x.cfg};
            x.run.opts.user = &one;
            one.t = *t;
            CU_ASSERT_TRUE_FATAL(ptxrun_go(&x.run));
            *t = one.t;
        }
        struct sample got[2] = {k[0], k[1]};
        CU_ASSERT_TRUE(all_launches_replay(&w, got, 2, &(struct err){""}));
        if (apart) {
            CU_ASSERT_TRUE(got[1].replay_launch[0] < 0.5 * got[0].replay_launch[0]);
            CU_ASSERT_DOUBLE_EQUAL(k[0].replay_launch[0],
                                   (got[0].replay_launch[0] + got[1].replay_launch[0]) / 2, 1e-9);
            CU_ASSERT_EQUAL(got[1].replay_cycles[0], got[1].replay_launch[0]);
        } else {
            k[0] = got[0];
            CU_ASSERT_EQUAL(got[1].replay_launch[0], 0);
            CU_ASSERT_EQUAL(got[0].replay_ctas[0], 1);
        }
        const double as_recorded = got[0].replay_launch[0];
        for (int i = 0; i < 2; i++) /* half of what the warps executed was recorded */
            w.launch[i].trace.dropped = w.launch[i].trace.insts;
        CU_ASSERT_TRUE(all_launches_replay(&w, got, 2, &(struct err){""}));
        CU_ASSERT_DOUBLE_EQUAL(got[0].replay_launch[0], 2 * as_recorded, 1e-9);
        const struct trace *t = &w.launch[0].trace; /* twice, 2 launches, a CTA a core */
        CU_ASSERT_EQUAL(w.insts, 2 * 2 * REPEATS * t->insts);
        all_launches_fini(&w);
        if (!apart)
            k[1] = (struct sample){.n_max = 1};
    }
    x.run.opts.user = &x;
    traced_close(&x);
}

/* What `repeats` perturbed replays say, mean; by hand. */
static struct sample replayed_by_hand(const struct gpu_cfg *cfg, const struct trace *t, int n,
                                      int repeats)
{
    static const int perturbation[MOST] = {0, 1, -1, 2, -2, 3, -3, 4, -4};
    const struct replay_opts o = {.n = n, .whole = true, .first = 1};
    struct replayed sum = {0};
    struct sample out = {.n_max = 1};
    double cycles[MOST];
    for (int i = 0; i < repeats; i++) {
        struct gpu_cfg with = *cfg;
        with.mem.partition.rop_latency += perturbation[i];
        struct replay *r = replay_new(&with, &o);
        struct replay_result one;
        replay_run(r, t, t->ctas, &one);
        replayed_add(&sum, &one);
        replay_free(r);
        cycles[i] = one.cycles;
    }
    replayed_fill(&sum, n, &out);
    if (repeats > 1)
        out.replay_chance[n - 1] = gsl_stats_sd(cycles, 1, (size_t)repeats) /
                                   gsl_stats_mean(cycles, 1, (size_t)repeats) / sqrt(repeats);
    return out;
}

/* 9 CTAs for 4 cores: with 3 at once and with more the same happens, and it is replayed once, or,
 * as it is short, a few times; fewer at once take longer by a sixth and more, which one replay
 * tells. */
static void degrees_that_are_alike_are_replayed_once(void)
{
    const char *const settings[] = {"cores=4", NULL};
    struct traced x;
    struct sample got = {.n_max = 1};
    struct all_launches w;
    traced_open(&x, "ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1; st.global.u32 [%rd1], %r2;",
                settings, (struct traced_shape){.ctas = 9, .threads = 64, .want = 3});
    all_launches_init(&w, &x.cfg, 1);
    struct trace *t = all_launches_trace(&w, 0, &x.run.l, 0);
    const int fits = t->fits;
    trace_fini(t);
    *t = x.t;
    t->fits = fits;
    t->whole = true;
    CU_ASSERT_EQUAL_FATAL(fits, 8);
    CU_ASSERT_TRUE(all_launches_replay(&w, &got, 1, &(struct err){""}));
    CU_ASSERT_EQUAL(w.insts, (2 + REPEATS) * t->insts);
    for (int n = 1; n <= fits; n++) {
        const struct sample alone = replayed_by_hand(&x.cfg, t, n, n < 3 ? 1 : REPEATS);
#define SAME(field) CU_ASSERT_EQUAL(got.field[n - 1], alone.field[n - 1])
        SAME(replay_ctas);
        SAME(replay_cycles);
        SAME(replay_wave);
        SAME(replay_bus);
        SAME(replay_cta_cycles);
        SAME(replay_latency);
        SAME(replay_miss_rate);
        SAME(replay_reads_first);
        SAME(replay_reads_later);
        CU_ASSERT_EQUAL(got.replay_launch[n - 1], alone.replay_cycles[n - 1]);
    }
    CU_ASSERT_TRUE(got.replay_cycles[1] < got.replay_cycles[0]);
    CU_ASSERT_TRUE(1.15 * got.replay_cycles[2] < got.replay_cycles[1]);
    all_launches_fini(&w);
    ptxrun_close(&x.run);
}

/* As many replays as have no more than 2^21 warp instructions, one at least. */
static void a_longer_program_is_replayed_less_often(void)
{
    static const struct {
        uint64_t insts;
        int repeats;
    } of[] = {{1 << 17, REPEATS},
              {(1 << 21) / 3, 3},
              {(1 << 21) / 3 + 1, 2},
              {1 << 20, 2},
              {(1 << 20) + 1, 1}};
    const char *const settings[] = {"cores=2", NULL};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct traced x;
        struct sample got = {.n_max = 1};
        struct all_launches w;
        traced_open(&x,
                    "ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1; st.global.u32 [%rd1], %r2;",
                    settings, (struct traced_shape){.ctas = 5, .threads = 64, .want = 3});
        all_launches_init(&w, &x.cfg, 1);
        struct trace *t = all_launches_trace(&w, 0, &x.run.l, 0);
        trace_fini(t);
        *t = x.t;
        t->fits = 1;
        t->whole = true;
        const uint64_t insts = t->insts;
        t->insts = of[i].insts; /* as if */
        CU_ASSERT_TRUE(all_launches_replay(&w, &got, 1, &(struct err){""}));
        CU_ASSERT_EQUAL(w.insts, insts * (uint64_t)of[i].repeats);
        const struct sample want = replayed_by_hand(&x.cfg, t, 1, of[i].repeats);
        CU_ASSERT_EQUAL(got.replay_launch[0], want.replay_cycles[0]);
        CU_ASSERT_DOUBLE_EQUAL(got.replay_chance[0], want.replay_chance[0], 1e-12);
        all_launches_fini(&w);
        ptxrun_close(&x.run);
    }
}

/* Cycles of so many replays, each a whole number, have this mean. */
static bool mean_of(double mean, int replays)
{
    return fabs(mean * replays - round(mean * replays)) < 1e-6;
}

/* spmv, of 299,124 warp instructions, so that seven replays are the most: one at a time it is
 * slower by a fifth; with five at once replays differ by less than a percent, with three by tens.
 */
static void replays_that_differ_are_repeated(void)
{
    const struct gpu_cfg cfg = gpu_named("yen2014");
    struct sample_set set = sampled("spmv", &cfg, false);
    const double *cycles = set.kernel[0].replay_cycles;
    CU_ASSERT_EQUAL_FATAL(set.nkernels, 1);
    CU_ASSERT_TRUE(mean_of(cycles[0], 1));
    CU_ASSERT_TRUE(mean_of(cycles[4], 3) && !mean_of(cycles[4], 1));
    CU_ASSERT_TRUE(mean_of(cycles[2], 7) && !mean_of(cycles[2], 1));
    const double *chance = set.kernel[0].replay_chance;
    CU_ASSERT_EQUAL(chance[0], 0);
    CU_ASSERT_TRUE(chance[4] > 0 && chance[4] <= 0.01);
    CU_ASSERT_TRUE(chance[2] > 0.01 && chance[2] < 0.1);
    sample_set_release(&set);
}

struct watch {
    double last, until;
};

static bool on_progress(void *user, double fraction)
{
    struct watch *w = user;
    if (w->last > 0.5) /* the first pass does not know how many launches there are */
        CU_ASSERT_TRUE(fraction >= w->last);
    w->last = fraction;
    return fraction < w->until;
}

/* Replays are told of, to the end; and end when they are told to. */
static void replays_tell_how_far_they_are(void)
{
    const struct gpu_cfg cfg = gpu_named("yen2014");
    for (int stops = 0; stops < 3; stops++) { /* among the first replays; among those repeated */
        struct watch w = {.until = stops == 2 ? 0.95 : stops ? 0.75 : 2};
        const struct sampler_opts o = {.cta = -1, .progress = on_progress, .user = &w};
        struct err e = {""};
        struct sample_set set;
        struct target *t = target_open("vecadd", NULL, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_EQUAL_FATAL(sampler_run(t, &cfg, &o, &set, &e), !stops);
        target_free(t);
        if (stops) {
            CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "stopped"));
            CU_ASSERT_TRUE(w.last >= w.until && w.last < 1);
        } else {
            CU_ASSERT_EQUAL(w.last, 1);
            sample_set_release(&set);
        }
    }
}

SUITE("all launches", T(each_launch_finds_what_the_one_before_left),
      T(a_kernel_is_replayed_at_the_degrees_of_the_others), T(a_groups_launches_are_averaged),
      T(degrees_that_are_alike_are_replayed_once), T(a_longer_program_is_replayed_less_often),
      T(replays_that_differ_are_repeated), T(replays_tell_how_far_they_are))
