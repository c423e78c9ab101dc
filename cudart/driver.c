/* driver.c -- driver functions that make sense only where one device serves a whole process: the
 * primary context, stacks of contexts, versions, addresses of functions. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cudart/props.h"
#include "cudart/rt.h"

#define EXPORT  __attribute__((visibility("default"), used))
#define VERSION 13000

#define DRIVER(name, ...)              \
    EXPORT CUresult name(__VA_ARGS__); \
    CUresult name(__VA_ARGS__)

static CUresult device_ok(CUdevice device)
{
    SESSION_CALL();
    const CUresult r = session_ready();
    return r != CUDA_SUCCESS || session_is_device(device) ? r : CUDA_ERROR_INVALID_DEVICE;
}

DRIVER(cuDriverGetVersion, int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = VERSION;
    return CUDA_SUCCESS;
}

/* The program's own contexts are as many as it likes; parameters ask for what there is not. */
DRIVER(cuCtxCreate_v4, CUcontext *ctx, void *parameters, unsigned flags, CUdevice device)
{
    (void)parameters;
    SESSION_CALL();
    return cuCtxCreate(ctx, flags, device);
}

DRIVER(cuCtxCreate_v3, CUcontext *ctx, void *parameters, int n, unsigned flags, CUdevice device)
{
    (void)parameters, (void)n;
    SESSION_CALL();
    return cuCtxCreate(ctx, flags, device);
}

DRIVER(cuCtxPushCurrent_v2, CUcontext ctx)
{
    SESSION_CALL();
    CUcontext before;
    CUresult r = cuCtxGetCurrent(&before);
    if (r != CUDA_SUCCESS)
        return r;
    if (!session_push_context(before))
        return CUDA_ERROR_INVALID_VALUE;
    r = ctx ? cuCtxSetCurrent(ctx) : CUDA_ERROR_INVALID_CONTEXT;
    if (r != CUDA_SUCCESS)
        session_pop_context();
    return r;
}

DRIVER(cuCtxPopCurrent_v2, CUcontext *ctx)
{
    SESSION_CALL();
    CUcontext now;
    CUresult r = cuCtxGetCurrent(&now);
    if (r == CUDA_SUCCESS && !now)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (r == CUDA_SUCCESS && ctx)
        *ctx = now;
    if (r == CUDA_SUCCESS)
        session_pop_context();
    return r;
}

DRIVER(cuCtxGetDevice, CUdevice *device)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS && device)
        *device = ctx->device;
    return device ? r : CUDA_ERROR_INVALID_VALUE;
}

/* The primary context is the one that the runtime uses; retained, it is not yet current. */
DRIVER(cuDevicePrimaryCtxRetain, CUcontext *ctx, CUdevice device)
{
    SESSION_CALL();
    CUcontext primary = NULL;
    CUresult r = (CUresult)rt_primary(device, true, &primary);
    if (r == CUDA_SUCCESS && ctx)
        *ctx = primary;
    return r;
}

DRIVER(cuDevicePrimaryCtxRelease_v2, CUdevice device)
{
    return device_ok(device);
}

DRIVER(cuDevicePrimaryCtxSetFlags_v2, CUdevice device, unsigned flags)
{
    (void)flags;
    return device_ok(device);
}

DRIVER(cuDevicePrimaryCtxGetState, CUdevice device, unsigned *flags, int *active)
{
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    SESSION_CALL();
    CUcontext primary;
    *flags = 0;
    *active = rt_primary(device, false, &primary) == cudaSuccess && primary;
    return device_ok(device);
}

DRIVER(cuDeviceComputeCapability, int *major, int *minor, CUdevice device)
{
    SESSION_CALL();
    if (!major || !minor)
        return CUDA_ERROR_INVALID_VALUE;
    *major = (int)rt_compute_capability() / 10;
    *minor = (int)rt_compute_capability() % 10;
    return device_ok(device);
}

typedef size_t shared_of_block(int threads);

/* The block with the most resident threads; of equals the largest. */
DRIVER(cuOccupancyMaxPotentialBlockSize, int *grid, int *block, CUfunction f,
       shared_of_block *shared_of, size_t shared, int limit)
{
    SESSION_CALL();
    int best = 0, most = 0;
    if (!grid || !block)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f);
    if (r != CUDA_SUCCESS)
        return r;
    if (limit > 0 && limit < most)
        most = limit;
    for (int threads = most; threads > 0; threads = (threads - 1) / WARP_SIZE * WARP_SIZE) {
        int n = 0;
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, threads,
                                                    shared_of ? shared_of(threads) : shared);
        if (n * threads <= best)
            continue;
        best = n * threads;
        *block = threads;
        *grid = n * rt_gpu()->top.cores;
    }
    return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The function that headers of that version mean by the name: its newest form there. */
static void *address_of(const char *name, int version)
{
    char full[128];
    static const char *const newest[] = {"_v4", "_v3", "_v2", ""};
    for (size_t i = version >= 13000 ? 0 : 2; i < 4; i++) {
        snprintf(full, sizeof full, "%s%s", name, newest[i]);
        void *at = dlsym(RTLD_DEFAULT, full);
        if (at)
            return at;
    }
    return NULL;
}

DRIVER(cuGetProcAddress, const char *name, void **at, int version, uint64_t flags)
{
    (void)flags;
    if (!name || !at)
        return CUDA_ERROR_INVALID_VALUE;
    *at = address_of(name, version);
    return *at ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

DRIVER(cuGetProcAddress_v2, const char *name, void **at, int version, uint64_t flags, int *status)
{
    CUresult r = cuGetProcAddress(name, at, version, flags);
    if (status)
        *status = r == CUDA_SUCCESS ? 0 : 1; /* found, or no such symbol */
    return r;
}

static CUresult entry_point(const char *name, void **at, int version, int *status)
{
    return cuGetProcAddress_v2(name, at, version, 0, status);
}

CUDART(cudaGetDriverEntryPoint, const char *name, void **at, unsigned long long flags, int *status)
{
    (void)flags;
    CUresult r = entry_point(name, at, VERSION, status);
    return r == CUDA_ERROR_NOT_FOUND ? cudaSuccess : rt(r); /* status tells */
}
CUDART_ALIAS(cudaGetDriverEntryPoint, cudaGetDriverEntryPoint_ptsz);

CUDART(cudaGetDriverEntryPointByVersion, const char *name, void **at, unsigned version,
       unsigned long long flags, int *status)
{
    (void)flags;
    CUresult r = entry_point(name, at, (int)version, status);
    return r == CUDA_ERROR_NOT_FOUND ? cudaSuccess : rt(r);
}
CUDART_ALIAS(cudaGetDriverEntryPointByVersion, cudaGetDriverEntryPointByVersion_ptsz);
