#include "sampler/trace.h"

#include <stdlib.h>

#include "base/err.h"
#include "sim/sm/shared_banks.h"

#define WORD 4
/* Instructions and transactions of a trace, 8 bytes each; no round begins behind it, but as many as
 * CTAs fit on a core. */
#define MAX_RECORDED  (1u << 24)
#define MAX_CTA_INSTS (1u << 17) /* of a CTA */
#define MAX_COUNTED   (1u << 22) /* CTAs of a launch whose instructions are counted */

void trace_init(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l, uint64_t first,
                int ctas)
{
    trace_init_part(t, cfg, l, 0, launch_ctas(l), first, ctas);
}

void trace_init_part(struct trace *t, const struct gpu_cfg *cfg, const struct launch *l,
                     uint64_t from, uint64_t to, uint64_t first, int ctas)
{
    const uint64_t stride = (uint64_t)cfg->top.cores, all = to - from;
    const uint64_t base = first - first % stride;
    const uint64_t there = base < all ? (all - base + stride - 1) / stride : 0;
    *t = (struct trace){.cfg = cfg,
                        .kernel = l->kernel,
                        .base = from,
                        .first = base,
                        .own = first % stride,
                        .stride = stride,
                        .all = all,
                        .grid = launch_ctas(l),
                        .warps_per_cta = launch_warps(l)};
    t->most = MAX_CTA_INSTS / (uint32_t)t->warps_per_cta;
    t->ctas = t->room = (uint64_t)ctas < there ? ctas : (int)there;
    const size_t warps = (size_t)t->room * (size_t)t->warps_per_cta;
    t->warp = xcalloc(warps * stride, sizeof *t->warp);
    t->work = all <= MAX_COUNTED ? xcalloc(all, sizeof *t->work) : NULL;
}

uint64_t trace_cta(const struct trace *t, int core, int i)
{
    const uint64_t place = (t->own + (uint64_t)core) % t->stride;
    return t->first + place + (uint64_t)i * t->stride;
}

int trace_core_ctas(const struct trace *t, int core)
{
    const uint64_t first = trace_cta(t, core, 0);
    const uint64_t there = first < t->all ? (t->all - first + t->stride - 1) / t->stride : 0;
    return there < (uint64_t)t->ctas ? (int)there : t->ctas;
}

void trace_fini(struct trace *t)
{
    const size_t warps = (size_t)t->room * (size_t)t->warps_per_cta;
    for (size_t i = 0; i < warps * t->stride; i++) {
        free(t->warp[i].inst);
        free(t->warp[i].txn);
    }
    free(t->warp);
    free(t->work);
    *t = (struct trace){0};
}

static struct trace_inst *add_inst(struct trace_warp *w)
{
    if (w->insts == w->inst_cap) {
        w->inst_cap = w->inst_cap ? 2 * w->inst_cap : 16;
        w->inst = xrealloc(w->inst, w->inst_cap * sizeof *w->inst);
    }
    return &w->inst[w->insts++];
}

static addr_t *add_txns(addr_t **txn, uint32_t *n, uint32_t *cap, int more)
{
    while (*n + (uint32_t)more > *cap) {
        *cap = *cap ? 2 * *cap : 16;
        *txn = xrealloc(*txn, *cap * sizeof **txn);
    }
    *n += (uint32_t)more;
    return *txn + *n - more;
}

static addr_t pack(addr_t addr, uint32_t bytes)
{
    return TRACE_LINE(addr) | ((bytes + 31) / 32 - 1);
}

static int shared_time(const struct trace *t, const struct step *s)
{
    const struct sm_cfg *c = &t->cfg->sm;
    const int bytes = c->vector_first_element ? 1 : s->bytes;
    return s->is_atomic && c->shared_atomic_turns
               ? shared_atomic_cycles(s->addr, s->active, bytes, c->shared_banks, c->shared_parts)
               : shared_cycles(s->addr, s->active, bytes, c->shared_banks, c->shared_parts);
}

/* What the instruction asks of memory; its transactions are in m, but for those of constants. */
static enum trace_kind kind_of(const struct requests *m, const struct step *s)
{
    switch (m->path) {
    case REQUEST_LOAD:
        return s->space == SP_LOCAL ? TRACE_LOCAL_READ : TRACE_READ;
    case REQUEST_STORE:
        return TRACE_WRITE;
    case REQUEST_LOCAL_STORE:
        return TRACE_LOCAL_WRITE;
    case REQUEST_PAST:
        return s->is_atomic ? TRACE_ATOMIC : s->is_load ? TRACE_PAST_READ : TRACE_PAST_WRITE;
    case REQUEST_TEXTURE:
        return TRACE_TEXTURE;
    case REQUEST_NONE:
        break;
    }
    if (requests_are_constants(s))
        return TRACE_CONST;
    return s->active && s->bytes && s->space == SP_SHARED ? TRACE_SHARED : TRACE_OTHER;
}

/* A store that misses L2 reads its line; where there is no L2 it is DRAM's. */
static bool may_read(const struct trace *t, enum trace_kind k)
{
    const bool stores = k == TRACE_WRITE || k == TRACE_LOCAL_WRITE || k == TRACE_PAST_WRITE;
    return trace_is_traffic((uint8_t)k) && (!stores || t->cfg->mem.l2.enabled);
}

static uint64_t missed(const struct requests *m)
{
    return (uint64_t)(m->missed < 0 ? m->n : m->missed);
}

static void record(struct trace *t, struct trace_warp *to, enum trace_kind k, struct requests *m,
                   const struct step *s)
{
    if (k == TRACE_CONST)
        requests_constants(m, s);
    const int n = m->n;
    *add_inst(to) = (struct trace_inst){.pc = s->inst->pc,
                                        .kind = (uint8_t)k,
                                        .n = (uint16_t)(k == TRACE_SHARED ? shared_time(t, s) : n)};
    t->insts++;
    t->txns += (uint64_t)n;
    if (may_read(t, k)) {
        t->reads += (uint64_t)n;
        t->misses += missed(m);
    }
    addr_t *out = add_txns(&to->txn, &to->txns, &to->txn_cap, n);
    for (int i = 0; i < n; i++)
        out[i] = pack(m->t[i].addr, m->t[i].bytes);
}

static void count(struct trace *t, uint64_t cta, uint64_t insts, int txns)
{
    if (!t->work)
        return;
    t->work[cta].insts += insts;
    t->work[cta].txns += (uint64_t)txns;
    t->all_work.insts += insts;
    t->all_work.txns += (uint64_t)txns;
}

static void drop(struct trace *t, enum trace_kind k, const struct requests *m)
{
    t->dropped++;
    if (may_read(t, k)) {
        t->dropped_reads += (uint64_t)m->n;
        t->dropped_misses += missed(m);
    }
}

/* A launch that is to be replayed whole is short: its transactions may be many. */
static bool enough(const struct trace *t)
{
    return t->insts + (t->whole ? 0 : t->txns) >= MAX_RECORDED;
}

void trace_step(struct trace *t, struct requests *m, const struct warp *w, const struct step *s)
{
    const uint64_t cta = (uint64_t)w->cta->linear - t->base; /* wraps below it */
    if (cta >= t->all)
        return;
    const enum trace_kind k = kind_of(m, s);
    count(t, cta, s->warp_done ? w->steps : 0, trace_is_traffic((uint8_t)k) ? m->n : 0);
    if (cta < t->first)
        return;
    const uint64_t at = (cta - t->first) / t->stride, place = (cta - t->first) % t->stride;
    if (at >= (uint64_t)t->ctas)
        return;
    const uint64_t core = (place + t->stride - t->own) % t->stride;
    const uint64_t warps = (uint64_t)t->warps_per_cta, warp = (uint64_t)w->index;
    struct trace_warp *to = &t->warp[(at * t->stride + core) * warps + warp];
    const uint64_t least = t->fits > 0 ? (uint64_t)t->fits : 1; /* for every degree */
    if (at >= least && to->insts == 0 && warp == 0 && enough(t))
        t->ctas = (int)at;
    else if (to->insts >= t->most)
        drop(t, k, m);
    else
        record(t, to, k, m, s);
}

void tracing_step(void *user, const struct warp *w, const struct step *s)
{
    struct tracing *x = user;
    requests_make(&x->made, w, s);
    trace_step(&x->t, &x->made, w, s);
}
