#include "base/rng.h"
#include "fitter/fit/least_squares.h"
#include "tests/suite.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#define ROWS 40

struct curve {
    double x[ROWS], y[ROWS];
    int rows;
};

/* a exp(-b x) + c */
static double decay(void *user, const double *k, int i)
{
    const struct curve *d = user;
    return k[0] * exp(-k[1] * d->x[i]) + k[2];
}

static double line(void *user, const double *k, int i)
{
    const struct curve *d = user;
    return k[0] + k[1] * d->x[i];
}

static struct curve sample_of(double (*f)(void *, const double *, int), const double *k, int rows)
{
    struct curve d = {.rows = rows};
    for (int i = 0; i < rows; i++)
        d.x[i] = 0.25 * i;
    for (int i = 0; i < rows; i++)
        d.y[i] = f(&d, k, i);
    return d;
}

static const struct ls_coeff decay_coeffs[] = {
    {"a", 0, 10, 1}, {"b", 0, INFINITY, 1}, {"c", -INFINITY, INFINITY, 0}};
static const struct ls_coeff line_coeffs[] = {{"a", -INFINITY, INFINITY, 0},
                                              {"b", -INFINITY, INFINITY, 0}};

static struct ls_problem problem(double (*f)(void *, const double *, int), const struct ls_coeff *c,
                                 int n, struct curve *d)
{
    return (struct ls_problem){
        .coeff = c, .ncoeff = n, .nrows = d->rows, .y = d->y, .value = f, .user = d};
}

static void every_method_recovers_what_made_the_data(void)
{
    static const char *const methods[] = {
#define X(name, symbol, help) name,
        LS_METHODS(X)
#undef X
    };
    const double truth[] = {3.5, 0.7, -1.25};
    struct curve d = sample_of(decay, truth, ROWS);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct ls_problem p = problem(decay, decay_coeffs, 3, &d);
        struct ls_fit fit;
        struct err e = {""};
        p.method = methods[m];
        p.robust = m % 2;
        CU_ASSERT_TRUE(ls_fit(&p, &fit, &e));
        CU_ASSERT_STRING_EQUAL(e.msg, "");
        for (int c = 0; c < 3; c++)
            CU_ASSERT_DOUBLE_EQUAL(fit.value[c], truth[c], 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(fit.r2, 1, 1e-12);
    }
}

/* y = 1 + 2x at x = 0, 0.25, .. 0.75, with residuals +1 -1 -1 +1 (orthogonal to 1 and x):
 * rss = 4, two degrees of freedom, s^2 = 2; sum (x - mean)^2 = 0.3125, mean = 0.375:
 * error(b) = sqrt(2 / 0.3125), error(a) = sqrt(2 (1/4 + 0.375^2 / 0.3125)). */
static void standard_errors_of_a_line_by_hand(void)
{
    const double truth[] = {1, 2}, noise[] = {1, -1, -1, 1};
    struct curve d = sample_of(line, truth, 4);
    for (int i = 0; i < 4; i++)
        d.y[i] += noise[i];
    struct ls_problem p = problem(line, line_coeffs, 2, &d);
    struct ls_fit fit;
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fit.value[0], 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(fit.value[1], 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(fit.error[1], sqrt(2 / 0.3125), 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(fit.error[0], sqrt(2 * (0.25 + 0.375 * 0.375 / 0.3125)), 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(fit.covariance[0][1], -2 * 0.375 / 0.3125, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(fit.rms, 1, 1e-9);
}

/* One row in eight lies far off: least squares follows it, the robust fit does not. */
static void robust_weights_leave_outliers_out(void)
{
    const double truth[] = {1, 2};
    struct curve d = sample_of(line, truth, ROWS);
    struct rng r = rng_seed(7);
    for (int i = 0; i < ROWS; i++)
        d.y[i] += i % 8 == 5 ? 30 : rng_real(&r, -0.01, 0.01);
    struct ls_problem p = problem(line, line_coeffs, 2, &d);
    struct ls_fit fit;
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    CU_ASSERT_TRUE(fabs(fit.value[0] - 1) > 1);
    p.robust = true;
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fit.value[0], 1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(fit.value[1], 2, 0.01);
}

/* No residual but those of the outliers, once these have no weight: the scatter comes to nothing.
 */
static void robust_weights_leave_outliers_out_of_exact_rows(void)
{
    const double truth[] = {1, 2};
    struct curve d = sample_of(line, truth, ROWS);
    for (int i = 0; i < ROWS; i += 10)
        d.y[i] *= 3;
    struct ls_problem p = problem(line, line_coeffs, 2, &d);
    struct ls_fit fit;
    p.robust = true;
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fit.value[0], 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(fit.value[1], 2, 1e-9);
    CU_ASSERT_EQUAL(fit.left_out, ROWS / 10);
}

/* k[1] only from x = 7 on, which most rows don't reach: they fit, whatever it is. */
static double late(void *user, const double *k, int i)
{
    const struct curve *d = user;
    return 1 + k[0] * k[1] * fmax(0, d->x[i] - 7);
}

/* Three rows in four fit exactly at any slope, and of the others one is an outlier. */
static void rows_that_no_coefficient_moves_are_no_measure_of_scatter(void)
{
    const double truth[] = {1, 2};
    static const struct ls_coeff coeffs[] = {{"one", 1, 1, 1}, {"slope", -100, 100, 0}};
    struct curve d = sample_of(late, truth, ROWS);
    d.y[35] *= 3;
    struct ls_problem p = problem(late, coeffs, 2, &d);
    struct ls_fit fit;
    p.robust = true;
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fit.value[1], 2, 1e-9);
}

/* A row's weight counts as that many rows: 0 takes it out. */
static void weights_count_rows(void)
{
    const double truth[] = {1, 2};
    struct curve d = sample_of(line, truth, 6);
    double weight[6] = {1, 1, 1, 1, 1, 0};
    d.y[5] = 1000;
    struct ls_problem p = problem(line, line_coeffs, 2, &d);
    p.weight = weight;
    struct ls_fit fit;
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fit.value[0], 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(fit.value[1], 2, 1e-9);
}

/* The truth, b = 2, lies outside: b stays on its bound, a is the best for that. With b = 1.5 the
 * best a of 1 + 2x is 1 + 0.5 mean(x), mean(x) = 0.25 * 9 / 2. */
static void a_coefficient_on_its_bound_is_held_there(void)
{
    const double truth[] = {1, 2};
    struct curve d = sample_of(line, truth, 10);
    const struct ls_coeff both[] = {{"a", -INFINITY, INFINITY, 0}, {"b", 0, 1.5, 1}};
    const struct ls_coeff above[] = {{"a", -INFINITY, INFINITY, 0}, {"b", -INFINITY, 1.5, 1}};
    const struct ls_coeff *const cases[] = {both, above};
    for (int i = 0; i < 2; i++) {
        struct ls_problem p = problem(line, cases[i], 2, &d);
        struct ls_fit fit;
        CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
        CU_ASSERT_EQUAL(fit.value[1], 1.5);
        CU_ASSERT_TRUE(fit.on_bound[1] && !fit.on_bound[0]);
        CU_ASSERT_TRUE(isnan(fit.error[1]) && isfinite(fit.error[0]));
        CU_ASSERT_DOUBLE_EQUAL(fit.value[0], 1 + 0.5 * 0.25 * 4.5, 1e-6);
    }
}

static void equal_bounds_hold_a_coefficient(void)
{
    const double truth[] = {1, 2};
    struct curve d = sample_of(line, truth, 10);
    const struct ls_coeff held[] = {{"a", 0, 0, 0}, {"b", -INFINITY, INFINITY, 1}};
    struct ls_problem p = problem(line, held, 2, &d);
    struct ls_fit fit;
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    CU_ASSERT_EQUAL(fit.value[0], 0);
    CU_ASSERT_TRUE(isnan(fit.error[0]));
}

static double no_part(void *user, const double *k, int i)
{
    (void)user;
    (void)i;
    return k[0] + 0 * k[1];
}

static double never_finite(void *user, const double *k, int i)
{
    (void)user;
    return i == 2 ? NAN : k[0] + k[1];
}

static void expect_error(const struct ls_problem *p, const char *text)
{
    struct ls_fit fit;
    struct err e = {""};
    CU_ASSERT_FALSE(ls_fit(p, &fit, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, text));
}

static void what_cannot_be_fitted_is_an_error(void)
{
    const double truth[] = {1, 2};
    struct curve d = sample_of(line, truth, ROWS);
    struct ls_problem p = problem(line, line_coeffs, 2, &d);
    p.nrows = 2;
    expect_error(&p, "too few rows: 2, for 2 coefficients");
    p = problem(no_part, line_coeffs, 2, &d);
    expect_error(&p, "least of all b");
    p = problem(never_finite, line_coeffs, 2, &d);
    expect_error(&p, "row 3 of 40");
    p = problem(line, line_coeffs, 2, &d);
    p.method = "guess";
    expect_error(&p, "\"guess\"");
    d.y[4] = INFINITY;
    p.method = NULL;
    expect_error(&p, "row 5 of 40");
}

static double hardly(void *user, const double *k, int i)
{
    const struct curve *d = user;
    return k[0] + 1e-11 * k[1] * d->x[i];
}

static double little(void *user, const double *k, int i)
{
    const struct curve *d = user;
    return k[0] + 1e-3 * k[1] * d->x[i];
}

/* b does something from 5 on. */
static double plain(void *user, const double *k, int i)
{
    const struct curve *d = user;
    return k[0] + fmax(0, k[1] - 5) * d->x[i];
}

static const char *const methods[] = {
#define X(name, symbol, help) name,
    LS_METHODS(X)
#undef X
};
#define NMETHODS (sizeof methods / sizeof *methods)

/* Nothing moves with b; all that moves with b is far below what it has to explain; b goes from 0 to
 * 10, and rows off by 1 leave it an error of 1 / (1e-3 sqrt(533)), 43: sum (x - mean)^2 = 533. */
static void what_the_rows_do_not_determine_is_an_error_by_every_method(void)
{
    static const struct ls_coeff coeffs[] = {{"a", -INFINITY, INFINITY, 0}, {"b", 0, 10, 1}};
    const double level[] = {1, 0}, small[] = {1, 5e-3};
    struct curve flat = sample_of(line, level, ROWS), noisy = sample_of(line, small, ROWS);
    for (int i = 0; i < ROWS; i++)
        noisy.y[i] += i % 4 == 0 || i % 4 == 3 ? 1 : -1;
    for (size_t m = 0; m < NMETHODS; m++) {
        struct ls_problem p[] = {problem(plain, coeffs, 2, &flat),
                                 problem(hardly, coeffs, 2, &flat),
                                 problem(little, coeffs, 2, &noisy)};
        for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
            p[i].method = methods[m];
            p[i].thorough = true;
            expect_error(&p[i], "least of all b");
        }
    }
}

/* The search begins where nothing moves with b. */
static void a_plain_is_left_for_a_lower_place(void)
{
    static const struct ls_coeff coeffs[] = {{"a", -INFINITY, INFINITY, 0}, {"b", 0, 10, 1}};
    const double truth[] = {1, 7};
    struct curve d = sample_of(plain, truth, ROWS);
    for (size_t m = 0; m < NMETHODS; m++) {
        struct ls_problem p = problem(plain, coeffs, 2, &d);
        struct ls_fit fit;
        p.method = methods[m];
        expect_error(&p, "least of all b");
        p.thorough = true;
        CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
        CU_ASSERT_DOUBLE_EQUAL(fit.value[0], 1, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(fit.value[1], 7, 1e-6);
    }
}

/* Fits run side by side in threads: one that ends must not give GSL's errors back to the handler
 * that ends the program, under the others. NULL would be that one. */
static void a_fit_that_ends_leaves_gsl_to_the_others(void)
{
    const double truth[] = {1, 2};
    struct curve d = sample_of(line, truth, ROWS);
    const struct ls_problem p = problem(line, line_coeffs, 2, &d);
    struct ls_fit fit;
    gsl_set_error_handler(NULL);
    CU_ASSERT_TRUE(ls_fit(&p, &fit, NULL));
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    CU_ASSERT_PTR_NOT_NULL(handler);
}

SUITE("least squares", T(every_method_recovers_what_made_the_data),
      T(standard_errors_of_a_line_by_hand), T(robust_weights_leave_outliers_out),
      T(robust_weights_leave_outliers_out_of_exact_rows),
      T(rows_that_no_coefficient_moves_are_no_measure_of_scatter),
      T(what_the_rows_do_not_determine_is_an_error_by_every_method),
      T(a_plain_is_left_for_a_lower_place), T(a_fit_that_ends_leaves_gsl_to_the_others),
      T(weights_count_rows), T(a_coefficient_on_its_bound_is_held_there),
      T(equal_bounds_hold_a_coefficient), T(what_cannot_be_fitted_is_an_error))
