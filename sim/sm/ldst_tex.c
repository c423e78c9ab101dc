/* Textures on their way through the LD/ST unit: lines of an instruction, one a cycle, to the
 * texture cache; results back in order. */
#include "sim/sm/core.h"

static bool texture_push(void *ctx, struct mem_req *r, cycle_t now)
{
    return sm_send(ctx, r, now);
}

void texture_init(struct sm *s)
{
    const struct tex_env env = {.cfg = &s->env.mem->l1t,
                                .map = s->env.map,
                                .pool = s->env.pool,
                                .port = {s, texture_push},
                                .core = s->id};
    s->ldst.l1t = env.cfg->enabled ? tex_new(&env) : NULL;
}

bool texture_send(struct sm *s, uint32_t op, const struct txn *t, cycle_t now)
{
    struct ldst *d = &s->ldst;
    const bool taken = tex_access(d->l1t, t->addr, s->op[op].warp, (int32_t)op, now);
    d->refused = taken ? L1_HIT : L1_FAIL_QUEUE;
    d->refused_by = BY_TEXTURE;
    d->l1t_works |= taken;
    return taken;
}

void texture_tick(struct sm *s, cycle_t now)
{
    struct ldst *d = &s->ldst;
    tex_cycle(d->l1t, now);
    d->l1t_works = tex_busy(d->l1t);
}
