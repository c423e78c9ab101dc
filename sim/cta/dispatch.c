#include "sim/cta/dispatch.h"

#include <string.h>

static int static_limit(int core, int n)
{
    (void)core;
    return n;
}

const struct cta_policy_ops cta_static = {
    .name = "static",
    .help = "every core holds up to n CTAs, all through the launch",
    .limit = static_limit,
};

static const struct cta_policy_ops *const policies[] = {&cta_static};

const struct cta_policy_ops *cta_policy_at(int i)
{
    return i >= 0 && i < (int)(sizeof policies / sizeof *policies) ? policies[i] : NULL;
}

const struct cta_policy_ops *cta_policy_find(const char *name)
{
    for (int i = 0; cta_policy_at(i); i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}

void dispatch_init(struct dispatch *d, const struct cta_policy_ops *policy, int cores)
{
    *d = (struct dispatch){.policy = policy, .cores = cores, .only_core = -1};
}

void dispatch_launch(struct dispatch *d, uint64_t first, uint64_t end, const uint64_t *list, int n,
                     int only_core)
{
    d->next = first;
    d->end = end;
    d->list = list;
    d->n = n;
    d->only_core = only_core;
}

bool dispatch_tick(struct dispatch *d, struct sm *const *sm, cycle_t now)
{
    const int start = d->last;
    bool any = false;
    for (int i = 1; i <= d->cores && d->next < d->end; i++) {
        const int core = (start + i) % d->cores;
        if (d->only_core >= 0 && core != d->only_core)
            continue;
        if (sm_resident_ctas(sm[core]) >= d->policy->limit(core, d->n) ||
            !sm_can_start_cta(sm[core]))
            continue;
        sm_start_cta(sm[core], d->list ? d->list[d->next] : d->next, now);
        d->next++;
        d->last = core;
        any = true;
    }
    return any;
}
