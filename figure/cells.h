/* figure/cells.h -- the numbers of a figure, ours and the paper's, by setting, target and
 * combination of schedulers. */
#ifndef MDP_FIGURE_CELLS_H
#define MDP_FIGURE_CELLS_H

#include "base/csv_table.h"
#include "figure/spec.h"

#define FIGURE_KEYS 512 /* different targets, settings, combinations of a figure */

struct figure_keys {
    const char *key[FIGURE_KEYS]; /* borrowed, in the order in which they appear */
    int n;
};

struct figure_cells {
    const struct figure_spec *of;
    struct csv_table *csv;                   /* owned: ours, a row a run */
    const struct csv_table *paper, *remarks; /* borrowed */
    struct figure_keys setting, target, by;
};

/* csv: the path of ours. paper: table, setting, target, combination, column, value, where; remarks:
 * table, target, combination, remark. False and e: it can't be read. figure_cells_close in any
 * case. */
bool figure_cells_open(struct figure_cells *c, const struct figure_spec *of, const char *csv,
                       const struct csv_table *paper, const struct csv_table *remarks,
                       struct err *e);
void figure_cells_close(struct figure_cells *c);

/* NAN: there is no such run. */
double figure_value(const struct figure_cells *c, const char *setting, const char *target,
                    const char *by, const struct figure_column *column);
/* Over the targets of a setting that have one. */
double figure_mean(const struct figure_cells *c, const char *setting, const char *by,
                   const struct figure_column *column, bool geometric);
/* What the paper prints of it; "": nothing. */
const char *figure_paper(const struct figure_cells *c, const char *setting, const char *target,
                         const char *by, const struct figure_column *column);
bool figure_has(const struct figure_cells *c, const char *setting, const char *target);
bool figure_has_ratio(const struct figure_spec *s); /* a column over the baseline's */

/* A field of a row; "": there is no such column. */
const char *figure_field(const struct csv_table *t, int row, const char *column);

#endif
