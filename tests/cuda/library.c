/* Libraries of kernels and pools of memory, by the driver's functions and by the runtime's. */
#include <string.h>

#include "tests/cuda/driver_types.h"
#include "tests/cuda/ok.h"

typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct rt_pool *Pool;
typedef struct {
    unsigned x, y, z;
} dim3;
CUresult cuLibraryLoadData(CUlibrary *, const void *, int *, void **, unsigned, int *, void **,
                           unsigned);
CUresult cuLibraryLoadFromFile(CUlibrary *, const char *, int *, void **, unsigned, int *, void **,
                               unsigned);
CUresult cuLibraryUnload(CUlibrary), cuLibraryGetKernel(CUkernel *, CUlibrary, const char *);
CUresult cuLibraryGetKernelCount(unsigned *, CUlibrary);
CUresult cuLibraryEnumerateKernels(CUkernel *, unsigned, CUlibrary);
CUresult cuLibraryGetModule(CUmodule *, CUlibrary), cuKernelGetLibrary(CUlibrary *, CUkernel);
CUresult cuLibraryGetGlobal(CUdeviceptr *, size_t *, CUlibrary, const char *);
CUresult cuKernelGetFunction(CUfunction *, CUkernel), cuKernelGetName(const char **, CUkernel);
CUresult cuKernelGetAttribute(int *, int, CUkernel, CUdevice);
CUresult cuKernelSetAttribute(int, int, CUkernel, CUdevice);
CUresult cuKernelGetParamInfo(CUkernel, size_t, size_t *, size_t *);
CUresult cuModuleGetFunctionCount(unsigned *, CUmodule);
CUresult cuModuleEnumerateFunctions(CUfunction *, unsigned, CUmodule);
int cudaLibraryLoadData(CUlibrary *, const void *, int *, void **, unsigned, int *, void **,
                        unsigned);
int cudaLibraryUnload(CUlibrary), cudaLibraryGetKernel(const void **, CUlibrary, const char *);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, CUstream);
int cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaFree(void *);
int cudaMallocAsync(void **, size_t, CUstream), cudaFreeAsync(void *, CUstream);
int cudaMallocFromPoolAsync(void **, size_t, Pool, CUstream);
int cudaMemPoolCreate(Pool *, const void *), cudaMemPoolDestroy(Pool);
int cudaMemPoolSetAttribute(Pool, int, void *), cudaMemPoolGetAttribute(Pool, int, void *);
int cudaDeviceGetMemPool(Pool *, int), cudaDeviceSetMemPool(int, Pool);
int cudaDeviceGetDefaultMemPool(Pool *, int);

enum {
    INVALID_VALUE = 1,
    INVALID_DEVICE = 101,
    INVALID_PTX = 218,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500
};

static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 factor = 3;\n"
    ".visible .entry scaled(.param .u64 o, .param .u32 v)\n"
    "{.reg .b32 %r<4>; .reg .b64 %d<2>; ld.param.u64 %d1, [o]; ld.param.u32 %r1, [v];\n"
    "ld.global.u32 %r2, [factor]; mul.lo.u32 %r1, %r1, %r2; st.global.u32 [%d1], %r1; ret;}\n"
    ".visible .entry other() { ret; }\n";

static unsigned result(CUdeviceptr d)
{
    unsigned h = 0;
    OK(cuMemcpyDtoH_v2(&h, d, sizeof h));
    return h;
}

static void kernels(CUdeviceptr d)
{
    CUlibrary lib, of;
    CUkernel k, all[3] = {0};
    CUfunction f, two[2];
    CUmodule m;
    CUdeviceptr factor;
    size_t bytes, offset;
    unsigned v = 14, n, seven = 7;
    int most;
    const char *name;
    void *args[] = {&d, &v};
    OK(cuLibraryLoadData(&lib, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernelCount(&n, lib));
    OK(cuLibraryEnumerateKernels(all, 3, lib));
    OK(cuLibraryGetKernel(&k, lib, "scaled"));
    EXPECT(n == 2 && all[0] == k && !all[2]);
    EXPECT(cuLibraryGetKernel(&k, lib, "none") == NOT_FOUND);
    OK(cuKernelGetName(&name, k));
    OK(cuKernelGetLibrary(&of, k));
    EXPECT(!strcmp(name, "scaled") && of == lib);
    OK(cuKernelGetParamInfo(k, 1, &offset, &bytes));
    EXPECT(offset == 8 && bytes == 4);
    EXPECT(cuKernelGetParamInfo(k, 2, &offset, &bytes) == INVALID_VALUE);
    OK(cuKernelGetAttribute(&most, 0, k, 0));
    EXPECT(most == 1024);
    OK(cuKernelSetAttribute(8, 16384, k, 0));
    EXPECT(cuKernelSetAttribute(8, 16384, k, 1) == INVALID_DEVICE);
    OK(cuKernelGetFunction(&f, k));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    EXPECT(result(d) == 42);
    OK(cuLibraryGetGlobal(&factor, &bytes, lib, "factor"));
    EXPECT(bytes == 4);
    OK(cuMemcpyHtoD_v2(factor, &seven, sizeof seven));
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, NULL, args,
                      NULL)); /* a CUkernel itself */
    EXPECT(result(d) == 98);
    OK(cuLibraryGetModule(&m, lib));
    OK(cuModuleGetFunctionCount(&n, m));
    OK(cuModuleEnumerateFunctions(two, 2, m));
    EXPECT(n == 2);
    OK(cuLaunchKernel(two[0], 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    OK(cuLibraryUnload(lib));
    EXPECT(cuLibraryUnload(lib) == INVALID_HANDLE);
    EXPECT(cuKernelGetFunction(&f, k) == INVALID_HANDLE);
    EXPECT(cuLibraryLoadData(NULL, code, NULL, NULL, 0, NULL, NULL, 0) == INVALID_VALUE);
    EXPECT(cuLibraryLoadFromFile(&lib, "/none", NULL, NULL, 0, NULL, NULL, 0) == 301);
    OK(cuLibraryLoadFromFile(&lib, "tests/cuda/host.ptx", NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&k, lib, "poke"));
}

static void runtime(void)
{
    CUlibrary lib;
    const void *k;
    void *d;
    unsigned v = 5, h = 0;
    dim3 one = {1, 1, 1};
    OK(cudaMalloc(&d, 4));
    OK(cudaLibraryLoadData(&lib, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cudaLibraryGetKernel(&k, lib, "scaled"));
    OK(cudaLaunchKernel(k, one, one, (void *[]){&d, &v}, 0, NULL));
    OK(cudaMemcpy(&h, d, sizeof h, 2));
    EXPECT(h == 15);
    OK(cudaLibraryUnload(lib));
    EXPECT(cudaLaunchKernel(k, one, one, (void *[]){&d, &v}, 0, NULL) == INVALID_HANDLE);
}

static unsigned long long attribute(Pool p, int which)
{
    unsigned long long v = 0;
    OK(cudaMemPoolGetAttribute(p, which, &v));
    return v;
}

static void pools(CUstream s)
{
    const struct {
        int type, handles, where, id;
        char rest[72];
    } what = {1, 0, 1, 0, ""}, elsewhere = {1, 0, 1, 1, ""};
    Pool pool, first, now;
    void *p, *q, *r;
    unsigned long long keep = 1 << 20, zero = 0;
    OK(cudaMemPoolCreate(&pool, &what));
    EXPECT(cudaMemPoolCreate(&now, &elsewhere) == INVALID_DEVICE);
    OK(cudaMemPoolSetAttribute(pool, 4, &keep));
    EXPECT(attribute(pool, 4) == keep && attribute(pool, 7) == 0);
    OK(cudaMallocFromPoolAsync(&p, 1000, pool, s));
    OK(cudaDeviceGetDefaultMemPool(&first, 0));
    OK(cudaMallocAsync(&q, 64, s));
    EXPECT(attribute(pool, 7) == 1000 && attribute(first, 7) == 64);
    OK(cudaDeviceSetMemPool(0, pool));
    OK(cudaDeviceGetMemPool(&now, 0));
    OK(cudaMallocAsync(&r, 24, s));
    EXPECT(now == pool && attribute(pool, 7) == 1024);
    OK(cudaFreeAsync(p, s));
    OK(cudaFree(r)); /* as good, but waits */
    EXPECT(attribute(pool, 7) == 0 && attribute(pool, 8) == 1024);
    OK(cudaMemPoolSetAttribute(pool, 8, &zero));
    EXPECT(attribute(pool, 8) == 0);
    EXPECT(cudaMemPoolSetAttribute(pool, 7, &zero) == INVALID_VALUE);
    EXPECT(cudaFreeAsync(p, s) == INVALID_VALUE);
    OK(cudaMemPoolDestroy(pool));
    EXPECT(cudaMemPoolDestroy(pool) == INVALID_VALUE);
    OK(cudaDeviceGetMemPool(&now, 0));
    EXPECT(now == first);
}

int main(void)
{
    CUcontext ctx;
    CUlibrary lib;
    CUstream s;
    CUdeviceptr d;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&ctx, 0, 0));
    OK(cuStreamCreate(&s, 0));
    OK(cuMemAlloc_v2(&d, 4));
    kernels(d);
    runtime();
    pools(s);
    EXPECT(cuLibraryLoadData(&lib, ".version 7.0\nnonsense", NULL, NULL, 0, NULL, NULL, 0) ==
           INVALID_PTX);
    printf("passed\n");
    return 0;
}
