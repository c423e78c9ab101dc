/* fitter/fit/covariance.h -- what errors of coefficients have to do with each other, in a file:
 * their correlations, a block for each stage that was fitted (coefficients.h). With the standard
 * errors they make up the covariance. */
#ifndef MDP_FITTER_FIT_COVARIANCE_H
#define MDP_FITTER_FIT_COVARIANCE_H

#include "fitter/fit/coefficients.h"

struct cfg_node;

/* The file's correlations into c's covariance, before the standard errors are known; then the
 * covariance by them, independent where no correlation was told. False and e: file:line. */
bool covariance_read(struct coefficients *c, const struct cfg_node *root, struct err *e);
bool covariance_scale(struct coefficients *c, const struct cfg_node *root, struct err *e);
void covariance_write(const struct coefficients *c, FILE *out);

#endif
