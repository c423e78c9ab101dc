/* sim/func/simt.h -- the diverged paths of one warp.
 *
 * They lie in a stack; immediate post-dominator reconvergence as in GPGPU-Sim:
 *
 *   stack[depth-1]  the path that runs: pc, the lanes on it, and rpc where it ends
 *   below it        paths that wait for their turn, and entries whose pc is the rpc of those above
 *
 * An entry's lanes are live. Those that are not in an entry above are there (its own); the others
 * come to it when the entries above end. A call adds an entry of its own for the function's code,
 * and the caller's waits below for the lanes to return.
 *
 * With a reconvergence stack that is all: the top runs until it ends. With independent threads
 * (split.h) an entry may wait for lanes of others, which then run first, on top. */
#ifndef MDP_SIM_FUNC_SIMT_H
#define MDP_SIM_FUNC_SIMT_H

#include "sim/func/warp.h"

struct simt_path {
    uint32_t pc;
    lanes_t mask;
};

/* A call that lanes are in. */
struct simt_call {
    uint32_t pc;    /* of the call, in inst[] */
    int32_t caller; /* the call that the caller is in; SIMT_NO_CALL: the kernel's own code */
    lanes_t lanes;  /* that have not come back; 0: the record is free */
    struct call_state *saved; /* owned; see recurse.h; NULL: not a call of itself */
};

static inline struct simt_entry *simt_top(const struct warp *w)
{
    return &w->stack[w->depth - 1];
}

void simt_init(struct warp *w, lanes_t mask);
void simt_fini(struct warp *w);
/* The lanes of the top entry go on at n different places, listed from the path of the highest lane
 * on; their masks make up the top's mask. */
void simt_branch(struct warp *w, uint32_t reconv, const struct simt_path *path, int n);
/* Enters a function: an entry at pc, with the lanes of the call, on top. */
void simt_call(struct warp *w, uint32_t pc, const struct simt_call *c);
/* These lanes of the top return from their call. */
void simt_return(struct warp *w, lanes_t lanes);
/* The lanes, all on top, exit. */
void simt_exit(struct warp *w, lanes_t lanes);
/* Adds an entry at place i; those from there on move up. */
void simt_insert(struct warp *w, int i, struct simt_entry e);
/* Another path has its turn (split.h): the top waits. */
void split_settle(struct warp *w);

/* Removes ended entries from the top: they have reached their reconvergence point, or lost all
 * lanes. */
static inline void simt_pop_ended(struct warp *w)
{
    while (w->depth > 1) {
        const struct simt_entry *t = simt_top(w);
        if ((t->pc != t->rpc && t->mask) || t->state != PATH_RUNS)
            break;
        w->depth--;
    }
}

/* Ends paths; then a path is on top that can go on. */
static inline void simt_reconverge(struct warp *w)
{
    simt_pop_ended(w);
    if (simt_top(w)->state != PATH_RUNS)
        split_settle(w);
}

#endif
