/* driver_per_thread.c -- the driver API's names for code that is compiled for per-thread default
 * streams (CUDA_API_PER_THREAD_DEFAULT_STREAM): _ptsz where the function has a stream, _ptds where
 * it has none. What the others do in the legacy stream, these do in the calling thread's own. */
#include "cudart/rt.h"
#include "sim/frontend/cuda_array.h"

#define EXPORTED(name, ...)                                                  \
    __attribute__((visibility("default"), used)) CUresult name(__VA_ARGS__); \
    CUresult name(__VA_ARGS__)
#define PARAMETERS(...) __VA_ARGS__

/* A function of a stream. */
#define OF_STREAM(name, params, args)        \
    CUresult name params;                    \
    EXPORTED(name##_ptsz, PARAMETERS params) \
    {                                        \
        return name args;                    \
    }
#define own rt_own_stream

/* The thread's stream has done what it has; what follows is its work. */
static CUresult begin(CUstream *stream, struct pending_work *before)
{
    CUresult r = session_thread_stream(stream);
    if (r != CUDA_SUCCESS || graph_forbidden(*stream, &r))
        return r;
    pending_settle(session_current(), *stream);
    *before = pending_work_begin(*stream);
    return CUDA_SUCCESS;
}

static void end(CUstream stream, struct pending_work before)
{
    pending_work_end(before);
    if (session_current())
        pending_settle(session_current(), stream);
}

/* A function that waits for its work. */
#define WAITING(name, params, args)           \
    CUresult name params;                     \
    EXPORTED(name##_ptds, PARAMETERS params)  \
    {                                         \
        SESSION_CALL();                       \
        CUstream stream;                      \
        struct pending_work before;           \
        CUresult r = begin(&stream, &before); \
        if (r != CUDA_SUCCESS)                \
            return r;                         \
        r = name args;                        \
        end(stream, before);                  \
        return r;                             \
    }

/* -- launches, graphs, functions of the host */

OF_STREAM(cuLaunchKernel,
          (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
           unsigned bz, unsigned shared, CUstream stream, void **params, void **extra),
          (f, gx, gy, gz, bx, by, bz, shared, own(stream), params, extra))
OF_STREAM(cuLaunchCooperativeKernel,
          (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
           unsigned bz, unsigned shared, CUstream stream, void **params),
          (f, gx, gy, gz, bx, by, bz, shared, own(stream), params))
OF_STREAM(cuLaunchHostFunc, (CUstream stream, CUhostFn fn, void *user), (own(stream), fn, user))
OF_STREAM(cuStreamAddCallback, (CUstream stream, CUstreamCallback fn, void *user, unsigned flags),
          (own(stream), fn, user, flags))
OF_STREAM(cuGraphLaunch, (CUgraphExec x, CUstream stream), (x, own(stream)))
struct instantiate_params;
OF_STREAM(cuGraphInstantiateWithParams, (CUgraphExec * x, CUgraph g, struct instantiate_params *p),
          (x, g, p))
OF_STREAM(cuGraphUpload, (CUgraphExec x, CUstream stream), (x, own(stream)))
OF_STREAM(cuStreamBeginCapture, (CUstream stream), (own(stream)))
OF_STREAM(cuStreamBeginCapture_v2, (CUstream stream, int mode), (own(stream), mode))
OF_STREAM(cuStreamEndCapture, (CUstream stream, CUgraph *g), (own(stream), g))
OF_STREAM(cuStreamIsCapturing, (CUstream stream, int *status), (own(stream), status))
OF_STREAM(cuStreamGetCaptureInfo_v2,
          (CUstream stream, int *status, unsigned long long *id, CUgraph *graph,
           const CUgraphNode **deps, size_t *n),
          (own(stream), status, id, graph, deps, n))
OF_STREAM(cuStreamGetCaptureInfo_v3,
          (CUstream stream, int *status, unsigned long long *id, CUgraph *graph,
           const CUgraphNode **deps, const void **edges, size_t *n),
          (own(stream), status, id, graph, deps, edges, n))

struct launch_config { /* CUlaunchConfig */
    unsigned grid[3], block[3], shared;
    CUstream stream;
    void *attrs;
    unsigned nattrs;
};
CUresult cuLaunchKernelEx(const struct launch_config *c, CUfunction f, void **params, void **extra);
EXPORTED(cuLaunchKernelEx_ptsz, const struct launch_config *c, CUfunction f, void **params,
         void **extra)
{
    if (!c)
        return cuLaunchKernelEx(c, f, params, extra);
    struct launch_config with = *c;
    with.stream = own(c->stream);
    return cuLaunchKernelEx(&with, f, params, extra);
}

/* -- streams and events */

OF_STREAM(cuStreamSynchronize, (CUstream stream), (own(stream)))
OF_STREAM(cuStreamQuery, (CUstream stream), (own(stream)))
OF_STREAM(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
          (own(stream), event, flags))
OF_STREAM(cuStreamGetFlags, (CUstream stream, unsigned *flags), (own(stream), flags))
OF_STREAM(cuStreamGetPriority, (CUstream stream, int *priority), (own(stream), priority))
OF_STREAM(cuStreamSetAttribute, (CUstream stream, int attribute, const void *value),
          (own(stream), attribute, value))
OF_STREAM(cuStreamGetAttribute, (CUstream stream, int attribute, void *value),
          (own(stream), attribute, value))
OF_STREAM(cuStreamCopyAttributes, (CUstream to, CUstream from), (own(to), own(from)))
OF_STREAM(cuStreamGetId, (CUstream stream, unsigned long long *id), (own(stream), id))
OF_STREAM(cuStreamGetDevice, (CUstream stream, int *device), (own(stream), device))
OF_STREAM(cuStreamGetCtx, (CUstream stream, CUcontext *ctx), (own(stream), ctx))
OF_STREAM(cuStreamGetCtx_v2, (CUstream stream, CUcontext *ctx, void **green),
          (own(stream), ctx, green))
OF_STREAM(cuEventRecord, (CUevent event, CUstream stream), (event, own(stream)))
OF_STREAM(cuEventRecordWithFlags, (CUevent event, CUstream stream, unsigned flags),
          (event, own(stream), flags))

/* -- memory */

struct rt_pool;
struct location {
    int type, id;
};
OF_STREAM(cuMemAllocAsync, (void **p, size_t bytes, CUstream stream), (p, bytes, own(stream)))
OF_STREAM(cuMemAllocFromPoolAsync, (void **p, size_t bytes, struct rt_pool *pool, CUstream stream),
          (p, bytes, pool, own(stream)))
OF_STREAM(cuMemFreeAsync, (void *p, CUstream stream), (p, own(stream)))
OF_STREAM(cuStreamAttachMemAsync, (CUstream stream, CUdeviceptr p, size_t bytes, unsigned flags),
          (own(stream), p, bytes, flags))
OF_STREAM(cuMemPrefetchAsync, (CUdeviceptr p, size_t bytes, CUdevice d, CUstream stream),
          (p, bytes, d, own(stream)))
OF_STREAM(cuMemPrefetchAsync_v2,
          (CUdeviceptr p, size_t bytes, struct location where, unsigned flags, CUstream stream),
          (p, bytes, where, flags, own(stream)))

/* -- copies and memset, in the stream that is given, or the thread's */

OF_STREAM(cuMemcpyAsync, (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream),
          (dst, src, bytes, own(stream)))
OF_STREAM(cuMemcpyHtoDAsync_v2, (CUdeviceptr dst, const void *src, size_t bytes, CUstream stream),
          (dst, src, bytes, own(stream)))
OF_STREAM(cuMemcpyDtoHAsync_v2, (void *dst, CUdeviceptr src, size_t bytes, CUstream stream),
          (dst, src, bytes, own(stream)))
OF_STREAM(cuMemcpyDtoDAsync_v2, (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream),
          (dst, src, bytes, own(stream)))
OF_STREAM(cuMemcpyHtoAAsync_v2,
          (CUarray dst, size_t at, const void *src, size_t bytes, CUstream stream),
          (dst, at, src, bytes, own(stream)))
OF_STREAM(cuMemcpyAtoHAsync_v2, (void *dst, CUarray src, size_t at, size_t bytes, CUstream stream),
          (dst, src, at, bytes, own(stream)))
OF_STREAM(cuMemcpyPeerAsync,
          (CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes,
           CUstream stream),
          (dst, to, src, from, bytes, own(stream)))
OF_STREAM(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *copy, CUstream stream),
          (copy, own(stream)))
OF_STREAM(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *copy, CUstream stream), (copy, own(stream)))
OF_STREAM(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *copy, CUstream stream), (copy, own(stream)))
OF_STREAM(cuMemsetD8Async, (CUdeviceptr at, unsigned char value, size_t n, CUstream stream),
          (at, value, n, own(stream)))
OF_STREAM(cuMemsetD16Async, (CUdeviceptr at, unsigned short value, size_t n, CUstream stream),
          (at, value, n, own(stream)))
OF_STREAM(cuMemsetD32Async, (CUdeviceptr at, unsigned value, size_t n, CUstream stream),
          (at, value, n, own(stream)))
OF_STREAM(cuMemsetD2D8Async,
          (CUdeviceptr at, size_t pitch, unsigned char value, size_t width, size_t height,
           CUstream stream),
          (at, pitch, value, width, height, own(stream)))
OF_STREAM(cuMemsetD2D16Async,
          (CUdeviceptr at, size_t pitch, unsigned short value, size_t width, size_t height,
           CUstream stream),
          (at, pitch, value, width, height, own(stream)))
OF_STREAM(cuMemsetD2D32Async,
          (CUdeviceptr at, size_t pitch, unsigned value, size_t width, size_t height,
           CUstream stream),
          (at, pitch, value, width, height, own(stream)))

/* -- in the thread's stream, to the end */

EXPORTED(cuMemcpy_ptds, CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    SESSION_CALL();
    CUstream stream;
    CUresult r = session_thread_stream(&stream);
    if (r == CUDA_SUCCESS)
        r = cuMemcpyAsync(dst, src, bytes, stream);
    return r == CUDA_SUCCESS ? cuStreamSynchronize(stream) : r;
}
WAITING(cuMemcpyHtoD_v2, (CUdeviceptr dst, const void *src, size_t bytes), (dst, src, bytes))
WAITING(cuMemcpyDtoH_v2, (void *dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
WAITING(cuMemcpyDtoD_v2, (CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
WAITING(cuMemcpyDtoA_v2, (CUarray dst, size_t at, CUdeviceptr src, size_t bytes),
        (dst, at, src, bytes))
WAITING(cuMemcpyAtoD_v2, (CUdeviceptr dst, CUarray src, size_t at, size_t bytes),
        (dst, src, at, bytes))
WAITING(cuMemcpyHtoA_v2, (CUarray dst, size_t at, const void *src, size_t bytes),
        (dst, at, src, bytes))
WAITING(cuMemcpyAtoH_v2, (void *dst, CUarray src, size_t at, size_t bytes), (dst, src, at, bytes))
WAITING(cuMemcpyAtoA_v2, (CUarray dst, size_t to, CUarray src, size_t from, size_t bytes),
        (dst, to, src, from, bytes))
WAITING(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *copy), (copy))
WAITING(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *copy), (copy))
WAITING(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *copy), (copy))
WAITING(cuMemcpyPeer,
        (CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes),
        (dst, to, src, from, bytes))
WAITING(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *copy), (copy))
WAITING(cuMemsetD8_v2, (CUdeviceptr at, unsigned char value, size_t n), (at, value, n))
WAITING(cuMemsetD16_v2, (CUdeviceptr at, unsigned short value, size_t n), (at, value, n))
WAITING(cuMemsetD32_v2, (CUdeviceptr at, unsigned value, size_t n), (at, value, n))
WAITING(cuMemsetD2D8_v2,
        (CUdeviceptr at, size_t pitch, unsigned char value, size_t width, size_t height),
        (at, pitch, value, width, height))
WAITING(cuMemsetD2D16_v2,
        (CUdeviceptr at, size_t pitch, unsigned short value, size_t width, size_t height),
        (at, pitch, value, width, height))
WAITING(cuMemsetD2D32_v2,
        (CUdeviceptr at, size_t pitch, unsigned value, size_t width, size_t height),
        (at, pitch, value, width, height))
