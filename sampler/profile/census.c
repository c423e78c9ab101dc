#include "sampler/profile/census.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sampler/window/window.h"

static int group_of(struct census *c, const struct launch_was *x)
{
    int part = 0;
    for (int i = 0; i < c->groups; i++) {
        if (launch_group_holds(&c->group[i], x))
            return i;
        part += strcmp(c->group[i].kernel, x->l->kernel->name) == 0;
    }
    c->group = xrealloc(c->group, (size_t)(c->groups + 1) * sizeof *c->group);
    c->group[c->groups] = launch_group_begin(x);
    c->group[c->groups].part = part;
    return c->groups++;
}

static uint64_t most(const uint64_t *of, uint64_t n)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < n; i++)
        found = of[i] > found ? of[i] : found;
    return found;
}

void census_add(struct census *c, const struct launch *l, const struct func_counts *n,
                const uint64_t *cta_insts, struct memory_watch *memory)
{
    const struct memory_use use =
        memory ? memory_watch_mean(memory) : (struct memory_use){.own = 1};
    struct launch_seen s = {.group = group_of(c, &(struct launch_was){l, n, &use}),
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
    launch_group_count(&c->group[s.group], n);
}

/* A kernel's first launch finds caches that hold nothing of its own, later ones often do: where it
 * is a large part of the group it stands for itself. */
static void split_first(struct census *c, int group, int launch)
{
    c->group = xrealloc(c->group, (size_t)(c->groups + 1) * sizeof *c->group);
    struct launch_group *g = &c->group[group], *first = &c->group[c->groups];
    struct launch_seen *s = &c->launch[launch];
    *first = *g;
    first->kernel = xstrdup(g->kernel);
    first->part = 0;
    for (int i = 0; i < c->groups; i++)
        first->part += strcmp(c->group[i].kernel, g->kernel) == 0;
    first->launches = 1;
    first->ctas = s->ctas;
    first->warp_insts = s->warp_insts;
    first->thread_insts = s->thread_insts;
    g->launches--;
    g->ctas -= s->ctas;
    g->warp_insts -= s->warp_insts;
    g->thread_insts -= s->thread_insts;
    s->group = c->groups++;
}

static void split_first_launches(struct census *c)
{
    const int groups = c->groups;
    bool *split = xcalloc((size_t)groups, sizeof *split);
    for (int i = 0; i < c->launches; i++) {
        const int g = c->launch[i].group;
        if (!split[g] && c->group[g].launches > 1 && c->group[g].launches <= CENSUS_COLD)
            split_first(c, g, i);
        split[g] = true;
    }
    free(split);
}

void census_close(struct census *c)
{
    split_first_launches(c);
    uint64_t *seen = xcalloc((size_t)c->groups, sizeof *seen);
    for (int i = 0; i < c->launches; i++) {
        const int g = c->launch[i].group;
        if (seen[g]++ == c->group[g].launches / 2)
            c->group[g].pick = i;
    }
    free(seen);
}

void census_free(struct census *c)
{
    for (int i = 0; i < c->groups; i++)
        launch_group_fini(&c->group[i]);
    free(c->group);
    free(c->launch);
    *c = (struct census){0};
}

const struct launch_group *census_group_at(const struct census *c, int i)
{
    const struct launch_group *g = &c->group[c->launch[i].group];
    return g->pick == i ? g : NULL;
}
