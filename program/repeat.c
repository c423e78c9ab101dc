#include "program/repeat.h"

#include <stdlib.h>

#include "base/err.h"
#include "program/launch_key.h"

struct entry {
    struct launch_key key;
    struct repeat r;
};

struct repeats {
    struct entry **v; /* owned; open addressing */
    size_t n, cap;    /* cap: a power of two */
};

struct repeats *repeats_new(void)
{
    struct repeats *r = xcalloc(1, sizeof *r);
    r->cap = 256;
    r->v = xcalloc(r->cap, sizeof(struct entry *));
    return r;
}

void repeats_free(struct repeats *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->cap; i++) {
        if (r->v[i])
            launch_key_fini(&r->v[i]->key);
        free(r->v[i]);
    }
    free(r->v);
    free(r);
}

static struct entry **slot(struct repeats *r, const struct launch_key *k)
{
    size_t i = k->hash & (r->cap - 1);
    while (r->v[i] && !launch_key_same(&r->v[i]->key, k))
        i = (i + 1) & (r->cap - 1);
    return &r->v[i];
}

static void grow(struct repeats *r)
{
    struct entry **old = r->v;
    size_t n = r->cap;
    r->cap *= 2;
    r->v = xcalloc(r->cap, sizeof(struct entry *));
    for (size_t i = 0; i < n; i++)
        if (old[i])
            *slot(r, &old[i]->key) = old[i];
    free(old);
}

struct repeat *repeats_find(struct repeats *r, const struct launch *l, int kernel)
{
    struct launch_key k = launch_key_of(l, (uint64_t)kernel, POINTERS_DO_NOT);
    if (2 * (r->n + 1) > r->cap)
        grow(r);
    struct entry **e = slot(r, &k);
    if (*e) {
        launch_key_fini(&k);
        return &(*e)->r;
    }
    *e = xcalloc(1, sizeof **e);
    (*e)->key = k;
    r->n++;
    return &(*e)->r;
}
