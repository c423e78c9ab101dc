#include "cudart/rt.h"

static _Thread_local cudaError_t last; /* of this thread */

cudaError_t rt_set(cudaError_t e)
{
    if (e != cudaSuccess && e != cudaErrorNotReady)
        last = e;
    return e;
}

cudaError_t rt(CUresult r)
{
    return rt_set((cudaError_t)r); /* since CUDA 10.1 both have the same numbers */
}

CUDART(cudaGetLastError, void)
{
    cudaError_t e = last;
    last = cudaSuccess;
    return e;
}

CUDART(cudaPeekAtLastError, void)
{
    return last;
}

static const struct {
    cudaError_t value;
    const char *name, *text;
} rows[] = {
#define BOTH(value, driver, runtime, text) {runtime, #runtime, text},
#define RUNTIME(value, runtime, text)      {runtime, #runtime, text},
#include "sim/frontend/results.def"
#undef BOTH
#undef RUNTIME
};

CUDART_AS(const char *, cudaGetErrorName, cudaError_t e)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value == e)
            return rows[i].name;
    return "unrecognized error code";
}

CUDART_AS(const char *, cudaGetErrorString, cudaError_t e)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value == e)
            return rows[i].text;
    return "unrecognized error code";
}
