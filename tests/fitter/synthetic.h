/* tests/fitter/synthetic.h -- coefficients of every model that are not its defaults, and what the
 * model then says, as if it had been measured. */
#ifndef MDP_TESTS_FITTER_SYNTHETIC_H
#define MDP_TESTS_FITTER_SYNTHETIC_H

#include <math.h>
#include <stdlib.h>

#include "fitter/fit/fit.h"
#include "model/bottleneck.h"
#include "model/pilots.h"
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

/* The same of pilots: kernels on their way to their best degree, or beyond it. */
static void make_pilots_truth(struct coefficients *c)
{
    coefficients_init(c, &model_pilots);
}

static void series_of_pilots(struct series *s, int k)
{
    const double best = 2 + k % 5;
    snprintf(s->application, sizeof s->application, "k%d:small", k);
    s->sample = (struct sample){.thread_insts = 32000,
                                .warp_insts = 1000,
                                .total_thread_insts = 32000 * 230.0,
                                .launch_thread_insts = 32000 * 230.0,
                                .grid_ctas = 230,
                                .launches = 1,
                                .cores = 2,
                                .schedulers = 2,
                                .n_max = 8};
    for (int n = 1; n <= 8; n++) {
        s->sample.pilot_cycles[n - 1] = 115e3 * (1 + 0.1 * (n - best) * (n - best)) / best;
        s->at[n].cycles = s->sample.pilot_cycles[n - 1];
    }
    s->n_max = 8;
}

static struct series_set pilots_synthetic(const struct coefficients *c)
{
    struct series_set out = {.one = xcalloc(12, sizeof *out.one), .count = 12};
    (void)c;
    for (int k = 0; k < 12; k++)
        series_of_pilots(&out.one[k], k);
    return out;
}

/* The same of the model bottleneck: kernels that each resource bounds, or nothing but their own
 * time, of many rounds or of few, with an L2 or without. */
static void make_bottleneck_truth(struct coefficients *c)
{
    coefficients_init(c, &model_bottleneck);
    set(c, "time_power", 3);
    set(c, "sum_power", 2);
    set(c, "cold_data", 1);
    set(c, "by_misses", 0.5);
    set(c, "fetch", 0.3);
    set(c, "reads", 1.2);
    set(c, "writes", 1.5);
    set(c, "held", 0.8);
    set(c, "wave", 0.7);
    set(c, "start", 1.5);
}

static void bottleneck_kernel(const struct coefficients *c, struct series *s, int k)
{
    const double lines = 40 + 30 * (k % 4), rounds = 1 + k % 5, code = k % 3 == 1 ? 40 : 2;
    s->sample = (struct sample){.warp_insts = 1000,
                                .thread_insts = 32000,
                                .cta_cycles = 9000 + 500 * (k % 7),
                                .fetch_cycles = 2 * (1500 + 700 * (k % 4)),
                                .mem_dep_cycles = 2 * (2000 + 400 * (k % 6)),
                                .mf_latency = 200 + 50 * (k % 3),
                                .l1d_misses = lines,
                                .followed_insts = 1000,
                                .load_lines = 2 * lines,
                                .store_lines = k % 4 == 3 ? 300 : 10,
                                .past_lines = k % 5,
                                .port_cycles = k % 6 == 5 ? 3000 : 300,
                                .sp_cycles = k % 6 == 4 ? 4000 : 500,
                                .next_lines = 0.3 * lines,
                                .l2_lines = k % 2 ? 8192 : 0,
                                .warps_per_cta = 8,
                                .grid_ctas = 16 * rounds + 3 * (k % 2),
                                .total_ctas = 16 * rounds + 3 * (k % 2),
                                .total_warp_insts = 1000 * (16 * rounds + 3 * (k % 2)),
                                .total_thread_insts = 32000 * (16 * rounds + 3 * (k % 2)),
                                .launches = 1,
                                .cores = 2,
                                .schedulers = 2,
                                .issue_rate = 2,
                                .l2_lines_per_cycle = 1,
                                .dram_lines_per_cycle = 0.2,
                                .memory_latency = 240,
                                .bank_cycles = k % 5 == 2 ? 3 : 0.2,
                                .mshrs = k % 3 ? 8 : 32,
                                .n_max = 8};
    for (int n = 1; n <= 8; n++) {
        s->sample.l1d_misses_at[n - 1] = lines * (1 + 0.05 * (k % 3) * (n - 1));
        s->sample.l1i_misses_at[n - 1] = code / n;
    }
    for (int n = 1; n <= 8; n++) {
        const struct model_state now = {.cycles = NAN};
        const struct model_step t = {.sample = &s->sample,
                                     .part = &s->sample,
                                     .parts = 1,
                                     .before = &now,
                                     .now = &now,
                                     .n = n};
        s->at[n] = (struct model_state){.mf_latency = s->sample.mf_latency,
                                        .cta_cycles = s->sample.cta_cycles,
                                        .cycles = model_bottleneck.stages->predicted(c->value, &t)};
    }
    s->n_max = 8;
}

static struct series_set bottleneck_synthetic(const struct coefficients *c)
{
    struct series_set out = {.one = xcalloc(48, sizeof *out.one), .count = 48};
    for (int k = 0; k < 48; k++) {
        snprintf(out.one[k].application, sizeof out.one[k].application, "k%d:small", k);
        bottleneck_kernel(c, &out.one[k], k);
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
             {&model_bottleneck, make_bottleneck_truth, bottleneck_synthetic, 1, 48 * 8},
             {&model_pilots, make_pilots_truth, pilots_synthetic, 0, 0},
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
