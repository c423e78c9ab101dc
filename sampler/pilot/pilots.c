#include "sampler/pilot/pilots_int.h"

#include <math.h>

#include "base/cpu_time.h"
#include "base/pool.h"
#include "model/estimate.h"
#include "sampler/pilot/scale_model.h"
#include "sampler/window/cta_waits.h"

const struct sampling *pilots_rules(const struct pilots *p)
{
    return sampling_or_default(p->by);
}

/* Is the launch's end that of its longest CTA? Its other CTAs then take much less on a core with
 * as many as fit. */
static bool longest_bounds(const struct pilots *p, const struct sample *d)
{
    return d->longest_cta > pilots_rules(p)->pilot.alone * fmax(1, sample_share(d) / d->n_max);
}

/* ... or is it since all may run at once? At every n alike: errors that are the same choose the
 * same n. */
static bool one_is_longer(const struct pilots *p, const struct sample *d)
{
    return d->longest_cta > pilots_rules(p)->pilot.longer && sample_share(d) <= d->n_max;
}

static bool repeats(const struct pilots *p)
{
    return p->waits >= pilots_rules(p)->waits.often;
}

/* Whole slices. */
static int first_cores(const struct pilots *p)
{
    const struct sampling *by = pilots_rules(p);
    const int slice = scale_model_slice(p->full, &by->pilot), part = by->waits.first_of * slice;
    return (p->full->top.cores + part - 1) / part * slice;
}

static int cores_of(const struct pilots *p)
{
    if (p->work <= 0)
        return scale_model_slice(p->full, &pilots_rules(p)->pilot);
    return p->in_order ? first_cores(p) : p->full->top.cores;
}

bool pilots_are_short(const struct pilots *p, const struct sample *d)
{
    return p->coeff && estimate_is_short(p->coeff, d, p->program_insts);
}

/* Of the budget, what executing it has taken, beyond as much as the launch has. */
static double execution(const struct pilots *p, const struct sample *d)
{
    return p->coeff ? p->coeff->executed * fmax(0, (double)p->executed - d->launch_warp_insts) : 0;
}

/* Nothing is to be chosen: with fewer it never ends. */
static bool has_one_degree(const struct pilots *p, const struct sample *d)
{
    return sample_degrees(d) <= 1 || sample_degrees(d) <= p->least;
}

static double most_part(const struct pilots *p, const struct sample *d)
{
    const struct waits_params *by = &pilots_rules(p)->waits;
    return pilots_are_short(p, d) ? INFINITY : has_one_degree(p, d) ? by->part_of_one : by->part;
}

static double end_part(const struct pilots *p, const struct sample *d)
{
    const struct waits_params *by = &pilots_rules(p)->waits;
    const double left = by->end - execution(p, d) / d->launch_warp_insts;
    return pilots_are_short(p, d) ? 0
           : has_one_degree(p, d) ? by->part_of_one
                                  : fmax(by->part_of_one, left);
}

struct pilot pilots_pilot(const struct pilots *p, const struct sample *d)
{
    const bool waits = p->work > 0;
    return (struct pilot){.full = p->full,
                          .by = p->by,
                          .cores = cores_of(p),
                          .network = p->network,
                          .launch_insts = (uint64_t)d->launch_warp_insts,
                          .uneven = p->uneven && !waits,
                          .camping = p->camping,
                          .work = p->work,
                          .by_completed = p->by_completed,
                          .repeats = repeats(p),
                          .in_order = p->in_order,
                          .hop = p->hop,
                          .most_part = most_part(p, d),
                          .end_part = end_part(p, d),
                          .longest_bounds = longest_bounds(p, d) && !waits,
                          .one_is_longer = one_is_longer(p, d) && !waits,
                          .longest = p->longest,
                          .longest_insts = p->longest_insts,
                          .draws = p->draws,
                          .code_ran = p->code_ran,
                          .code_since = p->code_since,
                          .max_cycles = p->max_cycles,
                          .deadline = p->budget};
}

void pilots_keep(struct pilots *p, int n, const struct pilot_result *r, struct sample *d)
{
    p->warp_insts += r->warp_insts;
    p->seconds += r->seconds;
    pilot_keep(r, n, d);
}

static bool spent(const struct pilots *p)
{
    return p->budget > 0 && process_cpu_seconds() >= p->budget;
}

bool pilots_run_one(const struct pilot *pilot, const struct launch *l, int n,
                    struct pilot_result *out, struct err *e)
{
    return pilot_run(pilot, l, n, out, e) || err_prefix(e, "a pilot simulation with n = %d", n);
}

static bool run_job(void *user, int i, struct err *e)
{
    struct at_degrees *s = user;
    const int at = s->count - 1 - i; /* large degrees are often the longest: first */
    struct pilot_result *r = &s->result[at];
    r->stopped = s->search && spent(s->search);
    if (r->stopped)
        return true;
    const bool ok = pilots_run_one(&s->pilot, s->launch, s->degree[at], r, e);
    r->never_ends |= r->too_long && s->search && s->pilot.max_cycles != s->search->max_cycles;
    return ok || (s->search && r->never_ends);
}

/* A profile has pilots of every degree up to by->every. */
static int next_degree(int n, const struct pilot_params *by)
{
    return n < by->every || n < by->apart ? n + 1 : n + n / by->apart;
}

bool pilots_run_degrees(const struct pilots *p, struct at_degrees *s, struct err *e)
{
    return pool_run(p->jobs > 1 ? p->jobs : 1, s->count, run_job, s, e);
}

static bool run_every(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    struct at_degrees s = {.launch = l, .pilot = pilots_pilot(p, d)};
    const int most = sample_degrees(d);
    for (int n = 1; n < most; n = next_degree(n, &pilots_rules(p)->pilot))
        s.degree[s.count++] = n;
    s.degree[s.count++] = most;
    if (!pilots_run_degrees(p, &s, e))
        return false;
    for (int i = 0; i < s.count; i++) {
        const int n = s.degree[i];
        pilots_keep(p, n, &s.result[i], d);
        d->pilot_bound[n - 1] = d->pilot_miss_rate[n - 1] = 0; /* profiles have cycles alone */
    }
    return true;
}

void pilots_count(const struct pilot_result *r, struct sample *d)
{
    const double warp = (double)r->warp_insts / r->part, thread = (double)r->thread_insts / r->part;
    d->total_warp_insts *= warp / d->launch_warp_insts;
    d->total_thread_insts *= thread / d->launch_thread_insts;
    d->launch_warp_insts = warp;
    d->launch_thread_insts = thread;
}

/* One that waits for ever executes more and more, one that is slow about as much as the default
 * does. */
void pilots_limit(const struct pilots *p, const struct sample *d, double cycles, double insts,
                  struct pilot *pilot)
{
    const struct waits_params *by = &pilots_rules(p)->waits;
    pilot->max_insts = (uint64_t)by->limit_insts + (uint64_t)(by->limit_runs * insts);
    pilot->max_cycles = pilot_limit_cycles((uint64_t)cycles, sample_degrees(d), by, p->max_cycles);
}

static bool run_planned(struct pilots *p, const struct launch *l, int n, struct pilot_plan *plan,
                        struct sample *d, bool *stopped, struct err *e)
{
    struct pilot pilot = pilots_pilot(p, d);
    struct pilot_result r;
    pilot.most_insts = pilot_plan_allows(plan);
    bool ok = pilots_run_one(&pilot, l, n, &r, e);
    if ((r.waits || r.never_ends) && l->why) {
        l->why->kind = FAULT_NEVER_ENDS;
        ok = ok && err_set(e, "kernel %s: its CTAs wait for others", l->kernel->name);
    }
    pilots_keep(p, n, &r, d);
    *stopped = r.stopped;
    if (ok && !r.stopped)
        pilot_plan_tell(plan, n, pilots_ipc(d, n), d->pilot_insts[n - 1]);
    return ok;
}

static double at_most(const struct pilots *p, double insts)
{
    return p->most_insts > 0 ? fmin(insts, p->most_insts) : insts;
}

bool pilots_run(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    if (!p->model)
        return run_every(p, l, d, e);
    const uint64_t before = p->warp_insts;
    struct pilot_plan plan;
    bool ok = true, stopped = false;
    estimate_plan(p->model, p->coeff, d, p->program_insts, &plan);
    double own = plan.budget;
    plan.executed = execution(p, d);
    plan.budget = at_most(p, own);
    for (int n; ok && !stopped && !spent(p) && (n = pilot_plan_next(&plan));) {
        ok = run_planned(p, l, n, &plan, d, &stopped, e);
        own = estimate_budget(p->coeff, d, p->program_insts);
        plan.budget = at_most(p, own + (ok && p->rest ? pilot_rest_left(p->rest, d) : 0));
    }
    if (p->rest) /* of what failed nothing is left: it is searched */
        pilot_rest_leave(p->rest, d, ok ? own : 0,
                         (double)(p->warp_insts - before) + (ok ? plan.executed : 0));
    return ok;
}

/* What is said of degrees at which the launch never ends. */
static void say_of_fewer(struct sample *d, int least)
{
    int n = least;
    d->fewest_ctas = least;
    while (n < sample_degrees(d) && d->pilot_cycles[n - 1] <= 0)
        n++;
    for (int k = 1; k < least; k++) {
        d->pilot_cycles[k - 1] = d->pilot_cycles[n - 1];
        d->pilot_insts[k - 1] = d->pilot_seconds[k - 1] = 0;
    }
}

static bool run_limited(struct pilots *p, const struct launch *l, int n, struct sample *d,
                        bool *stopped, struct err *e)
{
    struct pilot pilot = pilots_pilot(p, d);
    pilots_limit(p, d, d->pilot_cycles[sample_degrees(d) - 1],
                 d->launch_warp_insts * pilot.cores / p->full->top.cores, &pilot);
    struct pilot_result r;
    const int least = sample_least(d);
    const bool ok = pilots_run_one(&pilot, l, n, &r, e);
    pilots_keep(p, n, &r, d);
    *stopped = r.stopped;
    if (!ok && !r.never_ends && !r.too_long)
        return false;
    say_of_fewer(d, ok ? least : n + 1);
    return true;
}

bool pilots_add(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    const uint64_t before = p->warp_insts;
    struct pilot_plan plan;
    bool stopped;
    estimate_plan(p->model, p->coeff, d, p->program_insts, &plan);
    plan.budget = at_most(p, INFINITY);
    const int n = spent(p) ? 0 : pilot_plan_next(&plan);
    const bool ok = !n || (p->work > 0 ? run_limited(p, l, n, d, &stopped, e)
                                       : run_planned(p, l, n, &plan, d, &stopped, e));
    pilot_rest_leave(p->rest, d, 0, (double)(p->warp_insts - before));
    return ok;
}

bool pilots_are_in_order(const struct pilots *p, const struct launch *l, const struct sample *d)
{
    const struct waits_params *by = &pilots_rules(p)->waits;
    const int all = p->full->top.cores;
    return !repeats(p) && d->launch_warp_insts >= by->large && d->longest_cta < by->unlike &&
           2 * first_cores(p) <= all && launch_ctas(l) >= (uint64_t)all &&
           sample_share(d) < by->few_waves * sample_degrees(d);
}

void pilots_find_hop(struct pilots *p, const struct launch *l, const struct sample *d)
{
    struct pilot_result r;
    struct err ignored;
    p->in_order = true;
    const struct pilot pilot = pilots_pilot(p, d);
    p->in_order = pilot_hop(&pilot, l, &p->hop, &r, &ignored);
    p->hop_insts = r.warp_insts;
    p->warp_insts += r.warp_insts;
    p->seconds += r.seconds;
}

static int next_of_waiting(const struct pilots *p, const struct sample *d, double executed,
                           double *own)
{
    struct pilot_plan plan;
    estimate_plan(p->model, p->coeff, d, p->program_insts, &plan);
    *own = plan.budget;
    plan.executed = executed;
    plan.budget = at_most(p, *own + (p->rest ? pilot_rest_left(p->rest, d) : 0));
    return spent(p) ? 0 : pilot_plan_next(&plan);
}

/* Of the default. What waits for later ones after all is simulated with them. */
static bool run_first(struct pilots *p, const struct launch *l, struct sample *d,
                      struct pilot_result *r, struct err *e)
{
    struct pilot pilot = pilots_pilot(p, d); /* no deadline: something is to be known */
    pilot.deadline = 0;
    bool ok = pilots_run_one(&pilot, l, sample_degrees(d), r, e);
    pilots_keep(p, sample_degrees(d), r, d);
    if (!p->in_order || (ok && !r->stopped))
        return ok;
    p->in_order = false;
    return run_first(p, l, d, r, e);
}

/* executed: of the budget; *own: what the launch is given. */
static bool run_waiting(struct pilots *p, const struct launch *l, double executed, struct sample *d,
                        double *own, struct err *e)
{
    struct pilot_result r;
    if (!run_first(p, l, d, &r, e))
        return false;
    const double untimed = d->launch_warp_insts;
    pilots_count(&r, d);
    if (p->rest)
        p->rest->waited += d->launch_warp_insts - untimed;
    say_of_fewer(d, p->least);
    bool stopped = r.stopped;
    for (int n; !stopped && (n = next_of_waiting(p, d, executed, own));)
        if (!run_limited(p, l, n, d, &stopped, e))
            return false;
    d->window_insts = (double)p->warp_insts;
    return true;
}

bool pilots_of_waiting(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    const uint64_t before = p->warp_insts;
    const double executed = (double)p->hop_insts + execution(p, d);
    double own = 0;
    const bool ok = run_waiting(p, l, executed, d, &own, e);
    if (p->rest)
        pilot_rest_leave(p->rest, d, ok ? own : 0, (double)(p->warp_insts - before) + executed);
    return ok;
}
