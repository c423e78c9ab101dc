/* Fetch and issue of a replayed core, and its launches. */
#include "sampler/replay_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* ---- Fetch, issue ---- */

static void fetch(struct replay *r, struct warp_at *w, double t)
{
    double at = fmax(t, r->fetch_free), ready;
    const addr_t addr = (r->code + w->t->inst[w->inst].pc) * INST_BYTES;
    r->fetch_free = at + 1;
    if (r->cfg->mem.l1i.enabled)
        replay_cached(r, &r->l1i, NULL, addr, &at, &ready);
    else
        ready = replay_read(r, NULL, addr, at, 2 * INST_BYTES);
    w->front = fmax(at, ready) + 2;
    w->second = true;
}

static void find_ready(struct replay *r, struct warp_at *w)
{
    const struct op *op = &r->op[w->t->inst[w->inst].pc];
    double t = w->front;
    for (int i = 0; i < op->uses; i++)
        t = fmax(t, w->board[op->use[i]]);
    w->ready = t;
}

static void ask_again(struct replay *r)
{
    for (int i = 0; i < r->cfg->sm.schedulers; i++)
        r->sched[i].asked = false;
}

static void start_cta(struct replay *r, int slot, double t)
{
    const int c = r->next_cta++, round = c / r->o.n - 1;
    if (round == 0 || round == 1) {
        r->started[round] += t;
        r->starts[round]++;
    }
    r->cta[slot] = (struct cta_at){.left = r->wpc, .number = c, .start = t};
    for (int i = 0; i < r->wpc; i++) {
        const int s = slot * r->wpc + i;
        struct warp_at *w = &r->warp[s];
        double *board = w->board;
        memset(board, 0, (size_t)r->nregs * sizeof *board);
        *w = (struct warp_at){
            .t = &r->t->warp[c * r->wpc + i],
            .beside = &r->t->traffic[(uint64_t)c * r->t->stride * (uint64_t)r->wpc + (uint64_t)i],
            .board = board,
            .slot = slot,
            .live = true};
        r->age[s] = r->next_age++;
        fetch(r, w, t);
        find_ready(r, w);
    }
    ask_again(r);
}

/* Opens when no warp of the CTA is on its way to it: named barriers count as one. */
static void open_barrier(struct replay *r, int slot, double t)
{
    struct warp_at *first = &r->warp[slot * r->wpc];
    bool any = false;
    for (int i = 0; i < r->wpc; i++) {
        if (first[i].live && !first[i].waits)
            return;
        any |= first[i].live;
    }
    for (int i = 0; i < r->wpc; i++) {
        struct warp_at *w = &first[i];
        if (!w->live)
            continue;
        w->waits = false;
        w->front = fmax(w->front, t + 1);
        find_ready(r, w);
    }
    if (any)
        ask_again(r);
}

static void finish_warp(struct replay *r, struct warp_at *w, double t)
{
    struct cta_at *c = &r->cta[w->slot];
    w->live = false;
    w->ready = REPLAY_NEVER;
    c->done = fmax(c->done, fmax(w->done, t + 8)); /* the pipeline drains */
    if (--c->left > 0) {
        open_barrier(r, w->slot, t);
        return;
    }
    r->end[r->ends++] = c->done;
    r->clock = fmax(r->clock, c->done);
    r->out->cta_cycles += c->done - c->start;
    if (r->next_cta < r->ctas)
        start_cta(r, w->slot, c->done + 1);
}

/* The unit of an instruction that is free first. */
static double *unit_of(struct replay *r, enum pipe_class cls)
{
    const struct sm_cfg *c = &r->cfg->sm;
    double *sp = r->unit_free, *sfu = sp + c->sp_units, *dp = sfu + c->sfu_units;
    double *first = cls == CLASS_SFU ? sfu : cls == CLASS_DP ? dp : sp;
    double *end = cls == CLASS_SP ? sfu : cls == CLASS_DP ? dp + c->dp_units : dp;
    double *best = first;
    for (double *u = first; u < end; u++)
        if (*u < *best)
            best = u;
    return best;
}

/* When there is room for it in front of its unit. */
static double room(struct replay *r, const struct warp_at *w)
{
    const struct inst_meta *m = r->op[w->t->inst[w->inst].pc].m;
    if (m->cls == CLASS_MEM)
        return r->mem_left[r->mem_at % MEM_DEPTH] - 2;
    return *unit_of(r, m->cls) - ALU_DEPTH - 2 * m->interval;
}

static double start_inst(struct replay *r, struct warp_at *w, const struct trace_inst *e,
                         const struct op *op, double t)
{
    if (op->m->cls == CLASS_MEM)
        return replay_mem(r, w, e, op, t);
    double *unit = unit_of(r, op->m->cls);
    const double start = fmax(t + 3 + op->m->nread, *unit);
    *unit = start + op->m->interval;
    return start + op->m->latency + 2;
}

static void issue(struct replay *r, struct warp_at *w, double t)
{
    const struct trace_inst *e = &w->t->inst[w->inst];
    const struct op *op = &r->op[e->pc];
    const double done = start_inst(r, w, e, op, t);
    for (int i = 0; i < op->defs; i++)
        w->board[op->def[i]] = done;
    w->done = fmax(w->done, done);
    if (++r->out->insts == r->o.mark)
        r->out->mark_cycles = t - r->t0;
    if (++w->inst == w->t->insts) {
        finish_warp(r, w, t);
        return;
    }
    if (w->second && w->t->inst[w->inst].pc == e->pc + 1) {
        w->second = false;
        w->front = t + 1;
    } else {
        fetch(r, w, t);
    }
    if (e->kind == TRACE_ATOMIC && r->cfg->sm.atomics_block)
        w->front = fmax(w->front, done);
    find_ready(r, w);
    if (op->barrier) {
        w->waits = true;
        w->ready = REPLAY_NEVER;
        open_barrier(r, w->slot, t);
    }
}

/* The warp that a scheduler takes next, and when. */
static void ask(struct replay *r, int scheduler)
{
    struct sched_at *s = &r->sched[scheduler];
    const int step = r->cfg->sm.schedulers;
    for (s->asked = true;;) {
        double first = REPLAY_NEVER;
        for (int i = scheduler; i < r->warps; i += step)
            first = r->warp[i].ready < first ? r->warp[i].ready : first;
        s->slot = -1;
        if (first >= REPLAY_NEVER)
            return;
        const double t = ceil(fmax(first, s->next_issue));
        uint64_t among = 0;
        for (int i = scheduler; i < r->warps; i += step)
            among |= (uint64_t)(r->warp[i].ready <= t) << i;
        s->slot = r->policy->pick(s->state, &s->view, among);
        s->when = t;
        const double free = room(r, &r->warp[s->slot]);
        if (free <= t)
            return;
        r->warp[s->slot].ready = free;
    }
}

static void run(struct replay *r)
{
    const int n = r->cfg->sm.schedulers;
    for (;;) {
        struct sched_at *next = NULL;
        for (int i = 0; i < n; i++) {
            struct sched_at *s = &r->sched[i];
            if (!s->asked)
                ask(r, i);
            if (s->slot >= 0 && (!next || s->when < next->when))
                next = s;
        }
        if (!next)
            return;
        struct warp_at *w = &r->warp[next->slot];
        const double t = next->when, free = room(r, w);
        next->asked = false;
        if (free > t) { /* another scheduler's warp was faster */
            w->ready = free;
            continue;
        }
        r->policy->on_issue(next->state, &next->view, next->slot);
        next->next_issue = t + r->cfg->sm.issue_interval;
        issue(r, w, t);
    }
}

/* ---- A launch ---- */

static int registers(uint16_t *list, const struct board_bits *b, int words)
{
    int n = 0;
    for (int i = 0; i < words; i++)
        for (uint64_t m = b[i].bits; m; m &= m - 1)
            list[n++] = (uint16_t)(b[i].word * 64 + (uint32_t)__builtin_ctzll(m));
    return n;
}

static void decode(struct replay *r)
{
    const struct kernel *k = r->t->kernel;
    const size_t most = INST_MAX_SRC + 2 * INST_MAX_DST + 1;
    r->meta = meta_build(k, &r->cfg->sm);
    r->op = xcalloc(k->ninst, sizeof *r->op);
    r->regs = xcalloc(k->ninst * most, sizeof *r->regs);
    r->nregs = k->nregnum + 1;
    for (uint32_t i = 0; i < k->ninst; i++) {
        struct op *op = &r->op[i];
        const struct inst_meta *m = op->m = &r->meta[i];
        op->use = r->regs + i * most;
        op->uses = (uint8_t)registers(op->use, m->check, m->ncheck);
        op->def = op->use + op->uses;
        op->defs = (uint8_t)registers(op->def, m->dst, m->ndst);
        op->barrier = k->inst[i].op == OP_BAR || k->inst[i].op == OP_BAR_RED;
    }
}

/* Kernels' code lies one behind the other, in the order in which they were first run. */
static uint64_t code_of(struct replay *r, const struct kernel *k)
{
    uint64_t first = 0;
    for (int i = 0; i < r->bases; i++) {
        if (r->base[i].kernel == k)
            return r->base[i].first;
        first = r->base[i].first + r->base[i].kernel->ninst;
    }
    if (r->bases < KERNELS) {
        r->base[r->bases].kernel = k;
        r->base[r->bases++].first = first;
    }
    return first;
}

struct replay *replay_new(const struct gpu_cfg *cfg, const struct replay_opts *o)
{
    struct replay *r = xcalloc(1, sizeof *r);
    const struct mem_cfg *m = &cfg->mem;
    const struct cache_cfg texture = {.size = m->l1t.size,
                                      .line = m->l1t.line,
                                      .ways = m->l1t.ways,
                                      .mshrs = m->l1t.rob,
                                      .merges = m->l1t.fragments};
    r->cfg = cfg;
    r->o = *o;
    r->policy = wsched_find(cfg->sm.warp_scheduler);
    r->flit = (double)cfg->clock.core / cfg->clock.icnt;
    r->reply_gap = (o->alone ? 1 : cfg->top.cluster_size) * r->flit *
                   ceil((m->l1d.line + cfg->icnt.header_bytes) / (double)cfg->icnt.flit_bytes);
    stamp_init(&r->l1d, &m->l1d);
    stamp_init(&r->l1c, &m->l1c);
    stamp_init(&r->l1i, &m->l1i);
    stamp_init(&r->l1t, &texture);
    shared_mem_init(&r->mem, cfg, o->stretch);
    return r;
}

void replay_free(struct replay *r)
{
    stamp_fini(&r->l1d);
    stamp_fini(&r->l1c);
    stamp_fini(&r->l1i);
    stamp_fini(&r->l1t);
    shared_mem_fini(&r->mem);
    free(r);
}

static void begin(struct replay *r, const struct trace *t, int ctas)
{
    r->t = t;
    r->wpc = t->warps_per_cta;
    r->ctas = ctas < t->ctas ? ctas : t->ctas;
    r->next_cta = r->ends = 0;
    r->read_sum = 0;
    r->reads = 0;
    r->t0 = r->fetch_free = r->ldst_free = r->clock = ceil(r->clock);
    memset(r->started, 0, sizeof r->started);
    memset(r->starts, 0, sizeof r->starts);
    memset(r->warp, 0, sizeof r->warp);
    r->code = code_of(r, t->kernel);
    decode(r);
    r->boards = xcalloc((size_t)r->nregs * WARPS, sizeof *r->boards);
    r->end = xcalloc((size_t)r->ctas + 1, sizeof *r->end);
    for (int i = 0; i < WARPS; i++) {
        r->warp[i].board = r->boards + i * r->nregs;
        r->warp[i].ready = REPLAY_NEVER;
    }
    const int n = r->o.n < r->ctas ? r->o.n : r->ctas;
    r->warps = n * r->wpc;
    for (int i = 0; i < r->cfg->sm.schedulers; i++) {
        struct sched_at *s = &r->sched[i];
        *s = (struct sched_at){.next_issue = r->t0, .view = {.age = r->age}};
        for (int w = i; w < r->warps; w += r->cfg->sm.schedulers)
            s->view.owned |= 1ull << w;
        r->policy->init(s->state, &s->view);
    }
    for (int i = 0; i < n; i++) /* one CTA a core a cycle */
        start_cta(r, i, r->t0 + i * (r->o.alone ? 1.0 : (double)t->stride));
}

static void conclude(struct replay *r)
{
    struct replay_result *o = r->out;
    const int n = r->o.n < r->ctas ? r->o.n : r->ctas;
    o->ctas = (uint64_t)r->ends;
    o->first_ctas = (uint64_t)n;
    o->cycles = r->clock - r->t0;
    o->cta_cycles /= fmax(1, r->ends);
    o->read_latency = r->reads ? r->read_sum / (double)r->reads : 0;
    o->wave = r->starts[1] >= n ? r->started[1] / r->starts[1] - r->started[0] / r->starts[0]
                                : o->cycles * n / fmax(1, r->ends);
    double first = r->clock;
    for (int i = r->ends - n; i < r->ends; i++)
        first = fmin(first, r->end[i]);
    o->spread = o->wave > 0 ? (r->clock - first) / o->wave : 0;
}

void replay_run(struct replay *r, const struct trace *t, int ctas, struct replay_result *out)
{
    *out = (struct replay_result){0};
    r->out = out;
    begin(r, t, ctas);
    run(r);
    conclude(r);
    free(r->boards);
    free(r->end);
    free(r->meta);
    free(r->op);
    free(r->regs);
}
