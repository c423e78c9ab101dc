/* func.c -- kernels: attributes and occupancy. Occupancy is the simulator's own
 * (sim/sm/occupancy.h): what is promised here is what a run does. */
#include <stddef.h>
#include <string.h>

#include "cudart/rt.h"

static int attribute_of(const struct rt_function *f, CUfunction_attribute a)
{
    int value = 0;
    cuFuncGetAttribute(&value, a, f->cu);
    return value;
}

static cudaError_t attributes(struct cudaFuncAttributes *out, size_t bytes, const void *func)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = out ? rt_function(func, &f) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_set(e);
    int version = (int)rt_function_sm(f);
    const struct cudaFuncAttributes a = {
        .sharedSizeBytes = (size_t)attribute_of(f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
        .localSizeBytes = (size_t)attribute_of(f, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
        .maxThreadsPerBlock = attribute_of(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        .numRegs = attribute_of(f, CU_FUNC_ATTRIBUTE_NUM_REGS),
        .ptxVersion = version,
        .binaryVersion = version,
        .maxDynamicSharedSizeBytes =
            attribute_of(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
        .preferredShmemCarveout =
            attribute_of(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT),
        .clusterDimMustBeSet = attribute_of(f, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET),
        .requiredClusterWidth = attribute_of(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH),
        .requiredClusterHeight = attribute_of(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT),
        .requiredClusterDepth = attribute_of(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH),
        .clusterSchedulingPolicyPreference =
            attribute_of(f, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE),
        .nonPortableClusterSizeAllowed =
            attribute_of(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)};
    memcpy(out, &a, bytes);
    return cudaSuccess;
}

/* The struct ends where that of the runtime's version does. */
#define ATTRIBUTES(symbol, bytes)                                                 \
    RT_EXPORT cudaError_t symbol(struct cudaFuncAttributes *a, const void *func); \
    cudaError_t symbol(struct cudaFuncAttributes *a, const void *func)            \
    {                                                                             \
        return attributes(a, bytes, func);                                        \
    }
ATTRIBUTES(rt_attributes_11, offsetof(struct cudaFuncAttributes, clusterDimMustBeSet))
ATTRIBUTES(rt_attributes_12, sizeof(struct cudaFuncAttributes))
RT_AT(rt_attributes_11, cudaFuncGetAttributes, "@" RT_NODE_10);
RT_AT(rt_attributes_11, cudaFuncGetAttributes, "@" RT_NODE_11);
RT_AT(rt_attributes_12, cudaFuncGetAttributes, "@" RT_NODE_12);
RT_AT(rt_attributes_12, cudaFuncGetAttributes, "@@" RT_NODE_13);

CUDART(cudaFuncSetAttribute, const void *func, int attribute, int value)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = rt_function(func, &f);
    if (e != cudaSuccess)
        return rt_set(e);
    return rt(cuFuncSetAttribute(f->cu, (CUfunction_attribute)attribute, value));
}

/* The GPU's L1D and shared memory are what its configuration says. */
CUDART(cudaFuncSetCacheConfig, const void *func, int config)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = rt_function(func, &f);
    return rt_set(e == cudaSuccess && (config < 0 || config > 3) ? cudaErrorInvalidValue : e);
}
CUDART_ALIAS(cudaFuncSetCacheConfig, cudaFuncSetSharedMemConfig);

/* -- occupancy */

CUDART(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *ctas, const void *func, int threads,
       size_t dynamic)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = rt_function(func, &f);
    return e == cudaSuccess
               ? rt(cuOccupancyMaxActiveBlocksPerMultiprocessor(ctas, f->cu, threads, dynamic))
               : rt_set(e);
}

CUDART(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *ctas, const void *func,
       int threads, size_t dynamic, unsigned flags)
{
    if (flags > 1)
        return rt_set(cudaErrorInvalidValue);
    return rt_cudaOccupancyMaxActiveBlocksPerMultiprocessor(ctas, func, threads, dynamic);
}

static struct graph_launch as_launch(const cudaLaunchConfig_t *c, CUfunction f)
{
    struct graph_launch l = {.f = f,
                             .grid = {c->gridDim.x, c->gridDim.y, c->gridDim.z},
                             .block = {c->blockDim.x, c->blockDim.y, c->blockDim.z},
                             .shared = (unsigned)c->dynamicSmemBytes};
    rt_attributes(c->attrs, c->numAttrs, &l);
    return l;
}

CUDART(cudaOccupancyMaxActiveClusters, int *clusters, const void *func, const cudaLaunchConfig_t *c)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = c ? rt_function(func, &f) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_set(e);
    const struct graph_launch l = as_launch(c, f->cu);
    return rt(session_active_clusters(&l, clusters));
}

CUDART(cudaOccupancyMaxPotentialClusterSize, int *size, const void *func,
       const cudaLaunchConfig_t *c)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = c ? rt_function(func, &f) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_set(e);
    const struct graph_launch l = as_launch(c, f->cu);
    return rt(session_potential_cluster(&l, size));
}

static int ctas_of(const struct rt_function *f, int threads, size_t dynamic)
{
    int n = 0;
    cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f->cu, threads, dynamic);
    return n;
}

/* The most dynamic shared memory that a launch may ask for and with which `ctas` still fit on a
 * core. */
CUDART(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *bytes, const void *func, int ctas,
       int threads)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e =
        bytes && ctas > 0 && threads > 0 ? rt_function(func, &f) : cudaErrorInvalidValue;
    if (e == cudaSuccess && ctas_of(f, threads, 0) < ctas)
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_set(e);
    size_t lo = 0, hi = (size_t)attribute_of(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    while (lo < hi) { /* occupancy only falls as shared memory grows */
        size_t mid = (lo + hi + 1) / 2;
        if (ctas_of(f, threads, mid) >= ctas)
            lo = mid;
        else
            hi = mid - 1;
    }
    *bytes = lo;
    return cudaSuccess;
}
