/* sim/frontend/cuda_library.h -- the driver API's libraries (CUDA 12): code that belongs to no
 * context. A kernel of a library is loaded in a context when it is first wanted there;
 * cuLaunchKernel and the functions that ask about a CUfunction take a CUkernel, too. */
#ifndef MDP_SIM_FRONTEND_CUDA_LIBRARY_H
#define MDP_SIM_FRONTEND_CUDA_LIBRARY_H

#include "sim/frontend/cuda_async.h"

#pragma GCC visibility push(default)

typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;

/* code: as of cuModuleLoadDataEx. Options of the compiler and of the library are not read. */
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jit, void **jit_values,
                           unsigned njit, int *options, void **values, unsigned n);
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit, void **jit_values,
                               unsigned njit, int *options, void **values, unsigned n);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library);
CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned n, CUlibrary library);
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr *ptr, size_t *bytes, CUlibrary library, const char *name);
CUresult cuLibraryGetManaged(CUdeviceptr *ptr, size_t *bytes, CUlibrary library, const char *name);
CUresult cuLibraryGetUnifiedFunction(void **at, CUlibrary library, const char *symbol);
CUresult cuKernelGetFunction(CUfunction *f, CUkernel kernel);
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
CUresult cuKernelGetName(const char **name, CUkernel kernel);
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute a, CUkernel kernel, CUdevice dev);
CUresult cuKernelSetAttribute(CUfunction_attribute a, int value, CUkernel kernel, CUdevice dev);
CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice dev);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes);
CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *bytes);
CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module);
CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned n, CUmodule module);

#pragma GCC visibility pop
#endif
