#include "sim/ptx/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#define CHUNK_BYTES 65536
#define ARENA_ALIGN 16

struct arena_chunk {
    struct arena_chunk *next;
    size_t bytes;
    _Alignas(ARENA_ALIGN) unsigned char data[];
};

void *arena_alloc(struct arena *a, size_t bytes)
{
    bytes = (bytes + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (!a->chunk || a->chunk->bytes - a->used < bytes) {
        const size_t n = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        struct arena_chunk *c = xcalloc(1, sizeof *c + n);
        c->bytes = n;
        c->next = a->chunk;
        a->chunk = c;
        a->used = 0;
    }
    void *p = a->chunk->data + a->used;
    a->used += bytes;
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    char *p = arena_alloc(a, len + 1);
    memcpy(p, s, len);
    return p;
}

void arena_free(struct arena *a)
{
    while (a->chunk) {
        struct arena_chunk *next = a->chunk->next;
        free(a->chunk);
        a->chunk = next;
    }
    a->used = 0;
}
