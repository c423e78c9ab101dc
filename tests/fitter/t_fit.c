#include "fitter/fit.h"
#include "fitter/least_squares.h"
#include "model/queueing.h"
#include "model/segmented.h"
#include "model/yen2014.h"
#include "tests/fitter/coeff.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Coefficients unlike the defaults, as a model could have them. */
static void make_truth(struct coefficients *c)
{
    coefficients_init(c, &model_yen2014);
    set(c, "dr_refetch_part", 0.5);
    set(c, "dr_refetch", 0.85);
    set(c, "lat_low", 1.01);
    set(c, "lat_mid", 1.2);
    set(c, "lat_jump", 1.6);
    set(c, "lat_huge", 1.4);
    set(c, "lat_other", 1.07);
    set(c, "pipe_fits", 1.02);
    set(c, "pipe_heavy", 1.3);
    set(c, "pipe_other", 1.15);
    set(c, "compute_bound", 0); /* else a CTA's time grows by stage 3 alone */
}

/* What the model with these coefficients says, as if it had been measured. */
static struct series_set synthetic(const struct coefficients *c)
{
    static const double miss[] = {0.05, 0.12, 0.2, 0.27, 0.4, 0.55, 0.7, 0.9};
    static const double lines[] = {4, 20, 40, 100, 500, 2000};
    struct series_set out = {.one = xcalloc(48, sizeof *out.one)};
    for (size_t m = 0; m < 8; m++)
        for (size_t w = 0; w < 6; w++) {
            struct series *s = &out.one[out.count++];
            double accesses = 4 * lines[w];
            snprintf(s->application, sizeof s->application, "k%d:small", (int)m);
            s->sample = (struct sample){.warp_insts = 1000,
                                        .thread_insts = 32000,
                                        .cta_cycles = 1e6,
                                        .l1d_accesses = accesses,
                                        .dram_reads = miss[m] * accesses,
                                        .mf_latency = 300,
                                        .reused_lines = lines[w],
                                        .l1d_lines = 64,
                                        .grid_ctas = 1000,
                                        .cores = 1,
                                        .schedulers = 2,
                                        .n_max = 8};
            struct prediction p;
            c->model->predict(c->value, &s->sample, &p);
            for (s->n_max = 1; s->n_max <= 8; s->n_max++)
                s->at[s->n_max] = (struct model_state){.dram_reads = p.dram_reads_per_cta[s->n_max],
                                                       .miss_rate = p.miss_rate[s->n_max],
                                                       .mf_latency = p.mf_latency[s->n_max],
                                                       .cta_cycles = p.cta_cycles[s->n_max]};
            s->n_max = 8;
        }
    return out;
}

static void expect_recovered(const struct model_fit *f, const struct coefficients *truth, int steps)
{
    for (int i = 0; i < f->stages; i++) {
        CU_ASSERT_EQUAL(f->stage[i].steps, steps);
        CU_ASSERT_TRUE(f->stage[i].rms < 1e-6);
        for (const char *const *name = f->stage[i].stage->coeff; *name; name++)
            CU_ASSERT_DOUBLE_EQUAL(get(&f->coeff, *name), get(truth, *name), 1e-6);
    }
}

/* The same of the model queueing: kernels that DRAM holds up more or less, on their way to their
 * best degree or beyond it. A measured time is that of the model's IPC. */
static void make_queueing_truth(struct coefficients *c)
{
    coefficients_init(c, &model_queueing);
    set(c, "dram_slow", 0.7);
    set(c, "smooth", 0.3);
}

static struct series_set queueing_synthetic(const struct coefficients *c)
{
    struct series_set out = {.one = xcalloc(12, sizeof *out.one)};
    for (int k = 0; k < 12; k++) {
        struct series *s = &out.one[out.count++];
        const double best = 2 + k % 5, dram = 0.1 * (k % 7);
        snprintf(s->application, sizeof s->application, "k%d:small", k);
        s->sample = (struct sample){.thread_insts = 32000,
                                    .warp_insts = 1000,
                                    .total_thread_insts = 32000 * 230.0,
                                    .grid_ctas = 230,
                                    .launches = 1,
                                    .cores = 2,
                                    .schedulers = 2,
                                    .replay_alone = 1000,
                                    .n_max = 8};
        for (int i = 0; i < 8; i++) {
            const double wave = 1000 * (1 + 0.1 * (i + 1 - best) * (i + 1 - best)) / best * (i + 1);
            const double launch = wave * 115 / (i + 1); /* 115 CTAs a core */
            s->sample.replay_ctas[i] = 3 * (i + 1);
            s->sample.replay_launch[i] = launch;
            s->sample.replay_bus[i] = dram * i / 7;
            s->sample.replay_launch_even[i] = launch * (1 + 0.05 * ((i + k) % 4));
        }
        struct prediction p;
        c->model->predict(c->value, &s->sample, &p);
        for (s->n_max = 1; s->n_max <= 8; s->n_max++)
            s->at[s->n_max].cycles = s->sample.total_thread_insts / p.ipc[s->n_max];
        s->n_max = 8;
    }
    return out;
}

static void make_segmented_truth(struct coefficients *c)
{
    coefficients_init(c, &model_segmented);
    set(c, "dr_fill", 0.7);
    set(c, "dr_refetch", 0.8);
    set(c, "dr_saturation", 0.9);
    set(c, "dr_shared", 0.3);
    set(c, "lat_low", 0.2);
    set(c, "lat_rise", 0.4);
    set(c, "pipe_latency", 1.2);
    set(c, "pipe_reads", 0.5);
    set(c, "pipe_low", 0.15);
    set(c, "pipe_rise", 0.3);
    set(c, "wave_step", 0.25);
}

/* The same of the model segmented; 16 schedulers: the slots never bound the IPC. */
static void segmented_kernel(const struct coefficients *c, struct series *s, double miss,
                             double lines, double share)
{
    s->sample = (struct sample){.warp_insts = 1000 * (1 + share),
                                .thread_insts = 32000,
                                .cta_cycles = 2000 + 10 * lines,
                                .l1d_accesses = 4 * lines,
                                .dram_reads = miss * 4 * lines,
                                .mf_latency = 300,
                                .reused_lines = lines,
                                .l1d_lines = 64,
                                .shared_core = share,
                                .issue_cycles = 1000,
                                .mem_dep_cycles = 3000 * miss,
                                .alu_dep_cycles = 500,
                                .grid_ctas = 20 + 10 * share,
                                .cores = 2,
                                .schedulers = 16,
                                .dram_lines_per_cycle = 0.5,
                                .n_max = 8};
    struct prediction p;
    c->model->predict(c->value, &s->sample, &p);
    for (int n = 1; n <= 8; n++)
        s->at[n] = (struct model_state){.dram_reads = p.dram_reads_per_cta[n],
                                        .miss_rate = p.miss_rate[n],
                                        .mf_latency = p.mf_latency[n],
                                        .cta_cycles = p.cta_cycles[n],
                                        .cycles = 1 / p.ipc[n]};
    s->n_max = 8;
}

static struct series_set segmented_synthetic(const struct coefficients *c)
{
    struct series_set out = {.one = xcalloc(48, sizeof *out.one), .count = 48};
    for (int i = 0; i < 48; i++)
        segmented_kernel(c, &out.one[i], 0.1 + 0.1 * (i % 8), 10 * pow(3, i / 8), (i % 5) / 5.0);
    return out;
}

/* A model, coefficients of it that are not its defaults, and what it then says. A model without a
 * row here fails the test. */
static const struct known {
    const struct model_ops *model;
    void (*truth)(struct coefficients *c);
    struct series_set (*series)(const struct coefficients *c);
    int stages, steps;
} known[] = {{&model_yen2014, make_truth, synthetic, 3, 48 * 7},
             {&model_queueing, make_queueing_truth, queueing_synthetic, 1, 12 * 7},
             {&model_segmented, make_segmented_truth, segmented_synthetic, 4, 48 * 7}};

static void expect_every_method_recovers(const struct known *k)
{
    static const char *const methods[] = {
#define X(name, symbol, help) name,
        LS_METHODS(X)
#undef X
    };
    struct coefficients truth, start;
    k->truth(&truth);
    coefficients_init(&start, k->model);
    struct series_set set = k->series(&truth);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct model_fit f;
        struct err e = {""};
        struct fit_opts o = {.method = methods[m], .robust = m == 1};
        bool ok = fit_run(&start, &set, &o, &f, &e);
        CU_ASSERT_TRUE(ok);
        CU_ASSERT_STRING_EQUAL(e.msg, "");
        if (ok) {
            CU_ASSERT_EQUAL(f.stages, k->stages);
            expect_recovered(&f, &truth, k->steps);
            fit_release(&f);
        }
    }
    series_release(&set);
    coefficients_release(&truth);
    coefficients_release(&start);
}

static void every_method_recovers_every_models_coefficients(void)
{
    const size_t n = sizeof known / sizeof *known;
    for (int i = 0; model_at(i); i++) {
        size_t k = 0;
        while (k < n && known[k].model != model_at(i))
            k++;
        CU_ASSERT_TRUE_FATAL(k < n);
        expect_every_method_recovers(&known[k]);
    }
}

/* 0.2 + 0.4 * load, and no more beyond a load of 1. */
static void segmented_slopes_end_at_full_load(void)
{
    CU_ASSERT_DOUBLE_EQUAL(segmented_slope(0.2, 0.4, 0), 0.2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(segmented_slope(0.2, 0.4, 0.5), 0.4, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(segmented_slope(0.2, 0.4, 3), 0.6, 1e-12);
}

/* Jumps elsewhere than where the fit begins: found up to the gap between two measured values. */
static void jumps_are_found(void)
{
    struct coefficients truth, start;
    make_truth(&truth);
    set(&truth, "dr_part_limit", 3);
    set(&truth, "dr_saturation", 0.8);
    set(&truth, "pipe_reads", 12);
    coefficients_init(&start, &model_yen2014);
    struct series_set set = synthetic(&truth);
    struct model_fit f;
    struct fit_opts o = {0};
    CU_ASSERT_TRUE_FATAL(fit_run(&start, &set, &o, &f, NULL));
    CU_ASSERT_TRUE(f.stage[0].rms < 0.01);
    CU_ASSERT_TRUE(f.stage[2].rms < 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(get(&f.coeff, "dr_refetch_part"), 0.5, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(get(&f.coeff, "dr_refetch"), 0.85, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(get(&f.coeff, "pipe_heavy"), 1.3, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(get(&f.coeff, "pipe_other"), 1.15, 1e-6);
    fit_release(&f);
    series_release(&set);
    coefficients_release(&truth);
    coefficients_release(&start);
}

static bool not_k3(void *user, const struct series *s)
{
    char name[128];
    (void)user;
    return strcmp(series_workload(s, name), "k3") != 0;
}

static bool is_k3(void *user, const struct series *s)
{
    return !not_k3(user, s);
}

static void what_is_held_out_is_not_seen(void)
{
    struct coefficients truth, start;
    make_truth(&truth);
    coefficients_init(&start, &model_yen2014);
    struct series_set set = synthetic(&truth);
    for (int i = 0; i < set.count; i++) /* nonsense, which a fit would follow */
        for (int n = 2; is_k3(NULL, &set.one[i]) && n <= 8; n++)
            set.one[i].at[n].mf_latency *= 3;
    struct fit_opts o = {.sees = not_k3};
    struct model_fit f;
    CU_ASSERT_TRUE_FATAL(fit_run(&start, &set, &o, &f, NULL));
    expect_recovered(&f, &truth, 42 * 7);
    int steps;
    double off = fit_rms(f.stage[1].stage, f.coeff.value, &set, is_k3, NULL, &steps);
    CU_ASSERT_EQUAL(steps, 6 * 7);
    CU_ASSERT_DOUBLE_EQUAL(off, log(3) / sqrt(7), 1e-3); /* only the step from 1 to 2 is wrong */
    fit_release(&f);
    series_release(&set);
    coefficients_release(&truth);
    coefficients_release(&start);
}

static void expect_error(const struct series_set *set, const struct fit_opts *o, const char *text)
{
    struct coefficients start;
    struct model_fit f;
    struct err e = {""};
    coefficients_init(&start, &model_yen2014);
    CU_ASSERT_FALSE(fit_run(&start, set, o, &f, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, text));
    coefficients_release(&start);
}

static void what_the_series_do_not_tell_is_an_error(void)
{
    struct coefficients truth;
    make_truth(&truth);
    struct series_set set = synthetic(&truth);
    int all = set.count;
    set.count = 0;
    expect_error(&set, &(struct fit_opts){0}, "no step from one n to the next");
    set.count = 1; /* 4 lines a CTA: eight of them fit, and no read is ever repeated */
    expect_error(
        &set, &(struct fit_opts){0},
        "stage dram_reads: none of 7 steps depends on dr_refetch; hold it, or fit to more");
    set.count = all;
    const char *name = "lat_hgue";
    expect_error(&set, &(struct fit_opts){.hold = &name, .holds = 1}, "\"lat_hgue\"");
    series_release(&set);
    coefficients_release(&truth);
}

/* Yen's Tables 5 to 7. Of them alone nothing tells pipe_fits: three working sets that exceed the
 * L1D. The curves fit the tables better than the coefficients read off the paper's text do. */
static void yens_tables_are_fitted(void)
{
    struct series_set set;
    struct coefficients paper;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(series_load("data/papers/yen2014-series.csv", &set, &e));
    CU_ASSERT_EQUAL(set.count, 3);
    CU_ASSERT_TRUE_FATAL(
        coefficients_load(&paper, &model_yen2014, "data/coefficients/yen2014.cfg", &e));
    const char *hold = "pipe_fits";
    struct fit_opts o = {.hold = &hold, .holds = 1};
    struct model_fit f;
    CU_ASSERT_TRUE_FATAL(fit_run(&paper, &set, &o, &f, &e));
    for (int i = 0; i < f.stages; i++) {
        int steps;
        double before = fit_rms(f.stage[i].stage, paper.value, &set, NULL, NULL, &steps);
        CU_ASSERT_EQUAL(steps, 21);
        CU_ASSERT_TRUE(f.stage[i].rms < 0.8 * before);
    }
    CU_ASSERT_TRUE(f.stage[0].rms < 0.1 && f.stage[1].rms < 0.11);
    /* unstructured at n = 2 and 3 grows by 1.46 and 1.74, the latter beyond a rise of 0.1 */
    CU_ASSERT_DOUBLE_EQUAL(get(&f.coeff, "lat_jump"), 1.74, 0.01);
    fit_release(&f);
    series_release(&set);
    coefficients_release(&paper);
}

static void written_coefficients_read_back(void)
{
    struct coefficients c, back;
    make_truth(&c);
    *coefficient_at(c.model, c.error, coefficient_find(c.model, "lat_jump")) = 0.125;
    char path[] = "/tmp/t_fit.XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    coefficients_write(&c, "a \"quoted\\\" file", "fits well", f);
    fclose(f);
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(coefficients_load(&back, &model_yen2014, path, &e));
    CU_ASSERT_EQUAL(memcmp(back.value, c.value, c.model->coeff_size), 0);
    CU_ASSERT_EQUAL(memcmp(back.error, c.error, c.model->coeff_size), 0);
    coefficients_release(&back);
    f = fopen(path, "a");
    fputs("lat_jmup = 2.0;\n", f);
    fclose(f);
    CU_ASSERT_FALSE(coefficients_load(&back, &model_yen2014, path, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "lat_jmup"));
    unlink(path);
    coefficients_release(&c);
}

SUITE("fit", T(every_method_recovers_every_models_coefficients),
      T(segmented_slopes_end_at_full_load), T(jumps_are_found), T(what_is_held_out_is_not_seen),
      T(what_the_series_do_not_tell_is_an_error), T(yens_tables_are_fitted),
      T(written_coefficients_read_back))
