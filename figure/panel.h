/* figure/panel.h -- a part of a figure: one pair of axes. What each kind of figure draws in it is
 * in plot_bars.c and plot_lines.c. */
#ifndef MDP_FIGURE_PANEL_H
#define MDP_FIGURE_PANEL_H

#include <stdio.h>

#include "figure/cells.h"

#define PANELS 64

struct panel {
    char *title;         /* owned */
    char *y;             /* of the axis; owned */
    const char *setting; /* of bars; borrowed */
    const char *by;      /* of a stack; borrowed */
    int column;          /* of the figure's shown ones; -1: all, stacked */
    int from, to;        /* of bars: its places */
    double top;          /* of the y axis; 0: where the values end */
};

struct plot {
    const struct figure_cells *c;
    FILE *out;
    struct panel panel[PANELS];
    int panels;
};

/* A kind: what panels there are, the data of one, and what comes behind its axes' names. */
struct panel_ops {
    void (*plan)(struct plot *p);
    void (*rows)(const struct plot *p, const struct panel *m);
    void (*draw)(const struct plot *p, int i); /* data: $p<i> */
};

extern const struct panel_ops panel_bars, panel_stack, panel_lines, panel_plain;

/* Takes title and y. */
void panel_add(struct plot *p, struct panel panel);
/* In double quotes, as gnuplot reads it. */
void panel_quoted(FILE *out, const char *text, size_t len);
void panel_quoted_all(FILE *out, const char *text);
void panel_number(FILE *out, double v); /* with a blank before it */
/* What stands at an axis for a column; caller frees. */
char *panel_axis(const struct figure_cells *c, int column);
/* NAN: it is no number. */
double panel_paper(const char *text);
/* The paper's text states a number of this column; setting NULL: in any. */
bool panel_has_paper(const struct figure_cells *c, int column, const char *setting);

#endif
