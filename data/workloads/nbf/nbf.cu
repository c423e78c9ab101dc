// nbf.cu -- non-bonded forces with charge groups: one thread an atom. A molecule's SITES atoms share a
// list of molecules nearby; all atoms of those count. Lennard-Jones and Coulomb terms.
// The launch bounds ask for registers to be spared so that 8 CTAs of 6 warps fit on a core.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S nbf.cu -o nbf.ptx
#include "../simt.cuh"

#define SITES  3
#define SIGMA6 0.002f // sixth power of the distance at which attraction and repulsion balance

extern "C" __global__ void __launch_bounds__(192, 8) nbf_force(float4 *force, const float4 *atom,
                                                               const int *first, const int *list,
                                                               int atoms)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= atoms)
        return;
    float4 p = atom[i]; // w: charge
    KEEP(p.w);
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    int group = i / SITES, end = first[group + 1];
    for (int k = first[group]; k < end; k++) {
        const float4 *there = atom + SITES * list[k];
#pragma unroll
        for (int s = 0; s < SITES; s++) {
            float4 q = there[s];
            KEEP(q.w);
            float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
            float s2 = 1.0f / (dx * dx + dy * dy + dz * dz), s6 = SIGMA6 * (s2 * s2 * s2);
            float g = (48.0f * s6 * (s6 - 0.5f) + p.w * q.w * sqrtf(s2)) * s2;
            fx += g * dx;
            fy += g * dy;
            fz += g * dz;
        }
    }
    force[i] = make_float4(fx, fy, fz, 0.0f);
}
