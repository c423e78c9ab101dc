/* program/undo.h -- memory as it was before a launch that has run: copies of the allocations that
 * it wrote to, made before its first store to each. Far less than a copy of all memory, where most
 * launches turn out to need neither. */
#ifndef MDP_PROGRAM_UNDO_H
#define MDP_PROGRAM_UNDO_H

#include "sim/func/memory.h"

struct undo {
    struct undo_copy {
        addr_t base;
        uint64_t bytes;
        uint8_t *was; /* owned */
    } * copy;         /* owned */
    int copies;
    uint64_t room; /* bytes that may still be copied */
    bool lost;     /* there were more */
};

/* u is 0 but for room. */
void undo_storing(struct undo *u, const struct alloc *al);
/* A clone of m with the copies in place; NULL: they are not all there, or more was done than
 * storing. Before devmem_usage_end(). */
struct devmem *undo_clone(const struct undo *u, const struct devmem *m);
void undo_fini(struct undo *u);

#endif
