#include "program/groups.h"

#include <stdlib.h>

#include "base/err.h"

void groups_fini(struct groups *g)
{
    for (int i = 0; i < g->count; i++)
        launch_cluster_fini(&g->group[i].like);
    free(g->group);
    *g = (struct groups){0};
}

bool groups_may_hold(const struct groups *g, const struct launch *l)
{
    for (int i = 0; i < g->count; i++)
        if (launch_cluster_may_hold(&g->group[i].like, l))
            return true;
    return false;
}

int groups_of(struct groups *g, const struct launch_was *x)
{
    for (int i = 0; i < g->count; i++)
        if (launch_cluster_holds(&g->group[i].like, x))
            return i;
    g->group = xrealloc(g->group, (size_t)(g->count + 1) * sizeof *g->group);
    g->group[g->count] = (struct group){.like = launch_cluster_begin(x)};
    return g->count++;
}

static struct group *at(const struct groups *g, int i)
{
    return i >= 0 && i < g->count ? &g->group[i] : NULL;
}

void groups_try(struct groups *g, int i, bool ok)
{
    struct group *of = at(g, i);
    if (!of)
        return;
    of->tried = true;
    of->measured |= ok;
}

bool groups_tried(const struct groups *g, int i)
{
    return at(g, i) && at(g, i)->tried;
}

bool groups_measured(const struct groups *g, int i)
{
    return at(g, i) && at(g, i)->measured;
}

static void add(struct simulated *s, uint64_t thread_insts, uint64_t cycles)
{
    s->insts += (double)thread_insts;
    s->cycles += (double)cycles;
}

void groups_learn(struct groups *g, int i, uint64_t thread_insts, uint64_t cycles)
{
    add(&g->all, thread_insts, cycles);
    if (at(g, i))
        add(&at(g, i)->seen, thread_insts, cycles);
}

bool groups_cycles(const struct groups *g, int i, uint64_t thread_insts, double *cycles)
{
    const struct group *own = at(g, i);
    const struct simulated *of = own && own->seen.insts > 0 ? &own->seen : &g->all;
    if (of->insts <= 0)
        return false;
    *cycles = (double)thread_insts * of->cycles / of->insts;
    return true;
}
