#include "data/workloads/texture.h"

static size_t texel_bytes(const struct texture_texels *t)
{
    const bool word = t->format == CU_AD_FORMAT_FLOAT || t->format == CU_AD_FORMAT_UNSIGNED_INT32 ||
                      t->format == CU_AD_FORMAT_SIGNED_INT32;
    const bool byte =
        t->format == CU_AD_FORMAT_UNSIGNED_INT8 || t->format == CU_AD_FORMAT_SIGNED_INT8;
    return t->channels * (word ? 4 : byte ? 1 : 2);
}

static bool make_object(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, struct err *e)
{
    const CUDA_TEXTURE_DESC as_they_are = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP,
                                                           CU_TR_ADDRESS_MODE_CLAMP,
                                                           CU_TR_ADDRESS_MODE_CLAMP},
                                           .filterMode = CU_TR_FILTER_MODE_POINT,
                                           .flags = CU_TRSF_READ_AS_INTEGER};
    TRY(cuTexObjectCreate(texture, resource, &as_they_are, NULL));
    return true;
}

bool texture_of_array(CUtexObject *texture, const void *texels, const struct texture_texels *t,
                      struct err *e)
{
    CUarray array;
    const CUDA_ARRAY_DESCRIPTOR shape = {t->width, t->height, t->format, t->channels};
    const size_t row = t->width * texel_bytes(t);
    TRY(cuArrayCreate(&array, &shape));
    const CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                .srcHost = texels,
                                .srcPitch = row,
                                .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                .dstArray = array,
                                .WidthInBytes = row,
                                .Height = t->height ? t->height : 1};
    TRY(cuMemcpy2D(&copy));
    return make_object(
        texture,
        &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array}, e);
}

bool texture_of_memory(CUtexObject *texture, CUdeviceptr ptr, const struct texture_texels *t,
                       struct err *e)
{
    const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                         .res.linear = {.devPtr = ptr,
                                                        .format = t->format,
                                                        .numChannels = t->channels,
                                                        .sizeInBytes = t->width * texel_bytes(t)}};
    return make_object(texture, &resource, e);
}

bool texture_of_copy(CUtexObject *texture, const void *texels, const struct texture_texels *t,
                     struct err *e)
{
    const size_t bytes = t->width * texel_bytes(t);
    CUdeviceptr ptr;
    TRY(cuMemAlloc(&ptr, bytes + CU_TEXTURE_ALIGNMENT));
    ptr = (ptr + CU_TEXTURE_ALIGNMENT - 1) / CU_TEXTURE_ALIGNMENT * CU_TEXTURE_ALIGNMENT;
    TRY(cuMemcpyHtoD(ptr, texels, bytes));
    return texture_of_memory(texture, ptr, t, e);
}
