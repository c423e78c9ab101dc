/* A replayed core: its CTAs, fetch, and which warp issues when. */
#include "sampler/replay_core.h"

#include <math.h>
#include <string.h>

#include "base/err.h"

/* The core gets another CTA when it has room. */
static bool more(const struct lead *c)
{
    return c->r->o.whole ? c->r->next < c->r->end : c->started < c->ctas;
}

static void fetch(struct lead *c, struct warp_at *w, double t)
{
    const double at = later(t, c->fetch_free);
    c->fetch_free = at + 1;
    w->second = true;
    replay_fetch(c, w, c->r->code + w->t->inst[w->inst].pc * SM_INST_BYTES, at, 2);
}

static void set_ready(struct lead *c, const struct warp_at *w, double t)
{
    const int slot = (int)(w - c->warp);
    c->ready[slot] = t;
    c->known = (c->known & ~(1ull << slot)) | (uint64_t)(t < REPLAY_NEVER) << slot;
}

static void find_ready(struct lead *c, struct warp_at *w)
{
    const struct op *op = w->op = &c->r->op[w->t->inst[w->inst].pc];
    double t = w->held ? REPLAY_NEVER : w->front;
    for (int i = 0; i < op->uses; i++)
        t = later(t, w->board[op->use[i]]);
    set_ready(c, w, t);
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

void replay_start_cta(struct lead *c, int slot, double t)
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

/* All that a warp started is back. */
static void end_warp(struct lead *c, struct warp_at *w)
{
    struct cta_at *a = &c->cta[w->slot];
    w->ends = false;
    a->done = later(a->done, w->done);
    if (--a->left > 0)
        return;
    c->ends++;
    c->ran[a->number].end = a->done - c->r->t0;
    c->clock = later(c->clock, a->done);
    c->r->out->cta_cycles += a->done - a->start;
    c->vacant |= 1ull << w->slot;
}

/* Its last instruction issued at t. */
static void finish_warp(struct lead *c, struct warp_at *w, double t)
{
    w->live = false;
    w->ends = true;
    w->done = later(w->done, t + 8); /* the pipeline drains */
    set_ready(c, w, REPLAY_NEVER);
    open_barrier(c, w->slot, t);
    if (!w->pending)
        end_warp(c, w);
}

void replay_back(struct load *l, double t)
{
    struct lead *c = l->c;
    struct warp_at *w = l->w;
    l->done = later(l->done, t);
    if (--l->pending > 0)
        return;
    replay_tell(c);
    w->held -= l->holds;
    if (l->holds)
        w->front = later(w->front, l->done);
    for (int i = 0; l->op && i < l->op->defs; i++)
        w->board[l->op->def[i]] = l->done;
    if (l->op) {
        w->done = later(w->done, l->done);
        w->pending--;
    }
    if (w->ends && !w->pending) {
        end_warp(c, w);
    } else if (w->live && !w->waits) {
        struct sched_at *s = &c->sched[(w - c->warp) % c->r->cfg->sm.schedulers];
        find_ready(c, w);
        if (s->slot < 0 || c->ready[w - c->warp] <= s->when)
            s->asked = false;
    }
    replay_load_over(c->r, l);
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

/* When there is room for it in front of its unit. */
static double room(struct lead *c, const struct warp_at *w)
{
    const struct inst_meta *m = w->op->m;
    if (m->cls == CLASS_MEM)
        return c->mem_left[c->mem_at % MEM_DEPTH] - 2;
    const int unit = unit_of(c, m->cls);
    return c->unit_left[unit][c->unit_at[unit] % c->r->ahead[unit]];
}

/* When its registers are written. */
static double start_inst(struct lead *c, const struct op *op, double t)
{
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
    const bool mem = op->m->cls == CLASS_MEM;
    const double done = mem ? REPLAY_NEVER : start_inst(c, op, t);
    for (int i = 0; i < op->defs; i++)
        w->board[op->def[i]] = done;
    if (mem)
        replay_mem(c, w, e, op, t);
    else
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
    find_ready(c, w);
    if (op->barrier) {
        w->waits = true;
        set_ready(c, w, REPLAY_NEVER);
        open_barrier(c, w->slot, t);
    }
}

/* Of a scheduler's warps those that may issue when the first of them may, *t at the earliest. */
static uint64_t first_ready(const struct lead *c, const struct sched_at *s, double *t)
{
    const uint64_t known = c->known & s->view.owned;
    double first = REPLAY_NEVER;
    uint64_t among = 0;
    for (uint64_t m = known; m; m &= m - 1) {
        const int i = __builtin_ctzll(m);
        first = c->ready[i] < first ? c->ready[i] : first;
        among |= (uint64_t)(c->ready[i] <= *t) << i;
    }
    if (among || !known)
        return among;
    *t = ceil(first);
    for (uint64_t m = known; m; m &= m - 1) {
        const int i = __builtin_ctzll(m);
        among |= (uint64_t)(c->ready[i] <= *t) << i;
    }
    return among;
}

/* A warp finds no room in front of its unit before t. */
static void no_room_until(struct lead *c, int slot, double t)
{
    set_ready(c, &c->warp[slot], t);
    c->mem_waits |= (uint64_t)(t >= REPLAY_NEVER) << slot;
}

/* The warp that a scheduler takes next, and when. */
static void ask(struct lead *c, int scheduler)
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
            const double free = room(c, &c->warp[s->slot]);
            if (free <= s->when)
                return;
            no_room_until(c, s->slot, free);
            among &= ~(1ull << s->slot);
        }
    }
    s->slot = -1;
}

void replay_find_next(struct lead *c)
{
    struct replay *r = c->r;
    double first = c->ldst_at;
    c->next = NULL;
    c->ldst_first = first < REPLAY_NEVER;
    for (uint64_t m = more(c) ? c->vacant : 0; m; m &= m - 1) {
        const int place = __builtin_ctzll(m);
        if (c->cta[place].done + 1 < first) {
            c->place = place;
            c->ldst_first = false;
            first = c->cta[place].done + 1;
        }
    }
    for (int i = 0; i < r->cfg->sm.schedulers; i++) {
        struct sched_at *s = &c->sched[i];
        if (!s->asked)
            ask(c, i);
        if (s->slot >= 0 && s->when < first) {
            c->next = s;
            c->ldst_first = false;
            first = s->when;
        }
    }
    r->when[c->number] = first;
}

static void issue_next(struct lead *c)
{
    struct sched_at *s = c->next;
    struct warp_at *w = &c->warp[s->slot];
    const double t = s->when, free = room(c, w);
    s->asked = false;
    if (free > t) { /* another scheduler's warp was faster */
        no_room_until(c, s->slot, free);
        return;
    }
    c->r->policy->on_issue(s->state, &s->view, s->slot);
    s->next_issue = t + c->r->cfg->sm.issue_interval;
    issue(c, w, t);
}

/* Warps that found no room in front of it look again when there is some. */
static void ldst_goes_on(struct lead *c)
{
    replay_ldst(c);
    if (!c->mem_waits || c->mem_left[c->mem_at % MEM_DEPTH] >= REPLAY_NEVER)
        return;
    for (uint64_t m = c->mem_waits; m; m &= m - 1) {
        struct warp_at *w = &c->warp[__builtin_ctzll(m)];
        if (w->live && !w->waits)
            find_ready(c, w);
    }
    c->mem_waits = 0;
    ask_again(c);
}

void replay_goes_on(struct lead *c)
{
    struct replay *r = c->r;
    if (c->ldst_first) {
        ldst_goes_on(c);
    } else if (c->next) {
        issue_next(c);
    } else if (more(c)) { /* else others got the last ones meanwhile */
        c->vacant &= ~(1ull << c->place);
        replay_start_cta(c, c->place, r->when[c->number]);
    }
    replay_tell(c);
}
