// rodbfs.cu -- breadth-first search with masks, two kernels a level, one thread a node: nodes of
// the frontier mark their unvisited neighbours; the marked nodes become the next frontier. Only the
// second kernel says that a node is visited, so that the order of threads doesn't matter.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S rodbfs.cu -o rodbfs.ptx
#include "../simt.cuh"

struct node {
    int first, count; // its edges
};

extern "C" __global__ void rodbfs_expand(const node *nodes, const int *edge, char *frontier,
                                         char *marked, const char *visited, int *cost, int n)
{
    int v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v >= n || !frontier[v])
        return;
    frontier[v] = 0;
    int end = nodes[v].first + nodes[v].count;
    for (int k = nodes[v].first; k < end; k++) {
        int u = edge[k];
        if (!visited[u]) {
            cost[u] = cost[v] + 1;
            marked[u] = 1;
        }
    }
}

extern "C" __global__ void rodbfs_advance(char *frontier, char *marked, char *visited, int *more,
                                          int n)
{
    int v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v >= n || !marked[v])
        return;
    marked[v] = 0;
    frontier[v] = 1;
    visited[v] = 1;
    *more = 1;
}
