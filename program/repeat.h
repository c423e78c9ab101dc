/* program/repeat.h -- launches seen before: those that are the same but for pointers
 * (launch_key.h) do much the same work. */
#ifndef MDP_PROGRAM_REPEAT_H
#define MDP_PROGRAM_REPEAT_H

#include "sim/func/warp.h"

struct repeat {      /* one set of equal launches */
    uint64_t seen;   /* launches so far */
    uint64_t cycles; /* of the last one simulated; 0: none */
    int cluster;     /* of that one: clusters of its kernel are the caller's */
    bool detailed;   /* it was simulated or sampled */
    bool looked;     /* one of them was put into a cluster: */
    int like;        /* ... that of the last one */
    bool missed;     /* it was to be, but memory as it was before was not kept */
};

struct repeats; /* opaque */

struct repeats *repeats_new(void);
void repeats_free(struct repeats *r);
/* The launch's set; a new one has seen == 0. Valid until repeats_free(). */
struct repeat *repeats_find(struct repeats *r, const struct launch *l, int kernel);

#endif
