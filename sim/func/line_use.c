#include "sim/func/line_use.h"

#include <stdlib.h>

#include "base/err.h"

struct line_use *line_use_new(addr_t base, uint64_t bytes, int line_log2)
{
    const addr_t first = base >> line_log2, last = (base + bytes - 1) >> line_log2;
    struct line_use *u = xcalloc(1, sizeof *u + (size_t)(last - first + 1) * sizeof *u->line);
    u->owners = 1;
    u->line_log2 = line_log2;
    u->first = first;
    return u;
}

struct line_use *line_use_share(struct line_use *u)
{
    if (u)
        __atomic_add_fetch(&u->owners, 1, __ATOMIC_RELAXED);
    return u;
}

void line_use_free(struct line_use *u)
{
    if (u && __atomic_sub_fetch(&u->owners, 1, __ATOMIC_ACQ_REL) == 0)
        free(u);
}

static uint32_t until(const struct lately *l, uint32_t launch)
{
    return l->last <= launch ? l->last : l->before <= launch ? l->before : launch;
}

uint32_t line_use_until(const struct line_use *u, uint64_t i, uint32_t launch)
{
    const uint32_t all = until(&u->all, launch), one = until(&u->line[i], launch);
    return one > all ? one : all;
}
