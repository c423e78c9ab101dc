/* bench/schedulers.c -- `make schedulers`: what scripts/schedulers.sh has to run, and the page of
 * what came out.
 *   schedulers list TABLES.cfg                   a line a comparison, with tabs between its fields:
 *                                                table, setting, compare or run, size or -,
 * columns, arguments schedulers page DIR PAPERS.csv               the tables of DIR/tables.cfg,
 * from DIR/NAME.csv and DIR/remarks.csv, as markdown */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure/markdown.h"

/* Every comparison's row has these. */
static bool is_standard(const char *column)
{
    static const char *const standard[] = {"n", "n_max", "cycles", "thread_insts", "ipc"};
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        if (strcmp(standard[i], column) == 0)
            return true;
    return false;
}

static void list_columns(const struct figure_spec *t)
{
    const char *between = "";
    for (int c = 0; c < t->shows; c++)
        if (!is_standard(t->shown[c].column)) {
            printf("%s%s", between, t->shown[c].column);
            between = ",";
        }
    if (!*between)
        putchar('-');
}

static bool list(const struct figure_list *l, struct err *e)
{
    struct figure_run r;
    for (const struct figure_spec *s = l->one; s < l->one + l->count; s++)
        for (int i = 0; i < figure_runs(s); i++) {
            if (!figure_run_read(s, i, &r, e))
                return false;
            printf("%s\t%s\t%s\t%s\t", s->name, *r.setting ? r.setting : "-",
                   r.args ? "compare" : "run", *s->size ? s->size : "-");
            list_columns(s);
            printf("\t%s\n", r.args ? r.args : r.run);
        }
    return true;
}

static void print_section(const struct figure_cells *c)
{
    const struct figure_spec *s = c->of;
    printf("\n## %s\n\n[%s.csv](%s.csv).%s%s", s->title, s->name, s->name, *s->note ? " " : "",
           s->note);
    if (figure_has_ratio(s))
        printf(" Divided by `%s`.", s->base);
    puts("\n");
    figure_markdown(stdout, c);
    puts("");
    figure_lines(stdout, c);
}

static bool print_table(const struct figure_spec *s, const char *dir, const struct csv_table *paper,
                        const struct csv_table *remarks, struct err *e)
{
    struct figure_cells c = {0};
    char *csv = xasprintf("%s/%s.csv", dir, s->name);
    bool ok = true;
    if (access(csv, R_OK) != 0) {
        printf("\n## %s\n\nNot made yet: `make schedulers`.\n", s->title);
    } else {
        ok = figure_cells_open(&c, s, csv, paper, remarks, e);
        if (ok)
            print_section(&c);
        figure_cells_close(&c);
    }
    free(csv);
    return ok;
}

static bool page(const struct figure_list *l, const char *dir, const char *paper_path,
                 struct err *e)
{
    char *path = xasprintf("%s/remarks.csv", dir);
    struct csv_table *paper = csv_load(paper_path, e);
    struct csv_table *remarks = paper ? csv_load(path, e) : NULL;
    bool ok = remarks;
    for (int i = 0; ok && i < l->count; i++)
        ok = print_table(&l->one[i], dir, paper, remarks, e);
    csv_table_free(remarks);
    csv_table_free(paper);
    free(path);
    return ok;
}

int main(int argc, char **argv)
{
    struct err e;
    struct figure_list l = {0};
    const bool listed = argc == 3 && strcmp(argv[1], "list") == 0;
    if (!listed && !(argc == 4 && strcmp(argv[1], "page") == 0)) {
        fprintf(stderr, "usage: schedulers list TABLES.cfg | page DIR PAPERS.csv\n");
        return 2;
    }
    char *tables = listed ? xstrdup(argv[2]) : xasprintf("%s/tables.cfg", argv[2]);
    const bool ok = figure_list_open(&l, tables, &e) &&
                    (listed ? list(&l, &e) : page(&l, argv[2], argv[3], &e));
    figure_list_close(&l);
    free(tables);
    if (!ok)
        fprintf(stderr, "schedulers: %s\n", e.msg);
    return !ok;
}
