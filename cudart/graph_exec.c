/* graph_exec.c -- graphs: instances, their launches and updates; capture. */
#include "cudart/rt.h"
#include "sim/frontend/cuda_graph.h"

/* What more the versions' prototypes ask for (a node and a log of errors, or flags) differs. */
CUDART(cudaGraphInstantiateWithFlags, CUgraphExec *x, CUgraph g, unsigned long long flags)
{
    RT_ENTER();
    return rt(cuGraphInstantiateWithFlags(x, g, flags));
}

RT_EXPORT cudaError_t rt_instantiate_11(CUgraphExec *x, CUgraph g, CUgraphNode *bad, char *log,
                                        size_t room);
RT_AT(rt_instantiate_11, cudaGraphInstantiate, "@" RT_NODE_10);
RT_AT(rt_instantiate_11, cudaGraphInstantiate, "@" RT_NODE_11);
RT_NAMES(rt_instantiate_11, cudaGraphInstantiate_v11000);
cudaError_t rt_instantiate_11(CUgraphExec *x, CUgraph g, CUgraphNode *bad, char *log, size_t room)
{
    if (bad)
        *bad = NULL;
    if (log && room)
        *log = 0;
    return rt_cudaGraphInstantiateWithFlags(x, g, 0);
}
RT_AT(rt_cudaGraphInstantiateWithFlags, cudaGraphInstantiate, "@" RT_NODE_12);
RT_AT(rt_cudaGraphInstantiateWithFlags, cudaGraphInstantiate, "@@" RT_NODE_13);
CUDART_ALIAS(cudaGraphInstantiateWithFlags, cudaGraphInstantiate_v12000);

struct instantiate_params {
    unsigned long long flags;
    cudaStream_t stream;
    CUgraphNode bad;
    int result;
};

CUDART(cudaGraphInstantiateWithParams, CUgraphExec *x, CUgraph g, struct instantiate_params *p)
{
    RT_ENTER();
    if (!p)
        return rt_set(cudaErrorInvalidValue);
    const CUresult r = cuGraphInstantiateWithFlags(x, g, p->flags);
    p->bad = NULL;
    p->result = r == CUDA_SUCCESS ? 0 : 1; /* cudaGraphInstantiateError */
    return rt(r);
}
CUDART_ALIAS(cudaGraphInstantiateWithParams, cudaGraphInstantiateWithParams_ptsz);

CUDART(cudaGraphExecDestroy, CUgraphExec x)
{
    RT_ENTER();
    return rt(cuGraphExecDestroy(x));
}

CUDART(cudaGraphExecGetFlags, CUgraphExec x, unsigned long long *flags)
{
    RT_ENTER();
    return rt(cuGraphExecGetFlags(x, flags));
}

static cudaError_t ready(void)
{
    RT_ENTER();
    return cudaSuccess;
}

/* Functions of the host among its nodes run without our lock. */
CUDART(cudaGraphLaunch, CUgraphExec x, cudaStream_t stream)
{
    cudaError_t e = ready();
    return e == cudaSuccess ? rt(cuGraphLaunch(x, stream)) : e;
}

CUDART(cudaGraphUpload, CUgraphExec x, cudaStream_t stream)
{
    RT_ENTER();
    return rt(cuGraphUpload(x, stream));
}

CUDART(cudaGraphNodeSetEnabled, CUgraphExec x, CUgraphNode node, unsigned enabled)
{
    RT_ENTER();
    return rt(cuGraphNodeSetEnabled(x, node, enabled));
}

CUDART(cudaGraphNodeGetEnabled, CUgraphExec x, CUgraphNode node, unsigned *enabled)
{
    RT_ENTER();
    return rt(cuGraphNodeGetEnabled(x, node, enabled));
}

/* -- updates */

RT_EXPORT cudaError_t rt_update_11(CUgraphExec x, CUgraph g, CUgraphNode *at, int *result);
RT_AT(rt_update_11, cudaGraphExecUpdate, "@" RT_NODE_10);
RT_AT(rt_update_11, cudaGraphExecUpdate, "@" RT_NODE_11);
cudaError_t rt_update_11(CUgraphExec x, CUgraph g, CUgraphNode *at, int *result)
{
    RT_ENTER();
    enum graph_update why = UPDATE_ERROR;
    CUresult r = at && result ? graph_update(x, g, &why, at) : CUDA_ERROR_INVALID_VALUE;
    if (result)
        *result = (int)why;
    return rt(r);
}

struct update_result {
    int result;
    CUgraphNode node, from;
};

RT_EXPORT cudaError_t rt_update_12(CUgraphExec x, CUgraph g, struct update_result *out);
RT_AT(rt_update_12, cudaGraphExecUpdate, "@" RT_NODE_12);
RT_AT(rt_update_12, cudaGraphExecUpdate, "@@" RT_NODE_13);
cudaError_t rt_update_12(CUgraphExec x, CUgraph g, struct update_result *out)
{
    RT_ENTER();
    enum graph_update why = UPDATE_ERROR;
    CUgraphNode at = NULL;
    CUresult r = out ? graph_update(x, g, &why, &at) : CUDA_ERROR_INVALID_VALUE;
    if (out)
        *out = (struct update_result){(int)why, at, NULL};
    return rt(r);
}

/* -- capture */

CUDART(cudaStreamBeginCapture, cudaStream_t stream, int mode)
{
    RT_ENTER();
    return rt(cuStreamBeginCapture_v2(stream, mode));
}

CUDART(cudaStreamEndCapture, cudaStream_t stream, CUgraph *g)
{
    RT_ENTER();
    return rt(cuStreamEndCapture(stream, g));
}

CUDART(cudaStreamIsCapturing, cudaStream_t stream, int *status)
{
    RT_ENTER();
    return rt(cuStreamIsCapturing(stream, status));
}

CUDART(cudaThreadExchangeStreamCaptureMode, int *mode)
{
    RT_ENTER();
    return rt(cuThreadExchangeStreamCaptureMode(mode));
}

struct capture_info { /* where the caller wants what; NULL: it doesn't */
    int *status;
    unsigned long long *id;
    CUgraph *graph;
    CUgraphNode **deps;
    size_t *n;
};

static cudaError_t give(cudaStream_t stream, const struct capture_info *to)
{
    struct graph_capturing c;
    CUresult r = to->status ? graph_capturing(stream, &c) : CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return rt(r);
    *to->status = c.status;
    if (c.status != CAPTURE_ACTIVE)
        return cudaSuccess;
    if (to->id)
        *to->id = c.id;
    if (to->graph)
        *to->graph = c.graph;
    if (to->deps)
        *to->deps = c.tail;
    if (to->n)
        *to->n = c.ntail;
    return cudaSuccess;
}

RT_EXPORT cudaError_t rt_capture_info(cudaStream_t stream, int *status, unsigned long long *id);
RT_AT(rt_capture_info, cudaStreamGetCaptureInfo, "@" RT_NODE_10);
RT_AT(rt_capture_info, cudaStreamGetCaptureInfo, "@" RT_NODE_11);
RT_AT(rt_capture_info, cudaStreamGetCaptureInfo, "@" RT_NODE_12);
cudaError_t rt_capture_info(cudaStream_t stream, int *status, unsigned long long *id)
{
    RT_ENTER();
    return give(stream, &(struct capture_info){.status = status, .id = id});
}

CUDART(cudaStreamGetCaptureInfo_v2, cudaStream_t stream, int *status, unsigned long long *id,
       CUgraph *graph, CUgraphNode **deps, size_t *n)
{
    RT_ENTER();
    return give(stream, &(struct capture_info){status, id, graph, deps, n});
}

CUDART(cudaStreamGetCaptureInfo_v3, cudaStream_t stream, int *status, unsigned long long *id,
       CUgraph *graph, CUgraphNode **deps, const void **edges, size_t *n)
{
    RT_ENTER();
    if (edges)
        *edges = NULL; /* all are plain */
    return give(stream, &(struct capture_info){status, id, graph, deps, n});
}
RT_AT(rt_cudaStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo, "@@" RT_NODE_13);

RT_EXPORT cudaError_t rt_capture_depend_12(cudaStream_t stream, const CUgraphNode *deps, size_t n,
                                           unsigned flags);
RT_AT(rt_capture_depend_12, cudaStreamUpdateCaptureDependencies, "@" RT_NODE_10);
RT_AT(rt_capture_depend_12, cudaStreamUpdateCaptureDependencies, "@" RT_NODE_11);
RT_AT(rt_capture_depend_12, cudaStreamUpdateCaptureDependencies, "@" RT_NODE_12);
cudaError_t rt_capture_depend_12(cudaStream_t stream, const CUgraphNode *deps, size_t n,
                                 unsigned flags)
{
    RT_ENTER();
    if (flags > 1 || (n && !deps))
        return rt_set(cudaErrorInvalidValue);
    return rt(graph_capture_depend(stream, deps, n, flags == 1));
}

CUDART(cudaStreamUpdateCaptureDependencies_v2, cudaStream_t stream, const CUgraphNode *deps,
       const void *edges, size_t n, unsigned flags)
{
    (void)edges;
    return rt_capture_depend_12(stream, deps, n, flags);
}
RT_AT(rt_cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies,
      "@@" RT_NODE_13);
