/* Two-level round robin over fetch groups (Narasiman et al., MICRO 2011), with which Kayiran et al.
 * compare: the scheduler's slots are cut into groups of two_level_groups.size. The warps of one
 * group go first; when all of them wait (for a long-latency load, at a barrier, a fence, for an
 * atomic) or have ended, it is the next group's turn. Warps of the other groups fill the cycles in
 * which none of the first can issue, in the order in which their turns will come. Within a group:
 * round robin. */
#include "sim/sm/sched/warp_scheduler.h"

struct groups {
    int n, first;              /* groups; whose turn it is */
    uint64_t slots[MAX_WARPS]; /* of each group */
    uint64_t from[MAX_WARPS];  /* of each group: slots behind the one that issued last */
};

static void launch(void *st, const struct sched_view *v)
{
    struct groups *g = st;
    int in_group = 0;
    *g = (struct groups){0};
    for (uint64_t rest = v->owned; rest; rest &= rest - 1) {
        g->slots[g->n] |= rest & -rest;
        if (++in_group < v->cfg->two_level_groups.size && rest & (rest - 1))
            continue;
        in_group = 0;
        g->from[g->n++] = ~0ull;
    }
}

static uint64_t admit(void *st, const struct sched_view *v, bool *again)
{
    struct groups *g = st;
    const struct warp_sets *w = v->set;
    const uint64_t goes_on = w->resident & ~w->held & ~w->dep_long;
    (void)again;
    if (!(goes_on & g->slots[g->first]) && goes_on & v->owned)
        do
            g->first = (g->first + 1) % g->n;
        while (!(goes_on & g->slots[g->first]));
    return ~0ull;
}

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    const struct groups *g = st;
    int i = g->first;
    (void)v;
    while (!(among & g->slots[i]))
        i = (i + 1) % g->n;
    const uint64_t set = among & g->slots[i], behind = set & g->from[i];
    return __builtin_ctzll(behind ? behind : set);
}

static void issued(void *st, const struct sched_view *v, int slot, const struct inst_meta *m)
{
    struct groups *g = st;
    int i = 0;
    (void)v, (void)m;
    while (!(g->slots[i] >> slot & 1))
        i++;
    g->from[i] = slot < 63 ? ~0ull << (slot + 1) : ~0ull;
}

const struct warp_scheduler_ops warp_scheduler_two_level_groups = {
    .name = "two-level-groups",
    .help = "fetch groups: a group first until all its warps wait, then the next",
    .paper = "Narasiman et al., MICRO 2011",
    .bytes = sizeof(struct groups),
    .launch = launch,
    .admit = admit,
    .pick = pick,
    .issued = issued,
};
