// vectoradd.cu -- C = A + B on floats, one thread an element; the last CTA may be part empty.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S vectoradd.cu -o vectoradd.ptx
#include "../simt.cuh"

extern "C" __global__ void vectoradd(float *C, const float *A, const float *B, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        C[i] = A[i] + B[i];
}
