/* memory_use.c -- what launches read and wrote, and copies of a memory. */
#include <stdlib.h>
#include <string.h>

#include "sim/func/memory_int.h"

/* A launch begins to use it. Of very large ones nobody knows which lines are used: what is kept of
 * each would be much, and a cache has room for few. */
static void follow(const struct devmem *m, struct alloc *al)
{
    if (al->bytes / (uint64_t)m->line > DEVMEM_MOST_LINES)
        return;
    if (!al->lines)
        al->lines = line_use_new(al->base + al->moved, al->bytes, __builtin_ctz((unsigned)m->line));
    al->lines->now = (uint32_t)m->usages + 1;
    al->follows = true;
}

void devmem_follow_lines(struct devmem *m, int line)
{
    m->line = line;
    m->follows = true;
}

void devmem_use_all(struct devmem *m, const struct alloc *al, uint8_t use)
{
    devmem_use(m, al, use);
    if (al->follows)
        line_use_now(&al->lines->all, al->lines->now);
}

uint32_t *devmem_lines_used(const struct devmem *m, const struct alloc *al, uint64_t *lines)
{
    const addr_t base = al->base + al->moved, line = (addr_t)m->line;
    if (!line || al->bytes / line > DEVMEM_MOST_LINES)
        return NULL;
    *lines = (base + al->bytes - 1) / line - base / line + 1;
    uint32_t *used = xcalloc(*lines, sizeof *used);
    for (uint64_t i = 0; i < *lines; i++)
        used[i] = al->lines ? line_use_until(al->lines, i, (uint32_t)al->last_used)
                            : (uint32_t)al->last_used;
    return used;
}

void devmem_note(struct devmem *m, const struct alloc *seen, uint8_t use)
{
    struct alloc *al = devmem_lookup(m, seen->base, seen->bytes);
    if (!al->use) {
        if (m->n_used == m->cap_used) {
            m->cap_used = m->cap_used ? 2 * m->cap_used : 16;
            m->used = xrealloc(m->used, (size_t)m->cap_used * sizeof *m->used);
        }
        m->used[m->n_used++] = al;
    }
    if (m->follows && !al->use)
        follow(m, al);
    if (m->before && (use & ~al->use & ALLOC_WRITTEN))
        m->before(m->before_user, al);
    if (al->shared && (use & ALLOC_WRITTEN))
        devmem_own_bytes(al);
    al->use |= use;
}

void devmem_note_effect(struct devmem *m)
{
    m->effects = true;
}

void devmem_watch(struct devmem *m, devmem_watcher *before, void *user)
{
    m->before = before;
    m->before_user = user;
}

struct usage devmem_usage(const struct devmem *m)
{
    return (struct usage){(const struct alloc *const *)m->used, m->n_used, m->effects};
}

void devmem_usage_end(struct devmem *m)
{
    m->usages++;
    for (int i = 0; i < m->n_used; i++) {
        if (m->used[i]->use & ALLOC_WRITTEN)
            m->used[i]->changed = ++m->clock;
        m->used[i]->use = 0;
        m->used[i]->last_used = m->usages;
    }
    m->n_used = 0;
    m->effects = false;
}

int devmem_recent(const struct devmem *m, const struct alloc **out, int most)
{
    int n = 0;
    for (int i = 0; i < m->n; i++) {
        if (!m->v[i]->last_used)
            continue;
        int at = n < most ? n++ : n;
        for (; at > 0 && out[at - 1]->last_used < m->v[i]->last_used; at--)
            if (at < most)
                out[at] = out[at - 1];
        if (at < most)
            out[at] = m->v[i];
    }
    return n;
}

void devmem_becomes(struct devmem *m, addr_t base, uint64_t changed, const uint8_t *bytes)
{
    struct alloc *al = devmem_lookup(m, base, 1);
    if (bytes && al->shared)
        devmem_own_bytes(al);
    if (bytes)
        memcpy(al->host, bytes, al->bytes);
    al->changed = changed;
}

uint64_t devmem_epoch(const struct devmem *m)
{
    return m->epoch;
}

void devmem_new_epoch(struct devmem *m)
{
    m->epoch++;
}

/* -- copies */

struct devmem *devmem_share(const struct devmem *m)
{
    struct devmem *c = devmem_new();
    c->cap = c->n = m->n;
    c->v = xcalloc((size_t)m->n + 1, sizeof *c->v);
    c->holes = m->holes;
    c->serial = m->serial;
    c->heap_used = m->heap_used;
    c->device = m->device;
    c->devices = m->devices;
    c->hidden = m->hidden;
    c->usages = m->usages;
    c->line = m->line;
    c->clock = m->clock; /* new contents get names that m has not given */
    for (int i = 0; i < m->n; i++) {
        struct alloc *al = c->v[i] = xmalloc(sizeof *al);
        *al = *m->v[i];
        al->use = 0;
        al->lines = line_use_share(al->lines);
        al->follows = false;
        al->name = xstrdup(al->name);
        al->borrowed = false;
        al->shared = true;
    }
    return c;
}

struct devmem *devmem_clone(const struct devmem *m)
{
    struct devmem *c = devmem_share(m);
    for (int i = 0; i < c->n; i++)
        devmem_own_bytes(c->v[i]);
    return c;
}

static bool is_kept(const struct alloc *al, const struct usage *used)
{
    bool is = !used || !al->mapped;
    for (int i = 0; used && i < used->n; i++)
        is |= used->v[i]->base == al->base;
    return is;
}

void devmem_keep_only(struct devmem *clone, const struct usage *used)
{
    for (int i = 0; i < clone->n; i++)
        if (!is_kept(clone->v[i], used))
            devmem_empty(clone->v[i]);
}

uint64_t devmem_kept_bytes(const struct devmem *clone, const struct usage *used)
{
    uint64_t sum = 0;
    for (int i = 0; i < clone->n; i++)
        sum += is_kept(clone->v[i], used) ? clone->v[i]->bytes : 0;
    return sum;
}
