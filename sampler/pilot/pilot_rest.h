/* sampler/pilot/pilot_rest.h -- what pilots of some launches of a program leave of their budgets,
 * for those of others. */
#ifndef MDP_SAMPLER_PILOT_REST_H
#define MDP_SAMPLER_PILOT_REST_H

#include "model/pilots.h"

/* What the pilots of a program's launches have left of their budgets, for those of later ones. A
 * launch that takes more cycles for a warp instruction takes longer to simulate, too, and gets
 * fewer of them. Below 0: they took more than they were given. All 0: nothing yet. */
struct pilot_rest {
    double insts, cycles; /* warp instructions; core cycles of simulating them at the default */
    double own_insts, own_cycles; /* the same of all that they were given */
    bool is_short;                /* pilot_rest_know() */
    bool for_the_end;             /* nothing is left for a launch yet: others are known to follow */
    double waited; /* warp instructions that launches whose CTAs wait have executed more with timing
                      than without */
    double searched; /* warp instructions of what was simulated at every degree */
};
/* Whether the program is short: it has executed so many without timing, and its launches take as
 * many cycles for them as those that were told. */
void pilot_rest_know(struct pilot_rest *r, const struct pilot_coeff *c, double program_insts);
/* It has ended, and nobody knew before: pilots of a short one may take more. */
void pilot_rest_end(struct pilot_rest *r, const struct pilot_coeff *c, double program_insts);
/* Core cycles of the whole launch at the default degree, for a warp instruction; 0: it had no such
 * pilot. */
double pilot_cycles_each(const struct sample *d);
/* Warp instructions of another pilot of what has some, as they have in the mean; whether no fewer
 * are left. */
double pilot_insts_each(const struct sample *d);
bool pilot_rest_has(const struct pilot_rest *r, const struct sample *d);
/* Warp instructions that are left for its pilots. */
double pilot_rest_left(const struct pilot_rest *r, const struct sample *d);
/* It was given `own`, and its pilots took so many. */
void pilot_rest_leave(struct pilot_rest *r, const struct sample *d, double own, double took);
/* Cycles that another pilot of it gains, for a warp instruction of that, if IPC grows by `gain`
 * (ln); it stands for launches of so many. */
double pilot_rest_worth(const struct sample *d, double gain, double insts);

#endif
