/* program/contents.h -- copies of what allocations held, each kept once under its name
 * (alloc.changed) and counted by its users. */
#ifndef MDP_PROGRAM_CONTENTS_H
#define MDP_PROGRAM_CONTENTS_H

#include "sim/func/memory.h"

struct contents; /* opaque: all copies */
struct content {
    uint64_t name, bytes;
    uint8_t *copy; /* owned */
    int users;
    struct content *next; /* in its bucket */
};

struct contents *contents_new(void);
void contents_free(struct contents *c); /* NULL is fine */
uint64_t contents_bytes(const struct contents *c);
/* What al holds now, which al->changed names; dropped by each who has taken it. */
struct content *contents_take(struct contents *c, const struct alloc *al);
void contents_drop(struct contents *c, struct content *x); /* NULL is fine */
/* Whether al holds just that; NULL: no. */
bool content_is(const struct content *x, const struct alloc *al);

#endif
