#include "hw/driver.h"

#include <dlfcn.h>

#include "sim/frontend/cuda_async.h"

/* name, parameters, arguments: calls that are handed on as they are */
#define CALLS(X)                                                                               \
    X(cuInit, (unsigned flags), (flags))                                                       \
    X(cuGetErrorName, (CUresult error, const char **text), (error, text))                      \
    X(cuGetErrorString, (CUresult error, const char **text), (error, text))                    \
    X(cuDeviceGet, (CUdevice * device, int ordinal), (device, ordinal))                        \
    X(cuDeviceGetCount, (int *count), (count))                                                 \
    X(cuDeviceGetName, (char *name, int len, CUdevice dev), (name, len, dev))                  \
    X(cuDeviceGetAttribute, (int *v, CUdevice_attribute a, CUdevice dev), (v, a, dev))         \
    X(cuCtxCreate, (CUcontext * ctx, unsigned flags, CUdevice dev), (ctx, flags, dev))         \
    X(cuCtxDestroy, (CUcontext ctx), (ctx))                                                    \
    X(cuCtxGetCurrent, (CUcontext * ctx), (ctx))                                               \
    X(cuCtxSetCurrent, (CUcontext ctx), (ctx))                                                 \
    X(cuCtxSynchronize, (void), ())                                                            \
    X(cuModuleLoadData, (CUmodule * m, const void *image), (m, image))                         \
    X(cuModuleUnload, (CUmodule m), (m))                                                       \
    X(cuModuleGetGlobal, (CUdeviceptr * p, size_t * n, CUmodule m, const char *name),          \
      (p, n, m, name))                                                                         \
    X(cuMemAlloc, (CUdeviceptr * p, size_t n), (p, n))                                         \
    X(cuMemFree, (CUdeviceptr p), (p))                                                         \
    X(cuMemcpyHtoD, (CUdeviceptr dst, const void *src, size_t n), (dst, src, n))               \
    X(cuMemcpyDtoH, (void *dst, CUdeviceptr src, size_t n), (dst, src, n))                     \
    X(cuMemcpyDtoHAsync, (void *dst, CUdeviceptr src, size_t n, CUstream s), (dst, src, n, s)) \
    X(cuStreamCreate, (CUstream * s, unsigned flags), (s, flags))                              \
    X(cuStreamDestroy, (CUstream s), (s))                                                      \
    X(cuStreamSynchronize, (CUstream s), (s))                                                  \
    X(cuMemcpyDtoD, (CUdeviceptr dst, CUdeviceptr src, size_t n), (dst, src, n))               \
    X(cuMemsetD8, (CUdeviceptr dst, unsigned char v, size_t n), (dst, v, n))                   \
    X(cuMemsetD16, (CUdeviceptr dst, unsigned short v, size_t n), (dst, v, n))                 \
    X(cuMemsetD32, (CUdeviceptr dst, unsigned v, size_t n), (dst, v, n))                       \
    X(cuArrayCreate, (CUarray * array, const CUDA_ARRAY_DESCRIPTOR *d), (array, d))            \
    X(cuMemcpy2D, (const CUDA_MEMCPY2D *copy), (copy))                                         \
    X(cuTexObjectCreate,                                                                       \
      (CUtexObject * t, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d,               \
       const CUDA_RESOURCE_VIEW_DESC *v),                                                      \
      (t, r, d, v))                                                                            \
    X(cuFuncGetAttribute, (int *v, CUfunction_attribute a, CUfunction f), (v, a, f))           \
    X(cuFuncSetAttribute, (CUfunction f, CUfunction_attribute a, int v), (f, a, v))            \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor,                                             \
      (int *n, CUfunction f, int threads, size_t shared), (n, f, threads, shared))             \
    X(cuEventCreate, (CUevent * e, unsigned flags), (e, flags))                                \
    X(cuEventDestroy, (CUevent e), (e))                                                        \
    X(cuEventRecord, (CUevent e, CUstream stream), (e, stream))                                \
    X(cuEventSynchronize, (CUevent e), (e))                                                    \
    X(cuEventElapsedTime, (float *ms, CUevent start, CUevent end), (ms, start, end))

/* The driver's own, set by driver_open and not changed after. */
#define X(name, params, args) static CUresult(*real_##name) params;
CALLS(X)
#undef X
static CUresult (*real_get_function)(CUfunction *f, CUmodule m, const char *name);
static CUresult (*real_launch)(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                               unsigned by, unsigned bz, unsigned shared, CUstream stream,
                               void **params, void **extra);

#define X(name, params, args)    \
    CUresult name params         \
    {                            \
        return real_##name args; \
    }
CALLS(X)
#undef X

CUresult driver_get_function(CUfunction *f, CUmodule m, const char *name)
{
    return real_get_function(f, m, name);
}

CUresult driver_launch(const struct driver_launch *l)
{
    return real_launch(l->f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                       l->block[2], l->shared, l->stream, l->params, l->extra);
}

#define TEXT(name)                                                                \
    TEXT_(name) /* cuda.h's macros first: cuMemAlloc is exported as cuMemAlloc_v2 \
                 */
#define TEXT_(name) #name

bool driver_open(const char *library, struct err *e)
{
    const struct {
        const char *name;
        void *at;
    } rows[] = {
#define X(name, params, args) {TEXT(name), &real_##name},
        CALLS(X)
#undef X
            {"cuModuleGetFunction", &real_get_function},
        {"cuLaunchKernel", &real_launch},
    };
    void *lib = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return err_set(e, "no CUDA driver: %s", dlerror());
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *(void **)rows[i].at = dlsym(lib, rows[i].name);
        if (!*(void **)rows[i].at)
            return err_set(e, "%s has no %s", library, rows[i].name);
    }
    return true;
}
