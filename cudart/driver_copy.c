/* driver_copy.c -- asynchronous copies of rows and boxes, of arrays, and between contexts; which
 * contexts reach each other's memory. */
#include "cudart/rt.h"
#include "sim/frontend/cuda_array.h"

#define DRIVER(name, ...)                                                    \
    __attribute__((visibility("default"), used)) CUresult name(__VA_ARGS__); \
    CUresult name(__VA_ARGS__)

/* The work of a stream; captured, it becomes a graph's node. */
static CUresult in_stream(CUstream stream, pending_fn *run, const void *copy, size_t bytes)
{
    const struct graph_work w = {GRAPH_MEMCPY, run, copy, bytes};
    CUresult r = session_own_stream(stream);
    if (r != CUDA_SUCCESS || graph_capture(stream, &w, &r))
        return r;
    return pending_run(session_current(), stream, run, copy);
}

static CUresult run_2d(const void *copy, CUstream stream)
{
    (void)stream;
    return cuMemcpy2D(copy);
}

DRIVER(cuMemcpy2DAsync_v2, const CUDA_MEMCPY2D *copy, CUstream stream)
{
    SESSION_CALL();
    return copy ? in_stream(stream, run_2d, copy, sizeof *copy) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult run_3d(const void *copy, CUstream stream)
{
    (void)stream;
    return cuMemcpy3D(copy);
}

DRIVER(cuMemcpy3DAsync_v2, const CUDA_MEMCPY3D *copy, CUstream stream)
{
    SESSION_CALL();
    return copy ? in_stream(stream, run_3d, copy, sizeof *copy) : CUDA_ERROR_INVALID_VALUE;
}

/* -- arrays: not in graphs */

struct array_copy {
    CUarray array;
    void *host;
    size_t at, bytes;
    bool to_host;
};

static CUresult run_array(const void *copy, CUstream stream)
{
    const struct array_copy *c = copy;
    (void)stream;
    return c->to_host ? cuMemcpyAtoH(c->host, c->array, c->at, c->bytes)
                      : cuMemcpyHtoA(c->array, c->at, c->host, c->bytes);
}

static CUresult array_in_stream(CUstream stream, const struct array_copy *c)
{
    CUresult r = session_own_stream(stream);
    if (r == CUDA_SUCCESS)
        graph_forbidden(stream, &r);
    return r == CUDA_SUCCESS ? pending_run(session_current(), stream, run_array, c) : r;
}

DRIVER(cuMemcpyHtoAAsync_v2, CUarray dst, size_t at, const void *src, size_t bytes, CUstream stream)
{
    SESSION_CALL();
    return array_in_stream(stream, &(struct array_copy){dst, (void *)src, at, bytes, false});
}

DRIVER(cuMemcpyAtoHAsync_v2, void *dst, CUarray src, size_t at, size_t bytes, CUstream stream)
{
    SESSION_CALL();
    return array_in_stream(stream, &(struct array_copy){src, dst, at, bytes, true});
}

/* -- between contexts */

static CUresult run_peer(const void *copy, CUstream stream)
{
    (void)stream;
    return cuMemcpy3DPeer(copy);
}

DRIVER(cuMemcpy3DPeerAsync, const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    return copy ? in_stream(stream, run_peer, copy, sizeof *copy) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER(cuMemcpyPeerAsync, CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from,
       size_t bytes, CUstream stream)
{
    const CUDA_MEMCPY3D_PEER copy = peer_copy(dst, to, src, from, bytes);
    return cuMemcpy3DPeerAsync(&copy, stream);
}

static CUresult reach(CUcontext peer, bool enable)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!session_has_context(peer) || peer == ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    return (CUresult)rt_reach(peer->device, enable);
}

DRIVER(cuCtxEnablePeerAccess, CUcontext peer, unsigned flags)
{
    SESSION_CALL();
    return flags ? CUDA_ERROR_INVALID_VALUE : reach(peer, true);
}

DRIVER(cuCtxDisablePeerAccess, CUcontext peer)
{
    SESSION_CALL();
    return reach(peer, false);
}
