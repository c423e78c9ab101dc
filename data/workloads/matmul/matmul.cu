// matmul.cu -- C = A B for square matrices whose side is a multiple of TILE: each CTA computes one
// tile of C, passing over A and B through tiles in shared memory.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S matmul.cu -o matmul.ptx
#include "../simt.cuh"

#define TILE 16

extern "C" __global__ void matmul_tiled(float *C, const float *A, const float *B, int n)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        a[ty][tx] = A[row * n + k + tx];
        b[ty][tx] = B[(k + ty) * n + col];
        __syncthreads();
        for (int j = 0; j < TILE; j++)
            sum += a[ty][j] * b[j][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
