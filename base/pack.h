/* base/pack.h -- bytes packed by zstd, with a checksum. The only file of traces that sees it. */
#ifndef MDP_BASE_PACK_H
#define MDP_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *len: of what is returned. Caller frees. */
uint8_t *pack(const uint8_t *data, size_t bytes, size_t *len);
/* Into just so many bytes. False: it is no such thing, or it was changed. */
bool unpack(const uint8_t *packed, size_t len, uint8_t *out, size_t bytes);
/* More cannot have been packed into so many bytes. */
#define PACK_MOST(len) ((uint64_t)(len) << 15)

#endif
