/* sampler/window/recorded_window.h -- the window of a CTA that waits for others: alone it would
 * wait for ever. All CTAs are executed together, without timing; those that a window reads are
 * recorded, and wait for nobody when they run from the record (sim/sm/cta_recording.h). How long
 * they wait is not in it. */
#ifndef MDP_SAMPLER_RECORDED_WINDOW_H
#define MDP_SAMPLER_RECORDED_WINDOW_H

#include "sampler/window/cta_window.h"

/* As cta_window_run(). resident: CTAs at once with which the launch comes to its end; most_insts:
 * warp instructions that it takes at most. The launch's instructions in d, of all its launches
 * too, are then those that are no waiting. */
bool recorded_window_run(struct cta_window *w, const struct launch *l, int resident,
                         uint64_t most_insts, struct sample *d, struct err *e);

#endif
