/* fitter/eval/tables.h -- a cross-validation for people: by application, by group of settings, how
 * fits went. */
#ifndef MDP_FITTER_EVAL_TABLES_H
#define MDP_FITTER_EVAL_TABLES_H

#include <stdio.h>

#include "fitter/eval/cross_validation.h"

void tables_print(FILE *out, const struct cross_validation *c);

#endif
