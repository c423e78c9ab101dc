/* fitter/fit/fit.h -- a model's coefficients from measured series, stage by stage. A stage predicts
 * the growth of something from n - 1 to n; what is made small is the difference of the logarithms
 * of the predicted and the observed growth, over all steps of all series.
 *
 * Smooth coefficients are fitted by least squares within their table's range. Those at which a
 * curve jumps from one segment to the next are searched one after the other, over the midpoints of
 * the values that the series have there, until none moves; between two such midpoints every value
 * fits equally well, and so it has no standard error. */
#ifndef MDP_FITTER_FIT_FIT_H
#define MDP_FITTER_FIT_FIT_H

#include "fitter/fit/coefficients.h"
#include "fitter/fit/series.h"

#define FIT_STAGES_MAX 8

struct fit_opts {
    const char *method; /* one of LS_METHODS; NULL: the first */
    bool robust;
    const char **hold; /* names of coefficients that keep their value */
    int holds;
    bool idle_stay; /* a coefficient that the steps don't determine keeps its value: no error, and
                       no other place is looked for, which may take minutes */
    /* Which series the fit may see; NULL: all. */
    bool (*sees)(void *user, const struct series *s);
    void *user;
};

struct stage_fit {
    const struct model_stage *stage;
    int steps;        /* that it was fitted to */
    int left_out;     /* of these, those that robust weights took for outliers */
    double rms;       /* of the difference of logarithms: 0.1 is a factor of 1.1 */
    double r2;        /* both NAN without a step, if all of the stage's coefficients are held */
    const char *idle; /* with idle_stay: a coefficient that the steps don't determine; else NULL */
};

struct residuals {    /* what `error`, `margin`, `error_correlation` and `correlation_length` were
                         taken from (residuals.h) */
    int ipcs, pairs;  /* pairs of degrees; 0: the model shares nothing, or it is held */
    double r2;        /* of what the pairs share; NAN without one */
    const char *idle; /* with idle_stay: a coefficient that the pairs don't determine; else NULL */
};

struct model_fit {
    struct coefficients coeff;
    struct stage_fit stage[FIT_STAGES_MAX];
    int stages;
    struct residuals residuals;
};

/* Begins at the coefficients in start. A stage whose coefficients are all held is not fitted. False
 * and e: an unknown name is held, too few steps or none (which column is missing), a coefficient
 * that the steps don't determine (hold it), no convergence. */
bool fit_run(const struct coefficients *start, const struct series_set *set,
             const struct fit_opts *o, struct model_fit *out, struct err *e);
void fit_release(struct model_fit *f);

/* Does this coefficient keep its value? */
bool fit_holds(const struct fit_opts *o, const char *name);

/* The same root mean square for the series that sees() says, with given coefficients; *steps: how
 * many. */
double fit_rms(const struct model_stage *stage, const void *coeff, const struct series_set *set,
               bool (*sees)(void *user, const struct series *s), void *user, int *steps);

#endif
