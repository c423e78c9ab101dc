/* sim/func/recurse.h -- calls of a function that is on the stack already.
 *
 * A function's registers and .param variables have one place each (sim/ptx/rows.c), which is enough
 * while it is on the stack once. When lanes enter it again, their registers and frame are put
 * aside, as they were at the call, and the local variables move on by kernel->local_step; when they
 * leave it, all that is as before. Calls nest RECURSE_DEPTH deep, and until local memory ends: a
 * stack overflow.
 *
 * A state belongs to the base entry at `base` of the SIMT stack. */
#ifndef MDP_SIM_FUNC_RECURSE_H
#define MDP_SIM_FUNC_RECURSE_H

#include "sim/func/warp.h"

#define RECURSE_DEPTH 1024

/* Before the base entry is pushed. False: the warp has a fault. */
bool recurse_enter(struct warp *w, const struct inst *in, lanes_t lanes, const struct function *f);
/* The lane's frame as the caller will find it, for the results; NULL: no state, the frame itself.
 */
uint8_t *recurse_frame(struct warp *w, int base, int lane);
void recurse_leave(struct warp *w, int base, lanes_t lanes);
/* Drops the states of entries at and above `base`: they have been left. */
void recurse_forget(struct warp *w, int base);

#endif
