/* base/pool.h -- independent jobs on a few host threads. Jobs share nothing but what `user` points
 * to; they start in order, so results that each job stores in its own place don't depend on the
 * number of threads. */
#ifndef MDP_BASE_POOL_H
#define MDP_BASE_POOL_H

#include "base/err.h"

/* Job i of count. False and e: it failed, and no further job is started. Called from any thread. */
typedef bool (*pool_job)(void *user, int i, struct err *e);

/* Runs jobs 0 .. count - 1, `threads` (at least 1) at a time, the calling thread among them. False:
 * one failed, and e is what the first of them said; those that ran beside it were waited for. */
bool pool_run(int threads, int count, pool_job job, void *user, struct err *e);

#endif
