// Launches: what is refused, what comes again, attributes and occupancy of kernels.
#include "check.cuh"

__global__ void plain(float *p, int n, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = p[i] * a + 1;
}
__global__ void __launch_bounds__(128) bounded(float *p)
{
    p[threadIdx.x] += 1;
}
__global__ void shared(float *p)
{
    __shared__ float s[3000];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char **argv)
{
    int n = 256, times = argc > 1 ? atoi(argv[1]) : 100, ctas;
    float *d, *e, h[256];
    CHECK(cudaMalloc(&d, n * sizeof *d));
    CHECK(cudaMalloc(&e, n * sizeof *d));
    CHECK(cudaMemset(d, 0, n * sizeof *d));
    CHECK(cudaMemset(e, 0, n * sizeof *d));
    for (int i = 0; i < times; i++)
        plain<<<2, 128>>>(i & 1 ? d : e, n, 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, e, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == (times + 1) / 2);
    plain<<<0, 128>>>(d, n, 1);
    GIVES(cudaGetLastError(), cudaErrorInvalidConfiguration);
    plain<<<1, 2048>>>(d, n, 1);
    GIVES(cudaGetLastError(), cudaErrorInvalidConfiguration);
    bounded<<<1, 256>>>(d);
    EXPECT(cudaGetLastError() != cudaSuccess);
    plain<<<1, 32, 1 << 20>>>(d, n, 1);
    GIVES(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK(cudaDeviceSynchronize());
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, shared));
    EXPECT(a.sharedSizeBytes == 12000 && a.numRegs > 0 && a.maxThreadsPerBlock == 1024);
    CHECK(cudaFuncGetAttributes(&a, bounded));
    EXPECT(a.maxThreadsPerBlock == 128);
    CHECK(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    CHECK(cudaFuncSetCacheConfig(shared, cudaFuncCachePreferL1));
    // 48 KB of shared memory a core, 1536 threads, 8 CTA slots (yen2014)
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, shared, 64, 0));
    EXPECT(ctas == 4);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, plain, 512, 0));
    EXPECT(ctas == 3);
    int grid, block;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain));
    EXPECT(block >= 192 && grid == 15 * (1536 / block < 8 ? 1536 / block : 8));
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    EXPECT(p.multiProcessorCount == 15 && p.warpSize == 32 && p.maxThreadsPerMultiProcessor == 1536);
    EXPECT(p.sharedMemPerBlock == 49152 && p.regsPerMultiprocessor == 32768 && p.major >= 5);
    GIVES(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    puts("passed");
}
