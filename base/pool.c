#include "base/pool.h"

#include <pthread.h>
#include <stdlib.h>

struct pool {
    pool_job job;
    void *user;
    int count, next;
    bool failed;
    struct err why;       /* what the first said; later ones may only have been stopped */
    pthread_mutex_t lock; /* of next, failed and why */
};

static void *work(void *arg)
{
    struct pool *p = arg;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        int i = p->failed || p->next == p->count ? -1 : p->next++;
        pthread_mutex_unlock(&p->lock);
        if (i < 0)
            return NULL;
        struct err e = {""};
        bool ok = p->job(p->user, i, &e);
        pthread_mutex_lock(&p->lock);
        if (!ok && !p->failed) {
            p->failed = true;
            p->why = e;
        }
        pthread_mutex_unlock(&p->lock);
    }
}

bool pool_run(int threads, int count, pool_job job, void *user, struct err *e)
{
    BUG_ON(threads < 1, "a pool of %d threads", threads);
    struct pool p = {.job = job, .user = user, .count = count};
    pthread_mutex_init(&p.lock, NULL);
    pthread_t *thread = xcalloc((size_t)threads, sizeof *thread);
    int started = 0;
    while (started < threads - 1 && started < count - 1 &&
           pthread_create(&thread[started], NULL, work, &p) == 0)
        started++;
    work(&p); /* this thread works too, so even without any other the jobs get done */
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    pthread_mutex_destroy(&p.lock);
    if (p.failed)
        *e = p.why;
    return !p.failed;
}
