/* bfs -- breadth-first search of a circuit from its inputs, a launch a level, until a level changes
 * nothing (Yen 2014, Table 1; CTAs of 6 warps).
 *
 * The graph is a netlist without directions, a gate's mean degree about 8: some twenty levels, each
 * with a few gates of every module, so that in a launch a few of a warp's threads walk their edges.
 * Those read on through one or two lines, and look at gates anywhere near: what is reused is reused
 * soon. That is why DRAM reads hardly grow with n, as in Yen's Table 5. */
#include "data/workloads/netlist.h"

#include <string.h>

#define CTA 192

/* In: 0 at the sources, else -1. Out: what the device found. */
static bool search(struct host *h, const struct graph *g, int *level, struct err *e)
{
    CUfunction kernel;
    CUdeviceptr first, edge, dlevel, changed;
    int nodes = g->nodes, again = 1;
    unsigned threads = host_threads(h, CTA), ctas = host_ctas((size_t)nodes, threads);
    size_t bytes = (size_t)nodes * sizeof *level;
    if (!host_kernel(h, "bfs_level", &kernel, e) ||
        !host_array(&first, g->first, bytes + sizeof *g->first, e) ||
        !host_array(&edge, g->adj, 2 * (size_t)g->edges * sizeof *g->adj, e) ||
        !host_array(&dlevel, level, bytes, e) || !host_array(&changed, NULL, sizeof again, e))
        return false;
    for (int now = 0; again && now < nodes; now++) {
        void *args[] = {&first, &edge, &dlevel, &changed, &now, &nodes};
        TRY(cuMemsetD32(changed, 0, 1));
        if (!host_launch(kernel, ctas, threads, args, e))
            return false;
        TRY(cuMemcpyDtoH(&again, changed, sizeof again));
    }
    TRY(cuMemcpyDtoH(level, dlevel, bytes));
    return true;
}

static bool body(struct host *h, struct err *e)
{
    struct netlist n = netlist_new(h, (struct netlist_shape){.modules = (int)h->in->size->param[0],
                                                             .module_gates = 180,
                                                             .depth = 30,
                                                             .fan_in = 4,
                                                             .leave = 0.7,
                                                             .far = 1.0});
    int *level = host_new(h, (size_t)n.gates, sizeof *level);
    int *expected = host_new(h, (size_t)n.gates, sizeof *expected);
    for (int v = 0; v < n.gates; v++)
        level[v] = n.level[v] ? -1 : 0;
    memcpy(expected, level, (size_t)n.gates * sizeof *level);
    if (!search(h, n.g, level, e))
        return false;
    if (!h->in->verify)
        return true;
    graph_levels(h, n.g, expected);
    return host_same_ints(h, "level", level, expected, (size_t)n.gates, e);
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
    .title = "breadth-first search of a circuit, one launch a level",
    .paper_class = "memory-intensive",
    .size = {{"small", {96}, "17280 gates, 0.7 MB"},
             {"medium", {1280}, "230400 gates, 9 MB"},
             {"paper", {363}, "65340 gates, 2.6 MB as in Table 1"}},
    .orders = true,
    .any_warps = true,
    .ptx = workload_bfs_ptx,
    .run = run,
};
