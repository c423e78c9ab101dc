/* sim/func/park.h -- paths of a diverged warp as GPUs since Volta run them, for launches that ask
 * for it (lenient_barriers); off by default.
 *
 * At a barrier of the CTA a thread waits for every other one that has not exited, wherever in the
 * code each of them waits. (Else a barrier that only part of a warp reaches is a fault.)
 *
 * Lanes that go round a loop, looking at memory, while others of their warp are held back behind it
 * or beside it, may be waiting for those: a lock that one of them holds. After a few rounds that
 * change no register, or many that do, another path has its turn, and goes on by itself; then
 * warp-wide operations wait for the lanes they name.
 */
#ifndef MDP_SIM_FUNC_PARK_H
#define MDP_SIM_FUNC_PARK_H

#include "sim/func/warp.h"

enum park { PARK_WAITS, PARK_COMPLETE, PARK_IMPOSSIBLE };

/* The top path has reached a barrier, other lanes of the warp have not: it waits there (WAITS) and
 * another path runs, on top now; or each of the others waits at a barrier, too (COMPLETE), and has
 * been moved behind it. IMPOSSIBLE: a function call lies in between. */
enum park park_top(struct warp *w);
/* The top path goes round a loop by the branch `in`: another path may be on top now. */
void park_loop(struct warp *w, const struct inst *in);
/* The top path, with `active` lanes, has reached an instruction that all lanes of `members` execute
 * together. Returns the lanes to execute it with: those of other paths that wait there have joined.
 * 0: not now, another path is on top. */
lanes_t park_meet(struct warp *w, const struct inst *in, lanes_t active, lanes_t members);

#endif
