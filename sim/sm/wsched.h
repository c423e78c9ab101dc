/* sim/sm/wsched.h -- a warp scheduler's policy. The framework (issue.c) finds out which warps could
 * issue in this cycle; the policy only ranks them. Warps are slots of the core, and a set of them
 * is a mask. */
#ifndef MDP_SIM_SM_WSCHED_H
#define MDP_SIM_SM_WSCHED_H

#include "base/types.h"

#define WSCHED_STATE_BYTES 64

struct wsched_view {     /* what a policy may look at; borrowed */
    const uint64_t *age; /* per warp slot: order of arrival on the core, smaller is older */
    uint64_t owned;      /* slots of this scheduler */
};

struct wsched_ops {
    const char *name, *help;
    void (*init)(void *st, const struct wsched_view *v); /* st: WSCHED_STATE_BYTES, zeroed */
    /* The slot in `among` (never 0) that comes first. */
    int (*pick)(const void *st, const struct wsched_view *v, uint64_t among);
    void (*on_issue)(void *st, const struct wsched_view *v, int slot);
};

extern const struct wsched_ops wsched_gto, wsched_lrr;
const struct wsched_ops *wsched_find(const char *name); /* exact; NULL: unknown */
const struct wsched_ops *wsched_at(int i);              /* for listings; NULL past the end */
const char *wsched_names(void);                         /* "gto, lrr" */

#endif
