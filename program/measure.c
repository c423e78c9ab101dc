#include "program/measure.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_time.h"
#include "base/nowhere.h"
#include "model/estimate.h"
#include "program/online.h"
#include "sampler/pilot/pilot.h"
#include "sampler/whole_runs.h"
#include "sampler/window/cta_waits.h"

struct run_progress { /* of one run */
    struct measure_progress *of;
    uint64_t done;
};

static bool on_progress(void *user, uint64_t ctas_done, uint64_t ctas_all, cycle_t now)
{
    struct run_progress *r = user;
    const uint64_t done = ctas_all ? 1000000 * ctas_done / ctas_all : 0;
    const uint64_t all = atomic_fetch_add(&r->of->done, done - r->done) + done - r->done;
    (void)now;
    r->done = done;
    progress_at(r->of->line, (double)all / (1e6 * r->of->runs), NULL);
    return true;
}

bool measure_launch(struct gpu **g, const struct program_plan *p, struct launch *l,
                    const struct measure_opts *opts, struct record_run *r, struct err *e)
{
    const struct cta_cfg *cta = &p->cfg.cta;
    const bool is_online = strcmp(cta->cta_scheduler, "online") == 0;
    const struct model_coeffs with = {.model = is_online ? model_find(cta->online.model) : NULL,
                                      .value = p->online};
    if (!*g && !(*g = gpu_new(&p->cfg, e)))
        return false;
    struct run_progress at = {opts->progress, 0};
    struct online online;
    online_init(&online, &p->cfg, &with, &p->rules, opts->max_cycles);
    struct gpu_opts o = {.n = r->n,
                         .max_cycles = opts->max_cycles,
                         .inst_counts = opts->counts,
                         .progress = opts->progress ? on_progress : NULL,
                         .progress_user = &at,
                         .only_core = -1,
                         .trace_working_set = true,
                         .predictor = online_predictor(&online, l)};
    double start = cpu_seconds();
    bool ok = gpu_launch(*g, l, &o, &r->stats, e);
    r->host_seconds = cpu_seconds() - start;
    online_fini(&online);
    if (!ok) { /* CTAs are left on its cores */
        gpu_free(*g);
        *g = NULL;
    }
    return ok;
}

void degrees_free(struct degrees *d)
{
    gpu_free(d->before);
    d->before = NULL;
}

struct work { /* one launch at all degrees */
    struct degrees *degrees;
    const struct program_plan *plan;
    struct gpu_cfg cfg; /* the plan's, perturbed */
    int perturbation;
    const struct launch *launch;
    struct record_run *out;
    struct measure_progress progress;
    uint64_t max_cycles;
    int next, least; /* degrees are taken from the highest down to the least with which it runs: the
                        longest runs come last */
    int bad;         /* the highest that failed; 0: none. Which lower ones ran is left to chance. */
    struct err why;  /* of that one */
    bool limited;    /* max_cycles is what such a run may take, not what was asked for */
    bool never_ends; /* why that one did: its CTAs wait for ever, or so long */
    pthread_mutex_t lock;
};

/* *g: the GPU afterwards, the caller's; NULL: the launch failed. */
static bool at_degree(struct work *w, int n, struct gpu **g, struct fault *why, struct err *e)
{
    struct launch l = *w->launch;
    *why = (struct fault){0};
    l.mem = devmem_share(w->launch->mem);
    l.why = why;
    struct record_run *r = &w->out[n];
    const int least = gpu_least_degree(&w->cfg, &l);
    *r = (struct record_run){.n = n > least ? n : least, .perturbation = w->perturbation};
    const struct measure_opts with = {.max_cycles = w->max_cycles, .progress = &w->progress};
    *g = gpu_new(&w->cfg, e);
    if (*g && w->degrees->before)
        gpu_copy_caches(*g, w->degrees->before);
    const bool ok = *g && measure_launch(g, w->plan, &l, &with, r, e);
    r->ran = r->n;
    r->n = n;
    devmem_free(l.mem);
    return ok || err_prefix(e, "at n = %d", n);
}

static void *worker(void *user)
{
    struct work *w = user;
    for (;;) {
        struct err e;
        pthread_mutex_lock(&w->lock);
        int n = w->bad ? 0 : w->next--;
        pthread_mutex_unlock(&w->lock);
        if (n < w->least)
            return NULL;
        struct gpu *g;
        struct fault why;
        const bool ok = at_degree(w, n, &g, &why, &e);
        gpu_free(g);
        if (ok)
            continue;
        pthread_mutex_lock(&w->lock);
        if (n > w->bad) {
            w->bad = n;
            w->never_ends = why.kind == FAULT_NEVER_ENDS || (why.kind == FAULT_LIMIT && w->limited);
            w->why = e;
        }
        pthread_mutex_unlock(&w->lock);
    }
}

/* With fewer it never ends, or does not run: it takes so many. What finding that out took is the
 * search's, too. */
static void raise_to(struct record_run *out, int least)
{
    for (int n = 1; n < least; n++) {
        const double seconds = out[n].host_seconds;
        out[n] = out[least];
        out[n].n = n;
        out[n].host_seconds = seconds;
    }
}

/* A copy, of which nothing is seen that it prints; its file is to be closed. Threads of a search
 * don't share its fault. */
static struct launch quiet_copy(const struct launch *l)
{
    struct launch copy = *l;
    copy.why = NULL;
    copy.printf_file = nowhere_open();
    return copy;
}

bool measure_degrees(struct degrees *d, const struct program_plan *p, const struct launch *l,
                     const struct measured_degrees *m, struct err *e)
{
    const int n_max = m->n_max;
    struct launch quiet = quiet_copy(l);
    const bool alike = strcmp(p->cfg.cta.cta_scheduler, "static") == 0;
    const int even = alike ? gpu_most_degree(&p->cfg, l) : n_max;
    const int most = even < n_max ? even : n_max; /* higher ones are the same */
    struct work w = {.degrees = d,
                     .plan = p,
                     .cfg = p->cfg,
                     .perturbation = m->perturbation,
                     .launch = &quiet,
                     .out = m->out,
                     .progress = {.line = m->line,
                                  .runs = most * (p->perturbed + 1),
                                  .done = (uint64_t)(m->perturbation * most) * 1000000},
                     .max_cycles = p->max_cycles,
                     .next = most - 1,
                     .least = gpu_least_degree(&p->cfg, l)};
    struct gpu *after;
    struct fault why;
    gpu_cfg_perturb(&w.cfg, gpu_cfg_perturbation(&p->cfg, m->perturbation));
    pthread_mutex_init(&w.lock, NULL);
    w.bad = at_degree(&w, n_max, &after, &why, &w.why) ? 0 : n_max;
    if (cta_waits_may(l->kernel))
        w.max_cycles =
            pilot_limit_cycles(m->out[n_max].stats.cycles, n_max, &p->rules.waits, p->max_cycles);
    w.limited = w.max_cycles != p->max_cycles;
    /* The program's signal handlers run on its own threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread[MODEL_N_MAX];
    int started = 0, wanted = (p->jobs < most ? p->jobs : most - 1) - 1;
    while (started < wanted && pthread_create(&thread[started], NULL, worker, &w) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    worker(&w);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&w.lock);
    fclose(quiet.printf_file);
    degrees_free(d);
    d->before = after;
    for (int n = most; n < n_max; n++) {
        m->out[n] = m->out[n_max];
        m->out[n].n = m->out[n].ran = n;
        m->out[n].host_seconds = 0;
    }
    raise_to(m->out, w.least);
    if (w.never_ends) {
        raise_to(m->out, w.bad + 1);
        w.bad = 0;
    }
    if (w.bad && e)
        *e = w.why;
    if (w.bad)
        degrees_free(d);
    return !w.bad;
}

struct whole { /* a launch, simulated whole */
    const struct program_plan *plan;
    const struct launch *launch;
    const struct prediction *all;
    struct record_sample *out;
};

/* On a GPU that has run nothing before. A degree at which CTAs wait for ever is none to choose. */
static bool run_whole(void *user, int n, struct whole_run *run, struct err *e)
{
    struct whole *w = user;
    const struct program_plan *p = w->plan;
    const double predicted = w->out->sample.total_thread_insts / w->all->ipc[n];
    const struct measure_opts with = {
        .max_cycles = pilot_limit_cycles((uint64_t)predicted, 0, &p->rules.waits, p->max_cycles)};
    struct record_run r = {.n = n};
    struct gpu *g = NULL;
    struct launch copy = *w->launch;
    copy.mem = devmem_share(copy.mem);
    const bool ok = measure_launch(&g, p, &copy, &with, &r, e);
    devmem_free(copy.mem);
    gpu_free(g);
    *run = (struct whole_run){ratio(r.stats.thread_insts, r.stats.cycles), r.stats.warp_insts,
                              r.host_seconds};
    if (ok) {
        struct sample_runs *runs = &w->out->runs;
        runs->n[runs->count] = n;
        runs->ipc[runs->count++] = run->ipc;
    }
    return ok;
}

/* What fails is left out: the program goes on, and its sample is there. */
static void confirm(const struct program_plan *p, const struct sampling_driver *d,
                    const struct launch *l, struct record_sample *out)
{
    const struct sample_opts *o = &d->opts;
    struct err ignored;
    struct prediction part, all;
    struct pilot_coeff pilots = o->pilots;
    struct posterior *known = estimate(o->model, &pilots, &out->sample, 1, &part, &all);
    struct launch quiet = *l;
    struct whole of = {.plan = p, .launch = &quiet, .all = &all, .out = out};
    quiet.why = NULL;
    quiet.printf_file = d->nowhere;
    pilots.runs = fmin(pilots.runs, RECORD_RUNS);
    whole_runs(&(struct whole_runs){.pilots = &pilots,
                                    .budget = o->budget,
                                    .insts = out->sample.launch_warp_insts,
                                    .known = known,
                                    .all = &all,
                                    .run = run_whole,
                                    .user = &of,
                                    .cost = &out->cost},
               &ignored);
    posterior_free(known);
}

void measure_driver(const struct program_plan *p, struct model_coeffs *model,
                    struct sampling_driver *out)
{
    *model = (struct model_coeffs){.model = model_find(p->model), .value = p->coeff};
    *out = (struct sampling_driver){
        .cfg = &p->cfg, .opts = p->sampling, .cta = p->cta, .program_insts = INFINITY};
    out->opts.by = &p->rules;
    out->opts.model = model;
    out->opts.jobs = p->jobs;
    out->opts.max_cycles = p->max_cycles;
}

bool measure_sample(struct sampling_driver *d, const struct program_plan *p,
                    struct sampled_launch *x, struct record_sample *out, struct err *e)
{
    if (!sampling_driver_sample(d, x, &out->sample, &out->cost, e))
        return false;
    if (!x->waits && d->opts.effort == EFFORT_THOROUGH && d->opts.model->model)
        confirm(p, d, x->l, out);
    return true;
}
