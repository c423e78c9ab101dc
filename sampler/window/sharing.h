/* sampler/window/sharing.h -- which lines a CTA shares with the next one of its core (CTAs go round
 * the cores: number + cores), from executing that one without timing. Lines are those that loads of
 * global memory bring into L1D. */
#ifndef MDP_SAMPLER_SHARING_H
#define MDP_SAMPLER_SHARING_H

#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/line_set.h"

/* More lines than these a CTA (or a few) are not told apart. */
#define SHARING_MAX_LINES (1u << 20)

struct sharing {
    const struct gpu_cfg *cfg;  /* borrowed */
    uint64_t cta;               /* the one in question */
    const struct line_set *own; /* its lines; borrowed */
    uint64_t max_warp_insts;    /* the neighbour is followed no further */
    uint64_t warp_insts;        /* executed: added to */
    double core;                /* share of its lines that the next CTA of the core loads too */
};

void sharing_add(struct line_set *s, addr_t line);
/* Share of a's lines that b has. */
double sharing_common(const struct line_set *a, const struct line_set *b);
/* The CTA that the core gets after `cta`, or the one before the last one. False: it gets no other.
 */
bool sharing_neighbour(uint64_t cta, uint64_t cores, uint64_t grid, uint64_t *out);
/* Leaves in memory what the neighbour wrote. */
void sharing_measure(struct sharing *s, struct launch *l);

#endif
