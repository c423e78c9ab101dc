/* bench/schedulers_table.h -- the tables of data/results/: which comparisons each is made of, and
 * what of them it shows (data/results/tables.cfg). */
#ifndef MDP_BENCH_SCHEDULERS_TABLE_H
#define MDP_BENCH_SCHEDULERS_TABLE_H

#include "base/cfg_file.h"
#include "base/csv_table.h"

#define SHOWS_MAX 12

/* A column of a run: its name, or with "/base" behind it, over that of the baseline on the same
 * target. "normalised" is ipc/base. */
struct shown {
    const char *name;
    char column[64];
    bool over_base;
};

struct result_table {
    const char *name, *title, *note; /* name: of its CSV file too; note: "" for none */
    const char *base;                /* the combination that "/base" means */
    struct shown shown[SHOWS_MAX];
    int shows;
    bool means;                  /* no line a target: a line a setting, with geometric means */
    const struct cfg_node *runs; /* { setting, args } of compare, or { setting, run } of run */
    bool plain;                  /* no runs: a CSV file that is shown as it is */
};

/* False and e: not what a table has. */
bool result_table_read(const struct cfg_node *n, struct result_table *out, struct err *e);

/* The page's section of it, from its CSV file in `dir`; `paper`: what papers print, `remarks`: why
 * ours differs. */
bool result_table_print(const struct result_table *t, const char *dir,
                        const struct csv_table *paper, const struct csv_table *remarks,
                        struct err *e);

#endif
