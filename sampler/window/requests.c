#include "sampler/window/requests.h"

#include "sim/sm/local_memory.h"
#include "sim/sm/mem_transactions.h"

static enum request_path path_of(const struct requests *r, const struct step *s)
{
    const struct inst *in = s->inst;
    if (!s->active || !s->bytes || !(s->is_load || s->is_store || s->is_atomic))
        return REQUEST_NONE;
    if (s->space == SP_TEX)
        return REQUEST_TEXTURE;
    if (s->space != SP_GLOBAL && s->space != SP_LOCAL)
        return REQUEST_NONE;
    const bool uncached = in->cache == CACHE_CG || (s->is_load && in->flags & INST_VOLATILE);
    if (!r->cfg->mem.l1d.enabled || (s->space == SP_GLOBAL && (s->is_atomic || uncached)))
        return REQUEST_PAST;
    if (s->is_load)
        return REQUEST_LOAD;
    return s->space == SP_LOCAL ? REQUEST_LOCAL_STORE : REQUEST_STORE;
}

void requests_make(struct requests *r, const struct warp *w, const struct step *s)
{
    const int cores = r->cfg->top.cores;
    const struct mem_env env = {.sm = &r->cfg->sm,
                                .mem = &r->cfg->mem,
                                .local = REQUESTS_LOCAL + LOCAL_WORD * (addr_t)w->index * WARP_SIZE,
                                .stride =
                                    local_stride((addr_t)w->cta->nwarps * WARP_SIZE, cores, 1)};
    struct mem_demand d;
    r->n = 0;
    r->path = path_of(r, s);
    if (r->path == REQUEST_NONE)
        return;
    mem_transactions(&env, s, &r->c, &d, r->t);
    r->n = d.n;
}
