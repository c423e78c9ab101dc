#include "base/pack.h"

#include <stdlib.h>
#include <zstd.h>

#include "base/err.h"

uint8_t *pack(const uint8_t *data, size_t bytes, size_t *len)
{
    const size_t room = ZSTD_compressBound(bytes);
    uint8_t *out = xmalloc(room);
    ZSTD_CCtx *z = ZSTD_createCCtx();
    BUG_ON(!z || ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)), "no zstd");
    *len = ZSTD_compress2(z, out, room, data, bytes);
    BUG_ON(ZSTD_isError(*len), "zstd: %s", ZSTD_getErrorName(*len));
    ZSTD_freeCCtx(z);
    return out;
}

bool unpack(const uint8_t *packed, size_t len, uint8_t *out, size_t bytes)
{
    return ZSTD_decompress(out, bytes, packed, len) == bytes;
}
