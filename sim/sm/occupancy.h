/* sim/sm/occupancy.h -- how many CTAs fit on one core at once, and what sets the limit. Pure. */
#ifndef MDP_SIM_SM_OCCUPANCY_H
#define MDP_SIM_SM_OCCUPANCY_H

#include "sim/sm/sm_cfg.h"

enum occ_limit { OCC_SLOTS, OCC_THREADS, OCC_REGISTERS, OCC_SHARED, OCC_LIMITS };

/* A CTA of `threads` threads (rounded up to whole warps), `regs` registers a thread (rounded up to
 * register_granularity) and `shared` bytes. With the granularities of an NVIDIA GPU this is what
 * NVIDIA's occupancy calculator says. 0: not even one fits; *why (NULL is fine) is the
 * tightest limit, of equals the first in the enum. */
int occupancy(const struct sm_cfg *c, int threads, int regs, int shared, enum occ_limit *why);
/* How many would fit if nothing but each of these were scarce; occupancy() is the least. INT32_MAX:
 * a CTA takes nothing of it. */
void occupancy_fits(const struct sm_cfg *c, int threads, int regs, int shared, int fit[OCC_LIMITS]);
const char *occ_limit_name(enum occ_limit o); /* "CTA slots", "threads", "registers", ... */

/* What a CTA of a launch takes, and how many fit. */
struct cta_resources {
    int threads, regs;                  /* of a CTA; of a thread */
    uint32_t static_shared, all_shared; /* bytes a CTA: of its code; with the dynamic ones */
    int n_max;                          /* how many fit as it is, and what sets that */
    enum occ_limit limit;
};

#endif
