#include "program/clusters.h"

#include <stdlib.h>

#include "base/err.h"

void clusters_fini(struct clusters *c)
{
    launch_clusters_fini(&c->like);
    free(c->state);
    *c = (struct clusters){0};
}

int clusters_of(struct clusters *c, const struct launch_was *x)
{
    const int before = c->like.count, i = launch_clusters_of(&c->like, x);
    if (i == before) {
        c->state = xrealloc(c->state, (size_t)c->like.count * sizeof *c->state);
        c->state[i] = (struct cluster_state){0};
    }
    return i;
}

static struct cluster_state *at(const struct clusters *c, int i)
{
    return i >= 0 && i < c->like.count ? &c->state[i] : NULL;
}

void clusters_try(struct clusters *c, int i, bool ok)
{
    struct cluster_state *of = at(c, i);
    if (!of)
        return;
    of->tried = true;
    of->measured |= ok;
}

bool clusters_tried(const struct clusters *c, int i)
{
    return at(c, i) && at(c, i)->tried;
}

bool clusters_measured(const struct clusters *c, int i)
{
    return at(c, i) && at(c, i)->measured;
}

void clusters_count(struct clusters *c, int i, uint64_t warp_insts)
{
    if (at(c, i))
        at(c, i)->insts += (double)warp_insts;
}

double clusters_insts(const struct clusters *c, int i)
{
    return at(c, i) ? at(c, i)->insts : 0;
}

static void add(struct simulated *s, uint64_t thread_insts, uint64_t cycles)
{
    s->insts += (double)thread_insts;
    s->cycles += (double)cycles;
}

void clusters_learn(struct clusters *c, int i, uint64_t thread_insts, uint64_t cycles)
{
    add(&c->all, thread_insts, cycles);
    if (at(c, i))
        add(&at(c, i)->seen, thread_insts, cycles);
}

bool clusters_cycles(const struct clusters *c, int i, uint64_t thread_insts, double *cycles)
{
    const struct cluster_state *own = at(c, i);
    const struct simulated *of = own && own->seen.insts > 0 ? &own->seen : &c->all;
    if (of->insts <= 0)
        return false;
    *cycles = (double)thread_insts * of->cycles / of->insts;
    return true;
}
