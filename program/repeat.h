/* program/repeat.h -- launches seen before: those that are the same but for pointers
 * (launch_key.h) do much the same work. Which do not is seen by looking at them while they are
 * executed, which takes time. Those that nobody looks at are told apart by their instructions: once
 * several looks in a row have shown no more than these tell, the next comes a quarter later. One
 * with instructions that no look has seen is missed, and sought from then on. */
#ifndef MDP_PROGRAM_REPEAT_H
#define MDP_PROGRAM_REPEAT_H

#include "sim/func/warp.h"

#define REPEAT_KINDS 8

struct repeat {      /* one set of equal launches */
    uint64_t seen;   /* launches so far */
    uint64_t cycles; /* of the last one simulated; 0: none */
    int cluster;     /* of that one: clusters of its kernel are the caller's */
    bool detailed;   /* it was simulated or sampled */
    bool missed;     /* it was to be, but memory as it was before was not kept: */
    int missed_of;   /* ... one of this cluster */
    /* Of those that were looked at: */
    struct repeat_kind {
        int cluster;
        uint64_t insts;     /* warp instructions of the last one */
    } kind[REPEAT_KINDS];   /* the last one's first */
    int kinds, as_expected; /* of the last looks in a row */
    bool guessed;           /* some were not looked at */
    uint64_t look_at;       /* the next one, as seen */
    uint64_t sought;        /* instructions of one that was missed; 0: none was */
    uint64_t sought_until;  /* as seen */
};

struct repeats; /* opaque */

struct repeats *repeats_new(void);
void repeats_free(struct repeats *r);
/* It was looked at, and is of that cluster. */
void repeat_looked_at(struct repeat *r, int cluster, uint64_t warp_insts);
/* It was not, though one before it was, and executed so many: the cluster that it is taken to be
 * of; -1: none that is known. With one degree it is of the last one's. */
int repeat_executed(struct repeat *r, uint64_t warp_insts, bool one_degree);
/* Whether the one that is seen now has to be looked at. one_degree: there is nothing to choose, so
 * that one look is enough. */
bool repeat_wants_look(const struct repeat *r, bool one_degree);
/* The launch's set; a new one has seen == 0. Valid until repeats_free(). */
struct repeat *repeats_find(struct repeats *r, const struct launch *l, int kernel);

#endif
