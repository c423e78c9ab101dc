// bfs.cu -- breadth-first search, one launch a level, one thread a node (the topology-driven form).
// A node's edges are taken BATCH at a time, so that their loads overlap; the last one is taken again
// for those that are missing. Several nodes of a level may reach the same neighbour: each writes the
// same value.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S bfs.cu -o bfs.ptx
#include "../simt.cuh"

#define BATCH 4

extern "C" __global__ void bfs_level(const int *first, const int *edge, int *level, int *changed,
                                     int now, int nodes)
{
    int v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v >= nodes || level[v] != now)
        return;
    int last = first[v + 1] - 1, found = 0;
    KEEP_INT(last);
    for (int k = first[v]; k <= last; k += BATCH) {
        int u[BATCH], reached[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            u[i] = edge[k + i < last ? k + i : last];
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            reached[i] = level[u[i]];
            KEEP_INT(u[i]);
        }
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            if (reached[i] < 0) {
                level[u[i]] = now + 1;
                found = 1;
            }
    }
    if (found)
        *changed = 1;
}
