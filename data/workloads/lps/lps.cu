// lps.cu -- Laplace's equation on a three-dimensional grid by Jacobi's iteration. A CTA holds 32 x 4
// columns of points and walks along z with three planes of them in shared memory, each with a rim
// of the neighbouring columns; the plane behind is overwritten by the plane ahead.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S lps.cu -o lps.ptx
#include "../simt.cuh"

#define WIDE  32
#define HIGH  4
#define PITCH (WIDE + 2)
#define PLANE (PITCH * (HIGH + 2))

// Threads 0 .. 2 WIDE - 1 have a point of the rows above and below the tile, the next 2 HIGH one of
// the columns to its left and right; the edges of the rim are not needed.
static __device__ inline int rim_x(int t)
{
    return t < 2 * WIDE ? t % WIDE + 1 : (t % 2) * (WIDE + 1);
}

static __device__ inline int rim_y(int t)
{
    return t < 2 * WIDE ? (t / WIDE) * (HIGH + 1) : (t - 2 * WIDE) / 2 + 1;
}

extern "C" __global__ void lps_jacobi(float *next, const float *now, int nx, int ny, int nz)
{
    __shared__ float plane[3][PLANE];
    int t = threadIdx.y * WIDE + threadIdx.x, left = blockIdx.x * WIDE, top = blockIdx.y * HIGH;
    int x = left + threadIdx.x, y = top + threadIdx.y, area = nx * ny;
    int at = (threadIdx.y + 1) * PITCH + threadIdx.x + 1;
    int rx = left + rim_x(t) - 1, ry = top + rim_y(t) - 1, rim_at = rim_y(t) * PITCH + rim_x(t);
    bool inside = x < nx && y < ny;
    bool rim = t < 2 * (WIDE + HIGH) && rx >= 0 && ry >= 0 && rx < nx && ry < ny;
    bool fixed = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
    int own = y * nx + x, beside = ry * nx + rx, behind = 0, here = 1, ahead = 2;
    if (inside)
        plane[here][at] = now[own];
    if (rim)
        plane[here][rim_at] = now[beside];
    for (int z = 0; z < nz; z++) {
        own += area;
        beside += area;
        if (z < nz - 1) {
            if (inside)
                plane[ahead][at] = now[own];
            if (rim)
                plane[ahead][rim_at] = now[beside];
        }
        __syncthreads();
        if (inside) {
            const float *p = plane[here] + at;
            float mean = *p;
            if (!fixed && z > 0 && z < nz - 1)
                mean = (p[-1] + p[1] + p[-PITCH] + p[PITCH] + plane[behind][at] +
                        plane[ahead][at]) * (1.0f / 6.0f);
            next[own - area] = mean;
        }
        __syncthreads();
        int free = behind;
        behind = here;
        here = ahead;
        ahead = free;
    }
}
