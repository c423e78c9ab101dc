#include "sampler/profile/launch_cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/func/cta_cluster.h"

static const struct similarity_params *rules(const struct launch_clusters *c)
{
    return &sampling_or_default(c->by)->similarity;
}

static int size_class(const struct similarity_params *by, double x)
{
    return (int)lround(by->classes * log2(fmax(x, 1)));
}

struct launch_size launch_size_of(const struct similarity_params *by, uint64_t ctas, uint64_t work)
{
    return (struct launch_size){size_class(by, (double)ctas),
                                size_class(by, (double)work / fmax(1, (double)ctas))};
}

bool launch_size_same(const struct launch_size *a, const struct launch_size *b)
{
    return a->grid == b->grid && a->work == b->work;
}

static struct launch_size size_of(const struct launch_clusters *c, const struct func_counts *n)
{
    return launch_size_of(rules(c), n->ctas, func_work(n));
}

/* The launch has so many CTAs. */
static bool may_hold(const struct launch_clusters *c, const struct launch_cluster *g,
                     const struct launch *l, uint64_t ctas)
{
    return kernel_key_is(&g->kernel, l) && g->cluster_ctas == launch_cluster_ctas(l) &&
           g->size.grid == size_class(rules(c), (double)ctas);
}

static bool holds(const struct launch_clusters *c, const struct launch_cluster *g,
                  const struct launch_was *x)
{
    const struct launch_size size = size_of(c, x->n);
    return may_hold(c, g, x->l, x->n->ctas) && launch_size_same(&g->size, &size) &&
           memory_use_similar(&g->use, x->use, rules(c));
}

/* Takes over its key. */
static int add(struct launch_clusters *c, const struct launch_cluster *g)
{
    c->at = xrealloc(c->at, (size_t)(c->count + 1) * sizeof *c->at);
    struct launch_cluster *new = &c->at[c->count];
    *new = *g;
    new->part = 0;
    for (int i = 0; i < c->count; i++)
        new->part += strcmp(c->at[i].kernel.name, g->kernel.name) == 0;
    return c->count++;
}

int launch_clusters_of(struct launch_clusters *c, const struct launch_was *x)
{
    for (int i = 0; i < c->count; i++)
        if (holds(c, &c->at[i], x))
            return i;
    return add(c, &(struct launch_cluster){.kernel = kernel_key_of(x->l),
                                           .cluster_ctas = launch_cluster_ctas(x->l),
                                           .size = size_of(c, x->n),
                                           .use = *x->use,
                                           .representative = -1});
}

bool launch_clusters_may_hold(const struct launch_clusters *c, const struct launch *l)
{
    for (int i = 0; i < c->count; i++)
        if (may_hold(c, &c->at[i], l, launch_ctas(l)))
            return true;
    return false;
}

int launch_clusters_split(struct launch_clusters *c, int i)
{
    const struct launch_cluster *g = &c->at[i];
    return add(c, &(struct launch_cluster){.kernel = kernel_key_copy(&g->kernel),
                                           .cluster_ctas = g->cluster_ctas,
                                           .size = g->size,
                                           .use = g->use,
                                           .representative = -1});
}

void launch_cluster_count(struct launch_cluster *g, const struct func_counts *n)
{
    g->launches++;
    g->ctas += n->ctas;
    g->warp_insts += n->warp_insts;
    g->thread_insts += n->thread_insts;
}

void launch_clusters_fini(struct launch_clusters *c)
{
    for (int i = 0; i < c->count; i++)
        kernel_key_fini(&c->at[i].kernel);
    free(c->at);
    *c = (struct launch_clusters){0};
}
