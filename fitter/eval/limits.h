/* fitter/eval/limits.h -- what limits each predictor, by application: how far off its IPC is and in
 * which direction, where it keeps least, and what it takes to bound the kernels there. */
#ifndef MDP_FITTER_EVAL_LIMITS_H
#define MDP_FITTER_EVAL_LIMITS_H

#include <stdio.h>

#include "fitter/eval/cross_validation.h"

void limits_print(FILE *out, const struct cross_validation *c);

#endif
