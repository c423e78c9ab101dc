// vecadd.cu -- vector addition as in Table 3 of Yen (2014): one element a thread, no bounds check.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S vecadd.cu -o vecadd.ptx
#include "../simt.cuh"

extern "C" __global__ void kernel_vec_add(int *C, int *A, int *B)
{
    int id = blockDim.x * blockIdx.x + threadIdx.x;
    C[id] = A[id] + B[id];
}
