/* Driver API: the work of kernels, copies and memset in graphs (contract: cuda_graph.h), and the
 * nodes that the driver's own functions make of them. */
#include "sim/frontend/cuda_array.h"
#include "sim/frontend/graph_int.h"

#include <stdlib.h>
#include <string.h>

static CUresult run_kernel(const void *data, CUstream stream)
{
    const struct graph_kernel *k = data;
    size_t bytes = k->bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)k->args,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    struct graph_launch l = {.f = k->f,
                             .shared = k->shared,
                             .cooperative = k->cooperative,
                             .handle = k->handle,
                             .extra = extra};
    memcpy(l.grid, k->grid, sizeof l.grid);
    memcpy(l.block, k->block, sizeof l.block);
    memcpy(l.cluster, k->cluster, sizeof l.cluster);
    return session_launch(&l, stream);
}

CUresult graph_kernel_work(const struct graph_launch *l, struct graph_work *w)
{
    CUcontext ctx;
    CUfunction f = l->f;
    CUresult r = session_context(&ctx);
    if (r == CUDA_SUCCESS)
        r = session_function(ctx, &f);
    if (r == CUDA_SUCCESS && l->params && l->extra)
        r = CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return r;
    const size_t bytes = f->kernel->param_bytes;
    struct graph_kernel *k = xcalloc(1, sizeof *k + bytes);
    k->f = f;
    memcpy(k->grid, l->grid, sizeof k->grid);
    memcpy(k->block, l->block, sizeof k->block);
    memcpy(k->cluster, l->cluster, sizeof k->cluster);
    k->shared = l->shared;
    k->cooperative = l->cooperative;
    k->handle = l->handle;
    k->bytes = bytes;
    r = session_pack(f->kernel, l->params, l->extra, k->args);
    *w = (struct graph_work){GRAPH_KERNEL, run_kernel, k, sizeof *k + bytes};
    if (r != CUDA_SUCCESS)
        free(k);
    return r;
}

void **graph_arguments(CUgraphNode node)
{
    struct graph_kernel *k = node->data;
    const struct kernel *of = k->f->kernel;
    node->args = xrealloc(node->args, ((size_t)of->nparam + 1) * sizeof *node->args);
    for (int i = 0; i < of->nparam; i++)
        node->args[i] = k->args + of->param[i].off;
    return node->args;
}

struct kernel_params { /* CUDA_KERNEL_NODE_PARAMS_v2; version 1 ends before `kernel` */
    CUfunction f;
    unsigned grid[3], block[3], shared;
    void **params, **extra;
    CUkernel kernel;
    CUcontext ctx;
};

static CUresult kernel_work(const struct kernel_params *p, bool v2, struct graph_work *w)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    struct graph_launch l = {.f = p->f ? p->f
                                  : v2 ? (CUfunction)p->kernel
                                       : NULL,
                             .shared = p->shared,
                             .params = p->params,
                             .extra = p->extra};
    l.handle = l.f;
    memcpy(l.grid, p->grid, sizeof l.grid);
    memcpy(l.block, p->block, sizeof l.block);
    return graph_kernel_work(&l, w);
}

#define DRIVER(name, ...)                                                    \
    __attribute__((visibility("default"), used)) CUresult name(__VA_ARGS__); \
    CUresult name(__VA_ARGS__)

static CUresult add_kernel(CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
                           const struct graph_work *w)
{
    CUresult r = graph_add(node, g, deps, n, w);
    free((void *)(uintptr_t)w->data);
    return r;
}

DRIVER(cuGraphAddKernelNode, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       const struct kernel_params *p)
{
    SESSION_CALL();
    struct graph_work w;
    CUresult r = kernel_work(p, false, &w);
    return r == CUDA_SUCCESS ? add_kernel(node, g, deps, n, &w) : r;
}

DRIVER(cuGraphAddKernelNode_v2, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       const struct kernel_params *p)
{
    SESSION_CALL();
    struct graph_work w;
    CUresult r = kernel_work(p, true, &w);
    return r == CUDA_SUCCESS ? add_kernel(node, g, deps, n, &w) : r;
}

static CUresult set(CUgraphNode node, const struct graph_work *w)
{
    CUresult r = graph_node_set(node, w);
    free((void *)(uintptr_t)w->data);
    return r;
}

DRIVER(cuGraphKernelNodeSetParams_v2, CUgraphNode node, const struct kernel_params *p)
{
    SESSION_CALL();
    struct graph_work w;
    CUresult r = kernel_work(p, true, &w);
    return r == CUDA_SUCCESS ? set(node, &w) : r;
}

DRIVER(cuGraphExecKernelNodeSetParams_v2, CUgraphExec x, CUgraphNode node,
       const struct kernel_params *p)
{
    SESSION_CALL();
    struct graph_work w;
    CUgraphNode at;
    CUresult r = graph_exec_node(x, node, GRAPH_KERNEL, &at);
    if (r == CUDA_SUCCESS)
        r = kernel_work(p, true, &w);
    return r == CUDA_SUCCESS ? set(at, &w) : r;
}

DRIVER(cuGraphExecKernelNodeSetParams, CUgraphExec x, CUgraphNode node,
       const struct kernel_params *p)
{
    SESSION_CALL();
    struct graph_work w;
    CUgraphNode at;
    CUresult r = graph_exec_node(x, node, GRAPH_KERNEL, &at);
    if (r == CUDA_SUCCESS)
        r = kernel_work(p, false, &w);
    return r == CUDA_SUCCESS ? set(at, &w) : r;
}

static CUresult run_copy(const void *copy, CUstream stream)
{
    (void)stream;
    return cuMemcpy3D(copy);
}

DRIVER(cuGraphAddMemcpyNode, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       const CUDA_MEMCPY3D *copy, CUcontext ctx)
{
    SESSION_CALL();
    (void)ctx;
    const struct graph_work w = {GRAPH_MEMCPY, run_copy, copy, sizeof *copy};
    return copy ? graph_add(node, g, deps, n, &w) : CUDA_ERROR_INVALID_VALUE;
}

struct memset_params { /* CUDA_MEMSET_NODE_PARAMS */
    CUdeviceptr dst;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

CUresult graph_run_memset(const void *data, CUstream stream)
{
    const struct memset_params *m = data;
    CUresult r = CUDA_SUCCESS;
    for (size_t y = 0; y < m->height && r == CUDA_SUCCESS; y++) {
        const CUdeviceptr at = m->dst + y * m->pitch;
        r = m->element == 4   ? cuMemsetD32Async(at, m->value, m->width, stream)
            : m->element == 2 ? cuMemsetD16Async(at, (unsigned short)m->value, m->width, stream)
                              : cuMemsetD8Async(at, (unsigned char)m->value, m->width, stream);
    }
    return r;
}

CUresult graph_memset_work(const void *params, struct graph_work *w)
{
    const struct memset_params *m = params;
    if (!m || (m->element != 1 && m->element != 2 && m->element != 4))
        return CUDA_ERROR_INVALID_VALUE;
    *w = (struct graph_work){GRAPH_MEMSET, graph_run_memset, m, sizeof *m};
    return CUDA_SUCCESS;
}

DRIVER(cuGraphAddMemsetNode, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       const struct memset_params *m, CUcontext ctx)
{
    SESSION_CALL();
    struct graph_work w;
    (void)ctx;
    CUresult r = graph_memset_work(m, &w);
    return r == CUDA_SUCCESS ? graph_add(node, g, deps, n, &w) : r;
}

DRIVER(cuGraphAddHostNode, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       const struct graph_host *host)
{
    SESSION_CALL();
    const struct graph_work w = {GRAPH_HOST, NULL, host, sizeof *host};
    return host && host->fn ? graph_add(node, g, deps, n, &w) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER(cuGraphAddChildGraphNode, CUgraphNode *node, CUgraph g, const CUgraphNode *deps, size_t n,
       CUgraph child)
{
    SESSION_CALL();
    return graph_child(node, g, deps, n, child);
}

struct update_result {
    int result;
    CUgraphNode node, from;
};

DRIVER(cuGraphExecUpdate_v2, CUgraphExec x, CUgraph g, struct update_result *out)
{
    SESSION_CALL();
    enum graph_update why = UPDATE_ERROR;
    CUgraphNode at = NULL;
    CUresult r = out ? graph_update(x, g, &why, &at) : CUDA_ERROR_INVALID_VALUE;
    if (out)
        *out = (struct update_result){(int)why, at, NULL};
    return r;
}

DRIVER(cuStreamBeginCapture, CUstream stream)
{
    return cuStreamBeginCapture_v2(stream, 0);
}

DRIVER(cuGraphInstantiate_v2, CUgraphExec *x, CUgraph g, CUgraphNode *bad, char *log, size_t room)
{
    if (bad)
        *bad = NULL;
    if (log && room)
        *log = 0;
    return cuGraphInstantiateWithFlags(x, g, 0);
}

struct instantiate_params {
    unsigned long long flags;
    CUstream stream;
    CUgraphNode bad;
    int result;
};

DRIVER(cuGraphInstantiateWithParams, CUgraphExec *x, CUgraph g, struct instantiate_params *p)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult r = cuGraphInstantiateWithFlags(x, g, p->flags);
    p->bad = NULL;
    p->result = r == CUDA_SUCCESS ? 0 : 1; /* CUDA_GRAPH_INSTANTIATE_ERROR */
    return r;
}

DRIVER(cuStreamGetCaptureInfo_v2, CUstream stream, int *status, unsigned long long *id,
       CUgraph *graph, const CUgraphNode **deps, size_t *n)
{
    SESSION_CALL();
    struct graph_capturing c;
    CUresult r = status ? graph_capturing(stream, &c) : CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return r;
    *status = c.status;
    if (id)
        *id = c.id;
    if (graph)
        *graph = c.graph;
    if (deps)
        *deps = c.tail;
    if (n)
        *n = c.ntail;
    return CUDA_SUCCESS;
}

DRIVER(cuStreamGetCaptureInfo_v3, CUstream stream, int *status, unsigned long long *id,
       CUgraph *graph, const CUgraphNode **deps, const void **edges, size_t *n)
{
    if (edges)
        *edges = NULL; /* all are plain */
    return cuStreamGetCaptureInfo_v2(stream, status, id, graph, deps, n);
}
