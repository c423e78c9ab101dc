/* sampler/window.h -- one CTA of one launch, alone on core 0 of a cold detailed GPU: the counters
 * that a model reads. Device memory is afterwards as it was. */
#ifndef MDP_SAMPLER_WINDOW_H
#define MDP_SAMPLER_WINDOW_H

#include "model/sample.h"
#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"

struct window {
    const struct gpu_cfg *cfg; /* borrowed */
    uint64_t cta;              /* which one */
    uint64_t max_cycles;
    /* what it cost: added to */
    uint64_t warp_insts, functional_warp_insts;
    double seconds, functional_seconds; /* CPU time */
};

/* Fills what the window measures and the GPU's numbers; what stands for launches (kernel, totals,
 * n_max, threads, warps) is the caller's. */
bool window_run(struct window *w, struct launch *l, struct sample *d, struct err *e);
/* Index of the CTA whose instruction count is nearest to the mean; of equals the first. */
uint64_t window_nearest(const uint64_t *insts, uint64_t n, double mean);

#endif
