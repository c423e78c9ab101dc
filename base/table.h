/* base/table.h -- text tables for people: columns as wide as their widest cell. */
#ifndef MDP_BASE_TABLE_H
#define MDP_BASE_TABLE_H

#include <stdio.h>

struct table;

/* align: a letter a column, 'l' or 'r' ("lrr"): that many columns. */
struct table *table_new(const char *align);
void table_free(struct table *t); /* NULL is fine */
/* The next cell, row by row; the first row is the heading. */
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_print(const struct table *t,
                 FILE *out); /* two spaces between columns, none at the end */

#endif
