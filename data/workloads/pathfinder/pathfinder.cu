// pathfinder.cu -- cheapest way through a grid from the top, one step down or diagonally down at a
// time: several rows a launch. A CTA keeps its columns' sums in shared memory; the part of them that
// is still right shrinks by one column a row on each side that isn't the grid's edge.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S pathfinder.cu -o pathfinder.ptx
#include "../simt.cuh"

#define DEAR 0x7fffffff // sum of a column beside the grid: no way leads there

extern __shared__ int sums[]; // two rows of blockDim.x

static __device__ inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

// wall: the rows to add, `rows` of `columns`; from, to: sums of all rows above and of these as well.
extern "C" __global__ void pathfinder_rows(int *to, const int *from, const int *wall, int columns,
                                           int rows)
{
    int t = threadIdx.x, threads = blockDim.x;
    int *now = sums, *next = sums + threads;
    int column = (int)blockIdx.x * (threads - 2 * rows) - rows + t;
    bool inside = column >= 0 && column < columns, right = inside;
    now[t] = inside ? from[column] : DEAR;
    __syncthreads();
    for (int row = 0; row < rows; row++) {
        right = inside && t > row && t < threads - 1 - row;
        if (right)
            next[t] = smaller(smaller(now[t - 1], now[t + 1]), now[t]) + wall[row * columns + column];
        __syncthreads();
        if (right)
            now[t] = next[t];
        __syncthreads();
    }
    if (right)
        to[column] = now[t];
}
