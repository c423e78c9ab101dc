/* sim/func/memory_int.h -- a device memory from the inside; for memory.c and memory_use.c alone. */
#ifndef MDP_SIM_FUNC_MEMORY_INT_H
#define MDP_SIM_FUNC_MEMORY_INT_H

#include "sim/func/memory.h"

#define DEVMEM_HINTS 4 /* allocations hit last; kernels alternate between a few buffers */

struct devmem {
    struct alloc **v; /* sorted by base; the structs never move */
    int n, cap;
    struct alloc *hint[DEVMEM_HINTS];
    unsigned next_hint;
    bool holes; /* something was released: a new allocation may fit in between */
    uint64_t serial, heap_used;
    uint64_t clock; /* of alloc.changed */
    uint64_t epoch;
    uint64_t usages;     /* devmem_usage_end(): of alloc.last_used */
    struct alloc **used; /* those with use != 0; owned */
    int n_used, cap_used;
    struct alloc **moved; /* those with moved != 0, sorted by where they are moved to; owned */
    int n_moved;
    bool effects, borrows;
    int line;            /* bytes of one that is followed; 0: none is */
    bool follows;        /* ... in this memory, not in the one that it is a copy of */
    int device, devices; /* whose part is allocated in, and of how many */
    unsigned hidden;     /* devices of which nothing is found */
    devmem_watcher *before;
    void *before_user;
};

/* As devmem_find(). */
struct alloc *devmem_lookup(struct devmem *m, addr_t a, uint64_t bytes);
/* An allocation that shares its bytes gets some of its own, as they are. */
void devmem_own_bytes(struct alloc *al);
void devmem_empty(struct alloc *al); /* of its own bytes: all are 0 */

#endif
