#include "fitter/fit/residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fitter/fit/least_squares.h"

/* How a fit finds the coefficients that the header names. Choices go by those, which are rows of
 * their model's file: to set one by hand, change it there. */
#define ERROR_PART  0.8
#define MARGIN_PART 0.9
#define MARGIN_GAIN 0.1  /* no margin decides about a larger gain */
#define MOST        2.5  /* standard deviations: pairs that are further apart count as that */
#define NOTHING     1e-3 /* a smaller part of an error is none */
#define EXACT       1e-6 /* a smaller error is rounding */

struct off {                     /* a series */
    double off[MODEL_N_MAX + 1]; /* ln(measured / predicted IPC); NAN: not measured */
    int n_max, filled;           /* by the grid's CTAs; n_max at most */
};

struct deviations {
    const struct coefficients *c;
    struct off *series; /* owned */
    int count;
    double *v; /* owned: room for as many numbers as there are deviations */
};

static double insts_of(const struct series *s)
{
    double insts = s->parts ? 0 : s->sample.total_thread_insts;
    for (int i = 0; i < s->parts; i++)
        insts += s->part[i].total_thread_insts;
    return insts;
}

static struct off off_by(const struct coefficients *c, const struct series *s)
{
    const int parts = s->parts ? s->parts : 1;
    struct prediction *part = xcalloc((size_t)parts, sizeof *part), all;
    const struct model_coeffs with = {.model = c->model, .value = c->value};
    model_predict(&with, s->parts ? s->part : &s->sample, parts, part, &all);
    struct off out = {.n_max = s->n_max < all.n_max ? s->n_max : all.n_max};
    for (int n = 1; n <= out.n_max; n++) {
        const double v = log(insts_of(s) / s->at[n].cycles / all.ipc[n]);
        out.off[n] = isfinite(v) ? v : NAN;
    }
    out.filled = series_filled(s, out.n_max);
    free(part);
    return out;
}

static struct deviations deviations_of(const struct coefficients *c, const struct series_set *set,
                                       const struct fit_opts *o)
{
    struct deviations d = {.c = c, .series = xcalloc((size_t)set->count + 1, sizeof *d.series)};
    for (int i = 0; i < set->count; i++)
        if (!o->sees || o->sees(o->user, &set->one[i]))
            d.series[d.count++] = off_by(c, &set->one[i]);
    d.v = xcalloc((size_t)d.count * MODEL_N_MAX + 1, sizeof *d.v);
    return d;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* NAN of none. */
static double quantile(double *v, int n, double part)
{
    qsort(v, (size_t)n, sizeof *v, ascending);
    return n ? v[(int)(part * (n - 1))] : NAN;
}

/* NAN of no IPC. *points: how many. */
static double error_of(const struct deviations *d, int *points)
{
    int n = 0;
    for (int i = 0; i < d->count; i++) {
        const struct off *s = &d->series[i];
        for (int k = 1; k <= s->n_max; k++)
            if (isfinite(s->off[k]))
                d->v[n++] = fabs(s->off[k]);
    }
    *points = n;
    return quantile(d->v, n, ERROR_PART) / MODEL_DEVIATIONS_80;
}

/* ---- what choices rest on ---- */

/* Kernels of one application. */
struct application {
    const struct series *kernel; /* the first of them, one behind the other */
    int kernels;
};

static struct application application_at(const struct series_set *set, int i)
{
    struct application a = {.kernel = &set->one[i], .kernels = 1};
    while (a.kernel->setting && i + a.kernels < set->count &&
           set->one[i + a.kernels].setting == a.kernel->setting)
        a.kernels++;
    return a;
}

static void predict_application(const struct coefficients *c, const struct application *a,
                                struct prediction *out)
{
    const struct model_coeffs with = {.model = c->model, .value = c->value};
    int parts = 0;
    for (int k = 0; k < a->kernels; k++)
        parts += a->kernel[k].parts ? a->kernel[k].parts : 1;
    struct sample *sample = xcalloc((size_t)parts, sizeof *sample), *to = sample;
    struct prediction *part = xcalloc((size_t)parts, sizeof *part);
    for (int k = 0; k < a->kernels; k++) {
        const struct series *s = &a->kernel[k];
        const int of = s->parts ? s->parts : 1;
        memcpy(to, s->parts ? s->part : &s->sample, (size_t)of * sizeof *to);
        to += of;
    }
    model_predict(&with, sample, parts, part, out);
    free(sample);
    free(part);
}

/* Cycles with n CTAs at once; NAN: not measured. */
static double application_cycles(const struct application *a, int n)
{
    double cycles = 0;
    for (int k = 0; k < a->kernels; k++)
        cycles += a->kernel[k].beyond[n] > 0 ? a->kernel[k].beyond[n] : a->kernel[k].at[n].cycles;
    return cycles;
}

/* Of the degrees that are predicted to gain over the largest one that the grid fills, but so little
 * that it is in doubt: logarithms of the predicted gain less the measured one. Returns how many. */
static int broken_promises(const struct coefficients *c, const struct application *a, double *out)
{
    struct prediction p;
    int n = 0;
    predict_application(c, a, &p);
    const int last = p.same_from < p.n_max ? p.same_from : p.n_max;
    for (int k = 1; k < last; k++) {
        const double gain = log(p.ipc[k] / p.ipc[last]),
                     real = log(application_cycles(a, last) / application_cycles(a, k));
        if (gain > 0 && gain <= log1p(MARGIN_GAIN) && isfinite(gain - real))
            out[n++] = gain - real;
    }
    return n;
}

static double margin_of(const struct coefficients *c, const struct series_set *set,
                        const struct fit_opts *o, double *v)
{
    int n = 0;
    struct application a;
    for (int i = 0; i < set->count; i += a.kernels) {
        a = application_at(set, i);
        if (!o->sees || o->sees(o->user, a.kernel))
            n += broken_promises(c, &a, v + n);
    }
    return n ? fmax(0, expm1(quantile(v, n, MARGIN_PART))) : NAN;
}

static bool fill(struct coefficients *c, const struct fit_opts *o, const char *name, double v)
{
    const int at = coefficient_find(c->model, name);
    const bool fills = at >= 0 && !fit_holds(o, name) && isfinite(v);
    if (fills)
        *coefficient_at(c->model, c->value, at) = fmin(v, coefficient_row(c->model, at)->hi);
    return fills;
}

/* ---- what degrees share ---- */

static const char *const shared_names[] = {"error_correlation", "correlation_length"};
enum { CORRELATION, LENGTH, SHARED };

struct pairs {
    double *distance, *apart; /* owned: in units of what nothing shared makes of it; |ln(n / m)| */
    int count;
    double value[SHARED]; /* of those that are not free */
    struct ls_coeff free[SHARED];
    int which[SHARED]; /* of free[] */
    int nfree;
};

/* Of two normal deviations that share the part s the mean distance is error * sqrt(1 - s) times
 * this. */
#define MEAN_DISTANCE (2 / sqrt(M_PI))

static struct pairs pairs_of(const struct deviations *d, double error)
{
    int room = 0;
    for (int i = 0; i < d->count; i++)
        room += d->series[i].filled * d->series[i].filled / 2;
    struct pairs p = {.distance = xcalloc((size_t)room + 1, sizeof *p.distance),
                      .apart = xcalloc((size_t)room + 1, sizeof *p.apart)};
    for (int i = 0; i < d->count; i++) {
        const double *off = d->series[i].off;
        for (int n = 1; n <= d->series[i].filled; n++)
            for (int m = n + 1; m <= d->series[i].filled; m++)
                if (isfinite(off[n] + off[m])) {
                    const double distance = fabs(off[n] - off[m]) / error;
                    p.apart[p.count] = log((double)m / n);
                    p.distance[p.count++] = fmin(distance, MOST * M_SQRT2) / MEAN_DISTANCE;
                }
    }
    return p;
}

/* What the pair is expected to be apart. */
static double distance(void *user, const double *coeff, int i)
{
    struct pairs *p = user;
    for (int k = 0; k < p->nfree; k++)
        p->value[p->which[k]] = coeff[k];
    return sqrt(1 - p->value[CORRELATION] * exp(-p->apart[i] / p->value[LENGTH]));
}

static void choose_free(struct pairs *p, const struct coefficients *c, const struct fit_opts *o,
                        const bool *kept)
{
    p->nfree = 0;
    for (int k = 0; k < SHARED; k++) {
        const int at = coefficient_find(c->model, shared_names[k]);
        const struct param *r = coefficient_row(c->model, at);
        p->value[k] = *coefficient_at(c->model, c->value, at);
        if (kept[k] || fit_holds(o, r->name))
            continue;
        p->which[p->nfree] = k;
        p->free[p->nfree++] =
            (struct ls_coeff){.name = r->name, .lo = r->lo, .hi = r->hi, .start = p->value[k]};
    }
}

static void take(struct coefficients *c, const struct pairs *p, const struct ls_fit *f)
{
    int at[SHARED];
    for (int k = 0; k < SHARED; k++)
        at[k] = coefficient_find(c->model, shared_names[k]);
    for (int k = 0; k < p->nfree; k++) {
        const int a = at[p->which[k]];
        *coefficient_at(c->model, c->value, a) = f->value[k];
        if (isfinite(f->error[k]))
            *coefficient_at(c->model, c->error, a) = f->error[k];
        for (int l = 0; l < p->nfree; l++)
            *coefficients_covariance(c, a, at[p->which[l]]) = f->covariance[k][l];
    }
}

static bool undetermined(const struct err *why, const char *name, struct err *e)
{
    return err_set(e, "errors shared by pairs of degrees: %s; --hold %s keeps its value", why->msg,
                   name);
}

/* What the pairs don't determine keeps its value, if that is asked for: all of it, where nobody can
 * say which. How far a correlation reaches need not be known where there is none. */
static bool fit_pairs(struct pairs *p, struct coefficients *c, const struct fit_opts *o,
                      struct residuals *out, struct err *e)
{
    bool kept[SHARED] = {false};
    struct ls_fit f;
    struct err why;
    const char *loose = NULL;
    for (choose_free(p, c, o, kept); p->nfree; choose_free(p, c, o, kept)) {
        const struct ls_problem q = {.coeff = p->free,
                                     .ncoeff = p->nfree,
                                     .nrows = p->count,
                                     .y = p->distance,
                                     .value = distance,
                                     .user = p,
                                     .thorough = true,
                                     .method = o->method};
        struct err now;
        if (ls_fit(&q, &f, &now)) {
            if (loose && !o->idle_stay && f.value[0] > NOTHING)
                return undetermined(&why, loose, e);
            out->idle = loose;
            take(c, p, &f);
            out->pairs = p->count;
            out->r2 = f.r2;
            return true;
        }
        why = now;
        const int which = p->which[f.loose < 0 ? 0 : f.loose];
        loose = shared_names[which];
        if (!o->idle_stay && (which != LENGTH || p->nfree < SHARED))
            return undetermined(&why, loose, e);
        for (int k = 0; k < SHARED; k++)
            kept[k] |= f.loose < 0 || k == which;
    }
    out->idle = loose;
    return true;
}

bool residuals_fit(struct coefficients *c, const struct series_set *set, const struct fit_opts *o,
                   struct residuals *out, struct err *e)
{
    struct deviations d = deviations_of(c, set, o);
    int ipcs;
    bool ok = true;
    *out = (struct residuals){.r2 = NAN};
    const double error = error_of(&d, &ipcs);
    const bool errors = fill(c, o, "error", error),
               margin = fill(c, o, "margin", margin_of(c, set, o, d.v));
    out->ipcs = errors || margin ? ipcs : 0;
    if (error > EXACT && coefficient_find(c->model, shared_names[CORRELATION]) >= 0) {
        struct pairs p = pairs_of(&d, error);
        ok = fit_pairs(&p, c, o, out, e);
        free(p.distance);
        free(p.apart);
    }
    free(d.series);
    free(d.v);
    return ok;
}
