#include "sampler/profile/launch_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sampler/window/window.h"

static int cluster_of(struct launch_profile *c, const struct launch_was *x)
{
    int part = 0;
    for (int i = 0; i < c->clusters; i++) {
        if (launch_cluster_holds(&c->cluster[i], x))
            return i;
        part += strcmp(c->cluster[i].kernel, x->l->kernel->name) == 0;
    }
    c->cluster = xrealloc(c->cluster, (size_t)(c->clusters + 1) * sizeof *c->cluster);
    c->cluster[c->clusters] = launch_cluster_begin(x);
    c->cluster[c->clusters].part = part;
    return c->clusters++;
}

static uint64_t most(const uint64_t *of, uint64_t n)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < n; i++)
        found = of[i] > found ? of[i] : found;
    return found;
}

void launch_profile_add(struct launch_profile *c, const struct launch *l,
                        const struct func_counts *n, const uint64_t *cta_insts,
                        struct memory_watch *memory)
{
    const struct memory_use use =
        memory ? memory_watch_mean(memory) : (struct memory_use){.own = 1};
    struct launch_seen s = {.cluster = cluster_of(c, &(struct launch_was){l, n, &use}),
                            .ctas = n->ctas,
                            .warp_insts = n->warp_insts,
                            .thread_insts = n->thread_insts};
    s.uneven = memory && memory_watch_uneven(memory);
    s.cta = cta_insts ? window_nearest(cta_insts, n->ctas,
                                       (double)n->warp_insts / fmax(1, (double)n->ctas))
                      : 0;
    s.most_insts = cta_insts ? most(cta_insts, n->ctas) : n->warp_insts;
    c->launch = xrealloc(c->launch, (size_t)(c->launches + 1) * sizeof *c->launch);
    c->launch[c->launches++] = s;
    launch_cluster_count(&c->cluster[s.cluster], n);
}

/* A kernel's first launch finds caches that hold nothing of its own, later ones often do: where it
 * is a large part of the cluster it stands for itself. */
static void split_first(struct launch_profile *c, int cluster, int launch)
{
    c->cluster = xrealloc(c->cluster, (size_t)(c->clusters + 1) * sizeof *c->cluster);
    struct launch_cluster *g = &c->cluster[cluster], *first = &c->cluster[c->clusters];
    struct launch_seen *s = &c->launch[launch];
    *first = *g;
    first->kernel = xstrdup(g->kernel);
    first->part = 0;
    for (int i = 0; i < c->clusters; i++)
        first->part += strcmp(c->cluster[i].kernel, g->kernel) == 0;
    first->launches = 1;
    first->ctas = s->ctas;
    first->warp_insts = s->warp_insts;
    first->thread_insts = s->thread_insts;
    g->launches--;
    g->ctas -= s->ctas;
    g->warp_insts -= s->warp_insts;
    g->thread_insts -= s->thread_insts;
    s->cluster = c->clusters++;
}

static void split_first_launches(struct launch_profile *c)
{
    const int clusters = c->clusters;
    bool *split = xcalloc((size_t)clusters, sizeof *split);
    for (int i = 0; i < c->launches; i++) {
        const int g = c->launch[i].cluster;
        if (!split[g] && c->cluster[g].launches > 1 &&
            c->cluster[g].launches <= LAUNCH_PROFILE_COLD)
            split_first(c, g, i);
        split[g] = true;
    }
    free(split);
}

void launch_profile_close(struct launch_profile *c)
{
    split_first_launches(c);
    uint64_t *seen = xcalloc((size_t)c->clusters, sizeof *seen);
    for (int i = 0; i < c->launches; i++) {
        const int g = c->launch[i].cluster;
        if (seen[g]++ == c->cluster[g].launches / 2)
            c->cluster[g].representative = i;
    }
    free(seen);
}

void launch_profile_free(struct launch_profile *c)
{
    for (int i = 0; i < c->clusters; i++)
        launch_cluster_fini(&c->cluster[i]);
    free(c->cluster);
    free(c->launch);
    *c = (struct launch_profile){0};
}

const struct launch_cluster *launch_profile_cluster_at(const struct launch_profile *c, int i)
{
    const struct launch_cluster *g = &c->cluster[c->launch[i].cluster];
    return g->representative == i ? g : NULL;
}
