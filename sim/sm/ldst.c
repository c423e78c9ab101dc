/* The LD/ST unit. In one cycle, in this order: the result chosen last is written back and the next
 * one chosen (five clients, round robin), operand collectors step, the pipeline behind shared
 * memory moves, one reply is taken in, caches send a miss each, and the dispatched instruction does
 * one step: one cycle of shared memory, or one transaction to a cache or to memory. */
#include "sim/sm/core.h"

#include <stdlib.h>

static bool cache_push(void *ctx, struct mem_req *r, cycle_t now)
{
    return sm_send(ctx, r, now);
}

/* The warp scheduler of the warp hears of it. */
static void l1d_event(void *ctx, int slot, enum l1_event what, addr_t line)
{
    struct sm *s = ctx;
    struct scheduler *c = &s->sched[slot % s->cfg->schedulers];
    c->view.now = s->last_tick;
    s->policy->l1d(c->state, &c->view, slot, what, line);
}

static struct l1_cache *cache_new(struct sm *s, const struct cache_cfg *cfg, enum l1_role role)
{
    const bool listens = role == L1_ROLE_DATA && s->policy->l1d;
    const struct l1_env env = {.cfg = cfg,
                               .map = s->env.map,
                               .pool = s->env.pool,
                               .port = {s, cache_push},
                               .core = s->id,
                               .event = listens ? l1d_event : NULL,
                               .event_ctx = s};
    return cfg->enabled ? l1_new(&env, role) : NULL;
}

static void late_init(struct late_hits *h, int latency)
{
    uint32_t size = 1;
    while (size < (uint32_t)latency + 1)
        size *= 2;
    h->mask = size - 1;
    h->ring = latency ? xcalloc(size, sizeof *h->ring) : NULL;
}

void ldst_init(struct sm *s)
{
    struct ldst *d = &s->ldst;
    d->l1d = cache_new(s, &s->env.mem->l1d, L1_ROLE_DATA);
    d->l1c = cache_new(s, &s->env.mem->l1c, L1_ROLE_CONST);
    s->l1i = cache_new(s, &s->env.mem->l1i, L1_ROLE_INST);
    fifo_init(&d->responses, (uint32_t)s->cfg->response_fifo);
    d->dispatch = d->next_wb = NO_OP;
    d->shared[0] = d->shared[1] = d->shared[2] = NO_OP;
    late_init(&d->late_d, s->env.mem->l1d.hit_latency);
    late_init(&d->late_c, s->env.mem->l1c.hit_latency);
    late_init(&d->late_r, s->cfg->remote_shared_latency);
    texture_init(s);
    reexec_init(s);
}

void ldst_fini(struct sm *s)
{
    l1_free(s->ldst.l1d);
    l1_free(s->ldst.l1c);
    tex_free(s->ldst.l1t);
    l1_free(s->l1i);
    fifo_fini(&s->ldst.responses);
    free(s->ldst.late_d.ring);
    free(s->ldst.late_c.ring);
    free(s->ldst.late_r.ring);
    reexec_fini(&s->ldst.reexec);
}

/* All of a load's data is there. */
void load_complete(struct sm *s, uint32_t op)
{
    const struct op *o = &s->op[op];
    board_release(s, o->warp, o->m);
    warp_settled(s, o->warp);
    op_put(s, op);
}

static void data_back(struct sm *s, uint32_t op)
{
    if (--s->op[op].pending == 0)
        load_complete(s, op);
}

/* ---- Write-back ---- */
static void atomic_back(struct sm *s, int slot)
{
    if (--s->warp[slot].atomics)
        return;
    s->set.atomic &= ~(1ull << slot);
    held_changed(&s->set);
    mark_dirty(s, slot);
}

static uint32_t take_request(struct sm *s, struct mem_req *r)
{
    const uint32_t op = (uint32_t)r->token;
    req_put(s->env.pool, r);
    return op;
}

static bool client_ready(const struct ldst *d, int client)
{
    switch (client) {
    case WB_SHARED:
        return d->shared[0] != NO_OP;
    case WB_CONST:
        return d->l1c_ready;
    case WB_UNCACHED:
        return d->uncached != NULL;
    case WB_L1D:
        return d->l1d_ready;
    default:
        return d->l1t_works && tex_ready(d->l1t);
    }
}

static uint32_t client_take(struct sm *s, int client)
{
    struct ldst *d = &s->ldst;
    uint32_t op;
    switch (client) {
    case WB_SHARED:
        op = d->shared[0];
        d->shared[0] = NO_OP;
        s->op[op].pending = 1; /* completes when its result is written */
        s->warp[s->op[op].warp].in_pipe--;
        if (s->op[op].atomic)
            atomic_back(s, s->op[op].warp);
        return op;
    case WB_TEX:
        return (uint32_t)tex_take(d->l1t);
    case WB_CONST:
        op = take_request(s, l1_next_ready(d->l1c));
        d->l1c_ready = l1_has_ready(d->l1c);
        return op;
    case WB_UNCACHED:
        if (d->uncached->kind == REQ_ATOMIC)
            atomic_back(s, d->uncached->warp);
        op = take_request(s, d->uncached);
        d->uncached = NULL;
        return op;
    default:
        op = take_request(s, l1_next_ready(d->l1d));
        d->l1d_ready = l1_has_ready(d->l1d);
        return op;
    }
}

static bool any_client(const struct ldst *d)
{
    return d->shared[0] != NO_OP || d->l1c_ready || d->l1d_ready || d->uncached ||
           (d->l1t_works && tex_ready(d->l1t));
}

static void write_back(struct sm *s)
{
    struct ldst *d = &s->ldst;
    if (d->next_wb != NO_OP) {
        d->wb_waits = !collector_write(s, &s->op[d->next_wb]);
        if (d->wb_waits)
            return; /* a result of the SP or SFU units has the bank: next cycle */
        data_back(s, d->next_wb);
        d->next_wb = NO_OP;
    }
    if (!any_client(d))
        return;
    int client = d->wb_first;
    while (!client_ready(d, client))
        client = (client + 1) % WB_CLIENTS;
    d->next_wb = client_take(s, client);
    d->wb_first = (client + 1) % WB_CLIENTS;
    d->wb_waits = any_client(d);
}

static void shared_pipeline(struct ldst *d)
{
    for (int i = 0; i < 2; i++)
        if (d->shared[i] == NO_OP) {
            d->shared[i] = d->shared[i + 1];
            d->shared[i + 1] = NO_OP;
        }
}

/* ---- Replies ---- */
static void store_acknowledged(struct sm *s, struct mem_req *r)
{
    s->warp[r->warp].stores--;
    warp_settled(s, r->warp);
    req_put(s->env.pool, r);
}

static void take_response(struct sm *s, cycle_t now)
{
    struct ldst *d = &s->ldst;
    struct mem_req *r = fifo_peek(&d->responses, now);
    if (!r)
        return;
    if (r->write) {
        store_acknowledged(s, r);
    } else if (r->bypass_l1) {
        if (d->uncached)
            return;
        d->uncached = r;
    } else if (r->kind == REQ_TEX_READ) {
        tex_fill(d->l1t, r);
    } else if (r->kind == REQ_CONST_READ) {
        l1_fill(d->l1c, r, now);
        d->l1c_ready = true;
    } else {
        l1_fill(d->l1d, r, now);
        d->l1d_ready = true;
    }
    fifo_pop(&d->responses, now);
}

static void caches_send(struct sm *s, cycle_t now)
{
    struct ldst *d = &s->ldst;
    if (d->l1t_works)
        texture_tick(s, now);
    if (d->l1c_sends) {
        l1_cycle(d->l1c, now);
        d->l1c_sends = !l1_miss_queue_empty(d->l1c);
    }
    if (d->l1d_sends) {
        l1_cycle(d->l1d, now);
        d->l1d_sends = !l1_miss_queue_empty(d->l1d);
    }
}

/* ---- Dispatch ---- */
static uint8_t kind_of(const struct op *o)
{
    if (o->atomic)
        return REQ_ATOMIC;
    if (o->space == SP_CONST || o->space == SP_PARAM)
        return REQ_CONST_READ;
    if (o->space == SP_TEX)
        return REQ_TEX_READ;
    if (o->space == SP_LOCAL)
        return o->store ? REQ_LOCAL_WRITE : REQ_LOCAL_READ;
    return o->store ? REQ_GLOBAL_WRITE : REQ_GLOBAL_READ;
}

static bool send_past_caches(struct sm *s, uint32_t op, const struct txn *t, cycle_t now)
{
    const struct op *o = &s->op[op];
    struct mem_req *r = req_get(s->env.pool);
    r->addr = r->line = t->addr;
    r->bytes = t->bytes;
    r->core = (uint16_t)s->id;
    r->kind = kind_of(o);
    r->write = o->store;
    r->bypass_l1 = true;
    r->warp = o->warp;
    r->token = o->load ? (int32_t)op : -1;
    r->stamp[STAGE_CREATED] = now;
    addrmap_set(s->env.map, r);
    if (!sm_send(s, r, now)) {
        req_put(s->env.pool, r);
        return false;
    }
    if (o->store)
        s->warp[o->warp].stores++;
    return true;
}

static void hit(struct sm *s, uint32_t op, struct late_hits *late, int latency, cycle_t now)
{
    if (!late->ring) {
        s->op[op].pending--; /* dispatch itself looks whether it was the last */
        return;
    }
    late->ring[(late->head + late->len++) & late->mask] =
        (struct late_hit){op, now + (cycle_t)latency};
}

static void late_hits_land(struct sm *s, struct late_hits *late, cycle_t now)
{
    while (late->len && late->ring[late->head].at <= now) {
        const uint32_t op = late->ring[late->head].op;
        late->head = (late->head + 1) & late->mask;
        late->len--;
        if (s->op[op].atomic)
            atomic_back(s, s->op[op].warp);
        data_back(s, op);
    }
}

static bool send_to_cache(struct sm *s, uint32_t op, const struct txn *t, cycle_t now)
{
    const struct op *o = &s->op[op];
    struct ldst *d = &s->ldst;
    const bool constant = o->space == SP_CONST || o->space == SP_PARAM;
    const struct l1_access a = {.addr = t->addr,
                                .bytes = t->bytes,
                                .kind = kind_of(o),
                                .write = o->store,
                                .warp = o->warp,
                                .token = (int32_t)op};
    const enum l1_result r = l1_access(constant ? d->l1c : d->l1d, &a, now);
    d->refused = l1_refused(r) ? r : L1_HIT;
    d->refused_by = constant ? BY_L1C : BY_L1D;
    if (l1_refused(r))
        return false;
    if (s->counts && !constant && r != L1_STORED) {
        s->counts[o->m->pc].l1d_accesses++;
        s->counts[o->m->pc].l1d_misses += r == L1_MISS;
    }
    if (r == L1_STORED)
        s->warp[o->warp].stores++;
    else if (r == L1_HIT && o->load)
        hit(s, op, constant ? &d->late_c : &d->late_d,
            constant ? s->env.mem->l1c.hit_latency : s->env.mem->l1d.hit_latency, now);
    if (r != L1_HIT && constant)
        d->l1c_sends = true;
    else if (r != L1_HIT)
        d->l1d_sends = true;
    if (s->trace && !constant && (o->load || o->space == SP_LOCAL))
        line_set_add(&s->cta[s->warp[o->warp].cta].lines,
                     t->addr & ~((addr_t)s->env.mem->l1d.line - 1));
    return true;
}

static void dispatch_done(struct sm *s)
{
    const uint32_t op = s->ldst.dispatch;
    const struct op *o = &s->op[op];
    const int slot = o->warp;
    s->ldst.dispatch = NO_OP;
    s->warp[slot].in_pipe--;
    s->warp[slot].stores = (uint16_t)(s->warp[slot].stores - o->store);
    if (o->list != NO_OP) {
        s->list_free[s->list_free_n++] = o->list;
        s->op[op].list = NO_OP;
    }
    if (!o->load && !o->queued)
        op_put(s, op);
    else if (o->load && !o->pending)
        load_complete(s, op);
    warp_settled(s, slot);
}

static void shared_access(struct sm *s, cycle_t now)
{
    struct ldst *d = &s->ldst;
    struct op *o = &s->op[d->dispatch];
    if (o->conflict > 1) {
        o->conflict--;
        s->st.shared_conflict_cycles++;
        if (s->counts)
            s->counts[o->m->pc].conflict_cycles++;
        return;
    }
    if (!o->load) {
        dispatch_done(s);
    } else if (o->remote) {
        o->pending = 1;
        hit(s, d->dispatch, &d->late_r, s->cfg->remote_shared_latency, now);
        dispatch_done(s);
    } else if (d->shared[2] == NO_OP) {
        d->shared[2] = d->dispatch;
        d->dispatch = NO_OP;
    }
}

bool ldst_send(struct sm *s, uint32_t op, const struct txn *t, cycle_t now)
{
    const struct op *o = &s->op[op];
    if (o->bypass || (kind_of(o) == REQ_CONST_READ && !s->ldst.l1c))
        return send_past_caches(s, op, t, now);
    return o->space == SP_TEX ? texture_send(s, op, t, now) : send_to_cache(s, op, t, now);
}

static bool send(struct sm *s, uint32_t op, const struct txn *t, cycle_t now)
{
    return s->ldst.reexec.entry ? reexec_send(s, op, t, now) : ldst_send(s, op, t, now);
}

static void dispatch_step(struct sm *s, cycle_t now)
{
    struct ldst *d = &s->ldst;
    const struct op *o = &s->op[d->dispatch];
    if (o->space == SP_SHARED) {
        shared_access(s, now);
        return;
    }
    if (o->list != NO_OP) {
        struct txn_list *l = &s->list[o->list];
        if (l->at < l->n) {
            if (!send(s, d->dispatch, &l->t[l->at], now))
                return;
            l->at++;
        }
        if (l->at < l->n)
            return;
    }
    dispatch_done(s);
}

/* Whether anything but dispatch, late hits and the re-execution queue has something to do. */
static bool moves(const struct sm *s)
{
    const struct ldst *d = &s->ldst;
    return d->next_wb != NO_OP || any_client(d) || !fifo_empty(&d->responses) || d->l1c_sends ||
           d->l1d_sends || texture_moves(s) ||
           (d->shared[0] & d->shared[1] & d->shared[2]) != NO_OP;
}

void ldst_tick(struct sm *s, cycle_t now)
{
    struct ldst *d = &s->ldst;
    d->wb_waits = false;
    if (!d->holds) {
        collector_step(s, now);
        return;
    }
    if (d->reexec.refused && moves(s))
        d->reexec.refused = 0;
    if (d->next_wb != NO_OP || any_client(d))
        write_back(s);
    collector_step(s, now);
    shared_pipeline(d);
    if (!fifo_empty(&d->responses))
        take_response(s, now);
    caches_send(s, now);
    if (d->late_d.len | d->late_c.len | d->late_r.len) {
        late_hits_land(s, &d->late_d, now);
        late_hits_land(s, &d->late_c, now);
        late_hits_land(s, &d->late_r, now);
    }
    const bool retry = reexec_has_turn(s);
    if (d->dispatch != NO_OP)
        dispatch_step(s, now);
    if (retry)
        reexec_try(s, now);
}

void ldst_issue(struct sm *s, cycle_t now)
{
    (void)now;
    struct stage *from = &s->oc.pipe[PIPE_MEM].out;
    if (!from->n || s->ldst.dispatch != NO_OP || reexec_stops_unit(s))
        return;
    s->ldst.dispatch = stage_take(from);
    s->ldst.refused = L1_HIT;
    s->ldst.holds = true;
}

/* A dispatch that a cache refused for want of lines, MSHRs or merges waits for a reply: it is
 * `stuck`, and the core may sleep. */
bool ldst_active(struct sm *s)
{
    struct ldst *d = &s->ldst;
    if (!d->holds)
        return false;
    const bool busy = moves(s), waits = d->dispatch != NO_OP || d->reexec.n;
    d->stuck = !busy && (d->reexec.entry ? reexec_stuck(s) : waits && d->refused != L1_HIT);
    d->holds = busy || waits || d->late_d.len || d->late_c.len || d->late_r.len || d->l1t_works;
    return busy || (waits && !d->stuck);
}

cycle_t ldst_next(const struct sm *s)
{
    const struct late_hits *const late[] = {&s->ldst.late_d, &s->ldst.late_c, &s->ldst.late_r};
    cycle_t next = s->ldst.l1t_works ? tex_next(s->ldst.l1t) : CYCLE_NEVER;
    for (size_t i = 0; i < sizeof late / sizeof *late; i++)
        if (late[i]->len && late[i]->ring[late[i]->head].at < next)
            next = late[i]->ring[late[i]->head].at;
    return next;
}

void ldst_count_refusals(const struct ldst *d, int by, enum l1_result why, uint64_t n)
{
    if (by == BY_TEXTURE)
        tex_repeat_refusal(d->l1t, n);
    else
        l1_repeat_refusal(by == BY_L1C ? d->l1c : d->l1d, why, n);
}

void ldst_repeat_refusal(struct sm *s, uint64_t cycles)
{
    struct ldst *d = &s->ldst;
    if (!d->stuck || !cycles)
        return;
    if (d->reexec.entry)
        reexec_repeat(s, cycles);
    else
        ldst_count_refusals(d, d->refused_by, d->refused, cycles);
}
