/* yen2014.c -- Yen (2014), sections 4.2 to 5.1.
 *
 * Stages 2 and 3, their thresholds and factors are the paper's text (p. 22, p. 28). Stage 1 is
 * given there only as "a segmented curve fitted to the observed data" (p. 18) with its reasoning
 * and Table 5; the curve here is derived from both:
 *
 *   Each line has the probability 1 - miss_rate to be used again (p. 17), so a newcomer that
 *   evicts the share e of the resident lines costs a CTA e * (1 - miss_rate) * accesses reads:
 *       dr_inc(n) = 1 + r * e * (1 - m) / m,     m = miss rate at n - 1.
 *   The working set counts the lines that are used more than once: the paper's nbf has one of 65
 *   lines (p. 25) and reads 169 (Table 5), so lines that merely stream by are no part of it.
 *   e follows from capacity C and working set W of a CTA (p. 17, p. 25 to 27): a CTA's lines find
 *   room for the share f(n) = min(1, C / (n W)), hence e = 1 - f(n) / f(n-1).
 *   r (ours) is the share of such lines that is really read again. Table 5, read backwards, gives
 *   r = 0.67 0.68 0.71 0.60 for `unstructured` (n = 2..5), 0.47 0.63 0.92 1.06 0.63 for `nbf`
 *   (n = 2..6): 0.7. Where the working sets exceed the capacity but little, `bfs` (n = 5..8) shows
 *   about half of it: 0.35.
 *   No growth: all working sets fit (`bfs`, n <= 4, 0.98 to 1.01), or the miss rate has reached
 *   0.67 (`unstructured` from n = 6 on: 1.00), when what still hits is reuse at so short a distance
 *   that no neighbour evicts it.
 *
 * Deviations: section 4.4 also names "DRAM reads close to warp instructions" for the pipeline
 * effect of 1.2; 5.1, the scheme itself, does not, nor does this file. Whether a kernel is
 * compute-bound is decided in stage 2 (p. 28), so by the reads predicted for n, at each n. For such
 * kernels the paper says that the scheme tends to higher degrees (p. 37), not how: here their CTA
 * time grows by the pipeline effect alone, never so fast that another CTA loses, and of equals the
 * largest n wins. IPC is in absolute numbers of the whole GPU and bounded by its issue slots; a
 * grid with fewer CTAs than places fills no more than ceil(grid / cores) of them. */
#include "model/yen2014.h"

#include <math.h>

static const struct param coeff_rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct yen2014_coeff, f, t, lo, hi, d, u, h)
    YEN2014_COEFFS(ROW)
#undef ROW
};

static const struct param_group coeff_groups[] = {
    {"", coeff_rows, sizeof coeff_rows / sizeof *coeff_rows, 0}, {NULL, NULL, 0, 0}};

/* Working sets of n CTAs in units of the capacity. */
static double pressure(const struct sample *s, int n)
{
    return s->l1d_lines > 0 ? n * s->reused_lines / s->l1d_lines : INFINITY;
}

/* The segments of each stage, in the order of its coefficients at the end of this file. */
enum { READS_PART, READS_ALL, READS_STAY = -1 };
enum { LAT_LOW, LAT_MID, LAT_JUMP, LAT_HUGE, LAT_OTHER };
enum { PIPE_FITS, PIPE_HEAVY, PIPE_OTHER };

static int reads_segment(const struct yen2014_coeff *k, const struct sample *s, double miss, int n)
{
    if (miss <= 0 || miss >= k->dr_saturation || s->l1d_lines <= 0)
        return READS_STAY;
    return fmax(1, pressure(s, n)) <= k->dr_part_limit ? READS_PART : READS_ALL;
}

double yen2014_dr_inc(const struct yen2014_coeff *k, const struct sample *s,
                      const struct yen2014_state *before, int n)
{
    const int segment = reads_segment(k, s, before->miss_rate, n);
    if (segment == READS_STAY)
        return 1;
    double m = before->miss_rate;
    double now = fmax(1, pressure(s, n)), was = fmax(1, pressure(s, n - 1));
    double evicted = 1 - was / now;
    double again = segment == READS_PART ? k->dr_refetch_part : k->dr_refetch;
    return fmin(1 + again * evicted * (1 - m) / m, k->dr_saturation / m);
}

static int latency_segment(const struct yen2014_coeff *k, const struct sample *s,
                           double miss_before, double miss_now)
{
    double ws = pressure(s, 1), delta = miss_now - miss_before;
    if (miss_now < k->lat_low_miss || miss_now > k->lat_high_miss)
        return LAT_LOW;
    if (miss_now < k->lat_mid_miss)
        return LAT_MID;
    if (ws > k->lat_jump_ws && delta > k->lat_jump_delta)
        return LAT_JUMP;
    if (ws > k->lat_huge_ws && delta > k->lat_huge_delta)
        return LAT_HUGE;
    return LAT_OTHER;
}

double yen2014_latency(const struct yen2014_coeff *k, const struct sample *s, double miss_before,
                       double miss_now)
{
    const double growth[] = {[LAT_LOW] = k->lat_low,
                             [LAT_MID] = k->lat_mid,
                             [LAT_JUMP] = k->lat_jump,
                             [LAT_HUGE] = k->lat_huge,
                             [LAT_OTHER] = k->lat_other};
    return growth[latency_segment(k, s, miss_before, miss_now)];
}

static int pipeline_segment(const struct yen2014_coeff *k, const struct sample *s,
                            double dram_reads, int n)
{
    if (pressure(s, n) <= 1)
        return PIPE_FITS;
    return dram_reads > k->pipe_reads * s->l1d_lines ? PIPE_HEAVY : PIPE_OTHER;
}

double yen2014_pipeline(const struct yen2014_coeff *k, const struct sample *s, double dram_reads,
                        int n)
{
    const double stretch[] = {
        [PIPE_FITS] = k->pipe_fits, [PIPE_HEAVY] = k->pipe_heavy, [PIPE_OTHER] = k->pipe_other};
    return stretch[pipeline_segment(k, s, dram_reads, n)];
}

static bool is_compute_bound(const struct yen2014_coeff *k, const struct sample *s,
                             double dram_reads)
{
    return s->warp_insts > 0 && dram_reads / s->warp_insts < k->compute_bound;
}

/* Growth of a CTA's time to n CTAs with so many reads each; a compute-bound kernel's: stage 3. */
static double time_growth(const struct yen2014_coeff *k, const struct sample *s, double dram_reads,
                          double memory, int n)
{
    const double pipe = yen2014_pipeline(k, s, dram_reads, n);
    return is_compute_bound(k, s, dram_reads) ? fmin(pipe, (double)n / (n - 1)) : memory * pipe;
}

/* IPC of the whole GPU with n CTAs a core, each taking cta_cycles; *issue: the slots bound it. */
static double gpu_ipc(const struct sample *s, int n, double cta_cycles, bool *issue)
{
    double cores = fmin(s->cores, s->grid_ctas);
    double resident = fmin(n, ceil(s->grid_ctas / s->cores));
    double ipc = cta_cycles > 0 ? cores * resident * s->thread_insts / cta_cycles : 0;
    double lanes = s->warp_insts > 0 ? s->thread_insts / s->warp_insts : 0;
    double limit = cores * s->schedulers * lanes;
    *issue = ipc >= limit;
    return fmin(ipc, limit);
}

static const char *bound_of(bool issue, bool units, double dr_inc, double latency, double quiet)
{
    return bound_name(issue             ? BOUND_ISSUE
                      : dr_inc > quiet  ? BOUND_THRASH
                      : latency > quiet ? BOUND_DRAM
                      : units           ? BOUND_UNITS
                                        : BOUND_LATENCY);
}

/* Only where the time of a CTA grows by the pipeline alone does the rest say nothing of memory. */
static bool units_bound(const struct sample *s, const struct prediction *p, int n)
{
    return (n == 1 || p->compute_bound) && model_unit_wait(s, p, n) > MODEL_UNIT_BOUND;
}

/* One step of Figure 8: everything at n from what was predicted for n - 1. */
static void step(const struct yen2014_coeff *k, const struct sample *s, struct prediction *p, int n)
{
    struct yen2014_state before = {p->miss_rate[n - 1], p->dram_reads_per_cta[n - 1]};
    double dr_inc = yen2014_dr_inc(k, s, &before, n);
    p->dram_reads_per_cta[n] = before.dram_reads * dr_inc;
    p->miss_rate[n] = before.miss_rate * dr_inc;
    double lat = yen2014_latency(k, s, before.miss_rate, p->miss_rate[n]);
    p->mf_latency[n] = p->mf_latency[n - 1] * lat;
    p->compute_bound &= is_compute_bound(k, s, p->dram_reads_per_cta[n]);
    p->cta_cycles[n] =
        p->cta_cycles[n - 1] * time_growth(k, s, p->dram_reads_per_cta[n], dr_inc * lat, n);
    bool issue;
    p->ipc[n] = gpu_ipc(s, n, p->cta_cycles[n], &issue);
    const bool caches = !p->compute_bound && p->miss_rate[n] >= k->lat_low_miss;
    p->bound[n] = bound_of(issue, units_bound(s, p, n), caches ? dr_inc : 1,
                           p->compute_bound ? 1 : lat, k->lat_other);
}

static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const struct yen2014_coeff *k = coeff;
    bool issue;
    *p = (struct prediction){.n_max = (int)fmin(s->n_max, MODEL_N_MAX), .error = k->error};
    p->compute_bound = is_compute_bound(k, s, s->dram_reads);
    p->dram_reads_per_cta[1] = s->dram_reads;
    p->miss_rate[1] = sample_miss_rate(s);
    p->mf_latency[1] = s->mf_latency;
    p->cta_cycles[1] = s->cta_cycles;
    p->ipc[1] = gpu_ipc(s, 1, s->cta_cycles, &issue);
    p->bound[1] = bound_of(issue, units_bound(s, p, 1), 1, 1, k->lat_other);
    int filled = (int)fmax(1, fmin(p->n_max, ceil(s->grid_ctas / s->cores)));
    for (int n = 2; n <= filled; n++)
        step(k, s, p, n);
    for (int n = filled + 1; n <= p->n_max; n++) { /* places that no CTA of the grid ever takes */
        p->dram_reads_per_cta[n] = p->dram_reads_per_cta[filled];
        p->miss_rate[n] = p->miss_rate[filled];
        p->mf_latency[n] = p->mf_latency[filled];
        p->cta_cycles[n] = p->cta_cycles[filled];
        p->ipc[n] = p->ipc[filled];
        p->bound[n] = bound_name(BOUND_GRID);
    }
    p->chosen_n = model_decide(p->ipc, p->n_max, p->compute_bound);
}

/* The three stages as a fit sees them: one step of each from what was measured at n - 1. */

static double predicted_reads(const void *coeff, const struct model_step *t)
{
    struct yen2014_state before = {t->before->miss_rate, t->before->dram_reads};
    return yen2014_dr_inc(coeff, t->sample, &before, t->n);
}

static int segment_of_reads(const void *coeff, const struct model_step *t)
{
    return reads_segment(coeff, t->sample, t->before->miss_rate, t->n);
}

static double observed_reads(const struct model_step *t)
{
    return t->now->dram_reads / t->before->dram_reads;
}

static double predicted_latency(const void *coeff, const struct model_step *t)
{
    return yen2014_latency(coeff, t->sample, t->before->miss_rate, t->now->miss_rate);
}

static int segment_of_latency(const void *coeff, const struct model_step *t)
{
    return latency_segment(coeff, t->sample, t->before->miss_rate, t->now->miss_rate);
}

static double observed_latency(const struct model_step *t)
{
    return t->now->mf_latency / t->before->mf_latency;
}

/* Of the other two as they were measured. */
static double predicted_time(const void *coeff, const struct model_step *t)
{
    const double memory = observed_reads(t) * observed_latency(t);
    return time_growth(coeff, t->sample, t->now->dram_reads, memory, t->n);
}

static int segment_of_pipeline(const void *coeff, const struct model_step *t)
{
    return pipeline_segment(coeff, t->sample, t->now->dram_reads, t->n);
}

/* The pipeline effect is what the other two leave of it (p. 22), but not of a compute-bound kernel.
 * NAN: no reads or latency to go by. */
static double observed_time(const struct model_step *t)
{
    const double memory = observed_reads(t) * observed_latency(t);
    return memory > 0 && isfinite(memory) ? t->now->cta_cycles / t->before->cta_cycles : NAN;
}

static double pressure_now(const struct model_step *t)
{
    return pressure(t->sample, t->n);
}

static double pressure_alone(const struct model_step *t)
{
    return pressure(t->sample, 1);
}

static double miss_before(const struct model_step *t)
{
    return t->before->miss_rate;
}

static double miss_now(const struct model_step *t)
{
    return t->now->miss_rate;
}

static double miss_rise(const struct model_step *t)
{
    return t->now->miss_rate - t->before->miss_rate;
}

static double reads_of_insts(const struct model_step *t)
{
    return t->now->dram_reads / t->sample->warp_insts;
}

static double reads_of_capacity(const struct model_step *t)
{
    return t->now->dram_reads / t->sample->l1d_lines;
}

static const char *const reads_coeffs[] = {
    [READS_PART] = "dr_refetch_part", [READS_ALL] = "dr_refetch", NULL};
static const struct model_jump reads_jumps[] = {
    {"dr_part_limit", pressure_now}, {"dr_saturation", miss_before}, {NULL, NULL}};
static const char *const latency_coeffs[] = {
    [LAT_LOW] = "lat_low",   [LAT_MID] = "lat_mid",     [LAT_JUMP] = "lat_jump",
    [LAT_HUGE] = "lat_huge", [LAT_OTHER] = "lat_other", NULL};
static const struct model_jump latency_jumps[] = {
    {"lat_low_miss", miss_now},    {"lat_mid_miss", miss_now},
    {"lat_high_miss", miss_now},   {"lat_jump_ws", pressure_alone},
    {"lat_jump_delta", miss_rise}, {"lat_huge_ws", pressure_alone},
    {"lat_huge_delta", miss_rise}, {NULL, NULL}};
static const char *const pipeline_coeffs[] = {
    [PIPE_FITS] = "pipe_fits", [PIPE_HEAVY] = "pipe_heavy", [PIPE_OTHER] = "pipe_other", NULL};
static const struct model_jump pipeline_jumps[] = {
    {"compute_bound", reads_of_insts}, {"pipe_reads", reads_of_capacity}, {NULL, NULL}};

static const struct model_stage stages[] = {
    {"dram_reads", reads_coeffs, reads_jumps, predicted_reads, observed_reads, segment_of_reads,
     false},
    {"latency", latency_coeffs, latency_jumps, predicted_latency, observed_latency,
     segment_of_latency, false},
    {"pipeline", pipeline_coeffs, pipeline_jumps, predicted_time, observed_time,
     segment_of_pipeline, false},
    {.name = NULL}};

/* What each stage says of the step from n - 1 to n; 1 where there is no such step. */

static bool has_step(const struct sample *s, int n)
{
    return n > 1 && n <= ceil(s->grid_ctas / s->cores);
}

static double explain_pressure(const void *coeff, const struct sample *s,
                               const struct prediction *p, int n)
{
    (void)coeff, (void)p;
    return pressure(s, n);
}

static double explain_reads(const void *coeff, const struct sample *s, const struct prediction *p,
                            int n)
{
    (void)coeff;
    const double *reads = p->dram_reads_per_cta;
    return has_step(s, n) && reads[n - 1] > 0 ? reads[n] / reads[n - 1] : 1;
}

static double explain_latency(const void *coeff, const struct sample *s, const struct prediction *p,
                              int n)
{
    return has_step(s, n) ? yen2014_latency(coeff, s, p->miss_rate[n - 1], p->miss_rate[n]) : 1;
}

static double explain_pipeline(const void *coeff, const struct sample *s,
                               const struct prediction *p, int n)
{
    return has_step(s, n) ? yen2014_pipeline(coeff, s, p->dram_reads_per_cta[n], n) : 1;
}

static double explain_time(const void *coeff, const struct sample *s, const struct prediction *p,
                           int n)
{
    (void)coeff;
    return has_step(s, n) ? p->cta_cycles[n] / p->cta_cycles[n - 1] : 1;
}

static const struct model_column columns[] = {
    {"pressure", "x capacity", "working sets of n CTAs", explain_pressure},
    {"dr_inc", "x", "growth of a CTA's DRAM reads from n - 1 to n", explain_reads},
    {"lat_growth", "x", "growth of the latency of a read", explain_latency},
    {"pipe_effect", "x", "what the pipelines stretch a CTA by", explain_pipeline},
    {"time_growth", "x", "growth of a CTA's time: all three, or of a compute-bound kernel the last",
     explain_time},
    {NULL, NULL, NULL, NULL}};

const struct model_ops model_yen2014 = {
    .name = "yen2014",
    .help = "three stages: DRAM reads, latency, pipeline (Yen 2014, chapters 4 and 5)",
    .groups = coeff_groups,
    .coeff_size = sizeof(struct yen2014_coeff),
    .stages = stages,
    .columns = columns,
    .predict = predict,
};
