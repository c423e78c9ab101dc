/* sim/frontend/host_region.h -- memory of the host that kernels see at the same addresses: pinned
 * and managed memory. It lies in a part of the address space that no loader or allocator uses, one
 * block behind the other, so that addresses (and what caches make of them) are the same in every
 * run. Addresses are used again only when all have been. Where something lies there, a block lies
 * elsewhere, and only what caches make of its address is the same. */
#ifndef MDP_SIM_FRONTEND_HOST_REGION_H
#define MDP_SIM_FRONTEND_HOST_REGION_H

#include "base/types.h"

#define HOST_REGION_BASE  0x200000000000ull
#define HOST_REGION_BYTES 0x010000000000ull

struct devmem;
struct host_region;
struct host_region *host_region_new(void);
void host_region_free(struct host_region *r); /* every block too; NULL is fine */
/* Zeroed, on a page of its own; NULL: no room, or bytes is 0. */
void *host_region_alloc(struct host_region *r, uint64_t bytes);
bool host_region_release(struct host_region *r, void *p); /* false: not a block of r */
/* A block that kernels see too. */
void *host_region_share(struct host_region *r, uint64_t bytes, struct devmem *m, const char *name);

/* Whether this process may read all of it, and write if that is asked. */
bool host_may_use(const void *p, uint64_t bytes, bool write);

#endif
