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

/* Since 13.0: of a context that is named. */
DRIVER(cuCtxGetDevice_v2, CUdevice *device, CUcontext ctx)
{
    SESSION_CALL();
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ctx)
        return cuCtxGetDevice(device);
    if (!session_has_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    *device = ctx->device;
    return CUDA_SUCCESS;
}

DRIVER(cuCtxSynchronize_v2, CUcontext ctx)
{
    SESSION_CALL();
    if (ctx && !session_has_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    return cuCtxSynchronize(); /* which waits for all */
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

/* Forms of a function that came after CUDA 4.0, and with which version (cudaTypedefs.h). */
static const struct {
    const char *name;
    int since;
} later[] = {
    {"cuCtxCreate_v3", 11040},
    {"cuCtxCreate_v4", 12050},
    {"cuCtxGetDevice_v2", 13000},
    {"cuCtxSynchronize_v2", 13000},
    {"cuDeviceGetUuid_v2", 11040},
    {"cuEventElapsedTime_v2", 12080},
    {"cuGetProcAddress_v2", 12000},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphAddKernelNode_v2", 12000},
    {"cuGraphAddNode_v2", 12030},
    {"cuGraphExecKernelNodeSetParams_v2", 12000},
    {"cuGraphExecUpdate_v2", 12000},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphKernelNodeGetParams_v2", 12000},
    {"cuGraphKernelNodeSetParams_v2", 12000},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuMemAdvise_v2", 12020},
    {"cuMemPrefetchAsync_v2", 12020},
    {"cuMemcpy3DBatchAsync_v2", 13000},
    {"cuMemcpyBatchAsync_v2", 13000},
    {"cuStreamBatchMemOp_v2", 11070},
    {"cuStreamBeginCapture_v2", 10010},
    {"cuStreamGetCaptureInfo_v2", 11030},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCtx_v2", 12050},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
    {"cuStreamWaitValue32_v2", 11070},
    {"cuStreamWaitValue64_v2", 11070},
    {"cuStreamWriteValue32_v2", 11070},
    {"cuStreamWriteValue64_v2", 11070},
};

static bool has_come(const char *name, int version)
{
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strcmp(later[i].name, name) == 0)
            return version >= later[i].since;
    return true;
}

/* The function that headers of that version mean by the name: its newest form there; per_thread:
 * for per-thread default streams, if it has such a form. */
static void *address_of(const char *name, int version, bool per_thread)
{
    char full[128], own[sizeof full + 8];
    static const char *const newest[] = {"_v4", "_v3", "_v2", ""}, *const streams[] = {"_ptsz",
                                                                                       "_ptds", ""};
    for (size_t i = 0; i < 4; i++) {
        snprintf(full, sizeof full, "%s%s", name, newest[i]);
        for (size_t k = per_thread ? 0 : 2; k < 3 && has_come(full, version); k++) {
            snprintf(own, sizeof own, "%s%s", full, streams[k]);
            void *at = dlsym(RTLD_DEFAULT, own);
            if (at)
                return at;
        }
    }
    return NULL;
}

#define PER_THREAD 2u /* CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, cudaEnablePerThread... */

DRIVER(cuGetProcAddress, const char *name, void **at, int version, uint64_t flags)
{
    if (!name || !at)
        return CUDA_ERROR_INVALID_VALUE;
    *at = address_of(name, version, flags & PER_THREAD);
    return *at ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

DRIVER(cuGetProcAddress_v2, const char *name, void **at, int version, uint64_t flags, int *status)
{
    CUresult r = cuGetProcAddress(name, at, version, flags);
    if (status)
        *status = r == CUDA_SUCCESS ? 0 : 1; /* found, or no such symbol */
    return r;
}

/* The runtime's forms; own(): of code for per-thread default streams, unless flags say otherwise.
 */
static cudaError_t entry_point(const char *name, void **at, int version, unsigned long long flags,
                               int *status)
{
    const CUresult r = cuGetProcAddress_v2(name, at, version, flags, status);
    return r == CUDA_ERROR_NOT_FOUND ? cudaSuccess : rt(r); /* status tells */
}

static unsigned long long own(unsigned long long flags)
{
    return flags ? flags : PER_THREAD;
}

typedef unsigned long long flags_t;
CUDART(cudaGetDriverEntryPoint, const char *name, void **at, flags_t flags, int *status)
{
    return entry_point(name, at, VERSION, flags, status);
}

CUDART(cudaGetDriverEntryPoint_ptsz, const char *name, void **at, flags_t flags, int *status)
{
    return entry_point(name, at, VERSION, own(flags), status);
}

CUDART(cudaGetDriverEntryPointByVersion, const char *name, void **at, unsigned version,
       flags_t flags, int *status)
{
    return entry_point(name, at, (int)version, flags, status);
}

CUDART(cudaGetDriverEntryPointByVersion_ptsz, const char *name, void **at, unsigned version,
       flags_t flags, int *status)
{
    return entry_point(name, at, (int)version, own(flags), status);
}
