#include "base/zstd_file.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

bool zstd_file_named(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".zst") == 0;
}

/* The frame's own word is not trusted with memory: only as much as it may hold is asked for. */
static char *unpacked(const char *path, const char *packed, size_t packed_len, size_t max,
                      size_t *len, struct err *e)
{
    const unsigned long long bytes = ZSTD_getFrameContentSize(packed, packed_len);
    if (bytes == ZSTD_CONTENTSIZE_ERROR || bytes == ZSTD_CONTENTSIZE_UNKNOWN) {
        err_set(e, "%s: not a zstd file that states its size", path);
        return NULL;
    }
    if (bytes > max) {
        err_set(e, "%s: larger than %zu bytes", path, max);
        return NULL;
    }
    char *text = xmalloc((size_t)bytes + 1);
    const size_t got = ZSTD_decompress(text, (size_t)bytes, packed, packed_len);
    if (got != bytes) {
        err_set(e, "%s: %s", path,
                ZSTD_isError(got) ? ZSTD_getErrorName(got) : "shorter than it says");
        free(text);
        return NULL;
    }
    text[bytes] = '\0';
    if (len)
        *len = (size_t)bytes;
    return text;
}

char *zstd_file_read(const char *path, size_t max, size_t *len, struct err *e)
{
    size_t n;
    char *packed = file_read(path, ZSTD_compressBound(max), &n, e);
    char *text = packed ? unpacked(path, packed, n, max, len, e) : NULL;
    free(packed);
    return text;
}
