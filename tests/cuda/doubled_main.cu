// Calls the library of doubled.cu: linked with it or, with LATER, loaded when the program runs.
#include <cstdio>

#ifdef LATER
#include <dlfcn.h>

int main()
{
    void *library = dlopen(LATER, RTLD_NOW);
    int (*doubled)(void) = (int (*)(void))(library ? dlsym(library, "doubled") : nullptr);
    return doubled ? doubled() : 2;
}
#else
extern "C" int doubled(void);

__global__ void three(int *x)
{
    x[threadIdx.x] *= 3;
}

int main()
{
    int *d, h[32], bad = 0;
    for (int i = 0; i < 32; i++)
        h[i] = i;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    three<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += h[i] != 3 * i;
    bad += doubled();
    puts(bad ? "failed" : "passed");
    return bad;
}
#endif
