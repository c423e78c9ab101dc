/* tests/fitter/recorded.h -- a model that says what is written into a sample, pilot_cycles, and has
 * every coefficient that a fit takes from residuals: whoever tests these needs no real model. */
#ifndef MDP_TESTS_FITTER_RECORDED_H
#define MDP_TESTS_FITTER_RECORDED_H

#include <stdlib.h>

#include "model/model.h"
#include "tests/fitter/synthetic.h"

#define RECORDED_COEFFS(X)                              \
    X(margin, REAL, 0, 1, 0.04, "ratio", "m")           \
    X(error, REAL, 0, 2, 0.2, "log", "e")               \
    X(error_correlation, REAL, 0, 1, 0.5, "ratio", "a") \
    X(correlation_length, REAL, 0.1, 100, 0.7, "log", "r")
PARAM_STRUCT(recorded_coeff, RECORDED_COEFFS);

static void recorded_predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const struct recorded_coeff *k = coeff;
    *p = (struct prediction){.n_max = (int)s->n_max,
                             .margin = k->margin,
                             .error = k->error,
                             .error_correlation = k->error_correlation,
                             .correlation_length = k->correlation_length};
    for (int n = 1; n <= p->n_max; n++)
        p->ipc[n] = s->total_thread_insts / s->pilot_cycles[n - 1];
    model_choose(p);
}

static const struct param recorded_rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct recorded_coeff, f, t, lo, hi, d, u, h)
    RECORDED_COEFFS(ROW)
#undef ROW
};
static const struct param_group recorded_groups[] = {
    {"", recorded_rows, sizeof recorded_rows / sizeof *recorded_rows, 0}, {NULL, NULL, 0, 0}};
static const struct model_stage recorded_stages[] = {{.name = NULL}};
static const struct model_column recorded_columns[] = {{.name = NULL}};
static const struct model_ops model_recorded = {.name = "recorded",
                                                .help = "",
                                                .groups = recorded_groups,
                                                .coeff_size = sizeof(struct recorded_coeff),
                                                .stages = recorded_stages,
                                                .columns = recorded_columns,
                                                .predict = recorded_predict};

static void make_recorded_truth(struct coefficients *c)
{
    coefficients_init(c, &model_recorded);
}

/* Kernels on their way to their best degree, or beyond it; places for 115 CTAs a core. */
static struct series_set recorded_synthetic(const struct coefficients *c)
{
    struct series_set out = {.one = xcalloc(12, sizeof *out.one), .count = 12};
    (void)c;
    for (int k = 0; k < 12; k++)
        series_of_pilots(&out.one[k], k);
    return out;
}

static const struct known recorded = {&model_recorded, make_recorded_truth, recorded_synthetic, 0,
                                      0};

#endif
