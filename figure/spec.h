/* figure/spec.h -- the figures and tables of the papers: which runs each is made of, what of them
 * it shows, and how it is drawn (data/results/tables.cfg). */
#ifndef MDP_FIGURE_SPEC_H
#define MDP_FIGURE_SPEC_H

#include "base/cfg_file.h"

#define FIGURE_COLUMNS 12

enum figure_plot { FIGURE_BARS, FIGURE_STACK, FIGURE_LINES };

/* A column of a run: its name, or with "/base" behind it, over that of the baseline on the same
 * target. "normalised" is ipc/base. */
struct figure_column {
    const char *name;
    char column[64];
    bool over_base;
};

struct figure_spec {
    const char *name, *title, *note; /* name: of its CSV file too; note: "" for none */
    const char *base;                /* the combination that "/base" means */
    const char *size;                /* of its workloads; "": the one that is asked for */
    const char *says;                /* what it says beside the paper's, one sentence; "" */
    double minutes;                  /* CPU time of its simulations at size medium; 0: unknown */
    enum figure_plot plot;
    struct figure_column shown[FIGURE_COLUMNS];
    int shows;
    bool means;                  /* no line a target: a line a setting, with geometric means */
    const struct cfg_node *runs; /* { setting, args } of compare, or { setting, run } of run */
    bool plain;                  /* no runs: a CSV file that is shown as it is */
    const struct cfg_node *labels, *names; /* of all figures; borrowed, NULL: none */
};

struct figure_run {      /* one comparison of a figure */
    const char *setting; /* "": it has but one */
    const char *args;    /* of `compare`; NULL: */
    const char *run;     /* a suite, then what `run` takes */
};

struct figure_list {
    struct cfg_file *file;   /* owned */
    struct figure_spec *one; /* owned; its texts belong to file */
    int count;
};

/* False and e: what the file has is no list of figures. figure_list_close in any case. */
bool figure_list_open(struct figure_list *l, const char *path, struct err *e);
void figure_list_close(struct figure_list *l);
/* NULL and e, with the near names: there is none. */
const struct figure_spec *figure_find(const struct figure_list *l, const char *name, struct err *e);

/* In words, for pictures: what a column is, with its unit; a combination of schedulers. What has no
 * entry keeps its name. */
const char *figure_label(const struct figure_spec *s, const char *column);
const char *figure_name(const struct figure_spec *s, const char *combination);

/* Comparison i of a figure that is not plain. */
bool figure_run_read(const struct figure_spec *s, int i, struct figure_run *out, struct err *e);
int figure_runs(const struct figure_spec *s); /* 0 of a plain one */

#endif
