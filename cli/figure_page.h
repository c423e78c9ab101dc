/* cli/figure_page.h -- a figure as a page in HTML: the picture, its table, remarks. */
#ifndef MDP_CLI_FIGURE_PAGE_H
#define MDP_CLI_FIGURE_PAGE_H

#include "figure/cells.h"

/* svg: the picture. The page needs no other file. *len: its bytes. Caller frees. */
char *figure_page(const struct figure_cells *c, const char *svg, size_t *len);

#endif
