/* sampler/profile/recent_code.h -- which kernels ran, in the order in which they ran last: what of
 * a kernel's code caches still hold. */
#ifndef MDP_SAMPLER_PROFILE_RECENT_CODE_H
#define MDP_SAMPLER_PROFILE_RECENT_CODE_H

#include "sim/ptx/module.h"

struct recent_code {
    struct recent_kernel {
        char *name; /* owned */
        uint64_t bytes;
    } * of; /* owned, the latest first */
    int n;
};

void recent_code_ran(struct recent_code *r, const struct kernel *k);
/* Bytes of code that ran since this kernel ran last, its own included; 0: it has not run yet. */
uint64_t recent_code_since(const struct recent_code *r, const struct kernel *k);
void recent_code_fini(struct recent_code *r);

#endif
