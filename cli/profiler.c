/* profiler.c -- two pools of jobs, one after the other: the samples, then every degree. */
#include "cli/profiler.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/pool_progress.h"
#include "cli/runner.h"
#include "model/model.h"
#include "sampler/sampler.h"

struct job {
    const struct profile_point *point; /* borrowed */
    struct profile_run run;            /* n 0: the sample */
    struct profiler *work;
    struct pool_part *part; /* of the progress of the running pool */
};

struct profiler {
    const struct options *o;
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

static bool sample(const struct job *j, const struct target *t, struct err *e)
{
    struct sample_set set;
    struct sampler_opts so = {.cta = -1,
                              .sample = {.effort = EFFORT_QUICK,
                                         .every_pilot = true,
                                         .max_cycles = j->work->o->max_cycles},
                              .progress = pool_part_at,
                              .user = j->part};
    if (!sampler_run(t, &j->point->cfg, &so, &set, e))
        return false;
    pthread_mutex_lock(&j->work->lock);
    bool ok = profile_add_sample(j->work->db, &j->point->in, set.kernel, set.nkernels, e);
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
        k[at].n_max = l->n_max > k[at].n_max ? l->n_max : k[at].n_max;
        stats_add(&k[at].stats, &l->stats);
    }
    *out = k;
    return kernels;
}

static bool simulate(const struct job *j, const struct target *t, struct err *e)
{
    struct run_result r;
    struct gpu_cfg cfg = j->point->cfg;
    gpu_cfg_perturb(&cfg, j->run.perturbation);
    struct run_plan plan = {.target = t,
                            .cfg = &cfg,
                            .n = j->run.n,
                            .max_cycles = j->work->o->max_cycles,
                            .kernel_output = j->work->nowhere,
                            .progress = pool_part_at,
                            .user = j->part};
    if (!runner_run(&plan, &r, e))
        return false;
    struct profile_kernel *kernel;
    int kernels = by_kernel(&r, &kernel);
    pthread_mutex_lock(&j->work->lock);
    bool ok = profile_add_run(j->work->db, &j->point->in, j->run, kernel, kernels, e);
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
    struct target *t = open_target(j->point, e);
    bool ok = t && (j->run.n ? simulate(j, t, e) : sample(j, t, e));
    target_free(t);
    if (!ok)
        err_prefix(e, "%s, L1D of %lld bytes%s", j->point->target,
                   (long long)j->point->in.l1d_bytes, j->run.n ? "" : ", sample");
    pool_part_end(j->part, ok);
    return ok;
}

/* A job, unless it is recorded. */
static bool want(struct profiler *w, struct profile_point *p, struct profile_run run, struct err *e)
{
    bool has;
    if (!profile_has(w->db, &p->in, run, &has, e))
        return false;
    if (has)
        return true;
    w->job = xrealloc(w->job, (size_t)(w->jobs + 1) * sizeof *w->job);
    w->job[w->jobs++] = (struct job){.point = p, .run = run, .work = w};
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

/* What the recorded sample tells: the occupancy limit, and how much work a run is. */
static bool want_degrees(struct profiler *w, struct profile_point *p, struct err *e)
{
    int n_max;
    if (!profile_limits(w->db, &p->in, &n_max, &p->warp_insts, e))
        return false;
    bool ok = true;
    for (int i = 0; i <= w->o->perturbed; i++)
        for (int n = n_max; ok && n >= 1; n--)
            ok = want(w, p, (struct profile_run){n, gpu_cfg_perturbation(&p->cfg, i)}, e);
    return ok;
}

bool profiler_run(const struct options *o, struct profile *db, struct profile_point *point,
                  int points, struct err *e)
{
    struct profiler w = {.o = o, .db = db, .nowhere = fopen("/dev/null", "w")};
    if (!w.nowhere)
        return err_set(e, "cannot open /dev/null");
    pthread_mutex_init(&w.lock, NULL);
    bool ok = true;
    for (int i = 0; ok && i < points; i++)
        ok = want(&w, &point[i], (struct profile_run){0}, e);
    ok = ok && run_pool(&w, "samples", e);
    if (!o->samples) {
        for (int i = 0; ok && i < points; i++)
            ok = want_degrees(&w, &point[i], e);
        ok = ok && run_pool(&w, "runs", e);
    }
    pthread_mutex_destroy(&w.lock);
    free(w.job);
    fclose(w.nowhere);
    return ok;
}
