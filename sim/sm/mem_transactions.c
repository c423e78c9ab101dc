#include "sim/sm/mem_transactions.h"

#include "sim/sm/local_memory.h"
#include "sim/sm/shared_banks.h"

struct work {
    const struct mem_env *env;
    const struct step *st;
    struct coalescer *c;
    struct mem_demand *d;
    struct txn *out;
    int bytes; /* of a lane that are timed */
};

static bool passes_l1d(const struct work *w)
{
    const struct inst *in = w->st->inst;
    return w->d->atomic || !w->env->mem->l1d.enabled || in->cache == CACHE_CG ||
           (w->d->load && in->flags & INST_VOLATILE);
}

/* No transaction is longer than a line of the cache that it goes to. */
static int segment_of(const struct work *w)
{
    const int segment = coalesce_segment(w->bytes);
    const int most = w->d->past ? w->env->sm->bypass_segment : w->env->mem->l1d.line;
    return most < segment ? most : segment;
}

/* One part of the warp: lanes of a half warp, or all. */
static int global_part(const struct work *w, lanes_t lanes, struct txn *out)
{
    coalesce_begin(w->c, segment_of(w));
    coalesce_lanes(w->c, w->st->addr, lanes, w->bytes);
    return coalesce_end(w->c, out);
}

/* Transactions are sent from the back: those of the second half warp come first. */
static int global(const struct work *w)
{
    const struct step *st = w->st;
    if (w->d->atomic)
        return coalesce_atomic(st->addr, st->active, w->bytes, segment_of(w), w->out);
    if (w->env->sm->shared_parts == 1)
        return global_part(w, st->active, w->out);
    const int n = global_part(w, st->active & 0xffff0000u, w->out);
    return n + global_part(w, st->active & 0xffffu, w->out + n);
}

static int local(const struct work *w)
{
    const addr_t stride = w->env->stride;
    coalesce_begin(w->c, segment_of(w));
    for (lanes_t l = w->st->active; l; l &= l - 1) {
        const int lane = __builtin_ctz(l);
        const addr_t thread = w->env->local + LOCAL_WORD * (addr_t)lane, a = w->st->addr[lane];
        if (w->bytes < LOCAL_WORD)
            coalesce_touch(w->c, thread + a / LOCAL_WORD * stride + a % LOCAL_WORD, w->bytes);
        else
            for (int b = 0; b < w->bytes; b += LOCAL_WORD)
                coalesce_touch(w->c, thread + (a + (addr_t)b) / LOCAL_WORD * stride, LOCAL_WORD);
    }
    return coalesce_end(w->c, w->out);
}

/* Lines that the lanes' texels lie in. GPGPU-Sim 3.2.1 knows one texel a lane, the first
 * (texture_first_texel). */
static int texture(const struct work *w)
{
    const struct step *st = w->st;
    const int taps = w->env->sm->texture_first_texel && st->taps > 1 ? 1 : st->taps;
    struct line_list l = {.t = w->out, .line = w->env->mem->l1t.line};
    for (int t = 0; t < taps; t++)
        line_list_add(&l, st->tap[t], st->tap_lanes[t], st->bytes);
    return line_list_end(&l);
}

static int transactions(const struct work *w)
{
    const struct step *st = w->st;
    switch (st->space) {
    case SP_GLOBAL:
        w->d->past = passes_l1d(w);
        return global(w);
    case SP_LOCAL:
        w->d->past = !w->env->mem->l1d.enabled;
        return local(w);
    case SP_TEX:
        w->d->past = !w->env->mem->l1t.enabled;
        return texture(w);
    case SP_CONST:
    case SP_PARAM:
        return coalesce_lines(st->addr, st->active, w->bytes, w->out, w->env->mem->l1c.line);
    default:
        return 0;
    }
}

static int bank_cycles(const struct sm_cfg *c, const struct step *st, bool atomic)
{
    const int bytes = c->vector_first_element ? 1 : st->bytes;
    return atomic && c->shared_atomic_turns
               ? shared_atomic_cycles(st->addr, st->active, bytes, c->shared_banks, c->shared_parts)
               : shared_cycles(st->addr, st->active, bytes, c->shared_banks, c->shared_parts);
}

void mem_transactions(const struct mem_env *env, const struct step *st, struct coalescer *c,
                      struct mem_demand *d, struct txn *out)
{
    const struct inst *in = st->inst;
    const bool any = st->active && st->bytes;
    d->space = any ? st->space : (enum space)in->space;
    d->load = in->flags & (INST_LOAD | INST_ATOMIC);
    d->store = !d->load && in->flags & INST_STORE;
    d->atomic = any && in->flags & INST_ATOMIC; /* else nothing comes back */
    d->past = false;
    d->conflict = 1;
    d->n = 0;
    if (!any)
        return;
    if (st->space == SP_SHARED) {
        d->conflict = bank_cycles(env->sm, st, d->atomic);
        return;
    }
    const bool first = env->sm->vector_first_element && in->vec > 1;
    const struct work w = {.env = env,
                           .st = st,
                           .c = c,
                           .d = d,
                           .out = out,
                           .bytes = first ? st->bytes / in->vec : st->bytes};
    d->n = transactions(&w);
}
