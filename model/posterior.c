#include "model/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* f(1..n_max), then b(1..n_max). */
struct posterior {
    int n_max, size;
    double *mean; /* owned, [size] */
    double *cov;  /* owned, [size * size] */
};

static struct posterior *with_size(int n_max)
{
    struct posterior *p = xcalloc(1, sizeof *p);
    p->n_max = n_max;
    p->size = 2 * n_max;
    p->mean = xcalloc((size_t)p->size, sizeof *p->mean);
    p->cov = xcalloc((size_t)(p->size * p->size), sizeof *p->cov);
    return p;
}

static double covariance(const struct error_curve *c, int n, int m)
{
    const double near =
        c->correlation_length > 0 ? exp(-fabs(log((double)n / m)) / c->correlation_length) : 0;
    return c->error * c->error * (n == m ? 1 : c->error_correlation * near);
}

struct posterior *posterior_new(int n_max, const double *ipc, const struct error_curve *model,
                                const struct error_curve *pilots)
{
    BUG_ON(n_max < 1 || n_max > POSTERIOR_N_MAX, "%d degrees", n_max);
    struct posterior *p = with_size(n_max);
    for (int n = 1; n <= n_max; n++) {
        p->mean[n - 1] = log(ipc[n]);
        for (int m = 1; m <= n_max; m++) {
            p->cov[(n - 1) * p->size + m - 1] = covariance(model, n, m);
            p->cov[(n_max + n - 1) * p->size + n_max + m - 1] = covariance(pilots, n, m);
        }
    }
    return p;
}

void posterior_free(struct posterior *p)
{
    if (!p)
        return;
    free(p->mean);
    free(p->cov);
    free(p);
}

/* Conditions on mean[a] (+ mean[b], b >= 0) having been seen to be y, but for noise. Returns the
 * square of how far off that was expected, in standard deviations. */
static double observe(struct posterior *p, int a, int b, double y, double noise)
{
    double *gain = xcalloc((size_t)p->size, sizeof *gain);
    for (int i = 0; i < p->size; i++)
        gain[i] = p->cov[i * p->size + a] + (b < 0 ? 0 : p->cov[i * p->size + b]);
    const double variance = gain[a] + (b < 0 ? 0 : gain[b]) + noise * noise;
    const double surprise = y - p->mean[a] - (b < 0 ? 0 : p->mean[b]);
    for (int i = 0; variance > 0 && i < p->size; i++) {
        p->mean[i] += gain[i] / variance * surprise;
        for (int k = 0; k < p->size; k++)
            p->cov[i * p->size + k] -= gain[i] * gain[k] / variance;
    }
    free(gain);
    return variance > 0 ? surprise * surprise / variance : 0;
}

double posterior_pilot(struct posterior *p, int n, double ipc, double noise)
{
    return observe(p, n - 1, p->n_max + n - 1, log(ipc), noise);
}

void posterior_run(struct posterior *p, int n, double ipc, double noise)
{
    observe(p, n - 1, -1, log(ipc), noise);
}

int posterior_n_max(const struct posterior *p)
{
    return p->n_max;
}

double posterior_ipc(const struct posterior *p, int n)
{
    return exp(p->mean[n - 1]);
}

double posterior_covariance(const struct posterior *p, int n, int m)
{
    return p->cov[(n - 1) * p->size + m - 1];
}

static int last_of(const struct posterior *p, int n)
{
    return n < p->n_max ? n : p->n_max;
}

static double time_of(const struct posterior *p, double insts, int n)
{
    return insts / posterior_ipc(p, last_of(p, n));
}

/* ln of the sum to first order: kernels by their shares of the time, their errors independent. */
struct posterior *posterior_sum(const struct posterior *const *kernel, const double *insts,
                                int kernels)
{
    int n_max = 1;
    double all = 0;
    for (int k = 0; k < kernels; k++) {
        n_max = kernel[k]->n_max > n_max ? kernel[k]->n_max : n_max;
        all += insts[k];
    }
    struct posterior *sum = with_size(n_max);
    double time[POSTERIOR_N_MAX + 1] = {0};
    for (int n = 1; n <= n_max; n++) {
        for (int k = 0; k < kernels; k++)
            time[n] += time_of(kernel[k], insts[k], n);
        sum->mean[n - 1] = log(all / time[n]);
    }
    for (int n = 1; n <= n_max; n++)
        for (int m = 1; m <= n_max; m++)
            for (int k = 0; k < kernels; k++)
                sum->cov[(n - 1) * sum->size + m - 1] +=
                    time_of(kernel[k], insts[k], n) / time[n] * time_of(kernel[k], insts[k], m) /
                    time[m] *
                    posterior_covariance(kernel[k], last_of(kernel[k], n), last_of(kernel[k], m));
    return sum;
}

double posterior_improvement(const struct posterior *p, int n, int than)
{
    const double gain = p->mean[n - 1] - p->mean[than - 1];
    const double variance = posterior_covariance(p, n, n) + posterior_covariance(p, than, than) -
                            2 * posterior_covariance(p, n, than);
    if (variance <= 1e-12)
        return fmax(0, gain);
    const double sd = sqrt(variance), z = gain / sd;
    return gain * 0.5 * erfc(-z / sqrt(2)) + sd * exp(-z * z / 2) / sqrt(2 * M_PI);
}
