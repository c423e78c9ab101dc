#include "sampler/profile/kernel_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

struct kernel_key kernel_key_of(const struct launch *l)
{
    struct kernel_key k = {
        .name = xstrdup(l->kernel->name), .regs = launch_regs(l), .shared = launch_shared(l)};
    memcpy(k.block, l->block, sizeof k.block);
    return k;
}

struct kernel_key kernel_key_copy(const struct kernel_key *k)
{
    struct kernel_key copy = *k;
    copy.name = xstrdup(k->name);
    return copy;
}

void kernel_key_fini(struct kernel_key *k)
{
    free(k->name);
    *k = (struct kernel_key){0};
}

bool kernel_key_is(const struct kernel_key *k, const struct launch *l)
{
    return strcmp(k->name, l->kernel->name) == 0 &&
           memcmp(k->block, l->block, sizeof k->block) == 0 && k->regs == launch_regs(l) &&
           k->shared == launch_shared(l);
}
