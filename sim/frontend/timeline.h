/* sim/frontend/timeline.h -- device time by stream: when work begins and ends, which events tell.
 *
 * Work begins when what its stream orders before it has ended, and not before the host asked for
 * it; the host's own work takes no time. A launch takes as long as by itself. It begins where its
 * CTAs fit beside those of launches that run: with CTAs for a third of the GPU three such launches
 * run at once, and one that fills the GPU runs alone. What they cost each other in caches and DRAM
 * is not seen. Copies over the link take turns; they and other copies run beside launches. */
#ifndef MDP_SIM_FRONTEND_TIMELINE_H
#define MDP_SIM_FRONTEND_TIMELINE_H

#include "base/types.h"
#include "sim/frontend/cuda_async.h"
#include "sim/frontend/executor.h"

#define TIMELINE_SPANS 64
struct timeline { /* of a context; 0: nothing has run */
    psec_t legacy,
        per_thread; /* when the work of these streams has ended; others: CUstream_st.at */
    psec_t host;    /* what the host has waited for */
    psec_t link;    /* the last copy over it has ended */
    psec_t gone;    /* work of streams that are destroyed has ended */
    struct span_of_launch {
        psec_t start, end;
        double share; /* of the GPU */
    } span[TIMELINE_SPANS];
    int spans;
};

/* When work that the stream is given now could begin. */
psec_t timeline_ready(CUcontext ctx, CUstream stream);
/* A launch that took so long, with CTAs for that share of the GPU (above 0, at most 1). */
void timeline_launch(CUcontext ctx, CUstream stream, psec_t took, double share);
void timeline_copy(CUcontext ctx, CUstream stream, psec_t took, enum copy_route route);
/* The stream waits for an event, the host for a stream or for everything. */
void timeline_wait(CUcontext ctx, CUstream stream, psec_t until);
void timeline_host_waits(CUcontext ctx, psec_t until);
psec_t timeline_all(CUcontext ctx);

#endif
