// moldyn.cu -- molecular dynamics of a simple liquid, one thread a molecule: forces over neighbour
// lists, then a step in time. Neighbour k of molecule i is list[k * molecules + i], so that neighbouring
// threads read neighbouring words.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S moldyn.cu -o moldyn.ptx
#include "../simt.cuh"

#define SIGMA6 0.2f // sixth power of the distance at which attraction and repulsion balance

// x, v, f: three coordinates a molecule.
extern "C" __global__ void moldyn_force(float *f, const float *x, const int *count, const int *list,
                                        int molecules)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= molecules)
        return;
    float xi = x[3 * i], yi = x[3 * i + 1], zi = x[3 * i + 2];
    float sx = 0.0f, sy = 0.0f, sz = 0.0f;
    int end = i + molecules * count[i];
    for (int k = i; k < end; k += molecules) {
        const float *there = x + 3 * list[k];
        float dx = xi - there[0], dy = yi - there[1], dz = zi - there[2];
        float s2 = 1.0f / (dx * dx + dy * dy + dz * dz), s6 = SIGMA6 * (s2 * s2 * s2);
        float g = 48.0f * s6 * (s6 - 0.5f) * s2;
        sx += g * dx;
        sy += g * dy;
        sz += g * dz;
    }
    f[3 * i] = sx;
    f[3 * i + 1] = sy;
    f[3 * i + 2] = sz;
}

// Velocities by the whole step's impulse, positions by the new velocities (leapfrog).
extern "C" __global__ void moldyn_move(float *x, float *v, const float *f, float dt, int coordinates)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= coordinates)
        return;
    float speed = v[i] + dt * f[i];
    v[i] = speed;
    x[i] += dt * speed;
}
