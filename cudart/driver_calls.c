/* driver_calls.c -- driver functions that say in the driver's words what the runtime has: device
 * and context queries, limits, pools, streams; hints; and those of cudart's that take a CUfunction.
 */
#include <dlfcn.h>
#include <string.h>

#include "cudart/rt.h"
#include "program/elf.h"

#define DRIVER(name, ...)                                                    \
    __attribute__((visibility("default"), used)) CUresult name(__VA_ARGS__); \
    CUresult name(__VA_ARGS__)

/* The same as the runtime's function, whose errors have the same numbers. */
#define AS_RUNTIME(name, runtime, parameters, arguments) \
    cudaError_t rt_##runtime parameters;                 \
    DRIVER(name, PARAMETERS parameters)                  \
    {                                                    \
        return (CUresult)rt_##runtime arguments;         \
    }
#define PARAMETERS(...) __VA_ARGS__

/* -- device and context */

AS_RUNTIME(cuDeviceGetPCIBusId, cudaDeviceGetPCIBusId, (char *text, int room, int device),
           (text, room, device))
AS_RUNTIME(cuDeviceGetByPCIBusId, cudaDeviceGetByPCIBusId, (int *device, const char *text),
           (device, text))
AS_RUNTIME(cuDeviceGetP2PAttribute, cudaDeviceGetP2PAttribute,
           (int *value, int attribute, int device, int peer), (value, attribute, device, peer))
AS_RUNTIME(cuDeviceCanAccessPeer, cudaDeviceCanAccessPeer, (int *can, int device, int peer),
           (can, device, peer))
AS_RUNTIME(cuCtxGetLimit, cudaDeviceGetLimit, (size_t * value, int limit), (value, limit))
AS_RUNTIME(cuCtxSetLimit, cudaDeviceSetLimit, (int limit, size_t value), (limit, value))
AS_RUNTIME(cuCtxGetStreamPriorityRange, cudaDeviceGetStreamPriorityRange,
           (int *least, int *greatest), (least, greatest))
AS_RUNTIME(cuCtxGetCacheConfig, cudaDeviceGetCacheConfig, (int *config), (config))
AS_RUNTIME(cuCtxSetCacheConfig, cudaDeviceSetCacheConfig, (int config), (config))
AS_RUNTIME(cuProfilerStart, cudaProfilerStart, (void), ())
AS_RUNTIME(cuProfilerStop, cudaProfilerStart, (void), ())

/* As cudaDeviceProp has it. */
DRIVER(cuDeviceGetUuid_v2, unsigned char *uuid, CUdevice device)
{
    SESSION_CALL();
    const CUresult r = session_ready();
    if (r != CUDA_SUCCESS)
        return r;
    if (!uuid || !session_is_device(device))
        return uuid ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    memset(uuid, 0, 16);
    uuid[15] = (unsigned char)device;
    return CUDA_SUCCESS;
}

DRIVER(cuDeviceGetUuid, unsigned char *uuid, CUdevice device)
{
    return cuDeviceGetUuid_v2(uuid, device);
}

DRIVER(cuDevicePrimaryCtxReset_v2, CUdevice device)
{
    SESSION_CALL();
    CUcontext primary;
    CUresult r = (CUresult)rt_primary(device, false, &primary);
    if (r != CUDA_SUCCESS || !primary)
        return r;
    rt_forget_modules(device);
    return cuCtxDestroy(primary);
}

static CUresult give(unsigned *to, unsigned value)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS && !to)
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *to = value;
    return r;
}

DRIVER(cuCtxGetFlags, unsigned *flags)
{
    return give(flags, 0);
}

DRIVER(cuCtxGetSharedMemConfig, unsigned *config)
{
    return give(config, 1); /* banks of 4 bytes */
}

DRIVER(cuCtxGetApiVersion, CUcontext ctx, unsigned *version)
{
    (void)ctx;
    return give(version, 3020); /* what every driver since CUDA 3.2 says */
}

/* -- hints, of which nothing depends: the context has to be there */

#define HINT(name, ...)               \
    DRIVER(name, __VA_ARGS__)         \
    {                                 \
        SESSION_CALL();               \
        CUcontext ctx;                \
        return session_context(&ctx); \
    }
#define UNUSED __attribute__((unused))

struct location {
    int type, id;
};
HINT(cuCtxSetSharedMemConfig, UNUSED int config)
HINT(cuFuncSetCacheConfig, UNUSED CUfunction f, UNUSED int config)
HINT(cuFuncSetSharedMemConfig, UNUSED CUfunction f, UNUSED int config)
HINT(cuMemAdvise, UNUSED CUdeviceptr p, UNUSED size_t bytes, UNUSED int advice, UNUSED CUdevice d)
HINT(cuMemAdvise_v2, UNUSED CUdeviceptr p, UNUSED size_t bytes, UNUSED int advice,
     UNUSED struct location where)
HINT(cuMemPrefetchAsync, UNUSED CUdeviceptr p, UNUSED size_t bytes, UNUSED CUdevice d,
     UNUSED CUstream stream)
HINT(cuMemPrefetchAsync_v2, UNUSED CUdeviceptr p, UNUSED size_t bytes, UNUSED struct location where,
     UNUSED unsigned flags, UNUSED CUstream stream)
HINT(cuStreamAttachMemAsync, UNUSED CUstream stream, UNUSED CUdeviceptr p, UNUSED size_t bytes,
     UNUSED unsigned flags)

/* -- memory */

typedef struct rt_pool *CUmemoryPool;
AS_RUNTIME(cuMemAllocAsync, cudaMallocAsync, (void **p, size_t bytes, CUstream stream),
           (p, bytes, stream))
AS_RUNTIME(cuMemFreeAsync, cudaFreeAsync, (void *p, CUstream stream), (p, stream))
AS_RUNTIME(cuMemAllocFromPoolAsync, cudaMallocFromPoolAsync,
           (void **p, size_t bytes, CUmemoryPool pool, CUstream stream), (p, bytes, pool, stream))
AS_RUNTIME(cuDeviceGetDefaultMemPool, cudaDeviceGetDefaultMemPool,
           (CUmemoryPool * pool, int device), (pool, device))
AS_RUNTIME(cuMemPoolCreate, cudaMemPoolCreate, (CUmemoryPool * pool, const void *properties),
           (pool, properties))
AS_RUNTIME(cuMemPoolDestroy, cudaMemPoolDestroy, (CUmemoryPool pool), (pool))
AS_RUNTIME(cuMemPoolSetAttribute, cudaMemPoolSetAttribute,
           (CUmemoryPool pool, int attribute, void *value), (pool, attribute, value))
AS_RUNTIME(cuMemPoolGetAttribute, cudaMemPoolGetAttribute,
           (CUmemoryPool pool, int attribute, void *value), (pool, attribute, value))
AS_RUNTIME(cuDeviceGetMemPool, cudaDeviceGetMemPool, (CUmemoryPool * pool, int device),
           (pool, device))
AS_RUNTIME(cuDeviceSetMemPool, cudaDeviceSetMemPool, (int device, CUmemoryPool pool),
           (device, pool))
AS_RUNTIME(cuMemGetDefaultMemPool, cudaMemGetDefaultMemPool,
           (CUmemoryPool * pool, const void *where, int type), (pool, where, type))
AS_RUNTIME(cuMemGetMemPool, cudaMemGetMemPool, (CUmemoryPool * pool, const void *where, int type),
           (pool, where, type))
AS_RUNTIME(cuMemSetMemPool, cudaMemSetMemPool, (const void *where, int type, CUmemoryPool pool),
           (where, type, pool))
AS_RUNTIME(cuMemPoolSetAccess, cudaMemPoolSetAccess, (CUmemoryPool pool, const void *who, size_t n),
           (pool, who, n))
AS_RUNTIME(cuMemPoolGetAccess, cudaMemPoolGetAccess,
           (int *flags, CUmemoryPool pool, const void *who), (flags, pool, who))
AS_RUNTIME(cuMemPoolTrimTo, cudaMemPoolTrimTo, (CUmemoryPool pool, size_t keep), (pool, keep))
AS_RUNTIME(cuMemHostGetFlags, cudaHostGetFlags, (unsigned *flags, void *p), (flags, p))

/* Rows of n elements of so many bytes; CUDA_SUCCESS: there are rows to fill. */
static CUresult rows_ok(CUdeviceptr at, size_t pitch, size_t bytes, size_t n, size_t height)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    const size_t none[3] = {0};
    size_t width;
    if (r != CUDA_SUCCESS)
        return r;
    if (__builtin_mul_overflow(bytes, n, &width) || (height > 1 && pitch < width) ||
        !session_box_fits(pitch, height, none, (size_t[]){width, height, 1}))
        return CUDA_ERROR_INVALID_VALUE;
    return width && height &&
                   !devmem_find(context_mem(ctx->context), at, (height - 1) * pitch + width)
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

#define MEMSET_2D(name, later, type, row)                                                \
    DRIVER(name, CUdeviceptr at, size_t pitch, type value, size_t width, size_t height)  \
    {                                                                                    \
        SESSION_CALL();                                                                  \
        CUresult r = rows_ok(at, pitch, sizeof value, width, height);                    \
        for (size_t y = 0; width && y < height && r == CUDA_SUCCESS; y++)                \
            r = row(at + y * pitch, value, width);                                       \
        return r;                                                                        \
    }                                                                                    \
    DRIVER(later, CUdeviceptr at, size_t pitch, type value, size_t width, size_t height, \
           CUstream stream)                                                              \
    {                                                                                    \
        SESSION_CALL();                                                                  \
        CUresult r = session_own_stream(stream);                                         \
        if (r == CUDA_SUCCESS)                                                           \
            r = rows_ok(at, pitch, sizeof value, width, height);                         \
        for (size_t y = 0; width && y < height && r == CUDA_SUCCESS; y++)                \
            r = row##Async(at + y * pitch, value, width, stream);                        \
        return r;                                                                        \
    }
MEMSET_2D(cuMemsetD2D8_v2, cuMemsetD2D8Async, unsigned char, cuMemsetD8)
MEMSET_2D(cuMemsetD2D16_v2, cuMemsetD2D16Async, unsigned short, cuMemsetD16)
MEMSET_2D(cuMemsetD2D32_v2, cuMemsetD2D32Async, unsigned, cuMemsetD32)

enum { /* CUpointer_attribute */
       POINTER_CONTEXT = 1,
       POINTER_MEMORY_TYPE,
       POINTER_DEVICE,
       POINTER_HOST,
       POINTER_IS_MANAGED = 8,
       POINTER_DEVICE_ORDINAL,
       POINTER_RANGE_START = 11,
       POINTER_RANGE_SIZE
};

static int device_of(CUcontext ctx, CUdeviceptr p)
{
    const int device = devmem_device_of(context_mem(ctx->context), (addr_t)p);
    return device < 0 ? ctx->device : device;
}

DRIVER(cuPointerGetAttribute, void *to, int attribute, CUdeviceptr p)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    const struct alloc *al = devmem_find(context_mem(ctx->context), (addr_t)p, 1);
    if (!to || !al || (attribute == POINTER_HOST && !alloc_is_hosts(al)))
        return CUDA_ERROR_INVALID_VALUE;
    const uint64_t start = al->base, bytes = al->bytes;
    switch (attribute) {
    case POINTER_CONTEXT:
        if (!alloc_is_hosts(al) && device_of(ctx, p) != ctx->device)
            rt_primary(device_of(ctx, p), false, &ctx);
        memcpy(to, &ctx, sizeof ctx);
        return CUDA_SUCCESS;
    case POINTER_MEMORY_TYPE:
        *(unsigned *)to = alloc_is_hosts(al) ? 1 : 2; /* host, device */
        return CUDA_SUCCESS;
    case POINTER_DEVICE:
    case POINTER_HOST:
        memcpy(to, &p, sizeof p);
        return CUDA_SUCCESS;
    case POINTER_IS_MANAGED:
        *(unsigned *)to = al->borrowed && strncmp(al->name, "managed", 7) == 0;
        return CUDA_SUCCESS;
    case POINTER_DEVICE_ORDINAL:
        *(int *)to = alloc_is_hosts(al) ? ctx->device : device_of(ctx, p);
        return CUDA_SUCCESS;
    case POINTER_RANGE_START:
        memcpy(to, &start, sizeof start);
        return CUDA_SUCCESS;
    case POINTER_RANGE_SIZE:
        memcpy(to, &bytes, sizeof bytes);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* -- streams and events */

DRIVER(cuStreamGetCtx, CUstream stream, CUcontext *ctx)
{
    SESSION_CALL();
    CUresult r = session_own_stream(stream);
    return r == CUDA_SUCCESS ? cuCtxGetCurrent(ctx) : r;
}

DRIVER(cuStreamGetCtx_v2, CUstream stream, CUcontext *ctx, void **green)
{
    if (green)
        *green = NULL; /* there are no green contexts */
    return cuStreamGetCtx(stream, ctx);
}

AS_RUNTIME(cuStreamGetId, cudaStreamGetId, (CUstream stream, unsigned long long *id), (stream, id))
AS_RUNTIME(cuStreamGetDevice, cudaStreamGetDevice, (CUstream stream, int *device), (stream, device))

DRIVER(cuEventRecordWithFlags, CUevent event, CUstream stream, unsigned flags)
{
    (void)flags;
    return cuEventRecord(event, stream);
}

DRIVER(cuEventElapsedTime_v2, float *ms, CUevent start, CUevent end)
{
    return cuEventElapsedTime(ms, start, end);
}

/* -- functions */

DRIVER(cuFuncGetModule, CUmodule *module, CUfunction f)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_function(ctx, &f);
    if (r == CUDA_SUCCESS && !module)
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *module = f->module;
    return r;
}

DRIVER(cuFuncGetName, const char **name, CUfunction f)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = name ? session_context(&ctx) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        r = session_function(ctx, &f);
    if (r == CUDA_SUCCESS)
        *name = f->kernel->name;
    return r;
}

/* Every function is loaded with its module. */
DRIVER(cuFuncIsLoaded, int *state, CUfunction f)
{
    CUmodule module;
    CUresult r = state ? cuFuncGetModule(&module, f) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *state = 1; /* CU_FUNCTION_LOADING_STATE_LOADED */
    return r;
}

DRIVER(cuFuncLoad, CUfunction f)
{
    CUmodule module;
    return cuFuncGetModule(&module, f);
}

DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *ctas, CUfunction f, int threads,
       size_t shared, unsigned flags)
{
    if (flags > 1)
        return CUDA_ERROR_INVALID_VALUE;
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(ctas, f, threads, shared);
}

struct launch_config { /* CUlaunchConfig */
    unsigned grid[3], block[3], shared;
    CUstream stream;
    struct cudaLaunchAttribute *attrs;
    unsigned nattrs;
};

static struct graph_launch as_launch(const struct launch_config *c, CUfunction f)
{
    struct graph_launch l = {.f = f, .shared = c->shared, .handle = f};
    rt_attributes(c->attrs, c->nattrs, &l);
    memcpy(l.grid, c->grid, sizeof l.grid);
    memcpy(l.block, c->block, sizeof l.block);
    return l;
}

DRIVER(cuLaunchKernelEx, const struct launch_config *c, CUfunction f, void **params, void **extra)
{
    SESSION_CALL();
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    struct graph_launch l = as_launch(c, f);
    l.params = params;
    l.extra = extra;
    return session_launch(&l, c->stream);
}

DRIVER(cuOccupancyMaxActiveClusters, int *clusters, CUfunction f, const struct launch_config *c)
{
    SESSION_CALL();
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const struct graph_launch l = as_launch(c, f);
    return session_active_clusters(&l, clusters);
}

DRIVER(cuOccupancyMaxPotentialClusterSize, int *size, CUfunction f, const struct launch_config *c)
{
    SESSION_CALL();
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    const struct graph_launch l = as_launch(c, f);
    return session_potential_cluster(&l, size);
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Private tables of NVIDIA's driver. Its compilers (nvrtc) do without them; other libraries of its
 * don't, and their kernels hold no PTX anyway: who asks is named, not the function. So does the
 * static runtime in a library of the user's. */
DRIVER(cuGetExportTable, const void **table, const void *id)
{
    Dl_info who = {0};
    (void)id;
    if (table)
        *table = NULL;
    dladdr(__builtin_return_address(0), &who);
    struct err e;
    const char *file = who.dli_fname ? who.dli_fname : "the program", *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    bool nvidias = begins(name, "libcu") || begins(name, "libnv") || begins(name, "libnpp");
    if (!nvidias && !program_check(file, &e))
        rt_say("%s", e.msg);
    else if (!nvidias && program_has_runtime(file))
        rt_say("%s was loaded after the program had started, with a CUDA runtime of its own, which "
               "cannot be replaced then: build it with nvcc -cudart shared",
               name);
    else if (!strstr(name, "nvrtc") && !strstr(name, "nvJitLink"))
        rt_say("%s asks for what only NVIDIA's own driver has; the kernels of its libraries are "
               "machine code, which is not simulated",
               name);
    return CUDA_ERROR_NOT_FOUND;
}
