// nbf.cu -- non-bonded force: one thread an atom, which walks its list of neighbours and gathers
// their positions. Lennard-Jones and Coulomb terms inside the cutoff; the list reaches a little
// further (the skin), so that it stays valid for some time steps. Neighbour k of atom i is
// list[k * atoms + i]: neighbouring threads read neighbouring words.
// The launch bounds ask for registers to be spared so that 8 CTAs of 6 warps fit on a core.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S nbf.cu -o nbf.ptx
#include "../simt.cuh"

extern "C" __global__ void __launch_bounds__(192, 8) nbf_force(float4 *force, const float4 *atom, const int *count,
                                     const int *list, int atoms, float cutoff2)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= atoms)
        return;
    float4 p = atom[i]; // w: charge
    KEEP(p.w);
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    const int *next = list + i;
    for (int left = count[i]; left > 0; left--, next += atoms) {
        float4 q = atom[*next];
        KEEP(q.w);
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff2) {
            float s2 = 1.0f / r2, s6 = 0.25f * s2 * s2 * s2;
            float g = (48.0f * s6 * (s6 - 0.5f) + p.w * q.w * sqrtf(s2)) * s2;
            fx += g * dx;
            fy += g * dy;
            fz += g * dz;
        }
    }
    force[i] = make_float4(fx, fy, fz, 0.0f);
}
