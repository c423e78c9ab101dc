/* figure/markdown.h -- a figure as a table in markdown. */
#ifndef MDP_FIGURE_MARKDOWN_H
#define MDP_FIGURE_MARKDOWN_H

#include <stdio.h>

#include "figure/cells.h"

/* The table, without a title; what the paper prints stands in brackets behind ours. */
void figure_markdown(FILE *out, const struct figure_cells *s);
/* With its title, note, lines and what it says, as a section of a page. */
void figure_section(FILE *out, const struct figure_cells *s);
/* A line each: what a paper says that belongs to no cell, and the remarks of ours. */
void figure_lines(FILE *out, const struct figure_cells *s);

#endif
