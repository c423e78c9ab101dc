/* sampler/trial.h -- the first instructions of a launch, on all cores of a GPU that has run
 * nothing, n CTAs at once: simulated in detail, and replayed (replay.h). By how much the one is
 * faster than the other is what replays get wrong of this kernel with n at once; what a long launch
 * does later on a trial doesn't see. sampler_try() takes one of a target. */
#ifndef MDP_SAMPLER_TRIAL_H
#define MDP_SAMPLER_TRIAL_H

#include "sampler/sampler.h"
#include "sim/gpu/gpu.h"

/* Of a launch of the set's tried_kernel, whose numbers but the trial's are known, at every degree:
 * fills trial_*, and adds what it cost to the set. Memory is as it was before. False and e: a
 * fault, or more than o->max_cycles. */
bool trial_of_launch(const struct gpu_cfg *cfg, const struct sampler_opts *o, struct launch *l,
                     struct sample_set *set, struct err *e);

#endif
