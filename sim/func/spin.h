/* sim/func/spin.h -- loops of independent threads that wait for others of their warp.
 *
 * Lanes that go round a loop while others of their warp are held back behind it or beside it may be
 * waiting for those: for a lock that one of them holds, a flag that one of them will set. A round
 * polls if it has a volatile or relaxed load, an atomic whose result is used, a test of an mbarrier
 * or a nanosleep, in a function called from there too. After a few rounds that poll and change no
 * register, or many that do, the path yields, and another one has its turn (split.h). After very
 * many rounds a loop with any load yields. */
#ifndef MDP_SIM_FUNC_SPIN_H
#define MDP_SIM_FUNC_SPIN_H

#include "sim/func/warp.h"

/* The top path has executed the branch `in`. */
void spin_branch(struct warp *w, const struct inst *in);
/* Another path runs. */
static inline void spin_forget(struct spin *s)
{
    s->loop = NULL;
    s->rounds = s->polls = 0;
    s->polled = false;
}

#endif
