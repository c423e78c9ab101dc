/* memory.c -- device, pinned and managed memory. */
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
    return rt(rt_free((CUdeviceptr)(uintptr_t)p));
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
    return rt(session_own_stream(stream));
}
CUDART_ALIAS(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz);

CUDART(cudaMemGetInfo, size_t *free_bytes, size_t *total)
{
    RT_ENTER();
    return rt(cuMemGetInfo(free_bytes, total));
}

/* -- what a pointer is */

static cudaError_t attributes(struct cudaPointerAttributes *a, const void *p)
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
    a->device = devmem_device_of(rt_memory(), (addr_t)(uintptr_t)p);
    if (a->device < 0) /* the host's */
        a->device = rt_device();
    a->devicePointer = plain;
    a->type = cudaMemoryTypeDevice;
    if (alloc_is_hosts(al)) {
        a->hostPointer = plain;
        a->type = __builtin_strncmp(al->name, "managed", 7) == 0 ? cudaMemoryTypeManaged
                                                                 : cudaMemoryTypeHost;
    }
    return cudaSuccess;
}

RT_EXPORT cudaError_t rt_pointer_attributes(struct cudaPointerAttributes *a, const void *p);
RT_AT(rt_pointer_attributes, cudaPointerGetAttributes, "@" RT_NODE_11);
RT_AT(rt_pointer_attributes, cudaPointerGetAttributes, "@" RT_NODE_12);
RT_AT(rt_pointer_attributes, cudaPointerGetAttributes, "@@" RT_NODE_13);
cudaError_t rt_pointer_attributes(struct cudaPointerAttributes *a, const void *p)
{
    return attributes(a, p);
}

/* Before 11.0 memory of the host that CUDA does not know was an error, and managed memory the
 * device's to `memory`. */
struct attributes_10 {
    int memory, type, device;
    void *device_pointer, *host_pointer;
    int managed;
};
RT_EXPORT cudaError_t rt_pointer_attributes_10(struct attributes_10 *a, const void *p);
RT_AT(rt_pointer_attributes_10, cudaPointerGetAttributes, "@" RT_NODE_10);
cudaError_t rt_pointer_attributes_10(struct attributes_10 *a, const void *p)
{
    struct cudaPointerAttributes now = {0};
    cudaError_t e = a ? attributes(&now, p) : rt_set(cudaErrorInvalidValue);
    if (e != cudaSuccess)
        return e;
    if (now.type == cudaMemoryTypeUnregistered)
        return rt_set(cudaErrorInvalidValue);
    const bool managed = now.type == cudaMemoryTypeManaged;
    *a = (struct attributes_10){.memory = managed ? cudaMemoryTypeDevice : now.type,
                                .type = now.type,
                                .device = now.device,
                                .device_pointer = now.devicePointer,
                                .host_pointer = now.hostPointer,
                                .managed = managed};
    return cudaSuccess;
}
