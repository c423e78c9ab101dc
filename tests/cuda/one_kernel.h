/* tests/cuda/one_kernel.h -- for programs that call libraries: a context, a stream, and a launch of
 * a kernel of the program's own beside what the libraries compute. */
#ifndef MDP_TESTS_CUDA_ONE_KERNEL_H
#define MDP_TESTS_CUDA_ONE_KERNEL_H

#include "tests/cuda/driver_types.h"
#include "tests/cuda/ok.h"

static inline CUstream one_stream(void)
{
    CUcontext ctx;
    CUstream s;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&ctx, 0, 0));
    OK(cuStreamCreate(&s, 0));
    return s;
}

static inline void one_launch(void)
{
    CUmodule m;
    CUfunction f;
    CUdeviceptr d;
    unsigned by = 3;
    OK(cuModuleLoad(&m, "tests/cuda/graphs.ptx"));
    OK(cuModuleGetFunction(&f, m, "add"));
    OK(cuMemAlloc_v2(&d, 4));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&d, &by}, NULL));
}

#endif
