/* pool.c -- exhaustive search: every degree is a simulation of its own, on as many threads as
 * wanted. Jobs share nothing but the queue, so the results do not depend on their number. */
#include <pthread.h>
#include <stdlib.h>

#include "base/progress.h"
#include "cli/runner.h"

struct pool;
struct job {
    struct pool *pool;
    int n;
    double fraction; /* done, 0..1 */
    bool ok, failed;
    struct err why;
};

struct pool {
    const struct run_plan *plan;
    struct run_result *out;
    struct job *job; /* owned; n_max of them */
    int n_max, next;
    bool stop; /* somebody failed: the others need not go on */
    struct progress *progress;
    pthread_mutex_t lock; /* of next, stop and every job's fraction */
};

static bool on_progress(void *user, double fraction)
{
    struct job *j = user;
    struct pool *p = j->pool;
    double sum = 0;
    pthread_mutex_lock(&p->lock);
    j->fraction = fraction;
    for (int i = 0; i < p->n_max; i++)
        sum += p->job[i].fraction;
    bool go_on = !p->stop;
    pthread_mutex_unlock(&p->lock);
    progress_at(p->progress, sum / p->n_max, NULL);
    return go_on;
}

static void run_job(struct pool *p, struct job *j)
{
    struct run_plan plan = *p->plan;
    plan.n = j->n;
    plan.progress = on_progress;
    plan.user = j;
    j->ok = runner_run(&plan, &p->out[j->n - 1], &j->why);
    pthread_mutex_lock(&p->lock);
    j->failed = !j->ok && !p->stop; /* the first failure; later ones may only have been stopped */
    p->stop |= !j->ok;
    j->fraction = 1;
    pthread_mutex_unlock(&p->lock);
}

static void *worker(void *user)
{
    struct pool *p = user;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        int i = p->stop || p->next == p->n_max ? -1 : p->next++;
        pthread_mutex_unlock(&p->lock);
        if (i < 0)
            return NULL;
        run_job(p, &p->job[i]);
    }
}

static void run_pool(struct pool *p, int jobs)
{
    pthread_t *thread = xcalloc((size_t)jobs, sizeof *thread);
    int started = 0;
    while (started < jobs - 1 && pthread_create(&thread[started], NULL, worker, p) == 0)
        started++;
    worker(p); /* this thread works too, so even without any other the search gets done */
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

bool runner_search(const struct run_plan *plan, int n_max, int jobs, struct run_result **out,
                   struct err *e)
{
    BUG_ON(n_max < 1, "search over no degree");
    struct pool p = {.plan = plan, .n_max = n_max, .progress = progress_new("search")};
    p.out = xcalloc((size_t)n_max, sizeof *p.out);
    p.job = xcalloc((size_t)n_max, sizeof *p.job);
    for (int i = 0; i < n_max; i++)
        p.job[i] = (struct job){.pool = &p, .n = i + 1};
    pthread_mutex_init(&p.lock, NULL);
    run_pool(&p, jobs < n_max ? jobs : n_max);
    progress_free(p.progress);
    pthread_mutex_destroy(&p.lock);
    for (int i = 0; i < n_max; i++)
        if (p.job[i].failed)
            err_set(e, "n = %d: %s", i + 1, p.job[i].why.msg);
    free(p.job);
    *out = p.out;
    if (p.stop) {
        runner_release(p.out, n_max);
        *out = NULL;
    }
    return !p.stop;
}

void runner_release(struct run_result *all, int count)
{
    for (int i = 0; all && i < count; i++)
        run_result_release(&all[i]);
    free(all);
}
