#include "cli/figure_text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/wrap.h"
#include "figure/markdown.h"

#define BULLET 2 /* indent behind "* " */

/* The next cell of a line "| a | b |", which ends there; NULL: no more. */
static char *next_cell(char **line)
{
    char *from = *line + (**line == '|'), *end = strstr(from, " |");
    if (!end)
        return NULL;
    *end = '\0';
    *line = end + 1;
    return from + (*from == ' ');
}

/* A heading "SCHEDULERS" or "SCHEDULERS: COLUMN", in words. */
static void heading(struct table *t, const struct figure_spec *of, char *cell)
{
    char *what = strstr(cell, ": ");
    if (what)
        *what = '\0';
    table_cell(t, "%s%s%s", figure_name(of, cell), what ? ": " : "", what ? what + 2 : "");
}

/* The rule below the heading has "---:" where numbers stand. Setting and target are one cell: the
 * first one is repeated in each part of a table that is too wide. */
static struct table *table_of(const char *rule, bool settings)
{
    char align[FIGURE_KEYS * FIGURE_COLUMNS];
    size_t n = 0;
    for (const char *at = strstr(rule, "---"); at && n + 1 < sizeof align;
         at = strstr(at + 3, "---"))
        align[n++] = at[3] == ':' ? 'r' : 'l';
    align[n] = '\0';
    return table_new(align + (settings && n > 1));
}

static void fill(struct table *t, const struct figure_cells *c, char *line, bool is_heading,
                 bool settings)
{
    int column = 0;
    const char *setting = settings ? next_cell(&line) : NULL;
    for (char *cell = next_cell(&line); cell; cell = next_cell(&line), column++)
        if (column == 0 && setting)
            table_cell(t, "%s, %s", setting, cell);
        else if (is_heading && column > 0)
            heading(t, c->of, cell);
        else
            table_cell(t, "%s", cell);
}

static void print_table(FILE *out, const struct figure_cells *c)
{
    char *text, *save = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    const bool settings = c->setting.n > 1 && !c->of->means;
    figure_markdown(to, c);
    fclose(to);
    char *head = strtok_r(text, "\n", &save), *rule = strtok_r(NULL, "\n", &save);
    struct table *t = table_of(rule, settings);
    fill(t, c, head, true, settings);
    for (char *line = strtok_r(NULL, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        fill(t, c, line, false, settings);
    table_print(t, out);
    table_free(t);
    free(text);
}

static void print_lines(FILE *out, const struct figure_cells *c)
{
    char *text, *save = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    figure_lines(to, c);
    fclose(to);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        wrap_print(out, line, 0, BULLET, WRAP_TABLE);
    free(text);
}

void figure_text(FILE *out, const struct figure_cells *c)
{
    const struct figure_spec *of = c->of;
    wrap_line(out, "%s", of->title);
    fputc('\n', out);
    if (*of->note)
        wrap_print(out, of->note, 0, 0, WRAP_TABLE);
    if (figure_has_ratio(of))
        wrap_line(out, "Divided by: %s.", figure_name(of, of->base));
    if (*of->note || figure_has_ratio(of))
        fputc('\n', out);
    print_table(out, c);
    fputc('\n', out);
    print_lines(out, c);
    if (*of->says)
        wrap_print(out, of->says, 0, 0, WRAP_TABLE);
}
