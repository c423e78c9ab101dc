/* graph.c -- graphs: their nodes. The kernel of a node is named by what the host calls it; its
 * arguments are copied when the node gets them. */
#include <stdlib.h>
#include <string.h>

#include "cudart/rt.h"
#include "sim/frontend/graph_int.h"

typedef const CUgraphNode *nodes_in;

CUDART(cudaGraphCreate, CUgraph *g, unsigned flags)
{
    RT_ENTER();
    return rt(cuGraphCreate(g, flags));
}

CUDART(cudaGraphDestroy, CUgraph g)
{
    RT_ENTER();
    return rt(cuGraphDestroy(g));
}

CUDART(cudaGraphClone, CUgraph *to, CUgraph from)
{
    RT_ENTER();
    return rt(cuGraphClone(to, from));
}

CUDART(cudaGraphDestroyNode, CUgraphNode node)
{
    RT_ENTER();
    return rt(cuGraphDestroyNode(node));
}

CUDART(cudaGraphNodeGetType, CUgraphNode node, int *type)
{
    RT_ENTER();
    return rt(cuGraphNodeGetType(node, type));
}

CUDART(cudaGraphNodeFindInClone, CUgraphNode *node, CUgraphNode original, CUgraph clone)
{
    RT_ENTER();
    return rt(cuGraphNodeFindInClone(node, original, clone));
}

CUDART(cudaGraphGetNodes, CUgraph g, CUgraphNode *nodes, size_t *n)
{
    RT_ENTER();
    return rt(cuGraphGetNodes(g, nodes, n));
}

CUDART(cudaGraphGetRootNodes, CUgraph g, CUgraphNode *nodes, size_t *n)
{
    RT_ENTER();
    return rt(cuGraphGetRootNodes(g, nodes, n));
}

/* -- edges: CUDA 13 has data with each, of which the default, zeros, is all that there is here */

#define EDGE 8 /* bytes */
/* Exported as `name` for CUDA 11 and 12, and as `name` of 13 and `name`_v2. */
#define BEFORE_13(function, name)          \
    RT_AT(function, name, "@" RT_NODE_10); \
    RT_AT(function, name, "@" RT_NODE_11); \
    RT_AT(function, name, "@" RT_NODE_12)
#define SINCE_13(function, name)                \
    RT_AT(function, name, "@@" RT_NODE_13);     \
    RT_AT(function, name##_v2, "@" RT_NODE_12); \
    RT_AT(function, name##_v2, "@@" RT_NODE_13)
#define FUNCTION(name, ...)                  \
    RT_EXPORT cudaError_t name(__VA_ARGS__); \
    cudaError_t name(__VA_ARGS__)

static bool plain(const unsigned char *edges, size_t n)
{
    for (size_t i = 0; edges && i < n * EDGE; i++)
        if (edges[i])
            return false;
    return true;
}

static cudaError_t clear(CUresult r, unsigned char *edges, const size_t *n)
{
    if (r == CUDA_SUCCESS && edges)
        memset(edges, 0, *n * EDGE);
    return rt(r);
}

FUNCTION(rt_add_edges_12, CUgraph g, nodes_in from, nodes_in to, size_t n)
{
    RT_ENTER();
    return rt(cuGraphAddDependencies(g, from, to, n));
}
BEFORE_13(rt_add_edges_12, cudaGraphAddDependencies);
FUNCTION(rt_add_edges_13, CUgraph g, nodes_in from, nodes_in to, const unsigned char *edges,
         size_t n)
{
    RT_ENTER();
    return plain(edges, n) ? rt(cuGraphAddDependencies(g, from, to, n))
                           : rt_set(cudaErrorNotSupported);
}
SINCE_13(rt_add_edges_13, cudaGraphAddDependencies);

FUNCTION(rt_remove_edges_12, CUgraph g, nodes_in from, nodes_in to, size_t n)
{
    RT_ENTER();
    return rt(cuGraphRemoveDependencies(g, from, to, n));
}
BEFORE_13(rt_remove_edges_12, cudaGraphRemoveDependencies);
FUNCTION(rt_remove_edges_13, CUgraph g, nodes_in from, nodes_in to, const unsigned char *edges,
         size_t n)
{
    (void)edges;
    return rt_remove_edges_12(g, from, to, n);
}
SINCE_13(rt_remove_edges_13, cudaGraphRemoveDependencies);

FUNCTION(rt_edges_12, CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
    RT_ENTER();
    return rt(cuGraphGetEdges(g, from, to, n));
}
BEFORE_13(rt_edges_12, cudaGraphGetEdges);
FUNCTION(rt_edges_13, CUgraph g, CUgraphNode *from, CUgraphNode *to, unsigned char *edges,
         size_t *n)
{
    RT_ENTER();
    return clear(cuGraphGetEdges(g, from, to, n), edges, n);
}
SINCE_13(rt_edges_13, cudaGraphGetEdges);

FUNCTION(rt_dependencies_12, CUgraphNode node, CUgraphNode *deps, size_t *n)
{
    RT_ENTER();
    return rt(cuGraphNodeGetDependencies(node, deps, n));
}
BEFORE_13(rt_dependencies_12, cudaGraphNodeGetDependencies);
FUNCTION(rt_dependencies_13, CUgraphNode node, CUgraphNode *deps, unsigned char *edges, size_t *n)
{
    RT_ENTER();
    return clear(cuGraphNodeGetDependencies(node, deps, n), edges, n);
}
SINCE_13(rt_dependencies_13, cudaGraphNodeGetDependencies);

FUNCTION(rt_dependents_12, CUgraphNode node, CUgraphNode *nodes, size_t *n)
{
    RT_ENTER();
    return rt(cuGraphNodeGetDependentNodes(node, nodes, n));
}
BEFORE_13(rt_dependents_12, cudaGraphNodeGetDependentNodes);
FUNCTION(rt_dependents_13, CUgraphNode node, CUgraphNode *nodes, unsigned char *edges, size_t *n)
{
    RT_ENTER();
    return clear(cuGraphNodeGetDependentNodes(node, nodes, n), edges, n);
}
SINCE_13(rt_dependents_13, cudaGraphNodeGetDependentNodes);

/* -- work: made of the parameters, given to a node, freed */

struct kernel_params { /* cudaKernelNodeParams */
    const void *func;
    dim3 grid, block;
    unsigned shared;
    void **params, **extra;
};

struct memset_params { /* cudaMemsetParams */
    void *dst;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

static CUresult kernel_work(const struct kernel_params *p, struct graph_work *w)
{
    struct rt_function *f;
    cudaError_t e = p ? rt_function(p->func, &f) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return (CUresult)e;
    return graph_kernel_work(&(struct graph_launch){.f = f->cu,
                                                    .grid = {p->grid.x, p->grid.y, p->grid.z},
                                                    .block = {p->block.x, p->block.y, p->block.z},
                                                    .shared = p->shared,
                                                    .handle = p->func,
                                                    .params = p->params,
                                                    .extra = p->extra},
                             w);
}

cudaError_t rt_cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream);

static CUresult run_copy(const void *data, CUstream stream)
{
    return (CUresult)rt_cudaMemcpy3DAsync(data, stream);
}

static CUresult copy_work(const struct cudaMemcpy3DParms *p, struct graph_work *w)
{
    void *own = xmalloc(sizeof *p);
    if (!p || (!p->dstPtr.ptr && !p->dstArray) || (!p->srcPtr.ptr && !p->srcArray)) {
        free(own);
        return CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(own, p, sizeof *p);
    *w = (struct graph_work){GRAPH_MEMCPY, run_copy, own, sizeof *p};
    return CUDA_SUCCESS;
}

struct line { /* a copy in one dimension */
    void *dst;
    const void *src;
    size_t bytes;
    enum cudaMemcpyKind kind;
};

static CUresult line_work(const struct line *l, struct graph_work *w)
{
    void *src = (void *)(uintptr_t)l->src;
    const struct cudaMemcpy3DParms p = {.srcPtr = {src, l->bytes, l->bytes, 1},
                                        .dstPtr = {l->dst, l->bytes, l->bytes, 1},
                                        .extent = {l->bytes, 1, 1},
                                        .kind = l->kind};
    return copy_work(&p, w);
}

/* A device variable's address, `at` bytes in. */
static CUresult in_symbol(const void *symbol, size_t at, size_t bytes, void **p)
{
    struct rt_var *v;
    cudaError_t e = rt_var(symbol, &v);
    if (e == cudaSuccess && (at > v->bytes || bytes > v->bytes - at))
        e = cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *p = (void *)(uintptr_t)(v->at + at);
    return (CUresult)e;
}

static CUresult memset_work(const struct memset_params *p, struct graph_work *w)
{
    CUresult r = graph_memset_work(p, w);
    if (r == CUDA_SUCCESS) {
        void *own = xmalloc(w->bytes);
        w->data = memcpy(own, p, w->bytes);
    }
    return r;
}

static CUresult host_work(const struct graph_host *h, struct graph_work *w)
{
    if (!h || !h->fn)
        return CUDA_ERROR_INVALID_VALUE;
    void *own = xmalloc(sizeof *h);
    *w = (struct graph_work){GRAPH_HOST, NULL, memcpy(own, h, sizeof *h), sizeof *h};
    return CUDA_SUCCESS;
}

static cudaError_t add(CUresult r, const struct rt_graph_place *p, struct graph_work *w)
{
    if (r == CUDA_SUCCESS) {
        r = graph_add(p->node, p->g, p->deps, p->n, w);
        free((void *)(uintptr_t)w->data);
    }
    return rt(r);
}

static cudaError_t set(CUresult r, CUgraphNode node, struct graph_work *w)
{
    if (r == CUDA_SUCCESS) {
        r = graph_node_set(node, w);
        free((void *)(uintptr_t)w->data);
    }
    return rt(r);
}

static cudaError_t set_exec(CUresult r, CUgraphExec x, CUgraphNode node, struct graph_work *w)
{
    CUgraphNode at = NULL;
    if (r == CUDA_SUCCESS) {
        r = graph_exec_node(x, node, w->type, &at);
        if (r != CUDA_SUCCESS)
            free((void *)(uintptr_t)w->data);
    }
    return set(r, at, w);
}

/* cudaGraphAddKIND, cudaGraphKINDSetParams and cudaGraphExecKINDSetParams; `work` makes the work of
 * the arguments. */
#define UNPACK(...) __VA_ARGS__
#define NODE(add_name, set_name, exec_name, parameters, work)                                  \
    CUDART(add_name, CUgraphNode *node, CUgraph g, nodes_in deps, size_t n, UNPACK parameters) \
    {                                                                                          \
        RT_ENTER();                                                                            \
        struct graph_work w;                                                                   \
        CUresult r = work;                                                                     \
        return add(r, &(struct rt_graph_place){node, g, deps, n}, &w);                         \
    }                                                                                          \
    CUDART(set_name, CUgraphNode node, UNPACK parameters)                                      \
    {                                                                                          \
        RT_ENTER();                                                                            \
        struct graph_work w;                                                                   \
        CUresult r = work;                                                                     \
        return set(r, node, &w);                                                               \
    }                                                                                          \
    CUDART(exec_name, CUgraphExec x, CUgraphNode node, UNPACK parameters)                      \
    {                                                                                          \
        RT_ENTER();                                                                            \
        struct graph_work w;                                                                   \
        CUresult r = work;                                                                     \
        return set_exec(r, x, node, &w);                                                       \
    }

NODE(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
     (const struct kernel_params *p), kernel_work(p, &w))
NODE(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams,
     (const struct cudaMemcpy3DParms *p), copy_work(p, &w))
NODE(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
     (const struct memset_params *p), memset_work(p, &w))
NODE(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams,
     (const struct graph_host *p), host_work(p, &w))
NODE(cudaGraphAddMemcpyNode1D, cudaGraphMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParams1D,
     (void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind),
     line_work(&(struct line){dst, src, bytes, kind}, &w))

static CUresult to_symbol(const void *symbol, size_t at, const struct line *l, struct graph_work *w)
{
    struct line to = *l;
    CUresult r = in_symbol(symbol, at, l->bytes, &to.dst);
    return r == CUDA_SUCCESS ? line_work(&to, w) : r;
}

static CUresult from_symbol(const void *symbol, size_t at, const struct line *l,
                            struct graph_work *w)
{
    void *src = NULL;
    CUresult r = in_symbol(symbol, at, l->bytes, &src);
    return r == CUDA_SUCCESS ? line_work(&(struct line){l->dst, src, l->bytes, l->kind}, w) : r;
}

NODE(cudaGraphAddMemcpyNodeToSymbol, cudaGraphMemcpyNodeSetParamsToSymbol,
     cudaGraphExecMemcpyNodeSetParamsToSymbol,
     (const void *symbol, const void *src, size_t bytes, size_t at, enum cudaMemcpyKind kind),
     to_symbol(symbol, at, &(struct line){NULL, src, bytes, kind}, &w))
NODE(cudaGraphAddMemcpyNodeFromSymbol, cudaGraphMemcpyNodeSetParamsFromSymbol,
     cudaGraphExecMemcpyNodeSetParamsFromSymbol,
     (void *dst, const void *symbol, size_t bytes, size_t at, enum cudaMemcpyKind kind),
     from_symbol(symbol, at, &(struct line){dst, NULL, bytes, kind}, &w))

CUDART(cudaGraphAddEmptyNode, CUgraphNode *node, CUgraph g, nodes_in deps, size_t n)
{
    RT_ENTER();
    return rt(cuGraphAddEmptyNode(node, g, deps, n));
}

CUDART(cudaGraphAddEventRecordNode, CUgraphNode *node, CUgraph g, nodes_in deps, size_t n,
       cudaEvent_t event)
{
    RT_ENTER();
    return rt(cuGraphAddEventRecordNode(node, g, deps, n, event));
}

CUDART(cudaGraphAddEventWaitNode, CUgraphNode *node, CUgraph g, nodes_in deps, size_t n,
       cudaEvent_t event)
{
    RT_ENTER();
    return rt(cuGraphAddEventWaitNode(node, g, deps, n, event));
}

CUDART(cudaGraphAddChildGraphNode, CUgraphNode *node, CUgraph g, nodes_in deps, size_t n,
       CUgraph child)
{
    RT_ENTER();
    return rt(graph_child(node, g, deps, n, child));
}

CUDART(cudaGraphChildGraphNodeGetGraph, CUgraphNode node, CUgraph *child)
{
    RT_ENTER();
    return rt(graph_child_of(node, child));
}

/* -- of any kind */

struct node_params { /* cudaGraphNodeParams */
    int type, zero[3];
    union {
        struct kernel_params kernel;
        struct {
            int flags, zero[3];
            struct cudaMemcpy3DParms copy;
        } memcpy;
        struct memset_params memset;
        struct graph_host host;
        CUgraph child;
        cudaEvent_t event;
        void *freed;
        long long room[29];
    };
};

static cudaError_t add_any(const struct rt_graph_place *at, struct node_params *p)
{
    struct graph_work w;
    if (!p)
        return rt_set(cudaErrorInvalidValue);
    switch (p->type) {
    case GRAPH_KERNEL:
        return add(kernel_work(&p->kernel, &w), at, &w);
    case GRAPH_MEMCPY:
        return add(copy_work(&p->memcpy.copy, &w), at, &w);
    case GRAPH_MEMSET:
        return add(memset_work(&p->memset, &w), at, &w);
    case GRAPH_HOST:
        return add(host_work(&p->host, &w), at, &w);
    case GRAPH_CHILD:
        return rt(graph_child(at->node, at->g, at->deps, at->n, p->child));
    case GRAPH_EMPTY:
        return rt(cuGraphAddEmptyNode(at->node, at->g, at->deps, at->n));
    case GRAPH_MEM_ALLOC:
        return rt(rt_graph_add_alloc(at, p->room));
    case GRAPH_MEM_FREE:
        return rt(rt_graph_add_free(at, p->freed));
    case GRAPH_WAIT_EVENT:
        return rt(cuGraphAddEventWaitNode(at->node, at->g, at->deps, at->n, p->event));
    case GRAPH_EVENT_RECORD:
        return rt(cuGraphAddEventRecordNode(at->node, at->g, at->deps, at->n, p->event));
    }
    rt_say("the program adds a node of type %d to a graph, which is not supported", p->type);
    return rt_set(cudaErrorNotSupported);
}

FUNCTION(rt_add_node_12, CUgraphNode *node, CUgraph g, nodes_in deps, size_t n,
         struct node_params *p)
{
    RT_ENTER();
    return add_any(&(struct rt_graph_place){node, g, deps, n}, p);
}
BEFORE_13(rt_add_node_12, cudaGraphAddNode);
FUNCTION(rt_add_node_13, CUgraphNode *node, CUgraph g, nodes_in deps, const unsigned char *edges,
         size_t n, struct node_params *p)
{
    RT_ENTER();
    return plain(edges, n) ? add_any(&(struct rt_graph_place){node, g, deps, n}, p)
                           : rt_set(cudaErrorNotSupported);
}
SINCE_13(rt_add_node_13, cudaGraphAddNode);

/* -- what a node's parameters are */

CUDART(cudaGraphKernelNodeGetParams, CUgraphNode node, struct kernel_params *p)
{
    RT_ENTER();
    const struct graph_kernel *k = graph_node_data(node, GRAPH_KERNEL);
    if (!k || !p)
        return rt_set(cudaErrorInvalidValue);
    void **args = graph_arguments(node);
    *p = (struct kernel_params){k->handle,
                                {k->grid[0], k->grid[1], k->grid[2]},
                                {k->block[0], k->block[1], k->block[2]},
                                k->shared,
                                args,
                                NULL};
    return cudaSuccess;
}

CUDART(cudaGraphHostNodeGetParams, CUgraphNode node, struct graph_host *p)
{
    RT_ENTER();
    const struct graph_host *h = graph_node_data(node, GRAPH_HOST);
    if (!h || !p)
        return rt_set(cudaErrorInvalidValue);
    *p = *h;
    return cudaSuccess;
}

CUDART(cudaGraphMemsetNodeGetParams, CUgraphNode node, struct memset_params *p)
{
    RT_ENTER();
    const struct memset_params *m = graph_node_data(node, GRAPH_MEMSET);
    if (!m || !p)
        return rt_set(cudaErrorInvalidValue);
    *p = *m;
    return cudaSuccess;
}

CUDART(cudaGraphMemcpyNodeGetParams, CUgraphNode node, struct cudaMemcpy3DParms *p)
{
    RT_ENTER();
    const struct cudaMemcpy3DParms *c = graph_node_data(node, GRAPH_MEMCPY);
    if (!c || !p)
        return rt_set(cudaErrorInvalidValue);
    if (node->bytes != sizeof *c) /* of the driver, or captured */
        return rt_set(cudaErrorNotSupported);
    *p = *c;
    return cudaSuccess;
}

static cudaError_t event_of(CUgraphNode node, enum graph_type type, cudaEvent_t *event)
{
    const cudaEvent_t *e = graph_node_data(node, type);
    if (!e || !event)
        return rt_set(cudaErrorInvalidValue);
    *event = *e;
    return cudaSuccess;
}

CUDART(cudaGraphEventRecordNodeGetEvent, CUgraphNode node, cudaEvent_t *event)
{
    RT_ENTER();
    return event_of(node, GRAPH_EVENT_RECORD, event);
}

CUDART(cudaGraphEventWaitNodeGetEvent, CUgraphNode node, cudaEvent_t *event)
{
    RT_ENTER();
    return event_of(node, GRAPH_WAIT_EVENT, event);
}
