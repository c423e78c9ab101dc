// nbf.cu -- non-bonded force: one thread an atom, which walks its list of neighbours and gathers
// their positions. Lennard-Jones and Coulomb terms inside the cutoff; the list reaches a little
// further (the skin), so that it stays valid for some time steps. Neighbour k of atom i is
// list[k * atoms + i]: neighbouring threads read neighbouring words.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S nbf.cu -o nbf.ptx
#include "../simt.cuh"

extern "C" __global__ void nbf_force(float4 *force, const float4 *atom, const int *count,
                                     const int *list, int atoms, float side_x, float side_y,
                                     float cutoff2)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= atoms)
        return;
    float4 p = atom[i]; // w: charge
    KEEP(p.w);
    float fx = 0.0f, fy = 0.0f, fz = 0.0f, energy = 0.0f;
    int n = count[i];
    for (int k = 0; k < n; k++) {
        float4 q = atom[list[k * atoms + i]];
        KEEP(q.w);
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        // the film is periodic in x and y: the nearest image counts
        dx += dx > 0.5f * side_x ? -side_x : dx < -0.5f * side_x ? side_x : 0.0f;
        dy += dy > 0.5f * side_y ? -side_y : dy < -0.5f * side_y ? side_y : 0.0f;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff2) {
            float s2 = 1.0f / r2, s6 = 0.25f * s2 * s2 * s2;
            float coulomb = p.w * q.w * sqrtf(s2);
            float g = (48.0f * s6 * (s6 - 0.5f) + coulomb) * s2;
            fx += g * dx;
            fy += g * dy;
            fz += g * dz;
            energy += 4.0f * s6 * (s6 - 1.0f) + coulomb;
        }
    }
    force[i] = make_float4(fx, fy, fz, energy);
}
