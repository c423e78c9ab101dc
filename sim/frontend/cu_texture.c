/* Driver API: texture and surface objects (contract: cuda_texture.h). */
#include "sim/frontend/cuda_texture.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>
#include <string.h>

/* Ordinary memory behind a texture; the size is in texels. */
static CUresult over_memory(CUcontext ctx, struct image *im, CUdeviceptr ptr, size_t pitch)
{
    if (ptr % image_texel_bytes(im) || pitch % image_texel_bytes(im) ||
        pitch < (size_t)im->size[0] << im->texel_log2)
        return CUDA_ERROR_INVALID_VALUE;
    image_over_memory(im, ptr, pitch);
    return devmem_find(context_mem(ctx->context), ptr, im->bytes) ? CUDA_SUCCESS
                                                                  : CUDA_ERROR_INVALID_VALUE;
}

CUresult session_linear_image(CUcontext ctx, struct image *im, CUdeviceptr ptr, size_t bytes)
{
    const size_t texels = bytes >> im->texel_log2;
    if (!texels || texels > CU_TEXTURE_MAX_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    im->dims = 1;
    im->size[0] = (uint32_t)texels;
    im->size[1] = im->size[2] = 1;
    return over_memory(ctx, im, ptr, texels << im->texel_log2);
}

CUresult session_pitch_image(CUcontext ctx, struct image *im, CUdeviceptr ptr,
                             const struct pitch_shape *s)
{
    if (!s->width || !s->height || s->width > CU_ARRAY_MAX_2D_X || s->height > CU_ARRAY_MAX_2D_Y)
        return CUDA_ERROR_INVALID_VALUE;
    im->dims = 2;
    im->size[0] = (uint32_t)s->width;
    im->size[1] = (uint32_t)s->height;
    im->size[2] = 1;
    return over_memory(ctx, im, ptr, s->pitch);
}

/* The start of an allocation always is (cudaBindTexture: the offset of memory from cudaMalloc is
 * 0).
 */
static bool aligned(CUcontext ctx, CUdeviceptr ptr)
{
    const struct alloc *a = devmem_find(context_mem(ctx->context), ptr, 1);
    return ptr % CU_TEXTURE_ALIGNMENT == 0 || (a && a->base == ptr);
}

static CUresult image_of(CUcontext ctx, const CUDA_RESOURCE_DESC *d, struct image *im)
{
    *im = (struct image){0};
    switch (d->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        if (!session_has_array(ctx, d->res.array.hArray))
            return CUDA_ERROR_INVALID_HANDLE;
        *im = d->res.array.hArray->im;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        if (!aligned(ctx, d->res.linear.devPtr) ||
            !session_texel_format(d->res.linear.format, d->res.linear.numChannels, im))
            return CUDA_ERROR_INVALID_VALUE;
        return session_linear_image(ctx, im, d->res.linear.devPtr, d->res.linear.sizeInBytes);
    case CU_RESOURCE_TYPE_PITCH2D:
        if (!aligned(ctx, d->res.pitch2D.devPtr) ||
            d->res.pitch2D.pitchInBytes % CU_TEXTURE_PITCH_ALIGNMENT ||
            !session_texel_format(d->res.pitch2D.format, d->res.pitch2D.numChannels, im))
            return CUDA_ERROR_INVALID_VALUE;
        return session_pitch_image(ctx, im, d->res.pitch2D.devPtr,
                                   &(struct pitch_shape){d->res.pitch2D.width,
                                                         d->res.pitch2D.height,
                                                         d->res.pitch2D.pitchInBytes});
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        if (!session_has_mipmap(ctx, d->res.mipmap.hMipmappedArray))
            return CUDA_ERROR_INVALID_HANDLE;
        *im = d->res.mipmap.hMipmappedArray->im;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult session_sampler_flags(unsigned int flags, struct tex_sampler *s)
{
    const unsigned int known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES |
                               CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if (flags & ~known)
        return flags & ~(known | CU_TRSF_SRGB | CU_TRSF_SEAMLESS_CUBEMAP)
                   ? CUDA_ERROR_INVALID_VALUE
                   : CUDA_ERROR_NOT_SUPPORTED;
    s->integer = flags & CU_TRSF_READ_AS_INTEGER;
    s->normalized = flags & CU_TRSF_NORMALIZED_COORDINATES;
    return CUDA_SUCCESS;
}

static CUresult sampler_of(const CUDA_TEXTURE_DESC *d, struct tex_sampler *s)
{
    *s = (struct tex_sampler){.linear = d->filterMode == CU_TR_FILTER_MODE_LINEAR};
    for (int i = 0; i < 3; i++) {
        if ((unsigned)d->addressMode[i] >= TEX_ADDRESSES)
            return CUDA_ERROR_INVALID_VALUE;
        s->address[i] = (uint8_t)d->addressMode[i];
    }
    if ((unsigned)d->filterMode > CU_TR_FILTER_MODE_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(s->border, d->borderColor, sizeof s->border);
    s->mip_linear = d->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
    s->bias = d->mipmapLevelBias;
    s->lowest = d->minMipmapLevelClamp;
    s->highest = d->maxMipmapLevelClamp;
    return session_sampler_flags(d->flags, s);
}

static CUresult make(CUcontext ctx, enum tex_kind kind, const struct texture *t,
                     const struct object *as_asked, unsigned long long *handle)
{
    struct object *o = xcalloc(1, sizeof *o);
    *o = *as_asked;
    *handle = o->handle = textures_add(context_textures(ctx->context), kind, t);
    o->next = ctx->objects;
    ctx->objects = o;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!object || !resource || !texture)
        return CUDA_ERROR_INVALID_VALUE;
    if (view)
        return CUDA_ERROR_NOT_SUPPORTED;
    struct texture t;
    r = image_of(ctx, resource, &t.im);
    if (r == CUDA_SUCCESS)
        r = sampler_of(texture, &t.s);
    if (r != CUDA_SUCCESS)
        return r;
    if (t.im.kind == IMAGE_LINEAR)
        t.s.linear = false; /* the filter does not apply */
    const bool levels = t.im.levels > 0;
    if ((t.s.linear || (levels && t.s.mip_linear)) && !texture_is_float(&t.im, &t.s))
        return CUDA_ERROR_INVALID_VALUE;
    if (levels && (unsigned)texture->mipmapFilterMode > CU_TR_FILTER_MODE_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    if (levels && !t.s.normalized) /* cuTexObjectCreate: the flag has to be set */
        return CUDA_ERROR_INVALID_VALUE;
    const struct object asked = {.resource = *resource, .texture = *texture};
    return make(ctx, TEX_KIND_TEXTURE, &t, &asked, object);
}

/* The place in the list that holds the object of this kind. */
static CUresult find(enum tex_kind kind, unsigned long long handle, struct object ***at)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    *at = &ctx->objects;
    while (**at && (**at)->handle != handle)
        *at = &(**at)->next;
    return **at && textures_find(context_textures(ctx->context), kind, handle)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static CUresult destroy(enum tex_kind kind, unsigned long long handle)
{
    CUcontext ctx;
    struct object **at, *gone;
    CUresult r = find(kind, handle, &at);
    if (r != CUDA_SUCCESS)
        return r;
    session_context(&ctx);
    textures_remove(context_textures(ctx->context), kind, handle);
    gone = *at;
    *at = gone->next;
    free(gone);
    return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
    SESSION_CALL();
    pending_settle_all();
    return destroy(TEX_KIND_TEXTURE, object);
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!object || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    struct texture t = {0};
    r = image_of(ctx, resource, &t.im);
    const struct object asked = {.resource = *resource};
    return r == CUDA_SUCCESS ? make(ctx, TEX_KIND_SURFACE, &t, &asked, object) : r;
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
    SESSION_CALL();
    pending_settle_all();
    return destroy(TEX_KIND_SURFACE, object);
}

static CUresult resource_of(enum tex_kind kind, unsigned long long handle, CUDA_RESOURCE_DESC *desc)
{
    struct object **at;
    CUresult r = find(kind, handle, &at);
    if (r != CUDA_SUCCESS)
        return r;
    if (!desc)
        return CUDA_ERROR_INVALID_VALUE;
    *desc = (*at)->resource;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUtexObject object)
{
    SESSION_CALL();
    return resource_of(TEX_KIND_TEXTURE, object, desc);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject object)
{
    SESSION_CALL();
    return resource_of(TEX_KIND_SURFACE, object, desc);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject object)
{
    SESSION_CALL();
    struct object **at;
    CUresult r = find(TEX_KIND_TEXTURE, object, &at);
    if (r != CUDA_SUCCESS)
        return r;
    if (!desc)
        return CUDA_ERROR_INVALID_VALUE;
    *desc = (*at)->texture;
    return CUDA_SUCCESS;
}
