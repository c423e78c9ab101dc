/* props.c -- cudaDeviceProp. Its fields are one table; each runtime's struct is made of those that
 * it has, in this order (driver_types.h of 10.2, 11.8, 12.8, 13.0). */
#include <stdio.h>
#include <string.h>

#include "cudart/props.h"
#include "cudart/rt.h"

#define KB 1024
/* type, name, elements, from version, until version */
// clang-format off
#define FIELDS(X)                                                                                \
    X(char, name, 256, 10, 13) X(char, uuid, 16, 10, 13) X(char, luid, 8, 10, 13)                \
    X(int, luidDeviceNodeMask, 1, 10, 13) X(size_t, totalGlobalMem, 1, 10, 13)                   \
    X(size_t, sharedMemPerBlock, 1, 10, 13) X(int, regsPerBlock, 1, 10, 13)                      \
    X(int, warpSize, 1, 10, 13) X(size_t, memPitch, 1, 10, 13)                                   \
    X(int, maxThreadsPerBlock, 1, 10, 13) X(int, maxThreadsDim, 3, 10, 13)                       \
    X(int, maxGridSize, 3, 10, 13) X(int, clockRate, 1, 10, 12)                                  \
    X(size_t, totalConstMem, 1, 10, 13) X(int, major, 1, 10, 13) X(int, minor, 1, 10, 13)        \
    X(size_t, textureAlignment, 1, 10, 13) X(size_t, texturePitchAlignment, 1, 10, 13)           \
    X(int, deviceOverlap, 1, 10, 12) X(int, multiProcessorCount, 1, 10, 13)                      \
    X(int, kernelExecTimeoutEnabled, 1, 10, 12) X(int, integrated, 1, 10, 13)                    \
    X(int, canMapHostMemory, 1, 10, 13) X(int, computeMode, 1, 10, 12)                           \
    X(int, maxTexture1D, 1, 10, 13) X(int, maxTexture1DMipmap, 1, 10, 13)                        \
    X(int, maxTexture1DLinear, 1, 10, 12) X(int, maxTexture2D, 2, 10, 13)                        \
    X(int, maxTexture2DMipmap, 2, 10, 13) X(int, maxTexture2DLinear, 3, 10, 13)                  \
    X(int, maxTexture2DGather, 2, 10, 13) X(int, maxTexture3D, 3, 10, 13)                        \
    X(int, maxTexture3DAlt, 3, 10, 13) X(int, maxTextureCubemap, 1, 10, 13)                      \
    X(int, maxTexture1DLayered, 2, 10, 13) X(int, maxTexture2DLayered, 3, 10, 13)                \
    X(int, maxTextureCubemapLayered, 2, 10, 13) X(int, maxSurface1D, 1, 10, 13)                  \
    X(int, maxSurface2D, 2, 10, 13) X(int, maxSurface3D, 3, 10, 13)                              \
    X(int, maxSurface1DLayered, 2, 10, 13) X(int, maxSurface2DLayered, 3, 10, 13)                \
    X(int, maxSurfaceCubemap, 1, 10, 13) X(int, maxSurfaceCubemapLayered, 2, 10, 13)             \
    X(size_t, surfaceAlignment, 1, 10, 13) X(int, concurrentKernels, 1, 10, 13)                  \
    X(int, ECCEnabled, 1, 10, 13) X(int, pciBusID, 1, 10, 13) X(int, pciDeviceID, 1, 10, 13)     \
    X(int, pciDomainID, 1, 10, 13) X(int, tccDriver, 1, 10, 13)                                  \
    X(int, asyncEngineCount, 1, 10, 13) X(int, unifiedAddressing, 1, 10, 13)                     \
    X(int, memoryClockRate, 1, 10, 12) X(int, memoryBusWidth, 1, 10, 13)                         \
    X(int, l2CacheSize, 1, 10, 13) X(int, persistingL2CacheMaxSize, 1, 11, 13)                   \
    X(int, maxThreadsPerMultiProcessor, 1, 10, 13) X(int, streamPrioritiesSupported, 1, 10, 13)  \
    X(int, globalL1CacheSupported, 1, 10, 13) X(int, localL1CacheSupported, 1, 10, 13)           \
    X(size_t, sharedMemPerMultiprocessor, 1, 10, 13) X(int, regsPerMultiprocessor, 1, 10, 13)    \
    X(int, managedMemory, 1, 10, 13) X(int, isMultiGpuBoard, 1, 10, 13)                          \
    X(int, multiGpuBoardGroupID, 1, 10, 13) X(int, hostNativeAtomicSupported, 1, 10, 13)         \
    X(int, singleToDoublePrecisionPerfRatio, 1, 10, 12) X(int, pageableMemoryAccess, 1, 10, 13)  \
    X(int, concurrentManagedAccess, 1, 10, 13) X(int, computePreemptionSupported, 1, 10, 13)     \
    X(int, canUseHostPointerForRegisteredMem, 1, 10, 13) X(int, cooperativeLaunch, 1, 10, 13)    \
    X(int, cooperativeMultiDeviceLaunch, 1, 10, 12)                                              \
    X(size_t, sharedMemPerBlockOptin, 1, 10, 13)                                                 \
    X(int, pageableMemoryAccessUsesHostPageTables, 1, 10, 13)                                    \
    X(int, directManagedMemAccessFromHost, 1, 10, 13)                                            \
    X(int, maxBlocksPerMultiProcessor, 1, 11, 13) X(int, accessPolicyMaxWindowSize, 1, 11, 13)   \
    X(size_t, reservedSharedMemPerBlock, 1, 11, 13) X(int, hostRegisterSupported, 1, 12, 13)     \
    X(int, sparseCudaArraySupported, 1, 12, 13)                                                  \
    X(int, hostRegisterReadOnlySupported, 1, 12, 13)                                             \
    X(int, timelineSemaphoreInteropSupported, 1, 12, 13)                                         \
    X(int, memoryPoolsSupported, 1, 12, 13) X(int, gpuDirectRDMASupported, 1, 12, 13)            \
    X(int, gpuDirectRDMAFlushWritesOptions, 1, 12, 13)                                           \
    X(int, gpuDirectRDMAWritesOrdering, 1, 12, 13)                                               \
    X(int, memoryPoolSupportedHandleTypes, 1, 12, 13)                                            \
    X(int, deferredMappingCudaArraySupported, 1, 12, 13) X(int, ipcEventSupported, 1, 12, 13)    \
    X(int, clusterLaunch, 1, 12, 13) X(int, unifiedFunctionPointers, 1, 12, 13)                  \
    X(int, reserved12, 63, 12, 12) X(int, deviceNumaConfig, 1, 13, 13)                           \
    X(int, deviceNumaId, 1, 13, 13) X(int, mpsEnabled, 1, 13, 13) X(int, hostNumaId, 1, 13, 13)  \
    X(int, gpuPciDeviceID, 1, 13, 13) X(int, gpuPciSubsystemID, 1, 13, 13)                       \
    X(int, hostNumaMultinodeIpcSupported, 1, 13, 13) X(int, reserved13, 56, 13, 13)
// clang-format on

struct props {
#define X(type, name, n, from, until) type name[n];
    FIELDS(X)
#undef X
};

static const struct row {
    size_t off, size, bytes; /* of an element, of all */
    int from, until;
} rows[] = {
#define X(type, name, n, from, until) \
    {offsetof(struct props, name), sizeof(type), sizeof(type) * (n), from, until},
    FIELDS(X)
#undef X
};

static int bus_bits(const struct gpu_cfg *g)
{
    return 8 * g->mem.dram.bus_bytes * g->mem.dram.chips * g->mem.partition.count;
}

static int l2_bytes(const struct gpu_cfg *g)
{
    return g->mem.l2.enabled ? g->mem.l2.size * g->mem.partition.count : 0;
}

static size_t shared_default(const struct gpu_cfg *g)
{
    return g->sm.shared_bytes < 48 * KB ? (size_t)g->sm.shared_bytes : 48 * KB;
}

static void fill_device(struct props *p, const struct gpu_cfg *g)
{
    unsigned cc = rt_compute_capability();
    size_t total;
    cuDeviceTotalMem(&total, 0);
    snprintf(p->name, sizeof p->name, "mdpredict simulated GPU");
    *p->totalGlobalMem = total;
    *p->sharedMemPerBlock = shared_default(g);
    *p->regsPerBlock = *p->regsPerMultiprocessor = g->sm.registers;
    *p->warpSize = WARP_SIZE;
    *p->memPitch = INT32_MAX;
    *p->maxThreadsPerBlock = LAUNCH_MAX_THREADS;
    memcpy(p->maxThreadsDim, (int[]){LAUNCH_MAX_BLOCK_X, LAUNCH_MAX_BLOCK_Y, LAUNCH_MAX_BLOCK_Z},
           sizeof p->maxThreadsDim);
    memcpy(p->maxGridSize, (int[]){LAUNCH_MAX_GRID_X, LAUNCH_MAX_GRID_YZ, LAUNCH_MAX_GRID_YZ},
           sizeof p->maxGridSize);
    *p->clockRate = g->clock.core * 1000;
    *p->totalConstMem = 64 * KB;
    *p->major = (int)cc / 10;
    *p->minor = (int)cc % 10;
    *p->multiProcessorCount = g->top.cores;
    cuDeviceGetAttribute(p->memoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 0);
    *p->memoryBusWidth = bus_bits(g);
    *p->l2CacheSize = l2_bytes(g);
    *p->maxThreadsPerMultiProcessor = g->sm.max_threads;
    *p->sharedMemPerMultiprocessor = (size_t)g->sm.shared_bytes;
    *p->reservedSharedMemPerBlock = (size_t)g->sm.shared_reserved;
    *p->sharedMemPerBlockOptin = (size_t)(g->sm.shared_bytes - g->sm.shared_reserved);
    *p->maxBlocksPerMultiProcessor = g->sm.max_ctas;
    *p->globalL1CacheSupported = *p->localL1CacheSupported = g->mem.l1d.enabled;
}

static void fill_rest(struct props *p)
{
    *p->textureAlignment = *p->surfaceAlignment = CU_TEXTURE_ALIGNMENT;
    *p->texturePitchAlignment = CU_TEXTURE_PITCH_ALIGNMENT;
    *p->deviceOverlap = *p->canMapHostMemory = *p->unifiedAddressing = 1;
    *p->managedMemory = *p->concurrentManagedAccess = *p->memoryPoolsSupported = 1;
    *p->hostRegisterSupported = *p->canUseHostPointerForRegisteredMem = 1;
    *p->cooperativeLaunch = 1;
    *p->clusterLaunch = *p->major >= 9;
    *p->concurrentKernels = *p->asyncEngineCount = *p->computePreemptionSupported = 1;
    *p->singleToDoublePrecisionPerfRatio = 2;
    *p->maxTexture1D = *p->maxSurface1D = 131072;
    *p->maxTexture1DMipmap = 32768;
    *p->maxTexture1DLinear = 1 << 27;
    memcpy(p->maxTexture2D, (int[]){131072, 65536}, sizeof p->maxTexture2D);
    memcpy(p->maxTexture2DMipmap, (int[]){32768, 32768}, sizeof p->maxTexture2DMipmap);
    memcpy(p->maxTexture2DLinear, (int[]){131072, 65000, 2097120}, sizeof p->maxTexture2DLinear);
    memcpy(p->maxTexture2DGather, (int[]){32768, 32768}, sizeof p->maxTexture2DGather);
    memcpy(p->maxTexture3D, (int[]){16384, 16384, 16384}, sizeof p->maxTexture3D);
    memcpy(p->maxTexture1DLayered, (int[]){32768, 2048}, sizeof p->maxTexture1DLayered);
    memcpy(p->maxTexture2DLayered, (int[]){32768, 32768, 2048}, sizeof p->maxTexture2DLayered);
    memcpy(p->maxSurface2D, (int[]){131072, 65536}, sizeof p->maxSurface2D);
}

/* sizeof(cudaDeviceProp) */
static const size_t struct_bytes[] = {[10] = 712, [11] = 728, [12] = 1032, [13] = 1008};

/* The fields of one runtime's struct, each on its alignment. */
static void pack(const struct props *p, int version, char *to)
{
    size_t at = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        if (version < r->from || version > r->until)
            continue;
        at = (at + r->size - 1) / r->size * r->size;
        memcpy(to + at, (const char *)p + r->off, r->bytes);
        at += r->bytes;
    }
    BUG_ON(at != struct_bytes[version], "cudaDeviceProp of %d has %zu bytes", version, at);
}

static cudaError_t properties(void *out, int device, int version)
{
    RT_ENTER();
    if (!out || !session_is_device(device))
        return rt_set(out ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    struct props p;
    memset(&p, 0, sizeof p);
    fill_device(&p, rt_gpu());
    fill_rest(&p);
    *p.pciBusID = device;
    p.uuid[15] = (char)device;
    pack(&p, version, out);
    return cudaSuccess;
}

/* The old name means the struct of the runtime's own version, except in 12, where it still means
 * 11's and the new struct has a name of its own. */
#define PROPERTIES(symbol, version)                      \
    RT_EXPORT cudaError_t symbol(void *out, int device); \
    cudaError_t symbol(void *out, int device)            \
    {                                                    \
        return properties(out, device, version);         \
    }
PROPERTIES(rt_properties_10, 10)
PROPERTIES(rt_properties_11, 11)
PROPERTIES(rt_properties_12, 12)
PROPERTIES(rt_properties_13, 13)
RT_AT(rt_properties_10, cudaGetDeviceProperties, "@" RT_NODE_10);
RT_AT(rt_properties_11, cudaGetDeviceProperties, "@" RT_NODE_11);
RT_AT(rt_properties_11, cudaGetDeviceProperties, "@" RT_NODE_12);
RT_AT(rt_properties_13, cudaGetDeviceProperties, "@@" RT_NODE_13);
RT_AT(rt_properties_12, cudaGetDeviceProperties_v2, "@" RT_NODE_12);
RT_AT(rt_properties_13, cudaGetDeviceProperties_v2, "@@" RT_NODE_13);

/* -- attributes: numbers as in cudaDeviceAttr */

// clang-format off
#define ATTRIBUTES(X)                                                                            \
    X(1, maxThreadsPerBlock, 0) X(2, maxThreadsDim, 0) X(3, maxThreadsDim, 1)                    \
    X(4, maxThreadsDim, 2) X(5, maxGridSize, 0) X(6, maxGridSize, 1) X(7, maxGridSize, 2)        \
    X(8, sharedMemPerBlock, 0) X(9, totalConstMem, 0) X(10, warpSize, 0) X(11, memPitch, 0)      \
    X(12, regsPerBlock, 0) X(13, clockRate, 0) X(14, textureAlignment, 0)                        \
    X(15, deviceOverlap, 0) X(16, multiProcessorCount, 0) X(17, kernelExecTimeoutEnabled, 0)     \
    X(18, integrated, 0) X(19, canMapHostMemory, 0) X(20, computeMode, 0)                        \
    X(21, maxTexture1D, 0) X(22, maxTexture2D, 0) X(23, maxTexture2D, 1) X(24, maxTexture3D, 0)  \
    X(25, maxTexture3D, 1) X(26, maxTexture3D, 2) X(27, maxTexture2DLayered, 0)                  \
    X(28, maxTexture2DLayered, 1) X(29, maxTexture2DLayered, 2) X(30, surfaceAlignment, 0)       \
    X(31, concurrentKernels, 0) X(32, ECCEnabled, 0) X(33, pciBusID, 0) X(34, pciDeviceID, 0)    \
    X(35, tccDriver, 0) X(36, memoryClockRate, 0) X(37, memoryBusWidth, 0)                       \
    X(38, l2CacheSize, 0) X(39, maxThreadsPerMultiProcessor, 0) X(40, asyncEngineCount, 0)       \
    X(41, unifiedAddressing, 0) X(42, maxTexture1DLayered, 0) X(43, maxTexture1DLayered, 1)      \
    X(45, maxTexture2DGather, 0) X(46, maxTexture2DGather, 1) X(50, pciDomainID, 0)              \
    X(51, texturePitchAlignment, 0) X(52, maxTextureCubemap, 0) X(55, maxSurface1D, 0)           \
    X(56, maxSurface2D, 0) X(57, maxSurface2D, 1) X(69, maxTexture1DLinear, 0)                   \
    X(70, maxTexture2DLinear, 0) X(71, maxTexture2DLinear, 1) X(72, maxTexture2DLinear, 2)       \
    X(75, major, 0) X(76, minor, 0) X(77, maxTexture1DMipmap, 0)                                 \
    X(78, streamPrioritiesSupported, 0) X(79, globalL1CacheSupported, 0)                         \
    X(80, localL1CacheSupported, 0) X(81, sharedMemPerMultiprocessor, 0)                         \
    X(82, regsPerMultiprocessor, 0) X(83, managedMemory, 0) X(84, isMultiGpuBoard, 0)            \
    X(85, multiGpuBoardGroupID, 0) X(86, hostNativeAtomicSupported, 0)                           \
    X(87, singleToDoublePrecisionPerfRatio, 0) X(88, pageableMemoryAccess, 0)                    \
    X(89, concurrentManagedAccess, 0) X(90, computePreemptionSupported, 0)                       \
    X(91, canUseHostPointerForRegisteredMem, 0) X(95, cooperativeLaunch, 0)                      \
    X(96, cooperativeMultiDeviceLaunch, 0) X(97, sharedMemPerBlockOptin, 0)                      \
    X(99, hostRegisterSupported, 0) X(100, pageableMemoryAccessUsesHostPageTables, 0)            \
    X(101, directManagedMemAccessFromHost, 0) X(106, maxBlocksPerMultiProcessor, 0)              \
    X(108, persistingL2CacheMaxSize, 0) X(109, accessPolicyMaxWindowSize, 0)                     \
    X(111, reservedSharedMemPerBlock, 0) X(112, sparseCudaArraySupported, 0)                     \
    X(113, hostRegisterReadOnlySupported, 0) X(114, timelineSemaphoreInteropSupported, 0)        \
    X(115, memoryPoolsSupported, 0) X(116, gpuDirectRDMASupported, 0)                            \
    X(117, gpuDirectRDMAFlushWritesOptions, 0) X(118, gpuDirectRDMAWritesOrdering, 0)            \
    X(119, memoryPoolSupportedHandleTypes, 0) X(120, clusterLaunch, 0)                           \
    X(121, deferredMappingCudaArraySupported, 0) X(125, ipcEventSupported, 0)                    \
    X(129, unifiedFunctionPointers, 0)
// clang-format on

static bool value_of(int attribute, int *value)
{
    struct props p;
    memset(&p, 0, sizeof p);
    fill_device(&p, rt_gpu());
    fill_rest(&p);
    switch (attribute) {
#define X(number, field, i)       \
    case number:                  \
        *value = (int)p.field[i]; \
        return true;
        ATTRIBUTES(X)
#undef X
    case 102: /* virtual memory; no field of the struct */
        *value = 1;
        return true;
    default:
        *value = 0; /* what this version does not know, the device cannot do */
        return attribute > 0 && attribute < 160;
    }
}

bool props_attribute(int attribute, int *value)
{
    if (!value_of(attribute, value))
        return false;
    waived_asked(attribute, *value);
    return true;
}
