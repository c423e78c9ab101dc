/* sampler/code_seen.h -- which cores have run which kernel so far, the latest last: what their L1Is
 * may hold of its code. */
#ifndef MDP_SAMPLER_CODE_SEEN_H
#define MDP_SAMPLER_CODE_SEEN_H

#include "sampler/trace.h"

#define CODE_SEEN 64 /* kernels that are remembered */

struct code_seen {
    int cores, kernels;
    const struct kernel *kernel[CODE_SEEN]; /* borrowed */
    bool *core[CODE_SEEN];                  /* owned, [cores] */
};

void code_seen_init(struct code_seen *c, int cores);
void code_seen_fini(struct code_seen *c);
/* A launch of k has run: `ctas` were dealt round, the first one to core `first`. */
void code_seen_add(struct code_seen *c, const struct kernel *k, int first, uint64_t ctas);
/* Whether the core that is `number` behind `core` has run kernel[i]. */
bool code_seen_by(const struct code_seen *c, int i, int core, int number);

#endif
