/* Mascar's memory-aware scheduling (Sethia et al., HPCA 2015). While L1D can take misses all warps
 * are equal: loose round robin. When it is saturated, one warp of the core owns the memory: only it
 * may issue instructions that go there, and it goes first; the others compute. So one warp after
 * the other has all its data, instead of all of them a part, and computing covers the waiting. The
 * owner gives way when its next instruction waits for one of its loads, when it waits at a barrier,
 * a fence or for an atomic, and when it has ended; the oldest warp that has a memory instruction
 * ready is next, one of a paused CTA only if there is no other.
 *
 * The paper calls the memory saturated when MSHRs or the miss queue are almost full; here it is
 * mascar.saturated percent of L1D's MSHRs. Its cache access re-execution is no warp scheduler's. */
#include "sim/sm/sched/warp_scheduler.h"

struct mascar {
    int next; /* first slot to look at */
};

struct mascar_core {
    uint64_t owner; /* one bit; 0: there is none */
};

static void launch(void *st, const struct sched_view *v)
{
    *(struct mascar *)st = (struct mascar){0};
    *(struct mascar_core *)v->core = (struct mascar_core){0};
}

static bool saturated(const struct sched_view *v)
{
    return v->l1d && l1_mshrs_used(v->l1d) * 100 >= v->cfg->mascar.saturated * l1_mshrs(v->l1d);
}

static bool goes_to_memory(const struct inst_meta *m)
{
    const int space = m->in->space;
    return space == SP_GLOBAL || space == SP_LOCAL || space == SP_GENERIC;
}

/* Warps whose memory instruction is ready. */
static uint64_t asking(const struct sched_view *v)
{
    const struct warp_sets *w = v->set;
    uint64_t rest = w->ready & w->cls[CLASS_MEM] & w->resident & ~w->held, set = 0;
    for (; rest; rest &= rest - 1)
        if (goes_to_memory(sched_next(v, __builtin_ctzll(rest))))
            set |= rest & -rest;
    return set;
}

static uint64_t owner_of(const struct sched_view *v, uint64_t owner, uint64_t ask)
{
    const struct warp_sets *w = v->set;
    const uint64_t running = ask & ~w->paused, among = running ? running : ask;
    if (owner & w->resident & ~w->held & ~w->dep_long && !(running && owner & w->paused))
        return owner;
    return among ? 1ull << sched_oldest(v, among) : 0;
}

static uint64_t admit(void *st, const struct sched_view *v, bool *again)
{
    struct mascar_core *c = v->core;
    (void)st;
    if (!saturated(v)) {
        c->owner = 0;
        return ~0ull;
    }
    const uint64_t ask = asking(v);
    c->owner = owner_of(v, c->owner, ask);
    const uint64_t others = ask & ~c->owner & v->owned;
    *again = others != 0;
    return ~others;
}

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    const uint64_t owner = among & ((const struct mascar_core *)v->core)->owner;
    const uint64_t behind = among & ~0ull << ((const struct mascar *)st)->next;
    return __builtin_ctzll(owner ? owner : behind ? behind : among);
}

static void issued(void *st, const struct sched_view *v, int slot, const struct inst_meta *m)
{
    (void)v, (void)m;
    ((struct mascar *)st)->next = (slot + 1) % MAX_WARPS;
}

const struct warp_scheduler_ops warp_scheduler_mascar = {
    .name = "mascar",
    .help = "memory aware: lrr; while L1D is saturated one warp has the memory",
    .paper = "Sethia et al., HPCA 2015",
    .bytes = sizeof(struct mascar),
    .core_bytes = sizeof(struct mascar_core),
    .launch = launch,
    .admit = admit,
    .pick = pick,
    .issued = issued,
};
