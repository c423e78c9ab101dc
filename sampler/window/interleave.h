/* sampler/window/interleave.h -- misses of L1D and L1I with n CTAs at once on a core, for every n,
 * and what a CTA asks of each unit: from executing a few CTAs of one core without timing.
 *
 *   CTAs of the core, one after another -> streams of their warps (warp_streams.h)
 *   for each n: the streams, warps taking turns -> tags with the GPU's sets, ways and policies
 *
 * A turn ends when the warp asks L1D for something, needs what it asked for, or waits at a barrier.
 * Then it is the oldest warp's that can go on (the same one's if it can) where the warp scheduler
 * is greedy, else the next one's in order. Who can go on follows from an order of events that is
 * kept by a clock: an instruction takes its issue slot and `step` cycles of its warp, a request a
 * cycle of the LD/ST unit, and a miss is on its way for `latency` cycles, whatever else is going
 * on; there are MSHRs, lines on their way stay, and the LD/ST unit holds a few instructions. How
 * long anything takes is not modelled, and no time is reported.
 *
 * A core's places are filled in the order of its CTAs, and whenever one ends; a launch begins with
 * empty caches. */
#ifndef MDP_SAMPLER_INTERLEAVE_H
#define MDP_SAMPLER_INTERLEAVE_H

#include "model/sample.h"
#include "sampler/sampling.h"
#include "sampler/window/warp_streams.h"

struct interleave {
    const struct gpu_cfg *cfg; /* borrowed */
    double latency, step;      /* cycles */
};

struct interleaved { /* of a CTA, means over those of the core, as the whole launch has them */
    double l1d_misses, l1i_misses;
};

/* n at once; share: CTAs that a core gets of the launch. */
struct interleaved interleave_run(const struct interleave *v, const struct warp_streams *s, int n,
                                  double share);
/* Follows CTAs of the core that `cta` is on and fills the sample; reads its window. Returns the
 * warp instructions that were executed. Leaves in memory what the CTAs wrote. */
uint64_t interleave_measure(const struct gpu_cfg *cfg, struct launch *l, uint64_t cta,
                            const struct window_params *by, struct sample *d);

#endif
