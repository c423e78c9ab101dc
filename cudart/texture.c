/* texture.c -- texture and surface objects; the texture references of programs built with CUDA 11
 * and before. */
#include "cudart/array.h"

struct cudaResourceDesc {
    int type; /* 0 array, 1 mipmapped array, 2 linear, 3 rows */
    union {
        cudaArray_t array;
        CUmipmappedArray mipmap;
        struct {
            void *at;
            struct cudaChannelFormatDesc desc;
            size_t bytes;
        } linear;
        struct {
            void *at;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitch;
        } rows;
    };
};

struct cudaTextureDesc { /* what follows (seamless cubes) is not read */
    int address[3], filter, normalized_float, srgb;
    float border[4];
    int normalized_coordinates;
    unsigned anisotropy;
    int between_levels;
    float bias, lowest, highest;
};

static cudaError_t resource(const struct cudaResourceDesc *d, CUDA_RESOURCE_DESC *out)
{
    *out = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)d->type};
    const struct cudaChannelFormatDesc *c = NULL;
    CUarray_format *format = NULL;
    unsigned *channels = NULL;
    if (d->type == CU_RESOURCE_TYPE_ARRAY)
        out->res.array.hArray = d->array;
    else if (d->type == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
        out->res.mipmap.hMipmappedArray = d->mipmap;
    else if (d->type == CU_RESOURCE_TYPE_LINEAR) {
        out->res.linear.devPtr = (CUdeviceptr)(uintptr_t)d->linear.at;
        out->res.linear.sizeInBytes = d->linear.bytes;
        c = &d->linear.desc;
        format = &out->res.linear.format;
        channels = &out->res.linear.numChannels;
    } else if (d->type == CU_RESOURCE_TYPE_PITCH2D) {
        out->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)d->rows.at;
        out->res.pitch2D.width = d->rows.width;
        out->res.pitch2D.height = d->rows.height;
        out->res.pitch2D.pitchInBytes = d->rows.pitch;
        c = &d->rows.desc;
        format = &out->res.pitch2D.format;
        channels = &out->res.pitch2D.numChannels;
    } else
        return cudaErrorInvalidValue;
    return !c || rt_format(c, format, channels) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

enum { LINEAR_FILTER = 1, FLOATS = 2 };

/* Integers of 32 bits are no fractions of anything, and no others are filtered but as fractions. */
static cudaError_t readable(const struct cudaResourceDesc *d, const struct cudaTextureDesc *how)
{
    const struct cudaChannelFormatDesc *c =
        d->type == CU_RESOURCE_TYPE_LINEAR ? &d->linear.desc : &d->rows.desc;
    if (d->type == CU_RESOURCE_TYPE_ARRAY || c->kind == FLOATS)
        return cudaSuccess;
    if (how->normalized_float && c->x == 32)
        return cudaErrorInvalidNormSetting;
    return d->type == CU_RESOURCE_TYPE_PITCH2D && how->filter == LINEAR_FILTER &&
                   !how->normalized_float
               ? cudaErrorInvalidFilterSetting
               : cudaSuccess;
}

CUDART(cudaCreateTextureObject, CUtexObject *object, const struct cudaResourceDesc *what,
       const struct cudaTextureDesc *how, const void *view)
{
    RT_ENTER();
    CUDA_RESOURCE_DESC r;
    if (!object || !what || !how)
        return rt_set(cudaErrorInvalidValue);
    cudaError_t e = resource(what, &r);
    if (e == cudaSuccess)
        e = readable(what, how);
    if (e != cudaSuccess)
        return rt_set(e);
    CUDA_TEXTURE_DESC t = {.filterMode = (CUfilter_mode)how->filter,
                           .flags =
                               (how->normalized_float ? 0u : CU_TRSF_READ_AS_INTEGER) |
                               (how->normalized_coordinates ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
                               (how->srgb ? CU_TRSF_SRGB : 0u),
                           .maxAnisotropy = how->anisotropy,
                           .mipmapFilterMode = (CUfilter_mode)how->between_levels,
                           .mipmapLevelBias = how->bias,
                           .minMipmapLevelClamp = how->lowest,
                           .maxMipmapLevelClamp = how->highest};
    for (int i = 0; i < 3; i++)
        t.addressMode[i] = (CUaddress_mode)how->address[i];
    for (int i = 0; i < 4; i++)
        t.borderColor[i] = how->border[i];
    return rt(cuTexObjectCreate(object, &r, &t, view));
}
CUDART_ALIAS(cudaCreateTextureObject, cudaCreateTextureObject_v2);

CUDART(cudaDestroyTextureObject, CUtexObject object)
{
    RT_ENTER();
    return object ? rt(cuTexObjectDestroy(object)) : cudaSuccess;
}

CUDART(cudaCreateSurfaceObject, CUsurfObject *object, const struct cudaResourceDesc *what)
{
    RT_ENTER();
    CUDA_RESOURCE_DESC r;
    cudaError_t e = object && what ? resource(what, &r) : cudaErrorInvalidValue;
    return e == cudaSuccess ? rt(cuSurfObjectCreate(object, &r)) : rt_set(e);
}

CUDART(cudaDestroySurfaceObject, CUsurfObject object)
{
    RT_ENTER();
    return object ? rt(cuSurfObjectDestroy(object)) : cudaSuccess;
}

/* -- references: the program's struct is read when it is bound */

struct textureReference {
    int normalized, filter, address[3];
    struct cudaChannelFormatDesc desc;
};

/* `device` is the name in the PTX, `name` that in the source ("::a::b"), whatever the prototype
 * says. */
CUDART_AS(void, __cudaRegisterTexture, void **handle, const void *host, const char *device,
          const char *name, int dim, int normalized_float, int external)
{
    (void)name, (void)dim, (void)external;
    rt_add_texture(handle, host, device, normalized_float);
}

CUDART_AS(void, __cudaRegisterSurface, void **handle, const void *host, const char *device,
          const char *name, int dim, int external)
{
    (void)name, (void)dim, (void)external;
    rt_add_texture(handle, host, device, 0);
}

static CUresult configure(CUtexref t, const struct textureReference *r,
                          const struct cudaChannelFormatDesc *desc, int normalized_float)
{
    CUarray_format format;
    unsigned channels;
    if (desc && !rt_format(desc, &format, &channels))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult e = desc ? cuTexRefSetFormat(t, format, (int)channels) : CUDA_SUCCESS;
    for (int i = 0; i < 3 && e == CUDA_SUCCESS; i++)
        e = cuTexRefSetAddressMode(t, i, (CUaddress_mode)r->address[i]);
    if (e == CUDA_SUCCESS)
        e = cuTexRefSetFilterMode(t, (CUfilter_mode)r->filter);
    if (e == CUDA_SUCCESS)
        e = cuTexRefSetFlags(t, (normalized_float ? 0u : CU_TRSF_READ_AS_INTEGER) |
                                    (r->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u));
    return e;
}

static cudaError_t begin(const struct textureReference *r, const struct cudaChannelFormatDesc *desc,
                         CUtexref *t)
{
    int normalized_float;
    cudaError_t e = rt_texture(r, t, &normalized_float);
    return e == cudaSuccess ? (cudaError_t)configure(*t, r, desc, normalized_float) : e;
}

CUDART(cudaBindTexture, size_t *offset, const struct textureReference *r, const void *p,
       const struct cudaChannelFormatDesc *desc, size_t bytes)
{
    RT_ENTER();
    CUtexref t;
    CUdeviceptr base;
    size_t whole, none;
    cudaError_t e = p && desc ? begin(r, desc, &t) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_set(e);
    CUresult found = cuMemGetAddressRange(&base, &whole, (CUdeviceptr)(uintptr_t)p);
    if (found != CUDA_SUCCESS)
        return rt_set(cudaErrorInvalidDevicePointer);
    size_t rest = (size_t)(base + whole - (CUdeviceptr)(uintptr_t)p);
    return rt(cuTexRefSetAddress(offset ? offset : &none, t, (CUdeviceptr)(uintptr_t)p,
                                 bytes < rest ? bytes : rest));
}

CUDART(cudaBindTexture2D, size_t *offset, const struct textureReference *r, const void *p,
       const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
    RT_ENTER();
    CUtexref t;
    CUDA_ARRAY_DESCRIPTOR d = {.Width = width, .Height = height};
    cudaError_t e = p && desc ? begin(r, desc, &t) : cudaErrorInvalidValue;
    if (e != cudaSuccess || !rt_format(desc, &d.Format, &d.NumChannels))
        return rt_set(e == cudaSuccess ? cudaErrorInvalidChannelDescriptor : e);
    if (offset)
        *offset = 0;
    return rt(cuTexRefSetAddress2D(t, &d, (CUdeviceptr)(uintptr_t)p, pitch));
}

CUDART(cudaBindTextureToArray, const struct textureReference *r, cudaArray_t array,
       const struct cudaChannelFormatDesc *desc)
{
    (void)desc;
    RT_ENTER();
    CUtexref t;
    cudaError_t e = begin(r, NULL, &t);
    return e == cudaSuccess ? rt(cuTexRefSetArray(t, array, CU_TRSA_OVERRIDE_FORMAT)) : rt_set(e);
}

CUDART(cudaUnbindTexture, const struct textureReference *r)
{
    RT_ENTER();
    CUtexref t;
    int normalized_float;
    return rt_set(
        rt_texture(r, &t, &normalized_float)); /* what is bound may stay: nothing reads it */
}

CUDART(cudaGetTextureReference, const struct textureReference **r, const void *symbol)
{
    RT_ENTER();
    CUtexref t;
    int normalized_float;
    cudaError_t e = r ? rt_texture(symbol, &t, &normalized_float) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *r = symbol;
    return rt_set(e);
}

CUDART(cudaGetTextureAlignmentOffset, size_t *offset, const struct textureReference *r)
{
    RT_ENTER();
    if (!offset || !r)
        return rt_set(cudaErrorInvalidValue);
    *offset = 0;
    return cudaSuccess;
}
