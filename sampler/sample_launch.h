/* sampler/sample_launch.h -- samples one launch: the window of one CTA, what executing a few CTAs
 * tells, and pilot simulations. Used alike for the launches of a target and of a CUDA program.
 * Device memory stays as it is. */
#ifndef MDP_SAMPLER_SAMPLE_LAUNCH_H
#define MDP_SAMPLER_SAMPLE_LAUNCH_H

#include "model/effort.h"
#include "model/model.h"
#include "model/pilot_plan.h"
#include "sampler/pilot/pilot_rest.h"
#include "sampler/profile/launch_facts.h"
#include "sampler/sampling.h"
#include "sampler/window/cta_window.h"
#include "sampler/window/memory_rates.h"

struct sample_opts {
    enum effort effort;
    const struct sampling *by;        /* borrowed; NULL: the table's defaults */
    const struct model_coeffs *model; /* borrowed; predicts which pilots are worth it */
    struct pilot_coeff pilots;
    bool every_pilot; /* at every degree, whatever they say: for a profile; no model is needed */
    double program_insts;    /* warp instructions of the whole program */
    struct pilot_rest *rest; /* borrowed; of the launches before it; NULL: its own budget alone */
    double budget;           /* CPU seconds that all samples together may take; 0: no limit */
    int jobs;                /* host threads; 0: one. The results are the same */
    uint64_t max_cycles;     /* of a CTA alone, of a pilot: core cycles */
    uint64_t pilot_cycles;   /* of a pilot, if that may take others; 0: it may not */
    struct cta_window_opts window;
    struct memory_rates *rates; /* borrowed; of the GPU: measured when first needed */
};

struct sample_cost {                       /* everything that samples needed */
    uint64_t warp_insts, pilot_warp_insts; /* of the program, in detail; of these, by pilots */
    uint64_t search_warp_insts;            /* ... of launches simulated at every degree */
    uint64_t run_warp_insts;               /* ... by simulations of the whole program */
    uint64_t functional_warp_insts;        /* executed without timing */
    double full_warp_insts;                /* of one full simulation, to compare with */
    uint64_t memory_warp_insts;            /* of kernels that measure the GPU's memory */
    double window_seconds, functional_seconds, pilot_seconds, run_seconds; /* CPU time */
    double memory_seconds;                                                 /* likewise */
    double network_seconds; /* of these, of the whole GPU's network, which pilots alone need */
};
void sample_cost_add(struct sample_cost *to, const struct sample_cost *more);

/* In what follows *cost is of this launch alone, and added to: what was executed for it counts
 * against the budget of its pilots.
 *
 * The launch's CTAs wait for each other, or run in clusters, so that one alone says nothing. */
bool sample_waits(const struct sample_opts *o, const struct launch_facts *facts,
                  const struct launch *l, struct sample_cost *cost);
/* As sample_launch(), of such a launch. With EFFORT_WINDOW it has a window of one CTA as it runs
 * among the others (sampler/window/recorded_window.h), else none: all its CTAs are simulated, on
 * the whole GPU (sampler/pilot/pilots.h): up to their end at every degree, if that is little or the
 * answer a thorough one (sample_whole()), else a part of their work at some, or the first ones
 * alone on a part of the GPU, which sets in_order and hop of *facts. */
bool sample_waiting(const struct gpu_cfg *cfg, const struct sample_opts *o,
                    struct launch_facts *facts, const struct launch *l, struct sample *d,
                    struct sample_cost *cost, struct err *e);
/* Expected improvement, as ln IPC, of another pilot; 0: none is worth it, or no quick answer was
 * asked for. */
double sample_more_gain(const struct sample_opts *o, const struct sample *d);
/* Adds a pilot to those of a sample that sample_launch() has filled. */
bool sample_more(const struct gpu_cfg *cfg, const struct sample_opts *o,
                 const struct launch_facts *facts, const struct launch *l, struct sample *d,
                 struct sample_cost *cost, struct err *e);
/* Fills *d, of which the caller has filled what is summed over like launches (kernel, part,
 * launches, total_*), and adds to *cost. A launch that takes no longer at every degree than its
 * sample would is simulated whole, but not where it cannot be best. False and e: no
 * CTA fits, there is no such CTA, a fault, a CTA that waits for others. Sets draws of *facts. */
bool sample_launch(const struct gpu_cfg *cfg, const struct sample_opts *o,
                   struct launch_facts *facts, struct launch *l, struct sample *d,
                   struct sample_cost *cost, struct err *e);

#endif
