/* Loose round robin: starts behind the slot that issued last and skips warps that cannot issue. */
#include "sim/sm/wsched.h"

struct lrr {
    int next; /* first slot to look at */
};

static void init(void *st, const struct wsched_view *v)
{
    (void)v;
    ((struct lrr *)st)->next = 0;
}

static int pick(const void *st, const struct wsched_view *v, uint64_t among)
{
    (void)v;
    const uint64_t behind = among & ~0ull << ((const struct lrr *)st)->next;
    return __builtin_ctzll(behind ? behind : among);
}

static void on_issue(void *st, const struct wsched_view *v, int slot)
{
    (void)v;
    ((struct lrr *)st)->next = (slot + 1) % 64;
}

const struct wsched_ops wsched_lrr = {
    .name = "lrr",
    .help = "loose round robin: starts behind the warp that issued last",
    .init = init,
    .pick = pick,
    .on_issue = on_issue,
};
