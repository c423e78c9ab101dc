/* sampler/refine.h -- a short window of the whole GPU at one degree: how far off the replay is. */
#ifndef MDP_SAMPLER_REFINE_H
#define MDP_SAMPLER_REFINE_H

#include "sampler/project.h"

#define REFINE_CORE_INSTS 4000 /* warp instructions of a core that a window simulates, at most */

struct refinement {
    struct projection *p; /* borrowed: traces of the launch, which project() has seen */
    uint64_t max_cycles;
    double seconds; /* CPU time of the windows: added to */
};

/* Simulates the launch on a cold GPU with n CTAs at once on each core, from the traced CTAs on,
 * until max_insts warp instructions were issued, and adds to d how its cycles compare with the
 * replay's. Memory must be as the launch finds it, and is changed. */
bool refine(struct refinement *r, struct launch *l, int n, uint64_t max_insts, struct sample *d,
            struct err *e);

#endif
