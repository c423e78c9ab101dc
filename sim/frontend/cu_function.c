/* Driver API: what a function takes, and how many of its CTAs a core holds (contract: cuda.h). */
#include "sim/frontend/cuda.h"
#include "sim/frontend/session.h"
#include "sim/gpu/gpu.h"

bool session_has_function(CUcontext ctx, CUfunction wanted)
{
    for (CUmodule m = ctx->modules; m; m = m->next)
        for (CUfunction f = m->functions; f; f = f->next)
            if (f == wanted)
                return true;
    return false;
}

static CUresult check(CUfunction *f)
{
    CUcontext ctx;
    CUresult r = session_context(&ctx);
    if (r != CUDA_SUCCESS)
        return r;
    return session_function(ctx, f);
}

/* CTAs of so many threads and so much dynamic shared memory on one core. */
static int fitting(const struct gpu_cfg *cfg, struct kernel *k, int threads, uint32_t shared)
{
    const struct launch l = {.kernel = k, .block = {threads, 1, 1}, .dyn_shared = shared};
    return gpu_occupancy(cfg, &l, NULL);
}

/* A CTA's most threads: what CUDA allows, .maxntid, and the registers of a core. */
static int max_threads(struct kernel *k)
{
    struct gpu_cfg cfg;
    session_device(&cfg);
    int most = launch_most_threads(k);
    while (most > WARP_SIZE && fitting(&cfg, k, most, 0) == 0)
        most -= WARP_SIZE;
    return most;
}

/* What compilers made of the PTX says nothing here; the device's compute capability does. */
static CUresult version_of(int *value)
{
    int major = 0, minor = 0;
    if (!session_attribute(75, &major) || !session_attribute(76, &minor))
        return CUDA_ERROR_INVALID_VALUE;
    *value = 10 * major + minor;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f)
{
    SESSION_CALL();
    struct gpu_cfg cfg;
    CUresult r = check(&f);
    if (r != CUDA_SUCCESS)
        return r;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = max_threads(f->kernel);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)f->kernel->shared_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)f->kernel->local_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        return version_of(value);
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        session_device(&cfg);
        *value = gpu_regs(&cfg, &(struct launch){.kernel = f->kernel});
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = f->max_dynamic;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = f->carveout;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        return session_get_cluster(f, attribute, value);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute, int value)
{
    SESSION_CALL();
    CUresult r = check(&f);
    if (r != CUDA_SUCCESS)
        return r;
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        int most = session_shared_most() - (int)f->kernel->shared_bytes;
        if (value < 0 || value > most)
            return CUDA_ERROR_INVALID_VALUE;
        f->max_dynamic = value;
        return CUDA_SUCCESS;
    }
    if (attribute >= CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH &&
        attribute <= CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
        return session_set_cluster(f, attribute, value);
    if (attribute != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT || value < -1 ||
        value > 100)
        return CUDA_ERROR_INVALID_VALUE;
    f->carveout = value;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *ctas, CUfunction f, int threads,
                                                     size_t shared_bytes)
{
    SESSION_CALL();
    CUresult r = check(&f);
    if (r != CUDA_SUCCESS)
        return r;
    if (!ctas || threads <= 0 || shared_bytes > INT32_MAX / 2)
        return CUDA_ERROR_INVALID_VALUE;
    struct gpu_cfg cfg;
    session_device(&cfg);
    bool refused = threads > max_threads(f->kernel) || shared_bytes > (size_t)f->max_dynamic;
    *ctas = refused ? 0 : fitting(&cfg, f->kernel, threads, (uint32_t)shared_bytes);
    return CUDA_SUCCESS;
}
