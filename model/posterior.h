/* model/posterior.h -- what simulations say of a predicted curve: Gaussian process regression of
 * ln IPC over ln n (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2.2).
 *
 *   f(n)      ln IPC; before anything is simulated its mean is the model's prediction, and its
 *             covariance that of the model's errors
 *   a pilot   f(n) + b(n) + noise: a scale model of the GPU is off by b, which degrees share
 *   a run     f(n) + noise: the whole GPU is simulated
 *
 * Errors at n and m have the covariance error^2, if n and m are the same, else
 *   error^2 * error_correlation * exp(-|ln(n / m)| / correlation_length). */
#ifndef MDP_MODEL_POSTERIOR_H
#define MDP_MODEL_POSTERIOR_H

#include <stdbool.h>

#define POSTERIOR_N_MAX 64

struct error_curve {
    double error;              /* standard deviation of ln IPC */
    double error_correlation;  /* part of its square that neighbours have in common, 0..1 */
    double correlation_length; /* ln n: distance over which that falls to 1 / e */
};

struct posterior; /* opaque */

/* ipc: predicted, [1..n_max]; n_max <= POSTERIOR_N_MAX. */
struct posterior *posterior_new(int n_max, const double *ipc, const struct error_curve *model,
                                const struct error_curve *pilots);
void posterior_free(struct posterior *p); /* NULL is fine */

/* A simulation with n at once has found this IPC; noise: standard deviation of its logarithm. A
 * pilot returns how unexpected it was: the square of its distance from the mean, in standard
 * deviations. */
double posterior_pilot(struct posterior *p, int n, double ipc, double noise);
void posterior_run(struct posterior *p, int n, double ipc, double noise);

int posterior_n_max(const struct posterior *p);
double posterior_ipc(const struct posterior *p, int n);
/* Covariance of ln IPC at n and m. */
double posterior_covariance(const struct posterior *p, int n, int m);

/* Several kernels, one after the other: their times add up. insts: thread instructions of each,
 * all of its launches. A kernel with fewer degrees stays at its last. */
struct posterior *posterior_sum(const struct posterior *const *kernel, const double *insts,
                                int kernels);

/* By how much n is expected to be better than `than`, where it is, as ln IPC: E[max(0, f(n) -
 * f(than))] (expected improvement; Jones, Schonlau and Welch 1998). */
double posterior_improvement(const struct posterior *p, int n, int than);

#endif
