/* program/repeat.h -- launches seen before: the same kernel with the same grid, block and scalar
 * arguments does much the same work. Arguments (8-byte words at multiples of 8) that hold the
 * address of an allocation are pointers, and count as equal; so do bytes that the kernel does not
 * read. */
#ifndef MDP_PROGRAM_REPEAT_H
#define MDP_PROGRAM_REPEAT_H

#include "sim/func/warp.h"

struct repeat {      /* one set of equal launches */
    uint64_t seen;   /* launches so far */
    int first;       /* number of the first */
    uint64_t cycles; /* of the last one simulated; 0: none */
    int group;       /* of that one: groups of its kernel are the caller's */
    bool detailed;   /* it was simulated or sampled */
    bool missed;     /* it was to be, but memory as it was before was not kept */
};

struct repeats; /* opaque */

struct repeats *repeats_new(void);
void repeats_free(struct repeats *r);
/* The launch's set; a new one has seen == 0. Valid until the next call. */
struct repeat *repeats_find(struct repeats *r, const struct launch *l, int kernel);

#endif
