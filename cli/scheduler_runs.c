/* scheduler_runs.c -- two pools of simulations, one after the other: as many CTAs as fit, which
 * tells how many do, then every other degree that is asked for. */
#include "cli/scheduler_runs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/pool_progress.h"
#include "base/revision.h"
#include "cli/profiler.h"
#include "cli/runner.h"
#include "sim/frontend/workload.h"

struct job {
    int target, combination;
    int n; /* 0: as many as fit */
    struct pool_part *part;
};

struct scheduling {
    const struct options *o;
    struct scheduler_runs *out;
    struct target *const *target;
    char **key;         /* owned, as are they: the targets as the database knows them */
    struct profile *db; /* owned */
    struct job *job;    /* owned; of the running pool */
    int jobs;
    FILE *nowhere;        /* what kernels print; owned */
    pthread_mutex_t lock; /* of db */
};

/* A workload with its size, which a profile always names. */
static char *key_of(const char *name)
{
    const struct workload *w = workload_find(name);
    return w ? xasprintf("%s:%s", name, w->size[0].name) : xstrdup(name);
}

static struct profile_input input_of(const struct scheduling *s, int target, int combination)
{
    struct target_input in = {0};
    const struct combination *c = &s->out->by->one[combination];
    target_input_of(s->target[target], &in);
    return (struct profile_input){.config = c->hash,
                                  .gpu = s->o->gpu,
                                  .l1d_bytes = c->cfg.mem.l1d.enabled ? c->cfg.mem.l1d.size : 0,
                                  .target = s->key[target],
                                  .seed = (int64_t)in.seed,
                                  .numbering =
                                      in.order ? in.order : workload_order_name(WORKLOAD_NATURAL),
                                  .warps = in.warps,
                                  .revision = mdpredict_revision};
}

static bool record(struct scheduling *s, const struct job *j, const struct run_result *r,
                   struct err *e)
{
    struct profile_kernel *kernel;
    const struct combination *c = &s->out->by->one[j->combination];
    const struct profile_input in = input_of(s, j->target, j->combination);
    const int kernels = profiler_by_kernel(r, &kernel);
    char *text = params_dump(gpu_cfg_groups(), &c->cfg);
    pthread_mutex_lock(&s->lock);
    const bool ok =
        profile_add_config(s->db, c->hash, text, e) &&
        profile_add_run(s->db, &in, (struct profile_run){.n = r->n}, kernel, kernels, e);
    pthread_mutex_unlock(&s->lock);
    free(text);
    free(kernel);
    return ok;
}

static bool run_job(void *user, int i, struct err *e)
{
    struct scheduling *s = user;
    struct job *j = &s->job[i];
    const struct combination *c = &s->out->by->one[j->combination];
    struct run_result r = {0};
    const struct run_plan plan = {.target = s->target[j->target],
                                  .cfg = &c->cfg,
                                  .n = j->n,
                                  .max_cycles = s->o->max_cycles,
                                  .kernel_output = s->nowhere,
                                  .progress = pool_part_at,
                                  .user = j->part};
    const bool ran = runner_run(&plan, &r, e);
    const bool ok = ran && record(s, j, &r, e);
    if (ran)
        run_result_release(&r);
    pool_part_end(j->part, ok);
    return ok || err_prefix(e, "%s, %s", s->out->name[j->target], c->name);
}

static bool is_same(const struct scheduling *s, const struct job *a, const struct job *b)
{
    const struct combination *c = s->out->by->one;
    return a->target == b->target && a->n == b->n &&
           strcmp(c[a->combination].hash, c[b->combination].hash) == 0;
}

/* A job, unless it is recorded or planned already. */
static bool want(struct scheduling *s, struct job j, struct err *e)
{
    bool found;
    struct profile_total got;
    const struct profile_input in = input_of(s, j.target, j.combination);
    if (!profile_run_total(s->db, &in, j.n, &got, &found, e))
        return false;
    for (int i = 0; !found && i < s->jobs; i++)
        found = is_same(s, &s->job[i], &j);
    if (found)
        return true;
    s->job = xrealloc(s->job, (size_t)(s->jobs + 1) * sizeof *s->job);
    s->job[s->jobs++] = j;
    return true;
}

static bool run_pool(struct scheduling *s, struct err *e)
{
    struct pool_progress *progress = pool_progress_new("schedulers", s->jobs);
    for (int i = 0; i < s->jobs; i++) {
        s->job[i].part = pool_part(progress, i);
        pool_part_set(s->job[i].part, 1, s->out->name[s->job[i].target]);
    }
    const bool ok = pool_run(s->o->jobs, s->jobs, run_job, s, e);
    pool_progress_free(progress);
    free(s->job);
    s->job = NULL;
    s->jobs = 0;
    return ok;
}

/* Calls fn with every target under every combination. */
static bool each(struct scheduling *s,
                 bool (*fn)(struct scheduling *s, struct job j, struct err *e), struct err *e)
{
    for (int t = 0; t < s->out->targets; t++)
        for (int c = 0; c < s->out->by->count; c++)
            if (!fn(s, (struct job){.target = t, .combination = c}, e))
                return false;
    return true;
}

static const struct scheduler_choice *cta_of(const struct scheduling *s, const struct job *j)
{
    static const struct scheduler_choice any;
    const struct scheduler_choice *c = s->out->by->one[j->combination].cta;
    return c ? c : &any;
}

static bool want_degrees(struct scheduling *s, struct job j, struct err *e)
{
    bool found;
    struct profile_total got;
    const struct scheduler_choice *cta = cta_of(s, &j);
    const struct profile_input in = input_of(s, j.target, j.combination);
    if (!profile_run_total(s->db, &in, 0, &got, &found, e))
        return false;
    bool ok = true;
    j.n = cta->n < got.n_max ? cta->n : got.n_max;
    if (j.n > 0)
        ok = want(s, j, e);
    for (j.n = got.n_max - 1; ok && cta->optimum && j.n > 0; j.n--)
        ok = want(s, j, e);
    return ok;
}

static bool collect(struct scheduling *s, struct job j, struct err *e)
{
    bool found;
    const struct scheduler_choice *cta = cta_of(s, &j);
    const struct profile_input in = input_of(s, j.target, j.combination);
    struct profile_total *out = &s->out->one[j.target * s->out->by->count + j.combination];
    struct profile_total got;
    if (!profile_run_total(s->db, &in, cta->optimum ? 1 : cta->n, out, &found, e))
        return false;
    BUG_ON(!found, "%s was not recorded", in.target);
    for (int n = 2; cta->optimum && n <= out->n_max; n++) {
        if (!profile_run_total(s->db, &in, n, &got, &found, e))
            return false;
        if (stats_rate(&got.stats, RATE_ipc) > stats_rate(&out->stats, RATE_ipc))
            *out = got;
    }
    return true;
}

static bool run_all(struct scheduling *s, struct err *e)
{
    s->db = profile_open(s->out->db, true, e);
    return s->db && each(s, want, e) && run_pool(s, e) && each(s, want_degrees, e) &&
           run_pool(s, e) && each(s, collect, e);
}

bool scheduler_runs_make(const struct options *o, struct target *const *target,
                         struct scheduler_runs *r, struct err *e)
{
    struct scheduling s = {.o = o, .out = r, .target = target, .nowhere = fopen("/dev/null", "w")};
    r->one = xcalloc((size_t)r->targets * (size_t)r->by->count, sizeof *r->one);
    if (!s.nowhere)
        return err_set(e, "cannot open /dev/null");
    pthread_mutex_init(&s.lock, NULL);
    s.key = xcalloc((size_t)r->targets, sizeof *s.key);
    for (int i = 0; i < r->targets; i++)
        s.key[i] = key_of(r->name[i]);
    const bool ok = run_all(&s, e);
    profile_close(s.db);
    pthread_mutex_destroy(&s.lock);
    for (int i = 0; i < r->targets; i++)
        free(s.key[i]);
    free(s.key);
    free(s.job);
    fclose(s.nowhere);
    return ok;
}

void scheduler_runs_free(struct scheduler_runs *r)
{
    free(r->one);
    r->one = NULL;
}
