/* sampler/window/cta_profile.h -- what executing a CTA without timing tells of it: the lines
 * that it comes back to, how often it waits for loads, which lines the next CTA of its core loads
 * too. Its warps take turns, an instruction each. */
#ifndef MDP_SAMPLER_CTA_PROFILE_H
#define MDP_SAMPLER_CTA_PROFILE_H

#include "model/sample.h"
#include "sampler/sampling.h"
#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"

struct cta_profile {
    const struct gpu_cfg *cfg;      /* borrowed */
    const struct window_params *by; /* borrowed */
    uint64_t cta;
    uint64_t max_warp_insts; /* more are an error, FAULT_LIMIT */
    uint64_t cta_insts;      /* which is no error of the profile then: it is of so many; 0: it is */
    uint64_t cta_warp_insts; /* of the CTA */
    uint64_t taken;          /* ... atomic operations that return a value */
    uint64_t warp_insts;     /* executed, the neighbour's included: added to */
};

/* Fills the fields of d that come from execution. Memory is afterwards as the CTA and its
 * neighbour left it. */
bool cta_profile_take(struct cta_profile *a, struct launch *l, struct sample *d, struct err *e);

#endif
