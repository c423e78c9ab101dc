/* data/workloads/host.h -- what the host code of every workload does: open the device, move arrays,
 * say which call failed. CUDA driver API only, so that it also runs on hardware. */
#ifndef MDP_DATA_WORKLOADS_HOST_H
#define MDP_DATA_WORKLOADS_HOST_H

#include "base/rng.h"
#include "sim/frontend/cuda.h"
#include "sim/frontend/workload.h"

#include <string.h>

/* "cuMemAlloc: out of device memory"; returns false. call: the source text of the call. */
static inline bool host_fail(struct err *e, const char *call, CUresult r)
{
    const char *text = NULL;
    if (cuGetErrorString(r, &text) != CUDA_SUCCESS)
        text = "unknown error";
    return err_set(e, "%.*s: %s", (int)strcspn(call, "("), call, text);
}

/* Leaves the function with false unless the call succeeds; needs `struct err *e`. */
#define TRY(call)                           \
    do {                                    \
        CUresult r_ = (call);               \
        if (r_ != CUDA_SUCCESS)             \
            return host_fail(e, #call, r_); \
    } while (0)

static inline bool host_open(const char *ptx, CUcontext *ctx, CUmodule *module, struct err *e)
{
    CUdevice dev;
    TRY(cuInit(0));
    TRY(cuDeviceGet(&dev, 0));
    TRY(cuCtxCreate(ctx, 0, dev));
    TRY(cuModuleLoadData(module, ptx));
    return true;
}

/* A device array with the bytes at src; NULL: zeroed. */
static inline bool host_array(CUdeviceptr *ptr, const void *src, size_t bytes, struct err *e)
{
    TRY(cuMemAlloc(ptr, bytes));
    if (src)
        TRY(cuMemcpyHtoD(*ptr, src, bytes));
    else
        TRY(cuMemsetD8(*ptr, 0, bytes));
    return true;
}

#endif
