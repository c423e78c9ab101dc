/* sampler/window/depend.h -- how often a warp waits for loads. An instruction needs the registers
 * that it reads; its guard, too, but no load writes a predicate.
 *
 * A round of loads: a warp that issues in order goes on until an instruction needs (or overwrites)
 * a register that a load of the round is to write; there it waits, and the round ends. Taken is
 * that all loads of a round come back together, as they do when one takes far longer than it takes
 * to issue them. Loads: of global and local memory, textures, and atomics that return something. */
#ifndef MDP_SAMPLER_DEPEND_H
#define MDP_SAMPLER_DEPEND_H

#include "sim/func/warp.h"

struct depend_warp;

struct depend {
    int warps, regs;
    struct depend_warp *warp; /* owned */
    uint64_t *round; /* owned, [warps][regs]: of the load that wrote it last; 0: no load did */
    uint64_t rounds; /* that have ended, of all warps */
};

void depend_init(struct depend *d, const struct kernel *k, int warps);
/* loads: whether the instruction is a load as above, with a lane that takes part. */
void depend_step(struct depend *d, int warp, const struct step *s, bool loads);
void depend_end(struct depend *d); /* the rounds that are under way */
void depend_fini(struct depend *d);

#endif
