/* sim/mem/warm.h -- lines that L2 held before a launch, where the GPU that runs it is a part of the
 * one that ran those before: the first access to each finds it there, as long as LRU would have
 * kept it. Which of them a slice of L2 has follows from what is accessed, and not beforehand. */
#ifndef MDP_SIM_MEM_WARM_H
#define MDP_SIM_MEM_WARM_H

#include "base/types.h"

struct warm_range {
    addr_t base;
    uint64_t bytes;
    const uint32_t *used; /* [lines]: number of the launch that used it last, from 1; 0: it is not
                             there. A launch is taken to use its lines of each range at one pace.
                             NULL: all were used, after those of which launches are known */
};

struct warm; /* opaque */

/* Of ranges without `used` the most recently used one first; each is used from its beginning to its
 * end. share: of all these lines, what one L2 slice has. */
struct warm *warm_new(const struct warm_range *range, int ranges, int line, double share);
void warm_free(struct warm *w); /* NULL is fine */
/* A slice of `lines` lines, which has taken `fresh` others since the launch began, holds this one;
 * true but once for each line. */
bool warm_take(struct warm *w, addr_t line, uint64_t fresh, uint64_t lines);

#endif
