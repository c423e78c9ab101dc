// A kernel's fault comes back as hardware's error: `faults KIND`. After it every call fails until the
// device is reset.
#include <cassert>
#include <cstring>

#include "check.cuh"

__global__ void bounds(int *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void misaligned(char *p)
{
    *(int *)(p + 1) = 2;
}
__global__ void null(int *p)
{
    *p = 3;
}
__global__ void asserts(int *p)
{
    assert(threadIdx.x != 5);
    *p = 4;
}
__global__ void traps(int *p)
{
    if (threadIdx.x == 3)
        __trap();
}
__global__ void host(int *p)
{
    *p = 5; // an address of the host
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    int *d, h = 0;
    cudaError_t wanted = cudaErrorIllegalAddress;
    CHECK(cudaMalloc(&d, 100 * sizeof *d));
    if (!strcmp(kind, "bounds"))
        bounds<<<2, 64>>>(d);
    else if (!strcmp(kind, "misaligned"))
        misaligned<<<1, 1>>>((char *)d), wanted = cudaErrorMisalignedAddress;
    else if (!strcmp(kind, "null"))
        null<<<1, 1>>>(nullptr);
    else if (!strcmp(kind, "assert"))
        asserts<<<1, 32>>>(d), wanted = cudaErrorAssert;
    else if (!strcmp(kind, "trap"))
        traps<<<1, 32>>>(d), wanted = cudaErrorLaunchFailure;
    else if (!strcmp(kind, "host"))
        host<<<1, 1>>>(&h);
    else
        return 2;
    GIVES(cudaGetLastError(), cudaSuccess);
    GIVES(cudaDeviceSynchronize(), wanted);
    GIVES(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost), wanted);
    GIVES(cudaGetLastError(), wanted);
    EXPECT(h == 0);
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&d, 128 * sizeof *d));
    bounds<<<2, 64>>>(d);
    CHECK(cudaDeviceSynchronize());
    puts("passed");
}
