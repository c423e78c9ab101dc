// pfn.cu -- the one kernel of the naive particle filter (Goodrum and others, 2010), in double
// precision: each particle looks up the first running sum of the weights that reaches its mark, one
// after the other, and takes that particle's place.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S pfn.cu -o pfn.ptx
#include "../simt.cuh"

extern "C" __global__ void pfn_draw(double *drawn_x, double *drawn_y, const double *x,
                                    const double *y, const double *until, const double *mark,
                                    int particles)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= particles)
        return;
    double mine = mark[i];
    int found = particles - 1;
#pragma unroll 1
    for (int k = 0; k < particles; k++)
        if (until[k] >= mine) {
            found = k;
            break;
        }
    drawn_x[i] = x[found];
    drawn_y[i] = y[found];
}
