#include "model/queueing.h"

#include <math.h>

static const struct param coeff_rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct queueing_coeff, f, t, lo, hi, d, u, h)
    QUEUEING_COEFFS(ROW)
#undef ROW
};

static const struct param_group coeff_groups[] = {
    {"", coeff_rows, sizeof coeff_rows / sizeof *coeff_rows, 0}, {NULL, NULL, 0, 0}};

#define MOST (MODEL_N_MAX < SAMPLE_DEGREES ? MODEL_N_MAX : SAMPLE_DEGREES)

static int degrees(const struct sample *s)
{
    return (int)fmax(1, fmin(s->n_max, MOST));
}

/* Of other kernels, that the sample goes on to: where these have more CTAs, this one finds caches
 * and cores otherwise. */
static int degrees_beside(const struct sample *s)
{
    int n = degrees(s);
    while (n < MOST && s->replay_launch[n] > 0)
        n++;
    return n;
}

double queueing_reads(const struct sample *s, int n)
{
    const double ctas = s->replay_ctas[n - 1], all = fmax(ctas, sample_share(s)),
                 first = fmin(fmin(n, s->n_max), ctas);
    if (all <= 0)
        return 0;
    return (first * s->replay_reads_first[n - 1] + (all - first) * s->replay_reads_later[n - 1]) /
           all;
}

/* Part of a core's CTAs, that were not replayed. */
static double left_out(const struct sample *s, int n)
{
    const double replayed = s->replay_ctas[n - 1], all = sample_share(s);
    return replayed < all ? 1 - replayed / all : 0;
}

/* Of a core's CTAs some are replayed: how far off their mean may be falls to 0 when all are. */
static double independent_ctas(const struct sample *s, int n)
{
    const double left = left_out(s, n);
    return left > 0 ? s->replay_ctas[n - 1] / left : INFINITY;
}

/* Core cycles of a launch. */
static double expected(const struct queueing_coeff *k, const struct sample *s, int n)
{
    const double as_is = s->replay_launch[n - 1], even = s->replay_launch_even[n - 1];
    if (as_is <= 0 || even <= 0)
        return 0;
    return as_is * exp(k->dram_slow * s->replay_bus[n - 1]) * pow(even / as_is, k->smooth);
}

static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const struct queueing_coeff *k = coeff;
    *p = (struct prediction){.n_max = degrees(s),
                             .last = degrees_beside(s),
                             .margin = k->margin,
                             .error = k->error,
                             .dealt = k->dealt,
                             .alike = k->alike,
                             .reach = k->reach};
    for (int n = 1; n <= p->last; n++) {
        const double cycles = expected(k, s, n) * fmax(1, s->launches);
        p->ipc[n] = cycles > 0 ? s->total_thread_insts / cycles : 0;
        p->dram_reads_per_cta[n] = queueing_reads(s, n);
        p->miss_rate[n] = s->l1d_lines > 0 ? s->replay_miss_rate[n - 1] : 1;
        p->mf_latency[n] = s->replay_latency[n - 1];
        p->cta_cycles[n] = s->replay_cta_cycles[n - 1];
        p->ctas[n] = independent_ctas(s, n);
        p->left_out[n] = left_out(s, n);
        p->chance[n] = s->replay_chance[n - 1];
        p->bound[n] = model_bound(s, p, n, s->replay_bus[n - 1] > QUEUEING_DRAM_BOUND);
    }
    model_choose(p);
}

/* Core cycles of all launches of a kernel. */
static double predicted_time(const void *coeff, const struct model_step *t)
{
    double time = 0;
    for (int i = 0; i < t->parts; i++) {
        const struct sample *s = &t->part[i];
        const int most = degrees_beside(s);
        time += s->launches * expected(coeff, s, t->n < most ? t->n : most);
    }
    return time > 0 ? time : NAN;
}

static double observed_time(const struct model_step *t)
{
    return t->now->cycles;
}

static const char *const time_coeffs[] = {"dram_slow", "smooth", NULL};
static const struct model_jump no_jumps[] = {{NULL, NULL}};
static const struct model_stage stages[] = {
    {"time", time_coeffs, no_jumps, predicted_time, observed_time, NULL, false}, {.name = NULL}};

const struct model_ops model_queueing = {
    .name = "queueing",
    .help = "traces of all CTAs, or of a few cores', replayed on queues for units, network and "
            "DRAM",
    .groups = coeff_groups,
    .coeff_size = sizeof(struct queueing_coeff),
    .refines = true,
    .stages = stages,
    .columns = queueing_columns,
    .predict = predict,
};
