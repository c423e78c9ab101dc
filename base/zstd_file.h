/* base/zstd_file.h -- a file that zstd compressed, whole. */
#ifndef MDP_BASE_ZSTD_FILE_H
#define MDP_BASE_ZSTD_FILE_H

#include "base/err.h"

/* Whether the name says so: it ends in ".zst". */
bool zstd_file_named(const char *path);
/* The bytes that the file holds, followed by a NUL that *len (NULL is fine) does not count. NULL
 * and e ("PATH: why") when it can't be read, isn't one whole frame, or holds more than max bytes.
 * Caller frees. */
char *zstd_file_read(const char *path, size_t max, size_t *len, struct err *e);

#endif
