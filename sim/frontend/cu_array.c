/* Driver API: arrays and pitched memory (contract: cuda_array.h). */
#include "sim/frontend/cuda_array.h"
#include "sim/frontend/pending.h"

#include <stdlib.h>

bool session_texel_format(CUarray_format f, unsigned int channels, struct image *im)
{
    static const struct {
        CUarray_format cuda;
        enum texel_format here;
    } formats[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, TEXEL_U8},   {CU_AD_FORMAT_UNSIGNED_INT16, TEXEL_U16},
        {CU_AD_FORMAT_UNSIGNED_INT32, TEXEL_U32}, {CU_AD_FORMAT_SIGNED_INT8, TEXEL_S8},
        {CU_AD_FORMAT_SIGNED_INT16, TEXEL_S16},   {CU_AD_FORMAT_SIGNED_INT32, TEXEL_S32},
        {CU_AD_FORMAT_HALF, TEXEL_F16},           {CU_AD_FORMAT_FLOAT, TEXEL_F32},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].cuda == f)
            return channels <= 4 && image_set_format(im, formats[i].here, (int)channels);
    return false;
}

static bool between(size_t n, size_t most)
{
    return n >= 1 && n <= most;
}

static bool sizes_ok(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    const bool layered = d->Flags & CUDA_ARRAY3D_LAYERED, cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    const size_t layers = d->Depth;
    if (cube)
        return between(d->Width, CU_ARRAY_MAX_3D) && d->Height == d->Width && layers &&
               layers % 6 == 0 && layers <= CU_ARRAY_MAX_LAYERS && (layered || layers == 6);
    if (layered)
        return between(layers, CU_ARRAY_MAX_LAYERS) && between(d->Width, CU_ARRAY_MAX_2D_X) &&
               d->Height <= CU_ARRAY_MAX_2D_Y;
    if (d->Depth)
        return between(d->Width, CU_ARRAY_MAX_3D) && between(d->Height, CU_ARRAY_MAX_3D) &&
               d->Depth <= CU_ARRAY_MAX_3D;
    if (d->Height)
        return between(d->Width, CU_ARRAY_MAX_2D_X) && d->Height <= CU_ARRAY_MAX_2D_Y;
    return between(d->Width, CU_ARRAY_MAX_1D);
}

CUresult session_array_shape(const CUDA_ARRAY3D_DESCRIPTOR *d, struct image *im)
{
    const unsigned int known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST |
                               CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;
    if (d->Flags & ~known)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!session_texel_format(d->Format, d->NumChannels, im) || !sizes_ok(d))
        return CUDA_ERROR_INVALID_VALUE;
    const bool layered = d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    im->cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    im->layers = layered ? (uint32_t)d->Depth : 0;
    im->dims = !layered && d->Depth ? 3 : d->Height ? 2 : 1;
    im->size[0] = (uint32_t)d->Width;
    im->size[1] = d->Height ? (uint32_t)d->Height : 1;
    im->size[2] = im->dims == 3 ? (uint32_t)d->Depth : 1;
    return image_lay_out(im) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool session_array_memory(CUcontext ctx, struct image *im, const char *what)
{
    if (!session_get()->host || im->bytes <= session_memory_free(ctx))
        im->base = devmem_alloc(context_mem(ctx->context), im->bytes, what);
    return im->base;
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!array || !desc)
        return CUDA_ERROR_INVALID_VALUE;
    struct image im = {0};
    r = session_array_shape(desc, &im);
    if (r != CUDA_SUCCESS)
        return r;
    if (!session_array_memory(ctx, &im, "array"))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUarray a = xcalloc(1, sizeof *a);
    a->im = im;
    a->desc = *desc;
    a->next = ctx->arrays;
    ctx->arrays = *array = a;
    return CUDA_SUCCESS;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc)
{
    SESSION_CALL();
    if (!desc)
        return cuArray3DCreate(array, NULL);
    const CUDA_ARRAY3D_DESCRIPTOR d = {.Width = desc->Width,
                                       .Height = desc->Height,
                                       .Format = desc->Format,
                                       .NumChannels = desc->NumChannels};
    return cuArray3DCreate(array, &d);
}

static CUarray *find(CUcontext ctx, CUarray array)
{
    CUarray *at = &ctx->arrays;
    while (*at && *at != array)
        at = &(*at)->next;
    return at;
}

bool session_has_array(CUcontext ctx, CUarray array)
{
    return *find(ctx, array) != NULL;
}

CUcontext session_owner_of_array(CUarray array)
{
    const struct session *s = session_get();
    for (CUcontext c = s ? s->contexts : NULL; c; c = c->next)
        if (session_has_array(c, array))
            return c;
    return NULL;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array)
{
    SESSION_CALL();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    if (!desc)
        return CUDA_ERROR_INVALID_VALUE;
    if (!session_owner_of_array(array))
        return CUDA_ERROR_INVALID_HANDLE;
    *desc = array->desc;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array)
{
    SESSION_CALL();
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = cuArray3DGetDescriptor(desc ? &d : NULL, array);
    if (r == CUDA_SUCCESS)
        *desc = (CUDA_ARRAY_DESCRIPTOR){d.Width, d.Height, d.Format, d.NumChannels};
    return r;
}

/* Textures that still point to it say so when they are read. */
CUresult cuArrayDestroy(CUarray array)
{
    SESSION_CALL();
    pending_settle_all();
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    CUarray *at = find(ctx, array);
    if (!*at || array->whole) /* a level goes with the whole */
        return CUDA_ERROR_INVALID_HANDLE;
    *at = array->next;
    devmem_release(context_mem(ctx->context), array->im.base);
    free(array);
    return CUDA_SUCCESS;
}

CUresult cuMemAllocPitch(CUdeviceptr *ptr, size_t *pitch, size_t width, size_t height,
                         unsigned int element_bytes)
{
    SESSION_CALL();
    if (!pitch || width > SIZE_MAX / 2 || !height ||
        (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
        return cuMemAlloc(NULL, 0); /* what is missing first, else an invalid value */
    const size_t row = (width + CU_PITCH_ALIGN - 1) / CU_PITCH_ALIGN * CU_PITCH_ALIGN;
    const CUresult r = cuMemAlloc(ptr, row > SIZE_MAX / height ? SIZE_MAX : row * height);
    if (r == CUDA_SUCCESS)
        *pitch = row;
    return r;
}
