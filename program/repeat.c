#include "program/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "program/launch_key.h"

#define EXPECTED 4    /* looks in a row */
#define LATER    0.25 /* of those seen, in the mean */
#define LESS     0.2  /* of the instructions; or more */

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

static bool alike(uint64_t a, uint64_t b)
{
    const double low = (double)(a < b ? a : b), high = (double)(a < b ? b : a);
    return low >= (1 - LESS) * high;
}

/* Of those with such instructions the one that was looked at last; NULL: there is none. */
static const struct repeat_kind *kind_with(const struct repeat *r, uint64_t insts)
{
    for (int i = 0; i < r->kinds; i++)
        if (alike(r->kind[i].insts, insts))
            return &r->kind[i];
    return NULL;
}

/* In front; what was there of its cluster goes, or the oldest. */
static void put_kind(struct repeat *r, struct repeat_kind k)
{
    int i = 0;
    while (i < r->kinds && r->kind[i].cluster != k.cluster)
        i++;
    if (i == r->kinds && r->kinds < REPEAT_KINDS)
        r->kinds++;
    else if (i == r->kinds)
        i--;
    memmove(r->kind + 1, r->kind, (size_t)i * sizeof *r->kind);
    r->kind[0] = k;
}

/* By chance, so that what comes at even distances is met: the same for each program. */
static uint64_t later(uint64_t seen)
{
    struct rng r = rng_seed(seen);
    return rng_below(&r, 1 + (uint64_t)(2 * LATER * (double)seen));
}

void repeat_looked_at(struct repeat *r, int cluster, uint64_t warp_insts)
{
    const struct repeat_kind *k = kind_with(r, warp_insts);
    r->as_expected = k && k->cluster == cluster ? r->as_expected + 1 : 1;
    put_kind(r, (struct repeat_kind){cluster, warp_insts});
    r->look_at = r->seen + 1 + later(r->seen);
    if (alike(r->sought, warp_insts))
        r->sought = 0;
}

int repeat_executed(struct repeat *r, uint64_t warp_insts, bool one_degree)
{
    const struct repeat_kind *k = kind_with(r, warp_insts);
    r->guessed = true;
    if (k)
        return k->cluster;
    if (one_degree)
        return r->kind[0].cluster;
    r->sought = warp_insts;
    r->sought_until = 2 * r->seen;
    return -1;
}

bool repeat_wants_look(const struct repeat *r, bool one_degree)
{
    if (r->missed || r->kinds == 0)
        return true;
    const bool seeks = r->sought && r->seen <= r->sought_until;
    return !one_degree && (seeks || r->as_expected < EXPECTED || r->seen >= r->look_at);
}
