#include "sampler/profile/launch_cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* Quarters of a power of two. */
static int size_class(double x)
{
    return (int)lround(4 * log2(fmax(x, 1)));
}

static int work_class(const struct func_counts *n)
{
    return size_class((double)n->warp_insts / fmax(1, (double)n->ctas));
}

static bool same_kernel(const struct launch_cluster *g, const struct launch *l)
{
    return strcmp(g->kernel, l->kernel->name) == 0 &&
           memcmp(g->block, l->block, sizeof g->block) == 0 && g->regs == launch_regs(l) &&
           g->shared == launch_shared(l);
}

bool launch_cluster_may_hold(const struct launch_cluster *g, const struct launch *l)
{
    return same_kernel(g, l) && g->grid_class == size_class((double)launch_ctas(l));
}

bool launch_cluster_holds(const struct launch_cluster *g, const struct launch_was *x)
{
    return same_kernel(g, x->l) && g->grid_class == size_class((double)x->n->ctas) &&
           g->work_class == work_class(x->n) && memory_use_alike(&g->use, x->use);
}

struct launch_cluster launch_cluster_begin(const struct launch_was *x)
{
    struct launch_cluster g = {.kernel = xstrdup(x->l->kernel->name),
                               .regs = launch_regs(x->l),
                               .shared = launch_shared(x->l),
                               .grid_class = size_class((double)x->n->ctas),
                               .work_class = work_class(x->n),
                               .use = *x->use,
                               .representative = -1};
    memcpy(g.block, x->l->block, sizeof g.block);
    return g;
}

void launch_cluster_fini(struct launch_cluster *g)
{
    free(g->kernel);
}

void launch_cluster_count(struct launch_cluster *g, const struct func_counts *n)
{
    g->launches++;
    g->ctas += n->ctas;
    g->warp_insts += n->warp_insts;
    g->thread_insts += n->thread_insts;
}
