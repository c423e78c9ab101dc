/* bench/schedulers.c -- `make schedulers`: what scripts/schedulers.sh has to run, and the page of
 * what came out.
 *   schedulers list TABLES.cfg                   a line a comparison, with tabs between its fields:
 *                                                table, setting, compare or run, columns, arguments
 *   schedulers page DIR PAPERS.csv               the tables of DIR/tables.cfg, from DIR/NAME.csv
 * and DIR/remarks.csv, as markdown */
#include "bench/schedulers_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every comparison's row has these. */
static bool is_standard(const char *column)
{
    static const char *const standard[] = {"n", "n_max", "cycles", "thread_insts", "ipc"};
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        if (strcmp(standard[i], column) == 0)
            return true;
    return false;
}

static void list_columns(const struct result_table *t)
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

static bool list_table(const struct result_table *t, struct err *e)
{
    for (int i = 0; t->runs && i < cfg_len(t->runs); i++) {
        const struct cfg_node *r = cfg_at(t->runs, i);
        const char *setting = "", *args = NULL, *run = NULL;
        if (!cfg_get_str(r, "setting", &setting, e) || !cfg_get_str(r, "args", &args, e) ||
            !cfg_get_str(r, "run", &run, e))
            return false;
        if (!args == !run)
            return cfg_err(r, e, "either args, of `compare`, or run, of `run`");
        printf("%s\t%s\t%s\t", t->name, *setting ? setting : "-", args ? "compare" : "run");
        list_columns(t);
        printf("\t%s\n", args ? args : run);
    }
    return true;
}

static bool print_table(const struct result_table *t, const char *dir, const char *paper_path,
                        struct err *e)
{
    char *csv = xasprintf("%s/%s.csv", dir, t->name);
    const bool made = access(csv, R_OK) == 0;
    free(csv);
    if (!made) {
        printf("\n## %s\n\nNot made yet: `make schedulers`.\n", t->title);
        return true;
    }
    char *path = xasprintf("%s/remarks.csv", dir);
    struct csv_table *paper = csv_load(paper_path, e);
    struct csv_table *remarks = paper ? csv_load(path, e) : NULL;
    const bool ok = remarks && result_table_print(t, dir, paper, remarks, e);
    csv_table_free(remarks);
    csv_table_free(paper);
    free(path);
    return ok;
}

/* paper NULL: a list. */
static bool each(const char *tables, const char *dir, const char *paper, struct err *e)
{
    struct cfg_file *f = cfg_open(tables, e);
    const struct cfg_node *list;
    bool ok = f && cfg_need(cfg_root(f), "tables", &list, e);
    for (int i = 0; ok && i < cfg_len(list); i++) {
        struct result_table t;
        ok = result_table_read(cfg_at(list, i), &t, e) &&
             (paper ? print_table(&t, dir, paper, e) : list_table(&t, e));
    }
    ok = ok && (paper || cfg_all_read(cfg_root(f), e));
    cfg_close(f);
    return ok;
}

int main(int argc, char **argv)
{
    struct err e;
    bool ok;
    if (argc == 3 && strcmp(argv[1], "list") == 0) {
        ok = each(argv[2], NULL, NULL, &e);
    } else if (argc == 4 && strcmp(argv[1], "page") == 0) {
        char *tables = xasprintf("%s/tables.cfg", argv[2]);
        ok = each(tables, argv[2], argv[3], &e);
        free(tables);
    } else {
        fprintf(stderr, "usage: schedulers list TABLES.cfg | page DIR PAPERS.csv\n");
        return 2;
    }
    if (!ok)
        fprintf(stderr, "schedulers: %s\n", e.msg);
    return !ok;
}
