// sgemm.cu -- C = alpha A B^T + beta C, column by column, tiled in registers: a CTA of 16 x 8 threads
// computes 128 x 16 elements of C. Each thread owns one row of A, which it reads from global memory
// as it goes, and 16 sums; the CTA shares 8 x 16 elements of B at a time.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S sgemm.cu -o sgemm.ptx
#include "../simt.cuh"

#define COLUMNS 16
#define DEPTH   8

extern "C" __global__ void __launch_bounds__(128, 8)
    sgemm_nt(float *C, const float *A, const float *B, int m, int n, int k, float alpha, float beta)
{
    __shared__ float b[DEPTH][COLUMNS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * (COLUMNS * DEPTH) + ty * COLUMNS + tx;
    int col = blockIdx.y * COLUMNS;
    const float *from_a = A + row, *from_b = B + col + tx + ty * n;
    float sum[COLUMNS];
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
        sum[j] = 0.0f;
    for (int done = 0; done < k; done += DEPTH) {
        b[ty][tx] = *from_b;
        from_b += DEPTH * n;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float a = *from_a;
            from_a += m;
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                sum[j] += a * b[i][j];
        }
        __syncthreads();
    }
    float *to = C + row + col * m;
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
        to[j * m] = alpha * sum[j] + beta * to[j * m];
}
