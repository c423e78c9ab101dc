/* memory.c -- device, pinned and managed memory. */
#include <stdlib.h>

#include "cudart/rt.h"

CUDART(cudaMalloc, void **p, size_t bytes)
{
    RT_ENTER();
    CUdeviceptr d = 0;
    if (!p)
        return rt_set(cudaErrorInvalidValue);
    if (bytes == 0) { /* as CUDA has it: nothing, and no error */
        *p = NULL;
        return cudaSuccess;
    }
    CUresult r = cuMemAlloc(&d, bytes);
    if (r == CUDA_SUCCESS)
        *p = (void *)(uintptr_t)d;
    return rt(r);
}

CUDART(cudaFree, void *p)
{
    RT_ENTER();
    return rt(cuMemFree((CUdeviceptr)(uintptr_t)p));
}

CUDART(cudaMallocPitch, void **p, size_t *pitch, size_t width, size_t height)
{
    RT_ENTER();
    CUdeviceptr d;
    CUresult r = p ? cuMemAllocPitch(&d, pitch, width, height, 4) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *p = (void *)(uintptr_t)d;
    return rt(r);
}

CUDART(cudaMalloc3D, struct cudaPitchedPtr *p, struct cudaExtent extent)
{
    RT_ENTER();
    CUdeviceptr d;
    size_t pitch;
    if (!p || (extent.depth && extent.height > SIZE_MAX / extent.depth))
        return rt_set(cudaErrorInvalidValue);
    CUresult r = cuMemAllocPitch(&d, &pitch, extent.width, extent.height * extent.depth, 4);
    if (r == CUDA_SUCCESS)
        *p = (struct cudaPitchedPtr){(void *)(uintptr_t)d, pitch, extent.width, extent.height};
    return rt(r);
}

/* -- memory of the host */

CUDART(cudaMallocHost, void **p, size_t bytes)
{
    RT_ENTER();
    if (p && !bytes) {
        *p = NULL;
        return cudaSuccess;
    }
    return rt(cuMemAllocHost(p, bytes));
}

CUDART(cudaHostAlloc, void **p, size_t bytes, unsigned flags)
{
    RT_ENTER();
    if (p && !bytes) {
        *p = NULL;
        return cudaSuccess;
    }
    return rt(cuMemHostAlloc(p, bytes, flags));
}

CUDART(cudaFreeHost, void *p)
{
    RT_ENTER();
    return p ? rt(cuMemFreeHost(p)) : cudaSuccess;
}

CUDART(cudaHostRegister, void *p, size_t bytes, unsigned flags)
{
    RT_ENTER();
    return rt(cuMemHostRegister(p, bytes, flags));
}

CUDART(cudaHostUnregister, void *p)
{
    RT_ENTER();
    return rt(cuMemHostUnregister(p));
}

CUDART(cudaHostGetDevicePointer, void **d, void *p, unsigned flags)
{
    RT_ENTER();
    CUdeviceptr at;
    CUresult r = d ? cuMemHostGetDevicePointer(&at, p, flags) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *d = (void *)(uintptr_t)at;
    return rt(r);
}

CUDART(cudaHostGetFlags, unsigned *flags, void *p)
{
    RT_ENTER();
    CUdeviceptr at;
    CUresult r = flags ? cuMemHostGetDevicePointer(&at, p, 0) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *flags = 2; /* cudaHostAllocMapped */
    return rt(r);
}

/* -- managed memory */

CUDART(cudaMallocManaged, void **p, size_t bytes, unsigned flags)
{
    RT_ENTER();
    CUdeviceptr d;
    CUresult r = p && bytes ? cuMemAllocManaged(&d, bytes, flags) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *p = (void *)(uintptr_t)d;
    return rt(r);
}

/* Hints. Their parameters differ between the runtimes; none is read. */
CUDART(cudaMemAdvise, const void *p, size_t bytes)
{
    (void)p, (void)bytes;
    RT_ENTER();
    return cudaSuccess;
}
CUDART_ALIAS(cudaMemAdvise, cudaMemAdvise_v2);
CUDART_ALIAS(cudaMemAdvise, cudaMemPrefetchAsync);
CUDART_ALIAS(cudaMemAdvise, cudaMemPrefetchAsync_ptsz);
CUDART_ALIAS(cudaMemAdvise, cudaMemPrefetchAsync_v2);
CUDART_ALIAS(cudaMemAdvise, cudaMemPrefetchAsync_v2_ptsz);

CUDART(cudaStreamAttachMemAsync, cudaStream_t stream, void *p, size_t bytes, unsigned flags)
{
    (void)p, (void)bytes, (void)flags;
    RT_ENTER();
    return rt(cuStreamQuery(stream));
}
CUDART_ALIAS(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz);

/* -- in the order of a stream, and from a pool: there is one, the device's */

typedef struct rt_pool {
    struct rt_pool *next;
} * cudaMemPool_t;
static struct rt_pool the_pool; /* then those that the program makes; all give the same memory */

static bool is_pool(cudaMemPool_t pool)
{
    for (const struct rt_pool *p = &the_pool; p; p = p->next)
        if (p == pool)
            return true;
    return false;
}

CUDART(cudaMemPoolCreate, cudaMemPool_t *pool, const void *properties)
{
    RT_ENTER();
    if (!pool || !properties)
        return rt_set(cudaErrorInvalidValue);
    *pool = xcalloc(1, sizeof **pool);
    (*pool)->next = the_pool.next;
    the_pool.next = *pool;
    return cudaSuccess;
}

CUDART(cudaMemPoolDestroy, cudaMemPool_t pool)
{
    RT_ENTER();
    for (cudaMemPool_t *at = &the_pool.next; *at; at = &(*at)->next) {
        if (*at != pool)
            continue;
        *at = pool->next;
        free(pool);
        return cudaSuccess;
    }
    return rt_set(cudaErrorInvalidValue);
}

CUDART(cudaMemPoolSetAccess, cudaMemPool_t pool, const void *who, size_t n)
{
    RT_ENTER();
    return rt_set(is_pool(pool) && (who || !n) ? cudaSuccess : cudaErrorInvalidValue);
}

CUDART(cudaMemPoolGetAccess, int *flags, cudaMemPool_t pool, const void *who)
{
    RT_ENTER();
    if (!flags || !who || !is_pool(pool))
        return rt_set(cudaErrorInvalidValue);
    *flags = 3; /* cudaMemAccessFlagsProtReadWrite */
    return cudaSuccess;
}

CUDART(cudaMallocAsync, void **p, size_t bytes, cudaStream_t stream)
{
    RT_ENTER();
    CUresult r = cuStreamQuery(stream);
    return r == CUDA_SUCCESS ? rt_cudaMalloc(p, bytes) : rt(r);
}
CUDART_ALIAS(cudaMallocAsync, cudaMallocAsync_ptsz);

CUDART(cudaMallocFromPoolAsync, void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    RT_ENTER();
    return is_pool(pool) ? rt_cudaMallocAsync(p, bytes, stream) : rt_set(cudaErrorInvalidValue);
}
CUDART_ALIAS(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz);

CUDART(cudaFreeAsync, void *p, cudaStream_t stream)
{
    RT_ENTER();
    CUresult r = cuStreamQuery(stream);
    return r == CUDA_SUCCESS && p ? rt_cudaFree(p)
                                  : rt(r == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : r);
}
CUDART_ALIAS(cudaFreeAsync, cudaFreeAsync_ptsz);

CUDART(cudaDeviceGetDefaultMemPool, cudaMemPool_t *pool, int device)
{
    RT_ENTER();
    if (!pool || device != 0)
        return rt_set(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = &the_pool;
    return cudaSuccess;
}
CUDART_ALIAS(cudaDeviceGetDefaultMemPool, cudaDeviceGetMemPool);

CUDART(cudaMemPoolSetAttribute, cudaMemPool_t pool, int attribute, void *value)
{
    RT_ENTER();
    bool known = attribute >= 1 && attribute <= 8; /* how freed memory is kept: none is */
    return rt_set(is_pool(pool) && known && value ? cudaSuccess : cudaErrorInvalidValue);
}

/* Every allocation counts as one of the pool; nothing is kept beyond them. */
CUDART(cudaMemPoolGetAttribute, cudaMemPool_t pool, int attribute, void *value)
{
    RT_ENTER();
    if (!is_pool(pool) || attribute < 1 || attribute > 8 || !value)
        return rt_set(cudaErrorInvalidValue);
    const uint64_t used = attribute > 4 ? devmem_used(rt_memory()) : 0;
    if (attribute < 4) /* reuse policies: int */
        *(int *)value = 1;
    else
        __builtin_memcpy(value, &used, sizeof used);
    return cudaSuccess;
}

CUDART(cudaMemPoolTrimTo, cudaMemPool_t pool, size_t keep)
{
    (void)keep;
    RT_ENTER();
    return rt_set(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

CUDART(cudaMemGetInfo, size_t *free_bytes, size_t *total)
{
    RT_ENTER();
    return rt(cuMemGetInfo(free_bytes, total));
}

/* -- what a pointer is */

CUDART(cudaPointerGetAttributes, struct cudaPointerAttributes *a, const void *p)
{
    RT_ENTER();
    if (!a)
        return rt_set(cudaErrorInvalidValue);
    void *plain = (void *)(uintptr_t)p;
    const struct alloc *al = devmem_find(rt_memory(), (addr_t)(uintptr_t)p, 1);
    *a = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
    if (!al) {
        a->hostPointer = plain;
        return cudaSuccess;
    }
    a->device = 0;
    a->devicePointer = plain;
    a->type = cudaMemoryTypeDevice;
    if (alloc_is_hosts(al)) {
        a->hostPointer = plain;
        a->type = __builtin_strncmp(al->name, "managed", 7) == 0 ? cudaMemoryTypeManaged
                                                                 : cudaMemoryTypeHost;
    }
    return cudaSuccess;
}
