/* A model whose ln ipc at n is a + b * ln n, of a sample's thread instructions; c is not fitted. */
#include <math.h>
#include <string.h>

#include "base/params.h"
#include "model/model.h"
#include "tests/suite.h"

#define COEFFS(X)                           \
    X(a, REAL, -10, 10, 0, "", "of all")    \
    X(b, REAL, -10, 10, 0, "", "of each n") \
    X(c, REAL, -10, 10, 0, "", "of nothing")
PARAM_STRUCT(coeff, COEFFS);

static const struct param rows[] = {
#define ROW(f, t, lo, hi, d, u, h) PARAM_ROW(struct coeff, f, t, lo, hi, d, u, h)
    COEFFS(ROW)
#undef ROW
};
static const struct param_group groups[] = {{"", rows, 3, 0}, {NULL, NULL, 0, 0}};

static void predict(const void *coeff, const struct sample *s, struct prediction *p)
{
    const struct coeff *k = coeff;
    *p = (struct prediction){.n_max = 4};
    for (int n = 1; n <= 4; n++)
        p->ipc[n] = s->thread_insts * exp(k->a + s->cores * k->b * log(n));
    p->chosen_n = 4;
}

static const struct model_ops line = {
    .name = "line", .groups = groups, .coeff_size = sizeof(struct coeff), .predict = predict};

static const struct sample samples[] = {
    {.warp_insts = 4, .thread_insts = 100, .total_thread_insts = 1000, .total_ctas = 1, .cores = 1},
    {.warp_insts = 4,
     .thread_insts = 100,
     .total_thread_insts = 1000,
     .total_ctas = 1,
     .cores = 3}};

/* Gradient (1, ln n): at n = 4 0.02^2 + 2 * ln 4 * r * 0.02 * 0.03 + (ln 4 * 0.03)^2, r being the
 * correlation, up to where both errors cancel. */
static void the_variance_is_that_of_the_gradient(void)
{
    const struct coeff at = {.a = 1, .b = 0.5};
    for (int i = -4; i <= 4; i++) {
        const double r = i / 4.0, both = r * 0.02 * 0.03;
        const double c[] = {0.0004, both, 0, both, 0.0009, 0, 0, 0, 0};
        const struct model_coeffs with = {&line, &at, c};
        struct prediction kernel, all;
        model_predict(&with, samples, 1, &kernel, &all);
        for (int n = 1; n <= 4; n++) {
            const double g = log(n), want = 0.0004 + 2 * g * both + g * g * 0.0009;
            CU_ASSERT_DOUBLE_EQUAL(pow(kernel.fit_error[n], 2), want, 1e-12);
            CU_ASSERT_EQUAL(all.fit_error[n], kernel.fit_error[n]);
            CU_ASSERT_DOUBLE_EQUAL(model_error(&all, n), sqrt(want), 1e-9);
        }
    }
}

/* On a bound only the way back is gone; nothing beyond it is ever predicted. */
static void differences_stay_within_the_range(void)
{
    const double c[] = {0.25, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int side = -1; side <= 1; side += 2) {
        const struct coeff at = {.a = 10 * side};
        struct prediction kernel, all;
        model_predict(&(struct model_coeffs){&line, &at, c}, samples, 1, &kernel, &all);
        CU_ASSERT_DOUBLE_EQUAL(all.fit_error[2], 0.5, 1e-9);
    }
}

/* Both kernels' times move by the same coefficient: at n = 2 by ln 2 and 3 ln 2 of it, weighted by
 * the times 1 / 2 and 1 / 8 that they take, b being 1. */
static void kernels_share_their_coefficients(void)
{
    const struct coeff at = {.b = 1};
    const double c[] = {0, 0, 0, 0, 1e-8, 0, 0, 0, 0};
    struct prediction kernel[2], all;
    model_predict(&(struct model_coeffs){&line, &at, c}, samples, 2, kernel, &all);
    CU_ASSERT_DOUBLE_EQUAL(kernel[0].fit_error[2], 1e-4 * log(2), 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(kernel[1].fit_error[2], 3e-4 * log(2), 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(all.fit_error[2], 1e-4 * log(2) * (0.5 + 3 * 0.125) / 0.625, 1e-10);
}

/* No covariance, or none but 0: as the model predicts, and no error. */
static void without_a_covariance_there_is_no_fit_error(void)
{
    const struct coeff at = {.a = 1, .b = 0.5};
    const double none[9] = {0};
    const double *const c[] = {NULL, none};
    for (int i = 0; i < 2; i++) {
        struct prediction kernel, all, want;
        model_predict(&(struct model_coeffs){&line, &at, c[i]}, samples, 1, &kernel, &all);
        predict(&at, samples, &want);
        CU_ASSERT_EQUAL(memcmp(&kernel, &want, sizeof want), 0);
        CU_ASSERT_EQUAL(model_error(&all, 4), 0);
    }
}

SUITE("fitted", T(the_variance_is_that_of_the_gradient), T(differences_stay_within_the_range),
      T(kernels_share_their_coefficients), T(without_a_covariance_there_is_no_fit_error))
