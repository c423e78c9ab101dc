/* cli/figure_text.h -- a figure's section for a terminal: its table keeps to the width, its text
 * wraps. */
#ifndef MDP_CLI_FIGURE_TEXT_H
#define MDP_CLI_FIGURE_TEXT_H

#include <stdio.h>

#include "figure/cells.h"

void figure_text(FILE *out, const struct figure_cells *c);

#endif
