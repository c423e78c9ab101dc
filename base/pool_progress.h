/* base/pool_progress.h -- how far the jobs of a pool are, as one line of progress, and that they
 * stop when one has failed. Each job has a part; any thread may report. */
#ifndef MDP_BASE_POOL_PROGRESS_H
#define MDP_BASE_POOL_PROGRESS_H

#include "base/types.h"

struct pool_progress;
struct pool_part; /* of one job; belongs to the whole */

/* All jobs cost the same, 1, and none has a detail. */
struct pool_progress *pool_progress_new(const char *title, int count);
void pool_progress_free(struct pool_progress *p);

struct pool_part *pool_part(struct pool_progress *p, int i);
/* Before the pool runs. cost > 0, in any unit; detail is borrowed. */
void pool_part_set(struct pool_part *part, double cost, const char *detail);
/* fraction, 0 to 1, of the job is done. False: stop, another job has failed. part is untyped so
 * that this can be a run's progress callback. */
bool pool_part_at(void *part, double fraction);
/* The job is over; unless ok, the others are told to stop. */
void pool_part_end(struct pool_part *part, bool ok);

/* Of all jobs, by their costs; for tests. */
double pool_progress_done(struct pool_progress *p);

#endif
