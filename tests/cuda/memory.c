/* What memory the device has, and reads outside of it. Called as `memory info MB`, `memory KERNEL
 * ERROR` (kernels of stray.ptx) or `memory ask ATTRIBUTE`; see memory.sh. */
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/driver_types.h"
#include "tests/cuda/ok.h"

int cudaMalloc(void **p, size_t bytes), cudaFree(void *p),
    cudaMemGetInfo(size_t *left, size_t *all);
int cudaMallocManaged(void **p, size_t bytes, unsigned flags), cudaDeviceSynchronize(void);
int cudaMallocAsync(void **p, size_t bytes, CUstream stream);
int cudaDeviceGetAttribute(int *value, int attribute, int device);

enum { MEMORY_ALLOCATION = 2 };

static int info(size_t all)
{
    size_t left, total;
    void *p, *q;
    OK(cudaMemGetInfo(&left, &total));
    EXPECT(total == all && left == all);
    EXPECT(cudaMalloc(&p, all + 1) == MEMORY_ALLOCATION);
    OK(cudaMalloc(&p, all / 2));
    EXPECT(cudaMalloc(&q, all / 2 + 1) == MEMORY_ALLOCATION);
    EXPECT(cudaMallocAsync(&q, all / 2 + 1, NULL) == MEMORY_ALLOCATION);
    OK(cudaMemGetInfo(&left, &total));
    EXPECT(left == all - all / 2);
    OK(cudaMalloc(&q, all - all / 2));
    OK(cudaFree(p));
    OK(cudaMalloc(&p, all / 2));
    OK(cudaMallocManaged(&p, all, 1)); /* the host's: it may be more than the device has */
    return 0;
}

static int launch(const char *kernel, int error)
{
    CUdevice dev;
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr in, out;
    float h[64];
    OK(cuInit(0));
    OK(cuDeviceGet(&dev, 0));
    OK(cuCtxCreate_v2(&ctx, 0, dev));
    OK(cuModuleLoad(&m, "tests/cuda/stray.ptx"));
    OK(cuModuleGetFunction(&f, m, kernel));
    OK(cuMemAlloc_v2(&in, sizeof h));
    OK(cuMemAlloc_v2(&out, sizeof h));
    OK(cuMemsetD8_v2(in, 0, sizeof h));
    for (int i = 0; i < 2; i++) {
        OK(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&in, &out}, NULL));
        EXPECT(cuCtxSynchronize() == error);
        if (error)
            return 0;
    }
    OK(cuMemcpyDtoH_v2(h, out, sizeof h));
    EXPECT(h[0] == 1 && h[31] == 1 && h[32] == 0 && h[63] == 0);
    return 0;
}

static int ask(int attribute)
{
    int value;
    OK(cudaDeviceGetAttribute(&value, attribute, 0));
    return value;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (strcmp(argv[1], "ask") == 0)
        return ask(atoi(argv[2])) ? 0 : 2;
    if (ask(107))
        return 1;
    const int bad = strcmp(argv[1], "info") == 0 ? info((size_t)atoi(argv[2]) << 20)
                                                 : launch(argv[1], atoi(argv[2]));
    fprintf(stderr, "%s\n", bad ? "FAILED" : "passed");
    return bad;
}
