// scp.cu -- scalar products of many pairs of vectors. A CTA takes pair after pair: its threads fill
// SUMS partial sums in shared memory, each over every SUMS-th product, and add these as a tree.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S scp.cu -o scp.ptx
#include "../simt.cuh"

#define SUMS 1024 // a power of two

// a, b: [pairs][elements]
extern "C" __global__ void scp_products(float *product, const float *a, const float *b, int pairs,
                                        int elements)
{
    __shared__ float sum[SUMS];
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        int begin = pair * elements, end = begin + elements;
        for (int s = threadIdx.x; s < SUMS; s += blockDim.x) {
            float part = 0.0f;
            for (int i = begin + s; i < end; i += SUMS)
                part += a[i] * b[i];
            sum[s] = part;
        }
        for (int half = SUMS / 2; half > 0; half /= 2) {
            __syncthreads();
            for (int s = threadIdx.x; s < half; s += blockDim.x)
                sum[s] += sum[s + half];
        }
        if (threadIdx.x == 0)
            product[pair] = sum[0];
        __syncthreads();
    }
}
