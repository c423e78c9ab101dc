/* Issue. Each scheduler looks at its warps in its policy's order: a warp whose buffered instruction
 * is not the one that it must execute next (a branch went elsewhere) loses its buffer, the first
 * one that is ready and whose unit has room issues; its source executes it then. A scheduler
 * whose warps did not change since it last looked is not asked again: its answer stands. */
#include "sim/sm/core.h"

/* An instruction may have let other warps of the CTA go (barrier) or made this one wait. */
static void refresh_barriers(struct sm *s, const struct cta_slot *c, int first)
{
    const uint32_t waiting = s->source->waiting(c->cta);
    for (int i = 0; i < s->warps_per_cta; i++) {
        const uint64_t bit = 1ull << (first + i);
        const bool waits = waiting >> i & 1 && !(s->set.done & bit);
        if (waits == !!(s->set.barrier & bit))
            continue;
        s->set.barrier ^= bit;
        held_changed(&s->set);
        mark_dirty(s, first + i);
    }
}

void sm_barriers_opened(struct sm *s, cycle_t now)
{
    const uint64_t before = s->set.barrier;
    for (int c = 0; c < s->cta_limit; c++)
        if (s->cta[c].warps_left)
            refresh_barriers(s, &s->cta[c], c * s->warps_per_cta);
    if (s->set.barrier != before && s->wake > now + 1)
        s->wake = now + 1;
}

static void warp_finished(struct sm *s, int slot)
{
    const uint64_t bit = 1ull << slot;
    s->set.done |= bit;
    s->set.empty &= ~bit;
    held_changed(&s->set);
    warp_settled(s, slot);
}

static struct op *op_start(struct sm *s, int slot, const struct inst_meta *m, uint32_t *index)
{
    *index = op_new(s);
    struct op *o = &s->op[*index];
    *o = (struct op){
        .m = m, .seq = s->next_seq++, .list = NO_OP, .warp = (uint8_t)slot, .bank = s->bank0[slot]};
    return o;
}

/* GPGPU-Sim 3.2.1 lets a fence pass as soon as the warp's loads are back (fence_stores: false). */
static void fence(struct sm *s, int slot)
{
    const struct warp_slot *ws = &s->warp[slot];
    if (ws->pending || ws->atomics || (s->cfg->fence_stores && ws->stores) ||
        s->ldst.reexec.of_warp[slot])
        s->set.fence |= 1ull << slot;
    held_changed(&s->set);
}

static void memory_op(struct sm *s, struct op *o, int slot)
{
    struct warp_slot *ws = &s->warp[slot];
    mem_generate(s, o, ws);
    ws->stores = (uint16_t)(ws->stores + o->store);
    if (ws->atomics && s->cfg->atomics_block) {
        s->set.atomic |= 1ull << slot;
        held_changed(&s->set);
    }
    if (o->m->fence)
        fence(s, slot);
}

/* The buffer moves on by one; a warp that ended, wholly or in part, loses it. */
static void advance(struct sm *s, int slot, const struct inst_meta *m, lanes_t live_before)
{
    struct warp_slot *ws = &s->warp[slot];
    ws->head = ws->second ? m + 1 : NULL;
    ws->second = false;
    ws->fetch_pc = m->pc + 1;
    if (ws->at.live != live_before)
        buffer_flush(s, slot);
    else
        head_changed(s, slot);
}

/* Where an instruction of the class goes, given that there is room: SP first if both units can. */
static enum pipe route(const struct sm *s, enum pipe_class cls)
{
    switch (cls) {
    case CLASS_SFU:
        return PIPE_SFU;
    case CLASS_MEM:
        return PIPE_MEM;
    case CLASS_DP:
        return PIPE_DP;
    case CLASS_EITHER:
        return stage_full(&s->oc.pipe[PIPE_SP].in) ? PIPE_SFU : PIPE_SP;
    default:
        return PIPE_SP;
    }
}

/* By instruction. */
static void count_issue(struct sm *s, struct scheduler *c, const struct op *o, cycle_t now)
{
    struct inst_counts *n = &s->counts[o->m->pc];
    account_cause(c, CAUSE_ISSUED, now); /* until now it was another's */
    c->blamed = n;
    n->issued++;
    n->thread_insts += (uint64_t)count_bits(s->step.active);
    if (o->m->cls == CLASS_MEM && s->step.active && s->step.bytes) {
        n->accesses++;
        n->transactions += o->list == NO_OP ? 0 : (uint64_t)s->list[o->list].n;
    }
}

static void issue(struct sm *s, struct scheduler *c, int slot, cycle_t now)
{
    struct warp_slot *ws = &s->warp[slot];
    const struct inst_meta *m = ws->head;
    const lanes_t live = ws->at.live;
    if (m->reads_clock)
        s->source->set_time(s->cta[ws->cta].cta, now, s->env.core_period_ps * now);
    if (!s->source->step(ws->w, &s->step, &ws->at)) {
        s->fault = s->source->fault(s->cta[ws->cta].cta);
        return;
    }
    uint32_t index;
    struct op *o = op_start(s, slot, m, &index);
    s->st.warp_insts++;
    s->polls += m->polls;
    if (m->polls || s->polling)
        account_polls(s, slot, m->polls && !s->step.warp_done, now);
    s->issued[slot] = now;
    s->cta[ws->cta].warp_insts++;
    s->st.thread_insts +=
        s->step.active == LANES_ALL ? WARP_SIZE : (uint64_t)count_bits(s->step.active);
    if (m->cls == CLASS_MEM)
        memory_op(s, o, slot);
    if (s->counts)
        count_issue(s, c, o, now);
    board_reserve(s, slot, m);
    collector_take(s, route(s, ws->cls), index);
    if (s->step.warp_done)
        warp_finished(s, slot);
    advance(s, slot, m, live);
    if (m->barrier || s->step.arrives || s->step.warp_done)
        refresh_barriers(s, &s->cta[ws->cta], ws->cta * s->warps_per_cta);
    if (s->policy->issued)
        s->policy->issued(c->state, &c->view, slot, m);
}

/* Warps whose instruction finds no room in front of its collectors. */
static uint64_t without_room(const struct sm *s)
{
    const uint64_t *cls = s->set.cls;
    const bool sp = stage_full(&s->oc.pipe[PIPE_SP].in), sfu = stage_full(&s->oc.pipe[PIPE_SFU].in);
    uint64_t set = 0;
    if (sp)
        set |= cls[CLASS_SP] | (sfu ? cls[CLASS_EITHER] : 0);
    if (sfu)
        set |= cls[CLASS_SFU];
    if (stage_full(&s->oc.pipe[PIPE_DP].in))
        set |= cls[CLASS_DP];
    if (stage_full(&s->oc.pipe[PIPE_MEM].in))
        set |= cls[CLASS_MEM];
    return set;
}

/* Why nothing issued; the first that holds for one of the scheduler's warps (sim/sm/README.md).
 * held_back: ready, but not admitted. */
static enum cause why(const struct sm *s, uint64_t owned, uint64_t ready, uint64_t held_back)
{
    const struct warp_sets *w = &s->set;
    const uint64_t resident = w->resident & owned;
    if (ready)
        return ready & w->cls[CLASS_MEM] ? CAUSE_MEM_UNIT : CAUSE_ALU_UNIT;
    if (held_back)
        return CAUSE_POLICY;
    if (!resident)
        return s->resident_ctas ? CAUSE_IDLE : CAUSE_NONE;
    if (resident & ((w->dep_mem & ~w->held) | w->atomic | w->fence))
        return CAUSE_MEM_DEP;
    if (resident & w->dep_alu & ~w->held)
        return CAUSE_ALU_DEP;
    return resident & ~w->held ? CAUSE_FETCH : CAUSE_BARRIER;
}

/* Warps of paused CTAs, but for those that have not issued for long. */
static uint64_t still_paused(const struct sm *s, cycle_t now)
{
    uint64_t paused = s->set.paused;
    for (uint64_t m = s->patience ? paused : 0; m; m &= m - 1)
        if (now - s->issued[__builtin_ctzll(m)] >= s->patience)
            paused &= ~(m & -m);
    return paused;
}

/* Warps that may be looked at. Those of paused CTAs: only while no other warp of the core is ready
 * (Kayiran et al. 2013, IV-C). */
static uint64_t admitted(struct sm *s, struct scheduler *c, cycle_t now)
{
    const struct warp_sets *w = &s->set;
    uint64_t may = ~w->held;
    c->view.now = now;
    bool again = false;
    const uint64_t paused = w->paused ? still_paused(s, now) : 0;
    if (paused && w->ready & ~w->held & ~paused) {
        again = (w->ready | w->wrong) & ~w->held & paused; /* those of other schedulers may stop */
        may &= ~paused;
    }
    if (s->policy->admit) {
        bool ask = false;
        may &= s->policy->admit(c->state, &c->view, &ask);
        again |= ask;
    }
    s->again |= (uint32_t)again << c->view.scheduler;
    return may;
}

static enum cause schedule(struct sm *s, struct scheduler *c, cycle_t now)
{
    const struct warp_sets *w = &s->set;
    const uint64_t may = c->view.owned & admitted(s, c, now), ready = w->ready & may;
    const uint64_t held_back = w->ready & c->view.owned & ~w->held & ~may;
    if (now < c->next_issue)
        return ready ? CAUSE_ALU_UNIT : why(s, c->view.owned, 0, held_back);
    uint64_t among = (ready & ~without_room(s)) | (w->wrong & may);
    while (among) {
        const int slot = among & (among - 1) ? s->policy->pick(c->state, &c->view, among)
                                             : __builtin_ctzll(among);
        struct warp_slot *ws = &s->warp[slot];
        if (!(w->wrong >> slot & 1)) {
            issue(s, c, slot, now);
            c->next_issue = now + (cycle_t)s->cfg->issue_interval;
            return CAUSE_ISSUED;
        }
        ws->fetch_pc = ws->at.pc;
        buffer_flush(s, slot);
        among &= ~(1ull << slot);
    }
    return why(s, c->view.owned, ready, held_back);
}

/* The scheduler's warps that wait for the reason that why() gave. */
static uint64_t whose(const struct sm *s, const struct scheduler *c, enum cause cause)
{
    const struct warp_sets *w = &s->set;
    const uint64_t resident = w->resident & c->view.owned, free = resident & ~w->held;
    switch (cause) {
    case CAUSE_MEM_UNIT:
        return free & w->ready & w->cls[CLASS_MEM];
    case CAUSE_ALU_UNIT:
    case CAUSE_POLICY:
        return free & w->ready;
    case CAUSE_MEM_DEP:
        return (free & w->dep_mem) | (resident & (w->atomic | w->fence));
    case CAUSE_ALU_DEP:
        return free & w->dep_alu;
    case CAUSE_FETCH:
        return free;
    case CAUSE_BARRIER:
        return resident & w->barrier;
    default:
        return 0;
    }
}

/* The instruction that the oldest of these warps waits with: its next; at a barrier, the barrier.
 */
static struct inst_counts *blame(const struct sm *s, const struct scheduler *c, enum cause cause)
{
    if (cause == CAUSE_ISSUED)
        return c->blamed; /* by issue() */
    uint64_t set = whose(s, c, cause);
    if (!set)
        return NULL;
    int oldest = __builtin_ctzll(set);
    for (; set; set &= set - 1)
        if (s->age[__builtin_ctzll(set)] < s->age[oldest])
            oldest = __builtin_ctzll(set);
    uint32_t pc = s->warp[oldest].at.pc;
    if (cause == CAUSE_BARRIER && pc > 0 && s->meta[pc - 1].barrier)
        pc--;
    return s->meta[pc].in ? &s->counts[pc] : NULL;
}

/* Who is blamed may change while the cause stays. */
static void account_blame(struct sm *s, struct scheduler *c, enum cause cause, cycle_t now)
{
    struct inst_counts *blamed = blame(s, c, cause);
    account_cause(c, cause, now);
    c->blamed = blamed;
}

static void ask(struct sm *s, int scheduler, cycle_t now)
{
    struct scheduler *c = &s->sched[scheduler];
    const uint32_t bit = 1u << scheduler;
    const enum cause cause = schedule(s, c, now);
    s->dirty &= ~bit;
    s->no_room &= ~bit;
    if (now < c->next_issue || s->again & bit)
        s->dirty |= bit;
    s->again &= ~bit;
    if (cause == CAUSE_MEM_UNIT || cause == CAUSE_ALU_UNIT)
        s->no_room |= bit;
    if (s->counts)
        account_blame(s, c, cause, now);
    else if (cause != c->cause)
        account_cause(c, cause, now);
}

void issue_tick(struct sm *s, cycle_t now)
{
    if (!s->dirty)
        return;
    const uint32_t dirty = s->dirty;
    s->dirty = 0;
    for (int i = 0; i < s->cfg->schedulers && !s->fault; i++)
        if ((dirty | s->dirty) >> i & 1) /* an earlier one may have opened a barrier */
            ask(s, i, now);
}
