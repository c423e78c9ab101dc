/* Virtual memory by the driver API: reserved, made, mapped, reached, unmapped; a kernel on it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/frontend/cuda_virtual.h"
#include "tests/cuda/ok.h"

CUresult cuModuleLoad(CUmodule *module, const char *path);
CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuPointerGetAttribute(void *to, int attribute, CUdeviceptr p);

#define PAGE VIRTUAL_GRANULARITY
enum { N = 2 * PAGE / sizeof(float) };

static const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                         .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const CUmemAccessDesc all = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

static void refused(void)
{
    CUmemAllocationProp other = prop;
    CUmemGenericAllocationHandle h;
    CUdeviceptr p;
    size_t bytes;
    OK(cuMemGetAllocationGranularity(&bytes, &prop, 0));
    EXPECT(bytes == PAGE);
    other.location.id = 1;
    EXPECT(cuMemCreate(&h, PAGE, &other, 0) == CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuMemCreate(&h, PAGE, NULL, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemCreate(&h, PAGE / 2, &prop, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemCreate(&h, 1ull << 40, &prop, 0) == CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAddressReserve(&p, PAGE + 1, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemRelease(0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemUnmap(PAGE, PAGE) == CUDA_ERROR_INVALID_VALUE);
}

/* The kernel and copies cross from one handle's memory to the next one's. */
static void compute(CUmodule m, CUdeviceptr p)
{
    float *h = malloc(N * sizeof *h), by = 2;
    int n = N;
    CUfunction f;
    void *args[] = {&p, &by, &n};
    for (int i = 0; i < N; i++)
        h[i] = (float)i;
    OK(cuModuleGetFunction(&f, m, "scale"));
    OK(cuMemcpyHtoD_v2(p, h, N * sizeof *h));
    OK(cuLaunchKernel(f, N / 256, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH_v2(h, p, N * sizeof *h));
    for (int i = 0; i < N; i++)
        EXPECT(h[i] == 2.0f * (float)i);
    free(h);
}

/* A vector that grows: the second half is mapped behind the first. What a handle's memory holds
 * goes with it to another address. */
static void grow(CUmodule m)
{
    CUmemGenericAllocationHandle a, b;
    CUdeviceptr p, q;
    size_t before, now, total;
    unsigned type;
    float x;
    OK(cuMemGetInfo_v2(&before, &total));
    OK(cuMemAddressReserve(&p, 2 * PAGE, 0, 0, 0));
    OK(cuMemCreate(&a, PAGE, &prop, 0));
    OK(cuMemCreate(&b, PAGE, &prop, 0));
    OK(cuMemGetInfo_v2(&now, &total));
    EXPECT(now == before - 2 * PAGE);
    OK(cuMemMap(p, PAGE, 0, a, 0));
    EXPECT(cuMemMap(p, PAGE, 0, b, 0) == CUDA_ERROR_INVALID_VALUE); /* taken */
    EXPECT(cuMemMap(p + PAGE, PAGE, 0, a, 0) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuMemMap(p + 2 * PAGE, PAGE, 0, b, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemsetD8_v2(p, 1, 4) == CUDA_ERROR_INVALID_VALUE); /* no access yet */
    OK(cuMemSetAccess(p, PAGE, &all, 1));
    OK(cuMemMap(p + PAGE, PAGE, 0, b, 0));
    OK(cuMemSetAccess(p + PAGE, PAGE, &all, 1));
    OK(cuMemRelease(b)); /* stays while it is mapped */
    OK(cuPointerGetAttribute(&type, 2, p + PAGE));
    EXPECT(type == 2); /* device memory */
    compute(m, p);
    EXPECT(cuMemFree_v2(p) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressFree(p, 2 * PAGE) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemUnmap(p, 2 * PAGE));
    OK(cuMemGetInfo_v2(&now, &total));
    EXPECT(now == before - PAGE);
    EXPECT(cuMemcpyDtoH_v2(&x, p, sizeof x) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpy((uintptr_t)&x, p, sizeof x) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressReserve(&q, PAGE, 8 * PAGE, 0, 0));
    EXPECT(q % (8 * PAGE) == 0);
    OK(cuMemMap(q, PAGE, 0, a, 0));
    OK(cuMemSetAccess(q, PAGE, &all, 1));
    OK(cuMemcpyDtoH_v2(&x, q + 4000, sizeof x));
    EXPECT(x == 2000);
    OK(cuMemUnmap(q, PAGE));
    OK(cuMemRelease(a));
    EXPECT(cuMemRelease(a) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressFree(p, 2 * PAGE));
    OK(cuMemAddressFree(q, PAGE));
    OK(cuMemGetInfo_v2(&now, &total));
    EXPECT(now == before);
}

int main(int argc, char **argv)
{
    CUcontext ctx;
    CUmodule m;
    int value;
    OK(cuInit(0));
    OK(cuDeviceGetAttribute(&value, (CUdevice_attribute)102, 0));
    EXPECT(value == 1);
    OK(cuCtxCreate_v2(&ctx, 0, 0));
    OK(cuModuleLoad(&m, argv[argc - 1]));
    refused();
    grow(m);
    grow(m);
    OK(cuCtxDestroy_v2(ctx));
    puts("passed");
    return 0;
}
