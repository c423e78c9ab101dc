/* What simulations say of a predicted curve, against formulas worked out by hand. */
#include "model/posterior.h"

#include <math.h>

#include "base/rng.h"
#include "tests/suite.h"

/* Of two degrees: exp(-|ln(1 / 2)| / 1) = 1/2, so that errors at 1 and 2 have 0.8 / 2 = 0.4 of
 * their variance in common, those of pilots 0.6 / 2 = 0.3. */
static const struct error_curve model = {0.3, 0.8, 1}, pilots = {0.1, 0.6, 1};
#define MODEL_IN_COMMON  0.4
#define PILOTS_IN_COMMON 0.3
static const double two[] = {0, 10, 20}; /* predicted */

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-12)

static double lnipc(const struct posterior *p, int n)
{
    return log(posterior_ipc(p, n));
}

static void nothing_simulated_is_the_prediction(void)
{
    struct posterior *p = posterior_new(2, two, &model, &pilots);
    CU_ASSERT_EQUAL(posterior_n_max(p), 2);
    NEAR(posterior_ipc(p, 1), 10);
    NEAR(posterior_ipc(p, 2), 20);
    NEAR(posterior_covariance(p, 1, 1), 0.09);
    NEAR(posterior_covariance(p, 2, 2), 0.09);
    NEAR(posterior_covariance(p, 1, 2), 0.09 * MODEL_IN_COMMON);
    NEAR(posterior_covariance(p, 2, 1), 0.09 * MODEL_IN_COMMON);
    posterior_free(p);
    posterior_free(NULL);
}

/* y = f(2) + b(2) + noise, of variance 0.09 + 0.01 + 0.0004. */
static void one_pilot_by_hand(void)
{
    struct posterior *p = posterior_new(2, two, &model, &pilots);
    const double v = 0.09 + 0.01 + 0.0004, found = log(26.0 / 20);
    const double c1 = 0.09 * MODEL_IN_COMMON, c2 = 0.09; /* covariances of f with y */
    posterior_pilot(p, 2, 26, 0.02);
    NEAR(lnipc(p, 1), log(10) + c1 / v * found);
    NEAR(lnipc(p, 2), log(20) + c2 / v * found);
    NEAR(posterior_covariance(p, 1, 1), 0.09 - c1 * c1 / v);
    NEAR(posterior_covariance(p, 2, 2), 0.09 - c2 * c2 / v);
    NEAR(posterior_covariance(p, 1, 2), 0.09 * MODEL_IN_COMMON - c1 * c2 / v);
    posterior_free(p);
}

/* f + K (K + B + noise^2)^-1 (y - f), with the inverse of a matrix of two rows; in either order. */
static void two_pilots_by_hand(void)
{
    const double k = 0.09, k12 = k * MODEL_IN_COMMON;
    const double s = k + 0.01 + 0.0004, s12 = k12 + 0.01 * PILOTS_IN_COMMON;
    const double det = s * s - s12 * s12, y1 = log(9.0 / 10), y2 = log(26.0 / 20);
    const double a1 = (s * y1 - s12 * y2) / det, a2 = (s * y2 - s12 * y1) / det;
    for (int order = 0; order < 2; order++) {
        struct posterior *p = posterior_new(2, two, &model, &pilots);
        posterior_pilot(p, order ? 1 : 2, order ? 9 : 26, 0.02);
        posterior_pilot(p, order ? 2 : 1, order ? 26 : 9, 0.02);
        NEAR(lnipc(p, 1), log(10) + k * a1 + k12 * a2);
        NEAR(lnipc(p, 2), log(20) + k12 * a1 + k * a2);
        /* K - K S^-1 K */
        NEAR(posterior_covariance(p, 1, 1),
             k - (k * (s * k - s12 * k12) + k12 * (s * k12 - s12 * k)) / det);
        NEAR(posterior_covariance(p, 1, 2),
             k12 - (k * (s * k12 - s12 * k) + k12 * (s * k - s12 * k12)) / det);
        posterior_free(p);
    }
}

static void a_run_without_noise_is_known(void)
{
    struct posterior *p = posterior_new(2, two, &model, &pilots);
    posterior_run(p, 2, 30, 0);
    NEAR(posterior_ipc(p, 2), 30);
    CU_ASSERT_DOUBLE_EQUAL(posterior_covariance(p, 2, 2), 0, 1e-15);
    NEAR(lnipc(p, 1), log(10) + MODEL_IN_COMMON * log(1.5));
    NEAR(posterior_covariance(p, 1, 1), 0.09 * (1 - MODEL_IN_COMMON * MODEL_IN_COMMON));
    posterior_run(p, 2, 30, 0); /* nothing new, and no division by nothing */
    NEAR(posterior_ipc(p, 2), 30);
    posterior_pilot(p, 2, 90, 0.02); /* what a pilot is off by is its own */
    NEAR(posterior_ipc(p, 2), 30);
    posterior_free(p);
}

/* All of the model's error is in common: one pilot moves every degree alike. None is: no other. */
static void what_degrees_share_moves_together(void)
{
    double ipc[65] = {0};
    for (int n = 1; n <= 64; n++)
        ipc[n] = 5 + n;
    for (int shared = 0; shared < 2; shared++) {
        const struct error_curve errors = {0.3, shared, 1e15};
        struct posterior *p = posterior_new(64, ipc, &errors, &pilots);
        posterior_pilot(p, 7, ipc[7] * 1.5, 0.02);
        const double factor = exp(0.09 / (0.09 + 0.01 + 0.0004) * log(1.5));
        for (int n = 1; n <= 64; n++)
            NEAR(posterior_ipc(p, n) / ipc[n], shared || n == 7 ? factor : 1);
        posterior_free(p);
    }
}

/* Of a bias that all pilots have a run beside one of them tells all: then pilots are exact. */
static void a_run_tells_what_pilots_are_off_by(void)
{
    const struct error_curve biased = {0.1, 1, 1e15}, unlike = {0.3, 1, 0};
    struct posterior *p = posterior_new(2, two, &unlike, &biased);
    posterior_pilot(p, 1, 11 * 1.2, 0);
    posterior_pilot(p, 2, 17 * 1.2, 0);
    CU_ASSERT_TRUE(posterior_ipc(p, 2) > 18); /* not known yet */
    posterior_run(p, 1, 11, 0);
    CU_ASSERT_DOUBLE_EQUAL(posterior_ipc(p, 1), 11, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(posterior_ipc(p, 2), 17, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(posterior_covariance(p, 2, 2), 0, 1e-12);
    posterior_free(p);
}

/* Of a pilot: ln 1.5 off, of a variance that is the model's and the pilots' together. */
static void a_pilot_says_how_unexpected_it_was(void)
{
    static const double flat[] = {0, 2, 2};
    struct posterior *p = posterior_new(2, flat, &model, &pilots);
    const double off = log(1.5);
    CU_ASSERT_DOUBLE_EQUAL(posterior_pilot(p, 1, 3, 0),
                           off * off / (model.error * model.error + pilots.error * pilots.error),
                           1e-9);
    CU_ASSERT_DOUBLE_EQUAL(posterior_pilot(p, 1, 3, 0.1), 0, 1e-9); /* now it is known */
    posterior_free(p);
}

static void observe(struct posterior *p, bool pilot, int n, double ipc)
{
    if (pilot)
        posterior_pilot(p, n, ipc, 0.02);
    else
        posterior_run(p, n, ipc, 0.02);
}

/* Whatever is seen, in whatever order: the same, and no variance grows or falls below 0. */
static void order_does_not_matter(void)
{
    struct rng r = rng_seed(7);
    for (int round = 0; round < 50; round++) {
        enum { N = 12, SEEN = 8 };
        double ipc[N + 1] = {0}, found[SEEN];
        int at[SEEN];
        for (int n = 1; n <= N; n++)
            ipc[n] = 1 + 9 * rng_unit(&r);
        struct posterior *a = posterior_new(N, ipc, &model, &pilots);
        struct posterior *b = posterior_new(N, ipc, &model, &pilots);
        for (int i = 0; i < SEEN; i++) {
            at[i] = 1 + (int)(rng_unit(&r) * N);
            found[i] = 1 + 9 * rng_unit(&r);
        }
        for (int i = 0; i < SEEN; i++) {
            const int k = SEEN - 1 - i;
            observe(a, i % 3, at[i], found[i]);
            observe(b, k % 3, at[k], found[k]);
        }
        for (int n = 1; n <= N; n++) {
            CU_ASSERT_DOUBLE_EQUAL(lnipc(a, n), lnipc(b, n), 1e-9);
            const double v = posterior_covariance(a, n, n);
            CU_ASSERT_TRUE(v >= -1e-12 && v <= 0.09 + 1e-12);
            for (int m = 1; m <= N; m++)
                CU_ASSERT_DOUBLE_EQUAL(posterior_covariance(a, n, m), posterior_covariance(b, m, n),
                                       1e-9);
        }
        posterior_free(a);
        posterior_free(b);
    }
}

/* E[max(0, x)] of a normal x, by the midpoint rule over 16 standard deviations. */
static double integrated(double mean, double sd)
{
    enum { STEPS = 200000 };
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const double z = -8 + 16 * (i + 0.5) / STEPS, x = mean + sd * z;
        sum += fmax(0, x) * exp(-z * z / 2) / sqrt(2 * M_PI) * 16 / STEPS;
    }
    return sum;
}

static void expected_improvement_is_the_integral(void)
{
    static const double ipc[][3] = {{0, 10, 10}, {0, 10, 9}, {0, 9, 10}, {0, 10, 2}};
    const double sd = sqrt(2 * 0.09 * (1 - MODEL_IN_COMMON)); /* of f(1) - f(2) */
    for (size_t i = 0; i < sizeof ipc / sizeof *ipc; i++) {
        struct posterior *p = posterior_new(2, ipc[i], &model, &pilots);
        CU_ASSERT_DOUBLE_EQUAL(posterior_improvement(p, 1, 2),
                               integrated(log(ipc[i][1] / ipc[i][2]), sd), 1e-7);
        CU_ASSERT_DOUBLE_EQUAL(posterior_improvement(p, 2, 1),
                               integrated(log(ipc[i][2] / ipc[i][1]), sd), 1e-7);
        posterior_free(p);
    }
}

/* Of equals sd / sqrt(2 pi); of itself, and where all is known, what is known; of one far behind
 * nothing; of one far ahead what it is ahead by. */
static void expected_improvement_in_its_limits(void)
{
    static const double equal[] = {0, 10, 10}, far[] = {0, 1, 1e6};
    struct posterior *p = posterior_new(2, equal, &model, &pilots);
    NEAR(posterior_improvement(p, 1, 2), sqrt(2 * 0.09 * (1 - MODEL_IN_COMMON)) / sqrt(2 * M_PI));
    CU_ASSERT_EQUAL(posterior_improvement(p, 1, 1), 0);
    posterior_run(p, 1, 12, 0);
    posterior_run(p, 2, 10, 0);
    NEAR(posterior_improvement(p, 1, 2), log(1.2));
    NEAR(posterior_improvement(p, 2, 1), 0);
    posterior_free(p);
    p = posterior_new(2, far, &model, &pilots);
    NEAR(posterior_improvement(p, 1, 2), 0);
    NEAR(posterior_improvement(p, 2, 1), log(1e6));
    posterior_free(p);
}

/* 1000 and 3000 instructions: at n = 1 100 + 100 cycles, at 2 50 + 150; at 3 the first, of which
 * two fit, still takes 50, and the second 100. */
static void kernels_add_up_by_their_times(void)
{
    static const double a[] = {0, 10, 20}, b[] = {0, 30, 20, 30}, insts[] = {1000, 3000};
    struct posterior *k[] = {posterior_new(2, a, &model, &pilots),
                             posterior_new(3, b, &pilots, &pilots)};
    struct posterior *sum = posterior_sum((const struct posterior *const *)k, insts, 2);
    CU_ASSERT_EQUAL(posterior_n_max(sum), 3);
    NEAR(posterior_ipc(sum, 1), 4000.0 / 200);
    NEAR(posterior_ipc(sum, 2), 4000.0 / 200);
    NEAR(posterior_ipc(sum, 3), 4000.0 / 150);
    /* d ln ipc = - sum of share * d ln time, errors of the kernels independent; ln(3 / 2) apart
     * errors of the second share 0.6 / 1.5 */
    NEAR(posterior_covariance(sum, 1, 1), 0.25 * 0.09 + 0.25 * 0.01);
    NEAR(posterior_covariance(sum, 2, 2), 0.0625 * 0.09 + 0.5625 * 0.01);
    NEAR(posterior_covariance(sum, 1, 2),
         0.5 * 0.25 * 0.09 * MODEL_IN_COMMON + 0.5 * 0.75 * 0.01 * PILOTS_IN_COMMON);
    NEAR(posterior_covariance(sum, 2, 3), 0.25 / 3 * 0.09 + 0.75 * 2 / 3 * 0.01 * 0.6 / 1.5);
    CU_ASSERT_EQUAL(posterior_covariance(sum, 3, 2), posterior_covariance(sum, 2, 3));
    posterior_free(sum);
    sum = posterior_sum((const struct posterior *const *)k, insts, 1); /* one is itself */
    for (int n = 1; n <= 2; n++) {
        NEAR(posterior_ipc(sum, n), a[n]);
        NEAR(posterior_covariance(sum, n, 1), posterior_covariance(k[0], n, 1));
    }
    posterior_free(sum);
    posterior_free(k[0]);
    posterior_free(k[1]);
}

/* To first order: an error of one kernel by 1e-4 moves the sum by its share of the time. */
static void a_sum_moves_with_its_kernels(void)
{
    static const double a[] = {0, 10, 20}, b[] = {0, 30, 20}, insts[] = {1000, 3000};
    struct posterior *k[] = {posterior_new(2, a, &model, &pilots),
                             posterior_new(2, b, &model, &pilots)};
    posterior_run(k[1], 2, 20 * exp(1e-4), 0);
    struct posterior *sum = posterior_sum((const struct posterior *const *)k, insts, 2);
    CU_ASSERT_DOUBLE_EQUAL(log(posterior_ipc(sum, 2) / 20), 0.75e-4, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(posterior_covariance(sum, 2, 2), 0.0625 * 0.09, 1e-6); /* k[1]: none */
    posterior_free(sum);
    posterior_free(k[0]);
    posterior_free(k[1]);
}

SUITE("posterior", T(nothing_simulated_is_the_prediction), T(one_pilot_by_hand),
      T(two_pilots_by_hand), T(a_run_without_noise_is_known), T(what_degrees_share_moves_together),
      T(a_run_tells_what_pilots_are_off_by), T(a_pilot_says_how_unexpected_it_was),
      T(order_does_not_matter), T(expected_improvement_is_the_integral),
      T(expected_improvement_in_its_limits), T(kernels_add_up_by_their_times),
      T(a_sum_moves_with_its_kernels))
