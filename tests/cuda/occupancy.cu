// Occupancy against NVIDIA's calculator (cuda_occupancy.h) for the device that we describe: to be run
// on a GPU whose granularities are those of the compute capability. Launches nothing.
#include "check.cuh"
#include <cuda_occupancy.h>

template <int REGS> __global__ void greedy(float *p, int n)
{
    float a[REGS];
    for (int i = 0; i < REGS; i++)
        a[i] = p[i * n + threadIdx.x];
    for (int j = 0; j < n; j++)
#pragma unroll
        for (int i = 0; i < REGS; i++)
            a[i] = a[i] * a[(i + 1) % REGS] + j;
    for (int i = 0; i < REGS; i++)
        p[i * n + threadIdx.x] = a[i];
}

__global__ void with_static(float *p, int)
{
    __shared__ float s[1000];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x ^ 1];
}

static void compare(void (*kernel)(float *, int), int optin)
{
    cudaDeviceProp prop;
    cudaFuncAttributes attr;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    if (optin)
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
    CHECK(cudaFuncGetAttributes(&attr, kernel));
    cudaOccDeviceProp device(prop);
    cudaOccFuncAttributes func(attr);
    cudaOccDeviceState state;
    for (int threads = 1; threads <= 1024; threads += threads < 64 ? 1 : 31)
        for (size_t dynamic = 0; dynamic < 62000; dynamic += 500) {
            cudaOccResult theirs;
            int ours;
            EXPECT(cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &device, &func, &state, threads, dynamic) == 0);
            CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ours, kernel, threads, dynamic));
            EXPECT(ours == theirs.activeBlocksPerMultiprocessor);
        }
    int grid, block, our_grid, our_block;
    EXPECT(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &func, &state, 0, 0) == 0);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&our_grid, &our_block, kernel));
    EXPECT(grid == our_grid && block == our_block);
    int most, with;
    size_t bytes;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, kernel, 64, 0));
    GIVES(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, most + 1, 64), cudaErrorInvalidValue);
    for (int ctas = 1; ctas <= most; ctas++) { // what is said to be available is, and no more
        CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, ctas, 64));
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&with, kernel, 64, bytes));
        EXPECT(with >= ctas);
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&with, kernel, 64, bytes + 1));
        EXPECT(with < ctas);
    }
}

int main()
{
    for (int optin : {0, 60000}) {
        compare(greedy<4>, optin);
        compare(greedy<12>, optin);
        compare(greedy<30>, optin);
        compare(greedy<64>, optin);
        compare(with_static, optin);
    }
    fputs("passed\n", stderr); // nothing is launched: stdout stays empty
}
