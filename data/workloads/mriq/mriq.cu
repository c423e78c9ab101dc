// mriq.cu -- the matrix Q of non-Cartesian MRI reconstruction (Stone and others, J. Parallel
// Distrib. Comput. 2008): at every voxel x, the sum over the samples k of |phi(k)|^2 e^(2 pi i k x).
// The first kernel squares phi; the second, a thread a voxel, adds a block of samples that constant
// memory holds to what earlier launches have found.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S mriq.cu -o mriq.ptx
#include "../simt.cuh"

#define SAMPLES 1024 // what a launch takes from constant memory
#define TWO_PI  6.2831853f

__constant__ float4 mriq_sample[SAMPLES]; // place in k-space, in cycles; weight

extern "C" __global__ void mriq_magnitude(float *magnitude, const float *re, const float *im,
                                          int samples)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < samples)
        magnitude[k] = re[k] * re[k] + im[k] * im[k];
}

extern "C" __global__ void mriq_q(float *q_re, float *q_im, const float *x, const float *y,
                                  const float *z, int voxels, int samples)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= voxels)
        return;
    float at_x = x[v], at_y = y[v], at_z = z[v], re = q_re[v], im = q_im[v];
    for (int k = 0; k < samples; k++) {
        float4 s = mriq_sample[k];
        float cycles = s.x * at_x + s.y * at_y + s.z * at_z;
        float angle = TWO_PI * (cycles - __builtin_rintf(cycles));
        re += s.w * __cosf(angle);
        im += s.w * __sinf(angle);
    }
    q_re[v] = re;
    q_im[v] = im;
}
