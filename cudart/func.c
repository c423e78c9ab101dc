/* func.c -- kernels: attributes and occupancy. Occupancy is the simulator's own
 * (sim/sm/occupancy.h): what is promised here is what a run does. */
#include "cudart/rt.h"

static int attribute_of(const struct rt_function *f, CUfunction_attribute a)
{
    int value = 0;
    cuFuncGetAttribute(&value, a, f->cu);
    return value;
}

CUDART(cudaFuncGetAttributes, struct cudaFuncAttributes *a, const void *func)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = a ? rt_function(func, &f) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_set(e);
    int version = (int)rt_function_sm(f);
    *a = (struct cudaFuncAttributes){
        .sharedSizeBytes = (size_t)attribute_of(f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
        .localSizeBytes = (size_t)attribute_of(f, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
        .maxThreadsPerBlock = attribute_of(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        .numRegs = attribute_of(f, CU_FUNC_ATTRIBUTE_NUM_REGS),
        .ptxVersion = version,
        .binaryVersion = version,
        .maxDynamicSharedSizeBytes =
            attribute_of(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
        .preferredShmemCarveout =
            attribute_of(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)};
    return cudaSuccess;
}

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
