/* sim/func/access.h -- where a memory instruction's lanes point: computes the addresses, resolves
 * generic ones, checks bounds, alignment and write permission, reports faults.
 *
 * Lane i's bytes start at base + i * stride + addr[i]. When the lanes lie in different spaces or
 * allocations, `mixed` is set and ptr[i] says where each one is. Addresses that come out are those
 * that caches and DRAM go by (alloc.moved). */
#ifndef MDP_SIM_FUNC_ACCESS_H
#define MDP_SIM_FUNC_ACCESS_H

#include "sim/func/warp.h"

struct access {
    addr_t *addr;     /* [32], the caller's; resolved (struct step) */
    enum space space; /* in: as written; out: resolved, of the lowest lane */
    unsigned bytes;   /* a lane's, a power of two */
    bool write;
    bool uniform; /* one address: every active lane has the same bytes */
    bool run;     /* all 32 lanes, one behind the other without gap */
    bool mixed;
    uintptr_t base, stride;
    uint8_t *ptr[WARP_SIZE];
};

static inline uint8_t *access_at(const struct access *a, int lane)
{
    if (a->mixed)
        return a->ptr[lane];
    return (uint8_t *)(a->base + (uintptr_t)lane * a->stride + (uintptr_t)a->addr[lane]);
}

/* The lanes' addresses are operand o plus disp; addr, space, bytes, write are set by the caller.
 * False: a fault has been reported. */
bool access_lanes(struct warp *w, const struct inst *in, lanes_t active, const struct opnd *o,
                  int64_t disp, struct access *a);
/* The same where a->addr holds the lanes' addresses already. */
bool access_each(struct warp *w, const struct inst *in, lanes_t active, struct access *a);
/* The usual case, src[0] + imm: the caller sets bytes and write, w->out gets space, bytes, addr. */
bool access_memory(struct warp *w, const struct inst *in, lanes_t active, struct access *a);
/* One lane, generic address, any length, no alignment: for the built-ins. NULL: not inside one
 * memory. *left: bytes from there to the end. */
uint8_t *access_generic(struct warp *w, int lane, addr_t addr, uint64_t *left);

#endif
