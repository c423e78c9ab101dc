/* Where else a fit may begin: at random rows, and at other places of a coefficient's range. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "fitter/fit/ls_search.h"

#define PLACES          40 /* of a coefficient's range, where others are fitted */
#define DRAWS           20
#define DRAW_ROWS       2 /* a coefficient */
#define DRAW_ROUNDS     4
#define DRAW_ITERATIONS 20
#define LESS            0.9

/* Weights of a few rows alone, drawn at random, and where these and the rows that are then near
 * lead to. False: nowhere. */
static bool draw(struct search *s, gsl_multifit_nlinear_workspace *work, struct rng *r)
{
    int iterations = 0;
    for (int i = 0; i < s->p->nrows; i++)
        s->weight[i] = 0;
    for (int k = 0; k < DRAW_ROWS * s->nfree; k++) {
        const uint64_t i = rng_below(r, (uint64_t)s->p->nrows);
        s->weight[i] = s->p->weight ? sqrt(s->p->weight[i]) : 1;
    }
    for (int round = 0; round < DRAW_ROUNDS; round++) {
        if (!search_descend(s, work, &iterations, NULL) && !s->slow)
            return false;
        search_reweigh(s, gsl_multifit_nlinear_position(work));
    }
    return true;
}

/* What rows are off, each at most the cutoff: so that less scatter among fewer rows is no gain,
 * the larger one of those that are compared. */
static double misfit(const struct ls_problem *p, const double *coeff, double cutoff)
{
    double sum = 0;
    for (int i = 0; i < p->nrows; i++) {
        const double base = p->weight ? sqrt(p->weight[i]) : 1;
        sum += fmin(base * fabs(p->value(p->user, coeff, i) - p->y[i]), cutoff);
    }
    return sum;
}

/* Of b's misfit, a's. */
static double part_of(const struct ls_problem *p, const double *a, double a_cutoff, const double *b,
                      double b_cutoff)
{
    const double cutoff = fmax(a_cutoff, b_cutoff), of = misfit(p, b, cutoff);
    return of > 0 ? misfit(p, a, cutoff) / of : 1;
}

/* The draw with the least misfit, in *best. False: none came to anything. */
static bool best_draw(const struct ls_problem *p, struct search *best)
{
    struct search s = search_new(p);
    struct rng r = rng_seed(DRAWS);
    struct ls_fit fit;
    gsl_multifit_nlinear_parameters params = gsl_multifit_nlinear_default_parameters();
    params.trs = search_method(p->method, NULL);
    if (search_begin(&s, &fit, NULL) && s.nfree > 0) {
        gsl_multifit_nlinear_workspace *work = gsl_multifit_nlinear_alloc(
            gsl_multifit_nlinear_trust, &params, (size_t)p->nrows, (size_t)s.nfree);
        const struct search start = s;
        s.most = DRAW_ITERATIONS;
        for (int k = 0; k < DRAWS; k++) {
            memcpy(s.coeff, start.coeff, sizeof s.coeff);
            if (!draw(&s, work, &r) ||
                (isfinite(best->cutoff) &&
                 part_of(p, s.coeff, s.cutoff, best->coeff, best->cutoff) >= 1))
                continue;
            best->cutoff = s.cutoff;
            memcpy(best->coeff, s.coeff, sizeof s.coeff);
            memcpy(best->weight, s.weight, (size_t)p->nrows * sizeof *s.weight);
        }
        gsl_multifit_nlinear_free(work);
    }
    free(s.weight);
    return isfinite(best->cutoff);
}

/* A fit to all rows may lean so far towards outliers that these look like the others: where both
 * what a coefficient acts on and what comes of it are wrong. A few rows have none among them
 * sometimes; from the best draw the fit begins once more, and stands if its misfit is clearly less.
 */
static void draw_starts(const struct ls_problem *p, bool *ok, struct ls_fit *out)
{
    struct search best = search_new(p);
    struct ls_fit *fit = xcalloc(1, sizeof *fit);
    if (best_draw(p, &best) &&
        (!*ok || part_of(p, best.coeff, best.cutoff, out->value, out->cutoff) < LESS) &&
        search_fit(p, &best, fit, NULL) &&
        (!*ok || part_of(p, fit->value, fit->cutoff, out->value, out->cutoff) < LESS)) {
        *ok = true;
        memcpy(out, fit, sizeof *out);
    }
    free(fit);
    free(best.weight);
}

/* Where a coefficient moves nothing a descent ends on a plain, and which one depends on the method.
 * So it is held at places of its whole range, while the others are fitted; from the lowest of these
 * all are. False: that ends on a plain too, or is no lower. */
static bool from_other_starts(const struct ls_problem *p, struct ls_fit *out)
{
    struct ls_coeff coeff[LS_COEFFS_MAX], *q = &coeff[out->loose];
    const struct ls_coeff *range = &p->coeff[out->loose];
    struct ls_problem there = *p;
    struct ls_fit *fit = xcalloc(1, sizeof *fit);
    double start[LS_COEFFS_MAX], lowest = out->rms * (1 - EXACT);
    bool found = false;
    there.coeff = memcpy(coeff, p->coeff, (size_t)p->ncoeff * sizeof *coeff);
    for (int i = 0; isfinite(range->hi - range->lo) && i < PLACES; i++) {
        const double part = (1 - cos(M_PI * (i + 0.5) / PLACES)) / 2;
        q->start = q->lo = q->hi = range->lo + (range->hi - range->lo) * part;
        if (search_fit(&there, NULL, fit, NULL) && fit->rms < lowest) {
            found = true;
            lowest = fit->rms;
            memcpy(start, fit->value, sizeof start);
        }
    }
    *q = *range;
    for (int c = 0; found && c < p->ncoeff; c++)
        coeff[c].start = start[c];
    found = found && search_fit(&there, NULL, fit, NULL) && fit->rms < lowest * (1 + EXACT);
    if (found)
        memcpy(out, fit, sizeof *out);
    free(fit);
    return found;
}

bool search_from_other_starts(const struct ls_problem *p, bool ok, struct ls_fit *out)
{
    if (p->robust)
        draw_starts(p, &ok, out);
    return ok || (out->loose >= 0 && from_other_starts(p, out));
}
