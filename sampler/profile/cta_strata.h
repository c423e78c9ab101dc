/* sampler/profile/cta_strata.h -- a few CTAs that stand for many in a row: one from anywhere in
 * each of equal parts (stratified sampling), since CTAs may differ with a period. */
#ifndef MDP_SAMPLER_PROFILE_CTA_STRATA_H
#define MDP_SAMPLER_PROFILE_CTA_STRATA_H

#include "base/rng.h"

struct cta_strata {
    uint64_t first, width; /* CTAs first ... first + width - 1 */
    int n;                 /* parts, no more than these */
};

/* Of the k-th part. */
uint64_t cta_strata_draw(const struct cta_strata *s, int k, struct rng *draw);
/* The part that has the CTA; -1: none. */
int cta_strata_part(const struct cta_strata *s, uint64_t cta);

#endif
