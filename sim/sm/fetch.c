/* Fetch and decode. One warp a cycle reads 16 bytes, two instructions, from the L1I into its
 * buffer, and only when the buffer is empty; round robin. A fetched block is decoded in the next
 * cycle. The same round takes warps off the core that are done and have nothing in flight
 * (GPGPU-Sim 3.2.1 looks at a warp for either reason only until it has found one to fetch for). */
#include "sim/sm/core.h"

#define FETCH_BYTES 16

void head_changed(struct sm *s, int slot)
{
    struct warp_slot *ws = &s->warp[slot];
    struct warp_sets *w = &s->set;
    const uint64_t bit = 1ull << slot;
    const struct inst_meta *m = ws->head;
    w->cls[ws->cls] &= ~bit;
    if (m && m->pc == ws->at.pc) {
        w->empty &= ~bit;
        w->wrong &= ~bit;
        w->cls[m->cls] |= bit;
        ws->cls = m->cls;
        board_check(s, slot);
        return;
    }
    w->ready &= ~bit;
    w->dep_mem &= ~bit;
    w->dep_long &= ~bit;
    w->dep_alu &= ~bit;
    w->wrong = m ? w->wrong | bit : w->wrong & ~bit;
    w->empty = m ? w->empty & ~bit : w->empty | (bit & ~w->done);
    mark_dirty(s, slot);
}

void buffer_flush(struct sm *s, int slot)
{
    struct warp_slot *ws = &s->warp[slot];
    ws->in_pipe = (uint16_t)(ws->in_pipe - (ws->head != NULL) - ws->second);
    ws->head = NULL;
    ws->second = false;
    head_changed(s, slot);
}

void decode_tick(struct sm *s, cycle_t now)
{
    if (s->fetch_slot < 0 || s->fetch_ready > now)
        return;
    struct warp_slot *ws = &s->warp[s->fetch_slot];
    const struct inst_meta *m = &s->meta[s->fetch_pc];
    ws->head = m;
    ws->second = m->in && m[1].in;
    ws->in_pipe = (uint16_t)(ws->in_pipe + 1 + ws->second);
    head_changed(s, s->fetch_slot);
    s->fetch_slot = -1;
}

static int first_from(uint64_t set, int start)
{
    const uint64_t behind = set & ~0ull << start;
    return __builtin_ctzll(behind ? behind : set);
}

/* Slots from start up to, not including, end; going round. */
static uint64_t range(int start, int end)
{
    const uint64_t from = ~0ull << start, to = (1ull << end) - 1;
    return start <= end ? from & to : from | to;
}

static void warps_leave(struct sm *s, uint64_t leaving, cycle_t now)
{
    for (; leaving; leaving &= leaving - 1)
        sm_warp_left(s, __builtin_ctzll(leaving), now);
}

static void block_arrives(struct sm *s, int slot, cycle_t now)
{
    s->fetch_slot = slot;
    s->fetch_pc = s->warp[slot].fetch_pc;
    s->fetch_ready = now + 1 + (cycle_t)s->env.mem->l1i.hit_latency;
    s->set.empty &= ~(1ull << slot);
}

static void wait_for_block(struct sm *s, int slot)
{
    s->set.fetching |= 1ull << slot;
    s->set.empty &= ~(1ull << slot);
    mark_dirty(s, slot);
}

/* Without an L1I every block is read from memory, for one use. */
static void fetch_uncached(struct sm *s, int slot, addr_t addr, cycle_t now)
{
    const uint64_t bit = 1ull << slot;
    if (s->set.fetched & bit) {
        s->set.fetched &= ~bit;
        block_arrives(s, slot, now);
        return;
    }
    struct mem_req *r = req_get(s->env.pool);
    r->addr = addr;
    r->bytes = FETCH_BYTES;
    r->core = (uint16_t)s->id;
    r->kind = REQ_INST_READ;
    r->warp = slot;
    r->stamp[STAGE_CREATED] = now;
    addrmap_set(s->env.map, r);
    if (!sm_send(s, r, now)) {
        req_put(s->env.pool, r);
        return;
    }
    wait_for_block(s, slot);
}

/* The line behind the one that was asked for, unless memory is busy (Park et al., 3.5). */
static void prefetch(struct sm *s, addr_t addr, cycle_t now)
{
    const int used = l1_mshrs_used(s->l1i) + (s->ldst.l1d ? l1_mshrs_used(s->ldst.l1d) : 0);
    if (used >= s->prefetch_below || !l1_prefetch(s->l1i, addr + (addr_t)s->env.mem->l1i.line, now))
        return;
    s->prefetches++;
    s->l1i_works = true;
}

static void fetch_for(struct sm *s, int slot, cycle_t now)
{
    const addr_t addr = s->code + (addr_t)s->warp[slot].fetch_pc * SM_INST_BYTES;
    s->last_fetched = slot;
    if (!s->l1i) {
        fetch_uncached(s, slot, addr, now);
        return;
    }
    const struct l1_access a = {.addr = addr & ~(addr_t)(SM_INST_BYTES - 1),
                                .bytes = SM_INST_BYTES,
                                .kind = REQ_INST_READ,
                                .warp = slot,
                                .token = -1};
    const enum l1_result r = l1_access(s->l1i, &a, now);
    s->l1i_works |= r != L1_HIT;
    if (s->prefetch_below && !l1_refused(r))
        prefetch(s, addr, now);
    if (r == L1_HIT) {
        block_arrives(s, slot, now);
    } else if (!l1_refused(r)) {
        wait_for_block(s, slot);
    }
}

static void misses(struct sm *s, cycle_t now)
{
    if (!s->l1i_works)
        return;
    if (!l1_miss_queue_empty(s->l1i))
        l1_cycle(s->l1i, now);
    if (!l1_has_ready(s->l1i)) {
        s->l1i_works = !l1_miss_queue_empty(s->l1i);
        return;
    }
    struct mem_req *r = l1_next_ready(s->l1i);
    while (r && r->warp < 0) { /* fetched ahead: no warp waits for it */
        req_put(s->env.pool, r);
        r = l1_next_ready(s->l1i);
    }
    if (!r)
        return;
    const uint64_t bit = 1ull << r->warp;
    s->set.fetching &= ~bit;
    s->set.empty |= bit;
    mark_dirty(s, r->warp);
    req_put(s->env.pool, r);
}

/* By the policy: the schedulers of the core take turns. */
static int fetch_by_policy(struct sm *s, cycle_t now)
{
    for (int i = 1;; i++) {
        const int turn = (s->fetch_turn + i) % s->cfg->schedulers;
        struct scheduler *c = &s->sched[turn];
        const uint64_t among = s->set.empty & c->view.owned;
        if (!among)
            continue;
        c->view.now = now;
        const int slot = s->policy->fetch(c->state, &c->view, among);
        s->fetch_turn = slot == SCHED_ROUND_ROBIN ? s->fetch_turn : turn;
        return slot;
    }
}

void fetch_tick(struct sm *s, cycle_t now)
{
    if (s->fetch_slot < 0 && s->set.empty | s->set.leaving) {
        const int start = s->last_fetched + 1 < s->warps ? s->last_fetched + 1 : 0;
        int slot = s->set.empty && s->policy->fetch ? fetch_by_policy(s, now) : SCHED_ROUND_ROBIN;
        if (slot == SCHED_ROUND_ROBIN)
            slot = s->set.empty ? first_from(s->set.empty, start) : -1;
        if (s->set.leaving)
            warps_leave(s, slot < 0 ? s->set.leaving : s->set.leaving & range(start, slot), now);
        if (slot >= 0)
            fetch_for(s, slot, now);
    }
    misses(s, now);
}

bool fetch_active(const struct sm *s)
{
    return s->fetch_slot >= 0 || s->set.empty | s->set.leaving ||
           (s->l1i_works && (!l1_miss_queue_empty(s->l1i) || l1_has_ready(s->l1i)));
}
