/* A replayed core: its CTAs, fetch, and which warp issues when. */
#include "sampler/replay_core.h"

#include <string.h>

#include "base/err.h"

static void set_ready(struct core_at *c, const struct warp_at *w, cycle_t t)
{
    const int slot = (int)(w - c->warp);
    c->ready[slot] = t;
    c->known = (c->known & ~(1ull << slot)) | (uint64_t)(t != CYCLE_NEVER) << slot;
}

static void find_ready(struct core_at *c, struct warp_at *w)
{
    const struct op *op = w->op = &c->r->op[w->next->pc];
    cycle_t t = w->held || w->fence ? CYCLE_NEVER : w->front;
    for (int i = 0; i < op->uses && !w->wrong; i++)
        t = later(t, w->board[op->reg[i]]);
    set_ready(c, w, t);
}

/* The warp's buffer is empty from t on. */
static void fetch(struct core_at *c, struct warp_at *w, cycle_t t)
{
    c->empty |= 1ull << (w - c->warp);
    w->empty = t;
    w->front = CYCLE_NEVER;
    c->fetch_at = earlier(c->fetch_at, later(t, c->fetch_free));
}

static void ask_again(struct core_at *c)
{
    for (int i = 0; i < c->r->cfg->sm.schedulers; i++)
        c->sched[i].asked = false;
}

/* Place in the trace of the CTA that the core gets next: its own, round by round. */
static uint64_t next_cta(struct core_at *c)
{
    struct replay *r = c->r;
    const struct trace *t = r->t;
    if (!r->o.whole)
        return (uint64_t)c->started * t->stride + (uint64_t)c->number;
    const uint64_t at = r->next++ - t->first, place = at % t->stride;
    return at - place + (place + t->stride - t->own) % t->stride;
}

static void log_start(struct core_at *c, cycle_t t)
{
    if (c->started == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->ran = xrealloc(c->ran, (size_t)c->room * sizeof *c->ran);
    }
    c->ran[c->started++] = (struct replay_cta){.start = (double)(t - c->r->t0)};
}

void replay_start_cta(struct core_at *c, int slot, cycle_t t)
{
    const struct trace *x = c->r->t;
    const uint64_t at = next_cta(c), wpc = (uint64_t)c->r->wpc;
    c->cta[slot] = (struct cta_at){.left = c->r->wpc, .number = c->started, .start = t};
    c->r->running++;
    log_start(c, t);
    for (int i = 0; i < c->r->wpc; i++) {
        const int s = slot * c->r->wpc + i;
        struct warp_at *w = &c->warp[s];
        cycle_t *board = w->board;
        memset(board, 0, (size_t)c->r->nregs * sizeof *board);
        const struct trace_warp *of = &x->warp[at * wpc + (uint64_t)i];
        *w = (struct warp_at){.t = of,
                              .next = of->inst,
                              .end = of->inst + of->insts,
                              .txn = of->txn,
                              .board = board,
                              .slot = (uint8_t)slot,
                              .scheduler = (uint8_t)(s % c->r->cfg->sm.schedulers),
                              .bank0 = (uint8_t)(s % c->r->cfg->sm.reg_banks),
                              .live = true};
        c->age[s] = c->next_age++;
        w->fetched = w->next->pc;
        fetch(c, w, t + 1);
        find_ready(c, w);
    }
    ask_again(c);
    replay_tell(c);
}

/* Opens when no warp of the CTA is on its way to it, `by` the last: named barriers count as one.
 * Schedulers behind its own have not had their turn in this cycle. */
static void open_barrier(struct core_at *c, const struct warp_at *by, cycle_t t)
{
    const int slot = by->slot, all = c->r->cfg->sm.schedulers, own = (int)(by - c->warp) % all;
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
        w->front = later(w->front, t + (cycle_t)((w - c->warp) % all <= own));
        find_ready(c, w);
    }
    if (any)
        ask_again(c);
}

/* All that a warp started is back. */
static void end_warp(struct core_at *c, struct warp_at *w)
{
    struct cta_at *a = &c->cta[w->slot];
    w->ends = false;
    a->done = later(a->done, w->done);
    if (--a->left > 0)
        return;
    c->ends++;
    c->r->running--;
    c->ran[a->number].end = (double)(a->done - c->r->t0);
    c->clock = later(c->clock, a->done);
    c->r->out->cta_cycles += (double)(a->done - a->start);
    replay_vacant(c, w->slot, a->done);
}

/* Its last instruction issued at t. */
static void finish_warp(struct core_at *c, struct warp_at *w, cycle_t t)
{
    w->live = false;
    w->ends = true;
    c->r->out->short_of_insts |= w->t->insts == c->r->t->most;
    set_ready(c, w, CYCLE_NEVER);
    open_barrier(c, w, t);
    if (!w->pending)
        end_warp(c, w);
}

static void look_again(struct core_at *c, const struct warp_at *w)
{
    struct sched_at *s = &c->sched[w->scheduler];
    if (s->slot < 0 || c->ready[w - c->warp] <= s->when)
        s->asked = false;
}

void replay_fetch_again(struct core_at *c, cycle_t t)
{
    uint64_t m = c->fetch_waits;
    c->fetch_waits = 0;
    for (; m; m &= m - 1) {
        struct warp_at *w = &c->warp[__builtin_ctzll(m)];
        fetch(c, w, t);
    }
    replay_tell(c);
}

bool replay_unsettled(const struct core_at *c, const struct warp_at *w)
{
    return w->loads || (w->stores && c->r->cfg->sm.fence_stores);
}

/* What it waits for may be back at t. */
static void open_fence(const struct core_at *c, struct warp_at *w, cycle_t t)
{
    if (!w->fence || replay_unsettled(c, w))
        return;
    w->fence = false;
    w->front = later(w->front, t);
}

void replay_back(struct load *l, cycle_t t)
{
    struct core_at *c = l->c;
    struct warp_at *w = l->w;
    l->done = later(l->done, t);
    if (--l->pending > 0)
        return;
    replay_tell(c);
    w->held = (uint16_t)(w->held - l->holds);
    if (!l->op && c->r->cfg->mem.l1i.enabled)
        fetch(c, w, l->done);
    else if (!l->op)
        w->front = l->done + 2;
    else if (l->holds)
        w->front = later(w->front, l->done - 1); /* an atomic, on its way to its registers */
    for (int i = 0; l->op && i < l->op->defs; i++)
        w->board[l->op->reg[l->op->uses + i]] = l->done;
    if (l->op) {
        w->done = later(w->done, l->done);
        w->pending--;
        w->loads -= l->op->m->load;
        w->stores -= replay_stores(l->op);
        open_fence(c, w, l->done);
    }
    if (w->ends && !w->pending) {
        end_warp(c, w);
    } else if (w->live && !w->waits) {
        find_ready(c, w);
        look_again(c, w);
    }
    replay_load_over(c->r, l);
}

static void issue(struct core_at *c, struct warp_at *w, cycle_t t)
{
    const struct trace_inst *e = w->next;
    const struct op *op = w->op;
    const bool mem = op->cls == CLASS_MEM;
    const cycle_t done = mem ? CYCLE_NEVER : pipeline_execute(&c->pipe, op->m, w->bank0, t);
    for (int i = 0; i < op->defs; i++)
        w->board[op->reg[op->uses + i]] = done;
    if (mem)
        replay_mem(c, w, e, op, t);
    else
        w->done = later(w->done, done);
    c->r->out->insts++;
    if (++w->next == w->end) {
        finish_warp(c, w, t);
        return;
    }
    w->wrong = w->next->pc != e->pc + 1;
    if (w->second) {
        w->second = false;
        w->front = t + 1;
    } else {
        w->fetched = e->pc + 1;
        fetch(c, w, t);
    }
    find_ready(c, w);
    if (op->barrier) {
        w->waits = true;
        set_ready(c, w, CYCLE_NEVER);
        open_barrier(c, w, t);
    }
}

/* Of a scheduler's warps those that may issue when the first of them may, *t at the earliest. */
static uint64_t first_ready(const struct core_at *c, const struct sched_at *s, cycle_t *t)
{
    const uint64_t known = c->known & s->view.owned;
    cycle_t first = CYCLE_NEVER;
    uint64_t among = 0;
    for (uint64_t m = known; m; m &= m - 1) {
        const int i = __builtin_ctzll(m);
        first = earlier(first, c->ready[i]);
        among |= (uint64_t)(c->ready[i] <= *t) << i;
    }
    if (among || !known)
        return among;
    *t = first;
    for (uint64_t m = known; m; m &= m - 1) {
        const int i = __builtin_ctzll(m);
        among |= (uint64_t)(c->ready[i] == first) << i;
    }
    return among;
}

/* A warp finds no room in front of its unit before t. */
static void no_room_until(struct core_at *c, int slot, cycle_t t)
{
    set_ready(c, &c->warp[slot], t);
    c->mem_waits |= (uint64_t)(t == CYCLE_NEVER) << slot;
}

/* The warp that a scheduler takes next, and when. */
static void ask(struct core_at *c, int scheduler)
{
    struct sched_at *s = &c->sched[scheduler];
    s->asked = true;
    for (;;) {
        s->when = s->next_issue;
        uint64_t among = first_ready(c, s, &s->when);
        if (!among)
            break;
        while (among) {
            s->slot = c->r->policy->pick(s->state, &s->view, among);
            const struct warp_at *w = &c->warp[s->slot];
            const cycle_t free = w->wrong ? 0 : pipeline_room(&c->pipe, w->op->cls);
            if (free <= s->when)
                return;
            no_room_until(c, s->slot, free);
            among &= ~(1ull << s->slot);
        }
    }
    s->slot = -1;
}

/* For one warp a cycle, round robin: two instructions, from w->fetched on. */
static void fetch_next(struct core_at *c, cycle_t t)
{
    uint64_t among = 0;
    for (uint64_t m = c->empty; m; m &= m - 1)
        among |= (uint64_t)(c->warp[__builtin_ctzll(m)].empty <= t) << __builtin_ctzll(m);
    const uint64_t behind = c->fetched_last < 63 ? among & ~0ull << (c->fetched_last + 1) : 0;
    const int slot = __builtin_ctzll(behind ? behind : among);
    struct warp_at *w = &c->warp[slot];
    c->fetched_last = slot;
    c->empty &= ~(1ull << slot);
    w->second = w->fetched + 1 < c->r->t->kernel->ninst;
    c->fetch_free = t + 1;
    const cycle_t again = replay_fetch(c, w, c->r->code + w->fetched * SM_INST_BYTES, t);
    if (again == t) {
        c->fetch_free += (cycle_t)c->r->cfg->mem.l1i.hit_latency;
        w->front = c->fetch_free + 1;
    } else if (again != CYCLE_NEVER) {
        fetch(c, w, again);
    }
    if (!w->waits) {
        find_ready(c, w);
        look_again(c, w);
    }
    c->fetch_at = CYCLE_NEVER;
    for (uint64_t m = c->empty; m; m &= m - 1)
        c->fetch_at = earlier(c->fetch_at, later(c->fetch_free, c->warp[__builtin_ctzll(m)].empty));
}

void replay_find_next(struct core_at *c)
{
    struct replay *r = c->r;
    cycle_t first = c->ldst_at;
    c->next = NULL;
    for (int i = 0; i < r->cfg->sm.schedulers; i++) {
        struct sched_at *s = &c->sched[i];
        if (!s->asked)
            ask(c, i);
        if (s->slot >= 0 && s->when < first) {
            c->next = s;
            first = s->when;
        }
    }
    c->fetch_first = c->fetch_at < first;
    first = earlier(first, c->fetch_at);
    c->texture_first = c->tex.next <= first && c->tex.next != CYCLE_NEVER;
    r->when[c->number] = earlier(first, c->tex.next);
}

static void issue_next(struct core_at *c)
{
    struct sched_at *s = c->next;
    struct warp_at *w = &c->warp[s->slot];
    const cycle_t t = s->when;
    s->asked = false;
    if (w->wrong) {
        w->wrong = false;
        w->fetched = w->next->pc;
        fetch(c, w, t);
        find_ready(c, w);
        return;
    }
    const cycle_t free = pipeline_room(&c->pipe, w->op->cls);
    if (free > t) { /* another scheduler's warp was faster */
        no_room_until(c, s->slot, free);
        return;
    }
    c->r->policy->on_issue(s->state, &s->view, s->slot);
    s->next_issue = t + c->r->cfg->sm.issue_interval;
    issue(c, w, t);
}

/* Warps that found no room in front of it look again when there is some. */
static void ldst_goes_on(struct core_at *c)
{
    replay_ldst(c);
    if (!c->mem_waits || pipeline_room(&c->pipe, CLASS_MEM) == CYCLE_NEVER)
        return;
    for (uint64_t m = c->mem_waits; m; m &= m - 1) {
        struct warp_at *w = &c->warp[__builtin_ctzll(m)];
        if (w->live && !w->waits)
            find_ready(c, w);
    }
    c->mem_waits = 0;
    ask_again(c);
}

void replay_goes_on(struct core_at *c)
{
    if (c->texture_first)
        replay_texture_leaves(c);
    else if (c->fetch_first)
        fetch_next(c, c->r->when[c->number]);
    else if (c->next)
        issue_next(c);
    else
        ldst_goes_on(c);
    replay_tell(c);
}
