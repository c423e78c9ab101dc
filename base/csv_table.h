/* base/csv_table.h -- reading a CSV file whole: a heading, then rows of as many fields (RFC 4180).
 * The only file that sees libcsv. */
#ifndef MDP_BASE_CSV_TABLE_H
#define MDP_BASE_CSV_TABLE_H

#include "base/err.h"

struct csv_table;

/* NULL and e ("FILE:LINE: what is wrong") when it can't be read, has no heading, names a column
 * twice, has a row of another length, or a quote that is not closed. Empty lines are skipped. */
struct csv_table *csv_load(const char *path, struct err *e);
void csv_table_free(struct csv_table *t); /* NULL is fine */

int csv_rows(const struct csv_table *t);
int csv_columns(const struct csv_table *t);
/* -1: there is none of that name. */
int csv_find(const struct csv_table *t, const char *column);
/* The same, but its lack is an error. */
bool csv_need(const struct csv_table *t, const char *column, int *out, struct err *e);
const char *csv_column(const struct csv_table *t, int column);        /* its name */
const char *csv_text(const struct csv_table *t, int row, int column); /* lives as long as t */
/* A finite number. False and e: there is another text, or none. */
bool csv_number(const struct csv_table *t, int row, int column, double *out, struct err *e);
/* "FILE:LINE: " of the row and the message; returns false. */
bool csv_err(const struct csv_table *t, int row, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
