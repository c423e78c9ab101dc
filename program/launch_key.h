/* program/launch_key.h -- which launches of a program are the same: the same kernel with the same
 * grid, block, clusters, shared memory and arguments. Arguments that the kernel never reads count
 * for nothing: compilers leave there what lay on the stack (between the members of a struct, in
 * objects that have none). Which launches are alike without being the same says
 * sampler/profile/launch_cluster.h. */
#ifndef MDP_PROGRAM_LAUNCH_KEY_H
#define MDP_PROGRAM_LAUNCH_KEY_H

#include "sim/func/warp.h"

struct launch_key {
    uint64_t hash;   /* of all of it, not 0 */
    uint64_t kernel; /* the caller's number of it */
    int grid[3], block[3], cluster[3];
    uint32_t shared, bytes; /* of a CTA; of args */
    uint8_t *args;          /* owned */
};

enum launch_pointers {
    POINTERS_COUNT, /* the same memory: what it computes follows, given what memory holds */
    POINTERS_DO_NOT /* any allocation is as good as any other: much the same work. A pointer is what
                       holds an address in one, 8 bytes at a multiple of 8. */
};

struct launch_key launch_key_of(const struct launch *l, uint64_t kernel, enum launch_pointers p);
void launch_key_fini(struct launch_key *k);
bool launch_key_same(const struct launch_key *a, const struct launch_key *b);

#endif
