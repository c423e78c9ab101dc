// With modules_b.cu and -rdc=true: functions, variables and constants of one module used in another;
// static variables and inline functions that both have.
#include "check.cuh"
#include "modules.cuh"

extern __device__ int counter;
extern __constant__ float table[8];
static __device__ int mine = 3;

__global__ void first(float *out)
{
    int i = threadIdx.x;
    out[i] = twice(table[i % 8]) + mine + add40(0);
    atomicAdd(&counter, 1);
}

int main()
{
    float *d, h[32];
    int n;
    CHECK(cudaMalloc(&d, sizeof h));
    fill_table();
    first<<<1, 32>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT(h[i] == 2 * (i % 8 + 1) + 3 + 40);
    second(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        EXPECT(h[i] == 2 * (i % 8 + 1) + 3 + 80 + 5);
    CHECK(cudaMemcpyFromSymbol(&n, counter, sizeof n));
    EXPECT(n == 32);
    // The device runtime that is linked in has PTX for other GPUs: that tells nothing of this program.
    cudaDeviceProp device;
    cudaFuncAttributes kernel;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaFuncGetAttributes(&kernel, first));
    EXPECT(device.major == 7 && device.minor == 5);
    EXPECT(kernel.ptxVersion == 75 && kernel.binaryVersion == 75);
    puts("passed");
}
