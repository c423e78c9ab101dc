/* sampler/window/cta_waits.h -- whether the CTAs of a launch wait for each other's work: one stops
 * right behind its first atomic operation that returns a value, by which it may have taken a
 * number, if it comes to that; another one must come to its end all the same. If that one asks in
 * vain for the very word that the first has changed, it is a lock: who has it gives it back, and
 * needs nobody for that. Not seen: CTAs that wait for others only where more of them have begun.
 * Nothing is executed of kernels without an instruction by which they could tell that they wait:
 * such an atomic operation, or a load that other CTAs' stores reach (volatile, relaxed, acquire).
 * Device memory stays as it is. */
#ifndef MDP_SAMPLER_WINDOW_CTA_WAITS_H
#define MDP_SAMPLER_WINDOW_CTA_WAITS_H

#include "sampler/sampling.h"
#include "sim/func/warp.h"

struct cta_waits {
    const struct sampling *by; /* borrowed; NULL: the table's defaults */
    uint64_t cta;              /* that stops */
    uint64_t max_warp_insts;   /* more than one alone can have to execute: it waits */
    uint64_t max_unpublished;  /* ... in a row, without any that others could see */
    uint64_t warp_insts;       /* executed: added to */
    double seconds;            /* CPU time: added to */
};

bool cta_waits_find(struct cta_waits *w, const struct launch *l);
/* The kernel has an instruction by which a CTA could tell that it waits. */
bool cta_waits_may(const struct kernel *k);
/* The kernel has an atomic operation that returns a value, by which CTAs may take numbers. */
bool cta_waits_takes(const struct kernel *k);
/* Warp instructions of the launch, executed with so many at once that it ends, at most. */
uint64_t cta_waits_limit(const struct cta_waits *w);
/* Of such a launch the fewest CTAs at once on each of so many cores with which it ends, up to
 * `most`, with which it is known to end; 0: it does not. It is executed without timing, with few at
 * once, which is proved not to end, or ends, or takes too long. *in_order: its CTAs wait for
 * earlier ones alone, so that one at once is enough: as many as are there at once at most, executed
 * one after the other, come to their ends. */
int cta_waits_least(struct cta_waits *w, const struct launch *l, int cores, int most,
                    bool *in_order);

#endif
