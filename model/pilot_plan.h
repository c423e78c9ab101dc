/* model/pilot_plan.h -- which degrees of a kernel are worth a pilot simulation, one after the
 * other: the default, whose gain is to be told; the one that the model promises most of; then the
 * one with the highest expected improvement over the best so far, until that is worth nothing or
 * the budget is spent. Pure: whoever simulates asks here, and so does whoever reads a profile. */
#ifndef MDP_MODEL_PILOT_PLAN_H
#define MDP_MODEL_PILOT_PLAN_H

#include "base/params.h"
#include "model/posterior.h"

#define PILOT_COEFFS(X) /* field, type, lowest, highest, default, unit, help */                    \
    X(error, REAL, 0, 1, 0.08, "log", "standard deviation of a pilot's IPC")                       \
    X(shared, REAL, 0, 1, 0.5, "ratio", "part of its square that all degrees have in common")      \
    X(reach, REAL, 0, 10, 1, "log n", "distance over which the rest falls to 1 / e")               \
    X(noise, REAL, 0, 1, 0.02, "log", "... that is each degree's own")                             \
    X(worth, REAL, 0, 1, 0.002, "log", "expected improvement below which no pilot is run")         \
    X(margin, REAL, 0, 1, 0.005, "log",                                                            \
      "gain over the default for which another degree is chosen")                                  \
    X(runs, INT, 0, 64, 2, "", "simulations of the whole program that a thorough answer may need") \
    X(run_noise, REAL, 0, 1, 0.01, "log", "standard deviation of what chance does to one of them") \
    X(budget, REAL, 0, 100, 0.8, "ratio",                                                          \
      "warp instructions of a kernel's pilots / those of all its launches, at most")               \
    X(budget_short, REAL, 0, 100, 1.6, "ratio", "the same of a program of up to short_insts")      \
    X(short_insts, REAL, 0, 1e12, 1e6, "insts", "warp instructions of a short program")

PARAM_STRUCT(pilot_coeff, PILOT_COEFFS);
extern const struct param_group pilot_coeff_groups[]; /* ends with rows == NULL */

/* A file of the rows above. False and e: it can't be read, or a value is missing or out of range.
 */
bool pilot_coeff_load(struct pilot_coeff *c, const char *path, struct err *e);

struct pilot_plan {
    const struct pilot_coeff *coeff; /* borrowed */
    struct posterior *posterior;     /* owned */
    int most;                        /* degrees beyond have the same CTAs at once as this one */
    bool known[POSTERIOR_N_MAX + 1];
    double budget, spent; /* warp instructions */
};

/* ipc: predicted by a model whose errors are `model`, [1..n_max]; insts: warp instructions of all
 * of the kernel's launches. */
void pilot_plan_init(struct pilot_plan *p, const struct pilot_coeff *c, int n_max, int most,
                     const double *ipc, const struct error_curve *model, double insts,
                     double program_insts);
void pilot_plan_fini(struct pilot_plan *p);
/* The degree to simulate next; 0: none. */
int pilot_plan_next(const struct pilot_plan *p);
/* It was, and took so many warp instructions. */
void pilot_plan_tell(struct pilot_plan *p, int n, double ipc, double insts);
/* The best degree by a posterior: the largest unless another gains more than the margin, of which
 * the highest. Of the others only those count that were simulated (known, [1..n_max]): a model that
 * is far off promises most where nobody has looked. */
int pilot_choose(const struct posterior *p, const bool *known, double margin);

#endif
