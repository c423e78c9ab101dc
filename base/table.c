#include "base/table.h"

#include "base/err.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table {
    char *align; /* owned */
    char **cell; /* owned, as is each */
    size_t columns, cells, cap;
};

struct table *table_new(const char *align)
{
    struct table *t = xcalloc(1, sizeof *t);
    t->align = xstrdup(align);
    t->columns = strlen(align);
    BUG_ON(t->columns == 0, "a table without columns");
    return t;
}

void table_free(struct table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->cells; i++)
        free(t->cell[i]);
    free(t->cell);
    free(t->align);
    free(t);
}

void table_cell(struct table *t, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (t->cells == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 64;
        t->cell = xrealloc(t->cell, t->cap * sizeof *t->cell);
    }
    t->cell[t->cells++] = xstrdup(text);
}

/* Characters, not bytes: UTF-8 continuation bytes take no column. */
static int width(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static int column_width(const struct table *t, size_t column)
{
    int widest = 0;
    for (size_t i = column; i < t->cells; i += t->columns)
        if (width(t->cell[i]) > widest)
            widest = width(t->cell[i]);
    return widest;
}

void table_print(const struct table *t, FILE *out)
{
    for (size_t i = 0; i < t->cells; i++) {
        size_t column = i % t->columns;
        int pad = column_width(t, column) - width(t->cell[i]);
        bool last = column + 1 == t->columns || i + 1 == t->cells;
        if (t->align[column] == 'r')
            fprintf(out, "%*s%s", pad, "", t->cell[i]);
        else
            fprintf(out, "%s%*s", t->cell[i], last ? 0 : pad, "");
        fputs(last ? "\n" : "  ", out);
    }
}
