/* Where the cycles go. Nothing is counted cycle by cycle: what a scheduler or the core does is
 * noted with the cycle from which on it holds, and added up when it changes. */
#include "sim/sm/core.h"

void account_cause(struct scheduler *c, enum cause cause, cycle_t now)
{
    c->count[c->cause] += now - c->since;
    if (c->blamed)
        c->blamed->cycles[c->cause] += now - c->since;
    c->cause = cause;
    c->since = now;
}

static void close_span(struct sm *s, cycle_t now)
{
    const uint64_t n = now - s->acct_since;
    uint64_t *const count[] = {[CORE_ACTIVE] = &s->st.active_cycles,
                               [CORE_STALLED] = &s->st.stalled_cycles,
                               [CORE_MEM] = &s->st.c_mem_cycles,
                               [CORE_IDLE] = &s->st.c_idle_cycles};
    s->acct_since = now;
    s->st.busy_core_cycles += s->acct_busy ? n : 0;
    *count[s->acct_state] += n;
}

/* Kayiran et al. 2013, III-A and Table III, with our readings: one of four, of all warps of the
 * core, the paused ones too. A scheduler that issues is active for its issue interval, in which the
 * instruction is in front of the lanes. Ready but refused is stalled, whoever refuses: the unit is
 * taken, or the warp scheduler holds the warp back. So is data that has come and waits for the one
 * write-back port of the LD/ST unit. Data means what a load from memory, an atomic or a fence waits
 * for; shared memory and constants are results like those of the arithmetic units. */
static enum core_state core_state(const struct sm *s, cycle_t now)
{
    const struct warp_sets *w = &s->set;
    bool refused = s->ldst.wb_waits;
    for (int i = 0; i < s->cfg->schedulers; i++) {
        const struct scheduler *c = &s->sched[i];
        if (c->next_issue > now)
            return CORE_ACTIVE;
        refused |=
            c->cause == CAUSE_MEM_UNIT || c->cause == CAUSE_ALU_UNIT || c->cause == CAUSE_POLICY;
    }
    if (refused)
        return CORE_STALLED;
    const uint64_t data =
        w->resident & ~(w->barrier | w->done) & (w->dep_long | w->atomic | w->fence);
    return data ? CORE_MEM : CORE_IDLE;
}

void account_core(struct sm *s, cycle_t now)
{
    const enum core_state state = core_state(s, now);
    const bool busy = s->set.resident != 0;
    if (state == s->acct_state && busy == s->acct_busy)
        return;
    close_span(s, now);
    s->acct_state = state;
    s->acct_busy = busy;
}

static void add_causes(struct run_stats *st, const uint64_t *count)
{
    st->sched_issued += count[CAUSE_ISSUED];
    st->sched_idle += count[CAUSE_IDLE];
    st->sched_barrier += count[CAUSE_BARRIER];
    st->sched_fetch += count[CAUSE_FETCH];
    st->sched_mem_dep += count[CAUSE_MEM_DEP];
    st->sched_alu_dep += count[CAUSE_ALU_DEP];
    st->sched_mem_unit += count[CAUSE_MEM_UNIT];
    st->sched_alu_unit += count[CAUSE_ALU_UNIT];
    st->sched_policy += count[CAUSE_POLICY];
    for (int c = 0; c < CAUSE_NONE; c++)
        st->sched_cycles += count[c];
}

void sched_counts_of_launch(const struct sm *s, struct sched_counts *add)
{
    for (int i = 0; s->policy->counts && i < s->cfg->schedulers; i++)
        s->policy->counts(s->sched[i].state, add);
}

void sm_sched_counts(const struct sm *s, struct sched_counts *add)
{
    sched_counts_add(add, &s->counted);
    sched_counts_of_launch(s, add);
    reexec_counts(&s->ldst.reexec, add);
    if (sm_prefetch_below(s->cfg))
        sched_count(add, COUNT_inst_prefetches, s->prefetches);
}

uint64_t sm_issued(const struct sm *s)
{
    return s->st.warp_insts;
}

uint64_t sm_polls(const struct sm *s)
{
    return s->polls;
}

/* Unsigned: what is taken away when waiting begins is given back when it ends. */
void account_polls(struct sm *s, int slot, bool waits, cycle_t now)
{
    const int first = s->warp[slot].cta * s->warps_per_cta;
    const uint64_t bit = 1ull << slot, of_cta = (~0ull >> (64 - s->warps_per_cta)) << first;
    if (waits == !!(s->polling & bit))
        return;
    s->polling ^= bit;
    if (s->polling & of_cta & ~bit) /* another one does */
        return;
    s->cta_polls += waits ? 1 : -1;
    s->cta_poll_cycles += waits ? -now : now;
}

uint64_t sm_waiting(const struct sm *s, cycle_t now)
{
    return s->cta_poll_cycles + (uint64_t)s->cta_polls * now;
}

void sm_activity(struct sm *s, cycle_t now, struct sm_activity *a)
{
    close_span(s, now);
    a->c_mem = s->reported.c_mem_cycles + s->st.c_mem_cycles;
    a->c_idle = s->reported.c_idle_cycles + s->st.c_idle_cycles;
    a->stalled = s->reported.stalled_cycles + s->st.stalled_cycles;
}

/* What is noted with the cycle since when it holds, and what the caches count, joins s->st. */
static void gather(struct sm *s, cycle_t now)
{
    close_span(s, now);
    for (int i = 0; i < s->cfg->schedulers; i++) {
        struct scheduler *c = &s->sched[i];
        account_cause(c, c->cause, now);
        add_causes(&s->st, c->count);
        for (int k = 0; k < CAUSE_COUNT; k++)
            c->count[k] = 0;
    }
    if (s->last_tick + 1 < now) {
        ldst_repeat_refusal(s, now - s->last_tick - 1);
        s->last_tick = now - 1;
    }
    if (s->ldst.l1d)
        l1_stats(s->ldst.l1d, &s->st);
    if (s->ldst.l1c)
        l1_stats(s->ldst.l1c, &s->st);
    if (s->l1i)
        l1_stats(s->l1i, &s->st);
    if (s->ldst.l1t)
        tex_stats(s->ldst.l1t, &s->st);
}

void sm_counters(struct sm *s, cycle_t now, struct run_stats *out)
{
    gather(s, now);
    *out = s->reported;
    stats_add(out, &s->st);
}

void sm_stats(struct sm *s, cycle_t now, struct run_stats *add)
{
    gather(s, now);
    stats_add(add, &s->st);
    stats_add(&s->reported, &s->st);
    s->st = (struct run_stats){0};
}
