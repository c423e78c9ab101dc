/* sampler/window/cta_window.h -- one CTA of one launch, or a few one after another, alone on core 0
 * of a cold detailed GPU: the counters that a model reads. Device memory is afterwards as it was.
 */
#ifndef MDP_SAMPLER_CTA_WINDOW_H
#define MDP_SAMPLER_CTA_WINDOW_H

#include "base/stats.h"
#include "model/sample.h"
#include "sampler/sampling.h"
#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"

/* Which CTAs follow each other: those that one core gets, in the order in which it would (number +
 * cores, + 2 cores ..., then round to its first). All 0: one CTA, on a cold GPU, to its end. */
struct cta_window_opts {
    int ctas;           /* so many, of which the counters are means; 0: one */
    int warm_up;        /* so many before them that are not counted */
    uint64_t max_insts; /* warp instructions of those that count; then it ends. 0: no limit */
};

struct cta_window {
    const struct gpu_cfg *cfg; /* borrowed */
    const struct sampling *by; /* borrowed; NULL: the table's defaults */
    uint64_t cta;              /* which one */
    uint64_t cta_insts;    /* warp instructions that it executes among the others; 0: not known */
    uint64_t most_insts;   /* ... that a CTA does, at most */
    uint64_t launch_insts; /* ... and all do together, which one alone may have to: work queues */
    uint64_t max_cycles;   /* a CTA may take */
    struct cta_window_opts opts;
    uint64_t cta_warp_insts; /* of the CTA, as executed; of one that draws work, cta_insts */
    double items;            /* ... of one that draws work, how many there are of it, in all */
    bool draws; /* alone it executes far more than among the others: their work, from a queue. The
                 window has about as many instructions as among them */
    /* what it cost: added to */
    uint64_t warp_insts, functional_warp_insts;
    double seconds, functional_seconds; /* CPU time */
};

/* How many CTAs the core of that one gets: first, first + cores, ... */
uint64_t cta_window_of_core(uint64_t cta, uint64_t cores, uint64_t grid);
/* The k-th of those CTAs; k < 0: of the warm-up. */
uint64_t cta_window_number(uint64_t cta, uint64_t cores, uint64_t grid, int k);
/* Fills what the window measures and the GPU's numbers; what stands for launches (kernel, totals,
 * n_max, threads, warps) is the caller's. A CTA that alone does not come to its end, since it waits
 * for others (a barrier of the whole grid, a lock), is an error, and l's fault FAULT_NEVER_ENDS. */
bool cta_window_run(struct cta_window *w, struct launch *l, struct sample *d, struct err *e);
/* The same of a CTA that has been simulated elsewhere: `one` is what was counted of it. Only what
 * execution tells is measured, of w->cta. */
bool cta_window_of(struct cta_window *w, struct launch *l, const struct run_stats *one,
                   struct sample *d, struct err *e);
/* Warp instructions beyond which a CTA that is executed alone waits for others. */
uint64_t cta_window_alone(uint64_t most_insts, uint64_t launch_insts,
                          const struct window_params *by);
/* ... since it last did anything that others could see. */
uint64_t cta_window_unpublished(uint64_t most_insts, const struct window_params *by);

#endif
