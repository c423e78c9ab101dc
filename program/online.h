/* program/online.h -- the predictor of the CTA scheduler `online` (Yen 2014, 5.2): a model, and a
 * sample made of what core 0 counted while it ran one CTA.
 *
 * Accesses, misses, stalls and the latency of reads are core 0's own, beside cores that are loaded,
 * where `sample` runs its CTA on a GPU that is otherwise empty; reads that DRAM was asked for are
 * counted as they come back, and those that joined another core's in L2 are not among them. What a
 * core does not count (lines used again, rounds of loads, misses at n) follows from executing a CTA
 * that has not been handed out yet, in memory as it is then. */
#ifndef MDP_PROGRAM_ONLINE_H
#define MDP_PROGRAM_ONLINE_H

#include "fitter/fit/coefficients.h"
#include "sampler/window/memory_rates.h"
#include "sim/gpu/gpu.h"

struct online {
    struct model_coeffs with;  /* borrowed; model NULL: the GPU has another CTA scheduler */
    const struct sampling *by; /* borrowed; NULL: the table's defaults */
    struct memory_rates rates; /* of the GPU; measured when first wanted */
    const struct gpu_cfg *cfg; /* borrowed */
    struct launch *launch;     /* the one that runs; borrowed */
    uint64_t max_cycles;
    FILE *nowhere; /* owned: what the executed CTA prints is not seen */
    struct cta_predictor predictor;
};

/* The coefficients of online.model; with another CTA scheduler *c stays empty (model NULL). Caller
 * releases. False and e: they can't be read. */
bool online_coefficients(struct coefficients *c, const struct gpu_cfg *cfg, struct err *e);
/* with: borrowed, as what it has; model NULL: the CTA scheduler is another one. */
void online_init(struct online *o, const struct gpu_cfg *cfg, const struct model_coeffs *with,
                 const struct sampling *by, uint64_t max_cycles);
void online_fini(struct online *o);
/* What gpu_opts.predictor takes for this launch; NULL: there is no need of one. */
const struct cta_predictor *online_predictor(struct online *o, struct launch *l);

#endif
