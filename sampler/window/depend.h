/* sampler/window/depend.h -- how far apart a warp's instructions are from what they need, and how
 * many loads it can have in flight. Distances are in warp instructions of the same warp: 1 is the
 * next one. An instruction needs the registers that it reads, its guard too.
 *
 * A round of loads: a warp that issues in order goes on until an instruction needs (or overwrites)
 * a register that a load of the round is to write; there it waits, and the round ends. Taken is
 * that all loads of a round come back together, as they do when one takes far longer than it takes
 * to issue them. Loads: of global and local memory, textures, and atomics that return something. */
#ifndef MDP_SAMPLER_DEPEND_H
#define MDP_SAMPLER_DEPEND_H

#include "base/buckets.h"
#include "sim/func/warp.h"

struct depend_warp;
struct depend_reg;

struct depend {
    int warps, regs;
    struct depend_warp *warp;    /* owned */
    struct depend_reg *reg;      /* owned: [warps][regs] */
    uint64_t distance[BUCKETS];  /* instructions by how far the nearest producer of a source is */
    uint64_t first_use[BUCKETS]; /* loaded registers by how far their first use is from the load */
    uint64_t loads, requests;    /* in all ended rounds */
    uint64_t rounds;
};

void depend_init(struct depend *d, const struct kernel *k, int warps);
/* requests: line requests of a load as above; 0: it is none. */
void depend_step(struct depend *d, int warp, const struct step *s, int requests);
void depend_end(struct depend *d); /* the rounds that are under way */
void depend_fini(struct depend *d);

#endif
