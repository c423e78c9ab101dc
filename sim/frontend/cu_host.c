/* Driver API: memory that host and device share, what memory there is, copies in any direction
 * (contract: cuda_async.h). */
#include "sim/frontend/host_region.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>
#include <string.h>

static void *shared_block(CUcontext ctx, size_t bytes, const char *name)
{
    struct host_region *region = session_get()->host;
    return region ? host_region_share(region, bytes, context_mem(ctx->context), name) : NULL;
}

/* The allocation of that name which begins at p, or NULL. */
static const struct alloc *shared_at(CUcontext ctx, const void *p, const char *name)
{
    const addr_t at = (addr_t)(uintptr_t)p;
    const struct alloc *al = devmem_find(context_mem(ctx->context), at, 1);
    return al && al->base == at && alloc_is_hosts(al) && !strcmp(al->name, name) ? al : NULL;
}

CUresult session_free_shared(CUcontext ctx, void *p, const char *name)
{
    struct host_region *region = session_get()->host;
    pending_settle_all();
    if (!region || !shared_at(ctx, p, name) || !host_region_release(region, p))
        return CUDA_ERROR_INVALID_VALUE;
    devmem_release(context_mem(ctx->context), (addr_t)(uintptr_t)p);
    return CUDA_SUCCESS;
}

static CUresult alloc_host(void **p, size_t bytes, const char *name)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!p || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    *p = shared_block(ctx, bytes, name);
    return *p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemAllocHost(void **p, size_t bytes)
{
    SESSION_CALL();
    return alloc_host(p, bytes, SHARED_PINNED);
}

CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags)
{
    SESSION_CALL();
    if (flags > 7) /* every block is portable and mapped */
        return CUDA_ERROR_INVALID_VALUE;
    return alloc_host(p, bytes, SHARED_PINNED);
}

CUresult cuMemAllocManaged(CUdeviceptr *d, size_t bytes, unsigned flags)
{
    SESSION_CALL();
    void *p;
    bool attached = flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST;
    CUresult r = d && attached ? alloc_host(&p, bytes, SHARED_MANAGED) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *d = (CUdeviceptr)(uintptr_t)p;
    return r;
}

CUresult cuMemFreeHost(void *p)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    return r == CUDA_SUCCESS ? session_free_shared(ctx, p, SHARED_PINNED) : r;
}

CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    const struct alloc *al = devmem_find(context_mem(ctx->context), (addr_t)(uintptr_t)p, 1);
    const bool device = al && !al->borrowed; /* whatever the host has at that address */
    if (!p || !bytes || flags > 15 || device || !host_may_use(p, bytes, true))
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & (CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY))
        return CUDA_ERROR_NOT_SUPPORTED; /* as the device's attributes say */
    bool ok = devmem_map_anywhere(context_mem(ctx->context), (addr_t)(uintptr_t)p, bytes, p,
                                  SHARED_REGISTERED);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult cuMemHostUnregister(void *p)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    pending_settle_all();
    const struct alloc *al = shared_at(ctx, p, SHARED_REGISTERED);
    if (!al)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    devmem_release(context_mem(ctx->context), al->base);
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *d, void *p, unsigned flags)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    const struct alloc *al = devmem_find(context_mem(ctx->context), (addr_t)(uintptr_t)p, 1);
    if (!d || flags || !al || !alloc_is_hosts(al))
        return CUDA_ERROR_INVALID_VALUE;
    *d = (CUdeviceptr)(uintptr_t)p;
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (free_bytes)
        *free_bytes = session_memory_free(ctx);
    if (total)
        *total = session_get()->memory;
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    SESSION_CALL();
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    const struct session *s = session_get();
    if (!s)
        return CUDA_ERROR_NO_DEVICE;
    *bytes = s->memory;
    return session_is_device(dev) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    const struct alloc *al = devmem_find(context_mem(ctx->context), p, 1);
    if (!al)
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = al->base;
    if (bytes)
        *bytes = al->bytes;
    return CUDA_SUCCESS;
}

/* -- copies */

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_BAD };

/* bad: it begins in an allocation and ends behind it */
static enum side side_of(struct devmem *m, CUdeviceptr p, size_t bytes)
{
    if (devmem_find(m, p, bytes))
        return SIDE_DEVICE;
    bool reserved =
        (p >= GLOBALS_BASE && p < HEAP_BASE + DEVMEM_HEAP_SPAN) || session_is_virtual(p);
    return devmem_find(m, p, 1) || (reserved && session_get()->host) ? SIDE_BAD : SIDE_HOST;
}

/* Pinned and registered memory is reached over the link, too; managed memory is where it is used.
 */
static bool over_link(struct devmem *m, CUdeviceptr p)
{
    const struct alloc *al = devmem_find(m, p, 1);
    return !al || (alloc_is_hosts(al) && strcmp(al->name, SHARED_MANAGED) != 0);
}

static CUresult copy(struct devmem *m, CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    enum side to = side_of(m, dst, bytes), from = side_of(m, src, bytes);
    if (to == SIDE_BAD || from == SIDE_BAD || !dst || !src)
        return CUDA_ERROR_INVALID_VALUE;
    if (to == SIDE_DEVICE || from == SIDE_DEVICE)
        session_moved(bytes, over_link(m, dst) || over_link(m, src) || devmem_apart(m, dst, src)
                                 ? COPY_OVER_LINK
                                 : COPY_ON_DEVICE);
    if (to == SIDE_HOST && from == SIDE_HOST) {
        memmove((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes);
        return CUDA_SUCCESS;
    }
    if (to == SIDE_HOST)
        return devmem_read(m, src, (void *)(uintptr_t)dst, bytes) ? CUDA_SUCCESS
                                                                  : CUDA_ERROR_INVALID_VALUE;
    if (from == SIDE_HOST)
        return devmem_write(m, dst, (const void *)(uintptr_t)src, bytes) ? CUDA_SUCCESS
                                                                         : CUDA_ERROR_INVALID_VALUE;
    const struct alloc *a = devmem_find(m, src, bytes);
    devmem_write(m, dst, a->host + (src - a->base), bytes);
    return CUDA_SUCCESS;
}

struct copied { /* in a graph */
    CUdeviceptr dst, src;
    size_t bytes;
};

static CUresult run_copy(const void *data, CUstream stream)
{
    const struct copied *c = data;
    return cuMemcpyAsync(c->dst, c->src, c->bytes, stream);
}

/* A copy that has to wait is queued, or, where one side is the program's plain memory, waited for.
 */
static bool copied_later(CUcontext ctx, CUstream stream, const struct graph_work *w)
{
    const struct copied *c = w->data;
    struct devmem *m = context_mem(ctx->context);
    if (side_of(m, c->dst, c->bytes) == SIDE_DEVICE && side_of(m, c->src, c->bytes) == SIDE_DEVICE)
        return pending_later(ctx, stream, w);
    pending_settle(ctx, stream);
    return false;
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_stream(ctx, stream);
    const struct copied c = {dst, src, bytes};
    const struct graph_work w = {GRAPH_MEMCPY, run_copy, &c, sizeof c};
    if (r != CUDA_SUCCESS || graph_capture(stream, &w, &r))
        return r;
    if (!bytes || copied_later(ctx, stream, &w))
        return r;
    r = session_context(&ctx);
    const struct pending_work before = pending_work_begin(stream);
    if (r == CUDA_SUCCESS)
        r = copy(context_mem(ctx->context), dst, src, bytes);
    pending_work_end(before);
    return r;
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    pending_settle(ctx, NULL);
    return cuMemcpyAsync(dst, src, bytes, NULL);
}

/* The calls that name their direction, on a stream: in a graph they are as good without. */
#define ON_STREAM(dst, src, call)                                                              \
    do {                                                                                       \
        struct graph_capturing on;                                                             \
        CUresult r = graph_capturing(stream, &on);                                             \
        const bool waits = r == CUDA_SUCCESS && pending_busy(session_current(), stream);       \
        if (waits || (r == CUDA_SUCCESS && on.status != CAPTURE_NONE))                         \
            return cuMemcpyAsync((CUdeviceptr)(uintptr_t)(dst), (CUdeviceptr)(uintptr_t)(src), \
                                 bytes, stream);                                               \
        const struct pending_work before = pending_work_begin(stream);                         \
        r = r == CUDA_SUCCESS ? (call) : r;                                                    \
        pending_work_end(before);                                                              \
        return r;                                                                              \
    } while (0)

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    ON_STREAM(dst, src, cuMemcpyHtoD(dst, src, bytes));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    ON_STREAM(dst, src, cuMemcpyDtoH(dst, src, bytes));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    SESSION_CALL();
    SESSION_VISIT(session_owner_of_stream(stream));
    ON_STREAM(dst, src, cuMemcpyDtoD(dst, src, bytes));
}

struct filled { /* in a graph */
    CUdeviceptr dst;
    unsigned value, size;
    size_t n;
};

static CUresult fill(const void *data, CUstream stream)
{
    const struct filled *f = data;
    const struct graph_work w = {GRAPH_MEMSET, fill, f, sizeof *f};
    CUresult r = session_own_stream(stream);
    if (r != CUDA_SUCCESS || graph_capture(stream, &w, &r) ||
        pending_later(session_current(), stream, &w))
        return r;
    const struct pending_work before = pending_work_begin(stream);
    r = f->size == 1   ? cuMemsetD8(f->dst, (unsigned char)f->value, f->n)
        : f->size == 2 ? cuMemsetD16(f->dst, (unsigned short)f->value, f->n)
                       : cuMemsetD32(f->dst, f->value, f->n);
    pending_work_end(before);
    return r;
}

CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t n, CUstream stream)
{
    SESSION_CALL();
    return fill(&(struct filled){dst, value, 1, n}, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t n, CUstream stream)
{
    SESSION_CALL();
    return fill(&(struct filled){dst, value, 2, n}, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t n, CUstream stream)
{
    SESSION_CALL();
    return fill(&(struct filled){dst, value, 4, n}, stream);
}
