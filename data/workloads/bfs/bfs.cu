// bfs.cu -- breadth-first search, one launch a level, one thread a node (the topology-driven form).
// Several nodes of a level may reach the same neighbour: each writes the same value.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S bfs.cu -o bfs.ptx
#include "../simt.cuh"

extern "C" __global__ void bfs_level(const int *first, const int *edge, int *level, int *changed,
                                     int now, int nodes)
{
    int v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v >= nodes || level[v] != now)
        return;
    int end = first[v + 1];
    for (int k = first[v]; k < end; k++) {
        int u = edge[k];
        if (level[u] < 0) {
            level[u] = now + 1;
            *changed = 1;
        }
    }
}
