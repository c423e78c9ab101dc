/* Driver API: copies of rows between host memory, device memory and arrays (contract:
 * cuda_array.h). Every copy is a box of rows; each row goes through a buffer. */
#include "sim/frontend/cuda_array.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>
#include <string.h>

struct end {            /* where a box lies */
    struct devmem *mem; /* of device memory and arrays */
    uint8_t *host;
    CUdeviceptr device;
    const struct image *im; /* array, else NULL */
    size_t x, y, z;         /* x in bytes */
    size_t pitch, rows;     /* of memory: bytes a row, rows a slice */
};

static bool add(size_t *to, size_t more)
{
    return !__builtin_add_overflow(*to, more, to);
}

bool session_box_fits(size_t pitch, size_t rows, const size_t at[3], const size_t size[3])
{
    size_t end = at[2];
    if (!size[0] || !size[1] || !size[2])
        return true;
    return add(&end, size[2] - 1) && !__builtin_mul_overflow(end, rows, &end) && add(&end, at[1]) &&
           add(&end, size[1] - 1) && !__builtin_mul_overflow(end, pitch, &end) &&
           add(&end, at[0]) && add(&end, size[0]) && end <= SIZE_MAX / 2;
}

static bool row_move(const struct end *e, size_t y, size_t z, bool write, uint8_t *row,
                     size_t bytes)
{
    if (!e->im) {
        const size_t at = e->x + (e->y + y + (e->z + z) * e->rows) * e->pitch;
        if (!e->host)
            return write ? devmem_write(e->mem, e->device + at, row, bytes)
                         : devmem_read(e->mem, e->device + at, row, bytes);
        memcpy(write ? e->host + at : row, write ? row : e->host + at, bytes);
        return true;
    }
    for (size_t done = 0; done < bytes;) {
        uint64_t run;
        const addr_t a = e->im->base + image_run(e->im, e->x + done, (uint32_t)(e->y + y),
                                                 (uint32_t)(e->z + z), &run);
        const size_t n = run < bytes - done ? run : bytes - done;
        if (!(write ? devmem_write(e->mem, a, row + done, n)
                    : devmem_read(e->mem, a, row + done, n)))
            return false;
        done += n;
    }
    return true;
}

static bool fits(const struct end *e, size_t width, size_t height, size_t depth)
{
    const struct image *im = e->im;
    if (!im)
        return ((height <= 1 && depth <= 1) || e->pitch >= width) &&
               session_box_fits(e->pitch, e->rows, (size_t[]){e->x, e->y, e->z},
                                (size_t[]){width, height, depth});
    const uint64_t row = (uint64_t)im->size[0] << im->texel_log2;
    const uint64_t slices = im->layers ? im->layers : im->size[2];
    return width <= row && e->x <= row - width && height <= im->size[1] &&
           e->y <= im->size[1] - height && depth <= slices && e->z <= slices - depth;
}

/* Device memory is checked by its first and last row, so that a copy is whole or not at all. */
static bool in_memory(const struct end *e, size_t width, size_t height, size_t depth)
{
    if (e->im || e->host)
        return true;
    const size_t first = e->x + (e->y + e->z * e->rows) * e->pitch;
    const size_t last = ((height - 1) + (depth - 1) * e->rows) * e->pitch;
    return devmem_find(e->mem, e->device + first, last + width) != NULL;
}

static enum copy_route route_of(const struct end *dst, const struct end *src)
{
    const addr_t to = dst->im ? dst->im->base : dst->device,
                 from = src->im ? src->im->base : src->device;
    const bool apart = dst->mem == src->mem && devmem_apart(dst->mem, to, from);
    return dst->host || src->host || apart ? COPY_OVER_LINK : COPY_ON_DEVICE;
}

static CUresult box(const struct end *dst, const struct end *src, size_t width,
                    const size_t rows[2])
{
    const size_t height = rows[0], depth = rows[1];
    if (!width || !height || !depth)
        return CUDA_SUCCESS;
    if (!fits(dst, width, height, depth) || !fits(src, width, height, depth) ||
        !in_memory(dst, width, height, depth) || !in_memory(src, width, height, depth))
        return CUDA_ERROR_INVALID_VALUE;
    uint8_t *row = xmalloc(width);
    bool ok = true;
    for (size_t z = 0; z < depth && ok; z++)
        for (size_t y = 0; y < height && ok; y++)
            ok = row_move(src, y, z, false, row, width) && row_move(dst, y, z, true, row, width);
    free(row);
    if (!ok)
        return CUDA_ERROR_INVALID_VALUE;
    session_moved(width * height * depth, route_of(dst, src));
    return CUDA_SUCCESS;
}

/* Sets what the memory type says is meant; device memory is that of the context. */
static CUresult pick(CUcontext ctx, struct end *e, CUmemorytype type, const void *host,
                     CUarray array)
{
    e->mem = context_mem(ctx->context);
    switch (type) {
    case CU_MEMORYTYPE_HOST:
        e->host = (uint8_t *)host;
        return host ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_MEMORYTYPE_DEVICE:
        return CUDA_SUCCESS;
    case CU_MEMORYTYPE_ARRAY:
        ctx = session_owner_of_array(array);
        if (!ctx)
            return CUDA_ERROR_INVALID_HANDLE;
        e->mem = context_mem(ctx->context);
        e->im = &array->im;
        return CUDA_SUCCESS;
    case CU_MEMORYTYPE_UNIFIED:
        if (!session_get()->host) /* host and device addresses are not told apart there */
            return CUDA_ERROR_NOT_SUPPORTED;
        if (!devmem_find(e->mem, e->device, 1))
            e->host = (uint8_t *)(uintptr_t)e->device;
        return e->device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* Device memory of either side is that of the side's context. */
static CUresult between(const CUDA_MEMCPY3D *c, CUcontext to, CUcontext from)
{
    if (c->srcLOD || c->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    struct end src = {.device = c->srcDevice,
                      .x = c->srcXInBytes,
                      .y = c->srcY,
                      .z = c->srcZ,
                      .pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes,
                      .rows = c->srcHeight ? c->srcHeight : c->Height};
    struct end dst = {.device = c->dstDevice,
                      .x = c->dstXInBytes,
                      .y = c->dstY,
                      .z = c->dstZ,
                      .pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes,
                      .rows = c->dstHeight ? c->dstHeight : c->Height};
    CUresult r = pick(from, &src, c->srcMemoryType, c->srcHost, c->srcArray);
    if (r == CUDA_SUCCESS)
        r = pick(to, &dst, c->dstMemoryType, c->dstHost, c->dstArray);
    if (r != CUDA_SUCCESS)
        return r;
    const size_t rows[2] = {c->Height, c->Depth};
    return box(&dst, &src, c->WidthInBytes, rows);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    pending_settle(ctx, NULL);
    return c ? between(c, ctx, ctx) : CUDA_ERROR_INVALID_VALUE;
}

/* The context of one side, whose work comes first; an array brings its own. */
static CUresult side(CUcontext ctx, CUmemorytype type, CUcontext *is)
{
    if (type == CU_MEMORYTYPE_ARRAY || type == CU_MEMORYTYPE_HOST)
        return CUDA_SUCCESS;
    if (!session_has_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    *is = ctx;
    pending_settle(ctx, NULL);
    return CUDA_SUCCESS;
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *c)
{
    SESSION_CALL();
    CUcontext to, from;
    CUresult r = session_context(&to);
    if (r != CUDA_SUCCESS)
        return r;
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    from = to;
    pending_settle(to, NULL);
    r = side(c->dstContext, c->dstMemoryType, &to);
    if (r == CUDA_SUCCESS)
        r = side(c->srcContext, c->srcMemoryType, &from);
    return r == CUDA_SUCCESS ? between(c, to, from) : r;
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes)
{
    const CUDA_MEMCPY3D_PEER c = peer_copy(dst, to, src, from, bytes);
    return cuMemcpy3DPeer(&c);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c)
{
    SESSION_CALL();
    if (!c)
        return cuMemcpy3D(NULL);
    const CUDA_MEMCPY3D all = {.srcXInBytes = c->srcXInBytes,
                               .srcY = c->srcY,
                               .srcMemoryType = c->srcMemoryType,
                               .srcHost = c->srcHost,
                               .srcDevice = c->srcDevice,
                               .srcArray = c->srcArray,
                               .srcPitch = c->srcPitch,
                               .dstXInBytes = c->dstXInBytes,
                               .dstY = c->dstY,
                               .dstMemoryType = c->dstMemoryType,
                               .dstHost = c->dstHost,
                               .dstDevice = c->dstDevice,
                               .dstArray = c->dstArray,
                               .dstPitch = c->dstPitch,
                               .WidthInBytes = c->WidthInBytes,
                               .Height = c->Height,
                               .Depth = 1};
    return cuMemcpy3D(&all);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    SESSION_CALL();
    return cuMemcpy2DUnaligned(c);
}

static CUresult in_array(CUarray array, size_t offset, size_t bytes)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!session_has_array(ctx, array))
        return CUDA_ERROR_INVALID_HANDLE;
    const size_t all = ((size_t)array->im.size[0] << array->im.texel_log2) * array->im.size[1];
    return bytes > all || offset > all - bytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* Bytes of the first row, and on over the rows behind it where the array has two dimensions. */
static CUresult along(CUarray array, size_t offset, CUDA_MEMCPY2D c, size_t bytes, bool to_array)
{
    CUresult r = in_array(array, offset, bytes);
    const size_t row = r == CUDA_SUCCESS ? (size_t)array->im.size[0] << array->im.texel_log2 : 0;
    c.Height = 1;
    for (size_t done = 0; done < bytes && r == CUDA_SUCCESS; done += c.WidthInBytes) {
        const size_t x = (offset + done) % row, left = row - x;
        c.WidthInBytes = left < bytes - done ? left : bytes - done;
        *(to_array ? &c.dstXInBytes : &c.srcXInBytes) = x;
        *(to_array ? &c.dstY : &c.srcY) = (offset + done) / row;
        *(to_array ? &c.srcXInBytes : &c.dstXInBytes) = done;
        r = cuMemcpy2D(&c);
    }
    return r;
}

CUresult cuMemcpyHtoA(CUarray dst, size_t offset, const void *src, size_t bytes)
{
    SESSION_CALL();
    const CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                             .srcHost = src,
                             .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                             .dstArray = dst};
    return along(dst, offset, c, bytes, true);
}

CUresult cuMemcpyDtoA(CUarray dst, size_t offset, CUdeviceptr src, size_t bytes)
{
    SESSION_CALL();
    const CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                             .srcDevice = src,
                             .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                             .dstArray = dst};
    return along(dst, offset, c, bytes, true);
}

CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t offset, size_t bytes)
{
    SESSION_CALL();
    const CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                             .srcArray = src,
                             .dstMemoryType = CU_MEMORYTYPE_HOST,
                             .dstHost = dst};
    return along(src, offset, c, bytes, false);
}

CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t offset, size_t bytes)
{
    SESSION_CALL();
    const CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                             .srcArray = src,
                             .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                             .dstDevice = dst};
    return along(src, offset, c, bytes, false);
}

CUresult cuMemcpyAtoA(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t bytes)
{
    SESSION_CALL();
    CUresult r = in_array(src, src_offset, bytes);
    if (r == CUDA_SUCCESS)
        r = in_array(dst, dst_offset, bytes);
    if (r != CUDA_SUCCESS || !bytes)
        return r;
    uint8_t *copy = xmalloc(bytes);
    r = cuMemcpyAtoH(copy, src, src_offset, bytes);
    if (r == CUDA_SUCCESS)
        r = cuMemcpyHtoA(dst, dst_offset, copy, bytes);
    free(copy);
    return r;
}
