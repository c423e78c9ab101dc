/* What a memory instruction that has just executed asks of the LD/ST unit: transactions, or cycles
 * of shared memory. */
#include "sim/sm/core.h"
#include "sim/sm/local_memory.h"
#include "sim/sm/shared_banks.h"

/* Bytes of a lane that are timed. */
static int timed_bytes(const struct sm *s, const struct inst *in)
{
    return s->cfg->vector_first_element && in->vec > 1 ? s->step.bytes / in->vec : s->step.bytes;
}

static bool bypasses_l1d(const struct sm *s, const struct op *o)
{
    const struct inst *in = o->m->in;
    return o->atomic || !s->ldst.l1d || in->cache == CACHE_CG ||
           (o->load && in->flags & INST_VOLATILE);
}

/* No transaction is longer than a line of the cache that it goes to. */
static int largest_segment(const struct sm *s, const struct op *o)
{
    return o->bypass ? s->cfg->bypass_segment : s->env.mem->l1d.line;
}

static int segment_of(const struct sm *s, const struct op *o, int bytes)
{
    const int segment = coalesce_segment(bytes), most = largest_segment(s, o);
    return most < segment ? most : segment;
}

/* One part of the warp: lanes of a half warp, or all. */
static int global_part(struct sm *s, const struct op *o, int bytes, lanes_t lanes, struct txn *out)
{
    struct coalescer *c = &s->coalescer;
    coalesce_begin(c, segment_of(s, o, bytes));
    coalesce_lanes(c, s->step.addr, lanes, bytes);
    return coalesce_end(c, out);
}

/* Transactions are sent from the back: those of the second half warp come first. */
static int global(struct sm *s, const struct op *o, int bytes, struct txn *out)
{
    const struct step *st = &s->step;
    if (o->atomic)
        return coalesce_atomic(st->addr, st->active, bytes, segment_of(s, o, bytes), out);
    if (s->cfg->shared_parts == 1)
        return global_part(s, o, bytes, st->active, out);
    const int n = global_part(s, o, bytes, st->active & 0xffff0000u, out);
    return n + global_part(s, o, bytes, st->active & 0xffffu, out + n);
}

static int local(struct sm *s, const struct op *o, int bytes, struct txn *out)
{
    const struct step *st = &s->step;
    const struct warp_slot *ws = &s->warp[o->warp];
    const addr_t padded = (addr_t)s->warps_per_cta * WARP_SIZE;
    const addr_t stride = local_stride(padded, s->env.cores, s->cta_limit);
    const addr_t warp = local_cta(padded, s->env.cores, s->id, ws->cta) +
                        LOCAL_WORD * (addr_t)ws->w->index * WARP_SIZE;
    struct coalescer *c = &s->coalescer;
    coalesce_begin(c, segment_of(s, o, bytes));
    for (lanes_t l = st->active; l; l &= l - 1) {
        const int lane = __builtin_ctz(l);
        const addr_t thread = warp + LOCAL_WORD * (addr_t)lane, a = st->addr[lane];
        if (bytes < LOCAL_WORD)
            coalesce_touch(c, thread + a / LOCAL_WORD * stride + a % LOCAL_WORD, bytes);
        else
            for (int b = 0; b < bytes; b += LOCAL_WORD)
                coalesce_touch(c, thread + (a + (addr_t)b) / LOCAL_WORD * stride, LOCAL_WORD);
    }
    return coalesce_end(c, out);
}

static int transactions(struct sm *s, struct op *o, int bytes, struct txn *out)
{
    switch (o->space) {
    case SP_GLOBAL:
        o->bypass = bypasses_l1d(s, o);
        return global(s, o, bytes, out);
    case SP_LOCAL:
        o->bypass = !s->ldst.l1d;
        return local(s, o, bytes, out);
    case SP_TEX:
        o->bypass = !s->ldst.l1t;
        return texture_lines(s, out);
    case SP_CONST:
    case SP_PARAM:
        return coalesce_lines(s->step.addr, s->step.active, bytes, out, s->env.mem->l1c.line);
    default:
        return 0;
    }
}

static int bank_cycles(const struct sm *s, const struct op *o)
{
    const struct sm_cfg *c = s->cfg;
    const struct step *st = &s->step;
    const int bytes = c->vector_first_element ? 1 : st->bytes;
    return o->atomic && c->shared_atomic_turns
               ? shared_atomic_cycles(st->addr, st->active, bytes, c->shared_banks, c->shared_parts)
               : shared_cycles(st->addr, st->active, bytes, c->shared_banks, c->shared_parts);
}

void mem_generate(struct sm *s, struct op *o, struct warp_slot *ws)
{
    const struct step *st = &s->step;
    const struct inst *in = o->m->in;
    o->atomic = (in->flags & INST_ATOMIC) != 0;
    o->load = o->m->load;
    o->store = !o->load && in->flags & INST_STORE;
    o->space = st->active && st->bytes ? st->space : in->space;
    o->conflict = 1;
    if (!st->active || !st->bytes) {
        o->atomic = false; /* nothing comes back */
        return;
    }
    if (o->space == SP_SHARED) {
        o->conflict = (uint16_t)bank_cycles(s, o);
        ws->atomics = (uint16_t)(ws->atomics + o->atomic);
        return;
    }
    o->list = s->list_free[--s->list_free_n];
    struct txn_list *l = &s->list[o->list];
    l->at = 0;
    l->n = transactions(s, o, timed_bytes(s, in), l->t);
    if (o->load)
        o->pending = (uint16_t)l->n;
    if (o->atomic)
        ws->atomics = (uint16_t)(ws->atomics + l->n);
}
