#include "program/undo.h"

#include <stdlib.h>
#include <string.h>

void undo_storing(struct undo *u, const struct alloc *al)
{
    u->lost |= al->bytes > u->room;
    if (u->lost)
        return;
    u->room -= al->bytes;
    u->copy = xrealloc(u->copy, (size_t)(u->copies + 1) * sizeof *u->copy);
    struct undo_copy *c = &u->copy[u->copies++];
    *c = (struct undo_copy){.base = al->base, .bytes = al->bytes, .was = xmalloc(al->bytes)};
    memcpy(c->was, al->host, al->bytes);
}

struct devmem *undo_clone(const struct undo *u, const struct devmem *m)
{
    if (u->lost || devmem_usage(m).effects)
        return NULL;
    struct devmem *before = devmem_clone(m);
    for (int i = 0; i < u->copies; i++)
        devmem_write(before, u->copy[i].base, u->copy[i].was, u->copy[i].bytes);
    return before;
}

void undo_fini(struct undo *u)
{
    for (int i = 0; i < u->copies; i++)
        free(u->copy[i].was);
    free(u->copy);
    *u = (struct undo){0};
}
