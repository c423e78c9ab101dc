/* base/file.h -- whole files in and out. */
#ifndef MDP_BASE_FILE_H
#define MDP_BASE_FILE_H

#include "base/err.h"

/* Nothing is written over a file that was read. The file's bytes followed by a NUL that *len (NULL
 * is fine) does not count. NULL and e ("PATH: why") when it can't be read, is a directory, or holds
 * more than max bytes. Caller frees. */
char *file_read(const char *path, size_t max, size_t *len, struct err *e);
/* Whole or not at all, as base/out_path.h says; "-" is standard output. On failure errno tells why,
 * too. */
bool file_write(const char *path, const void *data, size_t len, struct err *e);
/* "DIR/rel" where DIR is the folder of the file `from`; rel itself when it is absolute. Caller
 * frees. */
char *file_beside(const char *from, const char *rel);

#endif
