#include "fitter/scatter.h"

#include <math.h>
#include <stdlib.h>

struct deviations { /* |ln(predicted / measured IPC)| */
    double *v;      /* owned */
    int count;
};

static double insts_of(const struct series *s)
{
    double insts = s->parts ? 0 : s->sample.total_thread_insts;
    for (int i = 0; i < s->parts; i++)
        insts += s->part[i].total_thread_insts;
    return insts;
}

static void add_series(const struct coefficients *c, const struct series *s, struct deviations *d)
{
    const int parts = s->parts ? s->parts : 1;
    struct prediction *part = xcalloc((size_t)parts, sizeof *part), all;
    const struct model_coeffs with = {.model = c->model, .value = c->value};
    model_predict(&with, s->parts ? s->part : &s->sample, parts, part, &all);
    d->v = xrealloc(d->v, (size_t)(d->count + MODEL_N_MAX) * sizeof *d->v);
    for (int n = 1; n <= s->n_max && n <= all.n_max; n++) {
        const double off = fabs(log(all.ipc[n] * s->at[n].cycles / insts_of(s)));
        if (isfinite(off))
            d->v[d->count++] = off;
    }
    free(part);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void scatter_fill(struct coefficients *c, const struct series_set *set,
                  bool (*sees)(void *user, const struct series *s), void *user)
{
    const int at = coefficient_find(c->model, "error");
    if (at < 0 || *coefficient_at(c->model, c->value, at) > 0)
        return;
    struct deviations d = {0};
    for (int i = 0; i < set->count; i++)
        if (!sees || sees(user, &set->one[i]))
            add_series(c, &set->one[i], &d);
    if (d.count) {
        qsort(d.v, (size_t)d.count, sizeof *d.v, ascending);
        *coefficient_at(c->model, c->value, at) =
            fmin(d.v[(int)(0.8 * (d.count - 1))] / MODEL_DEVIATIONS_80,
                 coefficient_row(c->model, at)->hi);
    }
    free(d.v);
}
