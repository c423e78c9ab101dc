#include "base/csv_table.h"

#include <csv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/num.h"

#define MAX_BYTES ((size_t)1 << 30)

struct csv_table {
    char *path;         /* owned */
    char **cell;        /* owned, each: the heading's, then row by row */
    int cells, columns; /* columns 0: the heading is not complete */
    int *line;          /* owned: of the heading, then of each row */
    int lines, room;
    int at; /* line of the record that is being read */
    struct err *e;
    bool failed;
};

static void on_field(void *text, size_t len, void *user)
{
    struct csv_table *t = user;
    if (t->cells == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->cell = xrealloc(t->cell, (size_t)t->room * sizeof *t->cell);
    }
    t->cell[t->cells++] = xasprintf("%.*s", (int)len, (const char *)text);
}

static bool repeats(const struct csv_table *t, int *which)
{
    for (int i = 0; i < t->cells; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(t->cell[i], t->cell[k]) == 0) {
                *which = i;
                return true;
            }
    return false;
}

static void on_row(int end, void *user)
{
    struct csv_table *t = user;
    int which, want = t->columns * (t->lines + 1);
    (void)end;
    if (t->failed)
        return;
    if (t->columns == 0) {
        t->columns = t->cells;
        t->failed = repeats(t, &which);
        if (t->failed)
            err_set(t->e, "%s:%d: two columns are named \"%s\"", t->path, t->at, t->cell[which]);
    } else if (t->cells != want) {
        err_set(t->e, "%s:%d: %d fields, but the heading has %d", t->path, t->at,
                t->cells - (want - t->columns), t->columns);
        t->failed = true;
    }
    t->line = xgrow(t->line, (size_t)t->lines, sizeof *t->line);
    t->line[t->lines++] = t->at;
}

/* Line by line, so that a complaint knows its line: a record that ends on a later line, in quotes,
 * is told by its last. */
static bool parse(struct csv_table *t, const char *text, size_t len)
{
    struct csv_parser p;
    bool ok = csv_init(&p, CSV_STRICT | CSV_STRICT_FINI) == 0;
    for (size_t from = 0; ok && !t->failed && from < len; t->at++) {
        const char *nl = memchr(text + from, '\n', len - from);
        size_t n = nl ? (size_t)(nl - text) + 1 - from : len - from;
        ok = csv_parse(&p, text + from, n, on_field, on_row, t) == n;
        from += n;
        if (!ok)
            err_set(t->e, "%s:%d: %s", t->path, t->at, csv_strerror(csv_error(&p)));
    }
    t->at--;
    if (ok && !t->failed && csv_fini(&p, on_field, on_row, t) != 0)
        ok = err_set(t->e, "%s:%d: a quote is not closed", t->path, t->at);
    csv_free(&p);
    return ok && !t->failed;
}

struct csv_table *csv_load(const char *path, struct err *e)
{
    size_t len;
    char *text = file_read(path, MAX_BYTES, &len, e);
    if (!text)
        return NULL;
    struct csv_table *t = xcalloc(1, sizeof *t);
    t->path = xstrdup(path);
    t->at = 1;
    t->e = e;
    bool ok = parse(t, text, len);
    if (ok && t->columns == 0)
        ok = err_set(e, "%s: no heading", path);
    free(text);
    t->e = NULL;
    if (!ok) {
        csv_table_free(t);
        return NULL;
    }
    return t;
}

void csv_table_free(struct csv_table *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->cells; i++)
        free(t->cell[i]);
    free(t->cell);
    free(t->line);
    free(t->path);
    free(t);
}

int csv_rows(const struct csv_table *t)
{
    return t->lines - 1;
}

int csv_columns(const struct csv_table *t)
{
    return t->columns;
}

int csv_find(const struct csv_table *t, const char *column)
{
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->cell[i], column) == 0)
            return i;
    return -1;
}

bool csv_need(const struct csv_table *t, const char *column, int *out, struct err *e)
{
    *out = csv_find(t, column);
    return *out >= 0 || err_set(e, "%s: no column \"%s\"", t->path, column);
}

const char *csv_column(const struct csv_table *t, int column)
{
    BUG_ON(column < 0 || column >= t->columns, "column %d", column);
    return t->cell[column];
}

const char *csv_text(const struct csv_table *t, int row, int column)
{
    BUG_ON(row < 0 || row >= csv_rows(t) || column < 0 || column >= t->columns, "cell %d, %d", row,
           column);
    return t->cell[(row + 1) * t->columns + column];
}

bool csv_number(const struct csv_table *t, int row, int column, double *out, struct err *e)
{
    const char *text = csv_text(t, row, column);
    return num_real(text, out) ||
           csv_err(t, row, e, "%s: a number is wanted, not \"%s\"", csv_column(t, column), text);
}

bool csv_err(const struct csv_table *t, int row, struct err *e, const char *fmt, ...)
{
    char message[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return err_set(e, "%s:%d: %s", t->path, t->line[row + 1], message);
}
