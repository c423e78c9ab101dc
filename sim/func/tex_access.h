/* sim/func/tex_access.h -- from a lane's handle to its texture or surface. */
#ifndef MDP_SIM_FUNC_TEX_ACCESS_H
#define MDP_SIM_FUNC_TEX_ACCESS_H

#include "sim/func/warp.h"

/* What the handle in an operand means to a lane; kept from lane to lane, since most warps have one.
 */
struct tex_ref {
    uint64_t handle;            /* of the last lane; 0: none yet */
    const struct texture *what; /* borrowed from the launch's table */
    uint8_t *host;              /* its memory; NULL for a sampler */
    addr_t at;                  /* where it lies for caches and DRAM (alloc.moved) */
};

/* Looks up operand o of the lane. False: a fault has been reported. */
bool tex_resolve(struct warp *w, const struct inst *in, int lane, const struct opnd *o,
                 enum tex_kind kind, struct tex_ref *r);

#endif
