/* Greedy then oldest (Rogers et al., MICRO 2012, baseline): the slot that issued last goes first,
 * then the warps in the order in which they arrived. As in GPGPU-Sim 3.2.1 greediness stays with
 * the slot when a new warp moves in, also in the next launch. */
#include "sim/sm/sched/warp_scheduler.h"

struct gto {
    int last; /* slot */
};

static void init(void *st, const struct sched_view *v)
{
    ((struct gto *)st)->last = v->owned ? __builtin_ctzll(v->owned) : 0;
}

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    const struct gto *g = st;
    return among >> g->last & 1 ? g->last : sched_oldest(v, among);
}

static void issued(void *st, const struct sched_view *v, int slot, const struct inst_meta *m)
{
    (void)v, (void)m;
    ((struct gto *)st)->last = slot;
}

const struct warp_scheduler_ops warp_scheduler_gto = {
    .name = "gto",
    .greedy = true,
    .help = "greedy then oldest: the warp that issued last, then by age",
    .paper = "Rogers et al., MICRO 2012",
    .bytes = sizeof(struct gto),
    .init = init,
    .pick = pick,
    .issued = issued,
};
