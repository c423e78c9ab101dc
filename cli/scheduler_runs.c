/* scheduler_runs.c -- two pools of simulations, one after the other: as many CTAs as fit, which
 * tells how many do, then every other degree that is asked for. */
#include "cli/scheduler_runs.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/nowhere.h"
#include "base/pool.h"
#include "base/pool_progress.h"
#include "cli/kernel_notes.h"
#include "cli/runner.h"
#include "sim/frontend/workload.h"

struct job {
    int target, combination;
    int n; /* 0: as many as fit */
    bool has_to_end;
    struct pool_part *part;
};

struct scheduling {
    const struct options *o;
    struct scheduler_runs *out;
    struct target *const *target;
    char **key;              /* owned, as are they: the targets as the store knows them */
    struct run_store *store; /* owned */
    struct job *job;         /* owned; of the running pool */
    int jobs;
    FILE *nowhere;             /* what kernels print; owned */
    pthread_mutex_t lock;      /* of store, notes */
    struct kernel_notes notes; /* of what is simulated now */
};

/* A workload with its size, whichever way it is named. */
static char *key_of(const char *name)
{
    const struct workload *w = workload_find(name);
    return w ? xasprintf("%s:%s", name, w->size[0].name) : xstrdup(name);
}

/* What was run: the configuration, the target and how its input is made. Caller frees. */
static char *what_of(const struct scheduling *s, int target, int combination)
{
    struct target_input in = {0};
    target_input_of(s->target[target], &in);
    return xasprintf("%s %s seed=%" PRIu64 " order=%s warps=%u", s->out->by->one[combination].hash,
                     s->key[target], in.seed,
                     in.order ? in.order : workload_order_name(WORKLOAD_NATURAL), in.warps);
}

static bool find(const struct scheduling *s, const struct job *j, int n, struct stored_run *out)
{
    char *what = what_of(s, j->target, j->combination);
    const bool found = run_store_find(s->store, what, n, out);
    free(what);
    return found;
}

static bool record(struct scheduling *s, const struct job *j, const struct run_result *r,
                   struct err *e)
{
    const struct stored_run run = {.n = r->n, .n_max = r->n_max, .stats = r->total};
    char *what = what_of(s, j->target, j->combination);
    pthread_mutex_lock(&s->lock);
    kernel_notes_add(&s->notes, r);
    const bool ok = run_store_add(s->store, what, &run, e);
    pthread_mutex_unlock(&s->lock);
    free(what);
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
    const bool ok = ran ? record(s, j, &r, e) : r.never_ends && !j->has_to_end;
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
static void want(struct scheduling *s, struct job j)
{
    struct stored_run got;
    bool found = find(s, &j, j.n, &got);
    for (int i = 0; !found && i < s->jobs; i++) {
        found = is_same(s, &s->job[i], &j);
        s->job[i].has_to_end |= found && j.has_to_end;
    }
    if (found)
        return;
    s->job = xrealloc(s->job, (size_t)(s->jobs + 1) * sizeof *s->job);
    s->job[s->jobs++] = j;
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
static void each(struct scheduling *s, void (*fn)(struct scheduling *s, struct job j))
{
    for (int t = 0; t < s->out->targets; t++)
        for (int c = 0; c < s->out->by->count; c++)
            fn(s, (struct job){.target = t, .combination = c, .has_to_end = true});
}

static const struct scheduler_choice *cta_of(const struct scheduling *s, const struct job *j)
{
    static const struct scheduler_choice any;
    const struct scheduler_choice *c = s->out->by->one[j->combination].cta;
    return c ? c : &any;
}

static void want_degrees(struct scheduling *s, struct job j)
{
    struct stored_run got;
    const struct scheduler_choice *cta = cta_of(s, &j);
    find(s, &j, 0, &got);
    j.n = cta->n < got.n_max ? cta->n : got.n_max;
    if (j.n > 0)
        want(s, j);
    j.has_to_end = false; /* of all degrees some may not */
    for (j.n = got.n_max - 1; cta->optimum && j.n > 0; j.n--)
        want(s, j);
}

/* The optimum: of equals the fewest CTAs at once. Some degrees may never end. */
static void collect(struct scheduling *s, struct job j)
{
    struct stored_run got;
    const struct scheduler_choice *cta = cta_of(s, &j);
    struct stored_run *out = &s->out->one[j.target * s->out->by->count + j.combination];
    const bool found = find(s, &j, cta->optimum ? 0 : cta->n, out);
    BUG_ON(!found, "%s was not recorded", s->key[j.target]);
    for (int n = out->n_max - 1; cta->optimum && n >= 1; n--)
        if (find(s, &j, n, &got) && got.stats.cycles <= out->stats.cycles)
            *out = got;
}

static bool run_all(struct scheduling *s, struct err *e)
{
    s->store = run_store_open(s->out->path, e);
    if (!s->store)
        return false;
    each(s, want);
    if (!run_pool(s, e))
        return false;
    each(s, want_degrees);
    if (!run_pool(s, e))
        return false;
    each(s, collect);
    return true;
}

bool scheduler_runs_make(const struct options *o, struct target *const *target,
                         struct scheduler_runs *r, struct err *e)
{
    struct scheduling s = {.o = o, .out = r, .target = target, .nowhere = nowhere_open()};
    r->one = xcalloc((size_t)r->targets * (size_t)r->by->count, sizeof *r->one);
    pthread_mutex_init(&s.lock, NULL);
    s.key = xcalloc((size_t)r->targets, sizeof *s.key);
    for (int i = 0; i < r->targets; i++)
        s.key[i] = key_of(r->name[i]);
    const bool ok = run_all(&s, e);
    kernel_notes_print(&s.notes);
    run_store_close(s.store);
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
