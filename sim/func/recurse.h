/* sim/func/recurse.h -- calls of a function that is on the stack already.
 *
 * A function's registers and .param variables have one place each (sim/ptx/rows.c), which is enough
 * while it is on the stack once. When lanes enter it again, their registers and frame are put
 * aside, as they were at the call, and the local variables move on by kernel->local_step; when they
 * leave it, all that is as before. Calls nest RECURSE_DEPTH deep, and until local memory ends: a
 * stack overflow.
 *
 * A state belongs to the call (simt.h) that made it. */
#ifndef MDP_SIM_FUNC_RECURSE_H
#define MDP_SIM_FUNC_RECURSE_H

#include "sim/func/simt.h"

#define RECURSE_DEPTH 1024

/* Lanes are about to make call c of f: what has to be put aside is in c->saved then. False: the
 * warp has a fault. */
bool recurse_enter(struct warp *w, const struct inst *in, const struct function *f,
                   struct simt_call *c);
/* The lane's frame as the caller will find it, for the results; NULL: no state, the frame itself.
 */
uint8_t *recurse_frame(const struct warp *w, const struct simt_call *c, int lane);
/* Lanes return from the call. */
void recurse_leave(struct warp *w, const struct simt_call *c, lanes_t lanes);
void recurse_free(struct call_state *s); /* NULL is fine */

#endif
