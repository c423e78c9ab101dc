/* What the errors of fitted coefficients mean for a prediction: to first order the variance of
 * ln ipc is g' C g, C their covariance, g the derivatives of ln ipc by each of them.
 *
 * The derivatives are differences over one standard error, half of it to either side as far as the
 * coefficient's range goes: short enough for a curve, and where a model jumps from one segment to
 * another within that error, no more than the jump. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "model/model.h"

#define STEP 0.5 /* standard errors */

struct work {
    const struct model_coeffs *c;
    const struct param_group *table;
    const struct sample *sample;
    int kernels, targets;       /* all kernels, and the application behind them */
    struct prediction *p;       /* owned, [targets] */
    struct prediction *lo, *hi; /* owned, the same with a coefficient moved down, up */
    double *slope;              /* owned, by coefficient, target, n */
};

static void predict_all(const struct work *w, const void *value, struct prediction *p)
{
    for (int k = 0; k < w->kernels; k++)
        if (sample_searched(&w->sample[k])) {
            model_searched(&w->sample[k], &p[k]);
        } else {
            w->c->model->predict(value, &w->sample[k], &p[k]);
            model_simulated_bounds(&w->sample[k], &p[k]);
            model_leave_out(&w->sample[k], &p[k]);
        }
    model_combine(w->sample, p, w->kernels, &p[w->kernels]);
}

static double *slope_at(const struct work *w, int coeff, int target)
{
    return w->slope + (coeff * w->targets + target) * (MODEL_N_MAX + 1);
}

static double covariance(const struct work *w, int a, int b)
{
    return w->c->covariance[a * w->table->nrows + b];
}

static void differentiate(const struct work *w, int i)
{
    const struct param *r = &w->table->rows[i];
    const size_t size = w->c->model->coeff_size;
    const double step = STEP * sqrt(covariance(w, i, i));
    char *value = xmalloc(size);
    memcpy(value, w->c->value, size);
    void *place = value + w->table->off + r->off;
    double *at = place, centre = *at;
    const double lo = fmax(r->lo, centre - step), hi = fmin(r->hi, centre + step);
    *at = lo;
    predict_all(w, value, w->lo);
    *at = hi;
    predict_all(w, value, w->hi);
    for (int t = 0; t < w->targets; t++)
        for (int n = 1; n <= w->p[t].n_max; n++)
            if (w->lo[t].ipc[n] > 0 && w->hi[t].ipc[n] > 0 && hi > lo)
                slope_at(w, i, t)[n] = log(w->hi[t].ipc[n] / w->lo[t].ipc[n]) / (hi - lo);
    free(value);
}

static double variance(const struct work *w, int target, int n)
{
    double sum = 0;
    for (int a = 0; a < w->table->nrows; a++)
        for (int b = 0; b < w->table->nrows; b++)
            sum += slope_at(w, a, target)[n] * covariance(w, a, b) * slope_at(w, b, target)[n];
    return fmax(0, sum); /* a rounding error below 0 at worst */
}

static void add_fit_errors(struct work *w)
{
    const size_t targets = (size_t)w->targets;
    w->lo = xcalloc(targets, sizeof *w->lo);
    w->hi = xcalloc(targets, sizeof *w->hi);
    w->slope = xcalloc((size_t)w->table->nrows * targets, (MODEL_N_MAX + 1) * sizeof *w->slope);
    for (int i = 0; i < w->table->nrows; i++)
        if (covariance(w, i, i) > 0)
            differentiate(w, i);
    for (int t = 0; t < w->targets; t++)
        for (int n = 1; n <= w->p[t].n_max; n++)
            w->p[t].fit_error[n] = sqrt(variance(w, t, n));
    free(w->lo);
    free(w->hi);
    free(w->slope);
}

void model_predict(const struct model_coeffs *c, const struct sample *s, int kernels,
                   struct prediction *kernel, struct prediction *all)
{
    struct work w = {.c = c,
                     .table = c->model->groups,
                     .sample = s,
                     .kernels = kernels,
                     .targets = kernels + 1,
                     .p = xcalloc((size_t)kernels + 1, sizeof *w.p)};
    predict_all(&w, c->value, w.p);
    if (c->covariance)
        add_fit_errors(&w);
    memcpy(kernel, w.p, (size_t)kernels * sizeof *kernel);
    *all = w.p[kernels];
    free(w.p);
}
