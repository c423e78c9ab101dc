/* figure/needs.h -- what the runs of a figure are, in a few words: GPU, applications, schedulers,
 * settings. What its comparisons differ in is counted. */
#ifndef MDP_FIGURE_NEEDS_H
#define MDP_FIGURE_NEEDS_H

#include <stdio.h>

#include "figure/spec.h"

void figure_needs(FILE *out, const struct figure_spec *s);

#endif
