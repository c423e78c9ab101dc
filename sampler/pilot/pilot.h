/* sampler/pilot/pilot.h -- a pilot simulation: a launch's CTAs, or the first of them, on a scale
 * model of the GPU, n at once on each of its cores, and what the whole launch would take on the
 * whole GPU. Device memory stays as it is. */
#ifndef MDP_SAMPLER_PILOT_PILOT_H
#define MDP_SAMPLER_PILOT_PILOT_H

#include "model/sample.h"
#include "sampler/sampling.h"
#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"

struct pilot {
    const struct gpu_cfg *full; /* borrowed */
    const struct sampling *by;  /* borrowed; NULL: the table's defaults */
    int cores;                  /* of the scale model */
    double network;             /* ... its network: memory_rates.network */
    uint64_t launch_insts;      /* warp instructions of the whole launch */
    bool code_ran;              /* recent_code_has() */
    uint64_t code_since;        /* recent_code_since() */
    uint64_t max_cycles;        /* the model may take; 0: no limit */
    uint64_t max_insts;         /* ... execute, since its CTAs may wait for ever; 0: no limit */
    bool uneven;  /* the launch's first CTAs are unlike the rest (launch_facts.h): when its share is
                     cut, that stays spread over the grid */
    bool camping; /* its CTAs ask the same memory partitions for something at once (launch_facts.h):
                     these have no more than their shares, but where one CTA is alone for long. What
                     the few of the model ask of one by chance, those of the GPU do not */
    bool whole;   /* its share to the end, however long */
    double work;  /* > 0: none of its CTAs can be left out, since they wait for each other, or there
                     is but one. It ends early instead: this is what the launch executes, but for
                     waiting (sim/func/poll.h), in warp instructions */
    bool by_completed; /* ... and what is executed does not tell how much is left: completed CTAs do
                        */
    bool repeats;      /* ... each does much the same many times, and any part of it will do */
    bool in_order;     /* ... each waits for earlier ones alone: the model, of fewer cores, has the
                          first of them, as many as its cores would get */
    double hop;        /* ... pilot_hop() */
    double most_part;  /* ... after this part of it, if nine of ten CTAs have ended */
    double end_part;   /* ... or after this one, even if they have not; 0: it goes on */
    bool longest_bounds; /* the launch ends with its longest CTA: that is among the share, which is
                            run to the end, or to where a very long one is left alone */
    bool one_is_longer;  /* so does it, since all CTAs may run at once */
    uint64_t longest, longest_insts; /* its number, its warp instructions */
    bool draws; /* its CTAs draw work from a queue, as much as there is: the model is done with its
                   part of the launch */
    double most_insts; /* warp instructions after which it stops, when CTAs end; 0: no limit */
    double deadline;   /* process CPU seconds at which it stops; 0: none */
};

struct pilot_result {
    double cycles;  /* core cycles of the launch on the whole GPU, extrapolated */
    double part;    /* of pilot.work, that was simulated; 1: all, or not asked */
    double seconds; /* CPU time */
    uint64_t warp_insts, thread_insts; /* simulated */
    bool never_ends;                   /* its CTAs wait for ever, with n at once: the error */
    bool too_long;                     /* more than max_cycles or max_insts: the error */
    bool waits;                        /* its CTAs wait for others that the model leaves out */
    bool stopped;                      /* since they do, or at the deadline: it says nothing */
    double resident_cycles;            /* of its CTAs, summed: each from its start to its end */
    uint64_t ctas, share;              /* CTAs that ended; that the model's cores would get */
    enum bound bound;                  /* by what was counted: bound_of_counts() */
    double miss_rate;                  /* of L1D */
};

/* Core cycles by which a CTA ends later than the one before it, of a launch whose CTAs wait for
 * earlier ones: of its first ones, three on each core of the model, which come to where they wait
 * at about the same time. The median: a few of them come late for other reasons. Of *out what was
 * simulated is set. False and e: as pilot_run(). */
bool pilot_hop(const struct pilot *p, const struct launch *l, double *hop, struct pilot_result *out,
               struct err *e);

/* n CTAs at once. Several threads may run pilots of one launch. False and e: a fault, more than
 * max_cycles or max_insts, or a GPU that can't be scaled. */
bool pilot_run(const struct pilot *p, const struct launch *l, int n, struct pilot_result *out,
               struct err *e);

/* Into pilot_* of d, at n; where it says nothing d stays as it is. */
void pilot_keep(const struct pilot_result *r, int n, struct sample *d);

/* Core cycles that a simulation at a lower degree may take, where the largest, `most`, takes so
 * many: with fewer CTAs at once it may wait for ever, which can't always be proved. At most
 * max_cycles; 0: no limit. */
uint64_t pilot_limit_cycles(uint64_t cycles, int most, const struct waits_params *by,
                            uint64_t max_cycles);

#endif
