/* model/pilot_plan.h -- which degrees of a kernel are worth a pilot simulation, one after the
 * other: the default, whose gain is to be told; then the one with the highest expected improvement
 * over the best that was simulated, by what pilots say so far (pilot_plan_known()), until that is
 * worth nothing or another pilot would go beyond the budget. A kernel with one degree gets one if
 * that is told to be cheap. Pure: whoever simulates asks here, and so does whoever reads a profile.
 */
#ifndef MDP_MODEL_PILOT_PLAN_H
#define MDP_MODEL_PILOT_PLAN_H

#include "model/pilots.h"
#include "model/posterior.h"

struct pilot_plan {
    const struct pilot_coeff *coeff; /* borrowed */
    int least;                       /* those below it never end */
    int most;                        /* degrees beyond have the same CTAs at once as this one */
    bool single;                     /* its pilot is wanted even if there is one degree */
    double predicted[POSTERIOR_N_MAX + 1]; /* IPC, by the model */
    struct error_curve model;              /* how far off it usually is */
    bool known[POSTERIOR_N_MAX + 1];
    double found[POSTERIOR_N_MAX + 1]; /* IPC, by the pilot; where known */
    int pilots;
    double worth; /* expected improvement below which a degree has no pilot: coeff's */
    double insts, budget, spent; /* warp instructions: of all launches, of pilots */
    double executed; /* ... of the budget, what executing has taken; set by the caller */
    double share;    /* CTAs that a core gets of a launch; 0: not known */
    double parts;    /* pilots so far, as parts of those that run to their end */
};

/* ipc: predicted by a model whose errors are `model`, [1..n_max]; insts: warp instructions of all
 * of the kernel's launches; budget: that its pilots may take. */
void pilot_plan_init(struct pilot_plan *p, const struct pilot_coeff *c, int n_max, int most,
                     const double *ipc, const struct error_curve *model, double insts,
                     double budget);
/* The degree to simulate next: of those that the budget is enough for the one that is worth most
 * for what it is expected to take (expected improvement per cost; Snoek, Larochelle and Adams
 * 2012). 0: none. */
int pilot_plan_next(const struct pilot_plan *p);
/* Warp instructions that it may take: more than expected, where few pilots are known; INFINITY: a
 * choice needs it. */
double pilot_plan_allows(const struct pilot_plan *p);
/* The same whatever the budget. *gain: expected improvement, as ln IPC. */
int pilot_plan_wants(const struct pilot_plan *p, double *gain);
/* It was, and took so many warp instructions. */
void pilot_plan_tell(struct pilot_plan *p, int n, double ipc, double insts);
/* What its pilots say of the kernel; owned by the caller. Where they find the model further off
 * than it usually is, its errors are taken to be as much larger here: chi squared of the pilots is
 * then their number (Birge's ratio; Birge 1932). */
struct posterior *pilot_plan_known(const struct pilot_plan *p);
#endif
