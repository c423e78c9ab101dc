/* Where the cycles go. Nothing is counted cycle by cycle: what a scheduler or the core does is
 * noted with the cycle from which on it holds, and added up when it changes. */
#include "sim/sm/core.h"

#include <string.h>

void account_cause(struct scheduler *c, enum cause cause, cycle_t now)
{
    c->count[c->cause] += now - c->since;
    c->cause = cause;
    c->since = now;
}

static void close_span(struct sm *s, cycle_t now)
{
    const uint64_t n = now - s->acct_since;
    s->acct_since = now;
    s->st.busy_core_cycles += s->acct_busy ? n : 0;
    s->st.c_mem_cycles += s->acct_mem ? n : 0;
    s->st.c_idle_cycles += s->acct_idle ? n : 0;
}

/* Kayiran et al. 2013, III-A and Table III, with our readings: a warp is inactive while it waits
 * for memory (data, or its instructions), at a barrier, or has finished; C_mem counts cycles in
 * which every warp is inactive and one at least waits for data, C_idle those in which every warp is
 * inactive and none waits for memory, and those without a CTA. */
void account_warps(struct sm *s, cycle_t now)
{
    const struct warp_sets *w = &s->set;
    const uint64_t held = w->barrier | w->done;
    const uint64_t data = w->resident & ~held & (w->dep_mem | w->atomic | w->fence);
    const uint64_t inactive = w->resident & (held | data | w->fetching);
    const uint64_t fetching = w->fetching & w->resident & ~held;
    const uint64_t seen[] = {w->resident, inactive, data, fetching};
    if (!memcmp(seen, s->acct_seen, sizeof seen))
        return;
    memcpy(s->acct_seen, seen, sizeof seen);
    const bool all = inactive == w->resident;
    close_span(s, now);
    s->acct_busy = w->resident != 0;
    s->acct_mem = s->acct_busy && all && data;
    s->acct_idle = all && !data && !fetching;
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
        sched_count(add, "inst_prefetches", "lines of code that were fetched ahead", s->prefetches);
}

uint64_t sm_issued(const struct sm *s)
{
    return s->st.warp_insts;
}

void sm_activity(struct sm *s, cycle_t now, struct sm_activity *a)
{
    close_span(s, now);
    *a = s->reported;
    a->c_mem += s->st.c_mem_cycles;
    a->c_idle += s->st.c_idle_cycles;
    a->warp_insts += s->st.warp_insts;
}

void sm_stats(struct sm *s, cycle_t now, struct run_stats *add)
{
    close_span(s, now);
    for (int i = 0; i < s->cfg->schedulers; i++) {
        struct scheduler *c = &s->sched[i];
        c->count[c->cause] += now - c->since;
        c->since = now;
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
    stats_add(add, &s->st);
    s->reported.c_mem += s->st.c_mem_cycles;
    s->reported.c_idle += s->st.c_idle_cycles;
    s->reported.warp_insts += s->st.warp_insts;
    s->st = (struct run_stats){0};
}
