/* Greedy then oldest (Rogers et al., MICRO 2012, baseline): the slot that issued last goes first,
 * then the warps in the order in which they arrived. As in GPGPU-Sim 3.2.1 greediness stays with
 * the slot when a new warp moves in. */
#include "sim/sm/wsched.h"

struct gto {
    int last; /* slot */
};

static void init(void *st, const struct wsched_view *v)
{
    ((struct gto *)st)->last = v->owned ? __builtin_ctzll(v->owned) : 0;
}

static int pick(const void *st, const struct wsched_view *v, uint64_t among)
{
    const struct gto *g = st;
    if (among >> g->last & 1)
        return g->last;
    int best = __builtin_ctzll(among);
    for (uint64_t rest = among & (among - 1); rest; rest &= rest - 1) {
        const int slot = __builtin_ctzll(rest);
        if (v->age[slot] < v->age[best])
            best = slot;
    }
    return best;
}

static void on_issue(void *st, const struct wsched_view *v, int slot)
{
    (void)v;
    ((struct gto *)st)->last = slot;
}

const struct wsched_ops wsched_gto = {
    .name = "gto",
    .help = "greedy then oldest: the warp that issued last, then by age",
    .init = init,
    .pick = pick,
    .on_issue = on_issue,
};
