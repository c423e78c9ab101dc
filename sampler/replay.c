/* Fetch and issue of a replayed core, and its launches. */
#include "sampler/replay_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* ---- Fetch, issue ---- */

static void fetch(struct lead *c, struct warp_at *w, double t)
{
    double at = later(t, c->fetch_free), ready;
    const addr_t addr = c->r->code + w->t->inst[w->inst].pc * SM_INST_BYTES;
    c->fetch_free = at + 1;
    if (c->r->cfg->mem.l1i.enabled)
        replay_cached(c, &c->l1i, NULL, addr, &at, &ready);
    else
        ready = replay_read(c, NULL, addr, at, 2 * SM_INST_BYTES);
    w->front = later(at, ready) + 2;
    w->second = true;
}

static void find_ready(struct lead *c, struct warp_at *w)
{
    const struct op *op = w->op = &c->r->op[w->t->inst[w->inst].pc];
    double t = w->front;
    for (int i = 0; i < op->uses; i++)
        t = later(t, w->board[op->use[i]]);
    c->ready[w - c->warp] = t;
}

static void ask_again(struct lead *c)
{
    for (int i = 0; i < c->r->cfg->sm.schedulers; i++)
        c->sched[i].asked = false;
}

/* Place in the trace of the CTA that the core gets next: that of its lead, round by round. */
static uint64_t next_cta(struct lead *c)
{
    struct replay *r = c->r;
    const struct trace *t = r->t;
    if (!r->o.whole)
        return (uint64_t)c->started * t->stride + (uint64_t)(c->number * t->step);
    const uint64_t at = r->next++ - t->first, place = at % t->stride;
    return at - place + (place + t->stride - t->own) % t->stride;
}

static void log_start(struct lead *c, double t)
{
    if (c->started == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->ran = xrealloc(c->ran, (size_t)c->room * sizeof *c->ran);
    }
    c->ran[c->started++] = (struct replay_cta){.start = t - c->r->t0};
}

static void start_cta(struct lead *c, int slot, double t)
{
    const struct trace *x = c->r->t;
    const uint64_t at = next_cta(c), wpc = (uint64_t)c->r->wpc;
    const uint64_t lead = at / x->stride * (uint64_t)x->leads + at % x->stride / (uint64_t)x->step;
    c->cta[slot] = (struct cta_at){.left = c->r->wpc, .number = c->started, .start = t};
    c->r->turn = c->number + 1;
    log_start(c, t);
    for (int i = 0; i < c->r->wpc; i++) {
        const int s = slot * c->r->wpc + i;
        struct warp_at *w = &c->warp[s];
        double *board = w->board;
        memset(board, 0, (size_t)c->r->nregs * sizeof *board);
        *w = (struct warp_at){.t = &x->warp[lead * wpc + (uint64_t)i],
                              .beside = x->traffic ? &x->traffic[at * wpc + (uint64_t)i] : NULL,
                              .board = board,
                              .slot = slot,
                              .live = true};
        c->age[s] = c->next_age++;
        fetch(c, w, t);
        find_ready(c, w);
    }
    ask_again(c);
}

/* Opens when no warp of the CTA is on its way to it: named barriers count as one. */
static void open_barrier(struct lead *c, int slot, double t)
{
    struct warp_at *first = &c->warp[slot * c->r->wpc];
    bool any = false;
    for (int i = 0; i < c->r->wpc; i++) {
        if (first[i].live && !first[i].waits)
            return;
        any |= first[i].live;
    }
    for (int i = 0; i < c->r->wpc; i++) {
        struct warp_at *w = &first[i];
        if (!w->live)
            continue;
        w->waits = false;
        w->front = later(w->front, t + 1);
        find_ready(c, w);
    }
    if (any)
        ask_again(c);
}

static void finish_warp(struct lead *c, struct warp_at *w, double t)
{
    struct cta_at *a = &c->cta[w->slot];
    w->live = false;
    c->ready[w - c->warp] = REPLAY_NEVER;
    a->done = later(a->done, later(w->done, t + 8)); /* the pipeline drains */
    if (--a->left > 0) {
        open_barrier(c, w->slot, t);
        return;
    }
    c->ends++;
    c->ran[a->number].end = a->done - c->r->t0;
    c->clock = later(c->clock, a->done);
    c->r->out->cta_cycles += a->done - a->start;
    if (c->r->o.whole)
        c->vacant |= 1ull << w->slot;
    else if (c->started < c->ctas)
        start_cta(c, w->slot, a->done + 1);
}

/* The unit of an instruction that is free first. */
static int unit_of(const struct lead *c, enum pipe_class cls)
{
    const struct sm_cfg *u = &c->r->cfg->sm;
    const int sfu = u->sp_units, dp = sfu + u->sfu_units;
    const int first = cls == CLASS_SFU ? sfu : cls == CLASS_DP ? dp : 0;
    const int end = cls == CLASS_SP ? sfu : cls == CLASS_DP ? dp + u->dp_units : dp;
    int best = first;
    for (int i = first; i < end; i++)
        if (c->unit_free[i] < c->unit_free[best])
            best = i;
    return best;
}

/* Instructions that may wait in front of a unit: in the pipeline registers and in the collectors of
 * its kind, shared evenly. */
static unsigned ahead(const struct sm_cfg *s, int unit)
{
    const struct collector_cfg *c = &s->collector;
    int all = c->issue_dp + c->dp_units + c->exec_dp, units = s->dp_units;
    if (unit < s->sp_units) {
        all = c->issue_sp + c->sp_units + c->exec_sp;
        units = s->sp_units;
    } else if (unit < s->sp_units + s->sfu_units) {
        all = c->issue_sfu + c->sfu_units + c->exec_sfu;
        units = s->sfu_units;
    }
    const int each = all / (units > 0 ? units : 1);
    return each < 1 ? 1 : each < AHEAD_MOST ? (unsigned)each : AHEAD_MOST;
}

/* When there is room for it in front of its unit. */
static double room(struct lead *c, const struct warp_at *w)
{
    const struct inst_meta *m = w->op->m;
    if (m->cls == CLASS_MEM)
        return c->mem_left[c->mem_at % MEM_DEPTH] - 2;
    const int unit = unit_of(c, m->cls);
    return c->unit_left[unit][c->unit_at[unit] % c->r->ahead[unit]];
}

static double start_inst(struct lead *c, struct warp_at *w, const struct trace_inst *e,
                         const struct op *op, double t)
{
    if (op->m->cls == CLASS_MEM)
        return replay_mem(c, w, e, op, t);
    const int unit = unit_of(c, op->m->cls);
    const double start = later(t + 3 + op->m->nread, c->unit_free[unit]);
    c->unit_free[unit] = start + op->m->interval;
    c->unit_left[unit][c->unit_at[unit]++ % c->r->ahead[unit]] = start;
    return start + op->m->latency + 2;
}

static void issue(struct lead *c, struct warp_at *w, double t)
{
    const struct trace_inst *e = &w->t->inst[w->inst];
    const struct op *op = w->op;
    const double done = start_inst(c, w, e, op, t);
    for (int i = 0; i < op->defs; i++)
        w->board[op->def[i]] = done;
    w->done = later(w->done, done);
    c->r->out->insts++;
    if (++w->inst == w->t->insts) {
        finish_warp(c, w, t);
        return;
    }
    if (w->second && w->t->inst[w->inst].pc == e->pc + 1) {
        w->second = false;
        w->front = t + 1;
    } else {
        fetch(c, w, t);
    }
    if (e->kind == TRACE_ATOMIC && c->r->cfg->sm.atomics_block)
        w->front = later(w->front, done);
    find_ready(c, w);
    if (op->barrier) {
        w->waits = true;
        c->ready[w - c->warp] = REPLAY_NEVER;
        open_barrier(c, w->slot, t);
    }
}

/* Of a scheduler's warps those that may issue when the first of them may, *t at the earliest. */
static uint64_t first_ready(const struct lead *c, int scheduler, double *t)
{
    const int step = c->r->cfg->sm.schedulers;
    double first = REPLAY_NEVER;
    uint64_t among = 0;
    for (int i = scheduler; i < c->warps; i += step)
        first = c->ready[i] < first ? c->ready[i] : first;
    if (first >= REPLAY_NEVER)
        return 0;
    *t = ceil(later(first, *t));
    for (int i = scheduler; i < c->warps; i += step)
        among |= (uint64_t)(c->ready[i] <= *t) << i;
    return among;
}

/* The warp that a scheduler takes next, and when. */
static void ask(struct lead *c, int scheduler)
{
    struct sched_at *s = &c->sched[scheduler];
    s->asked = true;
    for (;;) {
        s->when = s->next_issue;
        uint64_t among = first_ready(c, scheduler, &s->when);
        if (!among)
            break;
        while (among) {
            s->slot = c->r->policy->pick(s->state, &s->view, among);
            const double free = room(c, &c->warp[s->slot]);
            if (free <= s->when)
                return;
            c->ready[s->slot] = free;
            among &= ~(1ull << s->slot);
        }
    }
    s->slot = -1;
}

/* What the core does first: a scheduler issues, or a place is free for the next CTA. */
static void find_next(struct lead *c)
{
    struct replay *r = c->r;
    double first = REPLAY_NEVER;
    c->next = NULL;
    for (uint64_t m = r->next < r->end ? c->vacant : 0; m; m &= m - 1) {
        const int place = __builtin_ctzll(m);
        if (c->cta[place].done + 1 < first) {
            c->place = place;
            first = c->cta[place].done + 1;
        }
    }
    for (int i = 0; i < r->cfg->sm.schedulers; i++) {
        struct sched_at *s = &c->sched[i];
        if (!s->asked)
            ask(c, i);
        if (s->slot >= 0 && s->when < first) {
            c->next = s;
            first = s->when;
        }
    }
    r->when[c->number] = first;
}

/* The core that goes on first; NULL: none does. */
static struct lead *first_to_go_on(const struct replay *r)
{
    int first = 0;
    for (int k = 1; k < r->leads; k++)
        if (r->when[k] < r->when[first])
            first = k;
    return r->when[first] < REPLAY_NEVER ? &r->lead[first] : NULL;
}

static void issue_next(struct lead *c)
{
    struct sched_at *s = c->next;
    struct warp_at *w = &c->warp[s->slot];
    const double t = s->when, free = room(c, w);
    s->asked = false;
    if (free > t) { /* another scheduler's warp was faster */
        c->ready[s->slot] = free;
        return;
    }
    c->r->policy->on_issue(s->state, &s->view, s->slot);
    s->next_issue = t + c->r->cfg->sm.issue_interval;
    issue(c, w, t);
}

static void run(struct replay *r)
{
    for (int k = 0; k < r->leads; k++)
        find_next(&r->lead[k]);
    for (struct lead *c; (c = first_to_go_on(r)); find_next(c)) {
        if (c->next) {
            issue_next(c);
        } else if (r->next < r->end) { /* else others got the last ones meanwhile */
            c->vacant &= ~(1ull << c->place);
            start_cta(c, c->place, r->when[c->number]);
        }
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

static struct tags *tag_arrays(int cores, const struct cache_cfg *c)
{
    struct tags *t = xcalloc((size_t)cores, sizeof *t);
    for (int i = 0; i < cores; i++)
        tags_init(&t[i], (uint32_t)c->size, (uint32_t)c->line, (uint32_t)c->ways);
    return t;
}

static void free_tag_arrays(struct tags *t, int cores)
{
    for (int i = 0; i < cores; i++)
        tags_fini(&t[i]);
    free(t);
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
    for (int i = 0; i < UNITS; i++)
        r->ahead[i] = ahead(&cfg->sm, i);
    r->policy = wsched_find(cfg->sm.warp_scheduler);
    r->flit = (double)cfg->clock.core / cfg->clock.icnt;
    const int cluster =
        cfg->top.cluster_size < cfg->top.cores ? cfg->top.cluster_size : cfg->top.cores;
    r->node_cores = o->alone || o->whole ? 1 : cluster;
    shared_mem_init(&r->mem, cfg, o->net, o->stretch);
    r->beside = o->alone || o->whole ? 0 : cfg->top.cores;
    r->l1d = tag_arrays(r->beside, &m->l1d);
    r->l1t = tag_arrays(r->beside, &texture);
    r->leads = o->alone ? 1 : o->whole ? cfg->top.cores : TRACE_LEADS(cfg->top.cores);
    r->lead = xcalloc((size_t)r->leads, sizeof *r->lead);
    r->node = xcalloc((size_t)r->leads, sizeof *r->node);
    r->when = xcalloc((size_t)r->leads, sizeof *r->when);
    for (int i = 0; i < r->leads; i++) {
        struct lead *c = &r->lead[i];
        c->r = r;
        c->number = i;
        stamp_init(&c->l1d, &m->l1d);
        stamp_init(&c->l1c, &m->l1c);
        stamp_init(&c->l1i, &m->l1i);
        stamp_init(&c->l1t, &texture);
    }
    return r;
}

void replay_free(struct replay *r)
{
    for (int i = 0; i < r->leads; i++) {
        struct lead *c = &r->lead[i];
        stamp_fini(&c->l1d);
        stamp_fini(&c->l1c);
        stamp_fini(&c->l1i);
        stamp_fini(&c->l1t);
        free(c->ran);
    }
    free(r->base);
    free(r->lead);
    free(r->node);
    free(r->when);
    free_tag_arrays(r->l1d, r->beside);
    free_tag_arrays(r->l1t, r->beside);
    shared_mem_fini(&r->mem);
    free(r);
}

void replay_set_l2(struct replay *r, const struct l2_state *s)
{
    shared_mem_set_l2(&r->mem, s);
}

/* Cores of a cluster share one if all are replayed. */
static struct node *node_of(const struct lead *c)
{
    const struct replay *r = c->r;
    return &r->node[r->o.whole ? c->number / r->cfg->top.cluster_size : c->number];
}

/* CTAs of a core. A launch before the one whose n it is may have larger ones. */
static int at_once(const struct replay *r)
{
    const int fits = r->t->fits, room = WARPS / r->wpc;
    const int n = fits && (r->o.most || fits < r->o.n) ? fits : r->o.n;
    return n < room ? n : room;
}

static void flush_l1(struct replay *r)
{
    for (int i = 0; i < r->leads; i++) {
        stamp_flush(&r->lead[i].l1d);
        stamp_flush(&r->lead[i].l1t);
    }
    for (int i = 0; i < r->beside; i++) {
        tags_flush(&r->l1d[i]);
        tags_flush(&r->l1t[i]);
    }
}

static void begin_lead(struct lead *c, int ctas)
{
    struct replay *r = c->r;
    c->node = node_of(c);
    const int there = trace_lead_ctas(r->t, c->number);
    c->ctas = ctas < there ? ctas : there;
    c->started = c->ends = 0;
    c->vacant = 0;
    c->fetch_free = c->ldst_free = c->clock = r->t0;
    memset(c->warp, 0, sizeof c->warp);
    memset(c->unit_left, 0, sizeof c->unit_left);
    c->boards = xcalloc((size_t)r->nregs * WARPS, sizeof *c->boards);
    for (int i = 0; i < WARPS; i++) {
        c->warp[i].board = c->boards + i * r->nregs;
        c->ready[i] = REPLAY_NEVER;
    }
    c->n = at_once(r);
    if (!r->o.whole && c->ctas < c->n)
        c->n = c->ctas;
    c->warps = c->n * r->wpc;
    for (int i = 0; i < r->cfg->sm.schedulers; i++) {
        struct sched_at *s = &c->sched[i];
        *s = (struct sched_at){.next_issue = r->t0, .view = {.age = c->age}};
        for (int w = i; w < c->warps; w += r->cfg->sm.schedulers)
            s->view.owned |= 1ull << w;
        r->policy->init(s->state, &s->view);
    }
}

/* Each core gets a CTA a cycle, from the one on behind that which got the last one of the launch
 * before. */
static void fill_whole(struct replay *r)
{
    for (int k = 0; k < at_once(r); k++)
        for (int i = 0; i < r->leads && r->next < r->end; i++)
            start_cta(&r->lead[r->turn % r->leads], k, r->t0 + k);
}

/* One core after the other, as if they did not go in step. */
static void fill_leads(struct replay *r)
{
    for (int i = 0; i < r->leads; i++)
        for (int k = 0; k < r->lead[i].n; k++)
            start_cta(&r->lead[i], k,
                      r->t0 + (r->o.alone ? k : k * (int)r->t->stride + i * r->t->step));
}

static void begin(struct replay *r, const struct trace *t, int ctas)
{
    const bool begins = !r->t;
    r->t = t;
    r->wpc = t->warps_per_cta;
    r->read_sum = 0;
    r->reads = 0;
    r->bus0 = r->mem.bus_cycles;
    const uint64_t traced = t->first + (uint64_t)t->ctas * t->stride;
    const uint64_t left_out = (uint64_t)(ctas < t->ctas ? t->ctas - ctas : 0) * t->stride;
    r->next = t->first + left_out;
    r->end = traced < t->all ? traced : t->all;
    if (begins)
        r->turn = r->o.first;
    memset(r->share, 0, sizeof r->share);
    r->t0 = 0;
    for (int i = 0; i < r->leads; i++)
        r->t0 = later(r->t0, ceil(r->lead[i].clock));
    r->code = replay_code_of(r, t->kernel);
    decode(r);
    if (r->cfg->top.flush_l1)
        flush_l1(r);
    for (int i = 0; i < r->leads; i++)
        begin_lead(&r->lead[i], ctas);
    if (r->o.whole)
        fill_whole(r);
    else
        fill_leads(r);
}

/* DRAM reads for the CTAs that were run. Where cores share an L2 one reads for the others: then it
 * is these CTAs' part, by requests, of what all have read. */
static double dram_reads(const struct replay *r, bool later)
{
    const struct dram_share *own = &r->share[later][0], *beside = &r->share[later][1];
    const double all = (double)(own->requests + beside->requests);
    if (!r->cfg->mem.l2.enabled || all <= 0)
        return (double)own->reads;
    return (double)(own->reads + beside->reads) / all * (double)own->requests;
}

static void add_lead(struct replay_result *o, const struct lead *c)
{
    const int n = c->n;
    const double cycles = c->clock - c->r->t0;
    double wave = c->ends < 3 * n ? cycles * n / later(1, c->ends) : 0;
    for (int i = n; c->ends >= 3 * n && i < 2 * n; i++)
        wave += (c->ran[i + n].start - c->ran[i].start) / n;
    o->leads++;
    o->ctas += (uint64_t)c->ends;
    o->first_ctas += (uint64_t)(n < c->ends ? n : c->ends);
    o->cycles += cycles;
    o->last = later(o->last, cycles);
    o->wave += wave;
}

/* Means over the leads. A whole launch ends with the last of them. With two CTAs a core or fewer
 * the core with the most work decides when the launch ends; with more the dispatcher evens it out.
 */
static void conclude(struct replay *r)
{
    struct replay_result *o = r->out;
    o->dram_reads_first = dram_reads(r, false);
    o->dram_reads_later = dram_reads(r, true);
    for (int i = 0; i < r->leads; i++)
        if (r->lead[i].ends > 0)
            add_lead(o, &r->lead[i]);
    const double leads = later(1, o->leads);
    o->bus = (r->mem.bus_cycles - r->bus0) / r->cfg->mem.partition.count / later(1, o->last);
    o->bus = o->bus < 1 ? o->bus : 1; /* neighbours use it after the leads' end */
    o->cycles = r->o.whole || r->t->all <= 2 * r->t->stride ? o->last : o->cycles / leads;
    o->wave /= leads;
    o->cta_cycles /= later(1, (double)o->ctas);
    o->read_latency = r->reads ? r->read_sum / (double)r->reads : 0;
}

const struct replay_cta *replay_ctas(const struct replay *r, int lead, int *ctas)
{
    *ctas = lead < r->leads ? r->lead[lead].ends : 0;
    return *ctas ? r->lead[lead].ran : NULL;
}

void replay_run(struct replay *r, const struct trace *t, int ctas, struct replay_result *out)
{
    *out = (struct replay_result){0};
    r->out = out;
    begin(r, t, ctas);
    run(r);
    conclude(r);
    for (int i = 0; i < r->leads; i++)
        free(r->lead[i].boards);
    free(r->meta);
    free(r->op);
    free(r->regs);
}
