/* sim/func/race_order.h -- what a CTA's warps, and the lanes of each, know of each other: which
 * accesses come before what they do now. Vector clocks over one counter, the CTA's tick: a warp
 * that has seen another one up to tick T comes after all that this one did before T. */
#ifndef MDP_SIM_FUNC_RACE_ORDER_H
#define MDP_SIM_FUNC_RACE_ORDER_H

#include "sim/func/barrier.h"

struct clocks { /* one a warp */
    uint32_t of[WARP_SIZE];
};

struct lane_clocks { /* of each lane, of each other one */
    uint32_t of[WARP_SIZE][WARP_SIZE];
};

struct race_order {
    uint32_t tick;
    struct clocks released; /* by fences before strong accesses, and by mbarriers */
    struct {
        struct clocks clock;
        uint32_t waiting; /* bit a warp */
    } bar[CTA_BARRIERS + 1];
    struct {
        struct clocks seen, fenced;
        bool has_fence, for_cluster; /* it waits, or waited last, for the cluster */
        uint32_t together;           /* all its lanes were, at this tick */
        struct lane_clocks *lanes;   /* owned; NULL: no part of them has met */
        lanes_t meets[WARP_SIZE];    /* lanes that a lane waits for; 0: it does not */
        bool meeting;
    } warp[WARP_SIZE];
};

void race_order_init(struct race_order *o);
void race_order_fini(struct race_order *o);
/* Before the accesses of this instruction are looked at, and after. */
void race_order_before(struct race_order *o, const struct warp *w, const struct step *s);
void race_order_after(struct race_order *o, const struct warp *w, const struct step *s);

/* What the other warp did at this tick comes before what w does now. */
static inline bool race_order_warps(const struct race_order *o, const struct warp *w, int other,
                                    uint32_t tick)
{
    return tick < o->warp[w->index].seen.of[other];
}
/* The same of another lane of w. */
static inline bool race_order_lanes(const struct race_order *o, const struct warp *w, int lane,
                                    int other, uint32_t tick)
{
    const struct lane_clocks *l = o->warp[w->index].lanes;
    return tick < o->warp[w->index].together || (l && tick < l->of[lane][other]);
}

#endif
