/* array.c -- arrays of one to three dimensions, and copies from and to them. */
#include "cudart/array.h"

#include <string.h>

bool rt_format(const struct cudaChannelFormatDesc *d, CUarray_format *format, unsigned *channels)
{
    static const CUarray_format formats[3][3] = {
        {CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT32},
        {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32},
        {(CUarray_format)0, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT}};
    const int bits[4] = {d->x, d->y, d->z, d->w};
    int width = d->x == 8 ? 0 : d->x == 16 ? 1 : d->x == 32 ? 2 : -1;
    unsigned n = 0;
    while (n < 4 && bits[n])
        n++;
    for (unsigned i = 0; i < n; i++)
        if (bits[i] != d->x)
            return false;
    if (width < 0 || n == 3 || d->kind < 0 || d->kind > 2 || !formats[d->kind][width])
        return false;
    *format = formats[d->kind][width];
    *channels = n;
    return true;
}

CUDART_AS(struct cudaChannelFormatDesc, cudaCreateChannelDesc, int x, int y, int z, int w, int kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

CUDART(cudaMalloc3DArray, cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
       struct cudaExtent extent, unsigned flags)
{
    RT_ENTER();
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    if (!array || !desc)
        return rt_set(cudaErrorInvalidValue);
    if (!rt_format(desc, &d.Format, &d.NumChannels))
        return rt_set(cudaErrorInvalidChannelDescriptor);
    return rt(cuArray3DCreate(array, &d));
}

CUDART(cudaMallocArray, cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
       size_t height, unsigned flags)
{
    return rt_cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

CUDART(cudaFreeArray, cudaArray_t array)
{
    RT_ENTER();
    return array ? rt(cuArrayDestroy(array)) : cudaSuccess;
}

CUDART(cudaMallocMipmappedArray, CUmipmappedArray *array, const struct cudaChannelFormatDesc *desc,
       struct cudaExtent extent, unsigned levels, unsigned flags)
{
    RT_ENTER();
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    if (!array || !desc)
        return rt_set(cudaErrorInvalidValue);
    if (!rt_format(desc, &d.Format, &d.NumChannels))
        return rt_set(cudaErrorInvalidChannelDescriptor);
    return rt(cuMipmappedArrayCreate(array, &d, levels));
}

CUDART(cudaGetMipmappedArrayLevel, cudaArray_t *array, CUmipmappedArray m, unsigned level)
{
    RT_ENTER();
    return rt(cuMipmappedArrayGetLevel(array, m, level));
}

CUDART(cudaFreeMipmappedArray, CUmipmappedArray m)
{
    RT_ENTER();
    return m ? rt(cuMipmappedArrayDestroy(m)) : cudaSuccess;
}

/* Bits a channel and its kind, and the bytes of an element. */
static struct cudaChannelFormatDesc channels_of(const CUDA_ARRAY3D_DESCRIPTOR *d, size_t *bytes)
{
    struct cudaChannelFormatDesc c = {0};
    int bits = 8 << ((d->Format - 1) & 3), *at[4] = {&c.x, &c.y, &c.z, &c.w};
    if (d->Format == CU_AD_FORMAT_HALF || d->Format == CU_AD_FORMAT_FLOAT) {
        bits = d->Format == CU_AD_FORMAT_HALF ? 16 : 32;
        c.kind = 2;
    } else
        c.kind = d->Format < CU_AD_FORMAT_SIGNED_INT8;
    if (d->Format >= CU_AD_FORMAT_SIGNED_INT8 && c.kind == 0)
        bits = 8 << (d->Format - CU_AD_FORMAT_SIGNED_INT8);
    for (unsigned i = 0; i < d->NumChannels; i++)
        *at[i] = bits;
    *bytes = d->NumChannels * (size_t)bits / 8;
    return c;
}

CUDART(cudaArrayGetInfo, struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
       unsigned *flags, cudaArray_t array)
{
    RT_ENTER();
    CUDA_ARRAY3D_DESCRIPTOR d;
    size_t bytes;
    CUresult r = cuArray3DGetDescriptor(&d, array);
    if (r != CUDA_SUCCESS)
        return rt(r);
    if (desc)
        *desc = channels_of(&d, &bytes);
    if (extent)
        *extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
    if (flags)
        *flags = d.Flags;
    return cudaSuccess;
}

CUDART(cudaGetChannelDesc, struct cudaChannelFormatDesc *desc, cudaArray_t array)
{
    return rt_cudaArrayGetInfo(desc, NULL, NULL, array);
}

/* -- copies */

static size_t element(cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    size_t bytes = 1;
    if (cuArray3DGetDescriptor(&d, array) == CUDA_SUCCESS)
        channels_of(&d, &bytes);
    return bytes;
}

/* One side: an array, or memory of the kind that it is. */
static void set_source(CUDA_MEMCPY3D *c, cudaArray_t array, const void *p)
{
    bool device = devmem_find(rt_memory(), (addr_t)(uintptr_t)p, 1);
    c->srcMemoryType = array    ? CU_MEMORYTYPE_ARRAY
                       : device ? CU_MEMORYTYPE_DEVICE
                                : CU_MEMORYTYPE_HOST;
    c->srcArray = array;
    c->srcHost = p;
    c->srcDevice = (CUdeviceptr)(uintptr_t)p;
}

static void set_target(CUDA_MEMCPY3D *c, cudaArray_t array, void *p)
{
    bool device = devmem_find(rt_memory(), (addr_t)(uintptr_t)p, 1);
    c->dstMemoryType = array    ? CU_MEMORYTYPE_ARRAY
                       : device ? CU_MEMORYTYPE_DEVICE
                                : CU_MEMORYTYPE_HOST;
    c->dstArray = array;
    c->dstHost = p;
    c->dstDevice = (CUdeviceptr)(uintptr_t)p;
}

static CUresult copy_3d(const void *copy, CUstream stream)
{
    (void)stream;
    return cuMemcpy3D(copy);
}

/* Where an array takes part, x and widths count its elements; else bytes. */
cudaError_t rt_copy_arrays(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    CUresult r = session_own_stream(stream);
    if (r == CUDA_SUCCESS)
        graph_forbidden(stream, &r);
    if (r != CUDA_SUCCESS)
        return rt(r);
    size_t from = p->srcArray ? element(p->srcArray) : 1;
    size_t to = p->dstArray ? element(p->dstArray) : 1;
    size_t width = p->srcArray ? from : to;
    CUDA_MEMCPY3D c = {.srcXInBytes = p->srcPos.x * from,
                       .srcY = p->srcPos.y,
                       .srcZ = p->srcPos.z,
                       .srcPitch = p->srcPtr.pitch,
                       .srcHeight = p->srcPtr.ysize,
                       .dstXInBytes = p->dstPos.x * to,
                       .dstY = p->dstPos.y,
                       .dstZ = p->dstPos.z,
                       .dstPitch = p->dstPtr.pitch,
                       .dstHeight = p->dstPtr.ysize,
                       .WidthInBytes = p->extent.width * width,
                       .Height = p->extent.height,
                       .Depth = p->extent.depth};
    set_source(&c, p->srcArray, p->srcPtr.ptr);
    set_target(&c, p->dstArray, p->dstPtr.ptr);
    return rt(pending_run(session_current(), stream, copy_3d, &c));
}

/* Rows of `width` bytes between an array, from byte x of row y on, and memory. */
static cudaError_t rows(CUDA_MEMCPY3D *c, cudaStream_t stream)
{
    CUresult r = session_own_stream(stream);
    if (r == CUDA_SUCCESS)
        graph_forbidden(stream, &r);
    c->Depth = 1;
    return rt(r == CUDA_SUCCESS ? pending_run(session_current(), stream, copy_3d, c) : r);
}

CUDART(cudaMemcpy2DToArrayAsync, cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    RT_ENTER();
    CUDA_MEMCPY3D c = {.dstXInBytes = x,
                       .dstY = y,
                       .srcPitch = pitch,
                       .srcHeight = height,
                       .WidthInBytes = width,
                       .Height = height};
    set_source(&c, NULL, src);
    set_target(&c, dst, NULL);
    return rows(&c, stream);
}

CUDART(cudaMemcpy2DToArray, cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
       size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return rt_cudaMemcpy2DToArrayAsync(dst, x, y, src, pitch, width, height, kind, NULL);
}

CUDART(cudaMemcpy2DFromArrayAsync, void *dst, size_t pitch, cudaArray_t src, size_t x, size_t y,
       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    RT_ENTER();
    CUDA_MEMCPY3D c = {.srcXInBytes = x,
                       .srcY = y,
                       .dstPitch = pitch,
                       .dstHeight = height,
                       .WidthInBytes = width,
                       .Height = height};
    set_source(&c, src, NULL);
    set_target(&c, NULL, dst);
    return rows(&c, stream);
}

CUDART(cudaMemcpy2DFromArray, void *dst, size_t pitch, cudaArray_t src, size_t x, size_t y,
       size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return rt_cudaMemcpy2DFromArrayAsync(dst, pitch, src, x, y, width, height, kind, NULL);
}

CUDART(cudaMemcpy2DArrayToArray, cudaArray_t dst, size_t to_x, size_t to_y, cudaArray_t src,
       size_t from_x, size_t from_y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    (void)kind;
    RT_ENTER();
    CUDA_MEMCPY3D c = {.srcXInBytes = from_x,
                       .srcY = from_y,
                       .dstXInBytes = to_x,
                       .dstY = to_y,
                       .WidthInBytes = width,
                       .Height = height};
    set_source(&c, src, NULL);
    set_target(&c, dst, NULL);
    return rows(&c, NULL);
}
CUDART_ALIAS(cudaMemcpy2DArrayToArray, cudaMemcpy2DArrayToArray_ptds);

/* The older calls: bytes row by row, as the array has them. */
static size_t row_bytes(cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    size_t bytes = 0;
    if (cuArray3DGetDescriptor(&d, array) != CUDA_SUCCESS)
        return 0;
    channels_of(&d, &bytes);
    return bytes * d.Width;
}

CUDART(cudaMemcpyToArrayAsync, cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RT_ENTER();
    size_t row = row_bytes(dst);
    const char *from = src;
    if (!row || x >= row)
        return rt_set(cudaErrorInvalidValue);
    while (bytes) {
        size_t n = bytes < row - x ? bytes : row - x;
        bool whole = x == 0 && bytes >= row;
        size_t lines = whole ? bytes / row : 1;
        cudaError_t e =
            rt_cudaMemcpy2DToArrayAsync(dst, x, y, from, whole ? row : n, n, lines, kind, stream);
        if (e != cudaSuccess)
            return e;
        from += n * lines;
        bytes -= n * lines;
        y += lines;
        x = 0;
    }
    return cudaSuccess;
}

CUDART(cudaMemcpyToArray, cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
       enum cudaMemcpyKind kind)
{
    return rt_cudaMemcpyToArrayAsync(dst, x, y, src, bytes, kind, NULL);
}

CUDART(cudaMemcpyFromArrayAsync, void *dst, cudaArray_t src, size_t x, size_t y, size_t bytes,
       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RT_ENTER();
    size_t row = row_bytes(src);
    char *to = dst;
    if (!row || x >= row)
        return rt_set(cudaErrorInvalidValue);
    while (bytes) {
        size_t n = bytes < row - x ? bytes : row - x;
        cudaError_t e = rt_cudaMemcpy2DFromArrayAsync(to, n, src, x, y, n, 1, kind, stream);
        if (e != cudaSuccess)
            return e;
        to += n;
        bytes -= n;
        y++;
        x = 0;
    }
    return cudaSuccess;
}

CUDART(cudaMemcpyFromArray, void *dst, cudaArray_t src, size_t x, size_t y, size_t bytes,
       enum cudaMemcpyKind kind)
{
    return rt_cudaMemcpyFromArrayAsync(dst, src, x, y, bytes, kind, NULL);
}
