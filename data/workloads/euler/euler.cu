// euler.cu -- an Euler solver on an unstructured mesh: the flux through each edge's face, one thread an
// edge; then each node takes what its edges bring, one thread a node. A state is density, momentum (3) and
// energy.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S euler.cu -o euler.ptx
#include "../simt.cuh"

#define VARS    5
#define GAMMA_1 0.4f // ratio of specific heats, less 1
#define SPEED   2.0f // dissipation: no wave runs faster

struct edge {
    int from, to;
    float nx, ny, nz; // half the face's normal, towards `to`
};

// Central flux, and SPEED times the difference of the states (Lax and Friedrichs), of a face whose half
// area is `area`. Quantity c of edge e goes to flux[VARS * e + c].
extern "C" __global__ void euler_flux(float *flux, const float *state, const edge *all, int edges)
{
    int e = blockDim.x * blockIdx.x + threadIdx.x;
    if (e >= edges)
        return;
    const float *a = state + VARS * all[e].from, *b = state + VARS * all[e].to;
    float nx = all[e].nx, ny = all[e].ny, nz = all[e].nz;
    float damp = SPEED * sqrtf(nx * nx + ny * ny + nz * nz);

    float ra = a[0], xa = a[1], ya = a[2], za = a[3], ea = a[4];
    float va = (xa * nx + ya * ny + za * nz) / ra;
    float pa = GAMMA_1 * (ea - 0.5f * (xa * xa + ya * ya + za * za) / ra);
    float rb = b[0], xb = b[1], yb = b[2], zb = b[3], eb = b[4];
    float vb = (xb * nx + yb * ny + zb * nz) / rb;
    float pb = GAMMA_1 * (eb - 0.5f * (xb * xb + yb * yb + zb * zb) / rb);

    float p = pa + pb, *to = flux + VARS * e;
    to[0] = ra * va + rb * vb - damp * (rb - ra);
    to[1] = xa * va + xb * vb + p * nx - damp * (xb - xa);
    to[2] = ya * va + yb * vb + p * ny - damp * (yb - ya);
    to[3] = za * va + zb * vb + p * nz - damp * (zb - za);
    to[4] = (ea + pa) * va + (eb + pb) * vb - damp * (eb - ea);
}

// links: a node's edges; those that lead to it as -1 - edge.
extern "C" __global__ void euler_update(float *state, const float *flux, const int *first,
                                        const int *links, float dt, int nodes)
{
    int v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v >= nodes)
        return;
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f, s4 = 0.0f;
    int end = first[v + 1];
    for (int k = first[v]; k < end; k++) {
        int e = links[k];
        float out = e < 0 ? -dt : dt;
        const float *f = flux + VARS * (e < 0 ? -1 - e : e);
        s0 += out * f[0];
        s1 += out * f[1];
        s2 += out * f[2];
        s3 += out * f[3];
        s4 += out * f[4];
    }
    float *u = state + VARS * v;
    u[0] -= s0;
    u[1] -= s1;
    u[2] -= s2;
    u[3] -= s3;
    u[4] -= s4;
}
