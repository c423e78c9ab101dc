/* Cache-conscious wavefront scheduling (Rogers et al., MICRO 2012). Each warp has victim tags: the
 * lines that it had brought into L1D and that were driven out. A load that misses L1D and finds its
 * line there has lost locality, and the score of its warp is raised to
 *
 *     hits of victim tags / instructions issued * throttle * cut-off      (both of the core, so
 * far)
 *
 * from where it falls by a point every `decay` cycles down to the base score that every warp has.
 * The cut-off is the base score times the warps on the core. Warps are stacked by score, the
 * highest first, then the oldest; those that the stack lifts above the cut-off may not issue loads
 * from global or local memory. So the warps that lost most get the cache to themselves. Nothing
 * else is held back, and whoever may issue does so greedy then oldest, as in the paper.
 *
 * A line that is found in the victim tags leaves them, as it is in the cache again; a higher score
 * is not lowered by a hit; the warp at the bottom of the stack is never throttled. */
#include "sim/sm/sched/warp_scheduler.h"

#include <string.h>

struct ccws {
    int last; /* slot that issued last */
};

struct ccws_core {
    uint64_t hits, issued;      /* of this launch */
    cycle_t at_base[MAX_WARPS]; /* when the score is down at the base */
    /* who may load, while these warps are there and until then */
    uint64_t warps, may_load;
    cycle_t until;
    addr_t victim[MAX_WARPS][CCWS_MAX_TAGS]; /* set by set, the last one in first; line + 1 */
};

static bool check(const struct sm_cfg *c, struct err *e)
{
    return c->ccws.tags % c->ccws.ways == 0 ||
           err_set(e, "ccws.ways = %d: does not divide ccws.tags = %d", c->ccws.ways, c->ccws.tags);
}

static void launch(void *st, const struct sched_view *v)
{
    ((struct ccws *)st)->last = v->owned ? __builtin_ctzll(v->owned) : 0;
    if (v->scheduler == 0)
        memset(v->core, 0, sizeof(struct ccws_core));
}

static void warp_started(void *st, const struct sched_view *v, int slot)
{
    struct ccws_core *c = v->core;
    (void)st;
    memset(c->victim[slot], 0, sizeof c->victim[slot]);
    c->at_base[slot] = 0;
    c->until = 0;
}

/* ---- Victim tags ---- */
static addr_t *tags_of(const struct sched_view *v, int slot, addr_t line)
{
    const struct ccws_cfg *p = &v->cfg->ccws;
    struct ccws_core *c = v->core;
    const addr_t set = line / l1_line_bytes(v->l1d) % (addr_t)(p->tags / p->ways);
    return &c->victim[slot][set * (addr_t)p->ways];
}

/* The line's place; the last one, of the oldest, if it is not there. */
static int place_of(const addr_t *tag, int ways, addr_t line)
{
    int i = 0;
    while (i < ways - 1 && tag[i] != line + 1)
        i++;
    return i;
}

static void driven_out(const struct sched_view *v, int slot, addr_t line)
{
    addr_t *tag = tags_of(v, slot, line);
    for (int i = place_of(tag, v->cfg->ccws.ways, line); i > 0; i--)
        tag[i] = tag[i - 1];
    tag[0] = line + 1;
}

static bool found(const struct sched_view *v, int slot, addr_t line)
{
    const int ways = v->cfg->ccws.ways;
    addr_t *tag = tags_of(v, slot, line);
    int i = place_of(tag, ways, line);
    if (tag[i] != line + 1)
        return false;
    for (; i < ways - 1; i++)
        tag[i] = tag[i + 1];
    tag[ways - 1] = 0;
    return true;
}

/* ---- Scores ---- */
static uint64_t warps_of(const struct sched_view *v)
{
    return v->set->resident & ~v->set->done;
}

static uint64_t cut_off(const struct sched_view *v)
{
    return (uint64_t)__builtin_popcountll(warps_of(v)) * (uint64_t)v->cfg->ccws.base;
}

static void raise_score(const struct sched_view *v, int slot)
{
    const struct ccws_cfg *p = &v->cfg->ccws;
    struct ccws_core *c = v->core;
    c->hits++;
    const uint64_t to = c->hits * (uint64_t)p->throttle * cut_off(v) / (c->issued ? c->issued : 1);
    if (to <= (uint64_t)p->base)
        return;
    const cycle_t at = v->now + (to - (uint64_t)p->base) * (cycle_t)p->decay;
    if (at > c->at_base[slot])
        c->at_base[slot] = at;
    c->until = 0;
}

static void l1d(void *st, const struct sched_view *v, int slot, enum l1_event what, addr_t line)
{
    (void)st;
    if (what == L1_EVENT_EVICT)
        driven_out(v, slot, line);
    else if (what == L1_EVENT_MISS && found(v, slot, line))
        raise_score(v, slot);
}

/* ---- The stack ---- */
/* The highest score of a set that is not empty, the oldest of those. */
static int highest(const struct sched_view *v, uint64_t among)
{
    const struct ccws_core *c = v->core;
    int best = __builtin_ctzll(among);
    for (uint64_t rest = among & (among - 1); rest; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        if (c->at_base[i] > c->at_base[best] ||
            (c->at_base[i] == c->at_base[best] && v->age[i] < v->age[best]))
            best = i;
    }
    return best;
}

static uint64_t points_above(const struct sched_view *v, int slot)
{
    const cycle_t at = ((struct ccws_core *)v->core)->at_base[slot];
    const uint64_t decay = (uint64_t)v->cfg->ccws.decay;
    return at > v->now ? (at - v->now + decay - 1) / decay : 0;
}

static uint64_t raised(const struct sched_view *v)
{
    uint64_t set = 0;
    for (uint64_t rest = warps_of(v); rest; rest &= rest - 1)
        if (points_above(v, __builtin_ctzll(rest)))
            set |= rest & -rest;
    return set;
}

/* Who may load now. The answer stands until a score reaches the base, or until the scores above it
 * may have fallen by what the next warp of the stack is too high. */
static void stack_up(const struct sched_view *v)
{
    struct ccws_core *c = v->core;
    const uint64_t base = (uint64_t)v->cfg->ccws.base, most = cut_off(v);
    const uint64_t above = raised(v), falling = (uint64_t)__builtin_popcountll(above);
    uint64_t sum = 0, left = c->warps = warps_of(v);
    c->may_load = 0;
    c->until = CYCLE_NEVER;
    while (left) {
        const uint64_t high = left & above;
        const int slot = high ? highest(v, high) : sched_oldest(v, left);
        sum += base + points_above(v, slot);
        if (high && c->at_base[slot] < c->until)
            c->until = c->at_base[slot];
        if (sum > most && c->may_load) {
            const cycle_t at = v->now + (sum - most - 1) / falling * (cycle_t)v->cfg->ccws.decay;
            c->until = at < c->until ? at : c->until;
            return;
        }
        c->may_load |= 1ull << slot;
        left &= ~(1ull << slot);
    }
}

/* ---- Issue ---- */
static bool loads_l1d(const struct inst_meta *m)
{
    return m->long_latency && m->in->space != SP_TEX && !(m->in->flags & INST_ATOMIC);
}

static uint64_t admit(void *st, const struct sched_view *v, bool *again)
{
    struct ccws_core *c = v->core;
    uint64_t throttled = 0;
    (void)st;
    if (c->until <= v->now || c->warps != warps_of(v))
        stack_up(v);
    uint64_t rest =
        v->owned & ~c->may_load & v->set->ready & v->set->cls[CLASS_MEM] & ~v->set->held;
    for (; rest; rest &= rest - 1)
        if (loads_l1d(sched_next(v, __builtin_ctzll(rest))))
            throttled |= rest & -rest;
    *again = throttled != 0;
    return ~throttled;
}

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    const int last = ((const struct ccws *)st)->last;
    return among >> last & 1 ? last : sched_oldest(v, among);
}

static void issued(void *st, const struct sched_view *v, int slot, const struct inst_meta *m)
{
    (void)m;
    ((struct ccws *)st)->last = slot;
    ((struct ccws_core *)v->core)->issued++;
}

const struct warp_scheduler_ops warp_scheduler_ccws = {
    .name = "ccws",
    .greedy = true,
    .help = "cache conscious: gto; warps that lost cache lines load, others wait",
    .paper = "Rogers et al., MICRO 2012",
    .bytes = sizeof(struct ccws),
    .core_bytes = sizeof(struct ccws_core),
    .check = check,
    .launch = launch,
    .warp_started = warp_started,
    .admit = admit,
    .pick = pick,
    .issued = issued,
    .l1d = l1d,
};
