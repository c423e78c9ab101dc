#include "program/contents.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 256

struct contents {
    struct content *bucket[BUCKETS];
    uint64_t bytes;
};

struct contents *contents_new(void)
{
    return xcalloc(1, sizeof(struct contents));
}

void contents_free(struct contents *c)
{
    for (int i = 0; c && i < BUCKETS; i++)
        while (c->bucket[i]) {
            struct content *x = c->bucket[i];
            x->users = 1;
            contents_drop(c, x);
        }
    free(c);
}

uint64_t contents_bytes(const struct contents *c)
{
    return c->bytes;
}

struct content *contents_take(struct contents *c, const struct alloc *al)
{
    struct content **at = &c->bucket[al->changed % BUCKETS], *x = *at;
    while (x && x->name != al->changed)
        x = x->next;
    if (!x) {
        x = xmalloc(sizeof *x);
        *x = (struct content){
            .name = al->changed, .bytes = al->bytes, .copy = xmalloc(al->bytes), .next = *at};
        memcpy(x->copy, al->host, al->bytes);
        *at = x;
        c->bytes += al->bytes;
    }
    x->users++;
    return x;
}

void contents_drop(struct contents *c, struct content *x)
{
    if (!x || --x->users > 0)
        return;
    struct content **at = &c->bucket[x->name % BUCKETS];
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    c->bytes -= x->bytes;
    free(x->copy);
    free(x);
}

bool content_is(const struct content *x, const struct alloc *al)
{
    return x && x->bytes == al->bytes && memcmp(x->copy, al->host, al->bytes) == 0;
}
