// A program and a library, each with kernels and with a CUDA runtime of its own. LIBRARY: this is the
// library. LATER: the program loads it, by that name, when it runs; else it is linked with it.
#include <cstdio>

template <int factor> __global__ void times(int *x)
{
    x[threadIdx.x] *= factor;
}

template <int factor> static int wrong()
{
    int *d, h[32], bad = 0;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    times<factor><<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += h[i] != factor * i;
    return bad;
}

#ifdef LIBRARY
extern "C" int doubled(void)
{
    cudaDeviceProp p; // another structure in every major version
    int bad = wrong<2>();
    bad += cudaGetDeviceProperties(&p, 0) != cudaSuccess || p.warpSize != 32;
    fprintf(stderr, "library: %s\n", bad ? "failed" : "passed");
    return bad;
}
#elif defined LATER
#include <dlfcn.h>

int main()
{
    void *library = dlopen(LATER, RTLD_NOW);
    int (*doubled)(void) = (int (*)(void))(library ? dlsym(library, "doubled") : nullptr);
    return doubled ? doubled() : 2;
}
#else
extern "C" int doubled(void);

int main()
{
    const int bad = wrong<3>() + doubled();
    puts(bad ? "failed" : "passed");
    return bad;
}
#endif
