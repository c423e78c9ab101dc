/* sim/frontend/cuda_array.h -- the driver API's arrays and the copies that know rows; part of
 * cuda.h, whose words hold here too. Arrays have one to three dimensions and may be layered or cube
 * maps, and mipmapped: a level of such an array is an array. */
#ifndef MDP_SIM_FRONTEND_CUDA_ARRAY_H
#define MDP_SIM_FRONTEND_CUDA_ARRAY_H

#include "sim/frontend/cuda.h"

typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;

typedef enum CUarray_format_enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
    CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
    CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
    CU_AD_FORMAT_SIGNED_INT8 = 0x08,
    CU_AD_FORMAT_SIGNED_INT16 = 0x09,
    CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
    CU_AD_FORMAT_HALF = 0x10,
    CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;

#define CUDA_ARRAY3D_LAYERED        0x01
#define CUDA_ARRAY3D_SURFACE_LDST   0x02
#define CUDA_ARRAY3D_CUBEMAP        0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width, Height; /* Height 0: one dimension */
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
    size_t Width, Height, Depth; /* Depth: layers of a layered array, 6 a cube */
    CUarray_format Format;
    unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_ARRAY = 3,
    CU_MEMORYTYPE_UNIFIED = 4 /* refused where no process shares its memory */
} CUmemorytype;

typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D_st {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    CUcontext srcContext; /* of cuMemcpy3DPeer alone, like dstContext */
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    CUcontext dstContext;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef CUDA_MEMCPY3D CUDA_MEMCPY3D_PEER; /* the same layout */

#define cuMemAllocPitch        cuMemAllocPitch_v2
#define cuArrayCreate          cuArrayCreate_v2
#define cuArrayGetDescriptor   cuArrayGetDescriptor_v2
#define cuArray3DCreate        cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuMemcpyDtoA           cuMemcpyDtoA_v2
#define cuMemcpyAtoD           cuMemcpyAtoD_v2
#define cuMemcpyHtoA           cuMemcpyHtoA_v2
#define cuMemcpyAtoH           cuMemcpyAtoH_v2
#define cuMemcpyAtoA           cuMemcpyAtoA_v2
#define cuMemcpy2D             cuMemcpy2D_v2
#define cuMemcpy2DUnaligned    cuMemcpy2DUnaligned_v2
#define cuMemcpy3D             cuMemcpy3D_v2

/* Largest sizes, those of compute capability 7.5 (Programming Guide, technical specifications). */
#define CU_ARRAY_MAX_1D            131072
#define CU_ARRAY_MAX_2D_X          131072
#define CU_ARRAY_MAX_2D_Y          65536
#define CU_ARRAY_MAX_3D            16384 /* in each dimension; also the side of a cube map */
#define CU_ARRAY_MAX_LAYERS        2048
#define CU_TEXTURE_MAX_LINEAR      (1u << 28) /* texels of linear memory */
#define CU_TEXTURE_ALIGNMENT       512        /* bytes: of the memory under a texture */
#define CU_TEXTURE_PITCH_ALIGNMENT 32

/* Rows start on multiples of CU_PITCH_ALIGN bytes. */
#define CU_PITCH_ALIGN 512
#pragma GCC visibility push(default)
CUresult cuMemAllocPitch(CUdeviceptr *ptr, size_t *pitch, size_t width, size_t height,
                         unsigned int element_bytes);
CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array);
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array);
CUresult cuArrayDestroy(CUarray array);
/* levels: at least 1, and no more than there can be. */
CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                                unsigned int levels);
CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray m, unsigned int level);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray m);
/* Offsets are in bytes from the start of the first row. */
CUresult cuMemcpyDtoA(CUarray dst, size_t offset, CUdeviceptr src, size_t bytes);
CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t offset, size_t bytes);
CUresult cuMemcpyHtoA(CUarray dst, size_t offset, const void *src, size_t bytes);
CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t offset, size_t bytes);
CUresult cuMemcpyAtoA(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t bytes);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy);
/* Between contexts, of the same device or of two: no peer access is needed. */
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy);
CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes);
#pragma GCC visibility pop

/* The same copy as a box of one row. */
static inline CUDA_MEMCPY3D_PEER peer_copy(CUdeviceptr dst, CUcontext to, CUdeviceptr src,
                                           CUcontext from, size_t bytes)
{
    return (CUDA_MEMCPY3D_PEER){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                .srcDevice = src,
                                .srcContext = from,
                                .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                .dstDevice = dst,
                                .dstContext = to,
                                .WidthInBytes = bytes,
                                .Height = 1,
                                .Depth = 1};
}

#endif
