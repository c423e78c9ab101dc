/* base/fnv.h -- FNV-1a: a short name, of 64 bits, for some bytes. */
#ifndef MDP_BASE_FNV_H
#define MDP_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_NONE 0xcbf29ce484222325ull /* of no bytes */

/* Of the bytes that have the name h, and n more. */
static inline uint64_t fnv(uint64_t h, const void *data, size_t n)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3ull;
    return h;
}

#endif
