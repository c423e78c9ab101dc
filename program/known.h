/* program/known.h -- launches that need not be executed, since what they would write is known:
 * benchmarks launch the same thing a hundred times, or the same sequence of things. What follows
 * from a launch's kernel, grid, block, parameters and what the allocations hold that it uses is
 * always the same, so every bit is as if it had been executed. Such a launch
 *   - was executed before, and did nothing but read and write device memory;
 *   - finds all that it read as that one found it: by name (alloc.changed), since nobody has
 *     written there, or else byte by byte, where a copy was kept;
 *   - finds what it only writes as the earlier one found or left it. Where results are not in
 *     place already, a copy of them is put there.
 * Copies are kept of a launch that comes again, as long as they are small beside the work of
 * executing it and as it has not come often without ever meeting what it met before. */
#ifndef MDP_PROGRAM_KNOWN_H
#define MDP_PROGRAM_KNOWN_H

#include "sim/func/run.h"

struct known; /* opaque: the latest launches of that kind */

struct known *known_new(void);
void known_free(struct known *k); /* NULL is fine */
void known_forget(struct known *k);
struct known_launch { /* what it was when it was executed */
    struct func_counts counts;
    int cluster; /* the caller's */
};
/* Memory now holds its results. NULL: it has to be executed. */
const struct known_launch *known_apply(struct known *k, const struct launch *l);
/* Around every launch that is executed or simulated in place; the latter when it has succeeded. */
void known_begin(struct known *k, const struct launch *l);
void known_learn(struct known *k, const struct launch *l, const struct known_launch *was);
/* The watcher that known_begin() sets: who sets another one in between has to call it. */
void known_storing(void *known, const struct alloc *al);

#endif
