/* Where kernels' code lies, and what caches hold of it before a replay. */
#include "sampler/replay_core.h"

#include "base/err.h"

addr_t replay_code_of(struct replay *r, const struct kernel *k)
{
    addr_t first = SM_CODE_BASE;
    for (int i = 0; i < r->bases; i++) {
        if (r->base[i].kernel == k)
            return r->base[i].first;
        first = r->base[i].first + r->base[i].kernel->ninst * SM_INST_BYTES;
    }
    r->base = xrealloc(r->base, (size_t)(r->bases + 1) * sizeof *r->base);
    r->base[r->bases].kernel = k;
    r->base[r->bases++].first = first;
    return first;
}

/* Addresses of a kernel's code. */
static void code_range(struct replay *r, const struct kernel *k, int line, addr_t *first,
                       addr_t *end)
{
    *first = replay_code_of(r, k);
    *end = *first + k->ninst * SM_INST_BYTES;
    *first -= *first % (addr_t)line;
}

void replay_set_code(struct replay *r, int core, const struct kernel *k)
{
    const struct cache_cfg *l1i = &r->cfg->mem.l1i;
    struct core_at *c = &r->core[core];
    addr_t a, end;
    code_range(r, k, l1i->line, &a, &end);
    for (; l1i->enabled && a < end; a += (addr_t)l1i->line) {
        const struct stamp_look look = stamp_look(&c->l1i, a, ++c->coded);
        if (look.got == STAMP_MISS)
            stamp_put(&c->l1i, a, c->coded);
        else
            stamp_use(&look, c->coded);
    }
}

void replay_set_l2_code(struct replay *r, const struct kernel *k)
{
    const int line = r->cfg->mem.l2.line;
    addr_t a, end;
    code_range(r, k, line, &a, &end);
    for (; a < end; a += (addr_t)line)
        replay_hold(r, a);
}
