/* sampler/footprint.h -- which L1D lines a CTA loads, and which of them more than once. Fed by the
 * functional run's steps; exact, in order of execution and not of time. Counted are the loads of
 * global memory that go through L1D; local memory is left out. */
#ifndef MDP_SAMPLER_FOOTPRINT_H
#define MDP_SAMPLER_FOOTPRINT_H

#include "sim/func/warp.h"

struct footprint {
    uint64_t line_bytes; /* a power of two */
    addr_t *line;        /* owned; a line request each, in order */
    size_t n, cap;
};

void footprint_step(struct footprint *f, const struct step *s);
/* Sorts the requests: afterwards the footprint is to be freed, not fed. */
void footprint_count(struct footprint *f, uint64_t *distinct, uint64_t *reused);
void footprint_fini(struct footprint *f);

#endif
