/* rodbfs -- breadth-first search of a random graph with masks, two kernels a level (Yen 2014,
 * Table 2, BFS; also Kayiran's, Awatramani's and Park's). Neighbours lie anywhere: what a CTA
 * gathers has no locality, and few nodes are on the frontier of most levels. */
#include "data/workloads/host.h"

#define CTA     512
#define PARTNER 5 /* 1 to this many drawn for every node; edges go both ways: 6 a node */
#define SOURCE  0

struct node {
    int first, count; /* its edges */
};

struct graph {
    int nodes, edges;
    struct node *node;
    int *edge;
};

static struct graph make_graph(struct host *h, int nodes)
{
    struct graph g = {.nodes = nodes, .node = host_new(h, (size_t)nodes, sizeof *g.node)};
    int(*pair)[2] = host_new(h, (size_t)nodes * PARTNER, sizeof *pair), pairs = 0;
    for (int v = 0; v < nodes; v++)
        for (int k = (int)rng_between(&h->rng, 1, PARTNER); k > 0; k--, pairs++) {
            pair[pairs][0] = v;
            pair[pairs][1] = (int)rng_below(&h->rng, (uint64_t)nodes);
            g.node[v].count++;
            g.node[pair[pairs][1]].count++;
        }
    for (int v = 0; v < nodes; v++) {
        g.node[v].first = g.edges;
        g.edges += g.node[v].count;
        g.node[v].count = 0;
    }
    g.edge = host_new(h, (size_t)g.edges, sizeof *g.edge);
    for (int i = 0; i < pairs; i++)
        for (int end = 0; end < 2; end++) {
            struct node *v = &g.node[pair[i][end]];
            g.edge[v->first + v->count++] = pair[i][!end];
        }
    return g;
}

/* Steps from SOURCE, -1 where it does not reach: a queue. */
static void reference(struct host *h, const struct graph *g, int *cost)
{
    int *queue = host_new(h, (size_t)g->nodes, sizeof *queue), head = 0, tail = 0;
    for (int v = 0; v < g->nodes; v++)
        cost[v] = -1;
    cost[SOURCE] = 0;
    queue[tail++] = SOURCE;
    while (head < tail) {
        int v = queue[head++];
        for (int k = g->node[v].first; k < g->node[v].first + g->node[v].count; k++)
            if (cost[g->edge[k]] < 0) {
                cost[g->edge[k]] = cost[v] + 1;
                queue[tail++] = g->edge[k];
            }
    }
}

struct on_device {
    CUfunction expand, advance;
    CUdeviceptr node, edge, frontier, marked, visited, cost, more;
};

/* cost: 0 for the source, -1 for all others */
static bool upload(const struct host *h, const struct graph *g, const int *cost,
                   struct on_device *d, struct err *e)
{
    size_t n = (size_t)g->nodes;
    if (!host_kernel(h, "rodbfs_expand", &d->expand, e) ||
        !host_kernel(h, "rodbfs_advance", &d->advance, e) ||
        !host_array(&d->node, g->node, n * sizeof *g->node, e) ||
        !host_array(&d->edge, g->edge, (size_t)g->edges * sizeof *g->edge, e) ||
        !host_array(&d->frontier, NULL, n, e) || !host_array(&d->marked, NULL, n, e) ||
        !host_array(&d->visited, NULL, n, e) || !host_array(&d->cost, cost, n * sizeof *cost, e) ||
        !host_array(&d->more, NULL, sizeof(int), e))
        return false;
    TRY(cuMemsetD8(d->frontier + SOURCE, 1, 1));
    TRY(cuMemsetD8(d->visited + SOURCE, 1, 1));
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
    struct graph g = make_graph(h, (int)h->in->size->param[0]);
    struct on_device d;
    size_t n = (size_t)g.nodes;
    int *cost = host_new(h, n, sizeof *cost), *expected = host_new(h, n, sizeof *expected);
    for (size_t v = 0; v < n; v++)
        cost[v] = v == SOURCE ? 0 : -1;
    if (!upload(h, &g, cost, &d, e) || !search(h, &d, g.nodes, e))
        return false;
    TRY(cuMemcpyDtoH(cost, d.cost, n * sizeof *cost));
    if (!h->in->verify)
        return true;
    reference(h, &g, expected);
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
    .suite = "Yen",
    .title = "breadth-first search of a random graph with masks, two kernels a level",
    .paper_class = "memory-intensive",
    .size = {{"small", {23040}, "23040 nodes"},
             {"medium", {46080}, "46080 nodes"},
             {"paper", {65536}, "65536 nodes, 6 edges each: 3.7 MB as text, as in Table 2"}},
    .any_warps = true,
    .ptx = workload_rodbfs_ptx,
    .run = run,
};
