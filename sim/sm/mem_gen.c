/* What a memory instruction that has just executed asks of the LD/ST unit, put where it looks. */
#include "sim/func/cta_cluster.h"
#include "sim/sm/core.h"
#include "sim/sm/local_memory.h"
#include "sim/sm/mem_transactions.h"

/* Where the warp's local memory lies: the CTA's place is that of its slot. */
static void place_local(const struct sm *s, int slot, struct mem_env *env)
{
    const int cta = s->warp[slot].cta;
    const addr_t padded = (addr_t)s->warps_per_cta * WARP_SIZE;
    const addr_t warp = (addr_t)(slot - cta * s->warps_per_cta);
    env->stride = local_stride(padded, s->env.cores, s->cta_limit);
    env->local =
        local_cta(padded, s->env.cores, s->id, cta) + LOCAL_WORD * warp * (addr_t)WARP_SIZE;
}

/* A lane reaches for the shared memory of another CTA. */
static bool is_remote(const struct step *st, const struct cta *c)
{
    for (lanes_t m = st->active; m; m &= m - 1)
        if (cta_shared_rank(c, st->addr[__builtin_ctz(m)]) != c->rank)
            return true;
    return false;
}

void mem_generate(struct sm *s, struct op *o, struct warp_slot *ws)
{
    const struct step *st = &s->step;
    struct mem_env env = {.sm = s->cfg, .mem = s->env.mem};
    struct mem_demand d;
    const bool any = st->active && st->bytes;
    struct txn_list *l = NULL;
    if (any && st->space != SP_SHARED) {
        o->list = s->list_free[--s->list_free_n];
        l = &s->list[o->list];
    }
    if (any && st->space == SP_LOCAL)
        place_local(s, o->warp, &env);
    mem_transactions(&env, st, &s->coalescer, &d, l ? l->t : NULL);
    o->space = (uint8_t)d.space;
    o->load = d.load;
    o->store = d.store;
    o->atomic = d.atomic;
    o->bypass = d.past;
    o->conflict = (uint16_t)d.conflict;
    if (any && st->space == SP_SHARED && s->launch->clusters)
        o->remote = is_remote(st, s->source->state(ws->w)->cta);
    if (l) {
        l->at = 0;
        l->n = d.n;
        o->pending = d.load ? (uint16_t)d.n : 0;
    }
    if (d.atomic)
        ws->atomics = (uint16_t)(ws->atomics + (l ? d.n : 1));
}
