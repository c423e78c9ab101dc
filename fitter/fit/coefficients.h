/* fitter/fit/coefficients.h -- a model's coefficients and what is known of their errors: a
 * libconfig file,
 *
 *     model = "...";                       whose they are; another model's are an error
 *     NAME = value; ...                    all that the model's table has
 *     standard_error = { NAME = value; }   of those that were fitted; one that is absent has none
 *     correlation = (                      of the errors of coefficients that were fitted together;
 *         { of = ["NAME", ...];            without it they are independent
 *           rows = ([1.0, ...], ...); } )  symmetric, no variance below 0
 *     source = "...";                      what they were fitted on
 *     description = "...";                 how well they fit */
#ifndef MDP_FITTER_FIT_COEFFICIENTS_H
#define MDP_FITTER_FIT_COEFFICIENTS_H

#include <stdio.h>

#include "model/model.h"

struct coefficients {
    const struct model_ops *model;
    void *value, *error; /* owned: the model's struct; error: 0 where there is none */
    double *covariance;  /* owned: row by row of the model's table; 0 where there is no error */
};

/* The table's defaults, no errors. */
void coefficients_init(struct coefficients *c, const struct model_ops *m);
/* The file names its model and every coefficient. False and e, c released: file:line, or the file
 * and all that it lacks. */
bool coefficients_load(struct coefficients *c, const struct model_ops *m, const char *path,
                       struct err *e);
void coefficients_write(const struct coefficients *c, const char *source, const char *description,
                        FILE *out);
void coefficients_release(struct coefficients *c);

/* The i-th coefficient's row, NULL beyond the last, and its place in either struct. */
const struct param *coefficient_row(const struct model_ops *m, int i);
int coefficient_find(const struct model_ops *m, const char *name); /* -1: there is none */
double *coefficients_covariance(const struct coefficients *c, int a, int b);
/* What model_predict() takes of them; borrowed. */
struct model_coeffs coefficients_model(const struct coefficients *c);
double *coefficient_at(const struct model_ops *m, void *values, int i);

#endif
