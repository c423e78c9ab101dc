/* Driver API: memory (contract: cuda.h). */
#include "sim/frontend/cuda.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>
#include <string.h>

uint64_t session_memory_used(CUcontext ctx)
{
    return devmem_used(context_mem(ctx->context)) + session_virtual_bytes(ctx);
}

uint64_t session_memory_free(CUcontext ctx)
{
    const uint64_t used = session_memory_used(ctx), all = session_get()->memory;
    return used < all ? all - used : 0;
}

CUresult cuMemAlloc(CUdeviceptr *ptr, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!ptr || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (graph_unsafe(&r))
        return r;
    struct devmem *m = context_mem(ctx->context);
    /* Workloads may have what they like. */
    if (session_get()->host && bytes > session_memory_free(ctx))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *ptr = devmem_alloc(m, bytes, session_get()->host ? "cudaMalloc" : "cuMemAlloc");
    return *ptr ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree(CUdeviceptr ptr)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS || !ptr)
        return r;
    pending_settle_all();
    struct devmem *m = context_mem(ctx->context);
    const struct alloc *al = devmem_find(m, ptr, 1);
    if (al && al->borrowed)
        return session_free_shared(ctx, (void *)(uintptr_t)ptr, SHARED_MANAGED);
    bool is_ours = ptr >= HEAP_BASE && al && !al->device_heap; /* module variables go with theirs */
    return is_ours && devmem_release(m, ptr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

psec_t session_now(void)
{
    const struct executor *x = session_get()->x;
    return x->now ? x->now(x->self) : 0;
}

void session_moved(uint64_t bytes, enum copy_route route)
{
    const struct executor *x = session_get()->x;
    const psec_t before = session_now();
    CUcontext ctx;
    if (x->copy)
        x->copy(x->self, bytes, route);
    if (session_context(&ctx) == CUDA_SUCCESS)
        timeline_copy(ctx, pending_work_stream(), session_now() - before, route);
}

static CUresult done(bool ok, uint64_t bytes, enum copy_route route)
{
    if (!ok)
        return CUDA_ERROR_INVALID_VALUE;
    session_moved(bytes, route);
    return CUDA_SUCCESS;
}

/* The context, in which the legacy stream's work is done. */
static CUresult enter(CUcontext *ctx)
{
    CUresult r = session_context(ctx);
    if (r != CUDA_SUCCESS)
        return r;
    pending_settle(*ctx, NULL);
    return session_context(ctx);
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = enter(&ctx);
    if (r != CUDA_SUCCESS || !bytes)
        return r;
    bool ok = src && devmem_write(context_mem(ctx->context), dst, src, bytes);
    return done(ok, bytes, COPY_OVER_LINK);
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = enter(&ctx);
    if (r != CUDA_SUCCESS || !bytes)
        return r;
    if (!dst || !devmem_read(context_mem(ctx->context), src, dst, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    const struct executor *x = session_get()->x;
    if (x->to_host)
        x->to_host(x->self, dst, bytes);
    return done(true, bytes, COPY_OVER_LINK);
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = enter(&ctx);
    if (r != CUDA_SUCCESS || !bytes)
        return r;
    struct devmem *m = context_mem(ctx->context);
    if (!devmem_find(m, src, bytes) || !devmem_find(m, dst, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    void *copy = xmalloc(bytes);
    bool ok = devmem_read(m, src, copy, bytes) && devmem_write(m, dst, copy, bytes);
    free(copy);
    return done(ok, bytes, devmem_apart(m, dst, src) ? COPY_OVER_LINK : COPY_ON_DEVICE);
}

CUresult cuMemsetD8(CUdeviceptr dst, unsigned char value, size_t n)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = enter(&ctx);
    if (r != CUDA_SUCCESS || !n)
        return r;
    return done(devmem_fill(context_mem(ctx->context), dst, value, n), n, FILL_ON_DEVICE);
}

/* n elements of `size` bytes, all equal to the one at value. */
static CUresult memset_wide(CUdeviceptr dst, const void *value, size_t size, size_t n)
{
    CUcontext ctx;
    CUresult r = enter(&ctx);
    if (r != CUDA_SUCCESS || !n)
        return r;
    struct devmem *m = context_mem(ctx->context);
    if (dst % size || n > SIZE_MAX / size || !devmem_find(m, dst, n * size))
        return CUDA_ERROR_INVALID_VALUE;
    unsigned char *all = xmalloc(n * size);
    for (size_t i = 0; i < n; i++)
        memcpy(all + i * size, value, size);
    bool ok = devmem_write(m, dst, all, n * size);
    free(all);
    return done(ok, n * size, FILL_ON_DEVICE);
}

CUresult cuMemsetD16(CUdeviceptr dst, unsigned short value, size_t n)
{
    SESSION_CALL();
    return memset_wide(dst, &value, sizeof value, n);
}

CUresult cuMemsetD32(CUdeviceptr dst, unsigned int value, size_t n)
{
    SESSION_CALL();
    return memset_wide(dst, &value, sizeof value, n);
}
