#include "program/repeat.h"

#include <stdlib.h>

#include "base/err.h"
#include "program/launch_key.h"

#define ALIKE 4    /* in a row */
#define LATER 0.25 /* of those seen */
#define LESS  0.2  /* of the instructions; or more */

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

void repeat_looked_at(struct repeat *r, int cluster, uint64_t warp_insts)
{
    r->alike = r->alike > 0 && r->like == cluster ? r->alike + 1 : 1;
    r->like = cluster;
    r->insts = warp_insts;
    r->look_at = r->seen + 1 + (uint64_t)(LATER * (double)r->seen);
}

void repeat_executed(struct repeat *r, uint64_t warp_insts)
{
    const double before = (double)r->insts, now = (double)warp_insts;
    if (now < (1 - LESS) * before || (1 - LESS) * now > before)
        r->alike = 0;
}

bool repeat_wants_look(const struct repeat *r, bool one_degree)
{
    if (r->missed || r->alike == 0)
        return true;
    return !one_degree && (r->alike < ALIKE || r->seen >= r->look_at);
}
