/* cudart/types.h -- the CUDA runtime's types and numbers, as its programs pass them (10.2 to 13.0;
 * where versions differ, the file of the functions says so). */
#ifndef MDP_CUDART_TYPES_H
#define MDP_CUDART_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define BOTH(value, driver, runtime, text) runtime = (value),
#define RUNTIME(value, runtime, text)      runtime = (value),
typedef enum cudaError {
#include "sim/frontend/results.def"
} cudaError_t;
#undef BOTH
#undef RUNTIME

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUarray_st *cudaArray_t;
typedef const struct rt_function *cudaKernel_t;

struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};

struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    int dstDevice;
    struct cudaExtent extent;
};

enum {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
    int type, device;
    void *devicePointer, *hostPointer;
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
    /* from 12 on: */
    int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
};

struct cudaLaunchAttribute {
    int id;
    char pad[4], value[64];
};
typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    struct cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;

#endif
