/* cli/compare_all.h -- `compare --all`: a profile's applications, every predictor of a degree put
 * to the test. */
#ifndef MDP_CLI_COMPARE_ALL_H
#define MDP_CLI_COMPARE_ALL_H

#include <stdio.h>

#include "cli/options.h"
#include "fitter/eval/cross_validation.h"

bool compare_all(struct options *o, struct err *e);

/* The tables for people: by application, by group of settings, the costs, how fits went. */
void compare_print(FILE *out, const struct cross_validation *c);
/* Makes the folder and tries gnuplot: better before a long run than after it. *made: it was not
 * there. */
bool compare_plots_ready(const char *folder, bool *made, struct err *e);
/* Yen's Figures 13 to 22, those of whose applications and L1D size the profile has runs:
 * FOLDER/figure-13.gp, .csv and, made by gnuplot, .svg. The others are told on stderr; if there is
 * none to draw that is an error. */
bool compare_plot(const struct cross_validation *c, const char *folder, struct err *e);

/* What sampling costs of one simulation, geometric means over the cases of a GPU and a size. */
struct cost {
    const char *gpu, *size; /* borrowed from the cases */
    int cases;
    double to_full, worst; /* worst: the largest */
    double refined,
        refined_worst; /* with what the refined predictor simulates; NAN: there is none */
    double to_search;  /* NAN where nothing was run */
};
/* *out: owned by the caller; returns how many. */
int compare_costs(const struct cross_validation *c, struct cost **out);

#endif
