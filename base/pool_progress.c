#include "base/pool_progress.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/progress.h"

struct pool_part {
    struct pool_progress *whole;
    double cost, fraction;
    const char *detail; /* borrowed */
};

struct pool_progress {
    struct progress *line; /* owned */
    struct pool_part *part;
    int count;
    bool stop;
    pthread_mutex_t lock; /* of stop and every part's fraction */
};

struct pool_progress *pool_progress_new(const char *title, int count)
{
    struct pool_progress *p = xcalloc(1, sizeof *p);
    p->line = progress_new(title);
    p->part = xcalloc((size_t)count, sizeof *p->part);
    p->count = count;
    for (int i = 0; i < count; i++)
        p->part[i] = (struct pool_part){.whole = p, .cost = 1};
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

void pool_progress_free(struct pool_progress *p)
{
    progress_free(p->line);
    pthread_mutex_destroy(&p->lock);
    free(p->part);
    free(p);
}

struct pool_part *pool_part(struct pool_progress *p, int i)
{
    BUG_ON(i < 0 || i >= p->count, "part %d of %d", i, p->count);
    return &p->part[i];
}

void pool_part_set(struct pool_part *part, double cost, const char *detail)
{
    part->cost = cost;
    part->detail = detail;
}

static double done(const struct pool_progress *p)
{
    double sum = 0, all = 0;
    for (int i = 0; i < p->count; i++) {
        sum += p->part[i].fraction * p->part[i].cost;
        all += p->part[i].cost;
    }
    return all > 0 ? sum / all : 1;
}

double pool_progress_done(struct pool_progress *p)
{
    pthread_mutex_lock(&p->lock);
    double d = done(p);
    pthread_mutex_unlock(&p->lock);
    return d;
}

bool pool_part_at(void *user, double fraction)
{
    struct pool_part *part = user;
    struct pool_progress *p = part->whole;
    pthread_mutex_lock(&p->lock);
    part->fraction = fraction;
    double d = done(p);
    bool go_on = !p->stop;
    pthread_mutex_unlock(&p->lock);
    progress_at(p->line, d, part->detail);
    return go_on;
}

void pool_part_end(struct pool_part *part, bool ok)
{
    struct pool_progress *p = part->whole;
    pthread_mutex_lock(&p->lock);
    p->stop |= !ok;
    part->fraction = 1;
    pthread_mutex_unlock(&p->lock);
}
