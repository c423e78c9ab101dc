/* sampler/window/interleave.h -- misses of L1D and L1I with n CTAs at once on a core, for every n,
 * and what a CTA asks of each unit: from executing a few CTAs of one core without timing.
 *
 *   CTAs of the core, one after another -> streams of their warps (warp_streams.h)
 *   for each n: the streams, warps taking turns -> tags with the GPU's sets, ways and policies
 *
 * A turn ends when the warp asks L1D for something, needs what it asked for, or waits at a barrier.
 * A scheduler has the warps of its number, and its turn goes to the oldest that can go on (the same
 * one if it can) where the warp scheduler is greedy, else to the next one in order. Of schedulers
 * that want the LD/ST unit at once the first has it, as in the simulator, so that a full unit
 * serves the warps of one scheduler. Who can go on follows from an order of events that is kept by
 * a clock: an instruction takes its issue slot and `step` cycles of its warp, a request a cycle of
 * the LD/ST unit, which holds a few instructions; lines come one after another, at the rate that
 * memory has for the core, `latency` cycles later. There are MSHRs, and lines on their way stay.
 * What banks, network and other cores do to a line is not modelled, and no time is reported.
 *
 * A core's places are filled in the order of its CTAs, and whenever one ends; a launch begins with
 * empty caches. */
#ifndef MDP_SAMPLER_INTERLEAVE_H
#define MDP_SAMPLER_INTERLEAVE_H

#include "model/sample.h"
#include "sampler/sampling.h"
#include "sampler/window/l1_flight.h"
#include "sampler/window/warp_streams.h"

struct interleave {
    const struct gpu_cfg *cfg; /* borrowed */
    struct memory_share memory;
    double step; /* cycles */
};

struct interleaved { /* of a CTA, means over those of the core, as the whole launch has them */
    double l1d_misses, l1i_misses;
};

/* n at once; share: CTAs that a core gets of the launch. */
struct interleaved interleave_run(const struct interleave *v, const struct warp_streams *s, int n,
                                  double share);
/* How many CTAs of the core are followed, at most, for up to so many at once. */
uint64_t interleave_ctas(const struct window_params *by, int n_max);
/* Follows CTAs of the core that `cta` is on and fills the sample; reads its window. max_insts: warp
 * instructions of each; 0: up to its end. Returns those that were executed. Leaves in memory what
 * the CTAs wrote. */
uint64_t interleave_measure(const struct gpu_cfg *cfg, struct launch *l, uint64_t cta,
                            uint64_t max_insts, const struct window_params *by, struct sample *d);

#endif
