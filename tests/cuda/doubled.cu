// A library with kernels and a runtime of its own.
#include <cstdio>

__global__ void twice(int *x)
{
    x[threadIdx.x] *= 2;
}

extern "C" int doubled(void)
{
    int *d, h[32], bad = 0;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += h[i] != 2 * i;
    cudaDeviceProp p; // another structure in every major version
    bad += cudaGetDeviceProperties(&p, 0) != cudaSuccess || p.warpSize != 32;
    fprintf(stderr, "library: %s\n", bad ? "failed" : "passed");
    return bad;
}
