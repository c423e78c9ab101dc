// lbm.cu -- a step of the lattice Boltzmann method with 19 directions (D3Q19, BGK collisions): each
// cell fetches what its 19 neighbours send it, and collides. A CTA is a row of cells; all that is
// kept of direction d lies together, at count * d, so that a warp's accesses are whole lines.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S lbm.cu -o lbm.ptx
#include "../simt.cuh"

#define DIRECTIONS 19
#define FLUID      0
#define WALL       1 // sends back what came
#define LID        2 // fluid that moves at a given speed

static __device__ inline float equilibrium(float weight, float density, float along, float square)
{
    return weight * density * (1.0f + along * (3.0f + 4.5f * along) - 1.5f * square);
}

// The macroscopic state of a cell: density and velocity.
struct flow {
    float density, x, y, z;
};

static __device__ inline struct flow flow_of(const float *f, int kind, float lid)
{
    constexpr int dx[DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    constexpr int dy[DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    constexpr int dz[DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    struct flow u = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
    for (int d = 0; d < DIRECTIONS; d++) {
        u.density += f[d];
        u.x += dx[d] * f[d];
        u.y += dy[d] * f[d];
        u.z += dz[d] * f[d];
    }
    float per_mass = 1.0f / u.density;
    u.x = kind == LID ? lid : u.x * per_mass;
    u.y = kind == LID ? 0.0f : u.y * per_mass;
    u.z = kind == LID ? 0.0f : u.z * per_mass;
    return u;
}

// kind: of each cell; to, from: [DIRECTIONS][count]; first: of the box's cells in these, which have
// room for a plane, a row and a cell before and after them.
extern "C" __global__ void lbm_step(float *to, const float *from, const int *kind, int count,
                                    int first, float rate, float lid)
{
    constexpr int dx[DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    constexpr int dy[DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    constexpr int dz[DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    int nx = blockDim.x, ny = gridDim.x;
    int cell = first + (blockIdx.y * ny + blockIdx.x) * nx + threadIdx.x;
    float f[DIRECTIONS];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; d++)
        f[d] = from[count * d + cell - (dz[d] * ny + dy[d]) * nx - dx[d]];
    int what = kind[cell];
    if (what == WALL) {
        to[cell] = f[0];
#pragma unroll
        for (int d = 1; d < DIRECTIONS; d += 2) { // opposite directions are neighbours
            to[count * d + cell] = f[d + 1];
            to[count * (d + 1) + cell] = f[d];
        }
        return;
    }
    struct flow u = flow_of(f, what, lid);
    float square = u.x * u.x + u.y * u.y + u.z * u.z;
#pragma unroll
    for (int d = 0; d < DIRECTIONS; d++) {
        float weight = d == 0 ? 1.0f / 3.0f : d < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
        float along = dx[d] * u.x + dy[d] * u.y + dz[d] * u.z;
        to[count * d + cell] = f[d] + rate * (equilibrium(weight, u.density, along, square) - f[d]);
    }
}
