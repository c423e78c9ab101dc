/* sim/func/split.h -- independent threads: paths of a warp that wait for each other.
 *
 * PTX ISA, from sm_70 on: a thread that executes shfl.sync, vote.sync, match.sync, redux.sync,
 * elect.sync or bar.warp.sync waits until every thread of the member mask that has not exited has
 * executed the same instruction with the same qualifiers and mask, wherever in the code; then they
 * exchange. A thread at a barrier of the CTA waits for every other one; at that of the cluster,
 * until it completes.
 *
 * The path on top of the stack runs, as with a reconvergence stack, until it ends; so code in which
 * no path waits for another runs alike. A path that has to wait stays where it is in the stack, and
 * another one runs on top, in this order: one that is whole; then lanes that have reached a
 * reconvergence point before the others, first those that are waited for. Such lanes leave the
 * entry and go on by themselves, up to where that one ends. So do others where a path goes round a
 * loop that looks at memory (spin.h): the path that has run least recently has its turn. Paths that
 * stand at the same place and end at the same place become one.
 *
 * Of a warp where nothing can go on, and not all wait at a barrier of the CTA, that is a fault. */
#ifndef MDP_SIM_FUNC_SPLIT_H
#define MDP_SIM_FUNC_SPLIT_H

#include "sim/func/simt.h"

/* The lanes, which execute an instruction, wait in it (PATH_MEETS, PATH_BARRIER, PATH_CLUSTER); the
 * others of their path go on. For executors. */
void split_wait(struct warp *w, lanes_t lanes, enum path_state why);
/* They wait if their instruction names others in its last source. False: none is missing, it takes
 * effect now. */
bool split_meets(struct warp *w, const struct inst *in, lanes_t active);

/* Lanes that execute an instruction together with those of other parts. */
struct meet_part {
    const struct inst *in;
    lanes_t lanes;
};
/* crosslane.c: n parts, alike in what they do, exchange. */
void crosslane_exchange(struct warp *w, const struct meet_part *part, int n);
/* bar.c: every path waits at a barrier, so that the warp arrives. */
void bar_arrive_apart(struct warp *w);

#endif
