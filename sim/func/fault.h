/* sim/func/fault.h -- what is said when a kernel does what it must not. */
#ifndef MDP_SIM_FUNC_FAULT_H
#define MDP_SIM_FUNC_FAULT_H

#include "sim/func/warp.h"

struct bad_access {
    enum fault_kind kind;
    int lane;
    enum space space; /* resolved */
    addr_t addr;      /* device address, or offset in the space */
    unsigned bytes;
    bool write;
};

/* Records the fault, unless the CTA has one already, with the nearest allocation in its detail. */
void fault_access(struct warp *w, const struct inst *in, const struct bad_access *b);
/* "out of bounds: reads 4 bytes at ... in global memory, 4 bytes past the end of buffer ..." */
void fault_access_text(const struct warp *w, const struct bad_access *b, char *to, size_t room);
const char *space_name(enum space s);

#endif
