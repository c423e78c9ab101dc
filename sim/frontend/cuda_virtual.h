/* sim/frontend/cuda_virtual.h -- the driver API's virtual memory: addresses are reserved, memory is
 * made apart from them, mapped there, and reached once access is granted (cuda.h has the rest).
 *
 * Neighbours that can be reached are one allocation, so that copies and kernels may cross from one
 * to the next. Not supported: memory that is mapped in two places at once, and sharing it. */
#ifndef MDP_SIM_FRONTEND_CUDA_VIRTUAL_H
#define MDP_SIM_FRONTEND_CUDA_VIRTUAL_H

#include "sim/frontend/cuda.h"

typedef struct CUmemLocation_st {
    int type; /* CU_MEM_LOCATION_TYPE_DEVICE */
    int id;
} CUmemLocation;
typedef struct CUmemAllocationProp_st {
    int type; /* CU_MEM_ALLOCATION_TYPE_PINNED */
    int requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    unsigned char allocFlags[8];
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    int flags;
} CUmemAccessDesc;
enum { CU_MEM_LOCATION_TYPE_DEVICE = 1, CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
};
typedef unsigned long long CUmemGenericAllocationHandle;

/* Every size and address is a multiple of this. */
#define VIRTUAL_GRANULARITY (2ull << 20)

#pragma GCC visibility push(default)
CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop, int option);
/* at: where it is wanted; elsewhere if that is taken. align: 0 or a power of two. */
CUresult cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t align, CUdeviceptr at,
                             unsigned long long flags);
/* Exactly what was reserved, with nothing mapped there. */
CUresult cuMemAddressFree(CUdeviceptr p, size_t bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *prop, unsigned long long flags);
/* The memory goes when it is mapped nowhere any more. */
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags);
/* Whole mappings; what lay there stays in its memory. */
CUresult cuMemUnmap(CUdeviceptr p, size_t bytes);
CUresult cuMemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *desc, size_t count);
CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr p);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *p);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle handle);
#pragma GCC visibility pop

#endif
