/* rodbfs -- breadth-first search of a random graph with masks, two kernels a level (Yen 2014,
 * Table 2, BFS; also Awatramani's and Park's). Neighbours lie anywhere: what a CTA
 * gathers has no locality, and few nodes are on the frontier of most levels. */
#include "data/workloads/graph.h"

#define CTA      512
#define PARTNERS 5 /* 1 to this many drawn for every node; edges go both ways: 6 a node */

struct node {
    int first, count; /* its edges */
};

/* Returns where the source lies. */
static int make_graph(struct host *h, struct graph *g)
{
    g->nodes = (int)h->in->size->param[0];
    g->edge = host_new(h, (size_t)g->nodes * PARTNERS, sizeof *g->edge);
    for (int v = 0; v < g->nodes; v++)
        for (int k = (int)rng_between(&h->rng, 1, PARTNERS); k > 0; k--, g->edges++) {
            g->edge[g->edges][0] = v;
            g->edge[g->edges][1] = (int)rng_below(&h->rng, (uint64_t)g->nodes);
        }
    return graph_number(h, g)[0];
}

struct on_device {
    CUfunction expand, advance;
    CUdeviceptr node, edge, frontier, marked, visited, cost, more;
};

/* cost: 0 for the source, -1 for all others */
static bool upload(struct host *h, const struct graph *g, const int *cost, int source,
                   struct on_device *d, struct err *e)
{
    size_t n = (size_t)g->nodes;
    struct node *node = host_new(h, n, sizeof *node);
    for (int v = 0; v < g->nodes; v++)
        node[v] = (struct node){g->first[v], g->first[v + 1] - g->first[v]};
    if (!host_kernel(h, "rodbfs_expand", &d->expand, e) ||
        !host_kernel(h, "rodbfs_advance", &d->advance, e) ||
        !host_array(&d->node, node, n * sizeof *node, e) ||
        !host_array(&d->edge, g->adj, 2 * (size_t)g->edges * sizeof *g->adj, e) ||
        !host_array(&d->frontier, NULL, n, e) || !host_array(&d->marked, NULL, n, e) ||
        !host_array(&d->visited, NULL, n, e) || !host_array(&d->cost, cost, n * sizeof *cost, e) ||
        !host_array(&d->more, NULL, sizeof(int), e))
        return false;
    TRY(cuMemsetD8(d->frontier + (CUdeviceptr)source, 1, 1));
    TRY(cuMemsetD8(d->visited + (CUdeviceptr)source, 1, 1));
    return true;
}

static bool search(const struct host *h, struct on_device *d, int nodes, struct err *e)
{
    unsigned threads = host_threads(h, CTA), ctas = host_ctas((size_t)nodes, threads);
    void *expand[] = {&d->node, &d->edge, &d->frontier, &d->marked, &d->visited, &d->cost, &nodes};
    void *advance[] = {&d->frontier, &d->marked, &d->visited, &d->more, &nodes};
    for (int more = 1; more;) {
        TRY(cuMemsetD32(d->more, 0, 1));
        if (!host_launch(d->expand, ctas, threads, expand, e) ||
            !host_launch(d->advance, ctas, threads, advance, e))
            return false;
        TRY(cuMemcpyDtoH(&more, d->more, sizeof more));
    }
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct graph g = {0};
    struct on_device d;
    int source = make_graph(h, &g);
    size_t n = (size_t)g.nodes;
    int *cost = host_new(h, n, sizeof *cost), *expected = host_new(h, n, sizeof *expected);
    for (int v = 0; v < g.nodes; v++)
        expected[v] = cost[v] = v == source ? 0 : -1;
    if (!upload(h, &g, cost, source, &d, e) || !search(h, &d, g.nodes, e))
        return false;
    TRY(cuMemcpyDtoH(cost, d.cost, n * sizeof *cost));
    if (!h->in->verify)
        return true;
    graph_levels(h, &g, expected);
    return host_same_ints(h, "cost", cost, expected, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_rodbfs_ptx[];
extern const struct workload workload_rodbfs;
const struct workload workload_rodbfs = {
    .name = "rodbfs",
    .suite = "Kayiran, Park, Awatramani, Yen",
    .title = "breadth-first search of a random graph with masks, two kernels a level",
    .paper_class = "memory-intensive",
    .size = {{"small", {23040}, "23040 nodes"},
             {"medium", {46080}, "46080 nodes"},
             {"paper",
              {65536},
              "65536 nodes, 6 edges each: 3.7 MB as text, our reading of Table 2"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_rodbfs_ptx,
    .run = run,
};
