/* sim/cta/dispatch.h -- hands out the CTAs of a launch, and asks the CTA scheduler's policy how
 * many each core may hold. Load-balanced round robin: each cycle every core that is below its limit
 * receives one CTA, starting behind the core that received one last (GPGPU-Sim 3.2.1's order: hence
 * core 1 first and core 0 last in the very first round). The CTAs of a cluster start in one cycle,
 * in the same order of cores, when there is room for all of them. */
#ifndef MDP_SIM_CTA_DISPATCH_H
#define MDP_SIM_CTA_DISPATCH_H

#include "sim/cta/cta_scheduler.h"

struct dispatch_core {
    void *state; /* owned: the policy's */
    struct cta_view view;
    int limit;
    cycle_t tick;              /* when the policy wants to be called; CYCLE_NEVER */
    struct sm_activity before; /* what the core had counted when the launch began */
    cycle_t since;             /* limit and CTAs are as they are since then */
    int resident;              /* CTAs */
    struct run_stats st;       /* what the cores' limits and CTAs were */
};

struct dispatch {
    const struct cta_scheduler_ops *policy; /* of the running launch */
    const struct cta_scheduler_ops *chosen; /* of all whose CTAs don't wait for each other */
    const struct cta_cfg *cfg;              /* borrowed */
    void *shared;                           /* owned: the policy's */
    struct dispatch_core *core;             /* owned, by core */
    struct sm *const *sm;                   /* borrowed, by core */
    int cores;
    int last;             /* core that received a CTA last; survives launches */
    int only_core;        /* -1: all */
    uint64_t next, end;   /* linear ids still to hand out: [next, end), or list[next .. end - 1] */
    const uint64_t *list; /* borrowed; NULL: ids in their order */
    const struct launch
        *clustered; /* borrowed: whole clusters start, in its order; NULL: CTAs do */
    bool due;       /* a CTA may start in this cycle */
    struct cta_pausing pausing;
    cycle_t tick; /* the earliest of the cores' */
};

struct dispatch_launch {
    uint64_t first, end;
    const uint64_t *list; /* CTAs first .. end - 1 are list[first .. end - 1]; NULL: linear ids */
    int n;                /* CTAs that a core may hold at most */
    int fits;      /* CTAs that fit, or that the user asked for; n may be less: the grid's share */
    int only_core; /* -1: all */
    const struct launch *clustered; /* it runs in clusters, `list` is NULL; else NULL */
    bool together; /* a cooperative launch, or one in clusters: its CTAs wait for each other, and no
                      policy limits or pauses them */
    const struct cta_predictor *predictor; /* NULL: none */
};

struct dispatch_env { /* borrowed */
    const struct cta_scheduler_ops *policy;
    const struct cta_cfg *cfg;
    struct sm *const *sm; /* by core */
    int cores;
};
void dispatch_init(struct dispatch *d, const struct dispatch_env *env);
void dispatch_fini(struct dispatch *d);
void dispatch_begin(struct dispatch *d, const struct dispatch_launch *l, cycle_t now);
/* One core cycle, d->due: hands out at most one CTA a core, or one cluster. True: handed out at
 * least one. */
bool dispatch_start_ctas(struct dispatch *d, cycle_t now);
/* CTAs of this core ended in the cycle. */
void dispatch_ended(struct dispatch *d, int core, cycle_t now);
/* d->tick is now: calls the policies that wait for it. */
void dispatch_tick(struct dispatch *d, cycle_t now);
/* Adds to *add what the core's CTAs were until `now`, and clears it. */
void dispatch_stats(struct dispatch *d, int core, cycle_t now, struct run_stats *add);
static inline bool dispatch_empty(const struct dispatch *d)
{
    return d->next == d->end;
}

#endif
