/* fitter/fit/ls_search.h -- what the files of least squares share; for fitter/fit/least_squares.c
 * and fitter/fit/ls_starts.c alone. */
#ifndef MDP_FITTER_FIT_LS_SEARCH_H
#define MDP_FITTER_FIT_LS_SEARCH_H

#include <gsl/gsl_multifit_nlinear.h>

#include "fitter/fit/least_squares.h"

#define EXACT 1e-6 /* of the rows' size: what a row that fits exactly may be off */

/* What GSL works on: the coefficients that are free, transformed. */
struct search {
    const struct ls_problem *p;
    double coeff[LS_COEFFS_MAX]; /* of the point under way */
    int free[LS_COEFFS_MAX];     /* which of them GSL varies */
    int nfree;
    double *weight; /* owned, [nrows]; square roots */
    int bad_row;    /* whose value was not finite; -1: none */
    double cutoff;  /* the residual that a row counts nothing from */
    size_t most;    /* iterations of a descent */
    bool slow;      /* the last descent was still going on when it was ended */
};

/* NULL: the first; NULL and e: there is none of that name. */
const gsl_multifit_nlinear_trs *search_method(const char *name, struct err *e);
/* With weights to be freed, but nothing to begin with yet: that is search_begin's. */
struct search search_new(const struct ls_problem *p);
bool search_begin(struct search *s, struct ls_fit *out, struct err *e);
/* One descent from s->coeff, which it leaves at the minimum; work is left at it too. */
bool search_descend(struct search *s, gsl_multifit_nlinear_workspace *work, int *iterations,
                    struct err *e);
/* Weights for the next round from the residuals of this one, at u. */
void search_reweigh(struct search *s, const gsl_vector *u);
/* One fit. from: coefficients and weights to begin with; NULL: those of the problem. */
bool search_fit(const struct ls_problem *p, const struct search *from, struct ls_fit *out,
                struct err *e);
/* *out: what search_fit came to, and whether it could; better from another start? */
bool search_from_other_starts(const struct ls_problem *p, bool ok, struct ls_fit *out);

#endif
