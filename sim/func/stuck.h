/* sim/func/stuck.h -- CTAs that can never go on by themselves.
 *
 * A warp is stuck at a barrier, or in a loop that goes round for ever: it comes back to where it
 * was, with every register as it was on which its branches, addresses and comparisons depend, and
 * has written nothing. Then it goes round in the same way until somebody else writes to memory that
 * it looks at. That is a proof, not a guess: a loop that counts its rounds and ends for that is not
 * stuck, nor is one that looks at a clock.
 *
 * Not looked at, so never found stuck: loops that call functions, that arrive at an mbarrier, that
 * write to local memory something else in each round. */
#ifndef MDP_SIM_FUNC_STUCK_H
#define MDP_SIM_FUNC_STUCK_H

#include "sim/func/warp.h"

/* Whether no warp of the CTA can go on unless others write to memory. Executes its loops some
 * rounds ahead, and puts everything back. False once it is done. */
bool cta_stuck(struct cta *c);
/* All CTAs that run are stuck, this one too, and nobody will write: its fault says so. waiting:
 * CTAs of the grid that have not begun. */
void cta_never_ends(struct cta *c, uint64_t waiting);

#endif
