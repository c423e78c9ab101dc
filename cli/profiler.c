/* profiler.c -- pools of jobs, one after the other: the samples, prices that are missing, then
 * every degree. */
#include "cli/profiler.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/nowhere.h"
#include "base/pool.h"
#include "base/pool_progress.h"
#include "cli/runner.h"
#include "model/model.h"
#include "sampler/sampler.h"

enum kind { SAMPLE, PRICE, RUN }; /* a sample brings its price along */

struct job {
    enum kind kind;
    struct profile_point *point; /* borrowed */
    struct profile_run run;      /* of RUN */
    struct profiler *work;
    struct pool_part *part; /* of the progress of the running pool */
};

struct profiler {
    const struct options *o;
    struct sampling rules;
    struct profile *db; /* borrowed */
    struct job *job;    /* owned; of the running pool */
    int jobs;
    int done;             /* of these, recorded */
    FILE *nowhere;        /* what kernels print; owned */
    pthread_mutex_t lock; /* of db, done */
};

static struct target *open_target(const struct profile_point *p, struct err *e)
{
    struct target_input in = {.seeded = true,
                              .seed = (uint64_t)p->in.seed,
                              .order = strcmp(p->in.numbering, "natural") ? p->in.numbering : NULL,
                              .warps = (unsigned)p->in.warps};
    return target_open(p->target, &in, e);
}

/* A whole simulation of the point, without what a job adds. */
static struct run_plan plan_of(const struct job *j, const struct target *t,
                               const struct gpu_cfg *cfg, int n)
{
    return (struct run_plan){.target = t,
                             .cfg = cfg,
                             .n = n,
                             .max_cycles = j->work->o->max_cycles,
                             .kernel_output = j->work->nowhere,
                             .progress = pool_part_at,
                             .user = j->part};
}

/* A host with other work stretches a measurement, sometimes to twice its time. Where a simulation
 * takes little, it and the sample are measured until the two fastest of each agree, and the fastest
 * counts. */
#define TIMES  8    /* at most */
#define LITTLE 10.0 /* CPU seconds */
#define AGREE  1.05

struct fastest {
    double one, next; /* CPU seconds; INFINITY: not measured yet */
};

/* Whether it is the fastest so far. */
static bool measured(struct fastest *f, double seconds)
{
    const bool best = seconds < f->one;
    f->next = best ? f->one : fmin(f->next, seconds);
    f->one = fmin(f->one, seconds);
    return best;
}

static bool agree(const struct fastest *f)
{
    return f->next <= AGREE * f->one;
}

static bool simulate_once(const struct job *j, const struct target *t, struct fastest *of,
                          struct err *e)
{
    struct run_result r;
    const struct run_plan plan = plan_of(j, t, &j->point->cfg, 0);
    if (!runner_run(&plan, &r, e))
        return false;
    measured(of, r.seconds);
    run_result_release(&r);
    return true;
}

/* Keeps the faster of this one and *out. */
static bool sample_once(const struct job *j, const struct target *t, const struct sampler_opts *so,
                        struct sample_set *out, struct fastest *of, struct err *e)
{
    struct sample_set set, slower = *out;
    const double start = cpu_seconds();
    if (!sampler_run(t, &j->point->cfg, so, &set, e))
        return false;
    if (measured(of, cpu_seconds() - start))
        *out = set;
    else
        slower = set;
    sample_set_release(&slower);
    return true;
}

/* Of the sample, what is for neither window nor pilot is execution. */
static bool measure(const struct job *j, const struct target *t, const struct sampler_opts *so,
                    struct sample_set *set, struct profile_price *out, struct err *e)
{
    struct fastest sampled = {INFINITY, INFINITY}, simulated = sampled;
    bool more = true;
    *set = (struct sample_set){0};
    for (int i = 0; i < TIMES && more; i++) {
        if (!sample_once(j, t, so, set, &sampled, e) || !simulate_once(j, t, &simulated, e)) {
            sample_set_release(set);
            return false;
        }
        more = simulated.one < LITTLE && !(agree(&sampled) && agree(&simulated));
    }
    const struct sample_cost *cost = &set->cost;
    *out = (struct profile_price){.functional_seconds = sampled.one - cost->window_seconds -
                                                        cost->pilot_seconds - cost->network_seconds,
                                  .window_seconds = cost->window_seconds,
                                  .simulation_seconds = simulated.one};
    return true;
}

/* The network is measured for the first pilot, which is of the largest degree. */
static void pay_network(struct sample_set *set)
{
    for (int i = 0; i < set->nkernels; i++) {
        const int n = sample_degrees(&set->kernel[i]);
        if (set->kernel[i].pilot_cycles[n - 1] > 0) {
            set->kernel[i].pilot_seconds[n - 1] += set->cost.network_seconds;
            return;
        }
    }
}

/* Pilots of every degree are part of what is recorded, and so of a sample alone. */
static bool sample(const struct job *j, const struct target *t, struct err *e)
{
    const bool whole = j->kind == SAMPLE;
    struct sample_set set;
    struct profile_price price;
    struct sampler_opts so = {.cta = -1,
                              .sample = {.effort = whole ? EFFORT_QUICK : EFFORT_WINDOW,
                                         .by = &j->work->rules,
                                         .every_pilot = whole,
                                         .max_cycles = j->work->o->max_cycles},
                              .progress = pool_part_at,
                              .user = j->part};
    if (!measure(j, t, &so, &set, &price, e))
        return false;
    pay_network(&set);
    pthread_mutex_lock(&j->work->lock);
    bool ok = !whole || profile_add_sample(j->work->db, &j->point->in, set.kernel, set.nkernels, e);
    ok = ok && profile_add_price(j->work->db, &j->point->in, &price, e);
    j->work->done += ok;
    pthread_mutex_unlock(&j->work->lock);
    sample_set_release(&set);
    return ok;
}

/* Sums launches by kernel, in order of first launch. *out: owned by the caller. */
static int by_kernel(const struct run_result *r, struct profile_kernel **out)
{
    int kernels = 0;
    struct profile_kernel *k = xcalloc((size_t)r->launches, sizeof *k);
    for (int i = 0; i < r->launches; i++) {
        const struct launch_result *l = &r->launch[i];
        int at = 0;
        while (at < kernels && strcmp(k[at].kernel, l->kernel) != 0)
            at++;
        if (at == kernels)
            k[kernels++] = (struct profile_kernel){.kernel = l->kernel};
        k[at].launches++;
        k[at].kernel_n = l->n > k[at].kernel_n ? l->n : k[at].kernel_n;
        k[at].n_max = l->uses.n_max > k[at].n_max ? l->uses.n_max : k[at].n_max;
        stats_add(&k[at].stats, &l->stats);
    }
    *out = k;
    return kernels;
}

/* The price of a search is known when one process has run every degree. */
static bool count_degree(const struct job *j, double seconds, struct err *e)
{
    struct profile_point *p = j->point;
    if (j->run.perturbation != 0 || j->work->o->no_samples)
        return true;
    p->search_seconds += seconds;
    return ++p->searched < p->n_max ||
           profile_set_search_seconds(j->work->db, &p->in, p->search_seconds, e);
}

static bool simulate(const struct job *j, const struct target *t, struct err *e)
{
    struct run_result r;
    struct gpu_cfg cfg = j->point->cfg;
    gpu_cfg_perturb(&cfg, j->run.perturbation);
    const struct run_plan plan = plan_of(j, t, &cfg, j->run.n);
    if (!runner_run(&plan, &r, e))
        return false;
    struct profile_kernel *kernel;
    int kernels = by_kernel(&r, &kernel);
    pthread_mutex_lock(&j->work->lock);
    bool ok = profile_add_run(j->work->db, &j->point->in, j->run, kernel, kernels, e) &&
              count_degree(j, r.seconds, e);
    j->work->done += ok;
    pthread_mutex_unlock(&j->work->lock);
    free(kernel);
    run_result_release(&r);
    return ok;
}

static bool run_job(void *user, int i, struct err *e)
{
    struct profiler *w = user;
    struct job *j = &w->job[i];
    static const char *const names[] = {", sample", ", price", ""};
    struct target *t = open_target(j->point, e);
    bool ok = t && (j->kind == RUN ? simulate(j, t, e) : sample(j, t, e));
    target_free(t);
    if (!ok)
        err_prefix(e, "%s, L1D of %lld bytes%s", j->point->target,
                   (long long)j->point->in.l1d_bytes, names[j->kind]);
    pool_part_end(j->part, ok);
    return ok;
}

/* A job, unless it is recorded. */
static bool want(struct profiler *w, struct profile_point *p, enum kind kind,
                 struct profile_run run, struct err *e)
{
    bool has;
    if (!(kind == PRICE ? profile_has_price(w->db, &p->in, &has, e)
                        : profile_has(w->db, &p->in, run, &has, e)))
        return false;
    if (has)
        return true;
    w->job = xrealloc(w->job, (size_t)(w->jobs + 1) * sizeof *w->job);
    w->job[w->jobs++] = (struct job){.kind = kind, .point = p, .run = run, .work = w};
    return true;
}

static bool run_pool(struct profiler *w, const char *title, struct err *e)
{
    struct pool_progress *progress = pool_progress_new(title, w->jobs);
    for (int i = 0; i < w->jobs; i++) {
        const struct profile_point *p = w->job[i].point;
        w->job[i].part = pool_part(progress, i);
        pool_part_set(w->job[i].part, p->warp_insts > 0 ? p->warp_insts : 1, p->target);
    }
    bool ok = pool_run(w->o->jobs, w->jobs, run_job, w, e);
    pool_progress_free(progress);
    fprintf(stderr, "%s: %d done\n", title, w->done);
    w->done = 0;
    free(w->job);
    w->job = NULL;
    w->jobs = 0;
    return ok;
}

/* Executes the point's program without timing: its occupancy limit and its warp instructions. */
static bool execute(const struct options *o, const struct profile_point *p, int *n_max,
                    double *warp_insts, struct err *e)
{
    struct profile_point at = *p;
    struct run_result r;
    struct run_plan plan = {.cfg = &p->cfg, .functional = true, .max_cycles = o->max_cycles};
    at.in.target = at.target;
    plan.kernel_output = nowhere_open();
    struct target *t = open_target(&at, e);
    plan.target = t;
    const bool ok = t && runner_run(&plan, &r, e);
    if (ok) {
        *n_max = r.n_max;
        *warp_insts = (double)r.total.warp_insts;
        run_result_release(&r);
    }
    target_free(t);
    fclose(plan.kernel_output);
    return ok || err_prefix(e, "%s", p->target);
}

/* The occupancy limit, and how much work a run is: the recorded sample tells, if there is one. */
static bool want_degrees(struct profiler *w, struct profile_point *p, struct err *e)
{
    if (!(w->o->no_samples ? execute(w->o, p, &p->n_max, &p->warp_insts, e)
                           : profile_limits(w->db, &p->in, &p->n_max, &p->warp_insts, e)))
        return false;
    bool ok = true;
    for (int i = 0; i <= w->o->perturbed; i++)
        for (int n = p->n_max; ok && n >= 1; n--)
            ok = want(w, p, RUN, (struct profile_run){n, gpu_cfg_perturbation(&p->cfg, i)}, e);
    return ok;
}

/* A sample has short runs of every degree, and one whole run beside it for its price. */
bool profiler_cost(const struct options *o, const struct profile_point *p, double *out,
                   struct err *e)
{
    int n_max;
    double warp_insts;
    if (!execute(o, p, &n_max, &warp_insts, e))
        return false;
    const int samples = o->no_samples ? 0 : 2;
    const int runs = o->samples || o->prices ? 0 : n_max * (1 + o->perturbed);
    *out = warp_insts * (samples + runs);
    return true;
}

bool profiler_run(const struct options *o, struct profile *db, struct profile_point *point,
                  int points, struct err *e)
{
    struct profiler w = {.o = o, .db = db, .nowhere = nowhere_open()};
    if (!sampling_load(&w.rules, e)) {
        fclose(w.nowhere);
        return false;
    }
    pthread_mutex_init(&w.lock, NULL);
    bool ok = true;
    for (int i = 0; ok && i < points && !o->prices && !o->no_samples; i++)
        ok = want(&w, &point[i], SAMPLE, (struct profile_run){0}, e);
    ok = ok && (o->prices || o->no_samples || run_pool(&w, "samples", e));
    for (int i = 0; ok && i < points && !o->no_samples; i++)
        ok = want(&w, &point[i], PRICE, (struct profile_run){0}, e);
    ok = ok && ((w.jobs == 0 && !o->prices) || run_pool(&w, "prices", e));
    if (!o->samples && !o->prices) {
        for (int i = 0; ok && i < points; i++)
            ok = want_degrees(&w, &point[i], e);
        ok = ok && run_pool(&w, "runs", e);
    }
    pthread_mutex_destroy(&w.lock);
    free(w.job);
    fclose(w.nowhere);
    return ok;
}
