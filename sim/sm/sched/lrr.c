/* Loose round robin: starts behind the slot that issued last and skips warps that cannot issue. */
#include "sim/sm/sched/warp_scheduler.h"

struct lrr {
    int next; /* first slot to look at */
};

static int pick(const void *st, const struct sched_view *v, uint64_t among)
{
    (void)v;
    const uint64_t behind = among & ~0ull << ((const struct lrr *)st)->next;
    return __builtin_ctzll(behind ? behind : among);
}

static void issued(void *st, const struct sched_view *v, int slot, const struct inst_meta *m)
{
    (void)v, (void)m;
    ((struct lrr *)st)->next = (slot + 1) % 64;
}

const struct warp_scheduler_ops warp_scheduler_lrr = {
    .name = "lrr",
    .help = "loose round robin: starts behind the warp that issued last",
    .paper = "Kayiran et al., PACT 2013; Awatramani et al.",
    .bytes = sizeof(struct lrr),
    .pick = pick,
    .issued = issued,
};
