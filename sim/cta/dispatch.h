/* sim/cta/dispatch.h -- which core gets the next CTA.
 * Load-balanced round robin: each cycle every core that is below its limit receives one CTA,
 * starting behind the core that received one last (GPGPU-Sim 3.2.1's order: hence core 1 first and
 * core 0 last in the very first round). How many CTAs a core may hold is a policy's word. */
#ifndef MDP_SIM_CTA_DISPATCH_H
#define MDP_SIM_CTA_DISPATCH_H

#include "sim/sm/sm.h"

struct cta_policy_ops {
    const char *name, *help;
    bool varies; /* the limit may rise although no CTA has ended: it is asked in every cycle */
    /* CTAs that `core` may hold now; n: the launch's static limit. */
    int (*limit)(int core, int n);
};
extern const struct cta_policy_ops cta_static;
const struct cta_policy_ops *cta_policy_find(const char *name); /* exact; NULL: unknown */
const struct cta_policy_ops *cta_policy_at(int i);              /* NULL past the end */

struct dispatch {
    const struct cta_policy_ops *policy;
    int cores;
    int last;             /* core that received a CTA last; survives launches */
    int only_core;        /* -1: all */
    int n;                /* static limit of this launch */
    uint64_t next, end;   /* linear ids still to hand out: [next, end), or list[next .. end - 1] */
    const uint64_t *list; /* borrowed; NULL: ids in their order */
};

void dispatch_init(struct dispatch *d, const struct cta_policy_ops *policy, int cores);
/* list: CTAs first .. end - 1 are list[first .. end - 1]; NULL: their linear ids. */
void dispatch_launch(struct dispatch *d, uint64_t first, uint64_t end, const uint64_t *list, int n,
                     int only_core);
/* One core cycle: hands out at most one CTA a core. True: handed out at least one. */
bool dispatch_tick(struct dispatch *d, struct sm *const *sm, cycle_t now);
static inline bool dispatch_empty(const struct dispatch *d)
{
    return d->next == d->end;
}
/* Whether the next cycle may hand out a CTA even if none ends; any: this one did. */
static inline bool dispatch_goes_on(const struct dispatch *d, bool any)
{
    return !dispatch_empty(d) && (any || d->policy->varies);
}

#endif
