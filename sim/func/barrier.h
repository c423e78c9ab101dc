/* sim/func/barrier.h -- the 16 named barriers of a CTA.
 * A barrier completes when the expected number of threads has arrived: all live threads of the CTA
 * (counted in whole warps; a warp that exits lowers the expectation) or the count the instruction
 * names. */
#ifndef MDP_SIM_FUNC_BARRIER_H
#define MDP_SIM_FUNC_BARRIER_H

#include "sim/func/warp.h"

#define CTA_BARRIERS    16
#define CLUSTER_BARRIER CTA_BARRIERS /* what warp.barrier says of one that waits there */

struct barrier_set *barrier_set_new(int nwarps);
void barrier_set_free(struct barrier_set *b);
void barrier_set_reset(struct barrier_set *b);
struct arrival {
    int id;
    uint32_t threads;        /* that the barrier wants; 0: the whole CTA */
    bool wait;               /* bar.sync, bar.red: w->barrier is set unless this completes it */
    const struct inst *inst; /* that the warp waits in */
    lanes_t lanes;           /* for which inst takes the result of bar.red */
};
/* Completion clears `barrier` of every waiting warp. */
void barrier_arrive(struct barrier_set *b, struct warp *w, const struct arrival *a);
/* bar.red, before arriving: of `voters` threads `holds` bring a true predicate. Each waiting warp's
 * destination is written when the barrier completes. */
void barrier_vote(struct barrier_set *b, int id, uint32_t holds, uint32_t voters);
/* A warp has exited: barriers that now have all their threads complete. */
void barrier_warp_exit(struct barrier_set *b, struct cta *c);

#endif
