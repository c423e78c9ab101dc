#include "sampler/pilot/pilots.h"

#include <math.h>

#include "base/cpu_time.h"
#include "base/pool.h"
#include "model/estimate.h"
#include "sampler/pilot/scale_model.h"
#include "sampler/window/cta_waits.h"

struct at_degrees {
    const struct launch *launch; /* borrowed */
    struct pilot pilot;
    const struct pilots *search; /* they may never end; NULL: they have to */
    int count, degree[SAMPLE_DEGREES];
    struct pilot_result result[SAMPLE_DEGREES];
};

static const struct sampling *rules(const struct pilots *p)
{
    return sampling_or_default(p->by);
}

/* Is the launch's end that of its longest CTA? Its other CTAs then take much less on a core with
 * as many as fit. */
static bool longest_bounds(const struct pilots *p, const struct sample *d)
{
    return d->longest_cta > rules(p)->pilot.alone * fmax(1, sample_share(d) / d->n_max);
}

/* ... or is it since all may run at once? At every n alike: errors that are the same choose the
 * same n. */
static bool one_is_longer(const struct pilots *p, const struct sample *d)
{
    return d->longest_cta > rules(p)->pilot.longer && sample_share(d) <= d->n_max;
}

static bool repeats(const struct pilots *p)
{
    return p->waits >= rules(p)->waits.often;
}

/* Whole slices. */
static int first_cores(const struct pilots *p)
{
    const struct sampling *by = rules(p);
    const int slice = scale_model_slice(p->full, &by->pilot), part = by->waits.first_of * slice;
    return (p->full->top.cores + part - 1) / part * slice;
}

static int cores_of(const struct pilots *p)
{
    if (p->work <= 0)
        return scale_model_slice(p->full, &rules(p)->pilot);
    return p->in_order ? first_cores(p) : p->full->top.cores;
}

static bool is_short(const struct pilots *p)
{
    return p->coeff && p->program_insts <= p->coeff->short_insts;
}

/* Of the budget, what executing more than the launch once has taken. */
static double execution(const struct pilots *p, const struct sample *d)
{
    return p->coeff ? p->coeff->executed * fmax(0, (double)p->executed - d->launch_warp_insts) : 0;
}

/* Nothing is to be chosen. */
static bool has_one_degree(const struct pilots *p, const struct sample *d)
{
    return sample_degrees(d) <= 1 || sample_degrees(d) <= p->least;
}

static double most_part(const struct pilots *p, const struct sample *d)
{
    const struct waits_params *by = &rules(p)->waits;
    return is_short(p) ? INFINITY : has_one_degree(p, d) ? by->part_of_one : by->part;
}

static double end_part(const struct pilots *p, const struct sample *d)
{
    const struct waits_params *by = &rules(p)->waits;
    const double left = by->most - execution(p, d) / d->launch_warp_insts;
    return is_short(p) ? 0 : has_one_degree(p, d) ? by->part_of_one : fmax(by->part_of_one, left);
}

static struct pilot pilot_of(const struct pilots *p, const struct sample *d)
{
    const bool waits = p->work > 0;
    return (struct pilot){.full = p->full,
                          .by = p->by,
                          .cores = cores_of(p),
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

static void keep(struct pilots *p, int n, const struct pilot_result *r, struct sample *d)
{
    p->warp_insts += r->warp_insts;
    p->seconds += r->seconds;
    pilot_keep(r, n, d);
}

static bool spent(const struct pilots *p)
{
    return p->budget > 0 && process_cpu_seconds() >= p->budget;
}

static bool run_one(const struct pilot *pilot, const struct launch *l, int n,
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
    const bool ok = run_one(&s->pilot, s->launch, s->degree[at], r, e);
    r->never_ends |= r->too_long && s->search && s->pilot.max_cycles != s->search->max_cycles;
    return ok || (s->search && r->never_ends);
}

/* A profile has pilots of every degree up to by->every. */
static int next_degree(int n, const struct pilot_params *by)
{
    return n < by->every || n < by->apart ? n + 1 : n + n / by->apart;
}

static bool run_degrees(const struct pilots *p, struct at_degrees *s, struct err *e)
{
    return pool_run(p->jobs > 1 ? p->jobs : 1, s->count, run_job, s, e);
}

static bool run_every(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    struct at_degrees s = {.launch = l, .pilot = pilot_of(p, d)};
    const int most = sample_degrees(d);
    for (int n = 1; n < most; n = next_degree(n, &rules(p)->pilot))
        s.degree[s.count++] = n;
    s.degree[s.count++] = most;
    if (!run_degrees(p, &s, e))
        return false;
    for (int i = 0; i < s.count; i++) {
        const int n = s.degree[i];
        keep(p, n, &s.result[i], d);
        d->pilot_bound[n - 1] = d->pilot_miss_rate[n - 1] = 0; /* profiles have cycles alone */
    }
    return true;
}

/* Who waits executes more the longer it waits: what is simulated at the largest degree counts, not
 * what was executed without timing. */
static void count_simulated(const struct pilot_result *r, struct sample *d)
{
    const double warp = (double)r->warp_insts / r->part, thread = (double)r->thread_insts / r->part;
    d->total_warp_insts *= warp / d->launch_warp_insts;
    d->total_thread_insts *= thread / d->launch_thread_insts;
    d->launch_warp_insts = warp;
    d->launch_thread_insts = thread;
}

/* With so many at once or fewer it never ends; 0: it always does. */
static int never_ends_up_to(const struct pilot_result *at, int most)
{
    int n = most;
    while (n > 0 && !at[n - 1].never_ends)
        n--;
    return n;
}

/* CTAs that a core with most of them has one after the other. */
static double rounds(const struct sample *d, int n)
{
    return ceil(ceil(sample_share(d)) / n);
}

static bool has_ended(const struct pilot_result *r)
{
    return r->cycles > 0 && !r->never_ends && !r->stopped;
}

/* Cycles that n at once take at least, by what a lower degree k took: a CTA takes no less time
 * beside more others. CTAs of one length come in rounds; of others each has its time on a core. */
static double least_by(const struct sample *d, const struct pilot_result *at, int k, int n)
{
    const bool equal = fabs(d->longest_cta - 1) < 1e-9;
    const double together = at[k - 1].resident_cycles / (d->cores * n);
    return equal ? fmax(together, at[k - 1].cycles * rounds(d, n) / rounds(d, k)) : together;
}

/* 0: that is not known. */
static double least_cycles(const struct sample *d, const struct pilot_result *at, int n)
{
    double least = 0;
    for (int k = 1; k < n; k++)
        if (has_ended(&at[k - 1]))
            least = fmax(least, least_by(d, at, k, n));
    return least;
}

/* The middle one of those between the first and the last that may be better than all that were
 * simulated; 0: none may. */
static int next_to_search(const struct sample *d, const struct pilot_result *at, int most)
{
    int degree[SAMPLE_DEGREES] = {0}, count = 0;
    double best = INFINITY;
    for (int n = 1; n <= most; n++)
        if (has_ended(&at[n - 1]))
            best = fmin(best, at[n - 1].cycles);
    for (int n = 2; n < most; n++)
        if (!at[n - 1].warp_insts && !at[n - 1].stopped && least_cycles(d, at, n) < best)
            degree[count++] = n;
    return degree[count / 2];
}

static bool run_list(const struct pilots *p, struct at_degrees *s, struct pilot_result *at,
                     struct err *e)
{
    if (!run_degrees(p, s, e))
        return false;
    for (int i = 0; i < s->count; i++)
        at[s->degree[i] - 1] = s->result[i];
    return true;
}

/* All CTAs, in their order. */
static struct pilot pilot_of_search(const struct pilots *p, const struct launch *l,
                                    const struct sample *d)
{
    struct pilot pilot = pilot_of(p, d);
    pilot.cores = p->full->top.cores;
    pilot.uneven = false;
    pilot.whole = pilot.longest_bounds = true;
    if (p->prunes && launch_ctas(l) == 1 && !is_short(p) &&
        d->launch_warp_insts >= rules(p)->pilot.one_cta) {
        pilot.work = d->launch_warp_insts;
        pilot.repeats = true;
    }
    return pilot;
}

/* One that waits for ever executes more and more, one that is slow about as much as the default
 * does. At a lower degree, with which those that wait for each other may never end; the largest
 * took so many cycles, and warp instructions. */
static void make_trial(const struct pilots *p, const struct sample *d, double cycles, double insts,
                       struct pilot *pilot)
{
    const struct waits_params *by = &rules(p)->waits;
    pilot->max_insts = (uint64_t)by->trial_insts + (uint64_t)(by->trial_runs * insts);
    pilot->max_cycles = pilot_trial_cycles((uint64_t)cycles, sample_degrees(d), by, p->max_cycles);
}

bool pilots_search(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    struct at_degrees s = {.launch = l, .pilot = pilot_of_search(p, l, d), .search = p};
    struct pilot_result at[SAMPLE_DEGREES] = {{0}};
    const int most = sample_degrees(d);
    s.pilot.deadline = 0; /* something is to be known */
    if (!run_one(&s.pilot, l, most, &at[most - 1], e))
        return false;
    s.pilot.deadline = p->budget;
    if (cta_waits_may(l->kernel))
        make_trial(p, d, at[most - 1].cycles, (double)at[most - 1].warp_insts / at[most - 1].part,
                   &s.pilot);
    for (int n = 1; n < most; n++)
        if (!p->prunes || n == 1)
            s.degree[s.count++] = n;
    if (!run_list(p, &s, at, e))
        return false;
    s.count = 1;
    while (p->prunes && (s.degree[0] = next_to_search(d, at, most)))
        if (!run_list(p, &s, at, e))
            return false;
    const int never = never_ends_up_to(at, most);
    double least = 0; /* cycles with the fewest at once that end, of those not stopped */
    for (int n = most; n >= 1; n--) {
        keep(p, n, &at[n - 1], d);
        if (n > never && at[n - 1].cycles <= 0 && !at[n - 1].stopped)
            d->pilot_cycles[n - 1] = least_cycles(d, at, n);
        if (n > never) {
            least = at[n - 1].stopped ? least : d->pilot_cycles[n - 1];
            continue;
        }
        d->pilot_cycles[n - 1] = least;
        d->pilot_insts[n - 1] = d->pilot_seconds[n - 1] = 0;
    }
    if (at[most - 1].part < 1) /* nobody waits */
        d->window_insts = (double)at[most - 1].warp_insts;
    else
        count_simulated(&at[most - 1], d);
    return true;
}

double pilot_cycles_each(const struct sample *d)
{
    return d->pilot_cycles[sample_degrees(d) - 1] / d->launch_warp_insts;
}

double pilot_rest_left(const struct pilot_rest *r, const struct sample *d)
{
    const double cycles_each = pilot_cycles_each(d);
    return cycles_each > 0 && !r->for_the_end ? fmin(r->insts, r->cycles / cycles_each) : 0;
}

/* Without a pilot of the default nobody knows what its own would buy others. */
void pilot_rest_leave(struct pilot_rest *r, const struct sample *d, double own, double took)
{
    const double cycles_each = pilot_cycles_each(d);
    if (cycles_each <= 0)
        own = 0;
    r->own_insts += own;
    r->own_cycles += own * cycles_each;
    r->insts += own - took;
    r->cycles += (own - took) * cycles_each;
}

void pilot_rest_know(struct pilot_rest *r, const struct pilot_coeff *c, double program_insts)
{
    const double insts = program_insts + r->waited,
                 cycles = r->own_insts > 0 ? insts * r->own_cycles / r->own_insts : 0;
    r->is_short = insts <= c->short_insts && cycles <= c->short_cycles;
}

void pilot_rest_end(struct pilot_rest *r, const struct pilot_coeff *c, double program_insts)
{
    pilot_rest_know(r, c, program_insts);
    if (!r->is_short)
        return;
    const double more = c->budget > 0 ? fmax(0, c->budget_short / c->budget - 1) : 0;
    r->insts += more * r->own_insts;
    r->cycles += more * r->own_cycles;
}

static int pilots_so_far(const struct sample *d)
{
    int pilots = 0;
    for (int n = 1; n <= sample_degrees(d); n++)
        pilots += d->pilot_insts[n - 1] > 0;
    return pilots;
}

double pilot_insts_each(const struct sample *d)
{
    double insts = 0;
    for (int n = 1; n <= sample_degrees(d); n++)
        insts += d->pilot_insts[n - 1];
    return insts / fmax(1, pilots_so_far(d));
}

/* A choice needs two, as in pilot_plan_next(). */
bool pilot_rest_has(const struct pilot_rest *r, const struct sample *d)
{
    const double left = pilot_rest_left(r, d);
    return pilot_insts_each(d) <= left || (r->is_short && pilots_so_far(d) < 2 && left > 0);
}

double pilot_rest_worth(const struct sample *d, double gain, double insts)
{
    return gain * pilot_cycles_each(d) * insts / pilot_insts_each(d);
}

static bool run_planned(struct pilots *p, const struct launch *l, int n, struct pilot_plan *plan,
                        struct sample *d, bool *stopped, struct err *e)
{
    struct pilot pilot = pilot_of(p, d);
    struct pilot_result r;
    pilot.most_insts = pilot_plan_allows(plan);
    bool ok = run_one(&pilot, l, n, &r, e);
    if ((r.waits || r.never_ends) && l->why) {
        l->why->kind = FAULT_NEVER_ENDS;
        ok = ok && err_set(e, "kernel %s: its CTAs wait for others", l->kernel->name);
    }
    keep(p, n, &r, d);
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
    while (n < sample_degrees(d) && d->pilot_cycles[n - 1] <= 0)
        n++;
    for (int k = 1; k < least; k++) {
        d->pilot_cycles[k - 1] = d->pilot_cycles[n - 1];
        d->pilot_insts[k - 1] = d->pilot_seconds[k - 1] = 0;
    }
}

static bool run_trial(struct pilots *p, const struct launch *l, int n, struct sample *d,
                      bool *stopped, struct err *e)
{
    struct pilot pilot = pilot_of(p, d);
    make_trial(p, d, d->pilot_cycles[sample_degrees(d) - 1],
               d->launch_warp_insts * pilot.cores / p->full->top.cores, &pilot);
    struct pilot_result r;
    const int least = sample_least(d);
    const bool ok = run_one(&pilot, l, n, &r, e);
    keep(p, n, &r, d);
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
    const bool ok = !n || (p->work > 0 ? run_trial(p, l, n, d, &stopped, e)
                                       : run_planned(p, l, n, &plan, d, &stopped, e));
    pilot_rest_leave(p->rest, d, 0, (double)(p->warp_insts - before));
    return ok;
}

bool pilots_are_in_order(const struct pilots *p, const struct launch *l, const struct sample *d)
{
    const struct waits_params *by = &rules(p)->waits;
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
    const struct pilot pilot = pilot_of(p, d);
    p->in_order = pilot_hop(&pilot, l, &p->hop, &r, &ignored);
    p->hop_insts = r.warp_insts;
    p->warp_insts += r.warp_insts;
    p->seconds += r.seconds;
}

static int next_of_waiting(const struct pilots *p, const struct sample *d, double *own)
{
    struct pilot_plan plan;
    estimate_plan(p->model, p->coeff, d, p->program_insts, &plan);
    *own = plan.budget -= (double)p->hop_insts + execution(p, d);
    plan.budget = at_most(p, *own + (p->rest ? pilot_rest_left(p->rest, d) : 0));
    return spent(p) ? 0 : pilot_plan_next(&plan);
}

/* Of the default. What waits for later ones after all is simulated with them. */
static bool run_first(struct pilots *p, const struct launch *l, struct sample *d,
                      struct pilot_result *r, struct err *e)
{
    struct pilot pilot = pilot_of(p, d); /* no deadline: something is to be known */
    pilot.deadline = 0;
    bool ok = run_one(&pilot, l, sample_degrees(d), r, e);
    keep(p, sample_degrees(d), r, d);
    if (!p->in_order || (ok && !r->stopped))
        return ok;
    p->in_order = false;
    return run_first(p, l, d, r, e);
}

/* *own: what the launch is given. */
static bool run_waiting(struct pilots *p, const struct launch *l, struct sample *d, double *own,
                        struct err *e)
{
    struct pilot_result r;
    if (!run_first(p, l, d, &r, e))
        return false;
    const double executed = d->launch_warp_insts;
    count_simulated(&r, d);
    if (p->rest)
        p->rest->waited += d->launch_warp_insts - executed;
    say_of_fewer(d, p->least);
    bool stopped = r.stopped;
    for (int n; !stopped && (n = next_of_waiting(p, d, own));)
        if (!run_trial(p, l, n, d, &stopped, e))
            return false;
    d->window_insts = (double)p->warp_insts;
    return true;
}

bool pilots_of_waiting(struct pilots *p, const struct launch *l, struct sample *d, struct err *e)
{
    const uint64_t before = p->warp_insts;
    double own = 0;
    const bool ok = run_waiting(p, l, d, &own, e);
    if (p->rest)
        pilot_rest_leave(p->rest, d, ok ? own : 0, (double)(p->warp_insts - before));
    return ok;
}
