#include "model/segmented.h"

#include <math.h>

#define BANDWIDTH 0.7 /* load of DRAM that is called its limit */

static const struct param coeff_rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct segmented_coeff, f, t, lo, hi, d, u, h)
    SEGMENTED_COEFFS(ROW)
#undef ROW
};

static const struct param_group coeff_groups[] = {
    {"", coeff_rows, sizeof coeff_rows / sizeof *coeff_rows, 0}, {NULL, NULL, 0, 0}};

double segmented_slope(double low, double rise, double load)
{
    return low + rise * fmin(load, 1);
}

static double growth_of_n(int n)
{
    return (double)n / (n - 1);
}

/* Part of a CTA's reused lines that stays in the L1D with n CTAs; 1 without an L1D. */
static double resident(const struct segmented_coeff *k, const struct sample *s, int n)
{
    const double lines = n * s->reused_lines;
    return lines > 0 && s->l1d_lines > 0 ? fmin(1, k->dr_fill * s->l1d_lines / lines) : 1;
}

/* Of a CTA's DRAM reads, those left when n CTAs share lines. */
static double unshared(const struct segmented_coeff *k, const struct sample *s, int n)
{
    return 1 - k->dr_shared * s->shared_core * (n - 1) / n;
}

/* At most until all accesses miss. */
static double reads_growth(const struct segmented_coeff *k, const struct sample *s, double miss,
                           int n)
{
    const double left = fmax(0, 1 - miss / k->dr_saturation);
    const double all = miss > 0 ? fmax(1, 1 / miss) : INFINITY;
    return fmin(all, pow(resident(k, s, n - 1) / resident(k, s, n), k->dr_refetch * left) *
                         unshared(k, s, n) / unshared(k, s, n - 1));
}

/* DRAM's, when n CTAs with so many reads each take so long. */
static double dram_load(const struct sample *s, double reads, double cycles, int n)
{
    const double most = s->dram_lines_per_cycle * cycles;
    const double ctas = fmin(s->cores * (double)n, s->grid_ctas);
    return most > 0 ? ctas * reads / most : 0;
}

static double latency_growth(const struct segmented_coeff *k, double load, int n)
{
    return pow(growth_of_n(n), segmented_slope(k->lat_low, k->lat_rise, load));
}

static double issue_load(const struct sample *s, double cycles, int n)
{
    const double slots = s->schedulers * cycles;
    return slots > 0 ? n * s->warp_insts / slots : 0;
}

/* Share of its time in which a CTA waits for memory, when it takes so long: the rest is that of the
 * one that ran alone. */
static double memory_share(const struct sample *s, double cycles)
{
    const double all = s->issue_cycles + s->mem_dep_cycles + s->alu_dep_cycles + s->fetch_cycles +
                       s->barrier_cycles + s->mem_unit_cycles + s->alu_unit_cycles + s->idle_cycles;
    const double alone = all > 0 ? (s->mem_dep_cycles + s->mem_unit_cycles) / all : 0;
    return cycles > 0 ? fmax(0, fmin(1, 1 - (1 - alone) * s->cta_cycles / cycles)) : alone;
}

struct growth {
    double reads, latency;
};

/* Of a CTA's time. */
static double time_growth(const struct segmented_coeff *k, const struct sample *s,
                          const struct growth *g, double cycles, int n)
{
    const double h = memory_share(s, cycles);
    const double slope = segmented_slope(k->pipe_low, k->pipe_rise, issue_load(s, cycles, n));
    return pow(g->latency, k->pipe_latency * h) * pow(g->reads, k->pipe_reads * h) *
           pow(growth_of_n(n), slope);
}

/* How often a core takes n CTAs for its share of the grid. */
static double waves(const struct segmented_coeff *k, const struct sample *s, int n)
{
    const double smooth = fmax(1, sample_share(s) / n),
                 whole = fmax(1, ceil(sample_share(s) / n - 1e-9));
    return k->wave_step * whole + (1 - k->wave_step) * smooth;
}

/* Everything at n from what was predicted for n - 1; nothing grows at places that stay empty. */
static void step(const struct segmented_coeff *k, const struct sample *s, struct prediction *p,
                 int n)
{
    struct growth g = {1, 1};
    double time = 1;
    if (n <= ceil(sample_share(s))) {
        g.reads = reads_growth(k, s, p->miss_rate[n - 1], n);
        const double reads = p->dram_reads_per_cta[n - 1] * g.reads;
        g.latency = latency_growth(k, dram_load(s, reads, p->cta_cycles[n - 1], n), n);
        time = time_growth(k, s, &g, p->cta_cycles[n - 1], n);
    }
    p->dram_reads_per_cta[n] = p->dram_reads_per_cta[n - 1] * g.reads;
    p->miss_rate[n] = p->miss_rate[n - 1] * g.reads;
    p->mf_latency[n] = p->mf_latency[n - 1] * g.latency;
    p->cta_cycles[n] = p->cta_cycles[n - 1] * time;
}

static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const struct segmented_coeff *k = coeff;
    *p = (struct prediction){
        .n_max = (int)fmax(1, fmin(s->n_max, MODEL_N_MAX)), .margin = k->margin, .error = k->error};
    p->dram_reads_per_cta[1] = s->dram_reads;
    p->miss_rate[1] = sample_miss_rate(s);
    p->mf_latency[1] = s->mf_latency;
    p->cta_cycles[1] = s->cta_cycles;
    for (int n = 1; n <= p->n_max; n++) {
        if (n > 1)
            step(k, s, p, n);
        const double cycles = p->cta_cycles[n] * waves(k, s, n);
        p->ipc[n] =
            cycles > 0 ? fmin(s->grid_ctas * s->thread_insts / cycles, sample_issue_limit(s)) : 0;
        p->bound[n] = model_bound(
            s, p, n, dram_load(s, p->dram_reads_per_cta[n], p->cta_cycles[n], n) >= BANDWIDTH);
    }
    model_choose(p);
}

/* The stages as a fit sees them: one step of each from what was measured at n - 1. */

static double predicted_reads(const void *coeff, const struct model_step *t)
{
    return reads_growth(coeff, t->sample, t->before->miss_rate, t->n);
}

static double observed_reads(const struct model_step *t)
{
    return t->now->dram_reads / t->before->dram_reads;
}

static double load_now(const struct model_step *t)
{
    return dram_load(t->sample, t->now->dram_reads, t->before->cta_cycles, t->n);
}

static double predicted_latency(const void *coeff, const struct model_step *t)
{
    return latency_growth(coeff, load_now(t), t->n);
}

static double observed_latency(const struct model_step *t)
{
    return t->now->mf_latency / t->before->mf_latency;
}

static double predicted_time(const void *coeff, const struct model_step *t)
{
    const struct growth g = {observed_reads(t), observed_latency(t)};
    return time_growth(coeff, t->sample, &g, t->before->cta_cycles, t->n);
}

/* NAN: no reads or latency to go by. */
static double observed_time(const struct model_step *t)
{
    const bool known = observed_reads(t) > 0 && observed_latency(t) > 0;
    return known ? t->now->cta_cycles / t->before->cta_cycles : NAN;
}

static double predicted_waves(const void *coeff, const struct model_step *t)
{
    return waves(coeff, t->sample, t->n) / waves(coeff, t->sample, t->n - 1);
}

/* What the CTAs' time leaves of the whole kernel's. */
static double observed_waves(const struct model_step *t)
{
    return t->now->cycles / t->before->cycles / (t->now->cta_cycles / t->before->cta_cycles);
}

static const char *const reads_coeffs[] = {"dr_fill", "dr_refetch", "dr_saturation", "dr_shared",
                                           NULL};
static const struct model_jump no_jumps[] = {{NULL, NULL}};
static const char *const latency_coeffs[] = {"lat_low", "lat_rise", NULL};
static const char *const time_coeffs[] = {"pipe_latency", "pipe_reads", "pipe_low", "pipe_rise",
                                          NULL};
static const char *const wave_coeffs[] = {"wave_step", NULL};

static const struct model_stage stages[] = {
    {"dram_reads", reads_coeffs, no_jumps, predicted_reads, observed_reads, NULL, false},
    {"latency", latency_coeffs, no_jumps, predicted_latency, observed_latency, NULL, false},
    {"cta_cycles", time_coeffs, no_jumps, predicted_time, observed_time, NULL, false},
    {"waves", wave_coeffs, no_jumps, predicted_waves, observed_waves, NULL, false},
    {.name = NULL}};

/* What each stage says of the step from n - 1 to n; 1 where there is none. */

static double ratio_to_last(const double *v, int n)
{
    return n > 1 && v[n - 1] > 0 ? v[n] / v[n - 1] : 1;
}

static double explain_reads(const void *coeff, const struct sample *s, const struct prediction *p,
                            int n)
{
    (void)coeff, (void)s;
    return ratio_to_last(p->dram_reads_per_cta, n);
}

static double explain_load(const void *coeff, const struct sample *s, const struct prediction *p,
                           int n)
{
    (void)coeff;
    return dram_load(s, p->dram_reads_per_cta[n], p->cta_cycles[n], n);
}

static double explain_latency(const void *coeff, const struct sample *s, const struct prediction *p,
                              int n)
{
    (void)coeff, (void)s;
    return ratio_to_last(p->mf_latency, n);
}

static double explain_issue(const void *coeff, const struct sample *s, const struct prediction *p,
                            int n)
{
    (void)coeff;
    return issue_load(s, p->cta_cycles[n], n);
}

static double explain_memory(const void *coeff, const struct sample *s, const struct prediction *p,
                             int n)
{
    (void)coeff;
    return memory_share(s, p->cta_cycles[n]);
}

static double explain_time(const void *coeff, const struct sample *s, const struct prediction *p,
                           int n)
{
    (void)coeff, (void)s;
    return ratio_to_last(p->cta_cycles, n);
}

static double explain_waves(const void *coeff, const struct sample *s, const struct prediction *p,
                            int n)
{
    (void)p;
    return waves(coeff, s, n);
}

static const struct model_column columns[] = {
    {"dr_inc", "x", "growth of a CTA's DRAM reads from n - 1 to n", explain_reads},
    {"dram_load", "ratio", "of what DRAM can deliver, what n CTAs a core ask for", explain_load},
    {"lat_growth", "x", "growth of the latency of a read", explain_latency},
    {"memory_share", "ratio", "of a CTA's time, that in which it waits for memory", explain_memory},
    {"issue_load", "ratio", "of the issue slots, those that n CTAs use", explain_issue},
    {"time_growth", "x", "growth of a CTA's time", explain_time},
    {"waves", "waves", "of n CTAs, for a core's share of the grid", explain_waves},
    {NULL, NULL, NULL, NULL}};

const struct model_ops model_segmented = {
    .name = "segmented",
    .help = "three stages like yen2014's, as segmented curves fitted to profiles; waves",
    .groups = coeff_groups,
    .coeff_size = sizeof(struct segmented_coeff),
    .stages = stages,
    .columns = columns,
    .predict = predict,
};
