#include "sim/frontend/fatbin.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "sim/frontend/host_region.h"

#define MAX_PTX       (256u << 20)
#define MAX_CONTAINER (1ull << 32)

struct header {
    uint32_t magic;
    uint16_t version, bytes;
    uint64_t size; /* of all entries */
};

enum { KIND_PTX = 1, KIND_ELF = 2 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };

struct entry { /* as it lies in the container */
    uint16_t kind, one;
    uint32_t header_bytes;
    uint64_t payload; /* padded */
    uint32_t compressed, options;
    uint16_t minor, major;
    uint32_t sm, name, name_bytes;
    uint64_t flags, unknown, raw;
};
_Static_assert(sizeof(struct entry) == 64, "an entry's fixed part");

bool fatbin_is(const void *image)
{
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    return magic == FATBIN_MAGIC;
}

/* Calls fn for each entry until it returns false. */
static void each(const void *container,
                 bool (*fn)(void *user, const struct entry *, const uint8_t *), void *user)
{
    struct header h;
    struct entry en;
    memcpy(&h, container, sizeof h);
    if (h.magic != FATBIN_MAGIC || h.size > MAX_CONTAINER ||
        !host_may_use(container, h.bytes + h.size, false))
        return; /* what says so is broken */
    const uint8_t *base = (const uint8_t *)container + h.bytes;
    for (uint64_t at = 0; at + sizeof en <= h.size;) {
        memcpy(&en, base + at, sizeof en);
        if (en.header_bytes < sizeof en || en.header_bytes > h.size - at ||
            en.payload > h.size - at - en.header_bytes)
            return;
        if (!fn(user, &en, base + at + en.header_bytes))
            return;
        at += en.header_bytes + en.payload;
    }
}

struct best {
    unsigned below; /* only PTX of GPUs below this */
    bool found;
    struct entry en;
    const uint8_t *payload;
    unsigned machine;
};

static bool consider(void *user, const struct entry *en, const uint8_t *payload)
{
    struct best *b = user;
    if (en->kind == KIND_ELF && en->sm > b->machine)
        b->machine = en->sm;
    if (en->kind == KIND_PTX && en->sm < b->below && (!b->found || en->sm > b->en.sm)) {
        b->found = true;
        b->en = *en;
        b->payload = payload;
    }
    return true;
}

unsigned fatbin_best_sm(const void *container, unsigned *machine)
{
    struct best b = {.below = UINT32_MAX};
    each(container, consider, &b);
    if (machine)
        *machine = b.machine;
    return b.found ? b.en.sm : 0;
}

static char *unpack(const struct entry *en, const uint8_t *payload)
{
    uint64_t packed = en->compressed ? en->compressed : en->payload;
    uint64_t bytes = en->compressed ? en->raw : en->payload;
    if (packed > en->payload || bytes > MAX_PTX)
        return NULL;
    char *text = xmalloc(bytes + 1);
    bool ok = true;
    if (!en->compressed)
        memcpy(text, payload, bytes);
    else if (en->flags & FLAG_ZSTD)
        ok = ZSTD_decompress(text, bytes, payload, packed) == bytes;
    else if (en->flags & FLAG_LZ4)
        ok =
            LZ4_decompress_safe((const char *)payload, text, (int)packed, (int)bytes) == (int)bytes;
    else
        ok = false;
    if (ok) {
        text[bytes] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

bool fatbin_read(const void *container, struct fatbin_ptx *out, struct err *e)
{
    struct best b = {.below = UINT32_MAX};
    for (each(container, consider, &b); b.found; each(container, consider, &b)) {
        out->text = unpack(&b.en, b.payload);
        out->sm = b.en.sm;
        if (out->text)
            return true;
        b = (struct best){.below = b.en.sm};
    }
    return err_set(e,
                   "the program holds no PTX%s; rebuild it with PTX in it:\n"
                   "    nvcc -cudart shared -gencode arch=compute_75,code=compute_75 ...",
                   b.machine ? ", only machine code" : "");
}
