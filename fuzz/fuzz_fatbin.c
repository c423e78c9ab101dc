/* Fat binaries and the linker: a container's entries may say anything; what is unpacked is text,
 * and any texts are either linked or refused. */
#include "sim/frontend/fatbin.h"
#include "sim/ptx/link.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The data as the entries of a container, whose own header is right. */
static char *unpack(const uint8_t *data, size_t size)
{
    struct {
        uint32_t magic;
        uint16_t version, bytes;
        uint64_t size;
    } head = {FATBIN_MAGIC, 1, 16, size};
    struct fatbin_ptx ptx;
    struct err e;
    uint8_t *image = xmalloc(sizeof head + size);
    memcpy(image, &head, sizeof head);
    memcpy(image + sizeof head, data, size);
    bool ok = fatbin_read(image, &ptx, &e);
    free(image);
    return ok ? ptx.text : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e;
    char *packed = unpack(data, size), *plain = xmalloc(size + 1);
    memcpy(plain, data, size);
    plain[size] = '\0';
    const char *text[] = {plain, packed ? packed : plain};
    free(ptx_link(text, 2, &e));
    free(packed);
    free(plain);
    return 0;
}
