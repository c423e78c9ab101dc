/* sim/func/access.h -- where a memory instruction's lanes point: computes the addresses, resolves
 * generic ones, checks bounds, alignment and write permission, reports faults.
 *
 * Lane i's bytes start at base + i * stride + addr[i]. When the lanes lie in different spaces or
 * allocations, `mixed` is set and ptr[i] says where each one is. */
#ifndef MDP_SIM_FUNC_ACCESS_H
#define MDP_SIM_FUNC_ACCESS_H

#include "sim/func/warp.h"

struct access {
    addr_t *addr;     /* in: addresses as the kernel has them; out: resolved (struct step) */
    enum space space; /* in: as written; out: resolved, of the lowest lane */
    unsigned bytes;   /* a lane's, a power of two */
    bool write;
    uintptr_t base, stride;
    bool uniform; /* the address is a constant: every lane has the same one */
    bool mixed;
    uint8_t *ptr[WARP_SIZE];
};

static inline uint8_t *access_at(const struct access *a, int lane)
{
    if (a->mixed)
        return a->ptr[lane];
    return (uint8_t *)(a->base + (uintptr_t)lane * a->stride + (uintptr_t)a->addr[lane]);
}

/* The operand's addresses plus displacement, unresolved, into out[]. */
void access_addresses(struct warp *w, const struct opnd *o, int64_t disp, addr_t *out);
/* Resolves and checks the lanes in `active`. False: a fault has been reported. */
bool access_resolve(struct warp *w, const struct inst *in, lanes_t active, struct access *a);
/* The usual case, operand 0: fills w->out's space, bytes and addr. */
bool access_memory(struct warp *w, const struct inst *in, lanes_t active, struct access *a);
/* One lane, generic address, any length, no alignment: for the built-ins. NULL: not inside one
 * memory. *left: bytes from there to the end. */
uint8_t *access_generic(struct warp *w, int lane, addr_t addr, uint64_t *left);

#endif
