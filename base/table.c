#include "base/table.h"

#include "base/err.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define GAP           2  /* between columns */
#define WRAP_LEAST    12 /* a column of text is not made narrower */
#define WORD_MOST     32 /* longer words are cut */
#define NARROWEST     20 /* a terminal of less says nothing */
#define TABLE_COLUMNS 512

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
    BUG_ON(t->columns == 0 || t->columns > TABLE_COLUMNS, "a table of %zu columns", t->columns);
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

int text_columns(const char *s, size_t bytes)
{
    int n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)s[i] & 0xc0) != 0x80;
    return n;
}

static int width(const char *s)
{
    return text_columns(s, strlen(s));
}

/* ---- The page ---- */
static int room = -1; /* columns of a line; 0: no limit; -1: not looked for yet */

void table_room(int columns)
{
    room = columns;
}

int table_columns(void)
{
    if (room < 0)
        room = terminal_columns();
    return room;
}

int terminal_columns(void)
{
    struct winsize w;
    const char *set = getenv("COLUMNS");
    if (!isatty(STDOUT_FILENO))
        return 0;
    if (set && atoi(set) >= NARROWEST)
        return atoi(set);
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= NARROWEST ? w.ws_col : 80;
}

/* ---- Columns ---- */
static const char *cell(const struct table *t, size_t row, size_t column)
{
    const size_t i = row * t->columns + column;
    return i < t->cells ? t->cell[i] : "";
}

static size_t rows(const struct table *t)
{
    return (t->cells + t->columns - 1) / t->columns;
}

/* A heading of the rows behind it: nothing stands beside it, and it is not aligned with them. */
static bool spans(const struct table *t, size_t row)
{
    if (t->columns == 1 || !*cell(t, row, 0))
        return false;
    for (size_t c = 1; c < t->columns; c++)
        if (*cell(t, row, c))
            return false;
    return true;
}

static int column_width(const struct table *t, size_t column)
{
    int widest = 0;
    for (size_t r = 0; r < rows(t); r++)
        if (!spans(t, r) && width(cell(t, r, column)) > widest)
            widest = width(cell(t, r, column));
    return widest;
}

/* How narrow a column may become: its words stay whole, unless they are very long. */
static int least_width(const struct table *t, size_t column)
{
    int least = WRAP_LEAST;
    for (size_t r = 0; r < rows(t); r++)
        for (const char *s = spans(t, r) ? "" : cell(t, r, column); *s;) {
            const size_t blanks = strspn(s, " "), word = strcspn(s + blanks, " ");
            if ((int)(blanks + word) > least)
                least = (int)(blanks + word);
            s += blanks + word;
        }
    return least < WORD_MOST ? least : WORD_MOST;
}

struct part { /* of a table: the columns [from, to), behind the first if it is not among them */
    size_t from, to;
    int *w; /* of each column */
};

static bool shows(const struct part *p, size_t column)
{
    return column == 0 || (column >= p->from && column < p->to);
}

/* Columns of text give way, the widest first, down to their least. */
static void shrink(const struct table *t, const struct part *p, int most)
{
    int *w = p->w;
    int least[TABLE_COLUMNS];
    for (size_t c = 0; c < t->columns; c++)
        least[c] = t->align[c] == 'l' ? least_width(t, c) : w[c];
    for (;;) {
        int all = -GAP, widest = -1;
        for (int c = 0; c < (int)t->columns; c++) {
            if (!shows(p, (size_t)c))
                continue;
            all += w[c] + GAP;
            if (w[c] > least[c] && (widest < 0 || w[c] > w[widest]))
                widest = c;
        }
        if (all <= most || widest < 0)
            return;
        const int over = all - most, less = w[widest] - least[widest];
        w[widest] -= over < less ? over : less;
    }
}

/* ---- Lines ---- */
/* How many bytes of s stand in one line of w characters: up to a blank, or cut. */
static size_t line_bytes(const char *s, int w)
{
    size_t i = 0, blank = 0;
    bool text = false;
    for (int n = 0; s[i]; n++) {
        if (s[i] == ' ' && text)
            blank = i;
        if (n == w)
            return blank ? blank : i;
        text |= s[i] != ' ';
        for (i++; ((unsigned char)s[i] & 0xc0) == 0x80;)
            i++;
    }
    return i;
}

struct line { /* blanks are printed when text comes behind them: none stands at its end */
    FILE *out;
    int blanks;
};

static void line_text(struct line *l, const char *s, size_t bytes)
{
    size_t text = bytes;
    while (text && s[text - 1] == ' ')
        text--;
    if (text) {
        fprintf(l->out, "%*s%.*s", l->blanks, "", (int)text, s);
        l->blanks = 0;
    }
    l->blanks += (int)(bytes - text);
}

static void line_end(struct line *l)
{
    fputc('\n', l->out);
    l->blanks = 0;
}

/* The next line of a cell; rest moves on. */
static void add_part(struct line *l, const char **rest, int w, char align)
{
    const size_t bytes = line_bytes(*rest, w);
    const int pad = w - text_columns(*rest, bytes);
    l->blanks += align == 'r' ? pad : 0;
    line_text(l, *rest, bytes);
    l->blanks += align == 'r' ? 0 : pad;
    *rest += bytes;
    *rest += **rest == ' ' && bytes;
}

static void print_row(const struct table *t, size_t row, const struct part *p, FILE *out)
{
    struct line l = {.out = out};
    const char *rest[TABLE_COLUMNS];
    bool more = false;
    for (size_t c = 0; c < p->to; c++) {
        rest[c] = cell(t, row, c);
        more |= shows(p, c) && rest[c][strspn(rest[c], " ")];
    }
    while (more) {
        more = false;
        for (size_t c = 0; c < p->to; c++) {
            if (!shows(p, c))
                continue;
            if (c)
                l.blanks += GAP;
            add_part(&l, &rest[c], p->w[c], t->align[c]);
            more |= *rest[c] != '\0';
        }
        line_end(&l);
    }
}

static void print_part(const struct table *t, const struct part *p, FILE *out)
{
    for (size_t r = 0; r < rows(t); r++)
        if (spans(t, r))
            fprintf(out, "%s\n", cell(t, r, 0));
        else
            print_row(t, r, p, out);
}

static void natural_widths(const struct table *t, int *w)
{
    for (size_t c = 0; c < t->columns; c++)
        w[c] = column_width(t, c);
}

void table_print(const struct table *t, FILE *out)
{
    const int most = table_columns();
    int least[TABLE_COLUMNS], w[TABLE_COLUMNS];
    natural_widths(t, least);
    if (most)
        shrink(t, &(struct part){0, t->columns, least}, most);
    for (size_t from = 0, to; from < t->columns; from = to) {
        int used = from ? least[0] : -GAP;
        for (to = from; to < t->columns; to++) {
            if (most && to > from && used + GAP + least[to] > most)
                break;
            used += GAP + least[to];
        }
        const struct part p = {from, to, w};
        natural_widths(t, w);
        if (most)
            shrink(t, &p, most); /* what stands in other parts takes no room here */
        if (from)
            fputc('\n', out);
        print_part(t, &p, out);
    }
}
