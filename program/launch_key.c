#include "program/launch_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fnv.h"

static uint8_t *args_read(const struct launch *l)
{
    const struct kernel *k = l->kernel;
    uint8_t *copy = xmalloc(k->param_bytes + 1u);
    for (uint32_t i = 0; i < k->param_bytes; i++)
        copy[i] = !k->param_read || k->param_read[i] ? l->params[i] : 0;
    return copy;
}

static void forget_pointers(struct launch_key *k, struct devmem *mem)
{
    static const uint64_t pointer = UINT64_MAX;
    for (uint32_t off = 0; off + 8 <= k->bytes; off += 8) {
        uint64_t word;
        memcpy(&word, k->args + off, sizeof word);
        if (word >= GLOBALS_BASE && devmem_find(mem, word, 1))
            memcpy(k->args + off, &pointer, sizeof pointer);
    }
}

struct launch_key launch_key_of(const struct launch *l, uint64_t kernel, enum launch_pointers p)
{
    struct launch_key k = {.kernel = kernel,
                           .shared = launch_shared(l),
                           .bytes = l->kernel->param_bytes,
                           .args = args_read(l)};
    memcpy(k.grid, l->grid, sizeof k.grid);
    memcpy(k.block, l->block, sizeof k.block);
    memcpy(k.cluster, l->cluster, sizeof k.cluster);
    if (p == POINTERS_DO_NOT)
        forget_pointers(&k, l->mem);
    k.hash = fnv(FNV_NONE, &k.kernel, sizeof k.kernel);
    k.hash = fnv(fnv(k.hash, k.grid, sizeof k.grid), k.block, sizeof k.block);
    k.hash = fnv(k.hash, k.cluster, sizeof k.cluster);
    k.hash = fnv(fnv(k.hash, &k.shared, sizeof k.shared), k.args, k.bytes);
    k.hash += !k.hash;
    return k;
}

void launch_key_fini(struct launch_key *k)
{
    free(k->args);
    *k = (struct launch_key){0};
}

bool launch_key_same(const struct launch_key *a, const struct launch_key *b)
{
    return a->hash == b->hash && a->kernel == b->kernel && a->shared == b->shared &&
           a->bytes == b->bytes && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 &&
           memcmp(a->args, b->args, a->bytes) == 0;
}
