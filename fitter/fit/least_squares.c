#include "fitter/fit/ls_search.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ITERATIONS 1000
#define TOLERANCE      1e-10 /* of a step, relative to the coefficients */
#define GRADIENT       1e-12
#define PLATEAU_STEPS  5    /* in which the sum of squares ... */
#define PLATEAU        1e-6 /* ... falls by less than this part: some 1/30 of a standard error */
#define STEP           1e-6 /* of numerical derivatives, of 1 + |u| */
#define ON_BOUND       1e-6 /* of the range: as near as the transformation gets */
#define BESIDE_BOUND   1e-3 /* of the range: where steps along the bound become ever shorter */
#define SINGULAR       1e-8 /* of the largest singular value, columns of length 1 */
#define NO_EFFECT      1e-6 /* of what there is to explain, by a coefficient's whole range */
#define ROBUST_ROUNDS  100
#define ROBUST_SETTLED 1e-6  /* of a coefficient */
#define BISQUARE       4.685 /* 95 % as efficient as least squares on normal residuals */
#define MAD_SIGMA      0.6745
#define MOVED          1e-6 /* of the most sensitive row */

static double clamp(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static double to_inner(const struct ls_coeff *c, double v)
{
    if (isfinite(c->lo) && isfinite(c->hi)) /* not from the very bound, where the slope is 0 */
        return asin(clamp(2 * (v - c->lo) / (c->hi - c->lo) - 1, -0.9999, 0.9999));
    if (isfinite(c->lo))
        return sqrt(pow(fmax(v - c->lo, 1e-3) + 1, 2) - 1);
    if (isfinite(c->hi))
        return sqrt(pow(fmax(c->hi - v, 1e-3) + 1, 2) - 1);
    return v;
}

static double to_outer(const struct ls_coeff *c, double u)
{
    if (isfinite(c->lo) && isfinite(c->hi))
        return c->lo + (c->hi - c->lo) * (1 + sin(u)) / 2;
    if (isfinite(c->lo))
        return c->lo - 1 + sqrt(u * u + 1);
    if (isfinite(c->hi))
        return c->hi + 1 - sqrt(u * u + 1);
    return u;
}

static void set_point(struct search *s, const gsl_vector *u)
{
    for (int k = 0; k < s->nfree; k++) {
        int c = s->free[k];
        s->coeff[c] = to_outer(&s->p->coeff[c], gsl_vector_get(u, (size_t)k));
    }
}

static int residuals(const gsl_vector *u, void *user, gsl_vector *f)
{
    struct search *s = user;
    set_point(s, u);
    for (int i = 0; i < s->p->nrows; i++) {
        double r = s->p->value(s->p->user, s->coeff, i) - s->p->y[i];
        if (!isfinite(r)) {
            s->bad_row = i;
            return GSL_EBADFUNC;
        }
        gsl_vector_set(f, (size_t)i, s->weight[i] * r);
    }
    return GSL_SUCCESS;
}

/* Central differences. (GSL's own take a step relative to u, which vanishes where u is near 0.) */
static int jacobian(const gsl_vector *at, void *user, gsl_matrix *j)
{
    struct search *s = user;
    gsl_vector *u = gsl_vector_alloc(at->size), *f = gsl_vector_alloc(j->size1);
    int status = GSL_SUCCESS;
    gsl_vector_memcpy(u, at);
    for (size_t k = 0; status == GSL_SUCCESS && k < at->size; k++) {
        double centre = gsl_vector_get(at, k), h = STEP * (1 + fabs(centre));
        gsl_vector_view column = gsl_matrix_column(j, k);
        gsl_vector_set(u, k, centre + h);
        status = residuals(u, s, f);
        gsl_vector_memcpy(&column.vector, f);
        gsl_vector_set(u, k, centre - h);
        if (status == GSL_SUCCESS)
            status = residuals(u, s, f);
        gsl_vector_sub(&column.vector, f);
        gsl_vector_scale(&column.vector, 1 / (2 * h));
        gsl_vector_set(u, k, centre);
    }
    gsl_vector_free(u);
    gsl_vector_free(f);
    return status;
}

const gsl_multifit_nlinear_trs *search_method(const char *name, struct err *e)
{
#define X(text, symbol, help)             \
    if (!name || strcmp(name, text) == 0) \
        return gsl_multifit_nlinear_trs_##symbol;
    LS_METHODS(X)
#undef X
#define X(text, symbol, help) " " text
    err_set(e, "no method \"%s\" of least squares; there are:" LS_METHODS(X), name);
#undef X
    return NULL;
}

bool ls_method_known(const char *name, struct err *e)
{
    return search_method(name, e) != NULL;
}

static bool explain(const struct search *s, int status, int iterations, struct err *e)
{
    if (s->bad_row >= 0)
        return err_set(e, "the model gives no finite value for row %d of %d", s->bad_row + 1,
                       s->p->nrows);
    if (status == GSL_EMAXITER)
        return err_set(e, "the fit does not converge in %d iterations", iterations);
    return err_set(e, "the fit fails after %d iterations: %s", iterations, gsl_strerror(status));
}

/* A minimum on a kink of the model, or on the way along a bound, is never reached to the last
 * digit: there the descent ends when the sum of squares hardly falls any more. */
static int descend(struct search *s, gsl_multifit_nlinear_workspace *work)
{
    double before = INFINITY, sum;
    for (size_t i = 1; i <= s->most; i++) {
        int why, status = gsl_multifit_nlinear_iterate(work);
        if (status != GSL_SUCCESS)
            return status == GSL_EMAXITER ? GSL_ENOPROG : status; /* of attempts at one step */
        if (gsl_multifit_nlinear_test(TOLERANCE, GRADIENT, 0, &why, work) == GSL_SUCCESS)
            return GSL_SUCCESS;
        if (i % PLATEAU_STEPS)
            continue;
        gsl_blas_ddot(gsl_multifit_nlinear_residual(work), gsl_multifit_nlinear_residual(work),
                      &sum);
        s->slow = before - sum <= PLATEAU * sum;
        if (s->slow)
            return GSL_SUCCESS;
        before = sum;
    }
    return GSL_EMAXITER;
}

bool search_descend(struct search *s, gsl_multifit_nlinear_workspace *work, int *iterations,
                    struct err *e)
{
    gsl_multifit_nlinear_fdf fdf = {.f = residuals,
                                    .df = jacobian,
                                    .n = (size_t)s->p->nrows,
                                    .p = (size_t)s->nfree,
                                    .params = s};
    gsl_vector *u = gsl_vector_alloc((size_t)s->nfree);
    for (int k = 0; k < s->nfree; k++)
        gsl_vector_set(u, (size_t)k, to_inner(&s->p->coeff[s->free[k]], s->coeff[s->free[k]]));
    s->bad_row = -1;
    s->slow = false;
    int status = gsl_multifit_nlinear_init(u, &fdf, work);
    if (status == GSL_SUCCESS)
        status = descend(s, work);
    *iterations += (int)gsl_multifit_nlinear_niter(work);
    if (status == GSL_ENOPROG) /* no step, however short, gets any lower: this is the minimum */
        status = GSL_SUCCESS;
    s->slow |= status == GSL_EMAXITER;
    set_point(s, gsl_multifit_nlinear_position(work));
    gsl_vector_free(u);
    return status == GSL_SUCCESS || explain(s, status, *iterations, e);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The rows that the free coefficients move at u, where s->coeff is; all if they move none. The
 * weights are 1 / standard deviation as given. */
static void find_moved(struct search *s, const gsl_vector *u, bool *moved)
{
    const size_t n = (size_t)s->p->nrows;
    gsl_matrix *j = gsl_matrix_alloc(n, u->size);
    double *length = xcalloc(n, sizeof *length), longest = 0;
    const bool ok = jacobian(u, s, j) == GSL_SUCCESS;
    set_point(s, u);
    for (size_t i = 0; i < n; i++) {
        gsl_vector_view row = gsl_matrix_row(j, i);
        length[i] = ok ? gsl_blas_dnrm2(&row.vector) : 0;
        longest = fmax(longest, length[i]);
    }
    for (size_t i = 0; i < n; i++)
        moved[i] = length[i] >= MOVED * longest;
    free(length);
    gsl_matrix_free(j);
}

/* Of the residuals of rows that the coefficients move: a row that none moves fits, or doesn't, by
 * itself. As many of the smallest as there are coefficients could be brought to 0 by these alone.
 * At least what counts as exact, so that outliers are outliers too where all others fit exactly. */
static double scatter(struct search *s, const gsl_vector *u, const double *r)
{
    const int n = s->p->nrows;
    bool *moved = xcalloc((size_t)n, sizeof *moved);
    double *size = xcalloc((size_t)n, sizeof *size), squares = 0;
    int rows = 0;
    find_moved(s, u, moved);
    for (int i = 0; i < n; i++) {
        if (moved[i] && s->weight[i] > 0)
            size[rows++] = fabs(r[i]);
        squares += pow(s->weight[i] * s->p->y[i], 2) / n;
    }
    qsort(size, (size_t)rows, sizeof *size, ascending);
    const int first = rows > s->nfree ? s->nfree : 0, last = rows - 1;
    const double middle =
        rows ? (size[(first + last) / 2] + size[(first + last + 1) / 2]) / 2 / MAD_SIGMA : 0;
    free(size);
    free(moved);
    return fmax(middle, EXACT * sqrt(squares));
}

void search_reweigh(struct search *s, const gsl_vector *u)
{
    const int n = s->p->nrows;
    double *r = xcalloc((size_t)n, sizeof *r);
    for (int i = 0; i < n; i++) {
        s->weight[i] = s->p->weight ? sqrt(s->p->weight[i]) : 1;
        r[i] = s->weight[i] * (s->p->value(s->p->user, s->coeff, i) - s->p->y[i]);
    }
    s->cutoff = BISQUARE * scatter(s, u, r);
    for (int i = 0; i < n && s->cutoff > 0; i++) { /* 0: nothing there but zeros */
        const double t = r[i] / s->cutoff;
        s->weight[i] *= fabs(t) < 1 ? 1 - t * t : 0; /* the square root of (1 - t^2)^2 */
    }
    free(r);
}

/* What a move of a coefficient is measured by: on a bound that is 0 all moves are rounding errors.
 */
static double scale_of(const struct ls_coeff *c, double v)
{
    const bool bounded = isfinite(c->lo) && isfinite(c->hi);
    return fabs(v) + (bounded ? ON_BOUND * (c->hi - c->lo) : 1e-12);
}

static bool settle(struct search *s, gsl_multifit_nlinear_workspace *work, int *iterations,
                   struct err *e)
{
    for (int round = 0;; round++) {
        double before[LS_COEFFS_MAX];
        memcpy(before, s->coeff, sizeof before);
        if (!search_descend(s, work, iterations, e))
            return false;
        double moved = 0;
        for (int c = 0; c < s->p->ncoeff; c++)
            moved =
                fmax(moved, fabs(s->coeff[c] - before[c]) / scale_of(&s->p->coeff[c], before[c]));
        if (!s->p->robust || (round > 0 && moved < ROBUST_SETTLED))
            return true;
        if (round == ROBUST_ROUNDS)
            return err_set(e, "the robust weights do not settle in %d rounds", round);
        search_reweigh(s, gsl_multifit_nlinear_position(work));
    }
}

static double sum_of_squares(const struct search *s)
{
    double sum = 0;
    for (int i = 0; i < s->p->nrows; i++)
        sum += pow(s->weight[i] * (s->p->value(s->p->user, s->coeff, i) - s->p->y[i]), 2);
    return sum;
}

/* Puts coefficient c on the bound beside it, if one is as near as that and the sum of squares grows
 * no larger. */
static bool reaches_bound(struct search *s, int c, double within)
{
    const struct ls_coeff *q = &s->p->coeff[c];
    const double near = within * (isfinite(q->hi - q->lo) ? q->hi - q->lo : 1);
    const double was = s->coeff[c], before = within > ON_BOUND ? sum_of_squares(s) : INFINITY;
    if (was - q->lo >= near && q->hi - was >= near)
        return false;
    s->coeff[c] = was - q->lo < near ? q->lo : q->hi;
    if (sum_of_squares(s) <= before)
        return true;
    s->coeff[c] = was;
    return false;
}

/* Free coefficients that ended on a bound, or that are on their slow way to it, are held there from
 * now on. Did any? */
static bool hold_bounded(struct search *s, double within, struct ls_fit *out)
{
    int kept = 0;
    for (int k = 0; k < s->nfree; k++) {
        int c = s->free[k];
        out->on_bound[c] = reaches_bound(s, c, within);
        if (!out->on_bound[c])
            s->free[kept++] = c;
    }
    bool any = kept < s->nfree;
    s->nfree = kept;
    return any;
}

/* Does its whole range move the rows by less than that counts? One without a range is left to the
 * singular values. */
static bool moves_nothing(const struct search *s, int c, double length)
{
    const struct ls_coeff *q = &s->p->coeff[c];
    double squares = 0;
    for (int i = 0; i < s->p->nrows; i++)
        squares += pow(s->weight[i] * s->p->y[i], 2);
    const double range = isfinite(q->hi - q->lo) ? M_PI : 0; /* of u */
    return !(length > 0) || (range > 0 && length * range < NO_EFFECT * sqrt(squares));
}

/* The free coefficient that the rows say least about, or -1 when they determine all: one that moves
 * nothing; else, columns of the Jacobian brought to length 1, a singular value near 0 is a
 * direction in which nothing moves, and the largest part of that direction names the coefficient.
 */
static int undetermined(const struct search *s, const gsl_matrix *j)
{
    size_t n = (size_t)s->nfree;
    int worst = -1;
    gsl_matrix *u = gsl_matrix_alloc(j->size1, n), *v = gsl_matrix_alloc(n, n);
    gsl_vector *value = gsl_vector_alloc(n), *work = gsl_vector_alloc(n);
    gsl_matrix_memcpy(u, j);
    for (size_t k = 0; k < n && worst < 0; k++) {
        gsl_vector_view column = gsl_matrix_column(u, k);
        double length = gsl_blas_dnrm2(&column.vector);
        if (moves_nothing(s, s->free[k], length))
            worst = (int)k;
        else
            gsl_vector_scale(&column.vector, 1 / length);
    }
    if (worst < 0) {
        gsl_linalg_SV_decomp(u, v, value, work);
        gsl_vector_view weakest = gsl_matrix_column(v, n - 1);
        if (!(gsl_vector_get(value, n - 1) > SINGULAR * gsl_vector_get(value, 0)))
            worst = (int)gsl_blas_idamax(&weakest.vector);
    }
    gsl_matrix_free(u);
    gsl_matrix_free(v);
    gsl_vector_free(value);
    gsl_vector_free(work);
    return worst < 0 ? -1 : s->free[worst];
}

static bool is_determined(const struct search *s, int c, struct ls_fit *out, struct err *e)
{
    out->loose = c;
    return c < 0 || err_set(e, "the rows do not determine every coefficient: least of all %s",
                            s->p->coeff[c].name);
}

/* A standard error beyond the whole range says less than the range does. */
static int beyond_range(const struct search *s, const struct ls_fit *out)
{
    int worst = -1;
    double most = 1;
    for (int k = 0; k < s->nfree; k++) {
        const struct ls_coeff *q = &s->p->coeff[s->free[k]];
        const double part = isfinite(q->hi - q->lo) ? out->error[s->free[k]] / (q->hi - q->lo) : 0;
        if (!(part <= most)) {
            worst = s->free[k];
            most = part;
        }
    }
    return worst;
}

/* Standard errors: s^2 (J^T J)^-1, s^2 = weighted residual sum of squares / degrees of freedom, by
 * the slope of each transformation. */
static bool errors(const struct search *s, gsl_multifit_nlinear_workspace *work, struct ls_fit *out,
                   struct err *e)
{
    double chi2 = 0, slope[LS_COEFFS_MAX];
    gsl_matrix *j = gsl_multifit_nlinear_jac(work);
    if (!is_determined(s, undetermined(s, j), out, e))
        return false;
    gsl_matrix *covariance = gsl_matrix_alloc((size_t)s->nfree, (size_t)s->nfree);
    gsl_multifit_nlinear_covar(j, 0, covariance);
    const gsl_vector *f = gsl_multifit_nlinear_residual(work);
    int used = 0;
    for (int i = 0; i < s->p->nrows; i++) {
        chi2 += pow(gsl_vector_get(f, (size_t)i), 2);
        used += s->weight[i] > 0;
    }
    double variance = used > s->nfree ? chi2 / (used - s->nfree) : 0;
    const gsl_vector *u = gsl_multifit_nlinear_position(work);
    for (int k = 0; k < s->nfree; k++) {
        double at = gsl_vector_get(u, (size_t)k), step = STEP * (1 + fabs(at));
        const struct ls_coeff *c = &s->p->coeff[s->free[k]];
        slope[k] = (to_outer(c, at + step) - to_outer(c, at - step)) / (2 * step);
    }
    for (int a = 0; a < s->nfree; a++)
        for (int b = 0; b < s->nfree; b++)
            out->covariance[s->free[a]][s->free[b]] =
                variance * slope[a] * slope[b] * gsl_matrix_get(covariance, (size_t)a, (size_t)b);
    for (int k = 0; k < s->nfree; k++)
        out->error[s->free[k]] = sqrt(out->covariance[s->free[k]][s->free[k]]);
    gsl_matrix_free(covariance);
    return is_determined(s, beyond_range(s, out), out, e);
}

static bool fit_free(struct search *s, const gsl_multifit_nlinear_trs *method, struct ls_fit *out,
                     struct err *e)
{
    gsl_multifit_nlinear_parameters params = gsl_multifit_nlinear_default_parameters();
    params.trs = method;
    for (bool again = true; again && s->nfree > 0;) {
        gsl_multifit_nlinear_workspace *work = gsl_multifit_nlinear_alloc(
            gsl_multifit_nlinear_trust, &params, (size_t)s->p->nrows, (size_t)s->nfree);
        struct err why = {""};
        bool ok = settle(s, work, &out->iterations, &why);
        again = (ok || s->slow) && hold_bounded(s, s->slow ? BESIDE_BOUND : ON_BOUND, out);
        ok = again || (ok && errors(s, work, out, &why));
        gsl_multifit_nlinear_free(work);
        if (!ok)
            return err_set(e, "%s", why.msg);
    }
    return true;
}

static void goodness(const struct search *s, struct ls_fit *out)
{
    const struct ls_problem *p = s->p;
    double mean = 0, rss = 0, around = 0;
    for (int i = 0; i < p->nrows; i++)
        mean += p->y[i] / p->nrows;
    for (int i = 0; i < p->nrows; i++) {
        rss += pow(p->value(p->user, out->value, i) - p->y[i], 2);
        around += pow(p->y[i] - mean, 2);
    }
    for (int i = 0; i < p->nrows; i++)
        out->left_out += s->weight[i] == 0 && !(p->weight && p->weight[i] == 0);
    out->cutoff = s->cutoff;
    out->rows = p->nrows;
    out->rms = sqrt(rss / p->nrows);
    out->r2 = around > 0 ? 1 - rss / around : rss > 0 ? 0 : 1;
}

bool search_begin(struct search *s, struct ls_fit *out, struct err *e)
{
    const struct ls_problem *p = s->p;
    BUG_ON(p->ncoeff > LS_COEFFS_MAX, "%d coefficients", p->ncoeff);
    for (int c = 0; c < p->ncoeff; c++) {
        const struct ls_coeff *q = &p->coeff[c];
        BUG_ON(!(q->start >= q->lo && q->start <= q->hi), "%s starts outside its bounds", q->name);
        s->coeff[c] = q->start;
        if (q->lo < q->hi)
            s->free[s->nfree++] = c;
        out->error[c] = NAN;
    }
    if (p->nrows <= s->nfree)
        return err_set(e, "too few rows: %d, for %d coefficients", p->nrows, s->nfree);
    for (int i = 0; i < p->nrows; i++) {
        double w = p->weight ? p->weight[i] : 1;
        if (!isfinite(p->y[i]) || !(w >= 0) || !isfinite(w))
            return err_set(e, "row %d of %d is not finite", i + 1, p->nrows);
        s->weight[i] = sqrt(w);
    }
    return true;
}

struct search search_new(const struct ls_problem *p)
{
    return (struct search){.p = p,
                           .most = MAX_ITERATIONS,
                           .cutoff = INFINITY,
                           .weight = xcalloc((size_t)p->nrows + 1, sizeof(double))};
}

bool search_fit(const struct ls_problem *p, const struct search *from, struct ls_fit *out,
                struct err *e)
{
    *out = (struct ls_fit){.loose = -1};
    struct search s = search_new(p);
    const gsl_multifit_nlinear_trs *method = search_method(p->method, e);
    bool ok = method && search_begin(&s, out, e);
    if (ok && from) {
        memcpy(s.coeff, from->coeff, sizeof s.coeff);
        memcpy(s.weight, from->weight, (size_t)p->nrows * sizeof *s.weight);
    }
    ok = ok && fit_free(&s, method, out, e);
    if (ok || out->loose >= 0) {
        memcpy(out->value, s.coeff, sizeof out->value);
        goodness(&s, out);
    }
    free(s.weight);
    return ok;
}

bool ls_fit(const struct ls_problem *p, struct ls_fit *out, struct err *e)
{
    struct err why = {""};
    /* We look at what GSL returns. For good: fits run side by side in threads, and one that gave
     * the handler back would end the program at another's error. */
    gsl_set_error_handler_off();
    bool ok = search_fit(p, NULL, out, &why);
    if (p->thorough && search_method(p->method, NULL))
        ok = search_from_other_starts(p, ok, out);
    return ok || err_set(e, "%s", why.msg);
}
