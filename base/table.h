/* base/table.h -- text tables for people: columns as wide as their widest cell. On a terminal a
 * table keeps to its width: columns of text wrap; if that is not enough, the columns that find no
 * room come below, behind the first one again. */
#ifndef MDP_BASE_TABLE_H
#define MDP_BASE_TABLE_H

#include <stdio.h>

struct table;

/* align: a letter a column, 'l' or 'r' ("lrr"): that many columns. */
struct table *table_new(const char *align);
void table_free(struct table *t); /* NULL is fine */
/* The next cell, row by row; the first row is the heading. */
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Two spaces between columns, none at the end. A row of which only the first cell has text is a
 * heading: it may be as long as it likes. */
void table_print(const struct table *t, FILE *out);
/* Characters of UTF-8, each a column. */
int text_columns(const char *s, size_t bytes);
/* Columns of a line, from now on; 0: no limit. Before it is called they are terminal_columns(). */
void table_room(int columns);
int table_columns(void); /* of a line now; 0: no limit */
/* Of the terminal that standard output is: $COLUMNS, else what it says, else 80; 0: it is none. */
int terminal_columns(void);

#endif
