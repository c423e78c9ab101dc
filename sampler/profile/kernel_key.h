/* sampler/profile/kernel_key.h -- which launches are of the same kernel: those of one entry whose
 * CTAs take the same of a core, so that a degree means the same to all of them. */
#ifndef MDP_SAMPLER_PROFILE_KERNEL_KEY_H
#define MDP_SAMPLER_PROFILE_KERNEL_KEY_H

#include "sim/func/warp.h"

struct kernel_key {
    char *name; /* owned: the entry's */
    int block[3], regs;
    uint32_t shared; /* bytes a CTA */
};

struct kernel_key kernel_key_of(const struct launch *l);
struct kernel_key kernel_key_copy(const struct kernel_key *k);
void kernel_key_fini(struct kernel_key *k);
bool kernel_key_is(const struct kernel_key *k, const struct launch *l);

#endif
