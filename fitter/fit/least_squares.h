/* fitter/fit/least_squares.h -- nonlinear least squares: coefficients of any curve, within bounds,
 * with standard errors. GSL's trust-region methods (gsl_multifit_nlinear) do the work; this file
 * adds
 *
 * Bounds: a coefficient c in lo..hi is fitted as c = lo + (hi - lo) (1 + sin u) / 2, or with one
 * finite bound as c = lo - 1 + sqrt(u^2 + 1) (the transformations of MINUIT). One that ends on a
 * bound is held there while the others are fitted again, and has no error.
 *
 * Outliers: robust rows are weighted anew, by Tukey's bisquare of the residual in units of 4.685
 * median absolute deviations / 0.6745, until the coefficients settle. The median is of the rows
 * that the coefficients move, and at least 1e-6 of the rows' size.
 *
 * Refusals: fewer rows than coefficients + 1, a model value that is not finite, a fit that does not
 * converge, a coefficient that the rows don't determine are errors, not numbers. */
#ifndef MDP_FITTER_FIT_LEAST_SQUARES_H
#define MDP_FITTER_FIT_LEAST_SQUARES_H

#include "base/err.h"

#define LS_COEFFS_MAX 64

struct ls_coeff {
    const char *name;
    double lo, hi; /* -INFINITY, INFINITY: none; lo == hi: held */
    double start;  /* where the search begins; within the bounds */
};

struct ls_problem {
    const struct ls_coeff *coeff;
    int ncoeff, nrows;
    const double *y;      /* [nrows] what was observed */
    const double *weight; /* [nrows] 1 / variance, or NULL: all 1 */
    /* What the model says for row i. */
    double (*value)(void *user, const double *coeff, int i);
    void *user;
    bool robust;
    bool thorough;      /* begin elsewhere too: robust, at random rows; where it ends on a plain, at
                           other places */
    const char *method; /* a name of LS_METHODS; NULL: the first */
};

/* GSL's trust-region subproblems: name, symbol, what it is */
#define LS_METHODS(X)                                         \
    X("lm", lm, "Levenberg-Marquardt")                        \
    X("lmaccel", lmaccel, "Levenberg-Marquardt, accelerated") \
    X("dogleg", dogleg, "dogleg")                             \
    X("ddogleg", ddogleg, "double dogleg")                    \
    X("subspace2D", subspace2D, "two-dimensional subspace")

struct ls_fit { /* arrays by coefficient */
    double value[LS_COEFFS_MAX];
    double error[LS_COEFFS_MAX]; /* standard error; NAN for one that is held or on a bound */
    double covariance[LS_COEFFS_MAX][LS_COEFFS_MAX]; /* 0 in rows and columns without an error */
    bool on_bound[LS_COEFFS_MAX];
    int loose;  /* after an error: the coefficient that the rows don't determine; else -1 */
    double rms; /* of the residuals, unweighted, y's unit */
    double r2;  /* 1 - residual sum of squares / that around the mean, unweighted */
    int rows, iterations; /* over all refits */
    int left_out;         /* rows that robust weights give no weight at all */
    double cutoff;        /* from this residual on; INFINITY without them */
};

/* NULL is known. False: e lists those that are. */
bool ls_method_known(const char *name, struct err *e);
bool ls_fit(const struct ls_problem *p, struct ls_fit *out, struct err *e);

#endif
