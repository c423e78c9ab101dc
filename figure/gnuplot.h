/* figure/gnuplot.h -- runs gnuplot, which is there or not: Debian's gnuplot-nox. */
#ifndef MDP_FIGURE_GNUPLOT_H
#define MDP_FIGURE_GNUPLOT_H

#include <stddef.h>

#include "base/err.h"

/* On the PATH. */
bool gnuplot_there(void);
/* With one argument, in a folder. False and e: it is not there, or it failed on arg. */
bool gnuplot_run(const char *folder, const char *arg, struct err *e);
/* The file that a script makes, which it calls "figure". NULL and e: it can't. Caller frees. */
char *gnuplot_draw(const char *script, size_t *len, struct err *e);

#endif
