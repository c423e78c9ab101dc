/* sim/func/simt.h -- the SIMT stack: one warp's diverged paths, immediate post-dominator
 * reconvergence as in GPGPU-Sim.
 *
 *   stack[depth-1]  the path that runs: pc, the lanes on it, and rpc where it ends
 *   below it        paths that wait, and entries whose pc is the rpc of those above
 *
 * A function call pushes a base entry (call >= 0); the entries from there to the next base are the
 * call's frame. stack[0] is the kernel's base and is never popped.
 * Invariant: an entry's lanes are live, and the lanes of the entries above it (up to the one that
 * shares its rpc) are among the lanes of the entry that waits for them. */
#ifndef MDP_SIM_FUNC_SIMT_H
#define MDP_SIM_FUNC_SIMT_H

#include "sim/func/warp.h"

struct simt_path {
    uint32_t pc;
    lanes_t mask;
};

static inline struct simt_entry *simt_top(const struct warp *w)
{
    return &w->stack[w->depth - 1];
}

void simt_init(struct warp *w, lanes_t mask);
/* The lanes of the top entry go on at n different places, listed from the path of the highest lane
 * on; their masks make up the top's mask. */
void simt_branch(struct warp *w, uint32_t reconv, const struct simt_path *path, int n);
/* Enters a function: a base entry with these lanes. */
void simt_call(struct warp *w, uint32_t pc, lanes_t lanes, uint32_t call_pc);
/* Index of the base entry of the innermost call, -1 in the kernel's own code. */
int simt_frame(const struct warp *w);
/* Removes lanes from the entries at and above `from` (0: everywhere, the lanes have exited). */
void simt_remove(struct warp *w, int from, lanes_t lanes);

/* Ends paths that have reached their reconvergence point or lost all lanes. */
static inline void simt_reconverge(struct warp *w)
{
    while (w->depth > 1) {
        const struct simt_entry *t = simt_top(w);
        if (t->pc != t->rpc && t->mask)
            break;
        w->depth--;
    }
}

#endif
