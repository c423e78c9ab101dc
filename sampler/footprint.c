#include "sampler/footprint.h"

#include <stdlib.h>

static void add(struct footprint *f, addr_t line)
{
    if (f->n == f->cap) {
        f->cap = f->cap ? 2 * f->cap : 1024;
        f->line = xrealloc(f->line, f->cap * sizeof *f->line);
    }
    f->line[f->n++] = line;
}

void footprint_step(struct footprint *f, const struct step *s)
{
    const struct inst *in = s->inst;
    if (!s->is_load || s->is_atomic || s->space != SP_GLOBAL || in->cache == CACHE_CG ||
        in->flags & INST_VOLATILE)
        return;
    size_t first = f->n; /* requests of this instruction: a line once, however many lanes want it */
    for (lanes_t m = s->active; m; m &= m - 1) {
        addr_t line = s->addr[__builtin_ctz(m)] / f->line_bytes;
        size_t i = f->n;
        while (i > first && f->line[i - 1] != line)
            i--;
        if (i == first)
            add(f, line);
    }
}

static int by_address(const void *a, const void *b)
{
    addr_t x = *(const addr_t *)a, y = *(const addr_t *)b;
    return (x > y) - (x < y);
}

void footprint_count(struct footprint *f, uint64_t *distinct, uint64_t *reused)
{
    *distinct = *reused = 0;
    if (f->n)
        qsort(f->line, f->n, sizeof *f->line, by_address);
    for (size_t i = 0, end; i < f->n; i = end) {
        for (end = i + 1; end < f->n && f->line[end] == f->line[i];)
            end++;
        ++*distinct;
        *reused += end - i > 1;
    }
}

void footprint_fini(struct footprint *f)
{
    free(f->line);
    *f = (struct footprint){0};
}
