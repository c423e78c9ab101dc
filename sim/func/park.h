/* sim/func/park.h -- barriers in diverged code, as GPUs since Volta have them: a thread waits for
 * every thread of the CTA that has not exited, wherever in the code each of them waits. Off by
 * default: then a barrier that only part of a warp reaches is a fault. */
#ifndef MDP_SIM_FUNC_PARK_H
#define MDP_SIM_FUNC_PARK_H

#include "sim/func/warp.h"

enum park { PARK_WAITS, PARK_COMPLETE, PARK_IMPOSSIBLE };

/* The top path has reached a barrier, other lanes of the warp have not: it waits there (WAITS) and
 * another path runs, on top now; or each of the others waits at a barrier, too (COMPLETE), and has
 * been moved behind it. IMPOSSIBLE: a function call lies in between. */
enum park park_top(struct warp *w);

#endif
