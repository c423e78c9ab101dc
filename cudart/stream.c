/* stream.c -- streams, events, host functions. What is asked of a stream is done at once, unless a
 * kernel waits there (sim/frontend/pending.h). */
#include "cudart/rt.h"

CUDART(cudaStreamCreateWithPriority, cudaStream_t *stream, unsigned flags, int priority)
{
    RT_ENTER();
    return rt(cuStreamCreateWithPriority(stream, flags, priority));
}

CUDART(cudaStreamCreateWithFlags, cudaStream_t *stream, unsigned flags)
{
    return rt_cudaStreamCreateWithPriority(stream, flags, 0);
}

CUDART(cudaStreamCreate, cudaStream_t *stream)
{
    return rt_cudaStreamCreateWithPriority(stream, 0, 0);
}

CUDART(cudaStreamDestroy, cudaStream_t stream)
{
    RT_ENTER();
    return rt(cuStreamDestroy(stream));
}

CUDART(cudaStreamSynchronize, cudaStream_t stream)
{
    RT_ENTER();
    return rt(cuStreamSynchronize(stream));
}

CUDART(cudaStreamQuery, cudaStream_t stream)
{
    RT_ENTER();
    return rt(cuStreamQuery(stream));
}

CUDART(cudaStreamWaitEvent, cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    RT_ENTER();
    return rt(cuStreamWaitEvent(stream, event, flags));
}

CUDART(cudaStreamGetFlags, cudaStream_t stream, unsigned *flags)
{
    RT_ENTER();
    return rt(cuStreamGetFlags(stream, flags));
}

CUDART(cudaStreamGetPriority, cudaStream_t stream, int *priority)
{
    RT_ENTER();
    return rt(cuStreamGetPriority(stream, priority));
}

CUDART(cudaStreamGetId, cudaStream_t stream, unsigned long long *id)
{
    RT_ENTER();
    if (!id)
        return rt_set(cudaErrorInvalidValue);
    *id = (uintptr_t)stream; /* no two streams have one */
    return rt(session_own_stream(stream));
}

CUDART(cudaStreamGetDevice, cudaStream_t stream, int *device)
{
    RT_ENTER();
    if (!device)
        return rt_set(cudaErrorInvalidValue);
    CUcontext owner = session_owner_of_stream(stream);
    *device = owner ? owner->device : rt_device();
    if (owner)
        return cudaSuccess;
    return rt(session_own_stream(stream));
}

CUDART(cudaStreamSetAttribute, cudaStream_t stream, int attribute, const void *value)
{
    RT_ENTER();
    return rt(cuStreamSetAttribute(stream, attribute, value));
}

CUDART(cudaStreamGetAttribute, cudaStream_t stream, int attribute, void *value)
{
    RT_ENTER();
    return rt(cuStreamGetAttribute(stream, attribute, value));
}

CUDART(cudaStreamCopyAttributes, cudaStream_t to, cudaStream_t from)
{
    RT_ENTER();
    return rt(cuStreamCopyAttributes(to, from));
}

static cudaError_t ready(void)
{
    RT_ENTER();
    return cudaSuccess;
}

/* The host's function runs without our lock: it may wait for another thread that needs it. */
typedef void (*rt_callback)(cudaStream_t stream, cudaError_t status, void *user);
CUDART(cudaStreamAddCallback, cudaStream_t stream, rt_callback fn, void *user, unsigned flags)
{
    cudaError_t e = rt_cudaStreamSynchronize(stream);
    if (e == cudaSuccess && (!fn || flags))
        return rt_set(cudaErrorInvalidValue);
    if (e == cudaSuccess)
        fn(stream, cudaSuccess, user);
    return e;
}

CUDART(cudaLaunchHostFunc, cudaStream_t stream, CUhostFn fn, void *user)
{
    cudaError_t e = ready();
    return e == cudaSuccess ? rt(cuLaunchHostFunc(stream, fn, user)) : e;
}

/* -- events */

CUDART(cudaEventCreateWithFlags, cudaEvent_t *event, unsigned flags)
{
    RT_ENTER();
    return rt(cuEventCreate(event, flags));
}

CUDART(cudaEventCreate, cudaEvent_t *event)
{
    return rt_cudaEventCreateWithFlags(event, 0);
}

CUDART(cudaEventDestroy, cudaEvent_t event)
{
    RT_ENTER();
    return rt(cuEventDestroy(event));
}

CUDART(cudaEventRecord, cudaEvent_t event, cudaStream_t stream)
{
    RT_ENTER();
    return rt(cuEventRecord(event, stream));
}

CUDART(cudaEventRecordWithFlags, cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    (void)flags;
    return rt_cudaEventRecord(event, stream);
}

CUDART(cudaEventSynchronize, cudaEvent_t event)
{
    RT_ENTER();
    return rt(cuEventSynchronize(event));
}

CUDART(cudaEventQuery, cudaEvent_t event)
{
    RT_ENTER();
    return rt(cuEventQuery(event));
}

CUDART(cudaEventElapsedTime, float *ms, cudaEvent_t start, cudaEvent_t end)
{
    RT_ENTER();
    return rt(cuEventElapsedTime(ms, start, end));
}
CUDART_ALIAS(cudaEventElapsedTime, cudaEventElapsedTime_v2);
