/* sampler/pilot/pilots.h -- the pilot simulations of a launch, on the smallest slice of the GPU
 * with whole memory partitions: at the degrees that are worth it (model/pilot_plan.h), or at all.
 */
#ifndef MDP_SAMPLER_PILOT_PILOTS_H
#define MDP_SAMPLER_PILOT_PILOTS_H

#include "model/model.h"
#include "model/pilot_plan.h"
#include "sampler/pilot/pilot.h"
#include "sampler/pilot/pilot_rest.h"

struct pilots {
    const struct gpu_cfg *full;       /* borrowed */
    const struct sampling *by;        /* borrowed; NULL: the table's defaults */
    double network;                   /* memory_rates.network */
    const struct model_coeffs *model; /* borrowed; NULL: pilots of every degree */
    const struct pilot_coeff *coeff;  /* borrowed */
    double program_insts;             /* warp instructions of the whole program */
    double most_insts;                /* that they may take; 0: the budget of coeff */
    uint64_t executed;                /* warp instructions, without timing, for the sample so far */
    struct pilot_rest *rest;          /* borrowed; NULL: each launch has its own budget alone */
    double budget;                    /* process CPU seconds after which none begins; 0: no limit */
    bool prunes;                      /* pilots_search(): not what can't win, unless CTAs wait */
    bool uneven;                      /* the launch's first CTAs are unlike the rest */
    bool camping;                     /* partition_watch_camping() */
    uint64_t longest, longest_insts;  /* the launch's longest CTA, its warp instructions */
    bool draws;                       /* pilot.draws */
    double work;         /* pilot.work, of pilots_of_waiting(), pilots_add(); 0: no CTA waits */
    double waits;        /* ... how often a CTA does, in the mean */
    bool by_completed;   /* pilot.by_completed */
    int least;           /* ... with fewer at once it never ends */
    bool in_order;       /* ... for earlier ones alone, and pilots of the first ones are cheaper */
    double hop;          /* ... pilots_find_hop() */
    uint64_t hop_insts;  /* ... warp instructions that it took: set */
    bool code_ran;       /* recent_code_has() */
    uint64_t code_since; /* recent_code_since() */
    uint64_t max_cycles;
    int jobs;            /* host threads, of pilots of every degree */
    uint64_t warp_insts; /* simulated: added to */
    double seconds;      /* CPU time: added to */
};

/* Fills pilot_* of d, of which all else is known. False and e, and l->why says FAULT_NEVER_ENDS:
 * its CTAs wait for each other. */
bool pilots_run(struct pilots *p, const struct launch *l, struct sample *d, struct err *e);
/* Adds the next pilot to those that d has, paid from p->rest; none, if it would be worth nothing.
 */
bool pilots_add(struct pilots *p, const struct launch *l, struct sample *d, struct err *e);
/* The same by simulations of the whole launch on the whole GPU, at every degree: its CTAs wait for
 * each other, so that none of them can be left out. With too few at once they may wait for ever:
 * there d has the cycles of the least degree that ends, and no pilot_insts. What p->prunes leaves
 * out has the cycles that it takes at least (sample_skipped()); and of a long launch of one CTA a
 * part is simulated then. */
bool pilots_search(struct pilots *p, const struct launch *l, struct sample *d, struct err *e);

/* Whether pilots of a launch whose CTAs wait for earlier ones alone are to be of the first ones, on
 * a part of the GPU: those on the whole GPU do not end early where a core gets few CTAs. */
bool pilots_are_in_order(const struct pilots *p, const struct launch *l, const struct sample *d);
/* Sets p->hop of it, as pilot_hop(), and in_order; not, if that could not be simulated. */
void pilots_find_hop(struct pilots *p, const struct launch *l, const struct sample *d);

/* Of such a launch, pilots on the whole GPU, with all CTAs in their order, that end early
 * (pilot.work), or of the first ones on a part of it (p->in_order): of the default, and of what is
 * worth it. Of fewer than p->least d has nothing of these but what another
 * one takes (sample_least()). */
bool pilots_of_waiting(struct pilots *p, const struct launch *l, struct sample *d, struct err *e);

#endif
