/* What a fit says of its errors: drawn with a known scatter, and shared by degrees as known, they
 * are found again. */
#include "base/rng.h"
#include "fitter/fit/residuals.h"
#include "tests/fitter/recorded.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES 8
#define SIGMA   0.02

static double normal(struct rng *r)
{
    return sqrt(-2 * log(1 - rng_real(r, 0, 1))) * cos(2 * M_PI * rng_real(r, 0, 1));
}

static double shared(double error_correlation, double correlation_length, int n, int m)
{
    return n == m ? 1 : error_correlation * exp(-fabs(log((double)n / m)) / correlation_length);
}

/* *out: DEGREES normal numbers, any two of which share that part: by Cholesky's decomposition. */
static void draw(struct rng *r, double error_correlation, double correlation_length, double *out)
{
    double l[DEGREES][DEGREES] = {{0}}, z[DEGREES];
    for (int i = 0; i < DEGREES; i++) {
        z[i] = normal(r);
        for (int k = 0; k <= i; k++) {
            double sum = shared(error_correlation, correlation_length, i + 1, k + 1);
            for (int j = 0; j < k; j++)
                sum -= l[i][j] * l[k][j];
            l[i][k] = i == k ? sqrt(sum) : sum / l[k][k];
        }
        out[i] = 0;
        for (int k = 0; k <= i; k++)
            out[i] += l[i][k] * z[k];
    }
}

/* Whole times as the model has them, of every kernel of `times` copies of what is known of it. */
static struct series_set whole(const struct known *k, const struct coefficients *truth, int times)
{
    struct series_set all = {0};
    for (int t = 0; t < times; t++) {
        struct series_set one = k->series(truth);
        all.one = xrealloc(all.one, (size_t)(all.count + one.count) * sizeof *all.one);
        memcpy(all.one + all.count, one.one, (size_t)one.count * sizeof *one.one);
        all.count += one.count;
        free(one.one);
    }
    for (int i = 0; i < all.count; i++) {
        struct series *s = &all.one[i];
        struct prediction p;
        s->sample.total_thread_insts = 1e6;
        k->model->predict(truth->value, &s->sample, &p);
        for (int n = 1; n <= DEGREES; n++)
            s->at[n].cycles = 1e6 / p.ipc[n];
    }
    return all;
}

static void disturb(struct series_set *set, double sigma, double error_correlation,
                    double correlation_length, uint64_t seed)
{
    struct rng r = rng_seed(seed);
    for (int i = 0; i < set->count; i++) {
        double off[DEGREES];
        draw(&r, error_correlation, correlation_length, off);
        for (int n = 1; n <= DEGREES; n++)
            set->one[i].at[n].cycles *= exp(sigma * off[n - 1]);
    }
}

struct fixture {
    struct coefficients truth;
    struct series_set set;
};

static struct fixture drawn(const struct known *k, double error_correlation,
                            double correlation_length, int times)
{
    struct fixture x;
    k->truth(&x.truth);
    x.set = whole(k, &x.truth, times);
    disturb(&x.set, SIGMA, error_correlation, correlation_length, 7);
    return x;
}

static void finish(struct fixture *x)
{
    series_release(&x->set);
    coefficients_release(&x->truth);
}

/* How far the errors at two degrees are from each other. */
static void expect_apart(const struct coefficients *c, double error_correlation,
                         double correlation_length)
{
    static const int pair[][2] = {{1, 2}, {2, 3}, {1, 4}, {4, 8}, {1, 8}};
    static const char *const names[] = {"error_correlation", "correlation_length"};
    for (size_t i = 0; i < 5; i++) {
        const int n = pair[i][0], m = pair[i][1];
        const double is = 1 -
                          shared(get(c, "error_correlation"), get(c, "correlation_length"), n, m),
                     wanted = 1 - shared(error_correlation, correlation_length, n, m);
        CU_ASSERT_DOUBLE_EQUAL(get(c, "error") * sqrt(is) / SIGMA / sqrt(wanted), 1, 0.05);
    }
    for (int i = 0; i < 2; i++)
        CU_ASSERT_TRUE(*coefficient_at(c->model, c->error, coefficient_find(c->model, names[i])) >
                       0);
}

/* Of gains over the largest degree that are predicted, the part that promises more than a margin
 * too much. */
static double beyond(const struct fixture *x, double margin, double error_correlation,
                     double correlation_length)
{
    double sum = 0;
    int gains = 0;
    for (int i = 0; i < x->set.count; i++) {
        struct prediction p;
        x->truth.model->predict(x->truth.value, &x->set.one[i].sample, &p);
        for (int n = 1; n < DEGREES; n++) {
            if (p.ipc[n] <= p.ipc[DEGREES])
                continue;
            const double apart = 1 - shared(error_correlation, correlation_length, n, DEGREES);
            sum += erfc(log1p(margin) / SIGMA / sqrt(4 * apart)) / 2;
            gains++;
        }
    }
    CU_ASSERT_TRUE(gains > 100);
    return sum / gains;
}

static void expect_scatter_recovered(const struct known *k)
{
    const double error_correlation = 0.6, correlation_length = 0.8;
    struct fixture x = drawn(k, error_correlation, correlation_length, 480 / 12);
    struct residuals got;
    struct err e = {""};
    CU_ASSERT_TRUE_FATAL(residuals_fit(&x.truth, &x.set, &(struct fit_opts){0}, &got, &e));
    CU_ASSERT_EQUAL(got.ipcs, x.set.count * DEGREES);
    CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "error"), SIGMA, 0.05 * SIGMA);
    if (coefficient_find(k->model, "margin") >= 0)
        CU_ASSERT_DOUBLE_EQUAL(
            beyond(&x, get(&x.truth, "margin"), error_correlation, correlation_length), 0.1, 0.02);
    if (coefficient_find(k->model, "error_correlation") >= 0) {
        expect_apart(&x.truth, error_correlation, correlation_length);
        CU_ASSERT_EQUAL(got.pairs, x.set.count * DEGREES * (DEGREES - 1) / 2);
    }
    finish(&x);
}

static void every_models_scatter_is_recovered(void)
{
    for (int i = 0; model_at(i); i++)
        expect_scatter_recovered(known_of(model_at(i)));
}

/* By a whole fit, from its defaults, with everything else. */
static void a_fit_recovers_it_too(void)
{
    const struct known *k = &recorded;
    struct fixture x = drawn(k, 0.4, 1.2, 40);
    struct coefficients start;
    struct model_fit f;
    struct err e = {""};
    coefficients_init(&start, k->model);
    CU_ASSERT_TRUE_FATAL(fit_run(&start, &x.set, &(struct fit_opts){0}, &f, &e));
    expect_apart(&f.coeff, 0.4, 1.2);
    CU_ASSERT_DOUBLE_EQUAL(get(&f.coeff, "error"), SIGMA, 0.05 * SIGMA);
    fit_release(&f);
    coefficients_release(&start);
    finish(&x);
}

/* One series in forty is twenty times as far off, all of it to one side. */
static void a_few_series_do_not_decide(void)
{
    struct fixture x = drawn(&recorded, 0.3, 0.8, 40);
    struct residuals got;
    for (int i = 0; i < x.set.count; i += 40)
        for (int n = 1; n <= DEGREES; n++)
            x.set.one[i].at[n].cycles *= exp(20 * SIGMA);
    CU_ASSERT_TRUE_FATAL(residuals_fit(&x.truth, &x.set, &(struct fit_opts){0}, &got, NULL));
    CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "error_correlation"), 0.3, 0.15);
    CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "error"), SIGMA, 0.1 * SIGMA);
    finish(&x);
}

static void what_is_held_stays(void)
{
    static const char *hold[] = {"error", "margin", "correlation_length"};
    struct fixture x = drawn(&recorded, 0.6, 0.8, 40);
    struct residuals got;
    set(&x.truth, "error", 0.5);
    set(&x.truth, "margin", 0.25);
    set(&x.truth, "correlation_length", 0.8);
    const struct fit_opts o = {.hold = hold, .holds = 3};
    CU_ASSERT_TRUE_FATAL(residuals_fit(&x.truth, &x.set, &o, &got, NULL));
    CU_ASSERT_EQUAL(get(&x.truth, "error"), 0.5);
    CU_ASSERT_EQUAL(get(&x.truth, "margin"), 0.25);
    CU_ASSERT_EQUAL(get(&x.truth, "correlation_length"), 0.8);
    CU_ASSERT_EQUAL(got.ipcs, 0);
    CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "error_correlation"), 0.6, 0.1);
    finish(&x);
}

/* By SIGMA at every degree, the other way at n = 2 of every so many-th series. */
static void be_off(struct fixture *x, int n_max, int every)
{
    for (int i = 0; i < x->set.count; i++) {
        struct series *s = &x->set.one[i];
        struct prediction p;
        x->truth.model->predict(x->truth.value, &s->sample, &p);
        s->n_max = n_max;
        for (int n = 1; n <= n_max; n++)
            s->at[n].cycles = 1e6 / p.ipc[n] * exp(n == 2 && i % every == 0 ? -SIGMA : SIGMA);
    }
}

/* All pairs are equally far apart: a longer correlation_length makes up for less that is
 * error_correlation. With one of them held the other is told: 2 / 3 of the pairs have the same
 * error, 1 / 3 the opposite one. */
static void what_pairs_do_not_tell_is_an_error_or_kept(void)
{
    struct fixture x = drawn(&recorded, 0, 1, 1);
    struct residuals got;
    struct err e = {""};
    be_off(&x, 2, 3);
    set(&x.truth, "correlation_length", 1);
    CU_ASSERT_FALSE(residuals_fit(&x.truth, &x.set, &(struct fit_opts){0}, &got, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "the rows do not determine every coefficient"));
    CU_ASSERT_TRUE(strstr(e.msg, "--hold correlation_length") ||
                   strstr(e.msg, "--hold error_correlation"));
    CU_ASSERT_TRUE(
        residuals_fit(&x.truth, &x.set, &(struct fit_opts){.idle_stay = true}, &got, &e));
    CU_ASSERT_PTR_NOT_NULL(got.idle);
    const double apart = 2 * MODEL_DEVIATIONS_80 / 3; /* in the mean, in units of the error */
    CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "error_correlation") *
                               pow(0.5, 1 / get(&x.truth, "correlation_length")),
                           1 - apart * apart * M_PI / 4, 1e-6);
    finish(&x);
}

/* Errors at n = 2 have the opposite sign of those at 1. */
static void where_nothing_is_alike_alike_is_zero(void)
{
    struct fixture x = drawn(&recorded, 0, 1, 1);
    struct residuals got;
    be_off(&x, 2, 1);
    CU_ASSERT_TRUE_FATAL(residuals_fit(&x.truth, &x.set, &(struct fit_opts){0}, &got, NULL));
    CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "error_correlation"), 0, 1e-6);
    finish(&x);
}

/* One series of two degrees is one pair. */
static void too_few_pairs_are_an_error_or_keep_both(void)
{
    struct fixture x = drawn(&recorded, 0.5, 1, 1);
    struct residuals got;
    struct err e = {""};
    const double error_correlation = get(&x.truth, "error_correlation"),
                 correlation_length = get(&x.truth, "correlation_length");
    const int all = x.set.count;
    x.set.count = 1;
    x.set.one[0].n_max = 2;
    CU_ASSERT_FALSE(residuals_fit(&x.truth, &x.set, &(struct fit_opts){0}, &got, &e));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.msg, "too few rows"));
    CU_ASSERT_TRUE(
        residuals_fit(&x.truth, &x.set, &(struct fit_opts){.idle_stay = true}, &got, &e));
    CU_ASSERT_EQUAL(get(&x.truth, "error_correlation"), error_correlation);
    CU_ASSERT_EQUAL(get(&x.truth, "correlation_length"), correlation_length);
    x.set.count = all;
    finish(&x);
}

/* Of 8 places a grid of 3 CTAs a core fills 3: of the others nothing is learnt. */
static void empty_places_are_no_evidence(void)
{
    struct fixture x = drawn(&recorded, 0.5, 1, 1);
    struct residuals got;
    for (int i = 0; i < x.set.count; i++)
        x.set.one[i].sample.grid_ctas = 6;
    CU_ASSERT_TRUE(
        residuals_fit(&x.truth, &x.set, &(struct fit_opts){.idle_stay = true}, &got, NULL));
    CU_ASSERT_EQUAL(got.pairs, x.set.count * 3);
    finish(&x);
}

/* Two kernels of an application take equally long; what one takes more than it is predicted with
 * fewer CTAs the other takes less. Each by itself promises too much or too little, together they
 * don't. With 8 at once one has no room for so many: it takes what its application's run says, half
 * of what it is predicted; so the largest degree is 4 / 3 as fast as predicted. */
static void a_choice_is_for_all_kernels(void)
{
    for (int together = 0; together < 2; together++) {
        struct fixture x = drawn(&recorded, 0, 1, 1);
        struct residuals got;
        struct prediction p;
        const struct fit_opts o = {.idle_stay = true};
        x.set.count = 2;
        x.set.one[1].sample = x.set.one[0].sample;
        x.truth.model->predict(x.truth.value, &x.set.one[0].sample, &p);
        for (int k = 0; k < 2; k++) {
            struct series *s = &x.set.one[k];
            s->setting = together;
            for (int n = 1; n < DEGREES; n++) /* gains of 7 to 1 % are predicted */
                s->sample.pilot_cycles[n - 1] =
                    (0.92 + 0.01 * n) * s->sample.pilot_cycles[DEGREES - 1];
            x.truth.model->predict(x.truth.value, &s->sample, &p);
            for (int n = 1; n <= DEGREES; n++)
                s->at[n].cycles = 1e6 / p.ipc[n] * (n == DEGREES ? 1 : k ? 1.05 : 0.95);
        }
        CU_ASSERT_TRUE_FATAL(residuals_fit(&x.truth, &x.set, &o, &got, NULL));
        CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "margin"), together ? 0 : 0.05, 1e-9);
        if (together) {
            x.set.one[0].at[DEGREES].cycles = NAN;
            x.set.one[0].beyond[DEGREES] = 0.5e6 / p.ipc[DEGREES];
            CU_ASSERT_TRUE_FATAL(residuals_fit(&x.truth, &x.set, &o, &got, NULL));
            CU_ASSERT_DOUBLE_EQUAL(get(&x.truth, "margin"), 1 / 0.75 - 1, 1e-9);
        }
        finish(&x);
    }
}

static bool is_first(void *user, const struct series *s)
{
    return s == user;
}

/* A judged application's errors are no part of what is known of them. */
static void what_is_not_seen_tells_nothing(void)
{
    struct fixture x = drawn(known_of(&model_segmented), 0, 1, 1);
    struct residuals got;
    const struct fit_opts o = {.sees = is_first, .user = x.set.one};
    for (int i = 1; i < x.set.count; i++)
        x.set.one[i].at[1].cycles *= 100;
    CU_ASSERT_TRUE_FATAL(residuals_fit(&x.truth, &x.set, &o, &got, NULL));
    CU_ASSERT_EQUAL(got.ipcs, DEGREES);
    CU_ASSERT_TRUE(get(&x.truth, "error") < 3 * SIGMA && get(&x.truth, "margin") < 6 * SIGMA);
    finish(&x);
}

/* Without IPCs all stays; where nothing is off there is nothing to share. */
static void nothing_is_made_up(void)
{
    struct coefficients c;
    struct residuals got;
    const struct known *k = &recorded;
    k->truth(&c);
    struct series_set set = whole(k, &c, 1);
    const double error = get(&c, "error"), error_correlation = get(&c, "error_correlation"),
                 margin = get(&c, "margin");
    for (int i = 0; i < set.count; i++)
        for (int n = 1; n <= DEGREES; n++)
            set.one[i].at[n].cycles = NAN;
    CU_ASSERT_TRUE(residuals_fit(&c, &set, &(struct fit_opts){0}, &got, NULL));
    CU_ASSERT_EQUAL(got.ipcs, 0);
    CU_ASSERT_EQUAL(get(&c, "error"), error);
    CU_ASSERT_EQUAL(get(&c, "margin"), margin);
    series_release(&set);
    set = whole(k, &c, 1);
    CU_ASSERT_TRUE(residuals_fit(&c, &set, &(struct fit_opts){0}, &got, NULL));
    CU_ASSERT_EQUAL(get(&c, "error_correlation"), error_correlation);
    CU_ASSERT_TRUE(get(&c, "error") < 1e-9);
    series_release(&set);
    coefficients_release(&c);
}

SUITE("residuals", T(every_models_scatter_is_recovered), T(a_fit_recovers_it_too),
      T(a_few_series_do_not_decide), T(what_is_held_stays),
      T(what_pairs_do_not_tell_is_an_error_or_kept), T(where_nothing_is_alike_alike_is_zero),
      T(too_few_pairs_are_an_error_or_keep_both), T(empty_places_are_no_evidence),
      T(a_choice_is_for_all_kernels), T(what_is_not_seen_tells_nothing), T(nothing_is_made_up))
