/* sampler/interleave.h -- L1D misses of a CTA with n at once on a core, for every n: the CTAs that
 * one core gets are executed without timing, one after the other, and what their warps ask of L1D
 * (warp_streams.h) goes in turns through tags with the GPU's sets, ways and policies.
 *
 * Whose turn it is: a warp keeps its turn until it asks L1D for something, needs what it asked for,
 * or waits at a barrier. Then the oldest warp that can go on has its turn ("gto"), or the next one
 * in order ("lrr"). A clock says who can: an instruction takes INTERLEAVE_STEP cycles of its warp
 * and one of the issue slots, a request one cycle of the port, and a miss comes back after the
 * window's mean latency; no more of them are on their way than there are MSHRs. Nothing else has a
 * time here, and no time is reported.
 *
 * A core's places are filled in the order of its CTAs, and whenever one ends. Of so many CTAs that
 * not all are followed, the first n find a cold cache, later ones the lines of those before. */
#ifndef MDP_SAMPLER_INTERLEAVE_H
#define MDP_SAMPLER_INTERLEAVE_H

#include "model/sample.h"
#include "sampler/warp_streams.h"

struct interleave {
    const struct gpu_cfg *cfg; /* borrowed */
    const char *scheduler;     /* "gto": the oldest; else in turn */
    double latency;            /* of a miss, core cycles */
    double step;               /* cycles from an instruction of a warp to its next */
};

struct interleaved {            /* means over CTAs */
    double misses_first;        /* of the first n */
    double misses_later;        /* of those behind them; of none: as the first */
    int first, later;           /* how many they are */
};

/* n at once. */
void interleave_run(const struct interleave *v, const struct warp_streams *s, int n,
                    struct interleaved *out);

#endif
