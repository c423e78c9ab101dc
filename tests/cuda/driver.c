/* A program on the driver API: the module as text, file and fat binary; the linker; contexts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/ok.h"

typedef int CUresult, CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlinkState_st *CUlinkState;
CUresult cuInit(unsigned), cuDriverGetVersion(int *), cuDeviceGetCount(int *);
CUresult cuDeviceGet(CUdevice *, int), cuDeviceGetName(char *, int, CUdevice);
CUresult cuDeviceGetAttribute(int *, int, CUdevice), cuDeviceTotalMem_v2(size_t *, CUdevice);
CUresult cuCtxCreate_v4(CUcontext *, void *, unsigned, CUdevice), cuCtxDestroy_v2(CUcontext);
CUresult cuCtxPushCurrent_v2(CUcontext), cuCtxPopCurrent_v2(CUcontext *);
CUresult cuCtxGetCurrent(CUcontext *), cuCtxSynchronize(void);
CUresult cuDevicePrimaryCtxRetain(CUcontext *, CUdevice);
CUresult cuModuleLoad(CUmodule *, const char *), cuModuleLoadData(CUmodule *, const void *);
CUresult cuModuleLoadDataEx(CUmodule *, const void *, unsigned, int *, void **);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *), cuModuleUnload(CUmodule);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, const char *);
CUresult cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemFree_v2(CUdeviceptr);
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
CUresult cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, void *, void **, void **);
CUresult cuLinkCreate_v2(unsigned, int *, void **, CUlinkState *), cuLinkDestroy(CUlinkState);
CUresult cuLinkAddData_v2(CUlinkState, int, void *, size_t, const char *, unsigned, int *, void **);
CUresult cuLinkComplete(CUlinkState, void **, size_t *);
CUresult cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
CUresult cuGraphDebugDotPrint(void *, const char *, unsigned),
    cuGetExportTable(const void **, const void *);

static char *ptx;

static void run(CUmodule m)
{
    float h[100], by = 3;
    int n = 100, counter = 5;
    size_t bytes;
    CUfunction f;
    CUdeviceptr d, c;
    for (int i = 0; i < n; i++)
        h[i] = (float)i;
    OK(cuModuleGetFunction(&f, m, "scale"));
    OK(cuModuleGetGlobal_v2(&c, &bytes, m, "counter"));
    EXPECT(bytes == 4);
    OK(cuMemcpyHtoD_v2(c, &counter, 4));
    OK(cuMemAlloc_v2(&d, sizeof h));
    OK(cuMemcpyHtoD_v2(d, h, sizeof h));
    void *args[] = {&d, &by, &n};
    OK(cuLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, NULL, args, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH_v2(h, d, sizeof h));
    OK(cuMemcpyDtoH_v2(&counter, c, 4));
    EXPECT(counter == 6);
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == 3.0f * (float)i);
    OK(cuMemFree_v2(d));
    OK(cuModuleUnload(m));
}

static void link_texts(CUmodule *m)
{
    static char one[] = ".version 7.5\n.target sm_75\n.address_size 64\n"
                        ".visible .func helper() { ret; }\n";
    CUlinkState state;
    void *image;
    size_t bytes;
    OK(cuLinkCreate_v2(0, NULL, NULL, &state));
    OK(cuLinkAddData_v2(state, 1, one, sizeof one, "one", 0, NULL, NULL));
    OK(cuLinkAddData_v2(state, 1, ptx, strlen(ptx) + 1, "two", 0, NULL, NULL));
    OK(cuLinkComplete(state, &image, &bytes));
    OK(cuModuleLoadDataEx(m, image, 0, NULL, NULL));
    OK(cuLinkDestroy(state));
}

int main(int argc, char **argv)
{
    int n, count;
    CUdevice dev;
    CUcontext ctx, now, primary;
    CUmodule m;
    char name[100];
    size_t total;
    FILE *f = fopen(argv[argc - 1], "r");
    ptx = calloc(1, 1 << 16);
    EXPECT(f && fread(ptx, 1, (1 << 16) - 1, f) > 0);
    EXPECT(cuDeviceGetCount(&count) == 3); /* not initialised */
    OK(cuInit(0));
    OK(cuDriverGetVersion(&n));
    EXPECT(n >= 11000);
    OK(cuDeviceGetCount(&count));
    EXPECT(count == 1);
    OK(cuDeviceGet(&dev, 0));
    OK(cuDeviceGetName(name, sizeof name, dev));
    OK(cuDeviceTotalMem_v2(&total, dev));
    OK(cuDeviceGetAttribute(&n, 16, dev)); /* cores */
    EXPECT(n == 15);
    OK(cuDeviceGetAttribute(&n, 75, dev)); /* major */
    EXPECT(n >= 5);
    OK(cuCtxCreate_v4(&ctx, NULL, 0, dev));
    OK(cuModuleLoadData(&m, ptx));
    run(m);
    OK(cuModuleLoad(&m, argv[argc - 1]));
    run(m);
    link_texts(&m);
    run(m);
    EXPECT(cuModuleLoadData(&m, "\177ELF machine code") == 209);
    EXPECT(cuModuleLoadData(&m, "no PTX at all") == 218);
    OK(cuDevicePrimaryCtxRetain(&primary, dev));
    OK(cuCtxPushCurrent_v2(primary));
    OK(cuCtxGetCurrent(&now));
    EXPECT(now == primary);
    OK(cuModuleLoadData(&m, ptx));
    run(m);
    OK(cuCtxPopCurrent_v2(&now));
    OK(cuCtxGetCurrent(&now));
    EXPECT(now == ctx);
    CUresult (*alloc)(CUdeviceptr *, size_t);
    OK(cuGetProcAddress_v2("cuMemAlloc", (void **)&alloc, 12000, 0, &n));
    EXPECT(alloc == cuMemAlloc_v2 && n == 0);
    EXPECT(cuGraphDebugDotPrint(NULL, name, 0) == 801);
    const void *table = name;
    EXPECT(cuGetExportTable(&table, name) == 500 && !table);
    OK(cuCtxDestroy_v2(ctx));
    puts("passed");
    return 0;
}
