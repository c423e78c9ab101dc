// lud.cu -- LU decomposition in place without pivoting, by blocks of 16 x 16: each step decomposes
// a block of the diagonal, then the rest of its row and column, then updates all blocks below and
// to the right. L has ones on its diagonal, which aren't stored.
// PTX: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -Wno-unknown-cuda-version -S lud.cu -o lud.ptx
#include "../simt.cuh"

#define B 16

// a: the block's upper left corner. One CTA of 16 threads, one a column.
extern "C" __global__ void lud_diagonal(float *a, int n)
{
    __shared__ float s[B][B];
    int t = threadIdx.x;
    for (int i = 0; i < B; i++)
        s[i][t] = a[i * n + t];
    __syncthreads();
    for (int k = 0; k < B - 1; k++) {
        if (t > k)
            s[t][k] /= s[k][k];
        __syncthreads();
        if (t > k)
            for (int i = k + 1; i < B; i++)
                s[i][t] -= s[i][k] * s[k][t];
        __syncthreads();
    }
    for (int i = 1; i < B; i++)
        a[i * n + t] = s[i][t];
}

// a: the diagonal block, decomposed. CTA b: blocks b + 1 to the right (threads 0 to 15, a column
// each) and down (threads 16 to 31, a row each).
extern "C" __global__ void lud_perimeter(float *a, int n)
{
    __shared__ float d[B][B], right[B][B], down[B][B];
    int t = threadIdx.x % B, block = (blockIdx.x + 1) * B;
    bool rightward = threadIdx.x < B;
    for (int i = threadIdx.x / B; i < B; i += 2)
        d[i][t] = a[i * n + t];
    for (int i = threadIdx.x / B; i < B; i += 2) {
        right[i][t] = a[i * n + block + t];
        down[i][t] = a[(block + i) * n + t];
    }
    __syncthreads();
    if (rightward) {
        for (int i = 1; i < B; i++)
            for (int k = 0; k < i; k++)
                right[i][t] -= d[i][k] * right[k][t];
    } else {
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < i; k++)
                down[t][i] -= down[t][k] * d[k][i];
            down[t][i] /= d[i][i];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x / B; i < B; i += 2) {
        a[i * n + block + t] = right[i][t];
        a[(block + i) * n + t] = down[i][t];
    }
}

// a: the diagonal block. CTA x, y: the block x + 1 to the right and y + 1 down.
extern "C" __global__ void lud_internal(float *a, int n)
{
    __shared__ float right[B][B], down[B][B];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = (blockIdx.x + 1) * B + tx, y = (blockIdx.y + 1) * B + ty;
    right[ty][tx] = a[ty * n + x];
    down[ty][tx] = a[y * n + tx];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < B; k++)
        sum += down[ty][k] * right[k][tx];
    a[y * n + x] -= sum;
}
