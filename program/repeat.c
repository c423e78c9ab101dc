#include "program/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fnv.h"
#include "program/args.h"

struct key {
    int kernel, grid[3];
    uint32_t bytes;  /* of params */
    uint8_t *params; /* pointers replaced; owned */
};

struct entry {
    struct key key;
    uint64_t hash;
    struct repeat r;
};

struct repeats {
    struct entry *v; /* open addressing; hash 0: free */
    size_t n, cap;   /* cap: a power of two */
};

struct repeats *repeats_new(void)
{
    struct repeats *r = xcalloc(1, sizeof *r);
    r->cap = 256;
    r->v = xcalloc(r->cap, sizeof *r->v);
    return r;
}

void repeats_free(struct repeats *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->cap; i++)
        free(r->v[i].key.params);
    free(r->v);
    free(r);
}

static void make_key(struct key *k, const struct launch *l, int kernel)
{
    *k = (struct key){.kernel = kernel, .bytes = l->kernel->param_bytes};
    memcpy(k->grid, l->grid, sizeof k->grid);
    k->params = args_read(l);
    for (uint32_t off = 0; off + 8 <= k->bytes; off += 8) {
        static const uint64_t pointer = UINT64_MAX;
        uint64_t word;
        memcpy(&word, k->params + off, sizeof word);
        if (word >= GLOBALS_BASE && devmem_find(l->mem, word, 1))
            memcpy(k->params + off, &pointer, sizeof pointer);
    }
}

static uint64_t hash_of(const struct key *k)
{
    uint64_t h = fnv(FNV_NONE, &k->kernel, sizeof k->kernel);
    h = fnv(fnv(h, k->grid, sizeof k->grid), k->params, k->bytes);
    return h ? h : 1;
}

static bool equal(const struct key *a, const struct key *b)
{
    return a->kernel == b->kernel && a->bytes == b->bytes &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->params, b->params, a->bytes) == 0;
}

static struct entry *slot(struct repeats *r, const struct key *k, uint64_t hash)
{
    size_t i = hash & (r->cap - 1);
    while (r->v[i].hash && (r->v[i].hash != hash || !equal(&r->v[i].key, k)))
        i = (i + 1) & (r->cap - 1);
    return &r->v[i];
}

static void grow(struct repeats *r)
{
    struct entry *old = r->v;
    size_t n = r->cap;
    r->cap *= 2;
    r->v = xcalloc(r->cap, sizeof *r->v);
    for (size_t i = 0; i < n; i++)
        if (old[i].hash)
            *slot(r, &old[i].key, old[i].hash) = old[i];
    free(old);
}

struct repeat *repeats_find(struct repeats *r, const struct launch *l, int kernel)
{
    struct key k;
    make_key(&k, l, kernel);
    if (2 * (r->n + 1) > r->cap)
        grow(r);
    uint64_t hash = hash_of(&k);
    struct entry *e = slot(r, &k, hash);
    if (e->hash) {
        free(k.params);
        return &e->r;
    }
    *e = (struct entry){.key = k, .hash = hash};
    e->r.first = l->sequence;
    r->n++;
    return &e->r;
}
