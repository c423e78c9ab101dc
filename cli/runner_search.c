/* runner_search.c -- exhaustive search: every degree is a simulation of its own. */
#include <pthread.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/progress.h"
#include "cli/runner.h"

struct search;
struct job {
    struct search *search;
    double fraction; /* done, 0..1 */
};

struct search {
    const struct run_plan *plan;
    struct run_result *out;
    struct job *job; /* owned; n_max of them */
    int n_max;
    bool stop; /* somebody failed: the others need not go on */
    struct progress *progress;
    pthread_mutex_t lock; /* of stop and every job's fraction */
};

static bool on_progress(void *user, double fraction)
{
    struct job *j = user;
    struct search *s = j->search;
    double sum = 0;
    pthread_mutex_lock(&s->lock);
    j->fraction = fraction;
    for (int i = 0; i < s->n_max; i++)
        sum += s->job[i].fraction;
    bool go_on = !s->stop;
    pthread_mutex_unlock(&s->lock);
    progress_at(s->progress, sum / s->n_max, NULL);
    return go_on;
}

static bool run_job(void *user, int i, struct err *e)
{
    struct search *s = user;
    struct run_plan plan = *s->plan;
    plan.n = i + 1;
    plan.progress = on_progress;
    plan.user = &s->job[i];
    bool ok = runner_run(&plan, &s->out[i], e);
    pthread_mutex_lock(&s->lock);
    s->stop |= !ok;
    s->job[i].fraction = 1;
    pthread_mutex_unlock(&s->lock);
    return ok || err_prefix(e, "n = %d", i + 1);
}

bool runner_search(const struct run_plan *plan, int n_max, int jobs, struct run_result **out,
                   struct err *e)
{
    BUG_ON(n_max < 1, "search over no degree");
    struct search s = {.plan = plan, .n_max = n_max, .progress = progress_new("search")};
    s.out = xcalloc((size_t)n_max, sizeof *s.out);
    s.job = xcalloc((size_t)n_max, sizeof *s.job);
    for (int i = 0; i < n_max; i++)
        s.job[i].search = &s;
    pthread_mutex_init(&s.lock, NULL);
    bool ok = pool_run(jobs, n_max, run_job, &s, e);
    progress_free(s.progress);
    pthread_mutex_destroy(&s.lock);
    free(s.job);
    *out = s.out;
    if (!ok) {
        runner_release(s.out, n_max);
        *out = NULL;
    }
    return ok;
}

void runner_release(struct run_result *all, int count)
{
    for (int i = 0; all && i < count; i++)
        run_result_release(&all[i]);
    free(all);
}
