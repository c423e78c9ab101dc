/* sampler/profile/recent_code.h -- which kernels ran on which core of the GPU, in the order in
 * which they ran last: what of a kernel's code caches still hold. A launch of fewer CTAs than there
 * are cores goes to those behind the core that received a CTA last, where the kernel may not have
 * run yet however often it ran. Which core that is follows from the numbers of CTAs as long as all
 * of a launch run at once; behind a longer one it is assumed to. */
#ifndef MDP_SAMPLER_PROFILE_RECENT_CODE_H
#define MDP_SAMPLER_PROFILE_RECENT_CODE_H

#include "sim/ptx/module.h"

struct recent_code {
    int cores;
    int most; /* kernels of a core; who ran before them is as if it had not */
    int last; /* core that received a CTA last (sim/cta/dispatch.h) */
    struct recent_kernel {
        char *name; /* owned */
        uint64_t bytes;
    } * known; /* owned: those that ran */
    int n;
    struct core_code {
        int n, *of; /* owned, [most]: of `known`, the latest first */
    } * core;       /* owned, [cores] */
};

/* most: kernels of a core that are remembered. */
void recent_code_init(struct recent_code *r, int cores, int most);
void recent_code_fini(struct recent_code *r);
/* A launch of so many CTAs. */
void recent_code_ran(struct recent_code *r, const struct kernel *k, uint64_t ctas);
/* It has run, on any core. */
bool recent_code_has(const struct recent_code *r, const struct kernel *k);
/* Bytes of code that ran since this kernel ran last, its own included, on the core where that is
 * most of those to which a launch of so many CTAs goes next; 0: on one it has not run yet. */
uint64_t recent_code_since(const struct recent_code *r, const struct kernel *k, uint64_t ctas);

#endif
