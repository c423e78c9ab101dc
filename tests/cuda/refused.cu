// A program that looks at no error: what is not supported must not let it pass.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void plain(int *p)
{
    *p = 1;
}
__global__ void reduces(cudaSurfaceObject_t s)
{
    asm volatile("sured.b.1d.add.u32.trap [%0, {%1}], %2;" ::"l"(s), "r"(0), "r"(1) : "memory");
}

int main()
{
    int *d, h = -1;
    cudaMalloc(&d, sizeof *d);
    plain<<<1, 1>>>(d);
    reduces<<<1, 1>>>(0);
    cudaDeviceSynchronize();
    if (cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaErrorNotSupported && h == -1)
        puts("no result");
}
