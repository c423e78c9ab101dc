/* sim/frontend/cuda_texture.h -- the driver API's texture and surface objects, and the older
 * texture and surface references; part of cuda.h, whose words hold here too. sRGB, resource
 * views and mipmaps of references are refused (CUDA_ERROR_NOT_SUPPORTED), anisotropy is ignored. */
#ifndef MDP_SIM_FRONTEND_CUDA_TEXTURE_H
#define MDP_SIM_FRONTEND_CUDA_TEXTURE_H

#include "sim/frontend/cuda_array.h"

typedef unsigned long long CUtexObject, CUsurfObject;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;

typedef enum CUaddress_mode_enum {
    CU_TR_ADDRESS_MODE_WRAP = 0,
    CU_TR_ADDRESS_MODE_CLAMP = 1,
    CU_TR_ADDRESS_MODE_MIRROR = 2,
    CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;

typedef enum CUfilter_mode_enum {
    CU_TR_FILTER_MODE_POINT = 0,
    CU_TR_FILTER_MODE_LINEAR = 1
} CUfilter_mode;

#define CU_TRSA_OVERRIDE_FORMAT                0x01
#define CU_TRSF_READ_AS_INTEGER                0x01
#define CU_TRSF_NORMALIZED_COORDINATES         0x02
#define CU_TRSF_SRGB                           0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP               0x40

typedef enum CUresourcetype_enum {
    CU_RESOURCE_TYPE_ARRAY = 0,
    CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
    CU_RESOURCE_TYPE_LINEAR = 2,
    CU_RESOURCE_TYPE_PITCH2D = 3
} CUresourcetype;

typedef struct CUDA_RESOURCE_DESC_st {
    CUresourcetype resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUmipmappedArray hMipmappedArray;
        } mipmap;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC;

typedef struct CUDA_TEXTURE_DESC_st {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned int flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    float borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC; /* refused unless NULL */

#define cuTexRefSetAddress   cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress   cuTexRefGetAddress_v2

#pragma GCC visibility push(default)
CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view);
CUresult cuTexObjectDestroy(CUtexObject object);
CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource);
CUresult cuSurfObjectDestroy(CUsurfObject object);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUtexObject object);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject object);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject object);

/* References: a change holds for launches made after it. */
CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name);
/* *byte_offset is always 0: any texel may be the first. */
CUresult cuTexRefSetAddress(size_t *byte_offset, CUtexref ref, CUdeviceptr ptr, size_t bytes);
CUresult cuTexRefSetAddress2D(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr ptr,
                              size_t pitch);
CUresult cuTexRefSetArray(CUtexref ref, CUarray array, unsigned int flags);
CUresult cuTexRefSetFormat(CUtexref ref, CUarray_format format, int channels);
CUresult cuTexRefSetAddressMode(CUtexref ref, int dim, CUaddress_mode mode);
CUresult cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode);
CUresult cuTexRefSetFlags(CUtexref ref, unsigned int flags);
CUresult cuTexRefSetBorderColor(CUtexref ref, float *color);
CUresult cuTexRefSetMaxAnisotropy(CUtexref ref, unsigned int ratio);
CUresult cuTexRefSetMipmappedArray(CUtexref ref, CUmipmappedArray array, unsigned int flags);
CUresult cuTexRefGetAddress(CUdeviceptr *ptr, CUtexref ref);
CUresult cuTexRefGetArray(CUarray *array, CUtexref ref);
CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref ref);
CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref ref, int dim);
CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref ref);
CUresult cuTexRefGetFlags(unsigned int *flags, CUtexref ref);
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref ref);
CUresult cuModuleGetSurfRef(CUsurfref *ref, CUmodule module, const char *name);
CUresult cuSurfRefSetArray(CUsurfref ref, CUarray array, unsigned int flags);
#pragma GCC visibility pop

#endif
