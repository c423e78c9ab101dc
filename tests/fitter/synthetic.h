/* tests/fitter/synthetic.h -- coefficients of every model that are not its defaults, and what the
 * model then says, as if it had been measured. */
#ifndef MDP_TESTS_FITTER_SYNTHETIC_H
#define MDP_TESTS_FITTER_SYNTHETIC_H

#include <math.h>
#include <stdlib.h>

#include "fitter/fit/fit.h"
#include "model/queueing.h"
#include "model/segmented.h"
#include "model/yen2014.h"
#include "tests/fitter/coeff.h"

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
                                        .l1d_misses = miss[m] * accesses,
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
                                .l1d_misses = miss * 4 * lines,
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

/* NULL: the model has no row above. */
static inline const struct known *known_of(const struct model_ops *m)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].model == m)
            return &known[k];
    return NULL;
}

#endif
