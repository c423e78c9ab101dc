// stencil.cu -- a Jacobi step of the 7-point stencil on a box. Each thread owns two columns of the
// box, 32 apart, and walks along z: what lies above and below stays in registers, the plane between
// in shared memory; beyond the CTA's tile of 64 x 4 the plane is read from global memory.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S stencil.cu -o stencil.ptx
#include "../simt.cuh"

#define WIDE 32         // threads of a row
#define HIGH 4
#define TILE (2 * WIDE) // columns of a row

struct column {
    const float *from; // the cell of the plane at hand
    float below, here, above;
    int x, tx;
    bool inner; // not on the box's border
};

static __device__ inline void start(struct column *c, const float *from, int x, int y, int nx,
                                    int ny)
{
    c->inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    c->x = x;
    c->tx = x % TILE;
    c->from = from + y * nx + x;
    c->below = x < nx && y < ny ? c->from[0] : 0.0f;
    c->here = x < nx && y < ny ? c->from[nx * ny] : 0.0f;
    c->from += nx * ny;
}

// A neighbour in the tile, or beyond it. The first load is made by all lanes: two that exclude each
// other would be made one, of whatever memory a lane wants.
static __device__ inline float neighbour(float in_tile, bool inside, const float *beyond)
{
    KEEP(in_tile);
    return inside ? in_tile : *beyond;
}

static __device__ inline float around(const struct column *c, const float (*plane)[TILE], int ty,
                                      int nx)
{
    int tx = c->tx, last = TILE - 1, low = HIGH - 1;
    float west = neighbour(plane[ty][tx > 0 ? tx - 1 : 0], tx > 0, c->from - 1);
    float east = neighbour(plane[ty][tx < last ? tx + 1 : last], tx < last, c->from + 1);
    float north = neighbour(plane[ty > 0 ? ty - 1 : 0][tx], ty > 0, c->from - nx);
    float south = neighbour(plane[ty < low ? ty + 1 : low][tx], ty < low, c->from + nx);
    return c->above + c->below + north + south + east + west;
}

extern "C" __global__ void stencil_step(float *to, const float *from, int nx, int ny, int nz,
                                        float centre, float side)
{
    __shared__ float plane[HIGH][TILE];
    int ty = threadIdx.y, y = blockIdx.y * HIGH + ty;
    struct column col[2];
#pragma unroll
    for (int i = 0; i < 2; i++)
        start(&col[i], from, blockIdx.x * TILE + i * WIDE + threadIdx.x, y, nx, ny);
    for (int z = 1; z < nz - 1; z++) {
#pragma unroll
        for (int i = 0; i < 2; i++)
            plane[ty][col[i].tx] = col[i].here;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; i++) {
            struct column *c = &col[i];
            c->above = c->x < nx && y < ny ? c->from[nx * ny] : 0.0f;
            if (c->inner)
                to[c->from - from] = side * around(c, plane, ty, nx) - centre * c->here;
            c->below = c->here;
            c->here = c->above;
            c->from += nx * ny;
        }
        __syncthreads();
    }
}
