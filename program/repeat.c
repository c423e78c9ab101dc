#include "program/repeat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "program/launch_key.h"

struct entry {
    struct launch_key key;
    struct repeat r;
};

struct repeats {
    const struct sampling *by; /* borrowed */
    struct entry **v;          /* owned; open addressing */
    size_t n, cap;             /* cap: a power of two */
};

struct repeats *repeats_new(const struct sampling *by)
{
    struct repeats *r = xcalloc(1, sizeof *r);
    r->by = by;
    r->cap = 256;
    r->v = xcalloc(r->cap, sizeof(struct entry *));
    return r;
}

void repeats_free(struct repeats *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->cap; i++) {
        if (!r->v[i])
            continue;
        launch_key_fini(&r->v[i]->key);
        free(r->v[i]->r.look);
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
    (*e)->r.by = r->by;
    r->n++;
    return &(*e)->r;
}

static const struct sampling *rules(const struct repeat *r)
{
    return sampling_or_default(r->by);
}

/* Of the first `among` looks those with such instructions, at most repeat.recent; the number. */
static int looks_with(const struct repeat *r, int among, const struct launch_size *size,
                      const struct repeat_look *v[REPEAT_LOOKS])
{
    int n = 0;
    for (int i = 0; i < r->looks && i < among && n < rules(r)->repeat.recent; i++)
        if (launch_size_same(&r->look[i].size, size))
            v[n++] = &r->look[i];
    return n;
}

static bool seen_lately(const struct repeat *r, const struct repeat_look *look)
{
    const struct repeat_look *v[REPEAT_LOOKS];
    for (int n = looks_with(r, r->looks, &look->size, v); n > 0; n--)
        if (v[n - 1]->cluster == look->cluster)
            return true;
    return false;
}

/* The oldest one whose cluster has a later one, or the oldest. */
static int least_needed(const struct repeat *r)
{
    for (int i = r->looks - 1; i > 0; i--)
        for (int k = 0; k < i; k++)
            if (r->look[k].cluster == r->look[i].cluster)
                return i;
    return r->looks - 1;
}

static void put_look(struct repeat *r, const struct repeat_look *look)
{
    if (r->looks == r->room && r->room < REPEAT_LOOKS) {
        r->room = r->room ? 2 * r->room : 1;
        r->look = xrealloc(r->look, (size_t)r->room * sizeof *r->look);
    }
    const int end = r->looks < r->room ? r->looks++ : least_needed(r);
    memmove(r->look + 1, r->look, (size_t)end * sizeof *r->look);
    r->look[0] = *look;
}

/* By chance, so that what comes at even distances is met: the same for each program. */
static uint64_t later(const struct repeat *r)
{
    struct rng draw = rng_seed(r->seen);
    return rng_below(&draw, 1 + (uint64_t)(2 * rules(r)->repeat.later * (double)r->seen));
}

static bool unlike_one(const struct repeat *r, const struct repeat_look *look)
{
    for (int i = 0; i < r->looks; i++)
        if (launch_size_same(&r->look[i].size, &look->size) &&
            !memory_use_similar(&r->look[i].few, &look->few, &rules(r)->similarity))
            return true;
    return false;
}

static void saw(struct repeat *r, const struct repeat_look *look)
{
    r->mixed |= unlike_one(r, look);
    r->as_expected = seen_lately(r, look) ? r->as_expected + 1 : 1;
    r->in_doubt = r->as_expected < rules(r)->repeat.expected ? r->in_doubt + 1 : 0;
    put_look(r, look);
    r->look_at = r->seen + 1 + later(r);
}

void repeat_looked_at(struct repeat *r, int cluster, const struct launch_size *size,
                      const struct memory_use *few)
{
    saw(r, &(struct repeat_look){cluster, *size, *few});
    r->unlike = r->unlike && r->as_expected > 1 ? r->unlike - 1 : 0;
    if (launch_size_same(&r->sought, size))
        r->seeks = false;
}

int repeat_glanced_at(struct repeat *r, const struct launch_size *size,
                      const struct memory_use *few)
{
    const struct similarity_params *by = &rules(r)->similarity;
    const struct repeat_look *most = NULL;
    double least = INFINITY;
    for (int i = 0; i < r->looks; i++) {
        const double far = memory_use_difference(&r->look[i].few, few, by);
        if (!launch_size_same(&r->look[i].size, size) ||
            !memory_use_similar(&r->look[i].few, few, by) || far >= least)
            continue;
        most = &r->look[i];
        least = far;
    }
    if (!most)
        return -1;
    const int cluster = most->cluster;
    saw(r, &(struct repeat_look){cluster, *size, *few});
    return cluster;
}

void repeat_missed(struct repeat *r)
{
    r->guessed = true;
    r->unlike = rules(r)->repeat.expected;
}

/* Where they differ, one of them by chance. */
static int cluster_with(const struct repeat *r, const struct launch_size *size)
{
    const struct repeat_look *v[REPEAT_LOOKS];
    struct rng by = rng_seed(r->seen);
    const int lately = looks_with(r, r->as_expected, size, v);
    if (lately > 0)
        return v[rng_below(&by, (uint64_t)lately)]->cluster;
    return looks_with(r, r->looks, size, v) > 0 ? v[0]->cluster : -1;
}

int repeat_executed(struct repeat *r, const struct launch_size *size, bool one_degree)
{
    const int cluster = cluster_with(r, size);
    r->guessed = true;
    if (cluster >= 0)
        return cluster;
    if (one_degree)
        return r->look[0].cluster;
    r->seeks = true;
    r->sought = *size;
    r->sought_until = 2 * r->seen;
    return -1;
}

enum repeat_wants repeat_wants(const struct repeat *r, bool one_degree)
{
    if (r->missed || r->looks == 0)
        return REPEAT_LOOK;
    if (one_degree)
        return REPEAT_UNSEEN;
    if (r->unlike)
        return REPEAT_LOOK;
    const struct repeat_params *by = &rules(r)->repeat;
    const bool learns = r->as_expected < by->expected && r->in_doubt < by->in_doubt;
    const bool seeks = r->seeks && r->seen <= r->sought_until;
    return learns || seeks || r->seen >= r->look_at ? REPEAT_GLANCE : REPEAT_UNSEEN;
}
