// fdtd.cu -- explicit time steps of a field on a three-dimensional grid: each new value is a
// weighted sum of the values up to 4 points away along each axis. A CTA holds 32 x 8 columns of
// points and walks along z: the points ahead and behind wait in registers, the plane between them in
// shared memory with a rim of 4 points. The weights are in constant memory.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S fdtd.cu -o fdtd.ptx
#include "../simt.cuh"

#define RADIUS 4
#define WIDE   32
#define HIGH   8

__constant__ float fdtd_weight[RADIUS + 1];

// Points left and right, above and below the tile, from the plane at p; right, below: how far to
// the point WIDE or HIGH further.
static __device__ inline void fill_rim(float tile[HIGH + 2 * RADIUS][WIDE + 2 * RADIUS],
                                       const float *p, int row, int right, int below)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    if (ty < RADIUS) {
        tile[ty][tx + RADIUS] = p[-RADIUS * row];
        tile[ty + HIGH + RADIUS][tx + RADIUS] = p[below];
    }
    if (tx < RADIUS) {
        tile[ty + RADIUS][tx] = p[-RADIUS];
        tile[ty + RADIUS][tx + WIDE + RADIUS] = p[right];
    }
}

static __device__ inline int lesser(int a, int b)
{
    return a < b ? a : b;
}

// nx, ny, nz: points that change; the arrays have RADIUS more at each end of each axis. A thread
// past their end reads the last point of its row or column, and writes nothing.
extern "C" __global__ void fdtd_step(float *next, const float *now, int nx, int ny, int nz)
{
    __shared__ float tile[HIGH + 2 * RADIUS][WIDE + 2 * RADIUS];
    int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
    int row = nx + 2 * RADIUS, area = row * (ny + 2 * RADIUS);
    int x = lesser(blockIdx.x * WIDE + tx, nx + 2 * RADIUS - 1);
    int y = lesser(blockIdx.y * HIGH + ty, ny + 2 * RADIUS - 1);
    int right = lesser(x + WIDE, nx + 2 * RADIUS - 1) - x;
    int below = (lesser(y + HIGH, ny + 2 * RADIUS - 1) - y) * row, at = y * row + x;
    bool writes = x < nx + RADIUS && y < ny + RADIUS;
    float along[2 * RADIUS + 1]; // the points from RADIUS behind to RADIUS ahead
#pragma unroll
    for (int i = 0; i < 2 * RADIUS; i++)
        along[i + 1] = now[at + i * area];
    const float *from = now + at + RADIUS * area;
    float *to = next + at + RADIUS * area;
    for (int z = 0;;) {
        // Unrolled until every register of along[] has held each of the points once: then no value
        // moves from one to the next.
#pragma unroll
        for (int turn = 0; turn <= 2 * RADIUS; turn++) {
            if (z++ == nz)
                return;
#pragma unroll
            for (int i = 0; i < 2 * RADIUS; i++)
                along[i] = along[i + 1];
            along[2 * RADIUS] = from[RADIUS * area];
            __syncthreads();
            fill_rim(tile, from, row, right, below);
            tile[ty][tx] = along[RADIUS];
            __syncthreads();
            float sum = fdtd_weight[0] * along[RADIUS];
#pragma unroll
            for (int i = 1; i <= RADIUS; i++)
                sum += fdtd_weight[i] * (along[RADIUS - i] + along[RADIUS + i] + tile[ty - i][tx] +
                                         tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
            if (writes)
                *to = sum;
            from += area;
            to += area;
        }
    }
}
