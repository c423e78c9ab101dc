/* fitter/fit/residuals.h -- how far off a model's whole predictions are where it was fitted, and
 * the coefficients that say so. ln(measured / predicted IPC) is taken of every degree of every
 * series; a model has those of these coefficients that its table has:
 *
 *   error   80 % of them are within 1.28 of it: the standard deviation, were they normal
 *   margin  of degrees that are predicted to gain up to a tenth over the largest one, by
 *           applications, which are what a degree is chosen for: the predicted gain less the
 *           measured one, as a factor less 1. 90 % promise less than that too much
 *   error_correlation, correlation_length
 *           what two degrees of a series share of it:
 *           error_correlation * exp(-|ln(n / m)| / correlation_length)
 *
 * The last two are what choices rest on: they are fitted by least squares to how far the errors at
 * two degrees are from each other, |e(n) - e(m)| / error, at all pairs, which of normal errors is
 * sqrt(1 - what they share) * 2 / sqrt(pi) in the mean. Some applications are much further off than
 * all others; so that these don't decide alone, no pair counts for more than 2.5 standard
 * deviations of two errors that share nothing. Degrees for which the grid has too few CTAs say the
 * same as the last that it fills, and are no evidence for margin, error_correlation and
 * correlation_length. */
#ifndef MDP_FITTER_FIT_RESIDUALS_H
#define MDP_FITTER_FIT_RESIDUALS_H

#include "fitter/fit/coefficients.h"
#include "fitter/fit/fit.h"

/* Fills all of them that are not held. Where the series have no IPCs they stay as they are; where
 * these are predicted exactly error_correlation and correlation_length do, as there is nothing to
 * share. False and e: the pairs don't determine one of these; with o->idle_stay it keeps its value.
 */
bool residuals_fit(struct coefficients *c, const struct series_set *set, const struct fit_opts *o,
                   struct residuals *out, struct err *e);

#endif
