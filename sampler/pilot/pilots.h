/* sampler/pilot/pilots.h -- the pilot simulations of a launch, on the smallest slice of the GPU
 * with whole memory partitions: at the degrees that are worth it (model/pilot_plan.h), or at all.
 */
#ifndef MDP_SAMPLER_PILOT_PILOTS_H
#define MDP_SAMPLER_PILOT_PILOTS_H

#include "model/model.h"
#include "model/pilot_plan.h"
#include "sampler/pilot/pilot.h"

struct pilots {
    const struct gpu_cfg *full;       /* borrowed */
    const struct model_coeffs *model; /* borrowed; NULL: pilots of every degree */
    const struct pilot_coeff *coeff;  /* borrowed */
    double program_insts;             /* warp instructions of the whole program */
    double most_insts;                /* that they may take; 0: the budget of coeff */
    double budget;                    /* process CPU seconds after which none begins; 0: no limit */
    bool uneven;                      /* the launch's first CTAs use memory unlike the rest */
    uint64_t longest;                 /* the launch's longest CTA */
    uint64_t code_since;              /* recent_code_since() */
    uint64_t max_cycles;
    int jobs;            /* host threads, of pilots of every degree */
    uint64_t warp_insts; /* simulated: added to */
    double seconds;      /* CPU time: added to */
};

/* Fills pilot_* of d, of which all else is known. False and e, and l->why says FAULT_NEVER_ENDS:
 * its CTAs wait for each other. */
bool pilots_run(struct pilots *p, const struct launch *l, struct sample *d, struct err *e);
/* The same by simulations of the whole launch on the whole GPU, at every degree: its CTAs wait for
 * each other, so that none of them can be left out. With too few at once they may wait for ever:
 * there d has the cycles of the least degree that ends, and no pilot_insts. */
bool pilots_search(struct pilots *p, const struct launch *l, struct sample *d, struct err *e);

#endif
