/* cli/compare_all.h -- `compare --all`: a profile's applications, every predictor of a degree put
 * to the test. */
#ifndef MDP_CLI_COMPARE_ALL_H
#define MDP_CLI_COMPARE_ALL_H

#include "cli/options.h"
#include "fitter/eval/cross_validation.h"

bool compare_all(struct options *o, struct err *e);

/* Makes the folder and tries gnuplot: better before a long run than after it. *made: it was not
 * there. */
bool compare_plots_ready(const char *folder, bool *made, struct err *e);
/* Yen's Figures 13 to 22, those of whose applications and L1D size the profile has runs:
 * FOLDER/figure-13.gp, .csv and, made by gnuplot, .svg. The others are told on stderr; if there is
 * none to draw that is an error. */
bool compare_plot(const struct cross_validation *c, const char *folder, struct err *e);

#endif
