/* cli/refined.h -- what --refine simulated and tried, and what it made of the prediction. */
#ifndef MDP_CLI_REFINED_H
#define MDP_CLI_REFINED_H

#include "cli/forecast.h"
#include "cli/output.h"

/* Arrays "simulated" and "tried" into the present object: each degree, in that order. */
void refined_output(struct output *out, const struct forecast *f);
/* A line or two each; nothing if there are none. */
void refined_print(FILE *out, const struct forecast *f);

#endif
