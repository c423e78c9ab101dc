// cp.cu -- electrostatic potential on a plane of lattice points: the sum of charge over distance,
// directly, over all atoms. The atoms lie in constant memory, a block of them a launch; each thread
// keeps 8 points of one row, 16 apart, so that a half warp's points are neighbours.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S cp.cu -o cp.ptx
#include "../simt.cuh"

#define ATOMS  4000 // what constant memory holds
#define POINTS 8    // a thread's
#define WIDE   16   // threads of a row

__constant__ float4 cp_atom[ATOMS]; // x, y, squared distance from the plane, charge

extern "C" __global__ void cp_potential(float *potential, int atoms, float spacing)
{
    int x = blockIdx.x * (WIDE * POINTS) + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float at_x = spacing * x, at_y = spacing * y, apart = spacing * WIDE;
    float sum[POINTS];
#pragma unroll
    for (int i = 0; i < POINTS; i++)
        sum[i] = 0.0f;
    for (int a = 0; a < atoms; a++) {
        float4 atom = cp_atom[a];
        float dy = at_y - atom.y, dx = at_x - atom.x;
        float off_line2 = dy * dy + atom.z;
#pragma unroll
        for (int i = 0; i < POINTS; i++) {
            sum[i] += atom.w * rsqrtf(dx * dx + off_line2);
            dx += apart;
        }
    }
    float *to = potential + y * (gridDim.x * (WIDE * POINTS)) + x;
#pragma unroll
    for (int i = 0; i < POINTS; i++)
        to[i * WIDE] += sum[i];
}
