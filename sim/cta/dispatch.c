#include "sim/cta/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/func/cta_cluster.h"

void dispatch_init(struct dispatch *d, const struct dispatch_env *env)
{
    *d = (struct dispatch){.policy = env->policy,
                           .chosen = env->policy,
                           .cfg = env->cfg,
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

/* ---- Statistics ---- */
/* Limit or CTAs change with this cycle, or what was counted is wanted. */
static void close_span(const struct dispatch *d, struct dispatch_core *c, cycle_t now)
{
    const uint64_t cycles = now - c->since, resident = (uint64_t)c->resident;
    const uint64_t limit = (uint64_t)c->limit;
    c->since = now;
    c->st.resident_cta_cycles += cycles * resident;
    if (c->view.all_started)
        return;
    c->st.assigning_cycles += cycles;
    c->st.assigning_limit_sum += cycles * limit;
    c->st.assigning_resident_sum += cycles * resident;
    c->st.assigning_running_sum += cycles * (d->pausing.on && limit < resident ? limit : resident);
}

void dispatch_stats(struct dispatch *d, int core, cycle_t now, struct run_stats *add)
{
    struct dispatch_core *c = &d->core[core];
    close_span(d, c, now);
    stats_add(add, &c->st);
    c->st = (struct run_stats){0};
}

/* ---- The policy ---- */
static void pause_youngest(struct dispatch *d, int core)
{
    if (d->pausing.on)
        sm_run_oldest(d->sm[core], d->core[core].limit, d->pausing.patience);
}

/* What the policy sees of the core and of the moment. */
static const struct cta_view *look(struct dispatch *d, int core, cycle_t now)
{
    struct dispatch_core *c = &d->core[core];
    struct sm_activity a;
    sm_activity(d->sm[core], now, &a);
    c->view.now = now;
    c->view.c_mem = a.c_mem - c->before.c_mem;
    c->view.c_idle = a.c_idle - c->before.c_idle;
    c->view.stalled = a.stalled - c->before.stalled;
    return &c->view;
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
        d->due |= limit > c->limit && !dispatch_empty(d);
        if (limit != c->limit)
            close_span(d, c, now);
        c->limit = limit;
        d->tick = c->tick < d->tick ? c->tick : d->tick;
        pause_youngest(d, i);
    }
}

static void core_begins(struct dispatch *d, int core, const struct dispatch_launch *l, cycle_t now)
{
    struct dispatch_core *c = &d->core[core];
    memset(c->state, 0, d->policy->bytes);
    sm_activity(d->sm[core], now, &c->before);
    c->view.predictor = l->predictor;
    c->view.n = l->n;
    c->view.fits = l->fits;
    c->view.ctas = l->end - l->first;
    c->view.start = c->view.now = now;
    c->view.c_mem = c->view.c_idle = c->view.stalled = 0;
    c->view.all_started = false;
    c->since = now;
    c->limit = c->resident = 0;
    c->st = (struct run_stats){0};
    c->tick = d->policy->launch ? d->policy->launch(c->state, &c->view) : CYCLE_NEVER;
}

void dispatch_begin(struct dispatch *d, const struct dispatch_launch *l, cycle_t now)
{
    d->next = l->first;
    d->end = l->end;
    d->list = l->list;
    d->clustered = l->clustered;
    d->only_core = l->only_core;
    d->due = true;
    d->policy = l->together ? &cta_scheduler_static : d->chosen;
    d->pausing = d->policy->pausing ? d->policy->pausing(d->cfg) : (struct cta_pausing){0};
    memset(d->shared, 0, d->chosen->shared_bytes);
    for (int i = 0; i < d->cores; i++)
        core_begins(d, i, l, now);
    ask_limits(d, now);
}

void dispatch_ended(struct dispatch *d, int core, cycle_t now)
{
    struct dispatch_core *c = &d->core[core];
    struct sm_cta_end end;
    close_span(d, c, now);
    c->resident = sm_resident_ctas(d->sm[core]);
    d->due |= !dispatch_empty(d);
    if (!d->policy->cta_ended) {
        pause_youngest(d, core);
        return;
    }
    const struct cta_view *v = look(d, core, now);
    for (int i = 0; sm_ended_cta(d->sm[core], i, &end); i++)
        c->tick = d->policy->cta_ended(c->state, v, &end);
    BUG_ON(c->tick <= now, "%s: its next tick is in the past", d->policy->name);
    ask_limits(d, now);
}

void dispatch_tick(struct dispatch *d, cycle_t now)
{
    for (int i = 0; i < d->cores; i++) {
        struct dispatch_core *c = &d->core[i];
        if (c->tick > now)
            continue;
        c->tick = d->policy->tick(c->state, look(d, i, now));
        BUG_ON(c->tick <= now, "%s: its next tick is in the past", d->policy->name);
    }
    ask_limits(d, now);
}

/* ---- CTAs ---- */
static uint64_t next_cta(const struct dispatch *d)
{
    if (d->clustered)
        return launch_cta_in_order(d->clustered, d->next);
    return d->list ? d->list[d->next] : d->next;
}

static bool start_one(struct dispatch *d, int core, cycle_t now)
{
    struct dispatch_core *c = &d->core[core];
    if (d->only_core >= 0 && core != d->only_core)
        return false;
    if (sm_resident_ctas(d->sm[core]) >= c->limit || !sm_can_start_cta(d->sm[core]))
        return false;
    close_span(d, c, now);
    sm_start_cta(d->sm[core], next_cta(d), now);
    c->resident++;
    d->next++;
    d->last = core;
    return true;
}

/* No CTA is left to hand out. */
static void all_started(struct dispatch *d, cycle_t now)
{
    for (int i = 0; i < d->cores; i++) {
        close_span(d, &d->core[i], now);
        d->core[i].view.all_started = true;
    }
}

static int room(const struct dispatch *d)
{
    int free = 0;
    for (int i = 0; i < d->cores; i++)
        if (d->only_core < 0 || i == d->only_core)
            free += d->core[i].limit - sm_resident_ctas(d->sm[i]);
    return free;
}

/* One cluster at least, if there is room; more as long as no core gets a second CTA. */
static bool start_clusters(struct dispatch *d, cycle_t now)
{
    const int size = launch_cluster_ctas(d->clustered);
    int started = 0;
    while (!dispatch_empty(d) && room(d) >= size && (!started || started + size <= d->cores)) {
        for (int left = size, core = d->last; left;) {
            core = (core + 1) % d->cores;
            left -= start_one(d, core, now);
        }
        started += size;
    }
    return started > 0;
}

static bool start_single(struct dispatch *d, cycle_t now)
{
    const int start = d->last;
    bool any = false;
    for (int i = 1; i <= d->cores && !dispatch_empty(d); i++)
        any |= start_one(d, (start + i) % d->cores, now);
    return any;
}

bool dispatch_start_ctas(struct dispatch *d, cycle_t now)
{
    const bool any = d->clustered ? start_clusters(d, now) : start_single(d, now);
    d->due = any && !dispatch_empty(d);
    if (any && dispatch_empty(d))
        all_started(d, now);
    return any;
}
