/* sampler/window/sharing.h -- which lines a CTA shares with its neighbours, from executing a few of
 * them without timing, one after the other: the next CTA by number, and those that its core gets
 * besides it (CTAs go round the cores: number + cores, + 2 cores ...). Lines are those that loads
 * of global memory bring into L1D. */
#ifndef MDP_SAMPLER_SHARING_H
#define MDP_SAMPLER_SHARING_H

#include "model/sample.h"
#include "sim/func/warp.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/sm/line_set.h"

/* More lines than these a CTA (or a few) are not told apart. */
#define SHARING_MAX_LINES (1u << 20)

struct sharing {
    const struct gpu_cfg *cfg;  /* borrowed */
    uint64_t cta;               /* the one in question */
    const struct line_set *own; /* its lines; borrowed */
    uint64_t max_warp_insts;    /* a neighbour is followed no further */
    uint64_t warp_insts;        /* executed: added to */
    double next, core;          /* share of its lines that CTA + 1, CTA + cores load too */
    double
        lines[SAMPLE_CORE_CTAS]; /* of k + 1 CTAs of the core together; 0: there are not so many */
};

void sharing_add(struct line_set *s, addr_t line);
/* Share of a's lines that b has. */
double sharing_common(const struct line_set *a, const struct line_set *b);
/* Number of the k-th CTA (k >= 1) that the core gets besides `cta`: those after it, then those
 * before it. False: none is left. */
bool sharing_same_core(uint64_t cta, uint64_t cores, uint64_t grid, int k, uint64_t *out);
/* Leaves in memory what the neighbours wrote. */
void sharing_measure(struct sharing *s, struct launch *l);

#endif
