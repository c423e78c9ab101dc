/* figure/plot.h -- a figure as a script of gnuplot, which writes a file called "figure". */
#ifndef MDP_FIGURE_PLOT_H
#define MDP_FIGURE_PLOT_H

#include <stdio.h>

#include "figure/cells.h"

enum figure_format { FIGURE_SVG, FIGURE_PNG, FIGURE_PDF };

/* One panel below the other: of bars and stacked bars one a setting and column, of lines one a
 * column. What the paper prints is a point. */
void figure_script(FILE *out, const struct figure_cells *c, enum figure_format format);

#endif
