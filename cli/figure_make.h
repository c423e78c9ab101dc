/* cli/figure_make.h -- the runs behind a figure: each comparison is the command that its definition
 * names, as a process of its own. */
#ifndef MDP_CLI_FIGURE_MAKE_H
#define MDP_CLI_FIGURE_MAKE_H

#include "cli/options.h"
#include "figure/spec.h"

/* Simulates what o->runs does not hold, o->jobs at a time, and writes the figure's table, a row a
 * run, as CSV to `path`. False and e: the figure has no runs, or a command failed. */
bool figure_make(const struct options *o, const struct figure_spec *s, const char *path,
                 struct err *e);

#endif
