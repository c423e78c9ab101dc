/* Driver functions around a launch: asynchronous memory, rows of memory, pointers, limits, events.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/cuda/ok.h"

typedef int CUresult, CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
struct config {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    struct attribute {
        int id;
        char pad[4];
        int value[16];
    } * attrs;
    unsigned n;
};
CUresult cuInit(unsigned), cuCtxCreate_v2(CUcontext *, unsigned, CUdevice);
CUresult cuDeviceGetPCIBusId(char *, int, CUdevice),
    cuDeviceGetByPCIBusId(CUdevice *, const char *);
CUresult cuDeviceGetUuid_v2(unsigned char *, CUdevice), cuDevicePrimaryCtxReset_v2(CUdevice);
CUresult cuCtxGetLimit(size_t *, int), cuCtxSetLimit(int, size_t), cuCtxGetFlags(unsigned *);
CUresult cuStreamCreate(CUstream *, unsigned), cuStreamGetCtx(CUstream, CUcontext *);
CUresult cuStreamGetId(CUstream, unsigned long long *);
CUresult cuStreamSetAttribute(CUstream, int, const void *);
CUresult cuStreamGetAttribute(CUstream, int, void *), cuStreamCopyAttributes(CUstream, CUstream);
CUresult cuStreamGetAttribute_ptsz(CUstream, int, void *), cuStreamGetPriority(CUstream, int *);
CUresult cuStreamDestroy_v2(CUstream);
CUresult cuEventCreate(CUevent *, unsigned), cuEventRecordWithFlags(CUevent, CUstream, unsigned);
CUresult cuEventElapsedTime_v2(float *, CUevent, CUevent);
CUresult cuModuleLoad(CUmodule *, const char *);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CUresult cuFuncGetModule(CUmodule *, CUfunction), cuFuncGetAttribute(int *, int, CUfunction);
CUresult cuFuncSetBlockShape(CUfunction, int, int, int), cuFuncSetSharedSize(CUfunction, unsigned);
CUresult cuParamSetSize(CUfunction, unsigned), cuParamSeti(CUfunction, int, unsigned);
CUresult cuParamSetv(CUfunction, int, void *, unsigned), cuParamSetf(CUfunction, int, float);
CUresult cuLaunch(CUfunction), cuLaunchGrid(CUfunction, int, int);
CUresult cuLaunchGridAsync(CUfunction, int, int, CUstream);
CUresult cuFuncSetCacheConfig(CUfunction, int), cuFuncGetName(const char **, CUfunction);
CUresult cuMemAllocAsync(CUdeviceptr *, size_t, CUstream), cuMemFreeAsync(CUdeviceptr, CUstream);
CUresult cuMemAllocPitch_v2(CUdeviceptr *, size_t *, size_t, size_t, unsigned);
CUresult cuMemsetD2D32_v2(CUdeviceptr, size_t, unsigned, size_t, size_t);
CUresult cuMemsetD2D8Async(CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream);
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
CUresult cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
CUresult cuMemAllocManaged(CUdeviceptr *, size_t, unsigned);
CUresult cuPointerGetAttribute(void *, int, CUdeviceptr);
CUresult cuLaunchKernelEx(const struct config *, CUfunction, void **, void **);

CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void **, void **);
CUresult cuCtxSynchronize(void);

enum { INVALID_VALUE = 1, ILLEGAL_ADDRESS = 700, NOT_SUPPORTED = 801 };

static void rows(CUstream stream)
{
    size_t pitch;
    CUdeviceptr d;
    unsigned h[3];
    OK(cuMemAllocPitch_v2(&d, &pitch, 12, 2, 4));
    OK(cuMemsetD2D32_v2(d, pitch, 0x01020304, 3, 2));
    OK(cuMemsetD2D8Async(d + pitch, pitch, 9, 4, 1, stream));
    OK(cuMemcpyDtoH_v2(h, d, sizeof h));
    EXPECT(h[0] == 0x01020304 && h[2] == 0x01020304);
    OK(cuMemcpyDtoH_v2(h, d + pitch, sizeof h));
    EXPECT(h[0] == 0x09090909 && h[1] == 0x01020304);
    OK(cuMemsetD2D8Async(d, 1, 0, 0, (size_t)-1, stream)); /* no byte: no row is looked at */
    OK(cuMemsetD2D32_v2(d, 0, 0, 0, (size_t)-1) | cuMemsetD2D32_v2(d, 0, 0, 3, 0));
    EXPECT(cuMemsetD2D32_v2(d, 0, 0, 1, (size_t)-1) == INVALID_VALUE); /* rows over each other */
    EXPECT(cuMemsetD2D32_v2(d, (size_t)1 << 63, 0, 3, 3) == INVALID_VALUE); /* row 2 is row 0 */
    EXPECT(cuMemsetD2D32_v2(d, pitch, 0, (size_t)1 << 62, 1) == INVALID_VALUE);
    EXPECT(cuMemsetD2D8Async(d, pitch, 9, 4, 3, stream) == INVALID_VALUE);
    OK(cuMemcpyDtoH_v2(h, d + pitch, sizeof h)); /* a part of it was not done */
    EXPECT(h[0] == 0x09090909);
}

static void pointers(CUcontext ctx, CUdeviceptr d, size_t bytes)
{
    CUdeviceptr managed;
    unsigned type;
    CUcontext of;
    uint64_t start, size;
    OK(cuPointerGetAttribute(&type, 2, d));
    EXPECT(type == 2);
    OK(cuPointerGetAttribute(&of, 1, d));
    EXPECT(of == ctx);
    OK(cuPointerGetAttribute(&start, 11, d + 8));
    OK(cuPointerGetAttribute(&size, 12, d + 8));
    EXPECT(start == d && size == bytes);
    EXPECT(cuPointerGetAttribute(&start, 4, d) == INVALID_VALUE); /* no host pointer */
    EXPECT(cuPointerGetAttribute(&type, 2, 16) == INVALID_VALUE);
    OK(cuMemAllocManaged(&managed, 64, 1));
    OK(cuPointerGetAttribute(&type, 8, managed));
    EXPECT(type == 1);
}

static void launch(CUmodule m, CUstream stream, CUdeviceptr d)
{
    float h[100], by = 3, ms;
    int n = 100, value;
    const char *name;
    CUmodule of;
    CUfunction f;
    CUevent start, end;
    struct attribute cooperative = {2, "", {1}};
    struct config c = {{2, 1, 1}, {64, 1, 1}, 0, stream, &cooperative, 0};
    void *args[] = {&d, &by, &n};
    for (int i = 0; i < n; i++)
        h[i] = (float)i;
    OK(cuModuleGetFunction(&f, m, "scale"));
    OK(cuFuncGetModule(&of, f));
    OK(cuFuncGetName(&name, f));
    EXPECT(of == m && name[0] == 's');
    OK(cuFuncSetCacheConfig(f, 1));
    OK(cuFuncGetAttribute(&value, 6, f)); /* binary version */
    EXPECT(value >= 50);
    OK(cuMemcpyHtoD_v2(d, h, sizeof h));
    OK(cuEventCreate(&start, 0));
    OK(cuEventCreate(&end, 0));
    OK(cuEventRecordWithFlags(start, stream, 0));
    OK(cuLaunchKernelEx(&c, f, args, NULL));
    OK(cuEventRecordWithFlags(end, stream, 0));
    OK(cuEventElapsedTime_v2(&ms, start, end));
    EXPECT(ms > 0);
    OK(cuMemcpyDtoH_v2(h, d, sizeof h));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == 3.0f * (float)i);
    c.n = 1;
    OK(cuLaunchKernelEx(&c, f, args, NULL));
}

/* What is set is read: of the default stream, too, and of another that gets it. */
static void attributes(CUstream s)
{
    enum { WINDOW = 1, POLICY = 3, PRIORITY = 8, DOMAINS = 9, DOMAIN = 10, SPIN = 2 };
    struct {
        void *base;
        size_t bytes;
        float ratio;
        int hit, miss;
    } window = {&window, 4096, 0.5f, 2, 1}, read = {NULL, 0, 0, 0, 0};
    unsigned char domains[2] = {9, 9};
    int policy = 0, spin = SPIN, one = 1, high = -2, is;
    CUstream other;
    OK(cuStreamGetAttribute(s, POLICY, &policy) | cuStreamGetAttribute(s, WINDOW, &read));
    OK(cuStreamGetAttribute(s, DOMAINS, domains));
    EXPECT(policy == 1 && read.bytes == 0 && domains[0] == 0 && domains[1] == 1);
    OK(cuStreamSetAttribute(s, WINDOW, &window) | cuStreamSetAttribute(s, PRIORITY, &high));
    OK(cuStreamSetAttribute(s, DOMAIN, &one) | cuStreamSetAttribute(NULL, POLICY, &spin));
    OK(cuStreamCreate(&other, 0) | cuStreamCopyAttributes(other, s));
    OK(cuStreamGetAttribute(other, WINDOW, &read) | cuStreamGetAttribute(other, DOMAIN, &is));
    EXPECT(read.base == &window && read.bytes == 4096 && read.ratio == 0.5f && read.hit == 2);
    EXPECT(read.miss == 1 && is == 1);
    OK(cuStreamGetPriority(other, &is) | cuStreamGetAttribute(other, POLICY, &policy));
    EXPECT(is == high && policy == 1);
    OK(cuStreamGetAttribute(NULL, POLICY, &policy));
    OK(cuStreamGetAttribute_ptsz(NULL, POLICY, &is)); /* the thread's */
    EXPECT(policy == SPIN && is == 1);
    EXPECT(cuStreamSetAttribute(s, 2, &one) == INVALID_VALUE);
    EXPECT(cuStreamGetAttribute(s, POLICY, NULL) == INVALID_VALUE);
    OK(cuStreamDestroy_v2(other));
}

/* As before CUDA 4.0: what a launch takes is set at the function, and stays. */
static void old_launch(CUmodule m, CUstream stream, CUdeviceptr d)
{
    float h[100], is[100];
    CUfunction f, by_default;
    for (int i = 0; i < 100; i++)
        h[i] = (float)i;
    OK(cuMemcpyHtoD_v2(d, h, sizeof h));
    OK(cuModuleGetFunction(&f, m, "scale"));
    OK(cuModuleGetFunction(&by_default, m, "spin"));
    EXPECT(cuLaunchGrid(f, 2, 1) == INVALID_VALUE); /* nothing is set */
    EXPECT(cuFuncSetBlockShape(f, 0, 1, 1) == INVALID_VALUE);
    EXPECT(cuFuncSetBlockShape(f, 2048, 1, 1) == INVALID_VALUE);
    OK(cuFuncSetBlockShape(f, 64, 1, 1) | cuFuncSetSharedSize(f, 64));
    EXPECT(cuParamSetv(f, -8, &d, 8) == INVALID_VALUE); /* 16 bytes in all */
    EXPECT(cuParamSetv(f, 9, &d, 8) == INVALID_VALUE);
    OK(cuParamSetv(f, 0, &d, sizeof d) | cuParamSetf(f, 8, 3) | cuParamSeti(f, 12, 100));
    EXPECT(cuLaunchGrid(f, 2, 1) == INVALID_VALUE); /* of no bytes yet */
    OK(cuParamSetSize(f, 16));
    EXPECT(cuLaunchGrid(f, 0, 1) == INVALID_VALUE);
    OK(cuLaunchGrid(f, 2, 1));
    OK(cuParamSetf(f, 8, 2) | cuLaunchGridAsync(f, 2, 1, stream)); /* all else as it was */
    OK(cuMemcpyDtoH_v2(is, d, sizeof is));
    for (int i = 0; i < 100; i++)
        EXPECT(is[i] == 6.0f * (float)i);
    OK(cuParamSeti(f, 12, 10) | cuLaunch(f)); /* one CTA */
    OK(cuMemcpyDtoH_v2(is, d, sizeof is));
    for (int i = 0; i < 100; i++)
        EXPECT(is[i] == (i < 10 ? 12.0f : 6.0f) * (float)i);
    EXPECT(cuLaunch(by_default) == INVALID_VALUE); /* no block */
}

/* Hardware tells of a fault after the launch: what follows fails with it. */
static void fault(CUmodule m)
{
    CUdeviceptr nowhere = 64;
    CUfunction f;
    void *args[] = {&nowhere};
    OK(cuModuleGetFunction(&f, m, "poke"));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    EXPECT(cuCtxSynchronize() == ILLEGAL_ADDRESS);
    EXPECT(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL) == ILLEGAL_ADDRESS);
}

int main(int argc, char **argv)
{
    char bus[20];
    unsigned char uuid[16];
    unsigned flags;
    unsigned long long one, other;
    size_t bytes;
    CUdevice dev;
    CUcontext ctx, of;
    CUmodule m;
    CUstream stream, second;
    CUdeviceptr d;
    OK(cuInit(0));
    OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
    OK(cuDeviceGetByPCIBusId(&dev, bus));
    EXPECT(dev == 0);
    OK(cuDeviceGetUuid_v2(uuid, dev));
    OK(cuCtxCreate_v2(&ctx, 0, dev));
    OK(cuCtxGetFlags(&flags));
    OK(cuCtxSetLimit(2, 16 << 20)); /* heap of malloc() in kernels */
    OK(cuCtxGetLimit(&bytes, 2));
    EXPECT(bytes == 16 << 20);
    OK(cuStreamCreate(&stream, 1));
    OK(cuStreamCreate(&second, 1));
    OK(cuStreamGetCtx(stream, &of));
    EXPECT(of == ctx);
    OK(cuStreamGetId(stream, &one));
    OK(cuStreamGetId(second, &other));
    EXPECT(one != other);
    OK(cuModuleLoad(&m, argv[argc - 1]));
    OK(cuMemAllocAsync(&d, 400, stream));
    pointers(ctx, d, 400);
    rows(stream);
    launch(m, stream, d);
    old_launch(m, stream, d);
    attributes(stream);
    OK(cuMemFreeAsync(d, stream));
    fault(m);
    OK(cuDevicePrimaryCtxReset_v2(dev));
    puts("passed");
    return 0;
}
