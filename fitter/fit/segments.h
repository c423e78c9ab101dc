/* fitter/fit/segments.h -- least squares of a curve in segments: each row's value depends on one
 * coefficient at most, so that the problem falls apart into as many of one unknown, each of a few
 * steps of Gauss and Newton. Finds the minimum that ls_fit finds, a hundredth of its work; neither
 * errors nor goodness, which a search over many places of the segments doesn't look at. */
#ifndef MDP_FITTER_FIT_SEGMENTS_H
#define MDP_FITTER_FIT_SEGMENTS_H

#include "fitter/fit/least_squares.h"

/* of[i]: the coefficient that row i depends on, -1: none. coeff: where to begin, and on return
 * where the minimum is, within the bounds. Weights, robust and method of p are not looked at.
 * Returns the sum of the squared residuals; INFINITY: too few rows, or a value that is not finite.
 */
double segments_fit(const struct ls_problem *p, const int *of, double *coeff);

#endif
