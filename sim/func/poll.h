/* sim/func/poll.h -- spin loops, which look at memory until another CTA has written it: a flag, the
 * arrivals at a barrier of the whole grid, a lock. How often they go round depends on time, so that
 * their instructions are no work that two runs of a launch could be compared by.
 *
 * Such a loop, from where a branch leads back to up to that branch, is short, looks at one place in
 * memory, past L1D or by an atomic operation that does not count, and does nothing else that other
 * CTAs could see or that could be work: it loads and stores nothing, and calls nothing. One thread
 * may look for all of its CTA: the loop then has barriers, or writes one word of shared memory and
 * reads it, and no round goes by what an earlier one has left in registers or in that word, goes
 * round a loop of its own, or has an atomic operation, by which it might draw work. */
#ifndef MDP_SIM_FUNC_POLL_H
#define MDP_SIM_FUNC_POLL_H

#include "sim/ptx/module.h"

/* Stores of other CTAs reach it: volatile, relaxed or acquire, and not of shared memory. */
static inline bool is_volatile_load(const struct inst *in)
{
    return in->flags & INST_LOAD && in->flags & INST_VOLATILE &&
           (in->space == SP_GLOBAL || in->space == SP_GENERIC);
}
/* Sets inst.polls and polls_first of all, and k->volatile_loads. */
void polls_mark(struct kernel *k);

#endif
