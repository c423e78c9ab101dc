/* per_thread.c -- the names that code compiled for per-thread default streams calls (nvcc
 * --default-stream per-thread): what others do in the legacy stream, these do in the calling
 * thread's own. */
#include "cudart/rt.h"

struct rt_pool;

cudaStream_t rt_own_stream(cudaStream_t stream)
{
    SESSION_CALL();
    if (!stream || stream == CU_STREAM_PER_THREAD)
        session_thread_stream(&stream);
    return stream;
}

static cudaStream_t own(cudaStream_t stream)
{
    SESSION_CALL();
    return rt_ready() == cudaSuccess ? rt_own_stream(stream) : stream;
}

#define EXPORTED(name, params)              \
    RT_EXPORT cudaError_t rt_##name params; \
    RT_NAMES(rt_##name, name);              \
    cudaError_t rt_##name params

/* A function of a stream. */
#define OF_STREAM(name, alias, params, args) \
    cudaError_t rt_##name params;            \
    EXPORTED(alias, params)                  \
    {                                        \
        return rt_##name args;               \
    }

/* A function that waits for its work: the asynchronous one, and the wait. */
#define WAITING(name, alias, params, args)                                 \
    EXPORTED(alias, params)                                                \
    {                                                                      \
        const cudaError_t e = rt_##name##Async args;                       \
        return e == cudaSuccess ? rt_cudaStreamSynchronize(own(NULL)) : e; \
    }

/* -- in the stream that is given, or the thread's */

OF_STREAM(cudaMemcpy2DToArrayAsync, cudaMemcpy2DToArrayAsync_ptsz,
          (cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
           size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
          (dst, x, y, src, pitch, width, height, kind, own(stream)))
OF_STREAM(cudaMemcpy2DFromArrayAsync, cudaMemcpy2DFromArrayAsync_ptsz,
          (void *dst, size_t pitch, cudaArray_t src, size_t x, size_t y, size_t width,
           size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
          (dst, pitch, src, x, y, width, height, kind, own(stream)))
OF_STREAM(cudaMemcpyToArrayAsync, cudaMemcpyToArrayAsync_ptsz,
          (cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
           enum cudaMemcpyKind kind, cudaStream_t stream),
          (dst, x, y, src, bytes, kind, own(stream)))
OF_STREAM(cudaMemcpyFromArrayAsync, cudaMemcpyFromArrayAsync_ptsz,
          (void *dst, cudaArray_t src, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
           cudaStream_t stream),
          (dst, src, x, y, bytes, kind, own(stream)))
OF_STREAM(cudaMemcpyAsync, cudaMemcpyAsync_ptsz,
          (void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
          (dst, src, bytes, kind, own(stream)))
OF_STREAM(cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz,
          (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
           size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
          (dst, dst_pitch, src, src_pitch, width, height, kind, own(stream)))
OF_STREAM(cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz,
          (const struct cudaMemcpy3DParms *p, cudaStream_t stream), (p, own(stream)))
OF_STREAM(cudaMemcpy3DPeerAsync, cudaMemcpy3DPeerAsync_ptsz,
          (const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream), (p, own(stream)))
OF_STREAM(cudaMemsetAsync, cudaMemsetAsync_ptsz,
          (void *p, int value, size_t bytes, cudaStream_t stream), (p, value, bytes, own(stream)))
OF_STREAM(cudaMemset3DAsync, cudaMemset3DAsync_ptsz,
          (struct cudaPitchedPtr p, int value, struct cudaExtent box, cudaStream_t stream),
          (p, value, box, own(stream)))
OF_STREAM(cudaMemset2DAsync, cudaMemset2DAsync_ptsz,
          (void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
          (p, pitch, value, width, height, own(stream)))
OF_STREAM(cudaGraphLaunch, cudaGraphLaunch_ptsz, (CUgraphExec x, cudaStream_t stream),
          (x, own(stream)))
OF_STREAM(cudaGraphUpload, cudaGraphUpload_ptsz, (CUgraphExec x, cudaStream_t stream),
          (x, own(stream)))
OF_STREAM(cudaStreamBeginCapture, cudaStreamBeginCapture_ptsz, (cudaStream_t stream, int mode),
          (own(stream), mode))
OF_STREAM(cudaStreamEndCapture, cudaStreamEndCapture_ptsz, (cudaStream_t stream, CUgraph *g),
          (own(stream), g))
OF_STREAM(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz, (cudaStream_t stream, int *status),
          (own(stream), status))
OF_STREAM(cudaStreamGetCaptureInfo_v2, cudaStreamGetCaptureInfo_v2_ptsz,
          (cudaStream_t stream, int *status, unsigned long long *id, CUgraph *graph,
           CUgraphNode **deps, size_t *n),
          (own(stream), status, id, graph, deps, n))
OF_STREAM(cudaStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo_v3_ptsz,
          (cudaStream_t stream, int *status, unsigned long long *id, CUgraph *graph,
           CUgraphNode **deps, const void **edges, size_t *n),
          (own(stream), status, id, graph, deps, edges, n))
RT_AT(rt_cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_ptsz, "@@" RT_NODE_13);
OF_STREAM(cudaLaunchKernel, cudaLaunchKernel_ptsz,
          (const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream),
          (f, grid, block, args, shared, own(stream)))
OF_STREAM(cudaLaunchKernel, __cudaLaunchKernel_ptsz,
          (const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream),
          (f, grid, block, args, shared, own(stream)))
OF_STREAM(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_ptsz,
          (const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream),
          (f, grid, block, args, shared, own(stream)))
OF_STREAM(cudaMallocAsync, cudaMallocAsync_ptsz, (void **p, size_t bytes, cudaStream_t stream),
          (p, bytes, own(stream)))
OF_STREAM(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz,
          (void **p, size_t bytes, struct rt_pool *pool, cudaStream_t stream),
          (p, bytes, pool, own(stream)))
OF_STREAM(cudaFreeAsync, cudaFreeAsync_ptsz, (void *p, cudaStream_t stream), (p, own(stream)))
OF_STREAM(cudaStreamSynchronize, cudaStreamSynchronize_ptsz, (cudaStream_t stream), (own(stream)))
OF_STREAM(cudaStreamQuery, cudaStreamQuery_ptsz, (cudaStream_t stream), (own(stream)))
OF_STREAM(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz,
          (cudaStream_t stream, cudaEvent_t event, unsigned flags), (own(stream), event, flags))
OF_STREAM(cudaStreamGetFlags, cudaStreamGetFlags_ptsz, (cudaStream_t stream, unsigned *flags),
          (own(stream), flags))
OF_STREAM(cudaStreamGetPriority, cudaStreamGetPriority_ptsz, (cudaStream_t stream, int *priority),
          (own(stream), priority))
OF_STREAM(cudaStreamGetId, cudaStreamGetId_ptsz, (cudaStream_t stream, unsigned long long *id),
          (own(stream), id))
OF_STREAM(cudaStreamGetDevice, cudaStreamGetDevice_ptsz, (cudaStream_t stream, int *device),
          (own(stream), device))
OF_STREAM(cudaStreamSetAttribute, cudaStreamSetAttribute_ptsz,
          (cudaStream_t stream, int attribute, const void *value), (own(stream), attribute, value))
OF_STREAM(cudaStreamGetAttribute, cudaStreamGetAttribute_ptsz,
          (cudaStream_t stream, int attribute, void *value), (own(stream), attribute, value))
OF_STREAM(cudaStreamCopyAttributes, cudaStreamCopyAttributes_ptsz,
          (cudaStream_t to, cudaStream_t from), (own(to), own(from)))
OF_STREAM(cudaStreamAddCallback, cudaStreamAddCallback_ptsz,
          (cudaStream_t stream, void (*fn)(cudaStream_t, cudaError_t, void *), void *user,
           unsigned flags),
          (own(stream), fn, user, flags))
OF_STREAM(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz,
          (cudaStream_t stream, CUhostFn fn, void *user), (own(stream), fn, user))
OF_STREAM(cudaEventRecord, cudaEventRecord_ptsz, (cudaEvent_t event, cudaStream_t stream),
          (event, own(stream)))
OF_STREAM(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz,
          (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, own(stream), flags))
OF_STREAM(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_ptsz,
          (const void *symbol, const void *src, size_t bytes, size_t offset,
           enum cudaMemcpyKind kind, cudaStream_t stream),
          (symbol, src, bytes, offset, kind, own(stream)))
OF_STREAM(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_ptsz,
          (void *dst, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
           cudaStream_t stream),
          (dst, symbol, bytes, offset, kind, own(stream)))

/* Of 11 and 12, with fewer parameters. */
cudaError_t rt_capture_info(cudaStream_t stream, int *status, unsigned long long *id);
RT_EXPORT cudaError_t rt_own_capture_info(cudaStream_t stream, int *status, unsigned long long *id);
RT_AT(rt_own_capture_info, cudaStreamGetCaptureInfo_ptsz, "@" RT_NODE_10);
RT_AT(rt_own_capture_info, cudaStreamGetCaptureInfo_ptsz, "@" RT_NODE_11);
RT_AT(rt_own_capture_info, cudaStreamGetCaptureInfo_ptsz, "@" RT_NODE_12);
cudaError_t rt_own_capture_info(cudaStream_t stream, int *status, unsigned long long *id)
{
    return rt_capture_info(own(stream), status, id);
}

cudaError_t rt_cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *f, void **args);
EXPORTED(cudaLaunchKernelExC_ptsz, (const cudaLaunchConfig_t *c, const void *f, void **args))
{
    cudaLaunchConfig_t with;
    if (!c)
        return rt_cudaLaunchKernelExC(c, f, args);
    with = *c;
    with.stream = own(c->stream);
    return rt_cudaLaunchKernelExC(&with, f, args);
}

/* -- in the thread's stream, to the end */

WAITING(cudaMemcpy2DToArray, cudaMemcpy2DToArray_ptds,
        (cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
         size_t height, enum cudaMemcpyKind kind),
        (dst, x, y, src, pitch, width, height, kind, own(NULL)))
WAITING(cudaMemcpy2DFromArray, cudaMemcpy2DFromArray_ptds,
        (void *dst, size_t pitch, cudaArray_t src, size_t x, size_t y, size_t width, size_t height,
         enum cudaMemcpyKind kind),
        (dst, pitch, src, x, y, width, height, kind, own(NULL)))
WAITING(cudaMemcpyToArray, cudaMemcpyToArray_ptds,
        (cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
         enum cudaMemcpyKind kind),
        (dst, x, y, src, bytes, kind, own(NULL)))
WAITING(cudaMemcpyFromArray, cudaMemcpyFromArray_ptds,
        (void *dst, cudaArray_t src, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind),
        (dst, src, x, y, bytes, kind, own(NULL)))
WAITING(cudaMemcpy, cudaMemcpy_ptds,
        (void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind),
        (dst, src, bytes, kind, own(NULL)))
WAITING(cudaMemcpy2D, cudaMemcpy2D_ptds,
        (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
         size_t height, enum cudaMemcpyKind kind),
        (dst, dst_pitch, src, src_pitch, width, height, kind, own(NULL)))
WAITING(cudaMemcpy3D, cudaMemcpy3D_ptds, (const struct cudaMemcpy3DParms *p), (p, own(NULL)))
WAITING(cudaMemcpy3DPeer, cudaMemcpy3DPeer_ptds, (const struct cudaMemcpy3DPeerParms *p),
        (p, own(NULL)))
WAITING(cudaMemset, cudaMemset_ptds, (void *p, int value, size_t bytes),
        (p, value, bytes, own(NULL)))
WAITING(cudaMemset3D, cudaMemset3D_ptds,
        (struct cudaPitchedPtr p, int value, struct cudaExtent box), (p, value, box, own(NULL)))
WAITING(cudaMemset2D, cudaMemset2D_ptds,
        (void *p, size_t pitch, int value, size_t width, size_t height),
        (p, pitch, value, width, height, own(NULL)))
WAITING(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds,
        (const void *symbol, const void *src, size_t bytes, size_t offset,
         enum cudaMemcpyKind kind),
        (symbol, src, bytes, offset, kind, own(NULL)))
WAITING(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds,
        (void *dst, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
        (dst, symbol, bytes, offset, kind, own(NULL)))
