/* symbol.c -- __device__, __constant__ and __managed__ variables, by the host's name for them. */
#include "cudart/rt.h"

/* The bytes [offset, offset + bytes) of the variable. */
static cudaError_t range(const void *symbol, size_t bytes, size_t offset, CUdeviceptr *at)
{
    struct rt_var *v;
    cudaError_t e = rt_var(symbol, &v);
    if (e != cudaSuccess)
        return e;
    if (offset > v->bytes || bytes > v->bytes - offset)
        return cudaErrorInvalidValue;
    *at = v->at + offset;
    return cudaSuccess;
}

CUDART(cudaMemcpyToSymbolAsync, const void *symbol, const void *src, size_t bytes, size_t offset,
       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RT_ENTER();
    CUdeviceptr at;
    cudaError_t e = range(symbol, bytes, offset, &at);
    if (e == cudaSuccess && kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        e = cudaErrorInvalidMemcpyDirection;
    return e == cudaSuccess ? rt(cuMemcpyAsync(at, (CUdeviceptr)(uintptr_t)src, bytes, stream))
                            : rt_set(e);
}

CUDART(cudaMemcpyToSymbol, const void *symbol, const void *src, size_t bytes, size_t offset,
       enum cudaMemcpyKind kind)
{
    RT_ENTER_SYNC();
    return rt_cudaMemcpyToSymbolAsync(symbol, src, bytes, offset, kind, NULL);
}

CUDART(cudaMemcpyFromSymbolAsync, void *dst, const void *symbol, size_t bytes, size_t offset,
       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RT_ENTER();
    CUdeviceptr at;
    cudaError_t e = range(symbol, bytes, offset, &at);
    if (e == cudaSuccess && kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        e = cudaErrorInvalidMemcpyDirection;
    return e == cudaSuccess ? rt(cuMemcpyAsync((CUdeviceptr)(uintptr_t)dst, at, bytes, stream))
                            : rt_set(e);
}

CUDART(cudaMemcpyFromSymbol, void *dst, const void *symbol, size_t bytes, size_t offset,
       enum cudaMemcpyKind kind)
{
    RT_ENTER_SYNC();
    return rt_cudaMemcpyFromSymbolAsync(dst, symbol, bytes, offset, kind, NULL);
}

CUDART(cudaGetSymbolAddress, void **p, const void *symbol)
{
    RT_ENTER();
    CUdeviceptr at;
    cudaError_t e = p ? range(symbol, 0, 0, &at) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *p = (void *)(uintptr_t)at;
    return rt_set(e);
}

CUDART(cudaGetSymbolSize, size_t *bytes, const void *symbol)
{
    RT_ENTER();
    struct rt_var *v;
    cudaError_t e = bytes ? rt_var(symbol, &v) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *bytes = v->bytes;
    return rt_set(e);
}
