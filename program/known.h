/* program/known.h -- launches that need not be executed, since memory holds already what they would
 * write: benchmarks launch the same thing a hundred times. Such a launch has the kernel, grid,
 * block and parameters of one that was executed; that one wrote to no allocation it read from, did
 * nothing but read and write device memory, and since then nobody has changed what it read or wrote
 * (devmem_footprint). What follows from a launch's parameters and what it reads is always the same,
 * so every bit is as if it had been executed. */
#ifndef MDP_PROGRAM_KNOWN_H
#define MDP_PROGRAM_KNOWN_H

#include "sim/func/run.h"

struct known; /* opaque: the latest launches of that kind */

struct known *known_new(void);
void known_free(struct known *k); /* NULL is fine */
void known_forget(struct known *k);
/* What it executed when it was; NULL: it has to be. */
const struct func_counts *known_find(const struct known *k, const struct launch *l);
/* After every launch that was executed or simulated in place: takes its footprint from memory. */
void known_learn(struct known *k, const struct launch *l, const struct func_counts *c);

#endif
