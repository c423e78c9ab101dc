/* library.c -- libraries of kernels that the program loads itself (CUDA 12.8 on). A cudaLibrary_t
 * is the driver's; a cudaKernel_t is launched as what compilers register. */
#include <stdlib.h>

#include "cudart/rt.h"

CUDART(cudaLibraryLoadData, CUlibrary *library, const void *code, int *jit, void **jit_values,
       unsigned njit, int *options, void **values, unsigned n)
{
    RT_ENTER();
    return rt(cuLibraryLoadData(library, code, jit, jit_values, njit, options, values, n));
}

CUDART(cudaLibraryLoadFromFile, CUlibrary *library, const char *path, int *jit, void **jit_values,
       unsigned njit, int *options, void **values, unsigned n)
{
    RT_ENTER();
    return rt(cuLibraryLoadFromFile(library, path, jit, jit_values, njit, options, values, n));
}

CUDART(cudaLibraryUnload, CUlibrary library)
{
    RT_ENTER();
    return rt(cuLibraryUnload(library));
}

static cudaError_t give(cudaKernel_t *out, CUkernel kernel)
{
    const char *name;
    CUresult r = cuKernelGetName(&name, kernel);
    if (r == CUDA_SUCCESS)
        *out = rt_add_kernel(kernel, name);
    return rt(r);
}

CUDART(cudaLibraryGetKernel, cudaKernel_t *kernel, CUlibrary library, const char *name)
{
    RT_ENTER();
    CUkernel k;
    CUresult r = kernel ? cuLibraryGetKernel(&k, library, name) : CUDA_ERROR_INVALID_VALUE;
    return r == CUDA_SUCCESS ? give(kernel, k) : rt(r);
}

CUDART(cudaLibraryGetKernelCount, unsigned *count, CUlibrary library)
{
    RT_ENTER();
    return rt(cuLibraryGetKernelCount(count, library));
}

CUDART(cudaLibraryEnumerateKernels, cudaKernel_t *kernels, unsigned n, CUlibrary library)
{
    RT_ENTER();
    unsigned all;
    CUresult r = cuLibraryGetKernelCount(&all, library);
    if (r == CUDA_SUCCESS && !kernels && n)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return rt(r);
    CUkernel *k = xcalloc((size_t)all + 1, sizeof *k);
    r = cuLibraryEnumerateKernels(k, all, library);
    cudaError_t e = rt(r);
    for (unsigned i = 0; i < all && i < n && e == cudaSuccess; i++)
        e = give(&kernels[i], k[i]);
    free(k);
    return e;
}

CUDART(cudaLibraryGetGlobal, void **at, size_t *bytes, CUlibrary library, const char *name)
{
    RT_ENTER();
    CUdeviceptr d = 0;
    CUresult r = cuLibraryGetGlobal(&d, bytes, library, name);
    if (r == CUDA_SUCCESS && at)
        *at = (void *)(uintptr_t)d;
    return rt(r);
}

CUDART(cudaLibraryGetManaged, void **at, size_t *bytes, CUlibrary library, const char *name)
{
    RT_ENTER();
    CUdeviceptr d = 0;
    CUresult r = cuLibraryGetManaged(&d, bytes, library, name);
    if (r == CUDA_SUCCESS && at)
        *at = (void *)(uintptr_t)d;
    return rt(r);
}

CUDART(cudaLibraryGetUnifiedFunction, void **at, CUlibrary library, const char *symbol)
{
    RT_ENTER();
    return rt(cuLibraryGetUnifiedFunction(at, library, symbol));
}

CUDART(cudaKernelSetAttributeForDevice, cudaKernel_t kernel, int attribute, int value, int device)
{
    RT_ENTER();
    struct rt_function *f;
    cudaError_t e = device == rt_device() ? rt_function(kernel, &f) : cudaErrorInvalidDevice;
    return e == cudaSuccess ? rt(cuFuncSetAttribute(f->cu, (CUfunction_attribute)attribute, value))
                            : rt_set(e);
}
