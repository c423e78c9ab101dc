/* fitter/eval/metrics.h -- what the choice of a degree is worth, beside what was simulated at every
 * degree: arithmetic alone.
 *
 *   default      as many CTAs as fit; optimum: the highest IPC. Degrees whose IPC is the same
 *                (within 1e-9) are all the optimum: more places than a grid has CTAs change
 * nothing. gain         IPC / IPC at the default, less 1 sensitive    an application whose optimum
 * gains more than METRICS_SENSITIVE: others prove little insensitive  one whose optimum gains at
 * most METRICS_INSENSITIVE: nothing is to be had, only to be lost
 */
#ifndef MDP_FITTER_EVAL_METRICS_H
#define MDP_FITTER_EVAL_METRICS_H

#include "model/model.h"

#define METRICS_SENSITIVE   0.05
#define METRICS_INSENSITIVE 0.01
#define METRICS_LONG        1e6 /* warp instructions of a program */

struct measured { /* an application at every n, 1..n_max, the default; all of its kernels together
                   */
    int n_max;
    double ipc[MODEL_N_MAX + 1];
    double dram_reads_per_cta[MODEL_N_MAX + 1];
};

struct evaluation { /* of one choice for one application */
    bool has_n;     /* it is one n throughout: exact and near have a meaning */
    bool exact;     /* the n is an optimum */
    bool near;      /* it is, or lies beside one */
    double kept;    /* IPC / IPC at the optimum */
    double gain, optimum_gain;
    double ipc_error; /* of the prediction, |predicted / simulated - 1| summed over ipc_points n */
    int ipc_points;   /* 0: nothing is predicted */
    int interval_points, inside; /* where an 80 % interval is predicted; that it holds */
    double reads_error;          /* the same of a CTA's DRAM reads, where there are any */
    int reads_points;
    /* CPU time of the answer / that of one simulation, / that of the search; 0: nothing was asked;
     * NAN: not known */
    double price, search_price;
    double insts; /* warp instructions of the program; 0: not known */
};

int measured_optimum(const struct measured *m); /* the smallest n of those */

/* n, 1..n_max: the choice; 0: it is no single n. ipc: simulated with it. predicted: NULL: nothing
 * is. Prices are not known here: NAN. */
void metrics_evaluate(const struct measured *m, int n, double ipc,
                      const struct prediction *predicted, struct evaluation *out);

/* name, meaning; NAN where there is nothing to take it of. Shares are of cases that have an n. */
#define METRIC_FIELDS(X)                                                            \
    X(cases, "applications, each on each GPU with each L1D")                        \
    X(price, "CPU time of an answer / that of one simulation, geometric mean")      \
    X(price_worst, "largest of them")                                               \
    X(price_long, "largest of programs of over a million warp instructions")        \
    X(search_price, "CPU time of an answer / that of the search, geometric mean")   \
    X(kept, "geometric mean of IPC / IPC at the optimum")                           \
    X(worst, "smallest of them")                                                    \
    X(gain, "geometric mean of IPC / IPC at the default, less 1")                   \
    X(optimum_gain, "the same of the optimum")                                      \
    X(exact, "share of cases in which the n is the optimum")                        \
    X(near, "share of cases in which it is or lies beside it")                      \
    X(sensitive, "cases whose optimum gains more than 5 % over default")            \
    X(sensitive_exact, "share of these in which the n is the optimum")              \
    X(sensitive_near, "share of these in which it is or lies beside it")            \
    X(captured, "of these, sum of gains over default / sum of the optimum's gains") \
    X(insensitive, "cases whose optimum gains at most 1 %")                         \
    X(insensitive_loss, "most that any of these loses against default")             \
    X(ipc_error, "mean |predicted / simulated - 1| of IPC, over every n of all")    \
    X(inside, "share of simulated IPCs in the predicted 80 % intervals")            \
    X(reads_error, "the same of a CTA's DRAM reads, where there are any")

struct metrics {
#define X(name, help) double name;
    METRIC_FIELDS(X)
#undef X
};
struct metric_row {
    const char *name, *help;
    size_t off;
};
extern const struct metric_row metric_rows[]; /* ends with name == NULL */

/* Over n judgements; *worst (NULL is fine): which of them keeps least, -1: there is none. */
void metrics_of(const struct evaluation *const *j, int n, struct metrics *out, int *worst);

/* NAN of none. Every v > 0. */
double geometric_mean(const double *v, int n);

#endif
