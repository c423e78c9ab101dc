/* bfs -- breadth-first search of a circuit-like graph, a launch a level, until a level changes
 * nothing (Yen 2014, Table 1; CTAs of 6 warps).
 *
 * The graph stands for a netlist after placement: node numbers follow the placement, most nets are
 * short (the distance of the two ends is geometric), and one in five runs across the chip. */
#include "data/workloads/host.h"

#include <math.h>
#include <string.h>

#define CTA    192
#define DEGREE 8    /* mean number of edges a node */
#define NEAR   48.0 /* mean distance of a short net's ends, in node numbers */
#define FAR    0.2  /* share of nets that run across */
#define SOURCE 0

struct graph { /* compressed rows: edges of v are edge[first[v]] .. edge[first[v + 1] - 1] */
    int nodes, edges;
    int *first, *edge;
};

static int neighbour(struct rng *r, int v, int nodes)
{
    if (rng_unit(r) < FAR)
        return (int)rng_below(r, (uint64_t)nodes);
    int step = 1 + (int)(-NEAR * log(1.0 - rng_unit(r)));
    int u = rng_below(r, 2) ? v + step : v - step;
    return u < 0 ? -u % nodes : u >= nodes ? 2 * nodes - 2 - u : u; /* reflected at the ends */
}

/* Every net is an edge in both directions. */
static struct graph make_graph(struct host *h, int nodes)
{
    struct graph g = {.nodes = nodes, .edges = nodes * DEGREE};
    int nets = g.edges / 2;
    int(*net)[2] = host_new(h, (size_t)nets, sizeof *net);
    g.first = host_new(h, (size_t)nodes + 1, sizeof *g.first);
    g.edge = host_new(h, (size_t)g.edges, sizeof *g.edge);
    for (int i = 0; i < nets; i++) {
        net[i][0] = (int)rng_below(&h->rng, (uint64_t)nodes);
        net[i][1] = neighbour(&h->rng, net[i][0], nodes);
        g.first[net[i][0] + 1]++;
        g.first[net[i][1] + 1]++;
    }
    for (int v = 0; v < nodes; v++)
        g.first[v + 1] += g.first[v];
    int *next = host_new(h, (size_t)nodes, sizeof *next);
    memcpy(next, g.first, (size_t)nodes * sizeof *next);
    for (int i = 0; i < nets; i++) {
        g.edge[next[net[i][0]]++] = net[i][1];
        g.edge[next[net[i][1]]++] = net[i][0];
    }
    return g;
}

/* Levels from SOURCE, -1 where it does not reach: a queue. */
static void reference(struct host *h, const struct graph *g, int *level)
{
    int *queue = host_new(h, (size_t)g->nodes, sizeof *queue), head = 0, tail = 0;
    for (int v = 0; v < g->nodes; v++)
        level[v] = -1;
    level[SOURCE] = 0;
    queue[tail++] = SOURCE;
    while (head < tail) {
        int v = queue[head++];
        for (int k = g->first[v]; k < g->first[v + 1]; k++)
            if (level[g->edge[k]] < 0) {
                level[g->edge[k]] = level[v] + 1;
                queue[tail++] = g->edge[k];
            }
    }
}

/* In: level of the source is 0, of all others -1. Out: what the device found. */
static bool run_on_device(struct host *h, const struct graph *g, int *level, struct err *e)
{
    CUfunction kernel;
    CUdeviceptr first, edge, dlevel, changed;
    int nodes = g->nodes, again = 1;
    unsigned threads = host_threads(h, CTA);
    size_t bytes = (size_t)nodes * sizeof *level;
    if (!host_kernel(h, "bfs_level", &kernel, e) ||
        !host_array(&first, g->first, bytes + sizeof *g->first, e) ||
        !host_array(&edge, g->edge, (size_t)g->edges * sizeof *g->edge, e) ||
        !host_array(&dlevel, level, bytes, e) || !host_array(&changed, NULL, sizeof again, e))
        return false;
    for (int now = 0; again && now < nodes; now++) {
        void *args[] = {&first, &edge, &dlevel, &changed, &now, &nodes};
        TRY(cuMemsetD32(changed, 0, 1));
        if (!host_launch(kernel, host_ctas((size_t)nodes, threads), threads, args, e))
            return false;
        TRY(cuMemcpyDtoH(&again, changed, sizeof again));
    }
    TRY(cuMemcpyDtoH(level, dlevel, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct graph g = make_graph(h, (int)h->in->size->param[0]);
    size_t n = (size_t)g.nodes;
    int *level = host_new(h, n, sizeof *level), *expected = host_new(h, n, sizeof *expected);
    for (size_t v = 0; v < n; v++)
        level[v] = v == SOURCE ? 0 : -1;
    if (!run_on_device(h, &g, level, e))
        return false;
    reference(h, &g, expected);
    return !h->in->verify || host_same_ints(h, "level", level, expected, n, e);
}

static bool run(const struct workload *w, const struct workload_input *in, struct err *e)
{
    return host_run(w, in, body, e);
}

extern const char workload_bfs_ptx[];
extern const struct workload workload_bfs;
const struct workload workload_bfs = {
    .name = "bfs",
    .suite = "Yen",
    .title = "breadth-first search of a circuit graph, one launch a level",
    .paper_class = "memory-intensive",
    .size = {{"small", {24576}, "24576 nodes, 1 MB"},
             {"medium", {245760}, "245760 nodes, 10 MB"},
             {"paper", {65280}, "65280 nodes, 2.6 MB as in Table 1"}},
    .any_warps = true,
    .ptx = workload_bfs_ptx,
    .run = run,
};
