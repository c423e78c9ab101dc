#include "sampler/profile/launch_profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const struct similarity_params *rules(const struct launch_profile *c)
{
    return &sampling_or_default(c->like.by)->similarity;
}

void launch_profile_add(struct launch_profile *c, const struct launch *l,
                        const struct func_counts *n, const struct launch_watch *look)
{
    const struct memory_use use =
        look->memory ? memory_watch_mean(look->memory) : (struct memory_use){.own = 1};
    const struct launch_seen s = {
        .cluster = launch_clusters_of(&c->like, &(struct launch_was){l, n, &use}),
        .ctas = n->ctas,
        .facts = launch_facts_of(n, look, rules(c))};
    c->launch = xrealloc(c->launch, (size_t)(c->launches + 1) * sizeof *c->launch);
    c->launch[c->launches++] = s;
    launch_cluster_count(&c->like.at[s.cluster], n);
}

/* A kernel's first launch finds caches that hold nothing of its own, later ones often do: where it
 * is a large part of the cluster it stands for itself. */
static void split_first(struct launch_profile *c, int cluster, int launch)
{
    struct launch_seen *s = &c->launch[launch];
    const struct launch_facts *f = &s->facts;
    s->cluster = launch_clusters_split(&c->like, cluster);
    struct launch_cluster *g = &c->like.at[cluster];
    launch_cluster_count(&c->like.at[s->cluster],
                         &(struct func_counts){.warp_insts = f->warp_insts,
                                               .thread_insts = f->thread_insts,
                                               .ctas = s->ctas});
    g->launches--;
    g->ctas -= s->ctas;
    g->warp_insts -= f->warp_insts;
    g->thread_insts -= f->thread_insts;
}

static void split_first_launches(struct launch_profile *c)
{
    const int clusters = c->like.count;
    bool *split = xcalloc((size_t)clusters, sizeof *split);
    for (int i = 0; i < c->launches; i++) {
        const int g = c->launch[i].cluster;
        if (!split[g] && c->like.at[g].launches > 1 &&
            c->like.at[g].launches <= (uint64_t)rules(c)->cold)
            split_first(c, g, i);
        split[g] = true;
    }
    free(split);
}

void launch_profile_close(struct launch_profile *c)
{
    split_first_launches(c);
    uint64_t *seen = xcalloc((size_t)c->like.count, sizeof *seen);
    for (int i = 0; i < c->launches; i++) {
        const int g = c->launch[i].cluster;
        if (seen[g]++ == c->like.at[g].launches / 2)
            c->like.at[g].representative = i;
    }
    free(seen);
}

void launch_profile_free(struct launch_profile *c)
{
    launch_clusters_fini(&c->like);
    free(c->launch);
    *c = (struct launch_profile){0};
}

const struct launch_cluster *launch_profile_cluster_at(const struct launch_profile *c, int i)
{
    const struct launch_cluster *g = &c->like.at[c->launch[i].cluster];
    return g->representative == i ? g : NULL;
}
