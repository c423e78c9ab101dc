/* copy.c -- copies and memset in one to three dimensions. Every one is done when its call returns,
 * but for asynchronous ones behind a kernel that waits (sim/frontend/pending.h). */
#include <string.h>

#include "cudart/rt.h"

static CUdeviceptr address(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

static bool on_device(const void *p, size_t bytes)
{
    return devmem_find(rt_memory(), address(p), bytes ? bytes : 1);
}

/* The direction as it was given against what the pointers are: a side named the device's has to be.
 */
static cudaError_t check(const void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    bool to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    bool bad = (to && !on_device(dst, bytes)) || (from && !on_device(src, bytes));
    return bad ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t copy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                        cudaStream_t stream)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS || !bytes)
        return rt(r);
    cudaError_t e = check(dst, src, bytes, kind);
    return e == cudaSuccess ? rt(cuMemcpyAsync(address(dst), address(src), bytes, stream))
                            : rt_set(e);
}

CUDART(cudaMemcpy, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    RT_ENTER_SYNC();
    return copy(dst, src, bytes, kind, NULL);
}

CUDART(cudaMemcpyAsync, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
       cudaStream_t stream)
{
    RT_ENTER();
    return copy(dst, src, bytes, kind, stream);
}

CUDART(cudaMemcpyPeer, void *dst, int to, const void *src, int from, size_t bytes)
{
    RT_ENTER_SYNC();
    return !session_is_device(to) || !session_is_device(from)
               ? rt_set(cudaErrorInvalidDevice)
               : copy(dst, src, bytes, cudaMemcpyDeviceToDevice, NULL);
}

CUDART(cudaMemcpyPeerAsync, void *dst, int to, const void *src, int from, size_t bytes,
       cudaStream_t stream)
{
    RT_ENTER();
    return !session_is_device(to) || !session_is_device(from)
               ? rt_set(cudaErrorInvalidDevice)
               : copy(dst, src, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* -- rows and slices */

struct plane { /* where rows lie; addresses are numbers, which may wrap: each row is checked */
    uintptr_t at;
    size_t pitch, slice; /* bytes from row to row, from slice to slice */
};

static bool is_empty(struct cudaExtent box)
{
    return !box.width || !box.height || !box.depth;
}

static void *row_of(const struct plane *p, size_t y, size_t z)
{
    return (void *)(p->at + z * p->slice + y * p->pitch);
}

static cudaError_t copy_box(const struct plane *dst, const struct plane *src, struct cudaExtent box,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (is_empty(box))
        return cudaSuccess;
    for (size_t z = 0; z < box.depth; z++)
        for (size_t y = 0; y < box.height; y++) {
            cudaError_t e = copy(row_of(dst, y, z), row_of(src, y, z), box.width, kind, stream);
            if (e != cudaSuccess)
                return e;
        }
    return cudaSuccess;
}

/* False: the box ends beyond what addresses can count. */
static bool plane_of(const struct cudaPitchedPtr *p, const struct cudaPos *at,
                     struct cudaExtent box, struct plane *s)
{
    *s = (struct plane){.pitch = p->pitch, .slice = p->pitch * p->ysize};
    s->at = (uintptr_t)p->ptr + at->z * s->slice + at->y * s->pitch + at->x;
    return session_box_fits(p->pitch, p->ysize, (size_t[]){at->x, at->y, at->z},
                            (size_t[]){box.width, box.height, box.depth});
}

static cudaError_t copy_planes(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    struct plane to, from;
    if (p->extent.width > p->srcPtr.pitch || p->extent.width > p->dstPtr.pitch)
        return rt_set(cudaErrorInvalidPitchValue);
    if (!plane_of(&p->dstPtr, &p->dstPos, p->extent, &to) ||
        !plane_of(&p->srcPtr, &p->srcPos, p->extent, &from))
        return rt_set(cudaErrorInvalidValue);
    return copy_box(&to, &from, p->extent, p->kind, stream);
}

CUDART(cudaMemcpy2DAsync, void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RT_ENTER();
    const struct cudaMemcpy3DParms p = {
        .dstPtr = {dst, dst_pitch, width, height},
        .srcPtr = {(void *)(uintptr_t)src, src_pitch, width, height},
        .extent = {width, height, 1},
        .kind = kind};
    return copy_planes(&p, stream);
}

CUDART(cudaMemcpy2D, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
       size_t height, enum cudaMemcpyKind kind)
{
    RT_ENTER_SYNC();
    return rt_cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind, NULL);
}

CUDART(cudaMemcpy3DAsync, const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    RT_ENTER();
    if (!p)
        return rt_set(cudaErrorInvalidValue);
    return p->srcArray || p->dstArray ? rt_copy_arrays(p, stream) : copy_planes(p, stream);
}

CUDART(cudaMemcpy3D, const struct cudaMemcpy3DParms *p)
{
    RT_ENTER_SYNC();
    return rt_cudaMemcpy3DAsync(p, NULL);
}

CUDART(cudaMemcpy3DPeerAsync, const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    RT_ENTER();
    if (!p)
        return rt_set(cudaErrorInvalidValue);
    if (!session_is_device(p->srcDevice) || !session_is_device(p->dstDevice))
        return rt_set(cudaErrorInvalidDevice);
    const struct cudaMemcpy3DParms same = {.srcArray = p->srcArray,
                                           .srcPos = p->srcPos,
                                           .srcPtr = p->srcPtr,
                                           .dstArray = p->dstArray,
                                           .dstPos = p->dstPos,
                                           .dstPtr = p->dstPtr,
                                           .extent = p->extent,
                                           .kind = cudaMemcpyDeviceToDevice};
    return rt_cudaMemcpy3DAsync(&same, stream); /* addresses and arrays say whose they are */
}

CUDART(cudaMemcpy3DPeer, const struct cudaMemcpy3DPeerParms *p)
{
    RT_ENTER_SYNC();
    return rt_cudaMemcpy3DPeerAsync(p, NULL);
}

/* -- memset */

CUDART(cudaMemsetAsync, void *p, int value, size_t bytes, cudaStream_t stream)
{
    RT_ENTER();
    return rt(cuMemsetD8Async(address(p), (unsigned char)value, bytes, stream));
}

CUDART(cudaMemset, void *p, int value, size_t bytes)
{
    return rt_cudaMemsetAsync(p, value, bytes, NULL);
}

CUDART(cudaMemset3DAsync, struct cudaPitchedPtr p, int value, struct cudaExtent box,
       cudaStream_t stream)
{
    RT_ENTER();
    if (box.width > p.pitch && (box.height > 1 || box.depth > 1))
        return rt_set(cudaErrorInvalidValue);
    if (is_empty(box))
        return cudaSuccess;
    struct plane rows;
    if (!plane_of(&p, &(struct cudaPos){0}, box, &rows))
        return rt_set(cudaErrorInvalidValue);
    for (size_t z = 0; z < box.depth; z++)
        for (size_t y = 0; y < box.height; y++) {
            CUresult r = cuMemsetD8Async(address(row_of(&rows, y, z)), (unsigned char)value,
                                         box.width, stream);
            if (r != CUDA_SUCCESS)
                return rt(r);
        }
    return cudaSuccess;
}

CUDART(cudaMemset3D, struct cudaPitchedPtr p, int value, struct cudaExtent box)
{
    return rt_cudaMemset3DAsync(p, value, box, NULL);
}

CUDART(cudaMemset2DAsync, void *p, size_t pitch, int value, size_t width, size_t height,
       cudaStream_t stream)
{
    struct cudaPitchedPtr rows = {p, pitch, width, height};
    return rt_cudaMemset3DAsync(rows, value, (struct cudaExtent){width, height, 1}, stream);
}

CUDART(cudaMemset2D, void *p, size_t pitch, int value, size_t width, size_t height)
{
    return rt_cudaMemset2DAsync(p, pitch, value, width, height, NULL);
}
