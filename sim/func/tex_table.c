#include "sim/func/tex_table.h"

#include <stdlib.h>

#include "base/err.h"

struct entry {
    enum tex_kind kind;
    struct texture what;
};
struct textures {
    struct entry **v; /* owned; NULL: removed */
    uint64_t n, cap, changes;
};

struct textures *textures_new(void)
{
    return xcalloc(1, sizeof(struct textures));
}

struct textures *textures_copy(const struct textures *t)
{
    if (!t)
        return NULL;
    struct textures *c = textures_new();
    *c = (struct textures){.n = t->n, .cap = t->n, .changes = t->changes};
    c->v = xcalloc(t->n + 1, sizeof *c->v);
    for (uint64_t i = 0; i < t->n; i++)
        if (t->v[i]) {
            c->v[i] = xmalloc(sizeof *c->v[i]);
            *c->v[i] = *t->v[i];
        }
    return c;
}

void textures_free(struct textures *t)
{
    if (!t)
        return;
    for (uint64_t i = 0; i < t->n; i++)
        free(t->v[i]);
    free(t->v);
    free(t);
}

uint64_t textures_add(struct textures *t, enum tex_kind kind, const struct texture *what)
{
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 16;
        t->v = xrealloc(t->v, t->cap * sizeof *t->v);
    }
    struct entry *x = xcalloc(1, sizeof *x);
    *x = (struct entry){.kind = kind, .what = *what};
    t->v[t->n] = x;
    t->changes++;
    return TEX_HANDLE_BASE + t->n++;
}

static struct entry *entry_at(const struct textures *t, uint64_t handle)
{
    const uint64_t i = handle - TEX_HANDLE_BASE;
    return t && i < t->n ? t->v[i] : NULL;
}

bool textures_set(struct textures *t, uint64_t handle, const struct texture *what)
{
    struct entry *x = entry_at(t, handle);
    if (x)
        x->what = *what;
    t->changes++;
    return x != NULL;
}

bool textures_remove(struct textures *t, enum tex_kind kind, uint64_t handle)
{
    struct entry *x = entry_at(t, handle);
    if (!x || x->kind != kind)
        return false;
    t->v[handle - TEX_HANDLE_BASE] = NULL;
    t->changes++;
    free(x);
    return true;
}

uint64_t textures_changes(const struct textures *t)
{
    return t ? t->changes : 0;
}

const struct texture *textures_find(const struct textures *t, enum tex_kind kind, uint64_t handle)
{
    const struct entry *x = entry_at(t, handle);
    return x && x->kind == kind ? &x->what : NULL;
}
