/* sampler/pilot/cta_share.h -- which CTAs of a launch a scale model of some cores runs: as many as
 * the cores would get, from the whole grid. Each round of the grid (one CTA a core) gives the model
 * one a core: CTAs that follow each other, since what these touch together makes row hits in DRAM.
 * CTAs that meet on a core are as far apart as on the GPU, since their lines may share sets: some
 * rounds have theirs from one place, the next ones from another. */
#ifndef MDP_SAMPLER_PILOT_CTA_SHARE_H
#define MDP_SAMPLER_PILOT_CTA_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#define NO_CTA UINT64_MAX
struct cta_share_of {
    uint64_t grid;        /* CTAs */
    int cores, all_cores; /* the model's, the GPU's */
    uint64_t together;    /* rounds that have theirs from one place; 0: one */
    uint64_t block; /* so many rounds follow each other, and the first few blocks lie all over the
                       grid; 0: rounds keep their order */
    uint64_t
        with; /* a CTA that is among them: its round's begin with it; NO_CTA: none in particular */
};
/* Linear ids in the order in which they are handed out, rounded up to whole CTAs a round. *out:
 * owned by the caller. Returns how many. */
uint64_t cta_share(const struct cta_share_of *of, uint64_t **out);

#endif
