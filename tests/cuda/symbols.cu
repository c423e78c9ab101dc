// Device, constant and managed variables; their addresses and sizes; static and dynamic shared memory.
#include <cstring>

#include "check.cuh"

__device__ int histogram[16];
__device__ int *where;
__constant__ double weights[4] = {1, 2, 3, 4};
__managed__ int total = 5;
__managed__ float slots[100];

__global__ void count(const unsigned char *data, int n)
{
    __shared__ int local[16];
    extern __shared__ int more[];
    if (threadIdx.x < 16)
        local[threadIdx.x] = more[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[data[i] & 15], 1);
        atomicAdd(&more[data[i] & 15], 2);
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        atomicAdd(&where[threadIdx.x], local[threadIdx.x]);
        atomicAdd(&total, more[threadIdx.x] - local[threadIdx.x]);
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        slots[7] = (float)(weights[0] * 1000 + weights[3]);
}

int main()
{
    const int n = 5000;
    static unsigned char data[n];
    int wanted[16] = {0}, got[16] = {0};
    for (int i = 0; i < n; i++) {
        data[i] = (unsigned char)(i * i * 31 + i / 7);
        wanted[data[i] & 15]++;
    }
    unsigned char *d;
    void *p;
    size_t bytes;
    CHECK(cudaMalloc(&d, n));
    CHECK(cudaMemcpy(d, data, n, cudaMemcpyHostToDevice));
    CHECK(cudaGetSymbolAddress(&p, histogram));
    CHECK(cudaGetSymbolSize(&bytes, histogram));
    EXPECT(bytes == sizeof got);
    CHECK(cudaMemcpyToSymbol(where, &p, sizeof p));
    double w = 9;
    CHECK(cudaMemcpyToSymbol(weights, &w, sizeof w, 0));
    CHECK(cudaMemcpyFromSymbol(&w, weights, sizeof w, 3 * sizeof w));
    EXPECT(w == 4);
    total += 10;
    count<<<4, 64, 64>>>(d, n);
    CHECK(cudaDeviceSynchronize());
    EXPECT(total == 15 + n);
    EXPECT(slots[7] == 9004 && slots[8] == 0);
    CHECK(cudaMemcpyFromSymbol(got, histogram, sizeof got));
    EXPECT(memcmp(got, wanted, sizeof got) == 0);
    GIVES(cudaMemcpyToSymbol(weights, &w, sizeof w, 4 * sizeof w), cudaErrorInvalidValue);
    GIVES(cudaGetLastError(), cudaErrorInvalidValue);
    GIVES(cudaGetSymbolSize(&bytes, (const void *)&n), cudaErrorInvalidSymbol);
    puts("passed");
}
