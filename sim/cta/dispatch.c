#include "sim/cta/dispatch.h"

#include <stdlib.h>
#include <string.h>

void dispatch_init(struct dispatch *d, const struct dispatch_env *env)
{
    *d = (struct dispatch){.policy = env->policy,
                           .sm = env->sm,
                           .cores = env->cores,
                           .only_core = -1,
                           .tick = CYCLE_NEVER};
    d->shared = xcalloc(1, d->policy->shared_bytes + 1);
    d->core = xcalloc((size_t)d->cores, sizeof *d->core);
    for (int i = 0; i < d->cores; i++) {
        d->core[i].state = xcalloc(1, d->policy->bytes + 1);
        d->core[i].view = (struct cta_view){
            .cfg = env->cfg, .core = i, .cores = d->cores, .sm = d->sm[i], .shared = d->shared};
    }
}

void dispatch_fini(struct dispatch *d)
{
    for (int i = 0; i < d->cores; i++)
        free(d->core[i].state);
    free(d->core);
    free(d->shared);
}

/* What the policies say now. The state that cores share may have changed the limit of any. */
static void ask_limits(struct dispatch *d, cycle_t now)
{
    d->tick = CYCLE_NEVER;
    for (int i = 0; i < d->cores; i++) {
        struct dispatch_core *c = &d->core[i];
        c->view.now = now;
        const int limit = d->policy->limit(c->state, &c->view);
        BUG_ON(limit < 1 || limit > c->view.n, "%s: limit %d of %d", d->policy->name, limit,
               c->view.n);
        d->due |= limit > c->limit;
        c->limit = limit;
        d->tick = c->tick < d->tick ? c->tick : d->tick;
        if (d->policy->pauses)
            sm_run_oldest(d->sm[i], limit);
    }
}

void dispatch_begin(struct dispatch *d, const struct dispatch_launch *l, cycle_t now)
{
    d->next = l->first;
    d->end = l->end;
    d->list = l->list;
    d->only_core = l->only_core;
    d->due = true;
    memset(d->shared, 0, d->policy->shared_bytes);
    for (int i = 0; i < d->cores; i++) {
        struct dispatch_core *c = &d->core[i];
        memset(c->state, 0, d->policy->bytes);
        c->view.predictor = l->predictor;
        c->view.n = l->n;
        c->view.ctas = l->end - l->first;
        c->view.start = c->view.now = now;
        c->view.all_started = false;
        c->tick = d->policy->launch ? d->policy->launch(c->state, &c->view) : CYCLE_NEVER;
    }
    ask_limits(d, now);
}

static bool start_one(struct dispatch *d, int core, cycle_t now)
{
    if (d->only_core >= 0 && core != d->only_core)
        return false;
    if (sm_resident_ctas(d->sm[core]) >= d->core[core].limit || !sm_can_start_cta(d->sm[core]))
        return false;
    sm_start_cta(d->sm[core], d->list ? d->list[d->next] : d->next, now);
    d->next++;
    d->last = core;
    return true;
}

bool dispatch_start_ctas(struct dispatch *d, cycle_t now)
{
    const int start = d->last;
    bool any = false;
    for (int i = 1; i <= d->cores && !dispatch_empty(d); i++)
        any |= start_one(d, (start + i) % d->cores, now);
    d->due = any && !dispatch_empty(d);
    for (int i = 0; dispatch_empty(d) && i < d->cores; i++)
        d->core[i].view.all_started = true;
    return any;
}

void dispatch_ended(struct dispatch *d, int core, cycle_t now)
{
    struct dispatch_core *c = &d->core[core];
    struct sm_cta_end end;
    d->due |= !dispatch_empty(d);
    if (!d->policy->cta_ended) {
        if (d->policy->pauses)
            sm_run_oldest(d->sm[core], c->limit);
        return;
    }
    c->view.now = now;
    for (int i = 0; sm_ended_cta(d->sm[core], i, &end); i++)
        d->policy->cta_ended(c->state, &c->view, &end);
    ask_limits(d, now);
}

void dispatch_tick(struct dispatch *d, cycle_t now)
{
    for (int i = 0; i < d->cores; i++) {
        struct dispatch_core *c = &d->core[i];
        if (c->tick > now)
            continue;
        c->view.now = now;
        c->tick = d->policy->tick(c->state, &c->view);
        BUG_ON(c->tick <= now, "%s: its next tick is in the past", d->policy->name);
    }
    ask_limits(d, now);
}
