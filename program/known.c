#include "program/known.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fnv.h"
#include "program/contents.h"
#include "program/launch_key.h"
#include "sim/func/tex_table.h"

#define KEPT   256            /* the oldest makes room */
#define HABITS (1 << 16)      /* then all are forgotten */
#define ROOM   (256ull << 20) /* bytes of all copies */
#define BYTES_PER_INST                                                                    \
    64             /* of copies for a warp instruction that may be saved: a few ns for 30 \
                    */
#define PATIENCE 4 /* times that copies are kept in vain; then at every power of two */

struct part { /* of the memory that a launch used */
    addr_t base;
    uint64_t bytes;
    uint8_t use;
    uint64_t before, after;   /* alloc.changed */
    struct content *was, *is; /* copies; NULL: none was kept */
};

struct entry {
    struct launch_key key;    /* owned */
    const struct devmem *mem; /* these two: borrowed, compared and not used */
    const struct textures *textures;
    uint64_t texture_changes, epoch; /* of texture objects so far; of memory */
    struct part *part;               /* owned; NULL: free */
    int n;
    struct known_launch is;
};

struct habit { /* of the launches of one hash; 0: free */
    uint64_t hash, runs, vain, warp_insts;
};

struct habits {      /* open addressing: whether two meet in a place changes nothing */
    struct habit *v; /* owned */
    size_t n, cap;   /* cap: a power of two */
};

struct known {
    struct entry entry[KEPT];
    unsigned next;
    struct habits habits;
    struct contents *contents;
    /* of the running launch: */
    bool keeps;
    uint64_t room;        /* bytes of copies that are left to it */
    struct content **was; /* what it has written to since, owned */
    int n_was;
};

struct known *known_new(void)
{
    struct known *k = xcalloc(1, sizeof *k);
    k->contents = contents_new();
    return k;
}

static void free_parts(struct known *k, struct part *p, int n)
{
    for (int i = 0; i < n; i++) {
        contents_drop(k->contents, p[i].was);
        contents_drop(k->contents, p[i].is);
    }
    free(p);
}

static void forget(struct known *k, struct entry *e)
{
    launch_key_fini(&e->key);
    free_parts(k, e->part, e->n);
    *e = (struct entry){0};
}

static void end_run(struct known *k)
{
    for (int i = 0; i < k->n_was; i++)
        contents_drop(k->contents, k->was[i]);
    free(k->was);
    k->was = NULL;
    k->n_was = 0;
    k->keeps = false;
    k->room = 0;
}

void known_forget(struct known *k)
{
    for (int i = 0; i < KEPT; i++)
        forget(k, &k->entry[i]);
    end_run(k);
    free(k->habits.v);
    k->habits = (struct habits){0};
}

void known_free(struct known *k)
{
    if (!k)
        return;
    known_forget(k);
    contents_free(k->contents);
    free(k);
}

/* -- which launch it is */

struct query {
    const struct launch *l;
    struct launch_key key; /* owned */
};

static struct query query(const struct launch *l)
{
    return (struct query){l, launch_key_of(l, l->kernel->id, POINTERS_COUNT)};
}

static bool same(const struct entry *e, const struct query *q)
{
    const struct launch *l = q->l;
    return launch_key_same(&e->key, &q->key) && e->mem == l->mem && e->textures == l->textures &&
           e->texture_changes == textures_changes(l->textures) && e->epoch == devmem_epoch(l->mem);
}

/* The next entry of that launch from i on; KEPT: none. */
static int next_of(const struct known *k, const struct query *q, int i)
{
    while (i < KEPT && (!k->entry[i].part || !same(&k->entry[i], q)))
        i++;
    return i;
}

static struct habit *habit_at(const struct habits *h, uint64_t hash)
{
    size_t i = hash & (h->cap - 1);
    while (h->v[i].hash && h->v[i].hash != hash)
        i = (i + 1) & (h->cap - 1);
    return &h->v[i];
}

static void make_room(struct habits *h)
{
    if (2 * (h->n + 1) <= h->cap)
        return;
    const struct habits old = *h;
    const bool all = old.n < HABITS;
    h->cap = old.cap && all ? 2 * old.cap : 256;
    h->v = xcalloc(h->cap, sizeof *h->v);
    for (size_t i = 0; i < old.cap && all; i++)
        if (old.v[i].hash)
            *habit_at(h, old.v[i].hash) = old.v[i];
    h->n = all ? old.n : 0;
    free(old.v);
}

static struct habit *habit_of(struct known *k, uint64_t hash)
{
    make_room(&k->habits);
    struct habit *h = habit_at(&k->habits, hash);
    k->habits.n += !h->hash;
    h->hash = hash;
    return h;
}

/* -- what is not executed */

/* What is found equal gets the name back that it had. */
static bool is_as_before(struct devmem *m, const struct part *p)
{
    const struct alloc *al = devmem_find(m, p->base, p->bytes);
    if (!al || al->base != p->base || al->bytes != p->bytes || al->borrowed)
        return false;
    const bool left = p->use == ALLOC_WRITTEN, can = !(p->use & ALLOC_WRITTEN) || p->is;
    if (left && (al->changed == p->after || content_is(p->is, al))) {
        devmem_becomes(m, p->base, p->after, NULL);
        return true;
    }
    if (!can || (al->changed != p->before && !content_is(p->was, al)))
        return false;
    devmem_becomes(m, p->base, p->before, NULL);
    return true;
}

static void put_results(struct devmem *m, const struct part *p)
{
    const struct alloc *al = devmem_find(m, p->base, p->bytes);
    devmem_use_all(m, al, ALLOC_READ);
    if (p->use & ALLOC_WRITTEN && al->changed != p->after)
        devmem_becomes(m, p->base, p->after, p->is->copy);
}

const struct known_launch *known_apply(struct known *k, const struct launch *l)
{
    struct query q = query(l);
    const struct known_launch *is = NULL;
    for (int i = next_of(k, &q, 0); i < KEPT && !is; i = next_of(k, &q, i + 1)) {
        const struct entry *e = &k->entry[i];
        int same = 0;
        while (same < e->n && is_as_before(l->mem, &e->part[same]))
            same++;
        if (same < e->n)
            continue;
        for (int j = 0; j < e->n; j++)
            put_results(l->mem, &e->part[j]);
        devmem_usage_end(l->mem); /* it has been in use */
        habit_of(k, q.key.hash)->vain = 0;
        is = &e->is;
    }
    launch_key_fini(&q.key);
    return is;
}

/* -- what is learned of those that are */

static bool forget_oldest(struct known *k)
{
    for (unsigned i = 0; i < KEPT; i++) {
        struct entry *e = &k->entry[(k->next + i) % KEPT];
        if (e->part) {
            forget(k, e);
            return true;
        }
    }
    return false;
}

/* A copy of what it holds; NULL: too much. */
static struct content *take(struct known *k, const struct alloc *al)
{
    if (al->borrowed || al->bytes > k->room)
        return NULL;
    while (contents_bytes(k->contents) + al->bytes > ROOM && forget_oldest(k))
        ;
    if (contents_bytes(k->contents) + al->bytes > ROOM)
        return NULL;
    k->room -= al->bytes;
    return contents_take(k->contents, al);
}

void known_storing(void *user, const struct alloc *al)
{
    struct known *k = user;
    struct content *x = k->keeps ? take(k, al) : NULL;
    if (!x)
        return;
    k->was = xrealloc(k->was, (size_t)(k->n_was + 1) * sizeof(struct content *));
    k->was[k->n_was++] = x;
}

void known_begin(struct known *k, const struct launch *l)
{
    end_run(k);
    struct query q = query(l);
    const struct habit *h = habit_of(k, q.key.hash);
    launch_key_fini(&q.key);
    k->keeps = h->runs && (h->vain < PATIENCE || !(h->runs & (h->runs - 1)));
    if (k->keeps)
        k->room = h->warp_insts < ROOM / BYTES_PER_INST ? h->warp_insts * BYTES_PER_INST : ROOM;
    devmem_watch(l->mem, k->keeps ? known_storing : NULL, k);
}

/* Copies that known_storing() made go over to the parts. */
static struct content *hand_over(struct known *k, uint64_t name)
{
    for (int i = 0; i < k->n_was; i++)
        if (k->was[i]->name == name) {
            struct content *x = k->was[i];
            k->was[i] = k->was[--k->n_was];
            return x;
        }
    return NULL;
}

/* False: executing it again may come to something else. */
static bool can_repeat(const struct usage *u)
{
    for (int i = 0; i < u->n; i++)
        if (u->v[i]->borrowed)
            return false;
    return !u->effects;
}

/* Before names change. */
static struct part *parts_of(struct known *k, const struct usage *u)
{
    struct part *p = xcalloc((size_t)u->n + 1, sizeof *p);
    for (int i = 0; i < u->n; i++) {
        const struct alloc *al = u->v[i];
        p[i] = (struct part){.base = al->base,
                             .bytes = al->bytes,
                             .use = al->use,
                             .before = al->changed,
                             .after = al->changed};
        p[i].was =
            al->use & ALLOC_WRITTEN ? hand_over(k, al->changed) : (k->keeps ? take(k, al) : NULL);
    }
    return p;
}

/* Where this launch or an earlier one like it came to the same bytes, they get that name. */
static void name_result(struct known *k, const struct query *q, struct part *p)
{
    struct devmem *mem = q->l->mem;
    const struct alloc *al = devmem_find(mem, p->base, p->bytes);
    uint64_t name = al->changed;
    if (content_is(p->was, al))
        name = p->before;
    for (int i = next_of(k, q, 0); i < KEPT && name == al->changed && k->keeps;
         i = next_of(k, q, i + 1))
        for (int j = 0; j < k->entry[i].n; j++) {
            const struct part *o = &k->entry[i].part[j];
            if (o->base == p->base && content_is(o->is, al))
                name = o->after;
        }
    devmem_becomes(mem, p->base, name, NULL);
    p->after = name;
    p->is = k->keeps ? take(k, al) : NULL;
}

/* The place of one that began alike, of one without copies, or, if none was ever met again, of any
 * like it; else the oldest's. */
static struct entry *place_for(struct known *k, const struct query *q, const struct part *p, int n)
{
    const bool any = habit_of(k, q->key.hash)->vain > PATIENCE;
    for (int i = next_of(k, q, 0); i < KEPT; i = next_of(k, q, i + 1)) {
        const struct entry *e = &k->entry[i];
        bool alike = e->n == n, copies = false;
        for (int j = 0; j < e->n; j++) {
            alike = alike && e->part[j].base == p[j].base && e->part[j].before == p[j].before;
            copies = copies || e->part[j].was || e->part[j].is;
        }
        if (any || alike || !copies)
            return &k->entry[i];
    }
    return &k->entry[k->next++ % KEPT];
}

/* What is both read and written is of use only if it can be put there. */
static bool useful(const struct part *p, int n)
{
    for (int i = 0; i < n; i++)
        if (p[i].use == (ALLOC_READ | ALLOC_WRITTEN) && !p[i].is)
            return false;
    return true;
}

/* Takes over the query's key. */
static void keep(struct known *k, struct query *q, const struct known_launch *is, struct part *p,
                 int n)
{
    for (int i = 0; i < n; i++)
        if (p[i].use & ALLOC_WRITTEN)
            name_result(k, q, &p[i]);
    if (!useful(p, n)) {
        free_parts(k, p, n);
        return;
    }
    struct entry *e = place_for(k, q, p, n);
    forget(k, e);
    *e = (struct entry){.key = q->key,
                        .mem = q->l->mem,
                        .textures = q->l->textures,
                        .texture_changes = textures_changes(q->l->textures),
                        .epoch = devmem_epoch(q->l->mem),
                        .part = p,
                        .n = n,
                        .is = *is};
    q->key.args = NULL;
}

void known_learn(struct known *k, const struct launch *l, const struct known_launch *was)
{
    devmem_watch(l->mem, NULL, NULL);
    struct query q = query(l);
    struct habit *h = habit_of(k, q.key.hash);
    h->runs++;
    h->vain += k->keeps;
    h->warp_insts = was->counts.warp_insts;
    const struct usage u = devmem_usage(l->mem);
    const int n = u.n;
    struct part *p = can_repeat(&u) ? parts_of(k, &u) : NULL;
    devmem_usage_end(l->mem);
    if (p)
        keep(k, &q, was, p, n);
    launch_key_fini(&q.key);
    end_run(k);
}
